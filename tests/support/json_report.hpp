// A report in JSON, as commands print it, read by name.
#pragma once

#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace oblea::test {

// 0 with a failed test where the report has no such figure.
inline double figure(const nlohmann::json& report, const std::string& name) {
  for (const nlohmann::json& metric : report["metrics"]) {
    if (metric["name"] == name) return metric["value"];
  }
  ADD_FAILURE() << "no figure " << name;
  return 0;
}

inline bool has_verdict(const nlohmann::json& report, const std::string& name) {
  for (const nlohmann::json& verdict : report["verdicts"]) {
    if (verdict["name"] == name) return true;
  }
  return false;
}

}  // namespace oblea::test
