// ScenarioModel: the sections of a scenario file that say what runs: "model", "draft", "lora", "vision".
#pragma once

#include "io/scenario_sections.hpp"
#include "study/scenario.hpp"

namespace oblea {

// Notes a fault where no mixture has the name; else writes it as the mixture does.
void check_mixture(ObjectReader& reader, std::string_view key, std::string& name, std::size_t index = 0);

// "model": of the library, or a file of its own; its quantisation and its cache.
void parse_model_choice(ObjectReader& root, const Shelves& shelves, Scenario& scenario, Diagnostics& warnings);

// Where the scenario names no quantisation: the format that the weights were published in where the engine runs it and
// four bits are enough, else the one that most people run.
std::string default_mixture(const ModelSpec& model, Engine engine);

// "draft", "lora", "vision": what stands beside the model.
void parse_draft(ObjectReader& root, const Shelves& shelves, Scenario& scenario, Diagnostics& warnings);
void parse_lora(ObjectReader& root, Scenario& scenario);
void parse_vision(ObjectReader& root, Scenario& scenario);

}  // namespace oblea
