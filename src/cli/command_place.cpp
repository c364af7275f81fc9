#include "cli/commands.hpp"
#include "cli/session.hpp"
#include "study/place.hpp"

namespace oblea {

int command_place(const Options& options) {
  const Result<Session> session = load_session(options);
  if (!session) return print_bad_input(session.error());
  const Result<Report> report = run_place(session->scenario, session->library, session->timing);
  return report ? deliver(*report, options) : print_bad_input(report.error());
}

}  // namespace oblea
