#include "io/model_writer.hpp"

#include <gtest/gtest.h>

#include "io/model_file.hpp"
#include "llm/footprint.hpp"
#include "support/json_schema.hpp"
#include "support/repository.hpp"

namespace oblea {
namespace {

ModelSpec read_back(const ModelSpec& model) {
  Diagnostics warnings;
  Result<ModelSpec> read = parse_model(write_model_file(model), "written.json", warnings);
  EXPECT_TRUE(read) << (read ? "" : print_diagnostics(read.error()));
  return read ? *read : ModelSpec{};
}

TEST(ModelWriter, EveryModelOfTheLibraryReadsBackTheSame) {
  const std::vector<std::string> ids = list_models(test::repository_path("scenarios/models")).value();
  ASSERT_GT(ids.size(), 70u);
  for (const std::string& id : ids) {
    const ModelSpec model = test::repository_model(id);
    const ModelSpec read = read_back(model);
    EXPECT_TRUE(read.layers == model.layers) << id;
    EXPECT_EQ(read.hidden, model.hidden) << id;
    EXPECT_EQ(read.extra_parameters, model.extra_parameters) << id;
    EXPECT_EQ(read.native_format, model.native_format) << id;
    EXPECT_EQ(read.public_active_parameters, model.public_active_parameters) << id;
    EXPECT_EQ(write_model_file(read), write_model_file(model)) << id;
  }
}

ModelSpec with_stored_weights() {
  ModelSpec model = test::repository_model("qwen3-30b-a3b");
  StoredWeights stored;
  stored.label = "Q4_K_M";
  for (std::size_t i = 0; i < model.layers.size(); ++i) {
    StoredLayer layer;
    layer.trunk.add(TensorFormat::q4_k, 1e6 + (i < 3 ? 144 : 0));
    layer.trunk.add(TensorFormat::f32, 4096);
    layer.experts.add(TensorFormat::q6_k, 128 * 210.0);
    stored.layers.push_back(layer);
  }
  stored.embedding.add(TensorFormat::q4_k, 5e6);
  stored.extra.add(TensorFormat::bf16, 700);
  model.stored = stored;
  return model;
}

TEST(ModelWriter, StoredWeightsReadBackToTheByte) {
  const ModelSpec model = with_stored_weights();
  const ModelSpec read = read_back(model);
  ASSERT_TRUE(read.stored);
  EXPECT_EQ(read.stored->label, "Q4_K_M");
  EXPECT_TRUE(read.stored->layers == model.stored->layers);
  EXPECT_TRUE(read.stored->embedding == model.stored->embedding);
  EXPECT_TRUE(read.stored->head.empty());
  EXPECT_TRUE(read.stored->extra == model.stored->extra);
  EXPECT_EQ(read.stored->total(), model.stored->total());
}

TEST(ModelWriter, WritesWhatTheSchemaAllows) {
  EXPECT_EQ(test::schema_faults("model", write_model_file(with_stored_weights())), "");
}

// Q6_K: 128 experts of 210 bytes; the file has no head, so the embedding is read as one.
TEST(StoredWeights, AreWhatTheFootprintHolds) {
  const ModelSpec model = with_stored_weights();
  const ModelFootprint footprint = make_footprint(model, *find_mixture("stored"));
  EXPECT_EQ(footprint.weights(), model.stored->total());
  EXPECT_EQ(footprint.layers[0].weights, Bytes(1e6 + 144 + 4096 + 128 * 210.0));
  EXPECT_EQ(footprint.layers[0].expert_read.total(), Bytes(210));
  EXPECT_TRUE(footprint.tied_embeddings);
  EXPECT_EQ(footprint.head_read.total(), Bytes(5e6));
  EXPECT_EQ(footprint.extra, Bytes(700));
}

std::string faults_of_stored(const std::string& stored) {
  ModelSpec model = test::repository_model("llama-3.1-8b");
  std::string text = write_model_file(model);
  text.insert(text.rfind('}'), ", \"stored\": " + stored);
  Diagnostics warnings;
  const Result<ModelSpec> read = parse_model(text, "m.json", warnings);
  return read ? "" : print_diagnostics(read.error());
}

TEST(StoredWeights, FaultsAreNamed) {
  EXPECT_EQ(faults_of_stored(R"({"embedding": {"Q4_K": 1}, "layers": [{"repeat": 32, "trunk": {"F32": 4}}]})"), "");
  EXPECT_NE(faults_of_stored(R"({"embedding": {}, "layers": [{"repeat": 31, "trunk": {"F32": 4}}]})")
                .find("weights of 31 layers are stored; the model has 32"),
            std::string::npos);
  EXPECT_NE(faults_of_stored(R"({"embedding": {"Q4_KM": 1}, "layers": [{"repeat": 32}]})").find("no tensor format"),
            std::string::npos);
  EXPECT_NE(faults_of_stored(R"({"embedding": {"Q4_K": -1}, "layers": [{"repeat": 32}]})").find("Q4_K"),
            std::string::npos);
  EXPECT_NE(
      faults_of_stored(R"({"layers": [{"repeat": 4096}, {"repeat": 4096}]})").find("more than 4096 stored layers"),
      std::string::npos);
}

}  // namespace
}  // namespace oblea
