#include "study/machine_links.hpp"

#include <gtest/gtest.h>

#include "support/repository.hpp"

namespace oblea {
namespace {

Machine one_box(const char* host, const char* card, int count, PcieSlot slot) {
  const ProfileLibrary& library = test::repository_library();
  Box box;
  box.host = find(library.hosts, host);
  box.devices.assign(static_cast<std::size_t>(count), find(library.devices, card));
  box.slots.assign(static_cast<std::size_t>(count), slot);
  box.nic = find(library.nics, box.host->nic);
  Machine machine;
  machine.boxes = {box};
  return machine;
}

// nccl-tests on four H200 (aiconfigurator @095f58a): 10.9 us for 16,384 B. The profile's 5 us is a whole transfer with
// its launch, which the collective's software share holds already: six of those would make 35 us.
TEST(MachineLinks, ARingOverNvlinkPaysTheLaunchOnce) {
  const auto links = make_machine_links(one_box("hgx-8gpu", "h100-sxm-80", 4, {5, 16, 2}), test::repository_library());
  ASSERT_TRUE(links);
  EXPECT_EQ(links->inside.kind, LinkClass::nvlink);
  EXPECT_NEAR(all_reduce_time(4, Bytes(16384), links->inside).value.value(), 10.9e-6, 0.15 * 10.9e-6);
}

// Half of gen 4 x16 (25 GB/s), 15 us: consumer cards bounce through host memory.
TEST(MachineLinks, ConsumerCardsBounceThroughTheHost) {
  const Machine machine = one_box("epyc-7302-romed8-2t-open-frame", "rtx-3090", 2, {4, 16, 3});
  const auto links = make_machine_links(machine, test::repository_library());
  ASSERT_TRUE(links);
  EXPECT_EQ(links->inside.kind, LinkClass::pcie_host_bounce);
  EXPECT_DOUBLE_EQ(links->inside.goodput.value(), 12.5e9);
  EXPECT_DOUBLE_EQ(links->inside.latency.value(), 15e-6);
  EXPECT_EQ(links->between.goodput.value(), 0);
}

TEST(MachineLinks, OneCardReachesNoOther) {
  const Machine machine = one_box("am4-b550-ryzen-5600", "rtx-3090", 1, {4, 16, 3});
  const auto links = make_machine_links(machine, test::repository_library());
  ASSERT_TRUE(links);
  EXPECT_EQ(links->inside.goodput.value(), 0);
}

}  // namespace
}  // namespace oblea
