#include "base/suggest.hpp"

#include <gtest/gtest.h>

namespace oblea {
namespace {

TEST(EditDistance, CountsInsertionsDeletionsAndReplacements) {
  EXPECT_EQ(edit_distance("", ""), 0);
  EXPECT_EQ(edit_distance("", "abc"), 3);
  EXPECT_EQ(edit_distance("abc", ""), 3);
  EXPECT_EQ(edit_distance("budget", "budget"), 0);
  EXPECT_EQ(edit_distance("budge", "budget"), 1);
  EXPECT_EQ(edit_distance("buddget", "budget"), 1);
  // The textbook pair: replace k by s, e by i, add g.
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3);
}

TEST(EditDistance, ASwapOfNeighboursIsOneEdit) {
  EXPECT_EQ(edit_distance("bugdet", "budget"), 1);
  EXPECT_EQ(edit_distance("ab", "ba"), 1);
  // Restricted: no edit between the letters of a swap, so "ca" to "abc" takes 3, not 2.
  EXPECT_EQ(edit_distance("ca", "abc"), 3);
}

TEST(EditDistance, IsTheSameBothWays) {
  const std::vector<std::string> words = {"users", "user", "context", "contxet", "psu", "nic_ports", ""};
  for (const std::string& a : words) {
    for (const std::string& b : words) EXPECT_EQ(edit_distance(a, b), edit_distance(b, a)) << a << " " << b;
  }
}

TEST(Suggest, FindsTheWordThatIsOneSwapAway) {
  EXPECT_EQ(suggest("bugdet", {"context", "budget", "users"}), "did you mean \"budget\"?");
}

TEST(Suggest, TakesTheNearestAndOfEqualsTheFirst) {
  EXPECT_EQ(nearest_word("rtx-309", {"rtx-3060", "rtx-3090", "rtx-4090"}), "rtx-3090");
  EXPECT_EQ(nearest_word("cat", {"bat", "hat"}), "bat");
}

TEST(Suggest, AcceptsAThirdOfTheLettersAndNoMore) {
  EXPECT_EQ(nearest_word("abcdef", {"abcdxy"}), "abcdxy");      // 2 of 6
  EXPECT_EQ(nearest_word("abcdef", {"abcxyz"}), std::nullopt);  // 3 of 6
  EXPECT_EQ(nearest_word("ab", {"ac"}), "ac");                  // one edit always
  EXPECT_EQ(nearest_word("", {"a"}), std::nullopt);
}

TEST(Suggest, ListsWhatIsKnownWhenNothingIsNear) {
  EXPECT_EQ(suggest("colour", {"id", "kind"}), "known: id, kind");
  EXPECT_EQ(suggest("colour", {}), "");
}

TEST(Suggest, CutsALongListAtEight) {
  std::vector<std::string> words;
  for (int i = 0; i < 12; ++i) words.push_back("word" + std::to_string(i));
  const std::string text = suggest("x", words);
  EXPECT_NE(text.find("word7, ... (12 in all)"), std::string::npos) << text;
  EXPECT_EQ(text.find("word8"), std::string::npos) << text;
}

TEST(Suggest, LooksAtNoWordsOfAMegabyte) {
  const std::string huge(1 << 20, 'a');
  EXPECT_EQ(nearest_word(huge, {huge}), std::nullopt);
  EXPECT_EQ(nearest_word("abc", {huge}), std::nullopt);
}

}  // namespace
}  // namespace oblea
