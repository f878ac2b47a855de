//! What the TIU did for each layer.

use std::collections::BTreeMap;

use bigtpu_analysis::{TypeTotals, tiu};
use bigtpu_chip::Engine;
use bigtpu_timeline::{Profile, Track};

use bigtpu_layers::Layers;

/// TIU types whose kernel sizes are shown: convolution, pooling and depthwise convolution.
const KERNEL_TYPES: [u8; 2] = [0, 1];

/// Fields of a kernel: its sizes and their strides.
const KERNEL_FIELDS: [&str; 4] = ["opd1_h", "opd1_w", "opd1_h_str", "opd1_w_str"];

/// What the TIU did for a layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct LayerTotals {
    /// Operations and cycles.
    pub(crate) tiu: TypeTotals,
    /// Greatest kernel height, width, and strides of either.
    pub(crate) kernel: [u64; 4],
}

/// The totals of all layers, in their order. Of a core's commands with the same id, which only several runs
/// have, the last counts.
pub(crate) fn layer_totals(profile: &Profile<'_>, layers: &Layers) -> Vec<LayerTotals> {
    let mut totals = vec![LayerTotals::default(); layers.layers.len()];
    for track in profile.cores.iter().map(|core| &core.tracks[0]) {
        let mut last: BTreeMap<i64, (usize, usize)> = BTreeMap::new();
        for (i, id) in track.events.id.iter().map(|id| id.saturating_add(1)).enumerate() {
            if let Some(layer) = layers.find(track.place.index, Engine::Tiu, id) {
                last.insert(id, (layer, i));
            }
        }
        for (layer, i) in last.into_values() {
            if let Some(layer) = totals.get_mut(layer) {
                layer.add(profile, track, i);
            }
        }
    }
    totals
}

impl LayerTotals {
    fn add(&mut self, profile: &Profile<'_>, track: &Track<'_>, i: usize) {
        let view = tiu(profile, track, i);
        self.tiu.commands += 1;
        self.tiu.alg_ops += view.cost.alg_ops;
        self.tiu.uarch_ops += view.cost.uarch_ops;
        self.tiu.alg_cycles += view.cost.alg_cycles;
        self.tiu.cycles += track.events.cycles.get(i).copied().unwrap_or(0);
        let Some(command) = view.command.filter(|_| KERNEL_TYPES.contains(&view.task)) else {
            return;
        };
        for (most, name) in self.kernel.iter_mut().zip(KERNEL_FIELDS) {
            let field = command.register.fields.iter().find(|f| f.name == name);
            *most = field.map_or(0, |f| f.value(command.bits)).max(*most);
        }
    }
}
