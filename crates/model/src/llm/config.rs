//! Reads `config.json`: one table says how the families of models differ.

use bigtpu_machine::DataType;
use bigtpu_messages::{Message, message};
use serde_json::{Map, Value};

use crate::llm::aliases;
use crate::llm::architecture::{
    Architecture, Experts, FeedForward, Grouped, Heads, Latent, Layer, Norm, Positions,
};
use crate::llm::error::LlmError;
use crate::llm::fields::{Fields, bad};

/// Layers that a model may have.
const MOST_LAYERS: u64 = 10_000;

/// Whether the products of attention have a bias.
#[derive(Clone, Copy)]
enum Bias {
    /// Queries, keys and values.
    Inputs,
    /// All four, where `attention_bias` says so.
    AsSaid,
    /// Queries, keys and values, where `attention_bias` says so.
    InputsAsSaid,
    /// All four, where this field says so or is absent.
    Unless(&'static str),
    /// All four, where this field says so.
    If(&'static str),
    /// None.
    Never,
}

/// Which layers have a sliding window, where the file has no `layer_types`.
#[derive(Clone, Copy)]
enum Windows {
    /// None.
    Never,
    /// All, if `sliding_window` is there.
    All,
    /// With `use_sliding_window`, those from `max_window_layers` on.
    Last,
    /// Every second one, the first included.
    Alternate,
    /// All but each `sliding_window_pattern`-th.
    Pattern,
}

/// Where experts are described.
#[derive(Clone, Copy)]
enum Mixture {
    None,
    Mixtral,
    Qwen,
    DeepSeek,
}

/// What models of a `model_type` have in common.
struct Family {
    name: &'static str,
    tied: bool,
    bias: Bias,
    /// Queries and keys are normalized.
    normalized: bool,
    /// Normalizations of a layer.
    norms: u64,
    windows: Windows,
    mixture: Mixture,
    /// `head_dim` is not `hidden_size / num_attention_heads`.
    own_head_dim: bool,
    /// Without `num_key_value_heads`, each head has its own keys and values.
    multi_head: bool,
    latent: bool,
    norm: Norm,
    positions: Table,
    /// Whether the feed-forward has a gate.
    gated: bool,
    /// Without `intermediate_size`, the feed-forward is four times as wide as the stream.
    four_times: bool,
    /// All queries share one head of keys and values, unless `multi_query` says something else.
    multi_query: bool,
}

/// Where positions come from.
#[derive(Clone, Copy)]
enum Table {
    Rotary,
    /// Rotary, or distances where `alibi` says so.
    RotaryOrDistances,
    /// `max_position_embeddings` rows of a table, and so many more.
    Learned(u64),
}

const LLAMA: Family = Family {
    name: "llama",
    tied: false,
    bias: Bias::AsSaid,
    normalized: false,
    norms: 2,
    windows: Windows::Never,
    mixture: Mixture::None,
    own_head_dim: false,
    multi_head: true,
    latent: false,
    norm: Norm::Rms,
    positions: Table::Rotary,
    gated: true,
    four_times: false,
    multi_query: false,
};
const GPT2: Family = Family {
    name: "gpt2",
    tied: true,
    bias: Bias::Unless("use_bias"),
    norm: Norm::Layer,
    positions: Table::Learned(0),
    gated: false,
    four_times: true,
    ..LLAMA
};
const FALCON: Family = Family {
    name: "falcon",
    bias: Bias::If("bias"),
    positions: Table::RotaryOrDistances,
    multi_query: true,
    ..GPT2
};
const GLM: Family = Family {
    name: "glm",
    bias: Bias::InputsAsSaid,
    own_head_dim: false,
    multi_head: false,
    ..LLAMA
};
const MISTRAL: Family = Family {
    name: "mistral",
    bias: Bias::Never,
    windows: Windows::All,
    multi_head: false,
    ..LLAMA
};
const QWEN2: Family = Family {
    name: "qwen2",
    bias: Bias::Inputs,
    windows: Windows::Last,
    multi_head: false,
    ..LLAMA
};
const QWEN3: Family =
    Family { name: "qwen3", bias: Bias::AsSaid, normalized: true, own_head_dim: true, ..QWEN2 };
const GEMMA: Family =
    Family { name: "gemma", tied: true, own_head_dim: true, multi_head: false, ..LLAMA };
const GEMMA2: Family = Family { name: "gemma2", norms: 4, windows: Windows::Alternate, ..GEMMA };
const GEMMA3: Family =
    Family { name: "gemma3_text", normalized: true, windows: Windows::Pattern, ..GEMMA2 };
const DEEPSEEK: Family = Family { name: "deepseek", mixture: Mixture::DeepSeek, ..LLAMA };
const DEEPSEEK2: Family = Family { name: "deepseek_v2", latent: true, ..DEEPSEEK };

const FAMILIES: [Family; 21] = [
    LLAMA,
    MISTRAL,
    Family { name: "mixtral", mixture: Mixture::Mixtral, ..MISTRAL },
    QWEN2,
    Family { name: "qwen2_moe", mixture: Mixture::Qwen, ..QWEN2 },
    QWEN3,
    Family { name: "qwen3_moe", mixture: Mixture::Qwen, ..QWEN3 },
    GEMMA,
    GEMMA2,
    GEMMA3,
    DEEPSEEK,
    DEEPSEEK2,
    Family { name: "deepseek_v3", ..DEEPSEEK2 },
    GPT2,
    // Positions 0 and 1 are those of padding.
    Family { name: "opt", bias: Bias::Unless("enable_bias"), positions: Table::Learned(2), ..GPT2 },
    Family { name: "gpt_bigcode", multi_query: true, ..GPT2 },
    Family { name: "starcoder2", positions: Table::Rotary, windows: Windows::All, ..GPT2 },
    FALCON,
    Family { name: "phi3", bias: Bias::Never, windows: Windows::All, ..LLAMA },
    GLM,
    Family { name: "glm4", norms: 4, ..GLM },
];

/// Where models that see images have their language model.
const INNER: [&str; 4] = ["text_config", "llm_config", "language_config", "llm_cfg"];

/// What only models that see images or hear have.
const IMAGES: [&str; 4] = ["vision_config", "visual", "mm_vision_tower", "audio_config"];

impl Architecture {
    /// Reads the text of a `config.json`.
    ///
    /// # Errors
    /// The text is no JSON object, the family of models is not known, or a field that the cost depends on is missing or
    /// of no use.
    pub fn parse(text: &str) -> Result<Self, LlmError> {
        let value: Value =
            serde_json::from_str(text).map_err(|error| LlmError::Json(error.to_string()))?;
        let whole =
            value.as_object().ok_or_else(|| LlmError::Json("it is no object".to_owned()))?;
        // Models that see images, too, have the language model inside.
        let inner = INNER.iter().find_map(|key| whole.get(*key)?.as_object());
        let has_layers =
            ["num_hidden_layers", "num_layers"].iter().any(|key| whole.contains_key(*key));
        let map = inner.filter(|_| !has_layers).unwrap_or(whole);
        let mut found = of_map(map, whole)?;
        let has_images = IMAGES.iter().any(|key| whole.contains_key(*key));
        if has_images || !std::ptr::eq(map, whole) {
            found.notes.push(message!("model-language-only"));
        }
        Ok(found)
    }
}

fn of_map(map: &Map<String, Value>, whole: &Map<String, Value>) -> Result<Architecture, LlmError> {
    let unnamed = Fields { map, model_type: "unknown" };
    let around = Fields { map: whole, model_type: "unknown" };
    let named = unnamed.text("model_type")?;
    let name = named.or(around.text("model_type")?).ok_or_else(|| LlmError::Missing {
        field: "model_type".to_owned(),
        model_type: "unknown".to_owned(),
    })?;
    let known = aliases::as_known(name, map);
    let (family, map) = known.as_ref().map_or((name, map), |(family, map)| (*family, map));
    let fields = Fields { map, model_type: name };
    let family = FAMILIES.iter().find(|known| known.name == family).ok_or_else(|| {
        let families = FAMILIES.iter().map(|family| family.name);
        let known: Vec<&str> = families.chain(aliases::names()).collect();
        LlmError::UnknownModel { model_type: name.to_owned(), known: known.join(", ") }
    })?;
    let mut notes = Vec::new();
    let around = Fields { map: whole, model_type: name };
    Ok(Architecture {
        model_type: name.to_owned(),
        hidden: fields.size("hidden_size")?,
        vocabulary: fields.size("vocab_size")?,
        tied: fields.flag("tie_word_embeddings", family.tied)?,
        norms: norms(&fields, family)?,
        norm: family.norm,
        positions: match family.positions {
            Table::Rotary => Positions::Rotary,
            Table::RotaryOrDistances if fields.flag("alibi", false)? => Positions::Distances,
            Table::RotaryOrDistances => Positions::Rotary,
            Table::Learned(more) => {
                Positions::Table(fields.size("max_position_embeddings")? + more)
            }
        },
        heads: heads(&fields, family)?,
        layers: layers(&fields, family)?,
        data_type: match data_type(&fields)? {
            Some(data_type) => Some(data_type),
            None => data_type(&around)?,
        },
        weight_type: match quantized(&fields, &mut notes)? {
            Some(quantized) => Some(quantized),
            None => quantized(&around, &mut notes)?,
        },
        notes,
    })
}

/// Falcon reads the same normalized rows in attention and feed-forward, in its second generation with a normalization each.
fn norms(fields: &Fields<'_>, family: &Family) -> Result<u64, LlmError> {
    let is_parallel = family.name == "falcon"
        && !fields.flag("new_decoder_architecture", false)?
        && fields.flag("parallel_attn", true)?;
    // A model whose embedding is narrower than its stream has matrices that are not counted here.
    if let Some(width) = fields.optional_size("word_embed_proj_dim")?
        && width != fields.size("hidden_size")?
    {
        return Err(bad("word_embed_proj_dim", &width.into(), "equal to hidden_size"));
    }
    Ok(if is_parallel { 1 } else { family.norms })
}

/// Whether the products of attention and of a feed-forward without a gate have a bias.
fn all_biased(fields: &Fields<'_>, family: &Family) -> Result<bool, LlmError> {
    match family.bias {
        Bias::AsSaid => fields.flag("attention_bias", false),
        Bias::Unless(field) => fields.flag(field, true),
        Bias::If(field) => fields.flag(field, false),
        Bias::Inputs | Bias::InputsAsSaid | Bias::Never => Ok(false),
    }
}

fn heads(fields: &Fields<'_>, family: &Family) -> Result<Heads, LlmError> {
    let queries = fields.size("num_attention_heads")?;
    if family.latent {
        return Ok(Heads::Latent(Latent {
            queries,
            query_rank: fields.optional_size("q_lora_rank")?,
            rank: fields.size("kv_lora_rank")?,
            plain: fields.size("qk_nope_head_dim")?,
            rotary: fields.size("qk_rope_head_dim")?,
            value: fields.size("v_head_dim")?,
        }));
    }
    let shares_one = family.multi_query
        && fields.flag("multi_query", true)?
        && !fields.flag("new_decoder_architecture", false)?;
    let stored = match fields.optional_size("num_key_value_heads")? {
        _ if shares_one => 1,
        Some(stored) => stored,
        None if family.multi_head => queries,
        None => return Err(fields.missing("num_key_value_heads")),
    };
    if stored > queries || !queries.is_multiple_of(stored) {
        let value = Value::from(stored);
        return Err(bad("num_key_value_heads", &value, "a divisor of num_attention_heads"));
    }
    let hidden = fields.size("hidden_size")?;
    let columns = match fields.optional_size("head_dim")? {
        Some(columns) => columns,
        None if family.own_head_dim => return Err(fields.missing("head_dim")),
        None if hidden.is_multiple_of(queries) => hidden / queries,
        None => {
            return Err(bad("num_attention_heads", &queries.into(), "a divisor of hidden_size"));
        }
    };
    let said = all_biased(fields, family)?;
    let inputs = match family.bias {
        Bias::Inputs => true,
        Bias::InputsAsSaid => fields.flag("attention_bias", false)?,
        _ => said,
    };
    Ok(Heads::Grouped(Grouped {
        queries,
        stored,
        columns,
        input_bias: inputs,
        output_bias: said,
        normalized: family.normalized,
    }))
}

fn layers(fields: &Fields<'_>, family: &Family) -> Result<Vec<Layer>, LlmError> {
    let count = fields.size("num_hidden_layers")?;
    if count > MOST_LAYERS {
        return Err(bad("num_hidden_layers", &count.into(), "at most 10000"));
    }
    let windows = windows(fields, family, count)?;
    let dense = |fields: &Fields<'_>| {
        let bias = if family.gated {
            fields.flag("mlp_bias", false)?
        } else {
            all_biased(fields, family)?
        };
        let inner = match fields.optional_size("intermediate_size")? {
            None if family.four_times => 4 * fields.size("hidden_size")?,
            Some(inner) => inner,
            None => return Err(fields.missing("intermediate_size")),
        };
        Ok(FeedForward::Dense { inner, bias, gated: family.gated })
    };
    let dense_only = fields.counts("mlp_only_layers")?;
    let experts = experts(fields, family)?;
    let mut layers = Vec::new();
    for (number, window) in (0..count).zip(windows) {
        let feed_forward = match &experts {
            Some(experts) if experts.takes(number) && !dense_only.contains(&number) => {
                FeedForward::Experts(experts.each)
            }
            _ => dense(fields)?,
        };
        layers.push(Layer { window, feed_forward });
    }
    Ok(layers)
}

/// Experts, and the layers that have them.
struct Mixed {
    each: Experts,
    /// Layers before this one are dense.
    first: u64,
    /// From there on, each so manieth layer.
    every: u64,
    /// Number of the first of these, counted from `first`.
    offset: u64,
}

impl Mixed {
    fn takes(&self, layer: u64) -> bool {
        layer >= self.first && (layer + self.offset).is_multiple_of(self.every)
    }
}

fn experts(fields: &Fields<'_>, family: &Family) -> Result<Option<Mixed>, LlmError> {
    let mixed = match family.mixture {
        Mixture::None => return Ok(None),
        Mixture::Mixtral => Mixed {
            each: Experts {
                count: fields.size("num_local_experts")?,
                per_token: fields.size("num_experts_per_tok")?,
                inner: fields.size("intermediate_size")?,
                shared_inner: 0,
                shared_gate: false,
            },
            first: 0,
            every: 1,
            offset: 0,
        },
        Mixture::Qwen => {
            let shared = fields.count("shared_expert_intermediate_size")?.unwrap_or(0);
            Mixed {
                each: Experts {
                    count: fields.size("num_experts")?,
                    per_token: fields.size("num_experts_per_tok")?,
                    inner: fields.size("moe_intermediate_size")?,
                    shared_inner: shared,
                    shared_gate: shared > 0,
                },
                first: 0,
                every: fields.optional_size("decoder_sparse_step")?.unwrap_or(1),
                offset: 1,
            }
        }
        Mixture::DeepSeek => {
            // Without routed experts, all layers are dense.
            let Some(count) = fields.optional_size("n_routed_experts")? else { return Ok(None) };
            let inner = fields.size("moe_intermediate_size")?;
            let shared = fields.count("n_shared_experts")?.unwrap_or(0);
            Mixed {
                each: Experts {
                    count,
                    per_token: fields.size("num_experts_per_tok")?,
                    inner,
                    shared_inner: shared * inner,
                    shared_gate: false,
                },
                first: fields
                    .count("first_k_dense_replace")?
                    .ok_or_else(|| fields.missing("first_k_dense_replace"))?,
                every: fields.optional_size("moe_layer_freq")?.unwrap_or(1),
                offset: 0,
            }
        }
    };
    let Experts { count, per_token, .. } = mixed.each;
    if per_token > count {
        return Err(bad("num_experts_per_tok", &per_token.into(), "at most the number of experts"));
    }
    Ok(Some(mixed))
}

/// The sliding window of each layer.
fn windows(
    fields: &Fields<'_>,
    family: &Family,
    layers: u64,
) -> Result<Vec<Option<u64>>, LlmError> {
    let window = fields.optional_size("sliding_window")?;
    let of = |has: &dyn Fn(u64) -> bool| {
        (0..layers).map(|layer| window.filter(|_| has(layer))).collect::<Vec<_>>()
    };
    if let Some(value) = fields.value("layer_types") {
        let slides = |kind: &Value| match kind.as_str()? {
            "full_attention" => Some(false),
            "sliding_attention" => Some(true),
            _ => None,
        };
        let list: Option<Vec<bool>> =
            value.as_array().and_then(|list| list.iter().map(slides).collect());
        let list = list.filter(|list| list.len() as u64 == layers).ok_or_else(|| {
            bad("layer_types", value, "a list of full_attention and sliding_attention, one a layer")
        })?;
        if list.contains(&true) && window.is_none() {
            return Err(fields.missing("sliding_window"));
        }
        return Ok(of(&|layer| list.get(layer as usize) == Some(&true)));
    }
    Ok(match family.windows {
        Windows::Never => of(&|_| false),
        Windows::All => of(&|_| true),
        Windows::Last if window.is_some() && fields.flag("use_sliding_window", false)? => {
            let first = fields
                .count("max_window_layers")?
                .ok_or_else(|| fields.missing("max_window_layers"))?;
            of(&|layer| layer >= first)
        }
        Windows::Last => of(&|_| false),
        Windows::Alternate | Windows::Pattern if window.is_none() => {
            return Err(fields.missing("sliding_window"));
        }
        Windows::Alternate => of(&|layer| layer % 2 == 0),
        Windows::Pattern => {
            let pattern = fields.optional_size("sliding_window_pattern")?;
            let pattern = match pattern {
                Some(pattern) => pattern,
                None => fields
                    .size("_sliding_window_pattern")
                    .map_err(|_| fields.missing("sliding_window_pattern"))?,
            };
            of(&|layer| !(layer + 1).is_multiple_of(pattern))
        }
    })
}

fn data_type(fields: &Fields<'_>) -> Result<Option<DataType>, LlmError> {
    for field in ["dtype", "torch_dtype"] {
        if let Some(text) = fields.text(field)? {
            let parsed = text.parse::<DataType>();
            return parsed
                .map(Some)
                .map_err(|_| bad(field, &text.into(), "a data type such as bfloat16"));
        }
    }
    Ok(None)
}

/// Type of the weights that the file says are quantized.
fn quantized(fields: &Fields<'_>, notes: &mut Vec<Message>) -> Result<Option<DataType>, LlmError> {
    let Some(value) = fields.value("quantization_config") else { return Ok(None) };
    let bits = value.get("bits").or_else(|| value.get("w_bit")).and_then(Value::as_u64);
    let method = value.get("quant_method").and_then(Value::as_str).unwrap_or("");
    let found = match (method, bits) {
        (_, Some(4)) => DataType::Int4,
        (_, Some(8)) => DataType::Int8,
        ("fp8", None) => DataType::Fp8,
        _ => {
            notes.push(message!("model-quantization-unknown"));
            return Ok(None);
        }
    };
    notes.push(message!("model-quantized", kind = found.name()));
    Ok(Some(found))
}
