// Random damage to a GGUF header: whatever it is, the reader answers with a model or with a fault at a byte, soon and
// in little memory.
#include <chrono>

#include <gtest/gtest.h>

#include "base/random.hpp"
#include "support/allocations.hpp"
#include "support/gguf_models.hpp"

namespace oblea {
namespace {

constexpr std::uint64_t kSeed = 20261130;
constexpr int kMutations = 20'000;
constexpr std::size_t kMostMemory = 4 << 20;  // of header and model together

// A header with every kind of value and of layer.
std::string good_header() {
  test::GgufWriter w = test::small_keys("hybrid");
  w.remove(".block_count").number(".block_count", 4).text("general.name", "A name").truth("t", false);
  w.numbers(".attention.head_count_kv", {2, 2, 0, 2}).truths(".attention.sliding_window_pattern", {true, false});
  w.number(".attention.sliding_window", 128).number(".expert_count", 4).number(".expert_used_count", 2);
  w.number(".attention.kv_lora_rank", 32).number(".attention.key_length_mla", 24).number(".rope.dimension_count", 8);
  w.number(".attention.value_length_mla", 16).texts("tokenizer.ggml.tokens", 5, "abc").number("general.alignment", 32);
  w.number(".ssm.conv_kernel", 4).number(".ssm.inner_size", 64).number(".ssm.state_size", 16);
  w.number(".ssm.time_step_rank", 4).number(".ssm.group_count", 2).number("general.file_type", 15);
  test::add_ends(w);
  test::add_attention(w, 0, 64, 64, 32);
  test::add_mlp(w, 0, 64, 128);
  test::add_attention(w, 1, 64, 64, 32);
  test::add_experts(w, 1, 64, 32, 4);
  w.tensor("blk.2.ssm_in.weight", {64, 196}).tensor("blk.2.ssm_out.weight", {64, 64});
  w.tensor("blk.3.attn_kv_a_mqa.weight", {64, 40}).tensor("blk.3.attn_kv_a_norm.weight", {32}, test::kF32);
  w.tensor("blk.3.attn_k_b.weight", {16, 32, 4}).tensor("blk.3.attn_q.weight", {64, 96});
  return w.header();
}

// A model, or faults that say something; anything else ends the test program.
bool survives(const std::string& bytes) {
  ByteReader reader(bytes, "t.gguf");
  Diagnostics warnings;
  Result<GgufHeader> header = parse_gguf_header(reader, warnings);
  if (!header) return header.error().front().message.starts_with("at byte ");
  std::vector<GgufHeader> headers;
  headers.push_back(std::move(*header));
  const Result<ModelSpec> model = make_gguf_model(headers, {}, warnings);
  return model ? !model->layers.empty() : has_errors(model.error());
}

TEST(GgufMutation, TheHeaderItselfIsGood) {
  const std::string bytes = good_header();
  ByteReader whole(bytes, "t.gguf");
  Diagnostics warnings;
  Result<GgufHeader> header = parse_gguf_header(whole, warnings);
  ASSERT_TRUE(header) << print_diagnostics(header.error());
  std::vector<GgufHeader> headers;
  headers.push_back(std::move(*header));
  const Result<ModelSpec> model = make_gguf_model(headers, {}, warnings);
  EXPECT_TRUE(model) << print_diagnostics(model.error());
}

TEST(GgufMutation, CutAtAnyByteIsRefusedOrRead) {
  const std::string good = good_header();
  for (std::size_t length = 0; length < good.size(); ++length) {
    const test::AllocationWatch watch;
    ASSERT_TRUE(survives(good.substr(0, length))) << length << " bytes";
    ASSERT_LE(watch.peak(), kMostMemory) << length << " bytes";
  }
}

TEST(GgufMutation, FlippedBitsAreRefusedOrRead) {
  const std::string good = good_header();
  RandomStream random = make_random_stream(kSeed, "gguf-mutation");
  const auto start = std::chrono::steady_clock::now();
  int read = 0;
  for (int i = 0; i < kMutations; ++i) {
    std::string bytes = good;
    const std::size_t flips = 1 + random() % 4;
    for (std::size_t flip = 0; flip < flips; ++flip) {
      bytes[random() % bytes.size()] ^= static_cast<char>(1u << (random() % 8));
    }
    const test::AllocationWatch watch;
    ASSERT_TRUE(survives(bytes)) << "seed " << kSeed << ", mutation " << i;
    ASSERT_LE(watch.peak(), kMostMemory) << "seed " << kSeed << ", mutation " << i;
    read += survives(bytes) ? 1 : 0;
  }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  EXPECT_LT(took.count() / kMutations, 0.01) << "seconds a header";
  EXPECT_EQ(read, kMutations);
}

}  // namespace
}  // namespace oblea
