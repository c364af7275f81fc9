#include "study/match_host.hpp"

#include <gtest/gtest.h>

#include "support/repository.hpp"

namespace oblea {
namespace {

const ProfileLibrary& library() { return test::repository_library(); }

FoundMachine box(const std::string& cpu, const std::string& vendor, int family, int model, int sockets, int cores,
                 const std::string& board, double gib) {
  FoundMachine found;
  found.cpu = {cpu, vendor, family, model, sockets, cores, 2 * cores};
  found.system.vendor = "ACME";
  found.system.board = board;
  found.memory.total = kGiB * gib;
  return found;
}

std::vector<const Device*> cards(const std::string& id, int count) {
  return std::vector<const Device*>(static_cast<std::size_t>(count), find(library().devices, id));
}

TEST(MatchHost, ProcessorAndBoardTogetherAreExact) {
  const FoundMachine found =
      box("AMD Ryzen 9 5900X 12-Core Processor", "amd", 25, 33, 1, 12, "ROG STRIX X570-E GAMING", 62.7);
  const PartMatch match = match_host(found, cards("rtx-3090", 2), library());
  EXPECT_EQ(match.id, "am4-x570-ryzen-5900x");
  EXPECT_EQ(match.kind, MatchKind::exact);
  EXPECT_EQ(match.found, "ACME ROG STRIX X570-E GAMING");
}

TEST(MatchHost, ASmallBoardIsKnownByItsChipSet) {
  const FoundMachine found = box("AMD Ryzen 5 7600 6-Core Processor", "amd", 25, 97, 1, 6, "B650M Pro RS", 31.1);
  EXPECT_EQ(match_host(found, {}, library()).kind, MatchKind::exact);
  EXPECT_EQ(match_host(found, {}, library()).id, "am5-b650-ryzen-7600");
}

TEST(MatchHost, WithoutTheBoardTheSameProcessorIsNearest) {
  const PartMatch match = match_host(box("AMD EPYC 7302 16-Core Processor", "amd", 23, 49, 1, 16, "", 251),
                                     cards("rtx-3090", 4), library());
  EXPECT_EQ(match.id, "epyc-7302-romed8-2t-open-frame");
  EXPECT_EQ(match.kind, MatchKind::nearest);
  EXPECT_NE(match.words.find("board was not recognised"), std::string::npos) << match.words;
}

TEST(MatchHost, OfTwoBoardsForOneProcessorTheOneThatTakesTheCards) {
  const FoundMachine found = box("Intel(R) Xeon(R) CPU E5-2680 v4 @ 2.40GHz", "intel", 6, 79, 1, 14, "X99 WS", 62.7);
  EXPECT_EQ(match_host(found, cards("rtx-3090", 4), library()).id, "x99-ws-xeon-e5-2680-v4-open-frame");
}

// A Ryzen 7 7700X (8 cores, zen4) has no profile: the 7600's board is like it, and the words say how it differs.
TEST(MatchHost, AnotherProcessorGetsAStandInWithItsDifferences) {
  const PartMatch match = match_host(
      box("AMD Ryzen 7 7700X 8-Core Processor", "amd", 25, 97, 1, 8, "PRIME B650-PLUS", 62.0), {}, library());
  EXPECT_EQ(match.id, "am5-b650-ryzen-7600");
  EXPECT_EQ(match.kind, MatchKind::nearest);
  EXPECT_NE(match.words.find("8 cores here, 6 there"), std::string::npos) << match.words;
}

TEST(MatchHost, TwoSocketsAndEightCardsAreTheBigServer) {
  const PartMatch match =
      match_host(box("Intel(R) Xeon(R) Platinum 8480+", "intel", 6, 143, 2, 112, "X13DEG-OAD", 2015),
                 cards("h100-sxm-80", 8), library());
  EXPECT_EQ(match.id, "hgx-8gpu");
}

TEST(MatchHost, ABoxIsKnownByItsProduct) {
  FoundMachine found;
  found.system.device_tree_model = "Raspberry Pi 5 Model B Rev 1.0";
  found.memory.total = kGiB * 7.87;
  EXPECT_EQ(match_host(found, {}, library()).id, "raspberry-pi-5");
  EXPECT_EQ(match_host(found, {}, library()).kind, MatchKind::exact);
  found.system.device_tree_model = "Raspberry Pi 4 Model B Rev 1.4";
  EXPECT_EQ(match_host(found, {}, library()).id, "raspberry-pi-4");
}

// A Spark: the GPU names itself, its memory is the RAM, of which 121.7 GiB show (nvitop, pull request 208, 2026-08).
TEST(MatchHost, ASparkIsKnownByItsGpu) {
  FoundMachine found;
  found.system.vendor = "NVIDIA";
  found.system.product = "NVIDIA_DGX_Spark";
  found.memory.total = Bytes(127600748.0 * 1024);
  FoundGpu gpu;
  gpu.name = "NVIDIA GB10";
  found.gpus = {gpu};
  EXPECT_EQ(match_host(found, {}, library()).id, "dgx-spark");
  EXPECT_EQ(match_host(found, {}, library()).kind, MatchKind::exact);
  found.system.vendor = "ASUSTeK";
  found.system.product = "GX10";
  EXPECT_EQ(match_host(found, {}, library()).kind, MatchKind::nearest) << "the same chip in another box";
}

// 96 of 128 GiB given to the graphics: 31 GiB of RAM and 96 GiB of graphics memory are one memory.
TEST(MatchHost, StrixHaloCountsWhatItsGraphicsGot) {
  FoundMachine found = box("AMD RYZEN AI MAX+ 395 w/ Radeon 8060S", "amd", 26, 112, 1, 16, "FRANMFCP06", 31);
  found.system.vendor = "Framework";
  found.system.product = "Desktop (AMD Ryzen AI Max 300 Series)";
  FoundGpu graphics;
  graphics.vendor = "amd";
  graphics.memory = kGiB * 96;
  found.gpus = {graphics};
  EXPECT_EQ(match_host(found, {}, library()).id, "framework-strix-halo");
  EXPECT_EQ(match_host(found, {}, library()).kind, MatchKind::exact);
  found.gpus[0].memory = kGiB * 32;
  const PartMatch smaller = match_host(found, {}, library());
  EXPECT_EQ(smaller.kind, MatchKind::none) << "64 GiB must not pass for 128";
  EXPECT_EQ(smaller.id, "");
  EXPECT_NE(smaller.words.find("framework-strix-halo"), std::string::npos);
}

TEST(MatchHost, NothingLikeItIsNone) {
  FoundMachine found = box("Loongson-3A5000", "", 0, 0, 1, 4, "", 16);
  EXPECT_EQ(match_host(found, {}, library()).kind, MatchKind::none);
  EXPECT_EQ(match_host(FoundMachine{}, {}, library()).id, "");
}

}  // namespace
}  // namespace oblea
