#include "study/compatibility.hpp"

#include <gtest/gtest.h>

#include "unit/power/parts.hpp"

namespace oblea {
namespace {

using parts::known;

Device card(double generation = 4, double lanes = 16, double width = 2) {
  Device device = parts::rtx_3090();
  device.name = "card";
  device.pcie_generation = known(generation);
  device.pcie_lanes = known(lanes);
  device.slot_width = known(width);
  return device;
}

Host host(std::vector<PcieSlot> slots, double gpu_max = 8) {
  Host h;
  h.slots = known(std::move(slots));
  h.gpu_max = known(gpu_max);
  return h;
}

TEST(NegotiatedLink, IsTheOlderGenerationAndTheFewerLanes) {
  const PcieSlot slow = negotiated_link(card(4, 16), {3, 4, 2});  // the example of the header
  EXPECT_EQ(slow.generation, 3);
  EXPECT_EQ(slow.lanes, 4);
  const PcieSlot narrow_card = negotiated_link(card(5, 8), {4, 16, 2});
  EXPECT_EQ(narrow_card.generation, 4);
  EXPECT_EQ(narrow_card.lanes, 8);
}

TEST(NegotiatedLink, ACardThatSaysNothingIsGen4x16) {
  const PcieSlot link = negotiated_link(parts::rtx_3090(), {5, 16, 2});
  EXPECT_EQ(link.generation, 4);
  EXPECT_EQ(link.lanes, 16);
}

TEST(SeatCards, FillsTheSlotsInOrder) {
  const Device a = card(), b = card(3);
  std::vector<PcieSlot> links;
  EXPECT_EQ(seat_cards(host({{4, 16, 2}, {4, 4, 2}}), {&a, &b}, nullptr, links), "");
  ASSERT_EQ(links.size(), 2u);
  EXPECT_EQ(links[0].lanes, 16);
  EXPECT_EQ(links[1].lanes, 4);
  EXPECT_EQ(links[1].generation, 3);
}

TEST(SeatCards, SaysHowManySlotsAreMissing) {
  const Device a = card();
  std::vector<PcieSlot> links;
  EXPECT_EQ(seat_cards(host({{4, 16, 2}, {4, 4, 2}}), {&a, &a, &a}, nullptr, links), "2 slots for 3 cards");
}

TEST(SeatCards, ANicThatIsACardTakesASlotAndOneOnBoardDoesNot) {
  const Device a = card();
  Nic added, on_board;
  added.pcie_lanes = known(8.0);
  std::vector<PcieSlot> links;
  const Host two = host({{4, 16, 2}, {4, 4, 2}});
  EXPECT_EQ(seat_cards(two, {&a, &a}, &added, links), "2 slots for 2 cards and a NIC");
  EXPECT_EQ(seat_cards(two, {&a, &a}, &on_board, links), "");
  EXPECT_EQ(seat_cards(two, {&a}, &added, links), "");
}

TEST(SeatCards, TheCaseHasItsLimit) {
  const Device a = card();
  std::vector<PcieSlot> links;
  EXPECT_EQ(seat_cards(host({{4, 16, 2}, {4, 16, 2}, {4, 16, 2}}, 2), {&a, &a, &a}, nullptr, links),
            "room for 2 cards, not 3");
}

TEST(SeatCards, AWideCardNeedsRoomUnlessItHangsOnARiser) {
  const Device wide = card(4, 16, 3);
  std::vector<PcieSlot> links;
  Host h = host({{4, 16, 3}, {4, 4, 2}});
  EXPECT_EQ(seat_cards(h, {&wide, &wide}, nullptr, links), "card is 3 slots wide, slot 2 has room for 2");
  h.risers = true;
  EXPECT_EQ(seat_cards(h, {&wide, &wide}, nullptr, links), "");
}

TEST(SeatCards, NoCardsAlwaysGo) {
  std::vector<PcieSlot> links{{1, 1, 1}};
  EXPECT_EQ(seat_cards(host({}, 0), {}, nullptr, links), "");
  EXPECT_TRUE(links.empty()) << "what stood there before is gone";
}

Storage kit(const char* ram_kind, double gib, double modules) {
  Storage s;
  s.kind = StorageKind::ram;
  s.ram_kind = ram_kind;
  s.capacity = known(kGiB * gib);
  s.ram_modules = known(modules);
  return s;
}

Host board(const char* ram_kind, double slots, double gib_max) {
  Host h;
  h.ram_kind = known(std::string(ram_kind));
  h.ram_slots = known(slots);
  h.ram_max = known(kGiB * gib_max);
  return h;
}

TEST(KitsFor, TakesAsManyKitsAsItNeeds) {
  const Host h = board("ddr4", 4, 128);
  EXPECT_EQ(kits_for(h, kit("ddr4", 32, 2), kGiB * 32), 1);
  EXPECT_EQ(kits_for(h, kit("ddr4", 32, 2), kGiB * 33), 2);
  EXPECT_EQ(kits_for(h, kit("ddr4", 32, 2), Bytes(0)), 1);
}

TEST(KitsFor, RefusesTheWrongKindTooManyModulesAndTooMuch) {
  const Host h = board("ddr4", 4, 64);
  EXPECT_EQ(kits_for(h, kit("ddr5", 32, 2), kGiB * 32), 0);
  EXPECT_EQ(kits_for(h, kit("ddr4", 32, 4), kGiB * 33), 0) << "8 modules on 4 slots";
  EXPECT_EQ(kits_for(h, kit("ddr4", 64, 2), kGiB * 65), 0) << "128 GiB on a board for 64";
  Storage disk = kit("ddr4", 32, 2);
  disk.kind = StorageKind::nvme;
  EXPECT_EQ(kits_for(h, disk, kGiB), 0);
}

TEST(MatchingPorts, CountsPortsOfThePlugThatAreFastEnough) {
  Switch s;
  s.ports = known(std::vector<SwitchPorts>{
      {"sfp+", BytesPerSecond(1.25e9), 8}, {"rj45", BytesPerSecond(1.25e8), 1}, {"sfp+", BytesPerSecond(1.25e8), 2}});
  Nic nic;
  nic.port = "sfp+";
  nic.line_rate = known(BytesPerSecond(1.25e9));
  EXPECT_EQ(matching_ports(s, nic), 8);
  nic.line_rate = known(BytesPerSecond(1.25e8));
  EXPECT_EQ(matching_ports(s, nic), 10);
  nic.port = "qsfp28";
  EXPECT_EQ(matching_ports(s, nic), 0);
}

}  // namespace
}  // namespace oblea
