#include "io/timeline_file.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace oblea {
namespace {

TEST(TimelineFile, HasALaneAStageAndABarASpan) {
  const std::vector<Span> spans = {{0.5, 0.75, 1, 0, 3, 0, 10}, {0, 0.25, 0, 0, 0, 512, 1}};
  const auto json = nlohmann::json::parse(write_timeline({"a \"card\"", "b"}, spans));
  const auto& events = json["traceEvents"];
  ASSERT_EQ(events.size(), 4u);
  EXPECT_EQ(events[0]["args"]["name"], "a \"card\"");
  EXPECT_EQ(events[2]["ph"], "X");
  EXPECT_EQ(events[2]["tid"], 1);
  EXPECT_EQ(events[2]["ts"], 500000.0);
  EXPECT_EQ(events[2]["dur"], 250000.0);
  EXPECT_EQ(events[2]["args"]["passes"], 10);
  EXPECT_EQ(events[3]["name"], "prompt");
}

}  // namespace
}  // namespace oblea
