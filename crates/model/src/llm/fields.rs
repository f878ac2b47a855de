//! Fields of `config.json`. What is missing or of no use is an error that names the field.

use serde_json::{Map, Value};

use crate::llm::LlmError;

/// Larger sizes are mistakes: products of three of them have room in 64 bits.
const MOST: u64 = 1 << 20;

/// Other names of fields, which families of models have used.
const OTHER_NAMES: [(&str, &[&str]); 8] = [
    ("hidden_size", &["n_embd", "n_embed", "d_model", "dim"]),
    ("num_hidden_layers", &["n_layer", "num_layers", "n_layers"]),
    ("num_attention_heads", &["n_head", "num_heads", "n_heads"]),
    ("head_dim", &["d_kv"]),
    ("num_key_value_heads", &["num_kv_heads", "n_head_kv"]),
    ("intermediate_size", &["ffn_dim", "n_inner", "ffn_hidden_size", "d_ff", "hidden_dim"]),
    ("max_position_embeddings", &["n_positions"]),
    ("num_experts_per_tok", &["experts_per_token"]),
];

/// The fields of a model.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fields<'a> {
    pub(super) map: &'a Map<String, Value>,
    pub(super) model_type: &'a str,
}

impl<'a> Fields<'a> {
    /// The value of a field; `null` is absent.
    pub(super) fn value(&self, field: &str) -> Option<&'a Value> {
        let others = OTHER_NAMES.iter().find(|(name, _)| *name == field);
        let names =
            std::iter::once(field).chain(others.into_iter().flat_map(|(_, names)| *names).copied());
        names.filter_map(|name| self.map.get(name)).find(|value| !value.is_null())
    }

    pub(super) fn missing(&self, field: &str) -> LlmError {
        LlmError::Missing { field: field.to_owned(), model_type: self.model_type.to_owned() }
    }

    /// A size of at least 1.
    pub(super) fn size(&self, field: &str) -> Result<u64, LlmError> {
        self.optional_size(field)?.ok_or_else(|| self.missing(field))
    }

    /// A size of at least 1, if the field is there.
    pub(super) fn optional_size(&self, field: &str) -> Result<Option<u64>, LlmError> {
        let Some(value) = self.value(field) else { return Ok(None) };
        let size = value.as_u64().filter(|size| (1..=MOST).contains(size));
        size.map(Some).ok_or_else(|| bad(field, value, "problem-wanted-size"))
    }

    /// A number of at least 0, if the field is there.
    pub(super) fn count(&self, field: &str) -> Result<Option<u64>, LlmError> {
        let Some(value) = self.value(field) else { return Ok(None) };
        let count = value.as_u64().filter(|count| *count <= MOST);
        count.map(Some).ok_or_else(|| bad(field, value, "problem-wanted-count"))
    }

    /// A flag, or what the family has where the field is absent.
    pub(super) fn flag(&self, field: &str, otherwise: bool) -> Result<bool, LlmError> {
        let Some(value) = self.value(field) else { return Ok(otherwise) };
        value.as_bool().ok_or_else(|| bad(field, value, "problem-wanted-flag"))
    }

    /// A text, if the field is there.
    pub(super) fn text(&self, field: &str) -> Result<Option<&'a str>, LlmError> {
        let Some(value) = self.value(field) else { return Ok(None) };
        value.as_str().map(Some).ok_or_else(|| bad(field, value, "problem-wanted-text"))
    }

    /// A list of sizes, if the field is there.
    pub(super) fn counts(&self, field: &str) -> Result<Vec<u64>, LlmError> {
        let Some(value) = self.value(field) else { return Ok(Vec::new()) };
        let list = value.as_array().and_then(|list| list.iter().map(Value::as_u64).collect());
        list.ok_or_else(|| bad(field, value, "problem-wanted-list"))
    }
}

/// A field with a value of no use; of a long value the beginning. `wanted` is an id of the catalogue.
pub(super) fn bad(field: &str, value: &Value, wanted: &'static str) -> LlmError {
    let value = value.to_string().chars().take(40).collect();
    LlmError::BadValue { field: field.to_owned(), value, wanted }
}
