// Scenario: a question with everything needed to answer it. Filled by `io`, checked there, read-only here.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "llm/mixture.hpp"
#include "llm/model_spec.hpp"
#include "placement/companions.hpp"
#include "placement/engine_settings.hpp"
#include "power/breaker.hpp"
#include "power/circuit.hpp"
#include "power/supply_map.hpp"
#include "power/ups.hpp"
#include "study/run_settings.hpp"
#include "units/money.hpp"
#include "units/quantity.hpp"
#include "workload/slo.hpp"
#include "workload/traffic.hpp"
#include "workload/workload.hpp"

namespace oblea {

// How the user wants the layers spread. `automatic` tries all and takes the fastest that fits.
enum class SplitWish { automatic, layer, tensor, offload };

// One of several supplies of a box that need not be equal.
struct NodeSupply {
  std::string psu;
  std::vector<int> devices;  // of the node's, from 0
  bool host = false;
  Watts card_rail{};  // rating of the rail that its cards hang on; 0: one rail feeds everything
};

// One box of the cluster, by profile ids.
struct NodeSettings {
  std::string name;
  std::string host;
  std::vector<std::string> devices;  // cards, in slot order; a SoC or wafer host lists its own device
  std::string nic;                   // empty: the host's own
  int nic_ports = 1;                 // bonded
  Bytes ram{};                       // 0: what the host includes, or 32 GiB
  std::string psu;                   // empty: chosen for the load
  int psu_count = 1;
  std::optional<SupplySharing> supply_sharing;  // of `psu_count` supplies on one rail; empty: each has its own cards
  std::vector<NodeSupply> supplies;             // in place of `psu`
  std::optional<Watts> power_limit;             // of each card
  std::optional<Hertz> clock_lock;              // of each card
  int pcie_lanes = 0;  // each card's link, when not the slot's (risers); 0: as the slots are wired
  int pcie_generation = 0;
  std::vector<int> unused;  // of `devices`, from 0: in their slots, but dead, or another replica's
  double ram_share = 1;     // of the box's RAM, where replicas share it
};

struct ClusterSettings {
  std::vector<NodeSettings> nodes;
  std::string switch_id;  // empty: joined directly (two nodes)
  bool rdma = false;      // use RDMA where the NICs can
};

// What a supply, a tariff and a room add to the hardware.
struct Site {
  std::string circuit = "eu-16a";
  std::optional<BreakerCurve> breaker;  // empty: the usual one of the circuit
  Watts other_loads{};                  // on the same breaker
  std::optional<Ups> ups;               // before the machine, not before the other loads
  std::string tariff = "eu-household";
  double busy_hours_per_day = 4;
  Celsius room{22};
  Currency currency = Currency::eur;
};

// A steady cooling loop: parts by profile id.
struct CoolingLoop {
  std::string sink;      // die to coolant
  std::string radiator;  // coolant to room
  std::string pump;
  std::string fluid;
  double fan_rpm = 1000;
  double radiators = 1;
};

// A small model that guesses tokens for the large one to check.
struct DraftModel {
  ModelSpec model;
  std::string mixture = "Q4_K_M";
  int guesses = 4;                   // before the large model checks them
  std::optional<double> acceptance;  // chance of each, if all before it were right; empty: not known
};

// Low-rank adapters loaded beside the model.
struct LoraAdapters {
  int count = 1;
  int rank = 16;
  bool attention_only = false;
};

// Pictures as input.
struct Vision {
  VisionTower tower;
  double image_tokens = 4096;  // of the largest picture that is let in
  bool on_host = false;        // encode on the CPU: slower, no memory of a card
};

// A run of wafers: how many layers share one.
struct WaferChain {
  std::string device;
  std::string rule = "full_attention_alone";  // or "two_everywhere", "any_order"
  int layers_max = 2;                         // on one wafer; 0: as many as fit
};

// What `size` may choose from.
struct SizeWishes {
  Money budget{3500, Currency::eur};
  std::vector<std::string> mixtures;  // empty: four bits and better
  std::vector<std::string> devices;   // empty: whole library
  int nodes_max = 2;
  int devices_max = 8;     // in one node
  int pcie_lanes_min = 4;  // of every card's link; 1 admits mining frames, which load slowly
  bool allow_used = true;
  bool allow_offload = true;
  double tokens_per_s_min = 3;       // a user; people read about 5 a second
  Seconds first_token_max{120};      // of one prompt on an idle machine
  std::string rank_by = "speed";     // "speed", "price", "watts", "value"
  std::optional<NodeSettings> have;  // a box that is already there: what should be added to it?
};

enum class Relation { equal, at_least, at_most, about };

// A sentence of a guide with the number in it, to be confirmed or refuted.
struct Scenario;
struct Claim {
  std::string statement;
  std::string metric;
  Relation relation = Relation::equal;
  double value = 0;
  double tolerance = 0.05;                  // of `about`
  bool boolean = false;                     // `value` was true or false
  std::shared_ptr<const Scenario> variant;  // the scenario with the claim's own settings; null: the scenario itself
};

struct Scenario {
  std::string path;
  std::string question;
  ModelSpec model;
  std::string model_path;  // of a model read from its own files; empty: of the library
  std::string mixture = "Q4_K_M";
  KvFormat kv = KvFormat::f16;
  std::optional<KvFormat> kv_values;  // of V where it differs from K
  Workload workload;
  Traffic traffic;  // `simulate`: who sends what when
  Slo slo;
  ServingSettings serving;
  std::optional<StorageSettings> storage;  // loading is part of the run
  std::optional<FailureSettings> failures;
  EngineSettings engine;
  std::optional<DraftModel> draft;
  std::optional<LoraAdapters> lora;
  std::optional<Vision> vision;
  SplitWish split = SplitWish::automatic;
  ClusterSettings cluster;
  std::optional<WaferChain> wafers;
  std::optional<CoolingLoop> cooling;
  Site site;
  SizeWishes size;
  std::vector<Claim> claims;
  std::string input_hash;

  KvFormats cache() const { return {kv, kv_values.value_or(kv)}; }
};

}  // namespace oblea
