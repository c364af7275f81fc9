#include "io/text_file.hpp"

#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <thread>

#include <gtest/gtest.h>

#include "support/temporary_folder.hpp"

namespace oblea {
namespace {

using test::TemporaryFolder;

std::string fault_of(const Result<std::string>& result) { return result ? "" : print_diagnostics(result.error()); }

TEST(ReadTextFile, GivesTheBytesAsTheyAre) {
  const TemporaryFolder folder;
  const std::string bytes("a\0\xff\r\n\n", 6);
  EXPECT_EQ(read_text_file(folder.write("f", bytes), 100).value(), bytes);
  EXPECT_EQ(read_text_file(folder.write("empty", ""), 100).value(), "");
}

TEST(ReadTextFile, MayReachTheLimitAndNotOneByteMore) {
  const TemporaryFolder folder;
  EXPECT_TRUE(read_text_file(folder.write("f", "12345"), 5));
  EXPECT_NE(fault_of(read_text_file(folder.write("f", "123456"), 5)).find("the limit is 5"), std::string::npos);
}

TEST(ReadTextFile, NamesTheFileAndTheReason) {
  const TemporaryFolder folder;
  const std::string missing = folder.path("none.json");
  EXPECT_EQ(fault_of(read_text_file(missing, 9)), missing + ": error: cannot open: No such file or directory\n");
  EXPECT_EQ(fault_of(read_text_file(folder.path(), 9)), folder.path() + ": error: is a directory, not a file\n");
  EXPECT_NE(fault_of(read_text_file("", 9)), "");
}

TEST(ReadTextFile, AFileWithoutReadPermissionIsAFault) {
  if (::geteuid() == 0) GTEST_SKIP() << "root reads everything";
  const TemporaryFolder folder;
  const std::string path = folder.write("f", "x");
  ::chmod(path.c_str(), 0);
  EXPECT_NE(fault_of(read_text_file(path, 9)).find("Permission denied"), std::string::npos);
}

TEST(ReadTextFile, AnEndlessDeviceEndsAtTheLimit) {
  EXPECT_NE(fault_of(read_text_file("/dev/zero", 1 << 20)).find("the limit is 1048576"), std::string::npos);
}

TEST(ReadTextFile, APipeWithoutAWriterDoesNotHang) {
  const TemporaryFolder folder;
  ASSERT_EQ(::mkfifo(folder.path("pipe").c_str(), 0600), 0);
  EXPECT_EQ(read_text_file(folder.path("pipe"), 9).value(), "");
}

// As with <(command) in a shell: the writer is there but has not written yet.
TEST(ReadTextFile, WaitsForASlowWriter) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  std::thread writer([&] {
    ::usleep(50'000);
    EXPECT_EQ(::write(ends[1], "late", 4), 4);
    ::close(ends[1]);
  });
  EXPECT_EQ(read_text_file("/dev/fd/" + std::to_string(ends[0]), 9).value(), "late");
  writer.join();
  ::close(ends[0]);
}

TEST(WriteTextFile, ReplacesTheWholeFileAndLeavesNothingBeside) {
  const TemporaryFolder folder;
  const std::string path = folder.write("report.json", "a much longer text than the new one");
  ASSERT_TRUE(write_text_file(path, "new"));
  EXPECT_EQ(test::read_file(path), "new");
  EXPECT_EQ(folder.count_entries(), 1u);
}

TEST(WriteTextFile, MakesAFileThatIsNotThere) {
  const TemporaryFolder folder;
  const std::string text(3 << 20, 'x');
  ASSERT_TRUE(write_text_file(folder.path("new"), text));
  EXPECT_EQ(test::read_file(folder.path("new")), text);
}

TEST(WriteTextFile, AReadOnlyFolderLeavesTheFileAsItWas) {
  if (::geteuid() == 0) GTEST_SKIP() << "root writes everywhere";
  const TemporaryFolder folder;
  const std::string path = folder.write("report.json", "old");
  ::chmod(folder.path().c_str(), 0500);
  const Result<bool> written = write_text_file(path, "new");
  ASSERT_FALSE(written);
  EXPECT_NE(written.error()[0].message.find("Permission denied"), std::string::npos);
  EXPECT_EQ(written.error()[0].hint, "nothing was changed");
  EXPECT_EQ(test::read_file(path), "old");
  EXPECT_EQ(folder.count_entries(), 1u);
}

// A file size limit stops the write half-way, as a full disk does, and for root too.
TEST(WriteTextFile, AWriteThatStopsHalfWayLeavesTheFileAsItWas) {
  const TemporaryFolder folder;
  const std::string path = folder.write("report.json", "old");
  const auto previous = std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const rlimit small{64 << 10, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const Result<bool> written = write_text_file(path, std::string(1 << 20, 'x'));
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  std::signal(SIGXFSZ, previous);
  ASSERT_FALSE(written);
  EXPECT_NE(written.error()[0].message.find("cannot write"), std::string::npos);
  EXPECT_EQ(test::read_file(path), "old");
  EXPECT_EQ(folder.count_entries(), 1u);
}

TEST(WriteTextFile, AFolderThatIsNotThereIsAFault) {
  const TemporaryFolder folder;
  const Result<bool> written = write_text_file(folder.path("none/report.json"), "new");
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error()[0].place.file, folder.path("none/report.json"));
  EXPECT_EQ(folder.count_entries(), 0u);
}

TEST(WriteTextFile, ATargetThatIsAFolderStaysAFolder) {
  const TemporaryFolder folder;
  folder.write("sub/kept", "x");
  EXPECT_FALSE(write_text_file(folder.path("sub"), "new"));
  EXPECT_EQ(test::read_file(folder.path("sub/kept")), "x");
  EXPECT_EQ(folder.count_entries(), 1u);
}

TEST(WriteTextFile, AFullDiskIsAFault) {
  const Result<bool> written = write_text_file("/dev/full", "new");
  ASSERT_FALSE(written);
  EXPECT_NE(written.error()[0].message.find("No space left"), std::string::npos);
}

TEST(WriteTextFile, ADeviceIsWrittenIntoNotReplaced) {
  struct stat status {};
  ASSERT_TRUE(write_text_file("/dev/null", "new"));
  ASSERT_EQ(::stat("/dev/null", &status), 0);
  EXPECT_TRUE(S_ISCHR(status.st_mode));
}

TEST(ListJsonFiles, FindsThemSortedAndLeavesSchemasOut) {
  const TemporaryFolder folder;
  folder.write("b/2.json", "");
  folder.write("a.json", "");
  folder.write("b/1.json", "");
  folder.write("b/readme.md", "");
  folder.write("schemas/x.schema.json", "");
  const auto paths = list_json_files(folder.path());
  EXPECT_EQ(*paths,
            (std::vector<std::string>{folder.path("a.json"), folder.path("b/1.json"), folder.path("b/2.json")}));
  EXPECT_FALSE(list_json_files(folder.path("none")));
}

}  // namespace
}  // namespace oblea
