// `oblea size`: the README's question and its neighbours, every build held to an independent checker.
#include <algorithm>
#include <cstdio>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "acceptance/build_checker.hpp"
#include "support/repository.hpp"

namespace oblea {
namespace {

using test::answer_faults;
using test::find_verdict;
using test::scenario_of;
using test::size_of;
using test::value_of;
using ::testing::HasSubstr;

std::vector<ScenarioSetting> question(std::vector<ScenarioSetting> more = {}) {
  std::vector<ScenarioSetting> settings = {{"size.budget", "3500 EUR", "--budget"},
                                           {"model.id", "llama-3.3-70b", "--model"},
                                           {"workload.context", "8192", "--context"},
                                           {"workload.users", "2", "--users"}};
  settings.insert(settings.end(), more.begin(), more.end());
  return settings;
}

const Scenario& readme_question() {
  static const Scenario scenario = scenario_of(question());
  return scenario;
}

const Report& readme_answer() {
  static const Report report = size_of(readme_question());
  return report;
}

TEST(Size, AnswersTheReadmesQuestionWithBuildsWithinTheBudget) {
  ASSERT_FALSE(readme_answer().builds.empty());
  EXPECT_EQ(answer_faults(readme_answer(), readme_question()), "");
  EXPECT_NE(find_verdict(readme_answer().verdicts, "fits"), nullptr);
}

TEST(Size, TheScenarioFileAsksTheSameQuestion) {
  const Report report = size_of(test::repository_scenario("scenarios/homelab/size-3500-eur.json"));
  ASSERT_EQ(report.builds.size(), readme_answer().builds.size());
  for (std::size_t i = 0; i < report.builds.size(); ++i)
    EXPECT_EQ(report.builds[i].name, readme_answer().builds[i].name);
}

TEST(Size, IsRankedByTheLowEndOfTheSpeed) {
  double last = 1e9;
  for (const BuildRow& build : readme_answer().builds) {
    const double low = find_metric(build.metrics, "decode_tokens_per_s")->low;
    EXPECT_LE(low, last) << build.name;
    last = low;
  }
}

TEST(Size, LabelsTellTheTruth) {
  double cheapest = 1e9, coolest = 1e9;
  for (const BuildRow& build : readme_answer().builds) {
    cheapest = std::min(cheapest, value_of(build.metrics, "price"));
    coolest = std::min(coolest, value_of(build.metrics, "wall_decode_w"));
  }
  int labels = 0;
  for (const BuildRow& build : readme_answer().builds) {
    if (build.label.find("cheapest") != std::string::npos) {
      EXPECT_NEAR(value_of(build.metrics, "price"), cheapest, 0.01);
      ++labels;
    }
    if (build.label.find("fewest watts") != std::string::npos) {
      EXPECT_NEAR(value_of(build.metrics, "wall_decode_w"), coolest, 0.01);
      ++labels;
    }
  }
  EXPECT_EQ(labels, 2);
}

// "39.6 GiB of weights against 26.4 GiB usable": the first number is larger, or there is KV to add.
TEST(Size, TheArithmeticOfTheLosersHolds) {
  int with_weights = 0;
  for (const LostRow& row : readme_answer().lost) {
    EXPECT_FALSE(row.why.empty()) << row.name;
    double weights = 0, kv = 0, usable = 0;
    if (std::sscanf(row.why.c_str(), "%lf GiB of weights against %lf GiB usable", &weights, &usable) == 2) {
      EXPECT_GT(weights, usable) << row.name;
      EXPECT_NEAR(weights, 39.6, 0.1) << "four bits are the fewest that are asked for";
      ++with_weights;
    } else if (std::sscanf(row.why.c_str(), "%lf GiB of weights + %lf GiB of KV against %lf GiB usable", &weights, &kv,
                           &usable) == 3) {
      const bool borders = row.why.find("no cut between layers") != std::string::npos;
      EXPECT_TRUE(borders || weights + kv > usable) << row.name << ": " << row.why;
    }
  }
  EXPECT_GE(with_weights, 3);
}

// Two 12 GiB cards are cheaper than every build offered, and lose by arithmetic.
TEST(Size, LosersAreCheaperThanTheBest) {
  const double best = value_of(readme_answer().builds.front().metrics, "price");
  for (const LostRow& row : readme_answer().lost) EXPECT_LT(row.price.amount, best) << row.name;
}

TEST(Size, EveryBuildNamedByTheUserIsOfTheDevicesHeAllows) {
  const Scenario scenario = scenario_of(
      question({{"size.devices", R"(["rtx-3090"])", "--devices"}, {"size.quantisations", R"(["Q4_K_M"])", "--quant"}}));
  const Report report = size_of(scenario);
  ASSERT_FALSE(report.builds.empty());
  EXPECT_EQ(answer_faults(report, scenario), "");
  for (const BuildRow& build : report.builds) EXPECT_EQ(build.mixture, "Q4_K_M");
}

TEST(Size, NewPartsOnlyMeansNoUsedOnes) {
  const Scenario scenario =
      scenario_of(question({{"size.allow_used", "false", "--used"}, {"size.budget", "6000 EUR", "--budget"}}));
  const Report report = size_of(scenario);
  ASSERT_FALSE(report.builds.empty());
  EXPECT_EQ(answer_faults(report, scenario), "");
}

// Host, RAM, supply and the first card are there: the bill holds what is added, and nothing of that.
TEST(Size, WhatIsAtHandIsNotInTheBill) {
  const Scenario scenario =
      scenario_of(question({{"size.have", test::repository_path("scenarios/homelab/my-box.json"), "--have"},
                            {"size.budget", "1200 EUR", "--budget"}}));
  const Report report = size_of(scenario);
  ASSERT_FALSE(report.builds.empty());
  EXPECT_EQ(answer_faults(report, scenario), "");
  for (const BuildRow& build : report.builds) {
    for (const BillLine& line : build.bill.lines) {
      EXPECT_NE(line.item, "am4-b550-ryzen-5600") << build.name;
      EXPECT_FALSE(line.item.starts_with("ram-")) << build.name << ": " << line.item;
      EXPECT_NE(line.item, "psu-850-gold") << build.name << ": a second one like it would have to be named";
      if (line.item == "rtx-3090") {
        EXPECT_EQ(line.count, 1) << "24 + 24 GiB: one more is enough and there is no third slot";
      }
    }
    EXPECT_GE(build.devices.size(), 2u) << build.name;
  }
}

TEST(Size, ABoxThatIsEnoughNeedsNothing) {
  const Scenario scenario =
      scenario_of({{"size.have", test::repository_path("scenarios/homelab/my-box.json"), "--have"},
                   {"size.budget", "50 EUR", "--budget"},
                   {"model.id", "qwen3-14b", "--model"}});
  const Report report = size_of(scenario);
  ASSERT_FALSE(report.builds.empty());
  EXPECT_EQ(answer_faults(report, scenario), "");
  EXPECT_EQ(value_of(report.builds.front().metrics, "price"), 0);
  EXPECT_TRUE(report.builds.front().bill.lines.empty());
}

TEST(Size, ABudgetTooSmallIsAnsweredWithWhatItWouldTake) {
  const Scenario scenario = scenario_of(question({{"size.budget", "400 EUR", "--budget"}}));
  const Report report = size_of(scenario);
  EXPECT_TRUE(report.builds.empty());
  const Verdict* no = find_verdict(report.verdicts, "nothing-in-budget");
  ASSERT_NE(no, nullptr);
  EXPECT_EQ(no->answer, Answer::no);
  EXPECT_THAT(no->words, HasSubstr("nothing under 400 EUR does it; the cheapest that does is "));
  // The price it names is enough.
  const std::size_t at = no->words.rfind(" for ");
  ASSERT_NE(at, std::string::npos);
  std::string digits;
  for (const char c : no->words.substr(at)) {
    if (c >= '0' && c <= '9') digits += c;
  }
  const std::string enough = std::to_string(std::stoi(digits) + 1) + " EUR";
  EXPECT_FALSE(size_of(scenario_of(question({{"size.budget", enough, "--budget"}}))).builds.empty()) << enough;
  EXPECT_FALSE(report.lost.empty());
}

TEST(Size, AModelThatNothingHoldsIsAnsweredToo) {
  const Scenario scenario = scenario_of({{"model.id", "kimi-k3", "--model"}, {"size.budget", "500 EUR", "--budget"}});
  const Report report = size_of(scenario);
  EXPECT_TRUE(report.builds.empty());
  ASSERT_NE(find_verdict(report.verdicts, "nothing-in-budget"), nullptr);
  EXPECT_THAT(find_verdict(report.verdicts, "nothing-in-budget")->words, HasSubstr("nothing in the library does it"));
}

// 15 A x 120 V x 0.8.
TEST(Size, AnAmericanCircuitLeavesOutWhatExceeds1440Watts) {
  const auto settings = [](const char* circuit) {
    return question({{"site.circuit", circuit, "--circuit"}, {"size.budget", "9000 EUR", "--budget"}});
  };
  const Scenario american = scenario_of(settings("us-15a"));
  const Report report = size_of(american);
  ASSERT_FALSE(report.builds.empty());
  EXPECT_EQ(answer_faults(report, american), "");
  for (const BuildRow& build : report.builds) EXPECT_LE(value_of(build.metrics, "circuit_load_w"), 1440) << build.name;
  double most = 0;
  for (const BuildRow& build : size_of(scenario_of(settings("eu-16a"))).builds)
    most = std::max(most, value_of(build.metrics, "circuit_load_w"));
  EXPECT_GT(most, 1440) << "the question has builds that an American circuit does not carry";
}

TEST(Size, DollarsBuyWhatTheirWorthInEurosBuys) {
  const Scenario dollars = scenario_of(question({{"size.budget", "4000 USD", "--budget"}}));
  const Report report = size_of(dollars);
  ASSERT_FALSE(report.builds.empty());
  EXPECT_EQ(answer_faults(report, dollars), "");
  EXPECT_EQ(find_metric(report.builds.front().metrics, "price")->unit, "USD");
  EXPECT_EQ(report.builds.front().bill.currency, Currency::usd);
  const double rate = test::repository_library().prices.rates.euros_per_usd;
  const Scenario euros = scenario_of(question({{"size.budget", std::to_string(4000 * rate) + " EUR", "--budget"}}));
  const Report same = size_of(euros);
  ASSERT_EQ(same.builds.size(), report.builds.size());
  EXPECT_NEAR(value_of(same.builds.front().metrics, "price"), value_of(report.builds.front().metrics, "price") * rate,
              0.01);
}

// The electricity bill is in the tariff's currency: the budget's does not change it.
TEST(Size, ATariffChangesTheMonthAndNotTheBill) {
  const Report dear = size_of(scenario_of(question({{"site.tariff", "de", "--tariff"}})));
  const Report cheap = size_of(scenario_of(question({{"site.tariff", "es", "--tariff"}})));
  ASSERT_EQ(dear.builds.size(), cheap.builds.size());
  const auto& a = dear.builds.front().metrics;
  const auto& b = cheap.builds.front().metrics;
  EXPECT_DOUBLE_EQ(value_of(a, "price"), value_of(b, "price"));
  EXPECT_DOUBLE_EQ(value_of(a, "energy_month_kwh"), value_of(b, "energy_month_kwh"));
  EXPECT_GT(value_of(a, "energy_month_cost"), value_of(b, "energy_month_cost"));
}

TEST(Size, RanksAsTheUserAsks) {
  const Report price = size_of(scenario_of(question({{"size.rank_by", "price", "--rank"}})));
  const Report watts = size_of(scenario_of(question({{"size.rank_by", "watts", "--rank"}})));
  ASSERT_EQ(price.builds.size(), watts.builds.size());
  for (std::size_t i = 1; i < price.builds.size(); ++i) {
    EXPECT_LE(value_of(price.builds[i - 1].metrics, "price"), value_of(price.builds[i].metrics, "price") + 0.01);
    EXPECT_LE(value_of(watts.builds[i - 1].metrics, "wall_decode_w"),
              value_of(watts.builds[i].metrics, "wall_decode_w") + 0.01);
  }
}

TEST(Size, VllmBuildsKeepThePromisesToo) {
  const Scenario scenario = scenario_of({{"model.id", "qwen3-32b", "--model"},
                                         {"engine.name", "vllm", "--engine"},
                                         {"size.quantisations", R"(["INT4"])", "--quant"},
                                         {"size.budget", "4000 EUR", "--budget"},
                                         {"workload.users", "4", "--users"}});
  const Report report = size_of(scenario);
  ASSERT_FALSE(report.builds.empty());
  EXPECT_EQ(answer_faults(report, scenario), "");
}

// The checker is worth something only if it sees what is wrong.
TEST(Size, TheCheckerSeesWhatIsWrong) {
  const BuildRow good = readme_answer().builds.front();
  ASSERT_EQ(test::build_faults(good, readme_question()), "");
  BuildRow bad = good;
  bad.bill.lines.pop_back();
  EXPECT_NE(test::build_faults(bad, readme_question()), "") << "a part is missing in the bill";
  bad = good;
  bad.devices.front().weights += kGiB * 30;
  EXPECT_NE(test::build_faults(bad, readme_question()), "") << "a card holds more than it has";
  bad = good;
  bad.devices.front().weights -= kGiB * 5;
  EXPECT_NE(test::build_faults(bad, readme_question()), "") << "part of the model is nowhere";
  for (BillLine& line : (bad = good).bill.lines) {
    if (line.item.starts_with("psu-")) line.item = "psu-550-bronze";
  }
  EXPECT_NE(test::build_faults(bad, readme_question()), "") << "the supply is too small";
  for (BillLine& line : (bad = good).bill.lines) line.count += 1;
  EXPECT_NE(test::build_faults(bad, readme_question()), "") << "twice the parts";
}

}  // namespace
}  // namespace oblea
