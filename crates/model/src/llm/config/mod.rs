//! Reads `config.json`: one table says how the families of models differ.

mod experts;
mod families;
mod family;
mod types;
mod windows;

use bigtpu_messages::{ForeignReason as _, Message, error_message, message};
use serde_json::{Map, Value};

use crate::llm::aliases;
use crate::llm::architecture::{
    Architecture, FeedForward, Grouped, Heads, Latent, LlmLayer, Positions, Stacks,
};
use crate::llm::config::experts::experts;
use crate::llm::config::families::{FAMILIES, WITH_STATES};
use crate::llm::config::family::{Family, Form, Keys, Table};
use crate::llm::config::types::{data_type, quantized, quantizes_head};
use crate::llm::config::windows::windows;
use crate::llm::error::LlmError;
use crate::llm::fields::{Fields, bad};

/// Layers that a model may have.
const MOST_LAYERS: u64 = 10_000;

/// Where models that see images have their language model.
const INNER: [&str; 5] =
    ["text_config", "llm_config", "language_config", "llm_cfg", "thinker_config"];

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
            serde_json::from_str(text).map_err(|error| LlmError::Json(error.reason()))?;
        let whole =
            value.as_object().ok_or_else(|| LlmError::Json(error_message!("problem-no-object")))?;
        // Models that see images, too, have the language model inside.
        let mut map = whole;
        while let Some(inner) = inner_model(map) {
            map = inner;
        }
        let mut found = of_map(map, whole)?;
        let has_images = IMAGES.iter().any(|key| whole.contains_key(*key));
        if has_images || !std::ptr::eq(map, whole) {
            found.notes.push(message!("model-language-only"));
        }
        Ok(found)
    }
}

/// The language model inside a model that has no layers itself.
fn inner_model(map: &Map<String, Value>) -> Option<&Map<String, Value>> {
    if (Fields { map, model_type: "unknown" }).value("num_hidden_layers").is_some() {
        return None;
    }
    INNER.iter().find_map(|key| map.get(*key)?.as_object())
}

fn of_map(map: &Map<String, Value>, whole: &Map<String, Value>) -> Result<Architecture, LlmError> {
    let unnamed = Fields { map, model_type: "unknown" };
    let around = Fields { map: whole, model_type: "unknown" };
    let named = unnamed.text("model_type")?;
    let name = named.or(around.text("model_type")?).ok_or_else(|| LlmError::Missing {
        field: "model_type".to_owned(),
        model_type: "unknown".to_owned(),
    })?;
    let (family, mut own) = aliases::as_known(name, map);
    let family = FAMILIES.iter().find(|known| known.name == family).ok_or_else(|| {
        if WITH_STATES.contains(&name) {
            return LlmError::States { model_type: name.to_owned() };
        }
        let families = FAMILIES.iter().map(|family| family.name);
        let known: Vec<&str> = families.chain(aliases::names()).collect();
        LlmError::UnknownModel { model_type: name.to_owned(), known: known.join(", ") }
    })?;
    let mut notes = Vec::new();
    if !std::ptr::eq(map, whole) {
        notes.extend(add_usual(&mut own, family));
    }
    let fields = Fields { map: &own, model_type: name };
    let around = Fields { map: whole, model_type: name };
    Ok(Architecture {
        model_type: name.to_owned(),
        hidden: fields.size("hidden_size")?,
        vocabulary: fields.size("vocab_size")?,
        tied: fields
            .flag("tie_word_embeddings", around.flag("tie_word_embeddings", family.tied)?)?,
        norms: norms(&fields, family)?,
        norm: family.norm,
        positions: positions(&fields, family)?,
        heads: heads(&fields, family)?,
        layers: layers(&fields, family, generating(&fields, family)?)?,
        stacks: stacks(&fields, family)?,
        data_type: match data_type(&fields)? {
            Some(data_type) => Some(data_type),
            None => data_type(&around)?,
        },
        weight_type: match quantized(&fields, &mut notes)? {
            Some(quantized) => Some(quantized),
            None => quantized(&around, &mut notes)?,
        },
        quantizes_head: quantizes_head(&fields) || quantizes_head(&around),
        notes,
    })
}

/// Sizes that a model inside another one leaves out because its class has them.
fn add_usual(map: &mut Map<String, Value>, family: &Family) -> Option<Message> {
    let is_absent = |field: &str| Fields { map, model_type: family.name }.value(field).is_none();
    let left_out: Vec<_> =
        family.usual.iter().copied().filter(|(field, _)| is_absent(field)).collect();
    if left_out.is_empty() {
        return None;
    }
    let mut sizes = Vec::new();
    for (field, size) in left_out {
        map.insert(field.to_owned(), size.into());
        sizes.push(format!("`{field}` {size}"));
    }
    Some(message!("model-usual-sizes", sizes = sizes.join(", "), family = family.name))
}

fn positions(fields: &Fields<'_>, family: &Family) -> Result<Positions, LlmError> {
    let table = "max_position_embeddings";
    Ok(match family.positions {
        Table::RotaryOrDistances if fields.flag("alibi", false)? => Positions::Distances,
        Table::Rotary | Table::RotaryOrDistances => Positions::Rotary,
        Table::Distances => Positions::Distances,
        Table::Learned(more) => Positions::Table(fields.size(table)? + more),
        Table::LearnedOr(rows) => Positions::Table(fields.optional_size(table)?.unwrap_or(rows)),
        Table::Relative => {
            let steps = fields.optional_size("relative_attention_num_buckets")?;
            Positions::Relative(steps.unwrap_or(32))
        }
    })
}

/// Layers of the only stack, or of the one that generates.
fn generating(fields: &Fields<'_>, family: &Family) -> Result<u64, LlmError> {
    let own = match family.form {
        Form::EncoderDecoder => fields.optional_size("num_decoder_layers")?,
        Form::Decoder | Form::Encoder { .. } => None,
    };
    own.map_or_else(|| fields.size("num_hidden_layers"), Ok)
}

fn stacks(fields: &Fields<'_>, family: &Family) -> Result<Stacks, LlmError> {
    Ok(match family.form {
        Form::Decoder => Stacks::Decoder,
        Form::Encoder { token_types, pooler } => {
            let token_types = fields.count("type_vocab_size")?.unwrap_or(token_types);
            Stacks::Encoder { token_types, pooler }
        }
        Form::EncoderDecoder => {
            let encoder = layers(fields, family, fields.size("num_hidden_layers")?)?;
            Stacks::EncoderDecoder { encoder }
        }
    })
}

/// Whether the feed-forward has a gate.
fn is_gated(fields: &Fields<'_>, family: &Family) -> Result<bool, LlmError> {
    let said = match family.form {
        Form::EncoderDecoder => fields.text("feed_forward_proj")?,
        Form::Decoder | Form::Encoder { .. } => None,
    };
    Ok(said.map_or(family.gated, |name| name.starts_with("gated")))
}

/// Falcon reads the same normalized rows in attention and feed-forward, in its second generation with a normalization each.
fn norms(fields: &Fields<'_>, family: &Family) -> Result<u64, LlmError> {
    let is_parallel =
        !fields.flag("new_decoder_architecture", false)? && family.parallel.holds(fields)?;
    // A model whose embedding is narrower than its stream has matrices that are not counted here.
    if let Some(width) = fields.optional_size("word_embed_proj_dim")?
        && width != fields.size("hidden_size")?
    {
        return Err(bad("word_embed_proj_dim", &width.into(), "problem-wanted-hidden"));
    }
    Ok(if is_parallel { 1 } else { family.norms })
}

fn heads(fields: &Fields<'_>, family: &Family) -> Result<Heads, LlmError> {
    let queries = fields.size("num_attention_heads")?;
    if family.keys != Keys::Heads {
        let value = match fields.optional_size("v_head_dim")? {
            None if family.keys == Keys::LatentWithValuesOfStream => {
                fields.size("hidden_size")? / queries
            }
            None => return Err(fields.missing("v_head_dim")),
            Some(value) => value,
        };
        return Ok(Heads::Latent(Latent {
            queries,
            query_rank: fields.optional_size("q_lora_rank")?,
            rank: fields.size("kv_lora_rank")?,
            plain: fields.size("qk_nope_head_dim")?,
            rotary: fields.size("qk_rope_head_dim")?,
            value,
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
        return Err(bad("num_key_value_heads", &value, "problem-wanted-heads"));
    }
    let hidden = fields.size("hidden_size")?;
    let columns = match fields.optional_size("head_dim")? {
        Some(columns) => columns,
        None if family.own_head_dim => return Err(fields.missing("head_dim")),
        None if hidden.is_multiple_of(queries) => hidden / queries,
        None => {
            return Err(bad("num_attention_heads", &queries.into(), "problem-wanted-width"));
        }
    };
    Ok(Heads::Grouped(Grouped {
        queries,
        stored,
        columns,
        input_bias: family.biases.inputs.holds(fields)?,
        output_bias: family.biases.output.holds(fields)?,
        normalized: family.normalized.holds(fields)?,
    }))
}

fn layers(fields: &Fields<'_>, family: &Family, count: u64) -> Result<Vec<LlmLayer>, LlmError> {
    if count > MOST_LAYERS {
        return Err(bad("num_hidden_layers", &count.into(), "problem-wanted-layers"));
    }
    let windows = windows(fields, family, count)?;
    let gated = is_gated(fields, family)?;
    let dense = |fields: &Fields<'_>| {
        let bias = family.biases.feed_forward.holds(fields)?;
        let inner = match fields.optional_size(family.inner)? {
            None if family.four_times => 4 * fields.size("hidden_size")?,
            Some(inner) => inner,
            None => return Err(fields.missing(family.inner)),
        };
        Ok(FeedForward::Dense { inner, bias, gated })
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
        layers.push(LlmLayer { window, feed_forward });
    }
    Ok(layers)
}
