#include "study/size_search.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "support/repository.hpp"
#include "unit/placement/footprints.hpp"

namespace oblea {
namespace {

// Candidates that are only their merits; mixture 0 has eight bits, mixture 1 four.
struct Shelf {
  Shelf() {
    const ModelFootprint model = test::dense_model(1, 1e9);
    const LayerLoads loads(model, {});
    parts.mixtures = {{find_mixture("Q8_0"), model, loads, loads, loads},
                      {find_mixture("Q4_K_M"), model, loads, loads, loads}};
  }
  BuildCandidate candidate(double price, double speed, double watts, std::size_t mixture = 1) const {
    BuildCandidate c;
    c.price = price;
    c.speed.per_user = {TokensPerSecond(speed * 2), TokensPerSecond(speed), TokensPerSecond(speed * 3)};
    c.wall_decode = watts;
    c.mixture = mixture;
    return c;
  }
  std::vector<double> front_prices(std::vector<BuildCandidate> candidates) const {
    std::vector<double> prices;
    for (const BuildCandidate& c : pareto_front(std::move(candidates), parts)) prices.push_back(c.price);
    return prices;
  }
  SizeParts parts;
};

TEST(ParetoFront, WhatIsBeatenOnEverythingIsLeftOut) {
  const Shelf shelf;
  EXPECT_EQ(shelf.front_prices({shelf.candidate(1000, 10, 300), shelf.candidate(1100, 9, 310)}),
            (std::vector<double>{1000}));
}

TEST(ParetoFront, OneMeritIsEnoughToStay) {
  const Shelf shelf;
  EXPECT_EQ(
      shelf.front_prices({shelf.candidate(1000, 10, 300), shelf.candidate(900, 5, 400), shelf.candidate(2000, 11, 500),
                          shelf.candidate(3000, 1, 100), shelf.candidate(4000, 1, 900, 0)}),
      (std::vector<double>{1000, 900, 2000, 3000, 4000}));
}

TEST(ParetoFront, EqualsDoNotBeatEachOther) {
  const Shelf shelf;
  EXPECT_EQ(shelf.front_prices({shelf.candidate(1000, 10, 300), shelf.candidate(1000, 10, 300)}).size(), 2u);
}

TEST(ParetoFront, OfNothingIsNothing) { EXPECT_TRUE(Shelf().front_prices({}).empty()); }

// A wide band does not win on hope.
TEST(SureSpeed, IsTheLowEndOfTheBand) { EXPECT_DOUBLE_EQ(sure_speed(Shelf().candidate(1, 10, 1)), 10); }

struct Searched {
  explicit Searched(std::vector<ScenarioSetting> settings) : scenario(test::scenario_of(settings)) {
    parts = collect_parts(scenario, test::repository_library());
    outcome = search_builds(scenario, test::repository_library(), parts, test::repository_timing());
  }
  // Of so many of the device in one box.
  const SetOutcome& of(int count) const {
    for (std::size_t i = 0; i < parts.sets.size(); ++i) {
      if (parts.sets[i].per_box == count && parts.sets[i].boxes == 1) return outcome.sets[i];
    }
    throw std::runtime_error("no such set");
  }
  Scenario scenario;
  SizeParts parts;
  SizeOutcome outcome;
};

std::vector<ScenarioSetting> question(const char* budget) {
  return {{"model.id", "llama-3.3-70b", "test"},       {"size.quantisations", R"(["Q4_K_M"])", "test"},
          {"size.devices", R"(["rtx-3090"])", "test"}, {"size.nodes_max", "1", "test"},
          {"size.allow_offload", "false", "test"},     {"size.budget", budget, "test"}};
}

// 39.6 GiB: one card has 23.2, two have 46.4.
TEST(SizeSearch, TellsWhatBecameOfEachSet) {
  const Searched s(question("4000 EUR"));
  EXPECT_FALSE(s.of(1).fits_in_memory);
  EXPECT_NE(s.of(1).why_not.find("39.6 GiB of weights against 23.2 GiB usable"), std::string::npos) << s.of(1).why_not;
  EXPECT_TRUE(s.of(2).fits_in_memory);
  EXPECT_TRUE(s.of(2).offered);
  EXPECT_EQ(s.of(8).why_not, "the cards alone exceed the budget");
  EXPECT_GT(s.outcome.evaluated, 0u);
}

TEST(SizeSearch, EveryCandidateIsWithinTheBudgetAndItsSupplyIsAtLeastTight) {
  const Searched s(question("4000 EUR"));
  ASSERT_FALSE(s.outcome.candidates.empty());
  for (const BuildCandidate& c : s.outcome.candidates) {
    EXPECT_LE(c.price, 4000);
    EXPECT_TRUE(c.supply == SupplyVerdict::fine || c.supply == SupplyVerdict::tight);
    EXPECT_LT(c.set, s.parts.sets.size());
    EXPECT_TRUE(fits(c.split.answer));
  }
}

TEST(SizeSearch, ASmallerBudgetOffersNoMore) {
  const Searched rich(question("4000 EUR")), poor(question("1700 EUR"));
  EXPECT_LE(poor.outcome.candidates.size(), rich.outcome.candidates.size());
}

// The same cards in every arrangement: one candidate of a (cards, quantisation, split), the cheapest.
TEST(SizeSearch, KeepsTheCheapestArrangement) {
  const Searched s(question("6000 EUR"));
  int of_two = 0;
  for (const BuildCandidate& c : s.outcome.candidates) of_two += s.parts.sets[c.set].per_box == 2 ? 1 : 0;
  EXPECT_EQ(of_two, 1);
}

TEST(SizeSearch, WhoAsksForSpeedThatNothingHasGetsNothing) {
  auto settings = question("4000 EUR");
  settings.push_back({"size.tokens_per_s_min", "500", "test"});
  const Searched s(settings);
  EXPECT_TRUE(s.outcome.candidates.empty());
  EXPECT_NE(s.of(2).why_not.find("tokens/s a user"), std::string::npos) << s.of(2).why_not;
}

}  // namespace
}  // namespace oblea
