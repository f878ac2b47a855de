//! Types of elements.

use bigtpu_machine::DataType;
use bigtpu_messages::{Message, message};
use serde_json::Value;

use crate::llm::error::LlmError;
use crate::llm::fields::{Fields, bad};

/// Type of activations, where the file says one.
pub(super) fn data_type(fields: &Fields<'_>) -> Result<Option<DataType>, LlmError> {
    for field in ["dtype", "torch_dtype"] {
        if let Some(text) = fields.text(field)? {
            let parsed = text.parse::<DataType>();
            return parsed.map(Some).map_err(|_| bad(field, &text.into(), "problem-wanted-type"));
        }
    }
    Ok(None)
}

/// Whether the file says that the last product is quantized as the layers are.
pub(super) fn quantizes_head(fields: &Fields<'_>) -> bool {
    let said = fields.value("quantization_config").and_then(|value| value.get("lm_head"));
    said.and_then(Value::as_bool) == Some(true)
}

/// Type of the weights that the file says are quantized.
pub(super) fn quantized(
    fields: &Fields<'_>,
    notes: &mut Vec<Message>,
) -> Result<Option<DataType>, LlmError> {
    let Some(value) = fields.value("quantization_config") else { return Ok(None) };
    let first_group = value.pointer("/config_groups/group_0/weights/num_bits");
    let named = ["bits", "w_bit"].iter().find_map(|name| value.get(*name));
    let bits = named.or(first_group).and_then(Value::as_u64);
    let is_set = |flag: &str| value.get(flag).and_then(Value::as_bool) == Some(true);
    let method = value.get("quant_method").and_then(Value::as_str).unwrap_or("");
    let found = match (method, bits) {
        (_, Some(4)) => DataType::Int4,
        (_, Some(8)) => DataType::Int8,
        ("fp8", None) => DataType::Fp8,
        // Four bits, and a scale for each 32 of them.
        ("mxfp4", None) => DataType::Int4,
        ("bitsandbytes", None) if is_set("load_in_4bit") => DataType::Int4,
        ("bitsandbytes", None) if is_set("load_in_8bit") => DataType::Int8,
        _ => {
            notes.push(message!("model-quantization-unknown"));
            return Ok(None);
        }
    };
    notes.push(message!("model-quantized", kind = found.name()));
    Ok(Some(found))
}
