//! Which layers a light trace tells by their names alone: queries find id and block of a name in the slice of the layer.

use std::collections::BTreeMap;

use bigtpu_measure::layers::Layers;
use bigtpu_scene::{Content, Detail, Scene};

/// Layers whose name no other layer has, and that have a slice; by default none.
#[derive(Debug, Default)]
pub(crate) struct LayerNames {
    /// Whether the name of a layer is enough, by the layer's index.
    suffice: Vec<bool>,
}

impl LayerNames {
    pub(crate) fn find(layers: &Layers, scene: &Scene) -> Self {
        let mut by_label: BTreeMap<&str, usize> = BTreeMap::new();
        for label in (1..=layers.layers.len()).filter_map(|id| layers.label(id)) {
            *by_label.entry(label).or_default() += 1;
        }
        let mut suffice = vec![false; layers.layers.len()];
        for track in scene.groups.iter().flat_map(|group| &group.tracks) {
            let Content::Slices(slices) = &track.content else { continue };
            for slice in slices.all() {
                if let Detail::Layer(index) = slice.detail
                    && let Some(suffices) = suffice.get_mut(index)
                {
                    let label = layers.label(index + 1);
                    *suffices = label.and_then(|label| by_label.get(label)) == Some(&1);
                }
            }
        }
        Self { suffice }
    }

    /// Whether the name of the layer with an id, which counts from 1, tells which it is.
    pub(crate) fn suffice(&self, id: usize) -> bool {
        id.checked_sub(1)
            .and_then(|index| self.suffice.get(index))
            .is_some_and(|suffices| *suffices)
    }
}
