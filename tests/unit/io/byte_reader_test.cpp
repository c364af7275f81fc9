#include "io/byte_reader.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "support/temporary_folder.hpp"

namespace oblea {
namespace {

std::string take(ByteReader& reader, std::size_t count) {
  std::string bytes(count, '?');
  return reader.read(bytes.data(), count) ? bytes : "(none)";
}

TEST(ByteReader, ReadsBytesInMemoryInOrder) {
  ByteReader reader("abcdef", "memory");
  EXPECT_EQ(reader.size(), 6u);
  EXPECT_EQ(take(reader, 2), "ab");
  EXPECT_TRUE(reader.skip(1));
  EXPECT_EQ(reader.peek(2), "de");
  EXPECT_EQ(reader.offset(), 3u);
  EXPECT_EQ(take(reader, 3), "def");
  EXPECT_EQ(reader.remaining(), 0u);
}

TEST(ByteReader, TakesNothingWhereTooLittleRemains) {
  ByteReader reader("abc", "memory");
  EXPECT_EQ(take(reader, 4), "(none)");
  EXPECT_FALSE(reader.skip(4));
  EXPECT_EQ(reader.peek(10), "abc");
  EXPECT_EQ(take(reader, 3), "abc");
  EXPECT_EQ(take(reader, 0), "");
  EXPECT_EQ(take(reader, 1), "(none)");
}

TEST(ByteReader, ReadsAFileAcrossItsWindow) {
  test::TemporaryFolder folder;
  std::string text;
  for (int i = 0; text.size() < 300'000; ++i) text += std::to_string(i) + ",";
  Result<ByteReader> reader = ByteReader::open(folder.write("numbers", text));
  ASSERT_TRUE(reader);
  EXPECT_EQ(reader->size(), text.size());
  EXPECT_EQ(take(*reader, 65'530), text.substr(0, 65'530));
  EXPECT_EQ(take(*reader, 12), text.substr(65'530, 12));
  EXPECT_TRUE(reader->skip(100'000));
  EXPECT_EQ(take(*reader, 130'000), text.substr(165'542, 130'000));
}

TEST(ByteReader, MovesWithItsPlace) {
  test::TemporaryFolder folder;
  Result<ByteReader> opened = ByteReader::open(folder.write("a", "0123456789"));
  ASSERT_TRUE(opened);
  EXPECT_EQ(take(*opened, 3), "012");
  ByteReader moved = std::move(*opened);
  EXPECT_EQ(take(moved, 3), "345");
  ByteReader other("xyz", "memory");
  other = std::move(moved);
  EXPECT_EQ(take(other, 4), "6789");
}

TEST(ByteReader, RefusesWhatIsNoFile) {
  test::TemporaryFolder folder;
  const auto message = [](const std::string& path) {
    const Result<ByteReader> reader = ByteReader::open(path);
    return reader ? "opened" : reader.error().front().message;
  };
  EXPECT_NE(message(folder.path("absent")).find("cannot open: No such file"), std::string::npos);
  EXPECT_EQ(message(folder.path()), "is a directory, not a file");
  ASSERT_EQ(::mkfifo(folder.path("pipe").c_str(), 0600), 0);
  EXPECT_NE(message(folder.path("pipe")).find("no regular file"), std::string::npos);
}

TEST(ByteReader, SaysThatAFileBecameShorter) {
  test::TemporaryFolder folder;
  const std::string path = folder.write("a", std::string(200'000, 'a'));
  Result<ByteReader> reader = ByteReader::open(path);
  ASSERT_TRUE(reader);
  folder.write("a", "short");
  std::string bytes(100, '\0');
  ASSERT_TRUE(reader->skip(150'000));
  EXPECT_FALSE(reader->read(bytes.data(), bytes.size()));
  EXPECT_EQ(reader->trouble(), "the file became shorter while it was read");
}

}  // namespace
}  // namespace oblea
