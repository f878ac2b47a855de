//! Families that are one of the known ones under another name: which, and how they call its fields.

use serde_json::{Map, Value};

/// A `model_type` whose operators are those of a known family.
struct Alias {
    name: &'static str,
    /// The known family.
    family: &'static str,
    /// Fields of the known family, each with what this one calls it.
    fields: &'static [(&'static str, &'static str)],
    /// Flags that are absent from its files.
    implied: &'static [(&'static str, bool)],
    /// `intermediate_size` counts both halves of a gated feed-forward.
    both_halves: bool,
}

const fn alias(name: &'static str, family: &'static str) -> Alias {
    Alias { name, family, fields: &[], implied: &[], both_halves: false }
}

/// Fields of the models of GLM, second and third generation.
const GLM: &[(&str, &str)] = &[
    ("num_hidden_layers", "num_layers"),
    ("intermediate_size", "ffn_hidden_size"),
    ("vocab_size", "padded_vocab_size"),
    ("num_key_value_heads", "multi_query_group_num"),
    ("head_dim", "kv_channels"),
    ("attention_bias", "add_qkv_bias"),
];

const ALIASES: &[Alias] = &[
    Alias { fields: GLM, ..alias("chatglm", "llama") },
    alias("baichuan", "llama"),
    Alias { implied: &[("tie_word_embeddings", true)], ..alias("minicpm", "llama") },
    alias("minicpmv", "qwen2"),
    alias("minicpmo", "qwen2"),
    Alias { fields: &[("attention_bias", "bias")], ..alias("internlm2", "llama") },
    Alias { fields: &[("attention_bias", "bias")], ..alias("internlm", "llama") },
    alias("Yi", "llama"),
    alias("xverse", "llama"),
    alias("exaone", "llama"),
    alias("phi4mm", "llama"),
    alias("llava_llama", "llama"),
    alias("llava", "llama"),
    Alias {
        fields: &[("num_key_value_heads", "num_attention_heads"), ("head_dim", "kv_channels")],
        both_halves: true,
        ..alias("qwen", "qwen2")
    },
    alias("qwen2_vl", "qwen2"),
    alias("qwen2_vl_text", "qwen2"),
    alias("qwen2_5_vl", "qwen2"),
    alias("qwen2_5_vl_text", "qwen2"),
    alias("qwen3_vl", "qwen3"),
    alias("qwen3_vl_text", "qwen3"),
    alias("qwen3_vl_moe", "qwen3_moe"),
    alias("qwen3_vl_moe_text", "qwen3_moe"),
    alias("qwen2_5_omni_text", "qwen2"),
    alias("qwen3_omni_moe_text", "qwen3_moe"),
    alias("hunyuan_v1_dense", "qwen3"),
    alias("ministral", "mistral"),
    alias("ministral3", "mistral"),
    alias("mistral3", "mistral"),
    alias("gemma3", "gemma3_text"),
    alias("llama4", "llama4_text"),
    alias("kimi_k2", "deepseek_v3"),
    alias("stablelm_epoch", "stablelm"),
    // Falcon before it had a name of its own: the model of 7 billion parameters, and that of 40.
    alias("RefinedWebModel", "falcon"),
    Alias { implied: &[("new_decoder_architecture", true)], ..alias("RefinedWeb", "falcon") },
    alias("roberta", "bert"),
    alias("xlm-roberta", "bert"),
    alias("camembert", "bert"),
];

/// Names of all.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    ALIASES.iter().map(|alias| alias.name)
}

/// The name of the known family that a `model_type` is, or its own; and the fields under the names of that family.
pub(super) fn as_known<'a>(
    model_type: &'a str,
    map: &Map<String, Value>,
) -> (&'a str, Map<String, Value>) {
    let mut own = map.clone();
    let Some(alias) = ALIASES.iter().find(|alias| alias.name == model_type) else {
        return (model_type, own);
    };
    for (field, theirs) in alias.fields {
        // The first models of GLM have a group for each head, whatever the number says.
        let has_groups = *theirs != "multi_query_group_num"
            || map.get("multi_query_attention") == Some(&Value::Bool(true));
        if let Some(value) = map.get(*theirs).filter(|value| !value.is_null() && has_groups) {
            own.entry(*field).or_insert_with(|| value.clone());
        }
    }
    for (field, flag) in alias.implied {
        own.entry(*field).or_insert(Value::Bool(*flag));
    }
    if let Some(both) = map.get("intermediate_size").and_then(Value::as_u64)
        && alias.both_halves
    {
        own.insert("intermediate_size".to_owned(), (both / 2).into());
    }
    (alias.family, own)
}
