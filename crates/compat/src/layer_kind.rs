//! Kinds of layers, by the names of their operations, and their totals.

use std::collections::{BTreeMap, BTreeSet};

use bigtpu_measure::layers::{Layer, Layers, Tensor};

use crate::engine_totals::TypeTotals;
use crate::layer_totals::LayerTotals;
use crate::peak::rounded;

/// The kind of a layer that is of no other.
const OTHERS: &str = "Others";

const KINDS: [(&str, &[&str]); 13] = [
    ("Conv", &["conv", "conv2d", "conv3d", "deconv", "deconv3d"]),
    ("Pool", &["pool", "pool2d"]),
    ("MatMul", &["matmul", "batch_matmul", "a16matmul"]),
    ("FC", &["fc"]),
    ("Softmax", &["softmax"]),
    ("Reduce", &["reduce"]),
    ("Lut", &["lut"]),
    ("Cast", &["cast"]),
    ("MulShift", &["mulshift"]),
    ("Attention", &["attention", "fattention"]),
    ("Active", &["active", "leakyrelu", "prelu"]),
    (
        "LayerNorm",
        &["groupnorm", "layernorm", "group_norm", "layer_norm", "instancenorm", "pixelnorm"],
    ),
    (
        "Eltwise",
        &[
            "add",
            "sub",
            "mul",
            "div",
            "max",
            "min",
            "addconst",
            "mulconst",
            "subconst",
            "maxconst",
            "minconst",
            "broadcast_binary",
            "eltwise",
            "eltwise_binary",
            "binaryshift",
            "binaryconstshift",
            "clip",
            "compare",
            "compareconst",
        ],
    ),
];

/// Layers of one kind.
#[derive(Debug, Clone, Default)]
pub struct LayerKind {
    /// `Conv`, `MatMul` and so on; `Overall` for all together.
    pub name: String,
    /// Operations and cycles.
    pub tiu: TypeTotals,
    /// Bytes of weights.
    pub weights: u64,
    /// Names of the layers' operations; empty for all together.
    pub names: BTreeSet<String>,
}

impl LayerKind {
    /// Time in us with the 3 decimals that are shown.
    #[must_use]
    pub fn us(&self, mhz: f64) -> f64 {
        rounded(self.tiu.cycles as f64 / mhz, 3)
    }
}

/// The kinds that a model's computing layers are of, those that took longest first; `Others` last.
#[must_use]
pub fn layer_kinds(layers: &Layers, totals: &[LayerTotals]) -> Vec<LayerKind> {
    let mut by_name: BTreeMap<(bool, &str), LayerKind> = BTreeMap::new();
    for (layer, totals) in layers.layers.iter().zip(totals).filter(|(l, _)| l.computes()) {
        let name = kind_of(&layer.name);
        let kind = by_name.entry((name == OTHERS, name)).or_default();
        name.clone_into(&mut kind.name);
        kind.names.insert(layer.name.clone());
        kind.weights += operand_bytes(layer)[0];
        kind.tiu.add(&totals.tiu);
    }
    let mut kinds: Vec<LayerKind> = by_name.into_values().collect();
    if let Some((_, all_but_last)) = kinds.split_last_mut() {
        all_but_last.sort_by_key(|k| std::cmp::Reverse(k.tiu.cycles));
    }
    kinds
}

/// All kinds together.
#[must_use]
pub fn of_all_kinds(kinds: &[LayerKind]) -> LayerKind {
    let mut tiu = TypeTotals::default();
    kinds.iter().for_each(|kind| tiu.add(&kind.tiu));
    let weights = kinds.iter().map(|k| k.weights).sum();
    LayerKind { name: "Overall".into(), tiu, weights, names: BTreeSet::new() }
}

/// Bytes of a layer's weights (operands from the third on) and of its features.
#[must_use]
pub fn operand_bytes(layer: &Layer) -> [u64; 2] {
    let bytes = |tensors: &[Option<Tensor>]| tensors.iter().flatten().map(Tensor::bytes).sum();
    let (features, weights) = layer.operands.split_at(layer.operands.len().min(2));
    [bytes(weights), bytes(features)]
}

/// The kind of a layer.
fn kind_of(layer: &str) -> &'static str {
    let name = layer.to_lowercase();
    let found = KINDS.iter().find(|(_, names)| names.contains(&name.as_str()));
    found.map_or(OTHERS, |(kind, _)| kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layer_kinds_ignore_case() {
        let of = |names: [&str; 4]| names.map(kind_of);
        assert_eq!(
            of(["CONV3D", "Add", "Batch_matmul", "Foo"]),
            ["Conv", "Eltwise", "MatMul", "Others"]
        );
    }
}
