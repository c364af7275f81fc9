#include "cost/facility.hpp"

#include "base/check.hpp"

namespace oblea {

FacilityWatts facility_watts(Watts build, const Facility& facility) {
  OBLEA_CHECK(facility.pumps_and_fans.value() >= 0 && facility.chiller_cop >= 0 && facility.distribution_loss >= 0,
              "a facility only adds watts");
  FacilityWatts watts;
  watts.build = build;
  watts.distribution = build * facility.distribution_loss;
  watts.pumps_and_fans = facility.pumps_and_fans;
  const Watts heat = watts.build + watts.distribution + watts.pumps_and_fans;
  if (facility.chiller_cop > 0) watts.chiller = heat / facility.chiller_cop;
  watts.total = heat + watts.chiller;
  return watts;
}

DayWatts facility_watts(const DayWatts& build, const Facility& facility) {
  DayWatts day;
  for (std::size_t hour = 0; hour < day.size(); ++hour) day[hour] = facility_watts(build[hour], facility).total;
  return day;
}

double pue(const DayWatts& build, const Facility& facility) {
  const Joules of_build = day_energy(build);
  OBLEA_CHECK(of_build.value() > 0, "the PUE of a build that is off is no number");
  return day_energy(facility_watts(build, facility)) / of_build;
}

double pue_of_cooling_share(double share) {
  OBLEA_CHECK(share >= 0 && share < 1, "cooling is less than the whole bill");
  return 1 / (1 - share);
}

}  // namespace oblea
