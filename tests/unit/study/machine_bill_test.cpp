#include "study/machine_bill.hpp"

#include <gtest/gtest.h>

#include "unit/power/parts.hpp"

namespace oblea {
namespace {

using parts::known;

// Two boxes of two cards each, and a price list.
struct Shop {
  Shop() {
    card = parts::rtx_3090();
    card.id = "card";
    card.name = "Card";
    soc.kind = DeviceKind::soc;
    soc.id = "soc";
    host.id = "host";
    host.nic = "onboard";
    ram.id = "ram";
    disk.id = "disk";
    psu.id = "psu";
    onboard.id = "onboard";
    onboard.ports = known(1.0);
    nic.id = "nic";
    nic.ports = known(2.0);
    cable.id = "cable";
    network_switch.id = "switch";
    const Source source{"shop", "2026-02", Confidence::review};
    const auto price = [&](const char* id, double amount, Condition condition = Condition::is_new) {
      profiles.prices.prices.push_back({id, {amount, Currency::eur}, condition, source});
    };
    // Sorted by item, then new before used, as the reader leaves them.
    price("cable", 10);
    price("card", 900);
    price("card", 600, Condition::used);
    price("disk", 80);
    price("host", 300);
    price("nic", 40);
    price("psu", 150);
    price("ram", 60);
    price("switch", 200);
  }

  Box box() const {
    Box b;
    b.host = &host;
    b.devices = {&card, &card};
    b.nic = &onboard;
    b.ram = &ram;
    b.ram_kits = 2;
    b.disk = &disk;
    b.psu = &psu;
    b.psu_count = 1;
    return b;
  }

  double total(const Machine& machine, bool allow_used = true) {
    unpriced.clear();
    bill = make_bill(machine, profiles, Currency::eur, allow_used, unpriced);
    return bill_total(bill).value().value.amount;
  }

  int count_of(const std::string& id) const {
    for (const BillLine& line : bill.lines) {
      if (line.item == id) return line.count;
    }
    return 0;
  }

  Device card, soc;
  Host host;
  Storage ram, disk;
  Psu psu;
  Nic onboard, nic;
  Cable cable;
  Switch network_switch;
  ProfileLibrary profiles;
  Bill bill;
  std::vector<std::string> unpriced;
};

// 2 x 600 + 300 + 2 x 60 + 80 + 150 = 1,850 EUR.
TEST(MachineBill, AddsUpABox) {
  Shop shop;
  EXPECT_DOUBLE_EQ(shop.total({{shop.box()}}), 1850);
  EXPECT_EQ(shop.count_of("card"), 2);
  EXPECT_EQ(shop.count_of("onboard"), 0) << "the host's own NIC comes with it";
}

// 2 x 900 + 650 = 2,450 EUR.
TEST(MachineBill, BuysNewWhereUsedIsNotWanted) {
  Shop shop;
  EXPECT_DOUBLE_EQ(shop.total({{shop.box()}}, false), 2450);
}

// Twice 1,850, two NICs of 40, a switch and two cables: 3,700 + 80 + 200 + 20 = 4,000 EUR.
TEST(MachineBill, JoinsTwoBoxesAndCountsEqualPartsTogether) {
  Shop shop;
  Box box = shop.box();
  box.nic = &shop.nic;
  Machine machine{{box, box}, &shop.network_switch, &shop.cable, 2};
  EXPECT_DOUBLE_EQ(shop.total(machine), 4000);
  EXPECT_EQ(shop.count_of("card"), 4);
  EXPECT_EQ(shop.count_of("nic"), 2);
}

// Three bonded ports of a card with two: two cards.
TEST(MachineBill, BondedPortsMayNeedASecondNic) {
  Shop shop;
  Box box = shop.box();
  box.nic = &shop.nic;
  box.nic_ports = 3;
  shop.total({{box}});
  EXPECT_EQ(shop.count_of("nic"), 2);
  box.nic_ports = 2;
  shop.total({{box}});
  EXPECT_EQ(shop.count_of("nic"), 1);
}

// One card is there already, host, RAM and supply too: 600 + 80 = 680 EUR.
TEST(MachineBill, WhatIsOwnedCostsNothing) {
  Shop shop;
  Box box = shop.box();
  box.owned = box.owned_psu = true;
  box.owned_devices = 1;
  EXPECT_DOUBLE_EQ(shop.total({{box}}), 680);
  EXPECT_EQ(shop.count_of("card"), 1);
  EXPECT_EQ(shop.count_of("host"), 0);
  EXPECT_EQ(shop.count_of("psu"), 0);
}

TEST(MachineBill, ASocComesWithItsBox) {
  Shop shop;
  Box box;
  box.host = &shop.host;
  box.devices = {&shop.soc};
  box.nic = &shop.onboard;
  EXPECT_DOUBLE_EQ(shop.total({{box}}), 300);
  EXPECT_TRUE(shop.unpriced.empty());
}

TEST(MachineBill, NamesEveryPartWithoutAPriceOnce) {
  Shop shop;
  Device rare = shop.card;
  rare.id = "rare";
  Box box = shop.box();
  box.devices = {&rare, &shop.card, &rare};
  shop.psu.id = "unknown-psu";
  shop.total({{box, box}});
  EXPECT_EQ(shop.unpriced, (std::vector<std::string>{"rare", "unknown-psu"}));
  EXPECT_EQ(shop.count_of("rare"), 0);
}

// The bill keeps the price as it was offered, and its rate.
TEST(MachineBill, APriceInDollarsStaysInDollarsUntilItIsSummed) {
  Shop shop;
  shop.profiles.prices.rates.euros_per_usd = 0.9;
  shop.profiles.prices.prices[1].money = shop.profiles.prices.prices[2].money = {1000, Currency::usd};
  EXPECT_DOUBLE_EQ(shop.total({{shop.box()}}), 1850 - 1200 + 2 * 900);
  EXPECT_EQ(shop.bill.lines[0].unit_price, (Money{1000, Currency::usd}));
}

}  // namespace
}  // namespace oblea
