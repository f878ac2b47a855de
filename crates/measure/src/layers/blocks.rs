//! Blocks of a model by the names of its layers: what a part of the model's source is called.
//!
//! Compilers keep the names of the model's modules in the names of tensors, as `blaze_face.backbone1.2.convs.0.bias` or
//! `/model/layers.3/mlp/up_proj`. The block of such a name ends with its first number: `blaze_face.backbone1.2`,
//! `/model/layers.3`. A layer belongs to the block of its own name, else of a tensor that it reads (weights have the names of their
//! modules), else to the block of the layer before it.

use std::collections::{BTreeMap, BTreeSet};

use crate::layers::{Layer, Layers};

/// What begins the name of a tensor that a layer of the compiler's loads.
const LOADED: &str = "load_";

impl Layers {
    /// The block of the layer with an id; `None` where no name tells one.
    #[must_use]
    pub fn block(&self, id: usize) -> Option<&str> {
        let name = self.blocks().get(id.checked_sub(1)?)?.as_str();
        (!name.is_empty()).then_some(name)
    }

    /// Returns the name of each layer's block, by layer; empty before the first layer that has one.
    #[must_use]
    pub fn blocks(&self) -> &[String] {
        self.blocks.get_or_init(|| self.find_blocks())
    }

    fn find_blocks(&self) -> Vec<String> {
        let mut candidates: Vec<Vec<&str>> = self.layers.iter().map(candidates).collect();
        let known: BTreeSet<&str> = candidates.iter().flatten().copied().collect();
        candidates.iter_mut().flatten().for_each(|name| *name = without_operation(name, &known));
        // Compilers join names: of several blocks that a layer may belong to, the one that most layers name is meant.
        let mut votes: BTreeMap<&str, usize> = BTreeMap::new();
        for name in candidates.iter().flatten() {
            *votes.entry(name).or_default() += 1;
        }
        let vote = |name: &&str| votes.get(name).copied().unwrap_or(0);
        let mut last = "";
        let block = candidates.iter().map(|names| {
            let best = names
                .iter()
                .copied()
                .reduce(|best, next| if vote(&next) > vote(&best) { next } else { best });
            last = best.unwrap_or(last);
            last.to_owned()
        });
        block.collect()
    }
}

/// A block's name without the operation that a compiler wrote before it: `93_Convblaze_face.backbone1.4`, where
/// `blaze_face.backbone1.4` is the block of another layer.
fn without_operation<'a>(name: &'a str, known: &BTreeSet<&'a str>) -> &'a str {
    if !name.starts_with(|c: char| c.is_ascii_digit()) {
        return name;
    }
    let rests = name.char_indices().skip(1).filter_map(|(at, _)| name.get(at..));
    rests.into_iter().find(|rest| known.contains(rest)).unwrap_or(name)
}

/// The blocks that a layer's names speak of: of its own name, else of what it reads.
fn candidates(layer: &Layer) -> Vec<&str> {
    let own: Vec<&str> = block(&layer.result_name).into_iter().collect();
    if !own.is_empty() {
        return own;
    }
    layer.operands.iter().flatten().filter_map(|tensor| block(&tensor.name)).collect()
}

/// The block of a tensor's name: up to its first part that is a number; `None` of a name without parts.
fn block(name: &str) -> Option<&str> {
    let name = name.strip_prefix(LOADED).unwrap_or(name);
    let is_mark = |c: char| matches!(c, '.' | '/');
    if name.trim_start_matches(is_mark).matches(is_mark).count() < 2 {
        return None;
    }
    let mut start = 0;
    for part in name.split(is_mark) {
        let end = start + part.len();
        if !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()) {
            return name.get(..end);
        }
        start = end + 1;
    }
    name.rsplit_once(is_mark).map(|(block, _)| block)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layers::Tensor;

    #[test]
    fn blocks_end_with_the_first_number() {
        assert_eq!(
            block("load_blaze_face.backbone1.2.convs.0.bias"),
            Some("blaze_face.backbone1.2")
        );
        assert_eq!(block("/model/layers.3/mlp/up_proj"), Some("/model/layers.3"));
        assert_eq!(block("/encoder/norm/Add_output_0"), Some("/encoder/norm"));
        assert_eq!(block("x.180_Relu_f16"), None);
        assert_eq!(block("81_Conv"), None);
    }

    #[test]
    fn layers_without_a_block_belong_to_the_one_before() {
        let layer = |name: &str, reads: &[&str]| Layer {
            result_name: name.to_owned(),
            operands: reads
                .iter()
                .map(|name| Some(Tensor::of_text("<1xf16>").unwrap().named(name)))
                .collect(),
            ..Layer::default()
        };
        let layers = vec![
            layer("x", &[]),
            layer("load_a.b.1.bias", &[]),
            // Its weight's name is joined from two.
            layer("1_Conv", &["load_1_Conva.b.1.weight", "load_a.b.1.bias"]),
            layer("2_Add", &["1_Conv"]),
            layer("load_a.b.2.bias", &[]),
            layer("load_3_Conva.b.2.weight", &[]),
        ];
        let layers = Layers { layers, ..Layers::default() };
        assert_eq!((layers.block(1), layers.block(5)), (None, Some("a.b.2")));
        assert_eq!(layers.blocks(), ["", "a.b.1", "a.b.1", "a.b.1", "a.b.2", "a.b.2"]);
    }
}
