// The names under which config.json files of all families write the same thing, as data. The usual name comes first:
// it is the one that a message asks for.
#pragma once

#include "io/huggingface/config_reader.hpp"

namespace oblea::config_key {

// Width and depth.
inline const ConfigKey kLayers{"number of layers",
                               {"num_hidden_layers", "n_layer", "n_layers", "num_layers", "num_transformer_layers",
                                "num_decoder_layers", "decoder_layers"}};
inline const ConfigKey kHidden{"hidden size", {"hidden_size", "n_embd", "n_embed", "d_model", "model_dim", "dim"}};
inline const ConfigKey kVocabulary{"vocabulary size", {"padded_vocab_size", "vocab_size", "n_vocab"}};
inline const ConfigKey kContext{"maximum context",
                                {"max_position_embeddings", "n_positions", "max_seq_len", "seq_length", "n_ctx",
                                 "max_sequence_length", "model_max_length", "max_context_length"}};
inline const ConfigKey kTied{"tied embeddings", {"tie_word_embeddings", "tie_embedding", "tie_embeddings"}};
inline const ConfigKey kModelType{"model type", {"model_type"}};
inline const ConfigKey kDtype{"data type", {"dtype", "torch_dtype", "params_dtype"}};

// Attention.
inline const ConfigKey kHeads{
    "number of attention heads",
    {"num_attention_heads", "n_head", "n_heads", "num_query_heads", "num_heads", "attention_heads"}};
inline const ConfigKey kKvHeads{
    "number of KV heads",
    {"num_key_value_heads", "num_kv_heads", "n_head_kv", "multi_query_group_num", "attn_config.kv_n_heads",
     "n_kv_heads", "num_query_groups", "num_attention_groups", "kv_heads"}};
inline const ConfigKey kHeadDim{"head dimension",
                                {"head_dim", "attention_head_dim", "kv_channels", "attn_head_dim", "d_head"}};
inline const ConfigKey kValueDim{"head dimension of V", {"v_head_dim"}};
inline const ConfigKey kMultiQuery{"multi-query attention", {"multi_query"}};
inline const ConfigKey kNewDecoder{"Falcon's new decoder", {"new_decoder_architecture"}};
inline const ConfigKey kQkvBias{
    "bias of Q, K and V",
    {"qkv_bias", "use_qkv_bias", "add_qkv_bias", "attention_bias", "use_bias", "add_bias_linear", "bias"}};
inline const ConfigKey kOutputBias{"bias of the attention's output",
                                   {"attention_out_bias", "o_proj_bias", "use_bias", "add_bias_linear", "bias"}};
inline const ConfigKey kMlpBias{"bias of the MLP", {"mlp_bias", "use_bias", "add_bias_linear", "bias"}};
inline const ConfigKey kNoBias{"no bias", {"no_bias"}};
inline const ConfigKey kQkNorm{"norm of Q and K", {"use_qk_norm", "qk_norm", "qk_layernorm", "use_qk_layernorm"}};
inline const ConfigKey kOutputGate{"gate of the attention's output", {"attn_output_gate"}};
inline const ConfigKey kSlidingKvHeads{"number of KV heads of sliding layers", {"swa_num_key_value_heads"}};
inline const ConfigKey kSlidingHeads{"number of attention heads of sliding layers", {"swa_num_attention_heads"}};
inline const ConfigKey kSlidingHeadDim{"head dimension of sliding layers", {"swa_head_dim"}};
inline const ConfigKey kSlidingValueDim{"head dimension of V of sliding layers", {"swa_v_head_dim"}};
inline const ConfigKey kGlobalKvHeads{"number of KV heads of global layers", {"num_global_key_value_heads"}};
inline const ConfigKey kGlobalHeadDim{"head dimension of global layers", {"global_head_dim"}};
inline const ConfigKey kKeyIsValue{"one projection for K and V", {"attention_k_eq_v"}};
inline const ConfigKey kSharesAcross{"KV shared across layers", {"use_cla"}};
inline const ConfigKey kShareFactor{"layers that share one KV", {"cla_share_factor"}};
inline const ConfigKey kSharedKvLayers{"layers that share KV", {"num_kv_shared_layers"}};

// Latent, compressed and sparse attention.
inline const ConfigKey kKvLora{"rank of the latent KV", {"kv_lora_rank"}};
inline const ConfigKey kQueryLora{"rank of the latent Q", {"q_lora_rank"}};
inline const ConfigKey kRopeDim{"rotary head dimension", {"qk_rope_head_dim"}};
inline const ConfigKey kNopeDim{"head dimension without rotary part", {"qk_nope_head_dim"}};
inline const ConfigKey kLatentGate{"gate of the latent attention's output", {"mla_use_output_gate"}};
inline const ConfigKey kIndexHeads{"heads of the indexer",
                                   {"index_n_heads", "sparse_attention_config.sparse_num_index_heads"}};
inline const ConfigKey kIndexDim{"head dimension of the indexer",
                                 {"index_head_dim", "sparse_attention_config.sparse_index_dim"}};
inline const ConfigKey kIndexTop{"tokens picked by the indexer", {"index_topk"}};
inline const ConfigKey kSparseBlock{"block of the sparse attention", {"sparse_attention_config.sparse_block_size"}};
inline const ConfigKey kSparseBlocks{"blocks picked by the indexer", {"sparse_attention_config.sparse_topk_blocks"}};
inline const ConfigKey kSparseLayers{"sparse layers", {"sparse_attention_config.sparse_attention_freq"}};
inline const ConfigKey kUseSparse{"use of sparse attention", {"sparse_attention_config.use_sparse_attention"}};
inline const ConfigKey kCompressRatios{"compression ratios", {"compress_ratios"}};
inline const ConfigKey kOutputGroups{"groups of the output projection", {"o_groups"}};
inline const ConfigKey kOutputRank{"rank of the output projection", {"o_lora_rank"}};

// Which layer is what.
inline const ConfigKey kLayerTypes{"kinds of layers", {"layer_types", "layers_block_type", "block_types"}};
inline const ConfigKey kHybridPattern{"pattern of layers", {"hybrid_override_pattern"}};
inline const ConfigKey kBlockConfigs{"block configurations", {"block_configs"}};
inline const ConfigKey kWindow{"sliding window", {"sliding_window", "sliding_window_size", "window_size"}};
inline const ConfigKey kChunk{"attention chunk", {"attention_chunk_size"}};
inline const ConfigKey kUseWindow{"use of the sliding window", {"use_sliding_window"}};
inline const ConfigKey kWindowFrom{"first layer with a window", {"max_window_layers"}};
inline const ConfigKey kWindowPattern{
    "pattern of sliding layers",
    {"sliding_window_pattern", "_sliding_window_pattern", "layer_switch", "global_attn_every_n_layers"}};
inline const ConfigKey kSlidingFlags{"sliding layers", {"hybrid_layer_pattern", "is_sliding"}};
inline const ConfigKey kAttentionTypes{"attention types", {"attention_types"}};
inline const ConfigKey kFullLayers{"layers with full attention", {"full_attn_idxs", "attn_layer_indices"}};
inline const ConfigKey kFullInterval{"interval of full attention", {"full_attention_interval"}};
inline const ConfigKey kFullTypes{"types of attention", {"attn_type_list"}};
inline const ConfigKey kAttentionPeriod{"period of attention layers", {"attn_layer_period"}};
inline const ConfigKey kAttentionOffset{"offset of attention layers", {"attn_layer_offset"}};
inline const ConfigKey kNoRopeLayers{"layers without rotary embedding", {"no_rope_layers"}};
inline const ConfigKey kCrossLayers{"cross-attention layers", {"cross_attention_layers"}};
inline const ConfigKey kDeltaLayers{"KDA layers", {"linear_attn_config.kda_layers"}};
inline const ConfigKey kDeltaFullLayers{"full layers between KDA layers", {"linear_attn_config.full_attn_layers"}};

// Recurrent layers.
inline const ConfigKey kLinearKeyHeads{"key heads of linear attention", {"linear_num_key_heads"}};
inline const ConfigKey kLinearValueHeads{"value heads of linear attention", {"linear_num_value_heads"}};
inline const ConfigKey kLinearKeyDim{"key dimension of linear attention", {"linear_key_head_dim"}};
inline const ConfigKey kLinearValueDim{"value dimension of linear attention", {"linear_value_head_dim"}};
inline const ConfigKey kLinearTaps{"taps of linear attention's convolution", {"linear_conv_kernel_dim"}};
inline const ConfigKey kDeltaHeads{"heads of KDA", {"linear_attn_config.num_heads"}};
inline const ConfigKey kDeltaDim{"head dimension of KDA", {"linear_attn_config.head_dim"}};
inline const ConfigKey kDeltaTaps{"taps of KDA's convolution", {"linear_attn_config.short_conv_kernel_size"}};
inline const ConfigKey kDeltaFullGate{"full-rank gate of KDA", {"linear_attn_config.use_full_rank_gate"}};
inline const ConfigKey kSsmHeads{"heads of Mamba 2", {"mamba_num_heads", "mamba_n_heads"}};
inline const ConfigKey kSsmHeadDim{"head dimension of Mamba 2", {"mamba_head_dim", "mamba_d_head"}};
inline const ConfigKey kSsmState{"state size of Mamba", {"ssm_state_size", "mamba_d_state", "state_size"}};
inline const ConfigKey kSsmGroups{"groups of Mamba 2", {"mamba_n_groups", "n_groups", "mamba_ngroups"}};
inline const ConfigKey kSsmTaps{"taps of Mamba's convolution", {"conv_kernel", "mamba_d_conv"}};
inline const ConfigKey kSsmExpand{"expansion of Mamba", {"mamba_expand", "expand"}};
inline const ConfigKey kSsmInner{"inner width of Mamba", {"mamba_d_ssm", "mamba_intermediate_size", "d_inner"}};
inline const ConfigKey kSsmStepRank{"rank of Mamba 1's step", {"mamba_dt_rank", "time_step_rank"}};
inline const ConfigKey kBesideWidth{"inner width of the Mamba beside attention", {"mamba_d_ssm"}};
inline const ConfigKey kConvTaps{"taps of the short convolution", {"conv_L_cache"}};
inline const ConfigKey kConvWidth{"width of the short convolution", {"conv_dim"}};

// MLP and experts.
inline const ConfigKey kIntermediate{"width of the MLP",
                                     {"intermediate_size", "n_inner", "ffn_hidden_size", "ffn_dim", "block_ff_dim",
                                      "ff_intermediate_size", "ffn_config.ffn_hidden_size"}};
inline const ConfigKey kDenseWidth{"width of dense layers among experts",
                                   {"dense_intermediate_size", "intermediate_size_mlp"}};
inline const ConfigKey kExpansion{"expansion of the MLP", {"expansion_ratio", "mlp_ratio"}};
inline const ConfigKey kExperts{"number of experts",
                                {"num_experts", "n_routed_experts", "num_local_experts", "moe_num_experts",
                                 "ffn_config.moe_num_experts", "num_moe_experts"}};
inline const ConfigKey kActive{"experts a token",
                               {"num_experts_per_tok", "num_experts_per_token", "moe_k", "moe_topk", "top_k_experts",
                                "moe_top_k", "ffn_config.moe_top_k", "num_selected_experts", "num_experts_per_topk"}};
inline const ConfigKey kExpertWidth{"width of an expert",
                                    {"moe_intermediate_size", "expert_intermediate_size", "moe_ffn_hidden_size",
                                     "expert_ffn_hidden_size", "ffn_config.ffn_hidden_size"}};
inline const ConfigKey kShared{
    "shared experts", {"n_shared_experts", "num_shared_experts", "moe_num_shared_experts", "num_shared_expert"}};
inline const ConfigKey kSharedWidth{
    "width of the shared experts",
    {"moe_shared_expert_intermediate_size", "shared_expert_intermediate_size", "shared_intermediate_size"}};
inline const ConfigKey kExpertHidden{"width that experts see", {"moe_latent_size", "routed_expert_hidden_size"}};
inline const ConfigKey kMoeBeside{"experts beside the MLP", {"enable_moe_block"}};
inline const ConfigKey kDenseFirst{
    "dense layers first", {"first_k_dense_replace", "num_dense_layers", "n_dense_layers", "moe_layer_start_index"}};
inline const ConfigKey kMoeFrequency{"layers with experts", {"moe_layer_freq", "is_moe_layer"}};
inline const ConfigKey kMoeStep{"step of layers with experts",
                                {"decoder_sparse_step", "interleave_moe_layer_step", "moe_layer_interval"}};
inline const ConfigKey kMoePeriod{"period of layers with experts", {"expert_layer_period"}};
inline const ConfigKey kMoeOffset{"offset of layers with experts", {"expert_layer_offset"}};
inline const ConfigKey kMoeLayers{"layers with experts", {"moe_layers"}};
inline const ConfigKey kDenseLayers{"layers without experts", {"mlp_only_layers"}};
inline const ConfigKey kMlpTypes{"kinds of MLP", {"mlp_layer_types"}};
inline const ConfigKey kDoubleWide{"twice as wide MLP in layers that share KV", {"use_double_wide_mlp"}};
inline const ConfigKey kAdjustWidth{"adjusted width of the MLP", {"block_auto_adjust_ff_dim"}};
inline const ConfigKey kWidthMultiplier{"multiplier of the MLP's width", {"block_ffn_dim_multiplier"}};
inline const ConfigKey kWidthMultiple{"multiple of the MLP's width", {"block_multiple_of"}};
inline const ConfigKey kWidthMultipliers{"multipliers of the MLP's width", {"ffn_multipliers"}};
inline const ConfigKey kWidthDivisor{"divisor of the MLP's width", {"ffn_dim_divisor"}};
inline const ConfigKey kActivation{"activation",
                                   {"mlp_hidden_act", "hidden_act", "activation_function", "hidden_activation"}};

// Besides the layers.
inline const ConfigKey kLayerInput{"width of per-layer embeddings", {"hidden_size_per_layer_input"}};
inline const ConfigKey kLayerVocabulary{"vocabulary of per-layer embeddings", {"vocab_size_per_layer_input"}};
inline const ConfigKey kLaurel{"rank of LAuReL", {"laurel_rank"}};
inline const ConfigKey kAltUp{"streams of AltUp", {"altup_num_inputs"}};
inline const ConfigKey kHyperStreams{"streams of hyper-connections", {"hc_mult"}};
inline const ConfigKey kResidualBlock{"layers a residual block", {"attn_res_block_size"}};
inline const ConfigKey kPredictLayers{"multi-token-prediction layers",
                                      {"num_nextn_predict_layers", "mtp_num_hidden_layers", "num_mtp_modules"}};

}  // namespace oblea::config_key
