//! Runs of layers, and what their description describes memory.

use std::collections::HashMap;

use bigtpu_measure::layers::{Layer, LayerRuns, Layers, Tensor, numbered_layer};
use bigtpu_timeline::Profile;

use crate::costs::level::{Level, NONE, Run};
use bigtpu_model::costs::{LayerMemory, PartKind};

/// All layers of a static model. Layers of several cores are one part where number and operation agree.
pub(crate) fn layer_level(profile: &Profile<'_>, layers: &Layers) -> Level {
    let mut level = Level::new(PartKind::Layer, profile);
    let mut number_on_core: HashMap<u32, u32> = HashMap::new();
    let mut known: HashMap<String, u32> = HashMap::new();
    let mut name_of_layer = Vec::with_capacity(layers.layers.len());
    for (id, layer) in (1..).zip(&layers.layers) {
        let number = number_on_core.entry(layer.core).or_default();
        let text = format!("{number} {}", layer.name);
        *number += 1;
        let name = *known.entry(text).or_insert_with(|| {
            level.names.push(numbered_layer(id, layer.label(id).as_str()));
            level.memory.push(None);
            (level.names.len() - 1) as u32
        });
        name_of_layer.push(name);
        if let Some(memory) = level.memory.get_mut(name as usize) {
            let all = memory.get_or_insert_default();
            let own = memory_of(layer);
            all.weights = all.weights.saturating_add(own.weights);
            all.activations = all.activations.saturating_add(own.activations);
        }
    }
    for (lane, core) in profile.cores.iter().enumerate() {
        let first = level.runs.len() as u32;
        let runs = LayerRuns::find(layers, core);
        level.runs.extend(runs.slices.iter().map(|slice| Run {
            name: name_of_layer.get(slice.layer).copied().unwrap_or(0),
            lane: lane as u32,
            start: slice.start,
            end: slice.end,
        }));
        // Tracks of cores come first in a profile, as many for each.
        for (engine, events) in runs.of_event.iter().enumerate() {
            let Some(column) = level.of_event.get_mut(lane * core.tracks.len() + engine) else {
                continue;
            };
            *column = events.iter().map(|run| run.map_or(NONE, |run| first + run)).collect();
        }
    }
    level
}

/// Operations whose operands from the second on are weights, as a rule.
const WITH_WEIGHTS: [&str; 6] = ["Conv2D", "Conv3D", "Conv1D", "Deconv", "MatMul", "Scale"];

fn memory_of(layer: &Layer) -> LayerMemory {
    let bytes = |tensors: &mut dyn Iterator<Item = &Option<Tensor>>| {
        tensors.flatten().fold(0u64, |sum, tensor| sum.saturating_add(tensor.bytes()))
    };
    let has_weights = WITH_WEIGHTS.contains(&layer.name.as_str());
    let weights = if has_weights { bytes(&mut layer.operands.iter().skip(1)) } else { 0 };
    LayerMemory { weights, activations: bytes(&mut layer.results.iter()) }
}
