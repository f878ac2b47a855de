//! What share of the roofs a measured run reached, by kind of operator.

use std::collections::{BTreeMap, BTreeSet};

use bigtpu_messages::{Arg, Message, message};
use bigtpu_model::Kind;

use crate::estimate::llm::bound::LlmBound;

/// A kernel of a measured run.
#[derive(Debug, Clone, PartialEq)]
pub struct MeasuredKernel {
    /// Its name, which shows what it computes.
    pub name: String,
    /// Core time of its launches, in ns.
    pub ns: f64,
    /// ns that its operations would need at the chip's peak.
    pub compute_ns: f64,
    /// ns that its bytes would need at the main memory's bandwidth.
    pub memory_ns: f64,
}

impl MeasuredKernel {
    /// The nearer of both roofs, and the time that it allows.
    fn roof(&self) -> (LlmBound, f64) {
        if self.compute_ns > self.memory_ns {
            (LlmBound::Compute, self.compute_ns)
        } else {
            (LlmBound::Memory, self.memory_ns)
        }
    }
}

/// Shares of the roofs that a chip reached.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Efficiencies {
    /// The chip.
    pub chip: String,
    /// Ideal over measured time, above 0 and at most 1: of all kernels of a kind.
    by_kind: BTreeMap<Kind, f64>,
    /// Ideal over measured time of the kernels of a kind that one roof bounds.
    by_roof: BTreeMap<(Kind, LlmBound), f64>,
}

/// Kinds that are told apart: their kernels have the same limits.
fn group(kind: Kind) -> Kind {
    match kind {
        Kind::Linear | Kind::MatMul => Kind::MatMul,
        Kind::RmsNorm | Kind::LayerNorm => Kind::RmsNorm,
        Kind::Silu | Kind::Gelu | Kind::Elementwise => Kind::Elementwise,
        other => other,
    }
}

/// What a kernel computes, by its name.
fn kind_of(name: &str) -> Option<Kind> {
    let lower = name.to_ascii_lowercase();
    if lower.contains("attention") || lower.contains("mla") {
        return Some(Kind::Attention);
    }
    if lower.contains("rope") {
        return Some(Kind::Rotary);
    }
    Kind::of_name(&lower).map(group)
}

/// Names of groups.
fn name(kind: Kind) -> Message {
    match kind {
        Kind::MatMul => message!("llm-kind-products"),
        Kind::Attention => message!("llm-kind-attention"),
        Kind::RmsNorm => message!("llm-kind-normalizations"),
        Kind::Elementwise => message!("llm-kind-elementwise"),
        Kind::Softmax => message!("llm-kind-softmax"),
        Kind::Rotary => message!("llm-kind-rotary"),
        Kind::Embedding => message!("llm-kind-embedding"),
        Kind::Conv2d => message!("llm-kind-convolutions"),
        Kind::Pool => message!("llm-kind-pooling"),
        Kind::Move | Kind::Free | Kind::Linear | Kind::LayerNorm | Kind::Silu | Kind::Gelu => {
            message!("llm-kind-other")
        }
    }
}

/// Ideal over measured time of all kernels of a key.
fn shares<'a, K: Ord>(kernels: impl Iterator<Item = (K, &'a MeasuredKernel)>) -> BTreeMap<K, f64> {
    let mut sums: BTreeMap<K, (f64, f64)> = BTreeMap::new();
    for (key, kernel) in kernels {
        let sum = sums.entry(key).or_default();
        sum.0 += kernel.roof().1;
        sum.1 += kernel.ns;
    }
    sums.into_iter().map(|(key, (ideal, ns))| (key, (ideal / ns).min(1.0))).collect()
}

impl Efficiencies {
    /// From the kernels of a run. Kernels whose names do not show what they compute are left out.
    #[must_use]
    pub fn from_kernels(chip: &str, kernels: &[MeasuredKernel]) -> Self {
        let known = || {
            let timed = kernels.iter().filter(|kernel| kernel.ns > 0.0 && kernel.roof().1 > 0.0);
            timed.filter_map(|kernel| Some((kind_of(&kernel.name)?, kernel)))
        };
        Self {
            chip: chip.to_owned(),
            by_kind: shares(known()),
            by_roof: shares(known().map(|(kind, kernel)| ((kind, kernel.roof().0), kernel))),
        }
    }

    /// The share that operators of a kind reach below a roof, where it was measured; below the other roof, where only that
    /// was measured.
    #[must_use]
    pub fn get(&self, kind: Kind, bound: LlmBound) -> Option<f64> {
        let kind = group(kind);
        self.by_roof.get(&(kind, bound)).or_else(|| self.by_kind.get(&kind)).copied()
    }

    /// Whether nothing was measured.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.by_kind.is_empty()
    }

    /// The shares of these kinds: `matrix products 41.0 % (memory)`.
    #[must_use]
    pub fn described(&self, kinds: impl Iterator<Item = Kind>) -> Vec<Message> {
        let used: BTreeSet<Kind> = kinds.map(group).collect();
        let shown = self.by_roof.iter().filter(|((kind, _), _)| used.contains(kind));
        let described = |((kind, bound), share): (&(Kind, LlmBound), &f64)| {
            let share = Arg::Share(*share);
            message!("llm-share", kind = name(*kind), share = share, bound = bound.word())
        };
        shown.map(described).collect()
    }

    /// Kinds of operators that were not measured.
    pub(super) fn missing(&self, kinds: impl Iterator<Item = Kind>) -> Vec<Message> {
        let mut missing: Vec<Message> = Vec::new();
        for kind in kinds.filter(|kind| *kind != Kind::Free) {
            let name = name(group(kind));
            if !self.by_kind.contains_key(&group(kind)) && !missing.contains(&name) {
                missing.push(name);
            }
        }
        missing
    }
}

#[cfg(test)]
mod tests {
    use bigtpu_messages::Language;

    use super::*;

    #[test]
    fn kernels_of_a_kind_count_together() {
        let kernel = |name: &str, ns, compute_ns, memory_ns| MeasuredKernel {
            name: name.to_owned(),
            ns,
            compute_ns,
            memory_ns,
        };
        let found = Efficiencies::from_kernels(
            "AKS",
            &[
                kernel("matmul_qkv", 100.0, 10.0, 40.0),
                kernel("matmul_down", 300.0, 10.0, 120.0),
                kernel("matmul_prompt", 100.0, 80.0, 9.0),
                kernel("flash_attention", 10.0, 1.0, 2.0),
                kernel("rms_norm", 10.0, 0.0, 20.0),
                kernel("who_knows", 1.0, 1.0, 1.0),
                kernel("silu", 0.0, 1.0, 1.0),
            ],
        );
        let of = |kind| (found.get(kind, LlmBound::Compute), found.get(kind, LlmBound::Memory));
        assert_eq!(of(Kind::Linear), (Some(0.8), Some(0.4)));
        // Below the other roof, what is known counts.
        assert_eq!(of(Kind::Attention), (Some(0.2), Some(0.2)));
        assert_eq!((of(Kind::RmsNorm), of(Kind::Silu)), ((Some(1.0), Some(1.0)), (None, None)));
        let english = |messages: Vec<Message>| {
            messages.iter().map(|one| one.text(Language::English)).collect::<Vec<_>>()
        };
        assert_eq!(
            english(found.described([Kind::Linear].into_iter())),
            ["matrix products 80.0 % (compute)", "matrix products 40.0 % (memory)"]
        );
        assert_eq!(english(found.missing([Kind::Linear, Kind::Rotary].into_iter())), ["rotary"]);
    }
}
