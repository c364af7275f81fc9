// A report with something in every part.
#pragma once

#include "report/report.hpp"

namespace oblea::test {

inline Report example_report() {
  Bill bill;
  bill.currency = Currency::eur;
  bill.rates.euros_per_usd = 0.9;
  const Source source{"a shop", "2026-02", Confidence::review};
  bill.lines = {{"rtx-3090", "RTX 3090", 2, {650, Currency::usd}, Condition::used, source},
                {"psu-1000-gold", "1000 W Gold", 1, {150, Currency::eur}, Condition::is_new, source}};
  const Metric speed = make_metric("decode_tokens_per_s", 17.25, "tok/s", 15, 19.5, Origin::measured_elsewhere);
  const Metric price = exact_metric("price", 1320, "EUR");
  const Verdict fits{"does-not-fit", Answer::yes, "40 of 48 GiB"};
  const DeviceRow device{"RTX 3090 #1", "0-39", kGiB * 24, kGiB * 20, kGiB, Bytes(0), kGiB, kGiB * 2};

  Report report;
  report.command = "size";
  report.question = "Which build runs a 70B for two?";
  report.version = "0.1.0";
  report.input_hash = "00000000000000aa";
  report.profiles_hash = "ffffffffffffffff";
  report.metrics = {speed, price};
  report.verdicts = {fits, {"supply-overloaded", Answer::tight, "97 %"}, {"circuit", Answer::no, "3.7 kW on 3.68 kW"}};
  report.placement = {device};
  report.options = {{"IQ2_M, layer split", true, "about 13,100 tokens", 13100, 20},
                    {"Q8_0", false, "missing 20 GiB", 0, 0}};
  report.claims = {{"it fits", "fits", "fits = true", "fits = true", ClaimOutcome::confirmed, "40 < 48"},
                   {"it is fast", "speed", "30", "17.25", ClaimOutcome::refuted, ""},
                   {"it is fun", "fun", "1", "", ClaimOutcome::unknown, ""}};
  report.bill = bill;
  report.builds = {{"2x RTX 3090 (used)",
                    "fastest",
                    "Q4_K_M",
                    "layer split, 40 + 40 layers",
                    bill,
                    {speed, price},
                    {fits},
                    {device}}};
  report.lost = {{"1x RTX 3090", {600, Currency::eur}, "does not hold the model: 24 of 43 GiB"}};
  report.notes = {"one user at a time"};
  report.provenance = {"techpowerup.com, 2026-02"};
  return report;
}

}  // namespace oblea::test
