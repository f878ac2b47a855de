//! Which layers have a sliding window.

use serde_json::Value;

use crate::llm::config::family::{Family, Windows};
use crate::llm::error::LlmError;
use crate::llm::fields::{Fields, bad};

/// The sliding window of each layer.
pub(super) fn windows(
    fields: &Fields<'_>,
    family: &Family,
    layers: u64,
) -> Result<Vec<Option<u64>>, LlmError> {
    let field = match family.windows {
        Windows::Chunks => "attention_chunk_size",
        _ => "sliding_window",
    };
    let window = fields.optional_size(field)?;
    let of = |has: &dyn Fn(u64) -> bool| {
        (0..layers).map(|layer| window.filter(|_| has(layer))).collect::<Vec<_>>()
    };
    if let Some(value) = fields.value("layer_types") {
        let slides = |kind: &Value| match kind.as_str()? {
            "full_attention" => Some(false),
            "sliding_attention" | "chunked_attention" => Some(true),
            _ => None,
        };
        let list: Option<Vec<bool>> =
            value.as_array().and_then(|list| list.iter().map(slides).collect());
        let list = list
            .filter(|list| list.len() as u64 == layers)
            .ok_or_else(|| bad("layer_types", value, "problem-wanted-windows"))?;
        if list.contains(&true) && window.is_none() {
            return Err(fields.missing(field));
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
        // Without positions, a layer sees all rows.
        Windows::Chunks => {
            let turned = fields.counts("no_rope_layers")?;
            let every = fields.optional_size("no_rope_layer_interval")?.unwrap_or(4);
            of(&|layer| {
                let own = turned.get(layer as usize);
                own.map_or(!(layer + 1).is_multiple_of(every), |turned| *turned != 0)
            })
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
