// Every command of the README, run as shown, prints what is shown beneath it.
#include <fstream>

#include <gtest/gtest.h>

#include "acceptance/transcript.hpp"
#include "support/repository.hpp"
#include "support/run_command.hpp"
#include "support/temporary_folder.hpp"

namespace oblea {
namespace {

using test::output_matches;
using test::Transcript;

// Where README.new.md goes: beside the binary under test.
std::string beside_the_build(const std::string& name) {
  const std::string binary = OBLEA_BINARY;
  return binary.substr(0, binary.rfind('/') + 1) + name;
}

// With a folder to run in, as the README's reader stands in the repository.
test::CommandResult run_in_repository(std::vector<std::string> words) {
  words.front() = OBLEA_BINARY;
  words.insert(words.begin(), {"env", "-C", OBLEA_SOURCE_DIRECTORY});
  return test::run_command(words);
}

TEST(Readme, EveryCommandPrintsWhatIsShown) {
  const std::string readme = test::read_file(test::repository_path("README.md"));
  ASSERT_FALSE(readme.empty());
  const std::vector<Transcript> transcripts = test::read_transcripts(readme);
  std::string fresh = readme;
  int run = 0;
  bool good = true;
  // From the last to the first, so that line numbers stay true in `fresh`.
  for (auto t = transcripts.rbegin(); t != transcripts.rend(); ++t) {
    if (!t->command.starts_with("oblea ")) continue;
    ++run;
    const test::CommandResult result = run_in_repository(test::split_words(t->command));
    EXPECT_EQ(result.exit_code, 0) << "README.md:" << t->line << ": " << t->command << "\n" << result.err;
    if (output_matches(t->output, result.out)) continue;
    good = false;
    fresh = test::with_output(fresh, *t, result.out);
    ADD_FAILURE() << "README.md:" << t->line << ": \"" << t->command << "\" prints something else than shown";
  }
  EXPECT_GE(run, 5) << "the README should show what the program does";
  if (good) return;
  const std::string path = beside_the_build("README.new.md");
  std::ofstream(path, std::ios::binary) << fresh;
  ADD_FAILURE() << "the README with fresh, whole output is in " << path;
}

TEST(Transcript, FindsCommandsInConsoleBlocksOnly) {
  const auto found = test::read_transcripts(
      "$ not this\n```sh\n$ nor this\n```\n```console\n$ oblea a\none\n\n$ oblea b\n```\ntext\n");
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].command, "oblea a");
  EXPECT_EQ(found[0].line, 6);
  EXPECT_EQ(found[0].output, (std::vector<std::string>{"one", ""}));
  EXPECT_TRUE(found[1].output.empty());
}

TEST(Transcript, QuotesKeepWordsTogether) {
  EXPECT_EQ(test::split_words(R"(oblea size --budget "3500 EUR" 'a "b"' "")"),
            (std::vector<std::string>{"oblea", "size", "--budget", "3500 EUR", "a \"b\"", ""}));
}

TEST(Transcript, DotsStandForAnyLines) {
  EXPECT_TRUE(output_matches({"a", "...", "c"}, "a\nb\nb\nc\n"));
  EXPECT_TRUE(output_matches({"a", "...", "c"}, "a\nc\n"));
  EXPECT_TRUE(output_matches({"..."}, ""));
  EXPECT_TRUE(output_matches({"a  ", ""}, "a\n")) << "spaces and empty lines at the end do not count";
  EXPECT_FALSE(output_matches({"a", "...", "c"}, "a\nb\n"));
  EXPECT_FALSE(output_matches({"a"}, "a\nb\n"));
  EXPECT_FALSE(output_matches({"a", "b"}, "a\n"));
  EXPECT_FALSE(output_matches({}, "a\n"));
}

TEST(Transcript, FreshOutputTakesThePlaceOfTheOld) {
  const std::string markdown = "x\n```console\n$ oblea a\nold\n```\ny\n";
  EXPECT_EQ(test::with_output(markdown, test::read_transcripts(markdown)[0], "new\nnew\n"),
            "x\n```console\n$ oblea a\nnew\nnew\n```\ny\n");
}

}  // namespace
}  // namespace oblea
