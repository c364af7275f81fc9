// ScenarioSections: what the sections of a scenario file are read with: members, places of faults, ids of profiles.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/core.h>

#include "base/suggest.hpp"
#include "hardware/library.hpp"
#include "io/fields.hpp"
#include "io/scenario_traffic.hpp"

namespace oblea {

// What a scenario's names are looked up in.
struct Shelves {
  const ProfileLibrary& profiles;
  const std::string& models_folder;
  TraceShelf& traces;
};

template <class T>
std::size_t index_of(const std::vector<T>& list, const T& item) {
  return static_cast<std::size_t>(std::find(list.begin(), list.end(), item) - list.begin());
}

// A member object, or nothing; the reader notes unknown keys at the end of its life in `finish`.
std::optional<ObjectReader> member_object(ObjectReader& parent, std::string_view key);

// Where the entry `index` of a list stands, or the value itself where a single text takes the list's place.
const JsonValue& place_of(ObjectReader& reader, std::string_view key, std::size_t index = 0);

// Notes a fault unless `id` is one of the profiles.
template <class T>
void check_id(ObjectReader& reader, std::string_view key, const std::string& id, const std::map<std::string, T>& known,
              std::size_t index = 0) {
  if (id.empty() || known.contains(id)) return;
  reader.fault(place_of(reader, key, index), fmt::format("\"{}\": no profile has the id \"{}\"", key, id),
               reader.is_full() ? "" : suggest(id, ids_of(known)));
}

}  // namespace oblea
