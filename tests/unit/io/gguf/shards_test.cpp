#include "io/gguf/shards.hpp"

#include <filesystem>

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/limits.hpp"
#include "io/gguf/model.hpp"
#include "support/gguf_models.hpp"
#include "support/temporary_folder.hpp"

namespace oblea {
namespace {

using test::block;
using test::GgufWriter;
using testing::HasSubstr;

std::string shard_name(int number, int count) { return fmt::format("m-{:05}-of-{:05}.gguf", number, count); }

GgufWriter& with_split(GgufWriter& w, std::uint32_t number, std::uint32_t count, std::uint32_t tensors) {
  return w.number("split.no", number).number("split.count", count).number("split.tensors.count", tensors);
}

// Three shards as gguf-split writes them: keys and ends in the first, a layer in each of the others. 20 tensors.
void write_set(const test::TemporaryFolder& folder) {
  GgufWriter first = test::small_keys();
  with_split(first, 0, 3, 20);
  test::add_ends(first);
  first.write(folder.path(shard_name(1, 3)));
  for (int i = 0; i < 2; ++i) {
    GgufWriter layer("llama");
    with_split(layer.remove("general.architecture"), static_cast<std::uint32_t>(i + 1), 3, 20);
    test::add_attention(layer, i, 64, 64, 64);
    test::add_mlp(layer, i, 64, 128);
    layer.write(folder.path(shard_name(i + 2, 3)));
  }
}

std::string faults_of(const std::string& path) {
  Diagnostics warnings;
  const auto headers = read_gguf_shards(path, warnings);
  return headers ? "read" : print_diagnostics(headers.error());
}

TEST(GgufShards, KnowTheirNames) {
  const std::optional<ShardName> name = parse_shard_name("/models/x-00002-of-00005.gguf");
  ASSERT_TRUE(name);
  EXPECT_EQ(name->stem, "/models/x");
  EXPECT_EQ(name->number, 2);
  EXPECT_EQ(name->count, 5);
  EXPECT_EQ(name->path(5), "/models/x-00005-of-00005.gguf");
  for (const char* other : {"x.gguf", "x-00002-of-00005.bin", "x-0002-of-00005.gguf", "x-00006-of-00005.gguf",
                            "x-00000-of-00005.gguf", "x-0000a-of-00005.gguf", "x-00002-of-0000-.gguf",
                            "-00001-of-00001.gguf", "x-+0001-of-00005.gguf", ".gguf", ""}) {
    EXPECT_FALSE(parse_shard_name(other)) << other;
  }
}

TEST(GgufShards, AreReadFromAnyOfThem) {
  test::TemporaryFolder folder;
  write_set(folder);
  for (int i = 1; i <= 3; ++i) {
    Diagnostics warnings;
    const Result<ModelSpec> model = read_gguf_model(folder.path(shard_name(i, 3)), {}, warnings);
    ASSERT_TRUE(model) << print_diagnostics(model.error());
    EXPECT_EQ(print_diagnostics(warnings), "");
    EXPECT_EQ(model->id, "m");
    EXPECT_EQ(model->layers.size(), 2u);
    EXPECT_EQ(model->layers[1].mlp.intermediate, 128);
    EXPECT_THAT(model->source, HasSubstr("and 2 more shards"));
    EXPECT_EQ(model->stored->total().value(), (64 * 100 + 2 * (4 * 64 * 64 + 3 * 64 * 128)) * 2 + (1 + 2 * 2) * 64 * 4);
  }
}

TEST(GgufShards, ThatAreMissingAreNamed) {
  test::TemporaryFolder folder;
  write_set(folder);
  std::filesystem::remove(folder.path(shard_name(1, 3)));
  std::filesystem::remove(folder.path(shard_name(3, 3)));
  const std::string faults = faults_of(folder.path(shard_name(2, 3)));
  EXPECT_THAT(faults, HasSubstr(shard_name(1, 3) + ": error: missing: shard 1 of 3"));
  EXPECT_THAT(faults, HasSubstr(shard_name(3, 3) + ": error: missing: shard 3 of 3"));
}

TEST(GgufShards, WhoseKeysDisagreeWithTheirNamesAreRefused) {
  test::TemporaryFolder folder;
  write_set(folder);
  const std::string second = folder.path(shard_name(2, 3));
  GgufWriter wrong("llama");
  with_split(wrong, 1, 4, 20).write(second);
  EXPECT_THAT(faults_of(second), HasSubstr("split.count is 4, but the file's name says one of 3"));
  EXPECT_THAT(faults_of(folder.path(shard_name(1, 3))), HasSubstr("split.count is 4")) << "from any shard";
  GgufWriter swapped("llama");
  with_split(swapped, 2, 3, 20).write(second);
  EXPECT_THAT(faults_of(second), HasSubstr("split.no is 2, but the file's name makes it 1"));
  EXPECT_THAT(faults_of(second), HasSubstr("at byte "));
}

TEST(GgufShards, WhoseTensorsDoNotAddUpAreRefused) {
  test::TemporaryFolder folder;
  write_set(folder);
  GgufWriter less("llama");
  with_split(less, 2, 3, 20);
  test::add_attention(less, 1, 64, 64, 64);
  less.write(folder.path(shard_name(3, 3)));
  EXPECT_THAT(faults_of(folder.path(shard_name(3, 3))),
              HasSubstr("split.tensors.count is 20, but the 3 shards hold 16 tensors"));
  std::filesystem::copy_file(folder.path(shard_name(2, 3)), folder.path(shard_name(3, 3)),
                             std::filesystem::copy_options::overwrite_existing);
  EXPECT_THAT(faults_of(folder.path(shard_name(1, 3))), HasSubstr("split.no is 1"));
}

TEST(GgufShards, ThatHoldATensorTwiceAreRefused) {
  test::TemporaryFolder folder;
  for (int i = 1; i <= 2; ++i) {
    GgufWriter w("llama");
    w.number("split.no", static_cast<std::uint32_t>(i - 1)).number("split.count", 2).tensor("t", {64});
    w.write(folder.path(shard_name(i, 2)));
  }
  EXPECT_THAT(faults_of(folder.path(shard_name(1, 2))), HasSubstr("the tensor \"t\" stands in an earlier shard too"));
}

TEST(GgufShards, UnderANameThatIsNoneAreRefusedWithTheNameTheyNeed) {
  test::TemporaryFolder folder;
  GgufWriter w("llama");
  with_split(w, 1, 3, 20);
  EXPECT_THAT(faults_of(w.write(folder.path("renamed.gguf"))), HasSubstr("rename it to NAME-00002-of-00003.gguf"));
  GgufWriter whole("llama");
  with_split(whole, 0, 1, 0);
  EXPECT_EQ(faults_of(whole.write(folder.path("whole.gguf"))), "read");
}

TEST(GgufShards, AreAtMost256) {
  test::TemporaryFolder folder;
  const auto write = [&](int count) {
    for (int i = 1; i <= count; ++i) GgufWriter("llama").write(folder.path(shard_name(i, count)));
    return faults_of(folder.path(shard_name(count, count)));
  };
  EXPECT_EQ(write(static_cast<int>(kMaxGgufShards)), "read");
  EXPECT_THAT(write(static_cast<int>(kMaxGgufShards) + 1), HasSubstr("a set of 257 files; the limit is 256"));
}

}  // namespace
}  // namespace oblea
