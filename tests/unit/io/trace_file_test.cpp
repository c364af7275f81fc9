#include "io/trace_file.hpp"

#include <algorithm>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/hash.hpp"
#include "base/limits.hpp"

namespace oblea {
namespace {

using ::testing::HasSubstr;

struct Read {
  std::vector<Request> requests;
  std::string warnings;
};

Read read(const std::string& text) {
  Diagnostics warnings;
  const Result<Trace> trace = parse_trace(text, "t", warnings);
  EXPECT_TRUE(trace) << print_diagnostics(trace ? Diagnostics{} : trace.error());
  return {trace ? trace->requests : std::vector<Request>{}, print_diagnostics(warnings)};
}

std::string faults(const std::string& text) {
  Diagnostics warnings;
  const Result<Trace> trace = parse_trace(text, "t", warnings);
  return trace ? "" : print_diagnostics(trace.error());
}

void expect_request(const Request& r, double arrival, int prompt, int output, int prefix = -1, int prefix_tokens = 0) {
  EXPECT_NEAR(r.arrival_s, arrival, 1e-9);
  EXPECT_EQ(r.prompt_tokens, prompt);
  EXPECT_EQ(r.output_tokens, output);
  EXPECT_EQ(r.prefix, prefix);
  EXPECT_EQ(r.prefix_tokens, prefix_tokens);
}

TEST(OwnTrace, HasItsColumnsInAnyOrderAndAnyCase) {
  const Read r =
      read("Output_Tokens, user ,ARRIVAL_S,prompt_tokens\r\n20,ann,1.5,100\r\n\r\n7,\"b, c\",2.25e0,\"8\"\r\n");
  ASSERT_EQ(r.requests.size(), 2u);
  expect_request(r.requests[0], 1.5, 100, 20);
  expect_request(r.requests[1], 2.25, 8, 7);
  EXPECT_EQ(r.warnings, "");
}

TEST(OwnTrace, MayStartWithAByteOrderMark) {
  EXPECT_EQ(read("\xEF\xBB\xBF"
                 "arrival_s,prompt_tokens,output_tokens\n0,1,1\n")
                .requests.size(),
            1u);
}

TEST(OwnTrace, NamesSharedPrefixes) {
  const Read r = read("arrival_s,prompt_tokens,output_tokens,prefix,prefix_tokens\n0,900,5,3,512\n1,100,5,,\n");
  ASSERT_EQ(r.requests.size(), 2u);
  expect_request(r.requests[0], 0, 900, 5, 3, 512);
  expect_request(r.requests[1], 1, 100, 5);
}

TEST(OwnTrace, IsSortedByArrivalAndEqualOnesKeepTheirOrder) {
  const Read r = read("arrival_s,prompt_tokens,output_tokens\n5,1,1\n2,2,1\n5,3,1\n2,4,1\n");
  ASSERT_EQ(r.requests.size(), 4u);
  EXPECT_EQ(r.requests[0].prompt_tokens, 2);
  EXPECT_EQ(r.requests[1].prompt_tokens, 4);
  EXPECT_EQ(r.requests[2].prompt_tokens, 1);
  EXPECT_EQ(r.requests[3].prompt_tokens, 3);
  EXPECT_THAT(r.warnings, HasSubstr("2 requests come before the one above them"));
}

TEST(OwnTrace, TellsEveryFaultAtOnceWithItsPlace) {
  const std::string text =
      "arrival_s,prompt_tokens,output_tokens\nnan,10,10\n1,0,10\n2,10,-4\n3,1e99,10\n-1,10,\n4,2.5,10\n5,10\n";
  const std::string all = faults(text);
  for (const char* place : {"t:2:1: error: \"arrival_s\" is nan", "t:3:3: error: \"prompt_tokens\" is 0",
                            "t:4:6: error: \"output_tokens\" is -4", "t:5:3: error: \"prompt_tokens\" is 1e99",
                            "t:6:1: error: \"arrival_s\" is -1", "t:6:7: error: \"output_tokens\" is empty",
                            "t:7:3: error: \"prompt_tokens\" is 2.5", "t:8:3: error: 2 fields; the header names 3"}) {
    EXPECT_THAT(all, HasSubstr(place));
  }
}

TEST(OwnTrace, CountsTheFaultsBeyondTheUsualLimit) {
  std::string text = "arrival_s,prompt_tokens,output_tokens\n";
  for (int i = 0; i < 150; ++i) text += "0,0,1\n";
  Diagnostics warnings;
  const Diagnostics all = parse_trace(text, "t", warnings).error();
  ASSERT_EQ(all.size(), kMaxDiagnostics);
  EXPECT_EQ(all[98].place.line, 100);
  EXPECT_EQ(all[99].message, "51 faults more");
}

TEST(OwnTrace, SaysWhichColumnIsMissing) {
  EXPECT_THAT(faults("arrival_s,promt_tokens,output_tokens\n0,1,1\n"), HasSubstr("no column \"prompt_tokens\""));
  EXPECT_THAT(faults("arrival_s,promt_tokens,output_tokens\n0,1,1\n"), HasSubstr("did you mean \"promt_tokens\"?"));
  EXPECT_THAT(faults("0,1,1\n"), HasSubstr("the first line names no columns"));
  EXPECT_THAT(faults("arrival_s;prompt_tokens;output_tokens\n0;1;1\n"), HasSubstr("separated by commas"));
  EXPECT_THAT(faults("arrival_s,prompt_tokens,output_tokens,output_tokens\n0,1,1,1\n"),
              HasSubstr("t:1:39: error: column"));
  EXPECT_THAT(faults("arrival_s,prompt_tokens,output_tokens,prefix\n0,1,1,1\n"), HasSubstr("stand together"));
  EXPECT_THAT(read("arrival_s,prompt_tokens,output_tokens,prefx\n0,1,1,1\n").warnings,
              HasSubstr("did you mean \"prefix\"?"));
}

TEST(OwnTrace, RefusesWhatCannotBe) {
  EXPECT_THAT(faults(""), HasSubstr("no requests in it"));
  EXPECT_THAT(faults("arrival_s,prompt_tokens,output_tokens\n"), HasSubstr("no requests in it"));
  EXPECT_THAT(faults("arrival_s,prompt_tokens,output_tokens\n1700158546,1,1\n"), HasSubstr("counts from the start"));
  EXPECT_THAT(faults("arrival_s,prompt_tokens,output_tokens\n0,16777217,1\n"), HasSubstr("16777216"));
  EXPECT_THAT(faults("arrival_s,prompt_tokens,output_tokens,prefix,prefix_tokens\n0,10,1,0,11\n"),
              HasSubstr("a prefix of 11 tokens of a prompt of 10"));
  EXPECT_THAT(faults("arrival_s,prompt_tokens,output_tokens\n\"0,1,1\n"), HasSubstr("t:2:1: error: a quote"));
  EXPECT_THAT(faults("[{\"timestamp\": 0}]"), HasSubstr("one request a line"));
}

TEST(OwnTrace, TakesAMillionRequestsAndNotOneMore) {
  std::string text = "arrival_s,prompt_tokens,output_tokens\n";
  for (std::size_t i = 0; i < kMaxTraceRows; ++i) text += "0,1,1\n";
  EXPECT_EQ(read(text).requests.size(), kMaxTraceRows);
  EXPECT_THAT(faults(text + "0,1,1\n"), HasSubstr("t:1000002:1: error: more than 1000000 requests"));
}

// 50.9951690 - 46.6805900 = 4.314579 s; 18:17:46.68 is two minutes later.
TEST(AzureTrace, CountsFromItsFirstRequest) {
  const Read r = read(
      "TIMESTAMP,ContextTokens,GeneratedTokens\r\n2023-11-16 18:15:46.6805900,374,44\r\n"
      "2023-11-16 18:15:50.9951690,396,109\r\n2023-11-16 18:17:46.6805900,879,55");
  ASSERT_EQ(r.requests.size(), 3u);
  expect_request(r.requests[0], 0, 374, 44);
  expect_request(r.requests[1], 4.314579, 396, 109);
  expect_request(r.requests[2], 120, 879, 55);
}

TEST(AzureTrace, KnowsZonesAndOtherColumns) {
  const Read r = read(
      "TIMESTAMP,NumImages,ContextTokens,GeneratedTokens\n2024-05-12 00:00:10.5+00:00,1,200,20\n"
      "2024-05-12 02:00:11+02:00,0,300,30\n");
  ASSERT_EQ(r.requests.size(), 2u);
  expect_request(r.requests[1], 0.5, 300, 30);
  EXPECT_THAT(faults("TIMESTAMP,ContextTokens,GeneratedTokens\n12/05/2024 00:00,1,1\n"),
              HasSubstr("t:2:1: error: \"timestamp\""));
}

TEST(BurstGptTrace, LeavesFailedRequestsOutAndCountsThem) {
  const Read r = read(
      "Timestamp,Model,Request tokens,Response tokens,Total tokens,Log Type\n5,ChatGPT,472,18,490,Conversation log\n"
      "45,ChatGPT,1087,0,1087,Conversation log\n118,GPT-4,417,276,693,API log\n119,GPT-4,417,0,417,API log\n");
  ASSERT_EQ(r.requests.size(), 2u);
  expect_request(r.requests[0], 0, 472, 18);
  expect_request(r.requests[1], 113, 417, 276);
  EXPECT_THAT(r.warnings, HasSubstr("t:3:1: warning: 2 requests without a prompt or an answer"));
}

TEST(BurstGptTrace, OfThreePartsHasSessionsToo) {
  const Read r = read(
      "Timestamp,Session ID,Elapsed time,Model,Request tokens,Response tokens,Total tokens,Log Type\n"
      "19440000.0,a-1,43,GPT-4,906,446,1352,Conversation log\n19440051.5,b-2,2,ChatGPT,36,29,65,Conversation log\n");
  ASSERT_EQ(r.requests.size(), 2u);
  expect_request(r.requests[1], 51.5, 36, 29);
}

// Blocks 0 1 of the first are held by the second (a next turn); the third parts after block 0, alone there.
TEST(MooncakeTrace, DerivesPrefixesFromBlocks) {
  const Read r = read(
      "{\"timestamp\": 1000, \"input_length\": 1100, \"output_length\": 30, \"hash_ids\": [0, 1, 2]}\n"
      "{\"timestamp\": 4000, \"input_length\": 1700, \"output_length\": 40, \"hash_ids\": [0, 1, 3, 4]}\n\n"
      "{\"output_length\": 5, \"input_length\": 800, \"timestamp\": 4500, \"hash_ids\": [0, 5], \"type\": {\"a\": "
      "[1]}}\n"
      "{\"timestamp\": 5000, \"input_length\": 300, \"output_length\": 5}\n");
  ASSERT_EQ(r.requests.size(), 4u);
  expect_request(r.requests[0], 0, 1100, 30, 0, 0);
  expect_request(r.requests[1], 3, 1700, 40, 0, 1024);
  expect_request(r.requests[2], 3.5, 800, 5, 1, 512);
  expect_request(r.requests[3], 4, 300, 5);
}

TEST(MooncakeTrace, TellsFaultsWithTheirPlace) {
  const std::string all = faults(
      "{\"timestamp\": 0, \"input_length\": 10, \"output_length\": 3}\n{\"timestamp\": 0, \"input_length\": 10}\n"
      "{\"timestamp\": -1, \"input_length\": 1.5, \"output_length\": 3}\n{\"timestamp\": 0,, }\n"
      "{\"timestamp\": 0, \"input_length\": 1, \"output_length\": 3, \"hash_ids\": [0, \"a\"]}\n");
  for (const char* place : {"t:2:1: error: no number \"output_length\"", "t:3:2: error: \"timestamp\" is -1",
                            "t:3:19: error: \"input_length\" is 1.5", "t:4:17: error: no JSON object",
                            "t:5:57: error: \"hash_ids\" must be"}) {
    EXPECT_THAT(all, HasSubstr(place));
  }
}

TEST(MooncakeTrace, LeavesRequestsWithoutAnAnswerOut) {
  const Read r = read(
      "{\"timestamp\": 0, \"input_length\": 10, \"output_length\": 0, \"hash_ids\": [0]}\n"
      "{\"timestamp\": 7, \"input_length\": 10, \"output_length\": 1, \"hash_ids\": [0]}\n");
  ASSERT_EQ(r.requests.size(), 1u);
  EXPECT_EQ(r.requests[0].arrival_s, 0);
  EXPECT_THAT(r.warnings, HasSubstr("1 requests without"));
}

TEST(Trace, IsNamedByItsBytes) {
  Diagnostics warnings;
  const std::string text = "arrival_s,prompt_tokens,output_tokens\n0,1,1\n";
  EXPECT_EQ(parse_trace(text, "t", warnings)->hash, hash_bytes(text));
  EXPECT_NE(parse_trace(text + "\n", "t", warnings)->hash, hash_bytes(text));
}

TEST(ReadTrace, NamesAFileThatIsNotThere) {
  Diagnostics warnings;
  EXPECT_THAT(print_diagnostics(read_trace("/nowhere/t.csv", warnings).error()),
              HasSubstr("/nowhere/t.csv: error: cannot open"));
}

}  // namespace
}  // namespace oblea
