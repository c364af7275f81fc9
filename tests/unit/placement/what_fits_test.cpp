#include "placement/what_fits.hpp"

#include <map>

#include <gtest/gtest.h>

#include "placement/layer_split.hpp"
#include "unit/llm/library_models.hpp"
#include "unit/placement/footprints.hpp"

namespace oblea {
namespace {

// A 16 GiB and a 12 GiB card of which an engine keeps 0.8 GiB each: 15.2 + 11.2 = 26.4 GiB.
std::vector<PlacementDevice> two_cards() {
  std::vector<PlacementDevice> devices;
  for (const double gib : {16.0, 12.0}) devices.push_back({"card", kGiB * gib, kGiB * (gib - 0.8), 1e-12, 0, false});
  return devices;
}

const CacheDemand kOneUser{.context = Tokens(0), .concurrency = 1, .rules = {}};

std::map<std::string, MixtureFit> fits_of_70b() {
  static std::vector<ModelFootprint> footprints;
  std::vector<MixtureCandidate> candidates;
  footprints.clear();
  footprints.reserve(all_mixtures().size());
  for (const Mixture& mixture : all_mixtures()) {
    footprints.push_back(make_footprint(test::library_model("llama-3.3-70b"), mixture));
    candidates.push_back({mixture.name, mixture.nominal_bits, &footprints.back()});
  }
  std::map<std::string, MixtureFit> fits;
  for (MixtureFit& fit : what_fits(candidates, kOneUser, two_cards(), Tokens(131072))) fits.emplace(fit.name, fit);
  return fits;
}

// Published sizes: Q4_K_M 39.6 GiB, IQ2_M 22.4, Q2_K 24.6, IQ3_XXS 25.6. Pooled contexts (26.4 - size) / 327,680 B:
// about 13k, 5.9k, 2.6k. Layers are 0.27 to 0.31 GiB, and neither card ends on a whole one: the real split holds at
// most a tenth less.
TEST(WhatFits, SeventyBillionOnTwentyEightGibibytes) {
  const std::map<std::string, MixtureFit> fits = fits_of_70b();
  EXPECT_NEAR(fits.at("Q4_K_M").weights / kGiB, 39.6, 0.1);
  EXPECT_FALSE(fits.at("Q4_K_M").fits);
  EXPECT_FALSE(fits.at("Q3_K_S").fits);
  const struct {
    const char* name;
    double gib;
    double pooled;
  } published[] = {{"IQ2_M", 22.4, 13000}, {"Q2_K", 24.6, 5900}, {"IQ3_XXS", 25.6, 2600}};
  for (const auto& p : published) {
    const MixtureFit& fit = fits.at(p.name);
    EXPECT_TRUE(fit.fits) << p.name;
    EXPECT_NEAR(fit.weights / kGiB, p.gib, 0.1) << p.name;
    EXPECT_NEAR(fit.pooled_context.value(), p.pooled, 0.05 * p.pooled) << p.name;
    EXPECT_LE(fit.context, fit.pooled_context) << p.name;
    EXPECT_GE(fit.context.value(), 0.9 * fit.pooled_context.value()) << p.name;
  }
}

// At that context a split exists, with one token more none does.
TEST(WhatFits, BestContextIsExactToTheToken) {
  const ModelFootprint model = make_footprint(test::library_model("llama-3.3-70b"), *find_mixture("IQ2_M"));
  CacheDemand demand = kOneUser;
  demand.context = best_context(model, demand, two_cards(), Tokens(131072));
  EXPECT_TRUE(fits(plan_layer_split(model, demand, two_cards())));
  demand.context += Tokens(1);
  EXPECT_FALSE(fits(plan_layer_split(model, demand, two_cards())));
}

TEST(WhatFits, SaysHowMuchFourBitsLack) {
  const ModelFootprint model = make_footprint(test::library_model("llama-3.3-70b"), *find_mixture("Q4_K_M"));
  const PlacementAnswer answer = plan_layer_split(model, {Tokens(8192), 1, {}}, two_cards());
  ASSERT_FALSE(fits(answer));
  const DoesNotFit& no = *refusal_of(answer);
  EXPECT_EQ(no.why, WhyNot::weights_exceed_memory);
  EXPECT_NEAR(no.usable / kGiB, 26.4, 1e-6);
  EXPECT_NEAR(no.kv / kGiB, 2.5, 1e-6);  // 8,192 x 327,680 B
  EXPECT_NEAR(no.missing / kGiB, 39.6 + 2.5 - 26.4, 0.1);
  EXPECT_GT(no.tightest_missing / kGiB, no.missing / kGiB / 2 - 1e-6);
}

TEST(WhatFits, ModelsOwnContextIsTheLimit) {
  const ModelFootprint model = test::dense_model(10, 1e9, 1);
  EXPECT_EQ(best_context(model, kOneUser, std::vector{test::device("a", 20e9)}, Tokens(4096)), Tokens(4096));
  EXPECT_EQ(best_context(model, kOneUser, std::vector{test::device("a", 9e9)}, Tokens(4096)), Tokens(-1));
}

}  // namespace
}  // namespace oblea
