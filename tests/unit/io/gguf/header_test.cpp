#include "io/gguf/header.hpp"

#include <chrono>

#include <fmt/core.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "base/limits.hpp"
#include "support/allocations.hpp"
#include "support/gguf_writer.hpp"
#include "support/temporary_folder.hpp"

namespace oblea {
namespace {

using test::gguf_start;
using test::gguf_text;
using test::GgufWriter;
using test::u32;
using test::u64;

constexpr std::size_t kMiB = 1 << 20;

Result<GgufHeader> parse(const std::string& bytes, Diagnostics* warnings = nullptr) {
  ByteReader reader(bytes, "t.gguf");
  Diagnostics ignored;
  return parse_gguf_header(reader, warnings != nullptr ? *warnings : ignored);
}

std::string refusal(const std::string& bytes) {
  const Result<GgufHeader> header = parse(bytes);
  return header ? "read" : print_diagnostics(header.error());
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// A key by hand.
std::string key(const std::string& name, std::uint32_t type, const std::string& value) {
  return gguf_text(name) + u32(type) + value;
}

// A tensor's entry by hand.
std::string tensor(const std::string& name, const std::vector<std::uint64_t>& dims, std::uint32_t type = test::kF32,
                   std::uint64_t offset = 0) {
  std::string bytes = gguf_text(name) + u32(static_cast<std::uint32_t>(dims.size()));
  for (const std::uint64_t dim : dims) bytes += u64(dim);
  return bytes + u32(type) + u64(offset);
}

// ---- what is read ----

TEST(GgufHeader, HoldsKeysAndTensorsAsTheFileHasThem) {
  GgufWriter writer("llama");
  writer.number(".block_count", 2).text("general.name", "A \"name\"\x1b[2J").truth("t", true);
  writer.numbers("n", {3, -1, 7}).truths("b", {true, false}).texts("words", 3, "abc");
  writer.tensor("token_embd.weight", {64, 100}, test::kQ8_0).tensor("output_norm.weight", {64}, test::kF32);
  const Result<GgufHeader> header = parse(writer.bytes());
  ASSERT_TRUE(header) << print_diagnostics(header.error());
  EXPECT_EQ(header->version, 3u);
  EXPECT_EQ(header->alignment, 32u);
  EXPECT_EQ(header->keys.size(), 7u);
  EXPECT_EQ(header->file_size, writer.bytes().size());
  EXPECT_EQ(header->data_offset, writer.header().size());
  EXPECT_EQ(header->missing_bytes, 0u);
  EXPECT_EQ(std::get<double>(header->find("llama.block_count")->value), 2);
  EXPECT_EQ(std::get<std::string>(header->find("general.name")->value), "A \"name\"\x1b[2J");
  EXPECT_EQ(std::get<bool>(header->find("t")->value), true);
  EXPECT_EQ(std::get<GgufArray>(header->find("n")->value).numbers, (std::vector<double>{3, -1, 7}));
  EXPECT_EQ(std::get<GgufArray>(header->find("b")->value).numbers, (std::vector<double>{1, 0}));
  EXPECT_EQ(std::get<GgufArray>(header->find("words")->value).count, 3u);
  EXPECT_EQ(header->find("block_count"), nullptr);
  ASSERT_EQ(header->tensors.size(), 2u);
  EXPECT_EQ(header->tensors[0].bytes, 64u * 100 / 32 * 34);
  EXPECT_EQ(header->tensors[0].dims, (std::array<std::int64_t, 4>{64, 100, 1, 1}));
  EXPECT_EQ(header->tensors[1].offset, 6816u);  // 6,800 rounded up to 32
}

TEST(GgufHeader, CountsTensorsAndBytesByType) {
  GgufWriter writer("llama");
  writer.tensor("a", {256, 4}, test::kQ4_K).tensor("b", {256, 4}, test::kF32).tensor("c", {256}, test::kF32);
  const Result<GgufHeader> header = parse(writer.bytes());
  ASSERT_TRUE(header);
  const std::vector<GgufTypeCount> counts = count_types(*header);
  ASSERT_EQ(counts.size(), 2u);
  EXPECT_EQ(fmt::format("{} {} {}", counts[0].name, counts[0].tensors, counts[0].bytes), "F32 2 5120");
  EXPECT_EQ(fmt::format("{} {} {}", counts[1].name, counts[1].tensors, counts[1].bytes), "Q4_K 1 576");
}

TEST(GgufHeader, EveryTypeOfNumberIsRead) {
  std::string keys;
  keys += key("u8", test::kU8, "\xff") + key("i8", test::kI8, "\xff");
  keys += key("u16", test::kU16, "\xff\xff") + key("i16", test::kI16, "\xff\xff");
  keys += key("u32", test::kU32, "\xff\xff\xff\xff") + key("i32", test::kI32, "\xff\xff\xff\xff");
  keys += key("u64", test::kU64, u64(1ull << 40)) + key("i64", test::kI64, u64(~0ull));
  keys += key("f32", test::kF32Value, std::string("\0\0\x20\x40", 4));
  keys += key("f64", test::kF64, std::string("\0\0\0\0\0\0\x04\x40", 8));
  const Result<GgufHeader> header = parse(gguf_start(0, 10) + keys);
  ASSERT_TRUE(header) << print_diagnostics(header.error());
  const std::pair<const char*, double> expected[] = {
      {"u8", 255}, {"i8", -1},   {"u16", 65535}, {"i16", -1}, {"u32", 4294967295}, {"i32", -1}, {"u64", 1099511627776},
      {"i64", -1}, {"f32", 2.5}, {"f64", 2.5}};
  for (const auto& [name, value] : expected) EXPECT_EQ(std::get<double>(header->find(name)->value), value) << name;
}

TEST(GgufHeader, VersionTwoIsReadLikeThree) {
  EXPECT_TRUE(parse(GgufWriter("llama", 2).number(".block_count", 1).bytes()));
}

TEST(GgufHeader, AScalarTensorHasNoDimensions) {
  const Result<GgufHeader> header = parse(gguf_start(1, 0) + tensor("scale", {}) + std::string(64, '\0'));
  ASSERT_TRUE(header);
  EXPECT_EQ(header->tensors[0].bytes, 4u);
}

// ---- what is refused: the byte and the reason ----

struct Bad {
  const char* name;
  std::string bytes;
  std::vector<std::string> words;  // in the message
};

std::vector<Bad> bad_files() {
  const std::string huge(8, '\xff');
  const std::string alignment = "general.alignment";
  const auto with_alignment = [&](std::uint32_t value) {
    return gguf_start(0, 1) + key(alignment, test::kU32, u32(value));
  };
  const std::string nested = u32(test::kArray) + u64(1) + u32(test::kU8) + u64(1) + "x";
  return {
      {"empty file", "", {"at byte 0", "the file is empty"}},
      {"magic only", "GGUF", {"at byte 4", "ends inside the version"}},
      {"half a magic", "GG", {"at byte 0", "ends inside the four letters"}},
      {"no key count", "GGUF" + u32(3) + u64(0), {"at byte 16", "ends inside the number of keys"}},
      {"version 1", gguf_start(0, 0, 1), {"at byte 4", "version 1"}},
      {"version 4", gguf_start(0, 0, 4), {"at byte 4", "version 4"}},
      {"big-endian", gguf_start(0, 0, 0x03000000), {"at byte 4", "big-endian", "version 3"}},
      {"safetensors", u64(80) + "{\"a\":{\"dtype\"", {"at byte 0", "safetensors"}},
      {"JSON", "{\"hidden_size\": 1}", {"at byte 0", "JSON"}},
      {"HTML", "<!DOCTYPE html><html>", {"at byte 0", "HTML"}},
      {"git-lfs", "version https://git-lfs.github.com/spec/v1\noid sha256:", {"at byte 0", "git lfs pull"}},
      {"zeros", std::string(4096, '\0'), {"at byte 0", "zeros"}},
      {"GGJT", "tjgg" + u32(3), {"at byte 0", "GGJT"}},
      {"ZIP", "PK\x03\x04 archive/data.pkl", {"at byte 0", "PyTorch"}},
      {"noise", "\x01\x02\x03\x04\x05", {"at byte 0", "01 02 03 04"}},
      {"keys beyond the file",
       gguf_start(0, 10'000),
       {"at byte 16", "the number of keys is 10000", "0 bytes are left"}},
      {"keys beyond 64 bits", gguf_start(0, ~0ull), {"at byte 16", "the limit is 131072"}},
      {"tensors beyond the file", gguf_start(10'000, 0), {"at byte 8", "the number of tensors is 10000"}},
      {"key length 2^48 - 1", gguf_start(0, 1) + u64((1ull << 48) - 1), {"at byte 24", "281474976710655 bytes"}},
      {"key length 2^64 - 1", gguf_start(0, 1) + huge, {"at byte 24", "18446744073709551615 bytes"}},
      {"empty key", gguf_start(0, 1) + key("", test::kU32, u32(1)), {"at byte 24", "empty name"}},
      {"unknown value type", gguf_start(0, 1) + key("x", 13, u32(1)), {"at byte 33", "is 13"}},
      {"text of 1 GiB",
       gguf_start(0, 1) + gguf_text("n") + u32(test::kText) + u64(1 << 30) + "abc",
       {"at byte 37", "1073741824 bytes", "only 3 are left"}},
      {"truth of 2", gguf_start(0, 1) + key("t", test::kBool, "\x02"), {"at byte 37", "truth value is 2"}},
      {"array of type 99", gguf_start(0, 1) + key("x", test::kArray, u32(99) + u64(3)), {"at byte 37", "is 99"}},
      {"array beyond the file",
       gguf_start(0, 1) + key("x", test::kArray, u32(test::kU32) + u64(5) + u32(1)),
       {"at byte 41", "5 elements", "only 4 bytes are left"}},
      {"array of 2^61 numbers",
       gguf_start(0, 1) + key("x", test::kArray, u32(test::kU64) + u64(1ull << 61)),
       {"at byte 41", "2305843009213693952 elements"}},
      {"array of texts beyond the file",
       gguf_start(0, 1) + key("x", test::kArray, u32(test::kText) + u64(1) + huge),
       {"at byte 49", "a text of an array"}},
      {"array of arrays", gguf_start(0, 1) + key("x", test::kArray, nested), {"at byte 37", "array of arrays"}},
      {"alignment 0", with_alignment(0), {"at byte 49", "general.alignment is 0"}},
      {"alignment 4", with_alignment(4), {"at byte 49", "general.alignment is 4"}},
      {"alignment 48", with_alignment(48), {"at byte 49", "general.alignment is 48"}},
      {"alignment 2^30", with_alignment(1u << 30), {"at byte 49", "general.alignment is 1073741824"}},
      {"alignment as text", gguf_start(0, 1) + key(alignment, test::kText, gguf_text("32")), {"is no number"}},
      {"key twice",
       gguf_start(0, 2) + key("a", test::kU8, "1") + key("a", test::kU8, "2"),
       {"at byte 47", "\"a\" stands in the header twice"}},
      {"dimensions 2^32 - 1",
       gguf_start(1, 0) + gguf_text("t") + u32(0xFFFFFFFF) + std::string(32, '\0'),
       {"at byte 33", "4294967295 dimensions"}},
      {"five dimensions", gguf_start(1, 0) + tensor("t", {1, 1, 1, 1, 1}), {"at byte 33", "5 dimensions"}},
      {"dimension 0", gguf_start(1, 0) + tensor("t", {0, 2048}), {"at byte 37", "dimension of 0"}},
      {"dimension 2^63", gguf_start(1, 0) + tensor("t", {1ull << 63}), {"at byte 37", "a dimension of -"}},
      {"dimensions beyond 64 bits",
       gguf_start(1, 0) + tensor("t", {1ull << 40, 1ull << 40}),
       {"at byte 45", "more weights than 64 bits"}},
      {"dimensions 1152 x 2^42 + 1",
       gguf_start(1, 0) + tensor("t", {1152, (1ull << 42) + 1}) + std::string(64, '\0'),
       {"at byte 24", "5066549580792960 weights"}},
      {"empty tensor name", gguf_start(1, 0) + tensor("", {1}), {"at byte 24", "empty name"}},
      {"tensor twice",
       gguf_start(2, 0) + tensor("t", {8}) + tensor("t", {8}, test::kF32, 32) + std::string(128, '\0'),
       {"at byte 57", "\"t\" stands in the header twice"}},
      {"half a block",
       gguf_start(1, 0) + tensor("t", {100}, test::kQ4_K) + std::string(256, '\0'),
       {"at byte 24", "rows of 100 weights", "Q4_K"}},
      {"off the alignment",
       gguf_start(1, 0) + tensor("t", {8}, test::kF32, 8) + std::string(256, '\0'),
       {"at byte 24", "no multiple of the alignment 32"}},
      {"overlap",
       gguf_start(2, 0) + tensor("t", {64}) + tensor("u", {64}, test::kF32, 128) + std::string(999, '\0'),
       {"at byte 57", "tensor \"u\"", "inside the one before it"}},
      {"alone beyond the end",
       gguf_start(1, 0) + tensor("t", {8}, test::kF32, 1ull << 40) + std::string(64, '\0'),
       {"at byte 24", "starts at 1099511627776", "the file holds"}},
      {"offset near 2^64",
       gguf_start(1, 0) + tensor("t", {8}, test::kF32, ~0ull - 31) + std::string(64, '\0'),
       {"at byte 24", "starts at 18446744073709551584"}},
      {"unknown type at the end", gguf_start(1, 0) + tensor("t", {8}, 99), {"at byte 24", "unknown type 99"}},
  };
}

TEST(BrokenGguf, IsRefusedWithTheByteAndTheReason) {
  for (const Bad& bad : bad_files()) {
    const std::string message = refusal(bad.bytes);
    EXPECT_EQ(message.find("t.gguf: error: at byte "), 0u) << bad.name << ": " << message;
    for (const std::string& word : bad.words)
      EXPECT_NE(message.find(word), std::string::npos) << bad.name << ": " << message;
  }
}

TEST(BrokenGguf, IsRefusedSoonAndInLittleMemory) {
  test::TemporaryFolder folder;
  for (const Bad& bad : bad_files()) {
    const std::string path = folder.write("bad.gguf", bad.bytes);
    Diagnostics warnings;
    const auto start = std::chrono::steady_clock::now();
    std::size_t peak = 0;
    {
      const test::AllocationWatch watch;
      EXPECT_FALSE(read_gguf_header(path, warnings)) << bad.name;
      peak = watch.peak();
    }
    EXPECT_LT(seconds_since(start), 0.05) << bad.name;
    EXPECT_LE(peak, bad.bytes.size() + kMiB) << bad.name;
    EXPECT_GT(peak, 0u) << "the watch counts nothing";
  }
}

TEST(BrokenGguf, ShowsItsNamesShort) {
  const std::string name(30'000, 'n');
  const std::string message = refusal(gguf_start(0, 2) + key(name, test::kU8, "1") + key(name, test::kU8, "1"));
  EXPECT_NE(message.find("stands in the header twice"), std::string::npos) << message;
  EXPECT_LT(message.size(), 200u);
}

// ---- limits ----

std::string with_key_of(std::size_t bytes) { return gguf_start(0, 1) + key(std::string(bytes, 'k'), test::kU8, "1"); }

TEST(GgufLimits, AKeyHasAtMost65535Bytes) {
  EXPECT_EQ(refusal(with_key_of(kMaxGgufKeyBytes)), "read");
  EXPECT_NE(refusal(with_key_of(kMaxGgufKeyBytes + 1)).find("the limit is 65535"), std::string::npos);
}

std::string with_tensor_name_of(std::size_t bytes) {
  return gguf_start(1, 0) + tensor(std::string(bytes, 't'), {1}) + std::string(64, '\0');
}

TEST(GgufLimits, ATensorsNameHasAtMost1024Bytes) {
  EXPECT_EQ(refusal(with_tensor_name_of(kMaxGgufTensorNameBytes)), "read");
  EXPECT_NE(refusal(with_tensor_name_of(kMaxGgufTensorNameBytes + 1)).find("the limit is 1024"), std::string::npos);
}

std::string with_keys(std::size_t count) {
  std::string bytes = gguf_start(0, count);
  for (std::size_t i = 0; i < count; ++i) bytes += key("k" + std::to_string(i), test::kU8, "1");
  return bytes;
}

TEST(GgufLimits, AHeaderHasAtMost131072Keys) {
  EXPECT_EQ(refusal(with_keys(kMaxGgufKeys)), "read");
  EXPECT_NE(refusal(with_keys(kMaxGgufKeys + 1)).find("at byte 16: the number of keys is 131073"), std::string::npos);
}

std::string with_tensors(std::size_t count) {
  std::string bytes = gguf_start(count, 0);
  for (std::size_t i = 0; i < count; ++i) bytes += tensor("t" + std::to_string(i), {8}, test::kF32, i * 32);
  return bytes + std::string((count + 1) * 32, '\0');
}

TEST(GgufLimits, AHeaderHasAtMost131072Tensors) {
  EXPECT_EQ(refusal(with_tensors(kMaxGgufTensors)), "read");
  EXPECT_NE(refusal(with_tensors(kMaxGgufTensors + 1)).find("at byte 8: the number of tensors is 131073"),
            std::string::npos);
}

TEST(GgufLimits, ATensorHasAtMostSixteenTebibytes) {
  const std::uint64_t most = kMaxGgufTensorBytes / 4;  // F32
  EXPECT_EQ(refusal(gguf_start(1, 0) + tensor("t", {most})), "read");
  EXPECT_NE(refusal(gguf_start(1, 0) + tensor("t", {most + 1})).find("the limit is 17592186044416"), std::string::npos);
}

TEST(GgufLimits, ATextIsKeptUpTo4096Bytes) {
  for (const std::size_t length : {kMaxGgufKeptText, kMaxGgufKeptText + 1}) {
    const Result<GgufHeader> header = parse(
        gguf_start(0, 2) + key("a", test::kText, gguf_text(std::string(length, 'x'))) + key("b", test::kU8, "\x07"));
    ASSERT_TRUE(header);
    EXPECT_EQ(std::get<std::string>(header->find("a")->value).size(), kMaxGgufKeptText);
    EXPECT_EQ(std::get<double>(header->find("b")->value), 7);
  }
}

TEST(GgufLimits, AnArrayIsKeptUpTo4096Elements) {
  for (const std::size_t length : {kMaxGgufKeptArray, kMaxGgufKeptArray + 1}) {
    GgufWriter writer("llama");
    writer.numbers("a", std::vector<std::int32_t>(length, 5)).number("b", 7);
    const Result<GgufHeader> header = parse(writer.bytes());
    ASSERT_TRUE(header);
    const GgufArray& array = std::get<GgufArray>(header->find("a")->value);
    EXPECT_EQ(array.count, length);
    EXPECT_EQ(array.kept, length == kMaxGgufKeptArray);
    EXPECT_EQ(array.numbers.size(), array.kept ? length : 0);
    EXPECT_EQ(std::get<double>(header->find("b")->value), 7);
  }
}

TEST(GgufLimits, AlignmentGoesFrom8To65536) {
  for (const std::uint32_t alignment : {8u, 64u, kMaxGgufAlignment}) {
    const std::string bytes = gguf_start(0, 1) + key("general.alignment", test::kU32, u32(alignment));
    const Result<GgufHeader> header = parse(bytes);
    ASSERT_TRUE(header) << alignment;
    EXPECT_EQ(header->alignment, alignment);
    EXPECT_EQ(header->data_offset % alignment, 0u);
  }
  for (const std::uint32_t alignment : {4u, 2 * kMaxGgufAlignment}) {
    EXPECT_NE(refusal(gguf_start(0, 1) + key("general.alignment", test::kU32, u32(alignment))), "read") << alignment;
  }
}

// ---- time and memory of what is large ----

TEST(LargeGguf, OfManyKeysAndTensorsIsReadInAFractionOfASecond) {
  constexpr std::size_t kCount = 65'536;
  GgufWriter writer("llama");
  std::string bytes = gguf_start(kCount, kCount);
  for (std::size_t i = 0; i < kCount; ++i) bytes += key(fmt::format("llama.key_{}", i), test::kU32, u32(7));
  for (std::size_t i = 0; i < kCount; ++i) bytes += tensor(fmt::format("blk.{}.weight", i), {8}, test::kF32, i * 32);
  bytes.resize(bytes.size() + 32 * (kCount + 1), '\0');
  test::TemporaryFolder folder;
  const std::string path = folder.write("many.gguf", bytes);
  Diagnostics warnings;
  const auto start = std::chrono::steady_clock::now();
  const test::AllocationWatch watch;
  const Result<GgufHeader> header = read_gguf_header(path, warnings);
  EXPECT_LT(seconds_since(start), 1.0);
  ASSERT_TRUE(header);
  EXPECT_EQ(header->keys.size() + header->tensors.size(), 2 * kCount);
  EXPECT_LE(watch.largest(), kMiB);
}

TEST(LargeGguf, OfALargeVocabularyIsReadInAFractionOfASecond) {
  constexpr std::size_t kTokens = 300'000;
  GgufWriter writer("llama");
  writer.texts("tokenizer.ggml.tokens", kTokens, "a token").texts("tokenizer.ggml.merges", kTokens, "a tok en");
  writer.numbers("tokenizer.ggml.token_type", std::vector<std::int32_t>(kTokens, 1)).number("last", 7);
  test::TemporaryFolder folder;
  const std::string path = writer.write(folder.path("v.gguf"));
  Diagnostics warnings;
  const auto start = std::chrono::steady_clock::now();
  const test::AllocationWatch watch;
  const Result<GgufHeader> header = read_gguf_header(path, warnings);
  EXPECT_LT(seconds_since(start), 0.5);
  ASSERT_TRUE(header);
  EXPECT_EQ(std::get<GgufArray>(header->find("tokenizer.ggml.tokens")->value).count, kTokens);
  EXPECT_EQ(std::get<double>(header->find("last")->value), 7);
  EXPECT_LE(watch.peak(), kMiB / 4);
}

TEST(LargeGguf, Of400GigabytesIsReadByItsHeaderAlone) {
  GgufWriter writer("llama");
  for (int i = 0; i < 61; ++i)
    writer.tensor(fmt::format("blk.{}.ffn_up_exps.weight", i), {7168, 2048, 256}, test::kQ8_0);
  for (int i = 0; i < 40; ++i)
    writer.tensor(fmt::format("blk.{}.ffn_down_exps.weight", i), {2048, 7168, 256}, test::kQ8_0);
  ASSERT_GT(writer.data_bytes(), 400'000'000'000u);
  test::TemporaryFolder folder;
  const std::string path = writer.write(folder.path("large.gguf"));  // a hole: it takes no room on the disk
  Diagnostics warnings;
  const auto start = std::chrono::steady_clock::now();
  const test::AllocationWatch watch;
  const Result<GgufHeader> header = read_gguf_header(path, warnings);
  EXPECT_LT(seconds_since(start), 0.05);
  ASSERT_TRUE(header);
  EXPECT_EQ(header->missing_bytes, 0u);
  EXPECT_LE(watch.peak(), kMiB / 4);
}

}  // namespace
}  // namespace oblea
