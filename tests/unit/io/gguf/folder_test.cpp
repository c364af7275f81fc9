#include <fmt/core.h>
#include <gtest/gtest.h>

#include "io/gguf/model.hpp"
#include "support/gguf_models.hpp"
#include "support/temporary_folder.hpp"

namespace oblea {
namespace {

using test::GgufWriter;

std::string names(const std::vector<GgufSet>& sets, const std::string& folder) {
  std::string text;
  for (const GgufSet& set : sets) {
    text +=
        fmt::format("{} {} {} {:.0f}\n", set.path.substr(folder.size() + 1), set.label, set.shards, set.bytes.value());
  }
  return text;
}

TEST(GgufFolder, ListsModelsWithLabelShardsAndBytes) {
  test::TemporaryFolder folder;
  GgufWriter small = test::small_keys();
  small.number("general.file_type", 15);
  small.write(folder.path("b-Q4_K_M.gguf"));
  GgufWriter large = test::small_keys();
  large.number("general.file_type", 7);
  large.write(folder.path("b-Q8_0-00001-of-00002.gguf"));
  large.write(folder.path("b-Q8_0-00002-of-00002.gguf"));
  GgufWriter("clip").text("general.type", "mmproj").write(folder.path("mmproj-F16.gguf"));
  folder.write("a-broken.gguf", "no such thing");
  folder.write("config.json", "{}");
  folder.write("below/c.gguf", "GGUF");
  const Result<std::vector<GgufSet>> sets = list_gguf_models(folder.path());
  ASSERT_TRUE(sets);
  EXPECT_EQ(names(*sets, folder.path()), fmt::format("a-broken.gguf  1 13\nb-Q4_K_M.gguf Q4_K_M 1 {}\n"
                                                     "b-Q8_0-00001-of-00002.gguf Q8_0 2 {}\n",
                                                     small.bytes().size(), 2 * large.bytes().size()));
}

TEST(GgufFolder, ThatCannotBeListedIsAnError) {
  test::TemporaryFolder folder;
  const auto sets = list_gguf_models(folder.path("absent"));
  ASSERT_FALSE(sets);
  EXPECT_NE(sets.error().front().message.find("cannot list"), std::string::npos);
  EXPECT_TRUE(list_gguf_models(folder.path())->empty());
}

}  // namespace
}  // namespace oblea
