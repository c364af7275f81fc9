// FamilyFacts: what a model type's class fixes in code and config.json therefore leaves out, as data.
//
// Sources: the classes in huggingface/transformers (main, 2026-11) and, for model types outside of it, the makers'
// modeling files on huggingface.co; llama.cpp's converter for the names of families.
#pragma once

#include <string_view>
#include <vector>

#include "io/huggingface/config_reader.hpp"

namespace oblea {

struct FamilyFacts {
  std::string_view model_type;
  std::string_view family = {};  // as llama.cpp calls it; empty: as model_type
  bool tied = false;             // embeddings, where the file does not say
  bool gated = true;             // three matrices in the MLP
  bool qkv_bias = false;         // these, where the file does not say
  bool output_bias = false;
  bool mlp_bias = false;
  bool qk_norm = false;
  bool sinks = false;
  int norms = 2;            // vectors of width hidden a layer; a LayerNorm with bias counts twice
  bool multi_head = false;  // older than grouped queries: as many KV heads as heads
  bool learned_positions = false;
  int full_every = 0;        // where no list says it: every n-th layer is full, the others slide
  int context = 0;           // tokens, where the class has no key for it
  bool half_width = false;   // the file's MLP width counts gate and up together (Qwen 1)
  bool gated_delta = false;  // linear attention and full attention have output gates (Qwen3-Next and later)
};

// A type that nobody listed is taken for a Llama.
const FamilyFacts& family_facts(std::string_view model_type);
bool is_known_family(std::string_view model_type);

// "qwen3_5_text" is "qwen3_5": nested blocks carry a suffix.
std::string_view base_type(std::string_view model_type);

// Why a model of this type is not imported; empty if it is.
std::string_view refusal_of(std::string_view model_type);

const std::vector<ClassDefault>& class_defaults();

}  // namespace oblea
