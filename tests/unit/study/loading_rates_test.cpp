#include "study/loading_rates.hpp"

#include <gtest/gtest.h>

#include "support/repository.hpp"

namespace oblea {
namespace {

const Storage& storage(const char* id) { return test::repository_library().storage.at(id); }

void expect_rate(const BandedRate& rate, double low, double value, double high) {
  EXPECT_NEAR(rate.low.value(), low, 1e-6 * low);
  EXPECT_NEAR(rate.value.value(), value, 1e-6 * value);
  EXPECT_NEAR(rate.high.value(), high, 1e-6 * high);
}

TEST(LoadingRates, ADatasheetIsWhatADriveReachesAtMost) {
  expect_rate(read_rate(storage("nvme-gen4-1tb")), 0.35 * 7.45e9, 7.45e9, 7.45e9);
}

TEST(LoadingRates, ConfidenceSetsTheBand) {
  Storage disk = storage("nvme-gen4-1tb");
  disk.read.source.confidence = Confidence::measured;
  expect_rate(read_rate(disk), 0.9 * 7.45e9, 7.45e9, 1.05 * 7.45e9);
  disk.read.source.confidence = Confidence::estimate;
  expect_rate(read_rate(disk), 0.5 * 7.45e9, 7.45e9, 1.25 * 7.45e9);
}

TEST(LoadingRates, MappedIsANumberOfItsOwn) {
  expect_rate(mapped_rate(storage("nvme-gen4-1tb")), 0.6705e9, 1.5e9, 3.129e9);
  Storage unknown = storage("nvme-gen4-1tb");
  unknown.mapped.reset();
  expect_rate(mapped_rate(unknown), 0.6705e9, 1.8625e9, 3.129e9);
}

TEST(LoadingRates, PageFaultsOnADiskAreNoFasterThanTheProfileSays) {
  expect_rate(mapped_rate(storage("hdd-8tb")), 0.018e9, 0.1e9, 0.1e9);
}

TEST(LoadingRates, ASwitchOfOneGigabitLeavesAGigabit) {
  const ProfileLibrary& library = test::repository_library();
  const Nic& nic = library.nics.at("nic-x520");
  expect_rate(wire_rate(nic, nullptr), 0.47 * 9.39e9 / 8, 9.39e9 / 8, 9.39e9 / 8);
  expect_rate(wire_rate(nic, &library.switches.at("switch-1gbe-8port")), 0.939e9 / 8, 0.939e9 / 8, 0.939e9 / 8);
}

TEST(LoadingRates, MemoryIsThatOfTheKit) {
  expect_rate(ram_copy_rate(nullptr), 4.8e9, 8e9, 12.8e9);
  Storage kit = storage("ram-ddr5-2x32");
  kit.read.value = BytesPerSecond(5e9);
  expect_rate(ram_copy_rate(&kit), 3e9, 5e9, 8e9);
}

}  // namespace
}  // namespace oblea
