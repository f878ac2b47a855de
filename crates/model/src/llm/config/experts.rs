//! A mixture of experts, as each family describes it.

use crate::llm::architecture::Experts;
use crate::llm::config::family::{Family, Shared};
use crate::llm::error::LlmError;
use crate::llm::fields::{Fields, bad};

/// Experts, and the layers that have them.
pub(super) struct Mixed {
    pub(super) each: Experts,
    /// Layers before this one are dense.
    first: u64,
    /// From there on, each so manieth layer.
    every: u64,
    /// Number of the first of these, counted from `first`.
    offset: u64,
}

impl Mixed {
    pub(super) fn takes(&self, layer: u64) -> bool {
        layer >= self.first && (layer + self.offset).is_multiple_of(self.every)
    }
}

/// The experts of a model; `None` where it has none.
pub(super) fn experts(fields: &Fields<'_>, family: &Family) -> Result<Option<Mixed>, LlmError> {
    let Some(mixture) = family.mixture else { return Ok(None) };
    let count = match fields.optional_size(mixture.count)? {
        Some(count) => count,
        None if mixture.is_optional => return Ok(None),
        None => return Err(fields.missing(mixture.count)),
    };
    let per_token = fields.size(mixture.per_token)?;
    if per_token > count {
        let wanted = "problem-wanted-experts";
        return Err(bad(mixture.per_token, &per_token.into(), wanted));
    }
    let inner = fields.size(mixture.inner)?;
    let shared_inner = match mixture.shared {
        Shared::Nothing => 0,
        Shared::Gated(width) => fields.count(width)?.unwrap_or(0),
        Shared::Experts(number) => fields.count(number)?.unwrap_or(0) * inner,
        Shared::One => inner,
    };
    let shared_gate = matches!(mixture.shared, Shared::Gated(_)) && shared_inner > 0;
    let first = match mixture.first {
        Some(field) => fields.count(field)?.ok_or_else(|| fields.missing(field))?,
        None => 0,
    };
    Ok(Some(Mixed {
        each: Experts { count, per_token, inner, bias: mixture.bias, shared_inner, shared_gate },
        first,
        every: fields.optional_size(mixture.every)?.unwrap_or(1),
        offset: u64::from(mixture.is_last),
    }))
}
