// TimeSeries: what sensors would read over a run, as data: families of metrics, a series for each set of labels.
#pragma once

#include <string>
#include <vector>

namespace oblea {

struct Label {
  std::string name;   // [a-zA-Z_][a-zA-Z0-9_]*, once in a series
  std::string value;  // any text
};

struct Sample {
  double time_s = 0;  // since the run began
  double value = 0;   // in the unit of the family
};

struct Series {
  std::vector<Label> labels;
  std::vector<Sample> samples;  // by time, at least a millisecond apart
};

// A gauge: a value that goes up and down.
struct MetricFamily {
  std::string name;  // [a-zA-Z_:][a-zA-Z0-9_:]*
  std::string help;
  std::string unit;            // the name's ending, "watts" of "oblea_wall_watts"; "" where the name tells none
  std::vector<Series> series;  // no two with the same labels
};

using TimeSeries = std::vector<MetricFamily>;

}  // namespace oblea
