//! A mixture of experts, as each family describes it.

use crate::llm::architecture::Experts;
use crate::llm::config::family::{Family, Mixture};
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
