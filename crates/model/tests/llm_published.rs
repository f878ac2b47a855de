//! Sizes of published models, counted from their `config.json`.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use bigtpu_machine::DataType;
use bigtpu_model::llm::{Architecture, LlmLoad, Split, Types, parameters, stored_bytes};
use serde_json::{Value, json};

const HALF: Types = Types {
    activations: DataType::Fp16,
    weights: DataType::Fp16,
    head: DataType::Fp16,
    cache: DataType::Fp16,
};

fn read(config: &Value) -> Architecture {
    Architecture::parse(&config.to_string()).unwrap_or_else(|error| panic!("{config}: {error}"))
}

/// Fields of most files: width, inner width, layers, heads, heads of keys, vocabulary.
fn config(model_type: &str, sizes: [u64; 6], more: Value) -> Value {
    let [hidden, inner, layers, heads, stored, vocabulary] = sizes;
    let mut config = json!({
        "model_type": model_type, "hidden_size": hidden, "intermediate_size": inner, "num_hidden_layers": layers,
        "num_attention_heads": heads, "num_key_value_heads": stored, "vocab_size": vocabulary,
    });
    let more = more.as_object().unwrap().clone();
    config.as_object_mut().unwrap().extend(more);
    config
}

/// Billions of parameters as the models' cards or papers give them, without parts that see images.
fn published() -> Vec<(f64, Value)> {
    let latent = json!({"q_lora_rank": 768, "kv_lora_rank": 256, "qk_nope_head_dim": 64, "qk_rope_head_dim": 32});
    let k2 = json!({
        "q_lora_rank": 1536, "kv_lora_rank": 512, "qk_nope_head_dim": 128, "qk_rope_head_dim": 64, "v_head_dim": 128,
        "n_routed_experts": 384, "num_experts_per_tok": 8, "n_shared_experts": 1, "moe_intermediate_size": 2048,
        "first_k_dense_replace": 1
    });
    let glm = |routed: u64, inner: u64, first: u64| {
        json!({
            "head_dim": 128, "n_routed_experts": routed, "n_shared_experts": 1, "num_experts_per_tok": 8,
            "moe_intermediate_size": inner, "first_k_dense_replace": first, "attention_bias": true
        })
    };
    let oss = |experts: u64| json!({"head_dim": 64, "num_local_experts": experts, "num_experts_per_tok": 4, "sliding_window": 128});
    let llama4 = |experts: u64, every: u64| {
        json!({
            "head_dim": 128, "intermediate_size_mlp": 16384, "num_local_experts": experts, "num_experts_per_tok": 1,
            "interleave_moe_layer_step": every, "attention_chunk_size": 8192
        })
    };
    let gemma3 = |columns: u64| json!({"head_dim": columns, "sliding_window": 1024, "sliding_window_pattern": 6});
    let tied = || json!({"tie_word_embeddings": true});
    let no_more = || json!({});
    let head = |columns: u64| json!({"head_dim": columns});
    vec![
        // Mixtures of experts.
        (106.0, config("glm4_moe", [4096, 10944, 46, 96, 8, 151_552], glm(128, 1408, 1))),
        (355.0, config("glm4_moe", [5120, 12288, 92, 96, 8, 151_552], glm(160, 1536, 3))),
        (20.91, config("gpt_oss", [2880, 2880, 24, 64, 8, 201_088], oss(32))),
        (116.83, config("gpt_oss", [2880, 2880, 36, 64, 8, 201_088], oss(128))),
        (109.0, config("llama4_text", [5120, 8192, 48, 40, 8, 202_048], llama4(16, 1))),
        (400.0, config("llama4_text", [5120, 8192, 48, 40, 8, 202_048], llama4(128, 2))),
        (1040.0, config("kimi_k2", [7168, 18432, 61, 64, 64, 163_840], k2)),
        (
            41.9,
            config(
                "phimoe",
                [4096, 6400, 32, 32, 8, 32_064],
                json!({"num_local_experts": 16, "num_experts_per_tok": 2, "attention_bias": true}),
            ),
        ),
        (
            6.92,
            config(
                "olmoe",
                [2048, 1024, 16, 16, 16, 50_304],
                json!({"num_experts": 64, "num_experts_per_tok": 8}),
            ),
        ),
        (
            3.3,
            config(
                "granitemoe",
                [1536, 512, 32, 24, 8, 49_155],
                json!({"num_local_experts": 40, "num_experts_per_tok": 8}),
            ),
        ),
        (
            142.0,
            config(
                "dots1",
                [4096, 10944, 62, 32, 32, 152_064],
                json!({
            "n_routed_experts": 128, "n_shared_experts": 2, "num_experts_per_tok": 6, "moe_intermediate_size": 1408,
            "first_k_dense_replace": 1}),
            ),
        ),
        (
            16.8,
            config(
                "bailing_moe",
                [2048, 5632, 28, 16, 4, 126_464],
                json!({
            "num_experts": 64, "num_shared_experts": 2, "num_experts_per_tok": 6, "moe_intermediate_size": 1408,
            "first_k_dense_replace": 0}),
            ),
        ),
        (
            230.0,
            config(
                "minimax_m2",
                [3072, 1536, 62, 48, 8, 200_064],
                json!({"head_dim": 128, "num_local_experts": 256, "num_experts_per_tok": 8, "use_qk_norm": true}),
            ),
        ),
        // Llama's kind.
        (2.72, config("minicpm", [2304, 5760, 40, 36, 36, 122_753], no_more())),
        (4.07, config("minicpm3", [2560, 6400, 62, 40, 40, 73_448], latent)),
        (8.8, config("internlm3", [4096, 10240, 48, 32, 2, 128_512], head(128))),
        (7.74, config("internlm2", [4096, 14336, 32, 32, 8, 92_544], json!({"bias": false}))),
        (7.82, config("exaone", [4096, 14336, 32, 32, 8, 102_400], no_more())),
        (
            32.0,
            config(
                "exaone4",
                [5120, 27392, 64, 40, 8, 102_400],
                json!({
            "head_dim": 128, "sliding_window": 4096,
            "layer_types": (0..64).map(|layer| if layer % 4 == 3 { "full_attention" } else { "sliding_attention" })
                .collect::<Vec<_>>()}),
            ),
        ),
        (8.17, config("granite", [4096, 12800, 40, 32, 8, 49_155], no_more())),
        (3.08, config("smollm3", [2048, 11008, 36, 16, 4, 128_256], no_more())),
        (
            36.15,
            config(
                "seed_oss",
                [5120, 27648, 64, 80, 8, 155_136],
                json!({"head_dim": 128, "attention_bias": true}),
            ),
        ),
        (0.36, config("ernie4_5", [1024, 3072, 18, 16, 2, 103_424], head(128))),
        (1.236, config("llama", [2048, 8192, 16, 32, 8, 128_256], tied())),
        (3.84, config("phi4mm", [3072, 8192, 32, 24, 8, 200_064], tied())),
        (6.06, config("Yi", [4096, 11008, 32, 32, 4, 64_000], no_more())),
        (6.888, config("olmo", [4096, 11008, 32, 32, 32, 50_304], no_more())),
        (7.3, config("olmo2", [4096, 11008, 32, 32, 32, 100_352], no_more())),
        (
            7.25,
            config("mistral", [4096, 14336, 32, 32, 8, 32_768], json!({"sliding_window": null})),
        ),
        (2.506, config("gemma", [2048, 16384, 18, 8, 1, 256_000], head(256))),
        (
            2.614,
            config(
                "gemma2",
                [2304, 9216, 26, 8, 4, 256_000],
                json!({"head_dim": 256, "sliding_window": 4096}),
            ),
        ),
        (11.77, config("gemma3_text", [3840, 15360, 48, 16, 8, 262_208], gemma3(256))),
        (27.0, config("gemma3_text", [5376, 21504, 62, 32, 16, 262_208], gemma3(128))),
        // LayerNorm.
        (34.98, config("cohere", [8192, 22528, 40, 64, 64, 256_000], no_more())),
        (103.8, config("cohere", [12288, 33792, 64, 96, 8, 256_000], json!({"use_qk_norm": true}))),
        (
            8.03,
            config(
                "cohere2",
                [4096, 14336, 32, 32, 8, 256_000],
                json!({"sliding_window": 4096, "sliding_window_pattern": 4}),
            ),
        ),
        (2.78, config("phi", [2560, 10240, 32, 32, 32, 51_200], no_more())),
        (6.857, config("gpt_neox", [4096, 16384, 32, 32, 32, 50_432], no_more())),
        (20.55, config("gpt_neox", [6144, 24576, 44, 64, 64, 50_432], no_more())),
        (
            1.644,
            config("stablelm", [2048, 5632, 24, 32, 32, 100_352], json!({"use_qkv_bias": true})),
        ),
        (4.19, config("nemotron", [3072, 9216, 32, 24, 8, 256_000], head(128))),
        (
            3.03,
            config("starcoder2", [3072, 12288, 30, 24, 2, 49_152], json!({"sliding_window": 4096})),
        ),
        (
            15.96,
            config(
                "starcoder2",
                [6144, 24576, 40, 48, 4, 49_152],
                json!({"sliding_window": 4096, "tie_word_embeddings": false}),
            ),
        ),
        // Names of fields of their own.
        (
            6.05,
            json!({"model_type": "gptj", "n_embd": 4096, "n_layer": 28, "n_head": 16, "vocab_size": 50_400}),
        ),
        (
            7.069,
            json!({"model_type": "bloom", "n_embed": 4096, "n_layer": 30, "n_head": 32, "vocab_size": 250_880}),
        ),
        (
            6.65,
            json!({"model_type": "mpt", "d_model": 4096, "n_layers": 32, "n_heads": 32, "vocab_size": 50_432}),
        ),
        (
            6.92,
            json!({
            "model_type": "RefinedWebModel", "hidden_size": 4544, "n_layer": 32, "n_head": 71, "multi_query": true,
            "parallel_attn": true, "bias": false, "alibi": false, "vocab_size": 65_024}),
        ),
        (
            41.3,
            json!({
            "model_type": "RefinedWeb", "hidden_size": 8192, "n_layer": 60, "n_head": 128, "n_head_kv": 8, "bias": false,
            "alibi": false, "vocab_size": 65_024}),
        ),
    ]
}

#[test]
fn parameters_are_those_that_are_published() {
    for (billions, config) in published() {
        let counted = parameters(&read(&config), HALF) / 1e9;
        let error = counted / billions - 1.0;
        assert!(error.abs() < 0.015, "{config}: {counted} instead of {billions}");
    }
}

/// A model inside another one is written as its differences from the sizes of its class.
#[test]
fn sizes_that_an_inner_model_leaves_out_are_those_of_its_class() {
    let gemma = read(&json!({
        "model_type": "gemma3", "vision_config": {"hidden_size": 1152, "num_hidden_layers": 27},
        "text_config": {
            "hidden_size": 2560, "intermediate_size": 10240, "model_type": "gemma3_text", "num_hidden_layers": 34,
            "sliding_window": 1024}
    }));
    let counted = parameters(&gemma, HALF) / 1e9;
    // 675 million of the table, 3209 million of the layers.
    assert!((counted / 3.884 - 1.0).abs() < 0.01, "{counted}");
    let note = gemma.notes.iter().find(|note| note.id == "model-usual-sizes").unwrap();
    let text = note.text(bigtpu_messages::Language::English);
    assert!(text.contains("`num_attention_heads` 8") && !text.contains("`hidden_size`"), "{text}");
    let llava = json!({"model_type": "llava", "text_config": {"model_type": "llama", "vocab_size": 32_064}});
    assert!((parameters(&read(&llava), HALF) / 6.739e9 - 1.0).abs() < 0.001);
    // A file that is the model itself has all sizes.
    assert!(Architecture::parse(r#"{"model_type": "llama", "vocab_size": 32064}"#).is_err());
    let omni = json!({"model_type": "qwen2_5_omni", "thinker_config": {"text_config": config(
        "qwen2_5_omni_text", [3584, 18944, 28, 28, 4, 152_064], json!({}))}});
    assert!((parameters(&read(&omni), HALF) / 7.62e9 - 1.0).abs() < 0.01);
    // Whether the table is shared is said around it.
    let vl = |tied: bool| {
        let inner =
            config("qwen3_vl_text", [2048, 6144, 28, 16, 8, 151_936], json!({"head_dim": 128}));
        parameters(
            &read(
                &json!({"model_type": "qwen3_vl", "tie_word_embeddings": tied, "text_config": inner}),
            ),
            HALF,
        )
    };
    assert_eq!(vl(false) - vl(true), 2048.0 * 151_936.0);
}

/// Three of four layers of Llama 4 see their piece of the rows only, unless the file says which ones.
#[test]
fn chunks_bound_the_cache() {
    let more = json!({
        "head_dim": 128, "intermediate_size_mlp": 16384, "num_local_experts": 16, "num_experts_per_tok": 1,
        "attention_chunk_size": 8192
    });
    let mut scout = config("llama4_text", [5120, 8192, 48, 40, 8, 202_048], more);
    let windows = |scout: &Value| {
        read(scout).layers.iter().filter(|layer| layer.window == Some(8192)).count()
    };
    assert_eq!(windows(&scout), 36);
    scout["no_rope_layers"] = json!([0, 1]);
    assert_eq!(windows(&scout), 1 + 34);
    scout["layer_types"] = json!(vec!["chunked_attention"; 48]);
    assert_eq!(windows(&scout), 48);
    let request = LlmLoad { batch: 1, context: 32_768, output_tokens: 1 };
    let cache = stored_bytes(&read(&scout), request, Split::default(), HALF).cache;
    assert_eq!(cache, 8192.0 * (2 * 48 * 8 * 128 * 2) as f64);
}

/// Quantized weights, as tools write them.
#[test]
fn quantized_weights_have_their_type() {
    let weights = |how: Value| {
        let config = config("llama", [64, 64, 1, 1, 1, 64], json!({"quantization_config": how}));
        read(&config).weight_type
    };
    assert_eq!(weights(json!({"quant_method": "mxfp4"})), Some(DataType::Int4));
    assert_eq!(
        weights(json!({"quant_method": "bitsandbytes", "load_in_4bit": true})),
        Some(DataType::Int4)
    );
    let groups = json!({"group_0": {"weights": {"num_bits": 8, "type": "int"}}});
    let packed = json!({"quant_method": "compressed-tensors", "config_groups": groups});
    assert_eq!(weights(packed), Some(DataType::Int8));
    assert_eq!(weights(json!({"quant_method": "unheard of"})), None);
}
