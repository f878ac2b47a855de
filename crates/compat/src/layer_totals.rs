//! What the TIU did for each layer.

use std::collections::BTreeMap;

use bigtpu_chip::Engine;
use bigtpu_measure::layers::Layers;
use bigtpu_measure::{CommandTable, TrackCommand};
use bigtpu_timeline::Profile;

use crate::engine_totals::TypeTotals;

/// TIU types whose kernel sizes are shown: convolution, pooling and depthwise convolution.
const KERNEL_TYPES: [u8; 2] = [0, 1];

/// Fields of a kernel: its sizes and their strides.
const KERNEL_FIELDS: [&str; 4] = ["opd1_h", "opd1_w", "opd1_h_str", "opd1_w_str"];

/// What the TIU did for a layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LayerTotals {
    /// Operations and cycles.
    pub tiu: TypeTotals,
    /// Greatest kernel height, width, and strides of either.
    pub kernel: [u64; 4],
}

/// The totals of all layers, in their order. Of a core's commands with the same id, which only several runs
/// have, the last counts.
#[must_use]
pub fn layer_totals(
    profile: &Profile<'_>,
    table: &CommandTable,
    layers: &Layers,
) -> Vec<LayerTotals> {
    let mut totals = vec![LayerTotals::default(); layers.layers.len()];
    for track in profile.cores.iter().map(|core| &core.tracks[0]) {
        let mut last: BTreeMap<i64, (usize, usize)> = BTreeMap::new();
        for (i, id) in track.events.id.iter().map(|id| id.saturating_add(1)).enumerate() {
            if let Some(layer) = layers.find(track.engine_id.index, Engine::Tiu, id) {
                last.insert(id, (layer, i));
            }
        }
        let Some(commands) = table.commands(profile, track) else { continue };
        for (layer, i) in last.into_values() {
            if let (Some(layer), Some(command)) = (totals.get_mut(layer), commands.get(i)) {
                layer.add(&command);
            }
        }
    }
    totals
}

impl LayerTotals {
    fn add(&mut self, command: &TrackCommand<'_, '_>) {
        let kind = command.kind;
        self.tiu.commands += 1;
        self.tiu.alg_ops += kind.cost.alg_ops;
        self.tiu.uarch_ops += kind.cost.uarch_ops;
        self.tiu.alg_cycles += kind.cost.alg_cycles;
        self.tiu.cycles += command.cycles();
        let Some(bits) = command.bits().filter(|_| KERNEL_TYPES.contains(&kind.task)) else {
            return;
        };
        for (most, name) in self.kernel.iter_mut().zip(KERNEL_FIELDS) {
            let field = bits.register.fields.iter().find(|f| f.name() == name);
            *most = field.map_or(0, |f| f.value(bits.bits)).max(*most);
        }
    }
}
