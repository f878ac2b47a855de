//! Language models: sizes that are published, and the graphs of one device.
#![allow(clippy::unwrap_used)]

use std::path::Path;

use bigtpu_machine::DataType;
use bigtpu_model::llm::{
    Architecture, Exchange, LlmError, LlmLoad, Split, Types, parameters, prompt, stored_bytes,
    token,
};
use bigtpu_model::{Attention, Kind, check_operators, work};

const HALF: Types = Types {
    activations: DataType::Fp16,
    weights: DataType::Fp16,
    head: DataType::Fp16,
    cache: DataType::Fp16,
};

fn text(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/llm").join(format!("{name}.json"));
    std::fs::read_to_string(path).unwrap()
}

fn model(name: &str) -> Architecture {
    Architecture::parse(&text(name)).unwrap()
}

fn split(tensor: u32, pipeline: u32, experts: u32) -> Split {
    Split { tensor, pipeline, experts }
}

const fn request(batch: u32, context: u32, output_tokens: u32) -> LlmLoad {
    LlmLoad { batch, context, output_tokens }
}

/// Parameters of the published weights, tensor by tensor.
#[test]
fn models_have_their_published_parameters() {
    let published = [
        ("llama-7b", 6_738_415_616.0),
        ("llama-3-8b", 8_030_261_248.0),
        ("mistral-7b", 7_241_732_096.0),
        ("mixtral-8x7b", 46_702_792_704.0),
        ("qwen2-7b", 7_615_616_512.0),
        ("qwen3-8b", 8_190_735_360.0),
        ("qwen3-30b-a3b", 30_532_122_624.0),
        ("qwen1.5-moe-a2.7b", 14_315_784_192.0),
        ("gemma-7b", 8_537_680_896.0),
        ("gemma-2-9b", 9_241_705_984.0),
        ("gemma-3-1b", 999_885_952.0),
        ("deepseek-v2-lite", 15_706_484_224.0),
        ("gpt2", 124_439_808.0),
        ("opt-125m", 125_239_296.0),
        ("falcon-7b", 6_921_720_704.0),
        ("starcoder", 15_517_456_384.0),
        ("phi-3-mini-4k", 3_821_079_552.0),
        ("glm-4-9b", 9_399_951_360.0),
        // With the pooler, without heads for a task.
        ("bert-base", 109_482_240.0),
        ("roberta-base", 124_645_632.0),
        ("distilbert-base", 66_362_880.0),
        ("t5-base", 222_903_552.0),
        ("mt5-small", 300_176_768.0),
    ];
    for (name, expected) in published {
        assert_eq!(parameters(&model(name), HALF), expected, "{name}");
    }
    // The correction of the router's scores, one number for each expert of 58 layers, is left out.
    assert_eq!(parameters(&model("deepseek-v3"), HALF), 671_026_419_200.0 - 58.0 * 256.0);
}

#[test]
fn the_weights_of_llama_7b_take_13_48_gb() {
    let model = model("llama-7b");
    let whole = stored_bytes(&model, request(1, 2048, 1), Split::default(), HALF);
    assert_eq!(whole.weights, 13_476_831_232.0);
    // 2 x layers x heads of keys x columns x bytes for a token.
    assert_eq!(whole.cache, 2048.0 * (2 * 32 * 32 * 128 * 2) as f64);
    // The token that is generated last is not stored.
    let longer = stored_bytes(&model, request(3, 2048, 101), Split::default(), HALF);
    assert_eq!(longer.cache, 3.0 * 2148.0 * (2 * 32 * 32 * 128 * 2) as f64);
    let types = Types { weights: DataType::Int4, cache: DataType::Int8, ..HALF };
    let quantized = stored_bytes(&model, request(1, 2048, 1), Split::default(), types);
    // Embedding, last product and normalizations stay.
    let plain = (2 * 32_000 * 4096 + 65 * 4096) as f64;
    assert_eq!(quantized.weights, 2.0 * plain + (6_738_415_616.0 - plain) / 2.0);
    assert_eq!(quantized.cache, whole.cache / 2.0);
}

#[test]
fn devices_share_weights_and_cache() {
    let model = model("llama-3-8b");
    let of = |split| stored_bytes(&model, request(1, 4096, 1), split, HALF);
    let (one, two) = (of(split(1, 1, 1)), of(split(2, 1, 1)));
    let norms = 2.0 * (65 * 4096) as f64;
    assert_eq!(two.weights - norms, (one.weights - norms) / 2.0);
    assert_eq!(two.cache, one.cache / 2.0);
    // Eight heads of keys: sixteen devices have each twice.
    assert_eq!(of(split(16, 1, 1)).cache, of(split(8, 1, 1)).cache);
    // Each of two stages has half of the layers, and one of both tables.
    let halves = of(split(1, 2, 1));
    assert_eq!(halves.cache, one.cache / 2.0);
    assert_eq!(halves.weights, one.weights / 2.0 + 4096.0);
    // A table that is used twice is on both ends of a pipeline.
    let tied = self::model("gemma-7b");
    let weights = |split| stored_bytes(&tied, request(1, 16, 1), split, HALF).weights;
    let both: f64 = 2.0 * 2.0 * (256_000 * 3072) as f64;
    assert_eq!(2.0 * weights(split(1, 2, 1)), weights(split(1, 1, 1)) + both / 2.0 + 6144.0);
}

/// Products of a model's matrices: two operations for each parameter and token.
#[test]
fn operations_are_two_a_parameter_and_token() {
    let model = model("llama-7b");
    let steps = prompt(&model, request(1, 128, 1), Split::default(), HALF);
    let operations = |kind: Kind| -> f64 {
        let own = steps.iter().filter(|step| step.operator.kind == kind);
        own.map(|step| {
            let work = work(&step.operator, 2.0, Attention::default(), None);
            work.operations * step.times as f64
        })
        .sum()
    };
    let layers = 32.0 * (4 * 4096 * 4096 + 3 * 4096 * 11008) as f64;
    let head = (32_000 * 4096) as f64;
    assert_eq!(operations(Kind::Linear), 2.0 * (128.0 * layers + head));
    let pairs = f64::from(128 * 129 / 2) * 32.0 * 32.0;
    assert_eq!(operations(Kind::Attention), pairs * (4.0 * 128.0 + 5.0));
}

#[test]
fn a_token_reads_all_weights_and_the_cache() {
    let model = model("llama-3-8b");
    let steps = token(&model, request(4, 1024, 8), Split::default(), HALF, [1024, 1]);
    let sum = |of: fn(&bigtpu_model::Work) -> f64| -> f64 {
        let each = steps.iter().map(|step| {
            of(&work(&step.operator, 2.0, Attention::default(), Some(1024.0))) * step.times as f64
        });
        each.sum()
    };
    // All but the table of the embedding, of which one row a sequence is read.
    let read = 2.0 * (8_030_261_248.0 - (128_256 * 4096) as f64);
    assert_eq!(sum(|work| work.weight_bytes), read);
    assert_eq!(sum(|work| work.cache_bytes), 4.0 * 1025.0 * (2 * 32 * 8 * 128 * 2) as f64);
}

#[test]
fn experts_that_no_token_chooses_are_not_read() {
    let model = model("mixtral-8x7b");
    let experts = |batch, split| {
        let steps = token(&model, request(batch, 64, 2), split, HALF, [64, 1]);
        let step = steps.iter().find(|s| s.operator.context == "mlp.experts.down_proj").unwrap();
        (step.operator.input[0], step.operator.weights[0], step.stored / (4096 * 14336))
    };
    // One token: two of eight. Rows, experts that work, experts that are kept.
    assert_eq!(experts(1, split(1, 1, 1)), (2, 2, 8));
    // 8 x (1 - (3/4)^4) = 5.5
    assert_eq!(experts(4, split(1, 1, 1)), (8, 6, 8));
    assert_eq!(experts(256, split(1, 1, 1)), (512, 8, 8));
    assert_eq!(experts(256, split(1, 1, 4)), (128, 2, 2));
    let steps = token(&model, request(256, 64, 2), split(2, 2, 4), HALF, [64, 1]);
    let exchanges: Vec<_> = steps
        .iter()
        .filter_map(|s| Some((s.operator.context.as_str(), s.exchange?, s.times)))
        .collect();
    assert_eq!(
        exchanges,
        [
            ("embed_tokens", Exchange::AllReduce(2), 1),
            ("self_attn", Exchange::AllReduce(2), 32),
            ("mlp.dispatch", Exchange::AllToAll(4), 32),
            ("mlp.combine", Exchange::AllToAll(4), 32),
            ("mlp", Exchange::AllReduce(2), 32),
            ("next stage", Exchange::Send, 1),
            ("lm_head", Exchange::AllGather(2), 1),
        ]
    );
}

#[test]
fn a_latent_row_is_all_that_is_stored() {
    let model = model("deepseek-v3");
    assert_eq!(model.weight_type, Some(DataType::Fp8));
    let stored = stored_bytes(&model, request(1, 1000, 1), split(8, 1, 1), HALF);
    assert_eq!(stored.cache, 1000.0 * 61.0 * 576.0 * 2.0);
    let steps = token(&model, request(1, 1000, 2), Split::default(), HALF, [999, 1]);
    let scores = steps.iter().find(|step| step.operator.kind == Kind::Attention).unwrap();
    let work = work(&scores.operator, 2.0, Attention::default(), Some(999.0));
    assert_eq!(work.cache_bytes, 1000.0 * 576.0 * 2.0);
    assert_eq!(work.operations, 128.0 * 1000.0 * (2.0 * 576.0 + 2.0 * 512.0 + 5.0));
}

#[test]
fn windows_bound_the_cache() {
    let cache =
        |name| stored_bytes(&model(name), request(1, 8192, 1), Split::default(), HALF).cache;
    assert_eq!(cache("mistral-7b"), 4096.0 * (2 * 32 * 8 * 128 * 2) as f64);
    // Every second layer sees 4 096 tokens.
    assert_eq!(cache("gemma-2-9b"), (4096 + 8192) as f64 * (2 * 21 * 8 * 256 * 2) as f64);
    let layers = model("gemma-3-1b").layers;
    assert_eq!(layers.iter().filter(|layer| layer.window.is_none()).count(), 4);
    assert!(model("qwen2-7b").layers.iter().all(|layer| layer.window.is_none()));
}

#[test]
fn every_graph_has_shapes_that_fit() {
    for entry in std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/llm")).unwrap()
    {
        let path = entry.unwrap().path();
        let model = Architecture::parse(&std::fs::read_to_string(&path).unwrap()).unwrap();
        for tensor in [1, 2, 4] {
            let split = Split { tensor, ..Split::default() };
            if split.check(&model).is_err() {
                continue;
            }
            for steps in [
                prompt(&model, request(3, 33, 9), split, HALF),
                token(&model, request(3, 33, 9), split, HALF, [40, 1]),
            ] {
                let all: Vec<_> = steps.into_iter().map(|step| step.operator).collect();
                check_operators(&all).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            }
        }
    }
}

#[test]
fn what_is_not_known_is_named() {
    let error = |text: &str| Architecture::parse(text).unwrap_err().to_string();
    assert!(error("[]").contains("config.json"));
    assert!(error("{}").contains("`model_type`"));
    assert!(
        error(r#"{"model_type": "whisper"}"#)
            .contains("`whisper`, whose operators are not known; known are llama")
    );
    for name in ["mamba", "rwkv", "qwen3_next", "jamba"] {
        let text = format!(r#"{{"model_type": "{name}"}}"#);
        assert!(error(&text).contains("keep a state instead of keys and values"), "{name}");
    }
    for name in ["llama-7b", "qwen3-30b-a3b", "deepseek-v3", "gemma-2-9b", "mixtral-8x7b"] {
        let whole: serde_json::Value = serde_json::from_str(&text(name)).unwrap();
        // Fields without which the family has a rule of its own.
        let optional = [
            "tie_word_embeddings",
            "torch_dtype",
            "quantization_config",
            "q_lora_rank",
            "sliding_window",
            "use_sliding_window",
            "max_window_layers",
            "attention_bias",
            "mlp_only_layers",
            "decoder_sparse_step",
            "moe_layer_freq",
            "n_routed_experts",
            "n_shared_experts",
        ];
        for field in whole.as_object().unwrap().keys() {
            let mut less = whole.clone();
            less.as_object_mut().unwrap().remove(field);
            let read = Architecture::parse(&less.to_string());
            let is_optional = optional.contains(&field.as_str())
                || (field == "num_key_value_heads" && name.starts_with("deepseek"))
                || (field == "intermediate_size" && name.starts_with("qwen3-30b"));
            if name == "gemma-2-9b" && field == "sliding_window" {
                assert!(read.is_err());
                continue;
            }
            match read {
                Ok(_) => assert!(is_optional, "{name}: {field} is not missed"),
                Err(error) => {
                    assert!(!is_optional, "{name}: {error}");
                    assert!(error.to_string().contains(&format!("`{field}`")), "{name}: {error}");
                }
            }
            let mut wrong = whole.clone();
            wrong[field] = serde_json::json!({"no": "value"});
            if field != "quantization_config"
                && !(name.starts_with("deepseek") && field == "num_key_value_heads")
            {
                let read = Architecture::parse(&wrong.to_string());
                assert!(
                    read.is_err() || is_optional || field == "num_key_value_heads",
                    "{name}: {field}"
                );
            }
        }
    }
}

#[test]
fn impossible_splits_are_refused() {
    let error = |name: &str, split: Split| match split.check(&model(name)) {
        Err(LlmError::Split { option, what, .. }) => format!("{option}: {what}"),
        other => panic!("{other:?}"),
    };
    assert!(error("llama-7b", split(3, 1, 1)).starts_with("--tensor-parallel: 32 heads"));
    assert!(error("qwen2-7b", split(28, 1, 1)).contains("inner width of 18944"));
    assert!(error("llama-7b", split(1, 33, 1)).contains("32 layers"));
    assert!(error("llama-7b", split(1, 1, 2)).contains("no experts"));
    assert!(error("mixtral-8x7b", split(1, 1, 3)).contains("8 experts"));
    assert!(error("llama-7b", split(u32::MAX, 1, 1)).contains("too many"));
    assert_eq!(split(8, 4, 1).check(&model("llama-7b")), Ok(()));
}

/// Models whose files call the same fields by other names, or have the language model inside.
#[test]
fn other_names_of_known_families_are_read() {
    let read = |text: &str| Architecture::parse(text).unwrap();
    let same = |text: &str, known: &Architecture| {
        let own = read(text);
        assert_eq!((&own.heads, &own.layers), (&known.heads, &known.layers), "{text}");
        assert_eq!(parameters(&own, HALF), parameters(known, HALF), "{text}");
    };
    let llama = |bias: bool, stored: u64| {
        read(&format!(
            r#"{{"model_type": "llama", "hidden_size": 4096, "intermediate_size": 13696, "vocab_size": 65024,
            "num_hidden_layers": 28, "num_attention_heads": 32, "num_key_value_heads": {stored}, "head_dim": 128,
            "attention_bias": {bias}}}"#
        ))
    };
    same(
        r#"{"model_type": "chatglm", "hidden_size": 4096, "ffn_hidden_size": 13696, "padded_vocab_size": 65024,
        "num_layers": 28, "num_attention_heads": 32, "multi_query_attention": true, "multi_query_group_num": 2,
        "kv_channels": 128}"#,
        &llama(false, 2),
    );
    let baichuan = r#"{"model_type": "baichuan", "hidden_size": 4096, "intermediate_size": 13696, "vocab_size": 65024,
        "num_hidden_layers": 28, "num_attention_heads": 32}"#;
    for name in ["baichuan", "llava_llama", "internlm2", "phi3", "Yi"] {
        same(&baichuan.replace("baichuan", name), &llama(false, 32));
    }
    let qwen2 = |stored: u64| {
        read(&format!(
            r#"{{"model_type": "qwen2", "hidden_size": 4096, "intermediate_size": 11008, "vocab_size": 151936,
            "num_hidden_layers": 32, "num_attention_heads": 32, "num_key_value_heads": {stored}}}"#
        ))
    };
    // Both halves of the feed-forward are counted together.
    same(
        r#"{"model_type": "qwen", "hidden_size": 4096, "intermediate_size": 22016, "vocab_size": 151936,
        "num_hidden_layers": 32, "num_attention_heads": 32, "kv_channels": 128}"#,
        &qwen2(32),
    );
    let inside = r#""hidden_size": 4096, "intermediate_size": 11008, "vocab_size": 151936, "num_hidden_layers": 32,
        "num_attention_heads": 32, "num_key_value_heads": 8"#;
    for name in ["qwen2_vl", "qwen2_5_vl"] {
        let text = format!(r#"{{"model_type": "{name}", {inside}, "vision_config": {{}}}}"#);
        same(&text, &qwen2(8));
        assert!(read(&text).notes.iter().any(|note| note.id == "model-language-only"));
    }
    same(
        &format!(
            r#"{{"model_type": "internvl_chat", "llm_config": {{"model_type": "qwen2", {inside}}}}}"#
        ),
        &qwen2(8),
    );
    same(
        &format!(
            r#"{{"model_type": "qwen2_5_vl", "text_config": {{{inside}}}, "vision_config": {{}}}}"#
        ),
        &qwen2(8),
    );
    let vl = format!(
        r#"{{"model_type": "qwen3_vl", "text_config": {{"model_type": "qwen3_vl_text", {inside}, "head_dim": 128}}}}"#
    );
    assert!(
        matches!(read(&vl).heads, bigtpu_model::llm::Heads::Grouped(heads) if heads.normalized)
    );
}
