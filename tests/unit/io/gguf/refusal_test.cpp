#include "io/gguf/refusal.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/gguf_models.hpp"

namespace oblea {
namespace {

using test::GgufWriter;
using test::read_model_of;
using testing::HasSubstr;

// 500,000,000 F16 weights are 1.00 GB.
TEST(GgufRefusal, AVisionTowerIsNamedWithItsBytes) {
  GgufWriter w("clip");
  w.text("general.type", "mmproj").number(".vision.block_count", 27);
  w.tensor("v.patch_embd.weight", {500'000, 1000});
  const std::string faults = read_model_of(w).faults;
  EXPECT_THAT(faults, HasSubstr("no decoder of text: it holds the vision or sound tower of a model (mmproj), 1.00 GB"));
  EXPECT_THAT(faults, HasSubstr("hint: import the GGUF of the language model"));
}

TEST(GgufRefusal, AnEncoderKeepsNoCache) {
  EXPECT_THAT(read_model_of(test::small_keys("nomic-bert")).faults, HasSubstr("keeps no KV cache"));
  GgufWriter w = test::small_keys("qwen3");
  EXPECT_TRUE(read_model_of(w).model);
  w.truth(".attention.causal", false);
  EXPECT_THAT(read_model_of(w).faults, HasSubstr("does not attend causally"));
}

TEST(GgufRefusal, WhatMakesOtherThingsThanTextIsNamed) {
  EXPECT_THAT(read_model_of(GgufWriter("flux")).faults, HasSubstr("makes images or films"));
  EXPECT_THAT(read_model_of(GgufWriter("wavtokenizer-dec")).faults, HasSubstr("into sound"));
  EXPECT_THAT(read_model_of(GgufWriter("t5")).faults, HasSubstr("cross-attention is not modelled"));
  GgufWriter lora("llama");
  lora.text("general.type", "adapter");
  EXPECT_THAT(read_model_of(lora).faults, HasSubstr("LoRA adapter"));
}

}  // namespace
}  // namespace oblea
