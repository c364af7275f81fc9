// What `oblea simulate` writes where, when terminals, pipes and disks are not what one would wish.
#include <fcntl.h>
#include <pty.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <optional>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/repository.hpp"
#include "support/run_command.hpp"
#include "support/temporary_folder.hpp"

namespace oblea {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

const std::string kOffice = test::repository_path("scenarios/homelab/serve-four-users.json");

// By a shell, which closes or turns its own descriptors first. "$0" is the binary, "$1" the scenario, "$2" a folder.
test::CommandResult shell(const std::string& line, const std::string& folder = "") {
  return test::run_command({"bash", "-c", line, OBLEA_BINARY, kOffice, folder});
}

std::string read_all(int terminal) {
  std::string text;
  char buffer[4096];
  for (;;) {
    const ssize_t n = ::read(terminal, buffer, sizeof buffer);
    if (n <= 0) return text;  // EIO: nobody is on the other side any more
    text.append(buffer, static_cast<std::size_t>(n));
  }
}

struct Terminal {
  int exit_code = -1;
  std::string text;
};

// With standard error, and where asked standard output, on a terminal of its own. Nothing where none is to be had, as
// in a bare chroot.
std::optional<Terminal> on_terminal(std::vector<std::string> words, const std::string& output) {
  words.insert(words.begin(), OBLEA_BINARY);
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  int master = -1;
  const pid_t child = ::forkpty(&master, nullptr, nullptr, nullptr);
  if (child < 0) return std::nullopt;
  if (child == 0) {
    const int file = ::open(output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
    ::dup2(file, 1);
    ::execv(OBLEA_BINARY, arguments.data());
    ::_exit(127);
  }
  Terminal terminal;
  terminal.text = read_all(master);
  int status = 0;
  ::waitpid(child, &status, 0);
  ::close(master);
  terminal.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return terminal;
}

// What is left on the line when everything has been drawn: \r goes back to its start, ESC [ K wipes from there.
std::string left_on_line(const std::string& drawn) {
  const std::size_t wiped = drawn.rfind("\r\033[K");
  return wiped == std::string::npos ? drawn : drawn.substr(wiped + 4);
}

// 199 requests: the last per cent that is told is not the last request.
TEST(SimulateOutput, ProgressIsDrawnOnATerminalAndWipedInTheEnd) {
  const test::TemporaryFolder folder;
  for (const char* requests : {"100", "199"}) {
    const std::optional<Terminal> terminal =
        on_terminal({"simulate", kOffice, "--requests", requests}, folder.path("out"));
    if (!terminal) GTEST_SKIP() << "no terminal to be had";
    EXPECT_EQ(terminal->exit_code, 0);
    EXPECT_THAT(terminal->text, HasSubstr("####"));
    EXPECT_EQ(left_on_line(terminal->text), "") << requests << " requests";
    EXPECT_THAT(test::read_file(folder.path("out")), Not(HasSubstr("\033")));
    EXPECT_THAT(test::read_file(folder.path("out")), Not(HasSubstr("####")));
  }
}

TEST(SimulateOutput, NothingIsDrawnWhereNobodyLooks) { EXPECT_EQ(test::run_oblea({"simulate", kOffice}).err, ""); }

TEST(SimulateOutput, AClosedStandardErrorIsNoLoss) {
  const std::string open = shell("\"$0\" simulate \"$1\" --json -").out;
  const test::CommandResult closed = shell("\"$0\" simulate \"$1\" --json - 2>&-");
  EXPECT_EQ(closed.exit_code, 0);
  EXPECT_EQ(closed.out, open);
}

// All three closed: files opened then get their numbers, and must not get what was meant for them.
TEST(SimulateOutput, FilesAreWholeWhenEveryStandardDescriptorIsClosed) {
  const test::TemporaryFolder folder;
  const std::string line = "\"$0\" simulate \"$1\" --json \"$2/a.json\" --csv \"$2/a.csv\" --timeline \"$2/a.trace\"";
  ASSERT_EQ(shell(line, folder.path()).exit_code, 0);
  const std::string json = test::read_file(folder.path("a.json"));
  const std::string csv = test::read_file(folder.path("a.csv"));
  const std::string timeline = test::read_file(folder.path("a.trace"));
  EXPECT_EQ(shell(line + " <&- >&- 2>&-", folder.path()).exit_code, 3);  // the table could not be written
  EXPECT_EQ(test::read_file(folder.path("a.json")), json);
  EXPECT_EQ(test::read_file(folder.path("a.csv")), csv);
  EXPECT_EQ(test::read_file(folder.path("a.trace")), timeline);
  EXPECT_EQ(folder.count_entries(), 3u);
}

TEST(SimulateOutput, AFullDiskIsToldByTheExitCode) {
  for (const char* where : {"--json", "--csv", "--timeline"}) {
    const test::CommandResult result = test::run_oblea({"simulate", kOffice, where, "/dev/full"});
    EXPECT_EQ(result.exit_code, 3) << where;
    EXPECT_THAT(result.err, HasSubstr("No space left on device")) << where;
    EXPECT_THAT(result.out, HasSubstr("Figures")) << where << ": the answer itself is not lost";
  }
  EXPECT_EQ(shell("\"$0\" simulate \"$1\" > /dev/full").exit_code, 3);
}

TEST(SimulateOutput, OneFileThatCannotBeWrittenDoesNotLoseTheOthers) {
  const test::TemporaryFolder folder;
  const std::string line = "\"$0\" simulate \"$1\" --json \"$2/a.json\" --csv \"$2/a.csv\" --timeline ";
  const test::CommandResult result = shell(line + "\"$2/no/such/folder/a.trace\"", folder.path());
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_TRUE(nlohmann::json::accept(test::read_file(folder.path("a.json"))));
  EXPECT_THAT(test::read_file(folder.path("a.csv")), EndsWith("\n"));
  EXPECT_EQ(folder.count_entries(), 2u);
}

TEST(SimulateOutput, AReaderThatGoesDoesNotLoseTheFiles) {
  const test::TemporaryFolder folder;
  const test::CommandResult result =
      shell("\"$0\" simulate \"$1\" --json \"$2/a.json\" | true; exit ${PIPESTATUS[0]}", folder.path());
  EXPECT_THAT(result.exit_code, testing::AnyOf(0, 3, 128 + SIGPIPE));  // 0: it was faster than its reader
  EXPECT_TRUE(nlohmann::json::accept(test::read_file(folder.path("a.json"))));
  EXPECT_EQ(folder.count_entries(), 1u);
}

// The first child of a process, or 0.
pid_t child_of(pid_t parent) {
  const std::string number = std::to_string(parent);
  std::ifstream children("/proc/" + number + "/task/" + number + "/children");
  pid_t child = 0;
  children >> child;
  return child;
}

// A run that is killed is not the scenario's fault: exit code 3 and the reason; files that were there stay.
TEST(SimulateOutput, AKilledRunLeavesOldFilesAlone) {
  const test::TemporaryFolder folder;
  folder.write("a.json", "old");
  folder.write("a.trace", "old");
  if (!std::filesystem::exists("/proc/self/task/" + std::to_string(::getpid()) + "/children"))
    GTEST_SKIP() << "this kernel does not list children";
  const pid_t parent = ::fork();
  if (parent == 0) {
    ::dup2(::open(folder.path("err").c_str(), O_WRONLY | O_CREAT, 0644), 2);
    const std::string json = folder.path("a.json"), trace = folder.path("a.trace");
    ::execl(OBLEA_BINARY, OBLEA_BINARY, "simulate", kOffice.c_str(), "--requests", "100000", "--step-by-step", "--json",
            json.c_str(), "--timeline", trace.c_str(), nullptr);
    ::_exit(127);
  }
  pid_t run = 0;
  for (int tries = 0; tries < 10000 && run == 0; ++tries) {
    ::usleep(1000);
    run = child_of(parent);
  }
  ASSERT_GT(run, 0);
  ::kill(run, SIGKILL);
  int status = 0;
  ::waitpid(parent, &status, 0);
  EXPECT_EQ(WEXITSTATUS(status), 3);
  EXPECT_THAT(test::read_file(folder.path("err")), HasSubstr("the run was killed"));
  EXPECT_EQ(test::read_file(folder.path("a.json")), "old");
  EXPECT_EQ(test::read_file(folder.path("a.trace")), "old");
  EXPECT_EQ(folder.count_entries(), 3u);
}

}  // namespace
}  // namespace oblea
