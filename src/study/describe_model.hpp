// Describe: what a model is to a planner: its parameters, the bytes of its weights, the cache of a request.
#pragma once

#include <span>

#include "llm/model_spec.hpp"
#include "report/report.hpp"
#include "units/quantity.hpp"

namespace oblea {

struct DescribeQuestion {
  std::string mixture;  // "" : as stored, or the format that the makers publish
  Tokens context{};     // a row of the cache table besides the usual ones; 0: none
};

// Figures and tables of one model. Errors: an unknown mixture, or kStoredMixture where nothing is stored.
Result<Report> describe_model(const ModelSpec& model, const DescribeQuestion& question);

// One row a model: for a folder of config files.
Result<Report> compare_models(std::span<const ModelSpec> models, const DescribeQuestion& question);

}  // namespace oblea
