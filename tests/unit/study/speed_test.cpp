#include "study/speed.hpp"

#include <gtest/gtest.h>

#include "study/build_machine.hpp"
#include "study/planning.hpp"
#include "support/repository.hpp"

namespace oblea {
namespace {

struct Rig {
  Rig(int cards, Engine engine, SplitWish wish, double users = 1, const char* model_id = "llama-3.1-8b",
      const char* mixture = "Q4_K_M", int boxes = 1, bool rdma = false) {
    Scenario scenario;
    NodeSettings node;
    node.host = "epyc-7302-romed8-2t-open-frame";
    node.devices.assign(static_cast<std::size_t>(cards), "rtx-3090");
    if (boxes > 1) node.nic = "nic-connectx-4-lx";
    scenario.cluster.nodes.assign(static_cast<std::size_t>(boxes), node);
    scenario.cluster.rdma = rdma;
    machine = build_machine(scenario, test::repository_library()).value();
    model = make_footprint(test::repository_model(model_id), *find_mixture(mixture), KvFormat::f16);
    Workload workload;
    workload.users = users;
    workload.context = Tokens(4096);
    EngineSettings settings;
    settings.kind = engine;
    const EngineLoad load = engine_load(settings, model, {}, workload, layout_of(machine));
    const PlanningDevices planning =
        planning_devices(machine, load, workload.context, test::repository_library(), false);
    splits = plan_splits(model, cache_demand(workload, load), planning, wish);
    question.model = &model;
    question.placement = placement_of(splits.front().answer);
    question.devices = planning.devices;
    question.nodes = planning.nodes;
    question.links = make_machine_links(machine, test::repository_library()).value();
    question.engine = engine;
    question.workload = workload;
  }
  Speed speed() const { return predict_speed(question, test::repository_timing()); }

  Machine machine;
  ModelFootprint model;
  std::vector<PlannedSplit> splits;
  SpeedQuestion question;
};

double rate(const Speed& speed) { return speed.per_user.value.value(); }

TEST(Speed, BandsHoldTheirValues) {
  for (const Speed& s :
       {Rig(1, Engine::llama_cpp, SplitWish::layer).speed(), Rig(4, Engine::vllm, SplitWish::tensor).speed()}) {
    EXPECT_LT(s.step.low, s.step.value);
    EXPECT_LT(s.step.value, s.step.high);
    EXPECT_LT(s.per_user.low, s.per_user.value);
    EXPECT_LT(s.per_user.value, s.per_user.high);
    EXPECT_LT(s.first_token.low, s.first_token.high);
    EXPECT_GE(s.network_share, 0);
    EXPECT_LT(s.network_share, 1);
  }
}

// Every user gets one token a step.
TEST(Speed, TheTotalIsThatOfAllUsers) {
  const Speed s = Rig(1, Engine::llama_cpp, SplitWish::layer, 4).speed();
  EXPECT_NEAR(s.total.value.value(), 4 * rate(s), 1e-9);
  EXPECT_NEAR(rate(s) * s.step.value.value(), 1, 1e-9);
}

// 936 GB/s over 4.9 GB is 190 tokens/s: nothing is faster than its memory, and a 3090 reaches a good half of it.
TEST(Speed, ACardIsNoFasterThanItsMemory) {
  const double s = rate(Rig(1, Engine::llama_cpp, SplitWish::layer).speed());
  EXPECT_LT(s, 936.0 / 4.9);
  EXPECT_GT(s, 0.4 * 936.0 / 4.9);
}

// Measured on 1, 2 and 4 RTX 3090: 111.7, 108.1 and 104.9 tokens/s.
TEST(Speed, ALayerSplitAddsRoomAndNoSpeed) {
  const double one = rate(Rig(1, Engine::llama_cpp, SplitWish::layer).speed());
  const double four = rate(Rig(4, Engine::llama_cpp, SplitWish::layer).speed());
  EXPECT_LE(four, one);
  EXPECT_GT(four, 0.9 * one);
}

TEST(Speed, StagesTakeTurns) {
  const Speed s = Rig(4, Engine::llama_cpp, SplitWish::layer).speed();
  double busy = 0;
  for (const double share : s.busy) busy += share;
  EXPECT_NEAR(busy, 1 - s.network_share, 1e-6);
  for (const double share : Rig(4, Engine::vllm, SplitWish::tensor).speed().busy)
    EXPECT_GT(share, 0.2) << "shards work at once";
}

TEST(Speed, TensorParallelIsFasterOnALargeModel) {
  const double layers = rate(Rig(4, Engine::vllm, SplitWish::layer, 1, "llama-3.3-70b", "INT4").speed());
  const double shards = rate(Rig(4, Engine::vllm, SplitWish::tensor, 1, "llama-3.3-70b", "INT4").speed());
  EXPECT_GT(shards, 1.3 * layers);
  EXPECT_LT(shards, 4 * layers);
}

// A prompt flows through the stages in micro-batches, so more cards read it sooner.
TEST(Speed, APromptFlowsThroughTheStages) {
  Rig one(1, Engine::llama_cpp, SplitWish::layer), four(4, Engine::llama_cpp, SplitWish::layer);
  one.question.workload.prompt = four.question.workload.prompt = Tokens(4000);
  EXPECT_LT(four.speed().first_token.value, one.speed().first_token.value * 0.6);
  one.question.workload.prompt = four.question.workload.prompt = Tokens(100);
  EXPECT_GT(four.speed().first_token.value, one.speed().first_token.value * 0.95)
      << "one micro-batch has nothing to overlap with";
}

// RDMA saves the network stack of 64 collectives.
TEST(Speed, RdmaWaitsLessThanTcp) {
  const Speed tcp = Rig(1, Engine::vllm, SplitWish::tensor, 1, "llama-3.1-8b", "INT4", 2, false).speed();
  const Speed rdma = Rig(1, Engine::vllm, SplitWish::tensor, 1, "llama-3.1-8b", "INT4", 2, true).speed();
  EXPECT_GT(rate(rdma), rate(tcp));
  EXPECT_LT(rdma.network_share, tcp.network_share);
  EXPECT_GT(tcp.network_share, 0.2);
}

// One hop of 8 kB a token, not 64 collectives.
TEST(Speed, BetweenBoxesALayerSplitWaitsLittle) {
  const Speed layers = Rig(1, Engine::vllm, SplitWish::layer, 1, "llama-3.1-8b", "INT4", 2, false).speed();
  EXPECT_LT(layers.network_share, 0.05);
}

// The measured curves at 280 of 350 W: 0.97 of decode, 0.91 of prefill. Links do not slow down, so a shade more is
// left.
TEST(Speed, APowerLimitCostsWhatTheCurvesSay) {
  const char* tank = "scenarios/immersion/four-3090.json";
  const Report free = test::place_repository(tank);
  const Report limited = test::place_repository(tank, {{"cluster.nodes.0.power_limit", "280 W", "test"}});
  const auto share = [&](const char* name) {
    return test::value_of(limited.metrics, name) / test::value_of(free.metrics, name);
  };
  EXPECT_NEAR(share("decode_tokens_per_s"), 0.97, 0.005);
  EXPECT_NEAR(share("prefill_tokens_per_s"), 0.91, 0.01);
  const Report above = test::place_repository(tank, {{"cluster.nodes.0.power_limit", "400 W", "test"}});
  EXPECT_DOUBLE_EQ(test::value_of(above.metrics, "decode_tokens_per_s"),
                   test::value_of(free.metrics, "decode_tokens_per_s"));
}

TEST(Speed, OnlyLlamaCppIsFitted) {
  EXPECT_FALSE(Rig(1, Engine::llama_cpp, SplitWish::layer).speed().estimated);
  EXPECT_TRUE(Rig(1, Engine::vllm, SplitWish::layer).speed().estimated);
}

TEST(Speed, MoreUsersGetLessEachAndMoreTogether) {
  const Speed one = Rig(1, Engine::llama_cpp, SplitWish::layer, 1).speed();
  const Speed eight = Rig(1, Engine::llama_cpp, SplitWish::layer, 8).speed();
  EXPECT_LT(rate(eight), rate(one));
  EXPECT_GT(eight.total.value, one.total.value);
}

TEST(Speed, ALongerContextIsSlower) {
  Rig rig(1, Engine::llama_cpp, SplitWish::layer);
  const double near = rate(rig.speed());
  rig.question.workload.context = Tokens(65536);
  EXPECT_LT(rate(rig.speed()), near);
}

}  // namespace
}  // namespace oblea
