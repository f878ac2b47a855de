//! Layers of a static model: what each took and did.

use bigtpu_measure::layers::{LayerLabel, LayerRuns, LayerSlice, Layers, numbered_layer};
use bigtpu_measure::{CommandTable, CoreDemand, ratio};
use bigtpu_messages::{Message, message};
use bigtpu_timeline::Profile;
use serde::{Deserialize, Serialize};

use crate::units::{Sums, UnitWork};

/// A layer on a core, over all runs of the model. Layers overlap where engines work ahead.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LayerRow {
    /// Its number in the model, from 1: as in trace, page and `events`.
    pub id: u64,
    /// The operation, such as `Conv2D`.
    pub operation: String,
    /// The model's name of its first result; none where the dump does not name it.
    pub name: Option<String>,
    /// What runs it, such as `TPU`; none where the dump does not name it.
    pub device: Option<String>,
    /// The core whose commands it has.
    pub core: u32,
    /// How often it ran.
    pub runs: u64,
    /// What its commands did.
    #[serde(flatten)]
    pub work: UnitWork,
    /// The block of the model that it is in; none where its names tell none.
    #[serde(default)]
    pub block: Option<String>,
    /// What its commands asked of its core.
    #[serde(skip)]
    pub(crate) demand: CoreDemand,
}

impl LayerRow {
    /// The layer in a sentence: `layer 5 80_Relu (Conv2D)`.
    pub(crate) fn title(&self) -> Message {
        message!("place-layer", layer = numbered_layer(self.id, self.label().as_str()))
    }

    /// How all outputs name it.
    #[must_use]
    pub fn label(&self) -> LayerLabel {
        LayerLabel::new(self.name.as_deref().unwrap_or_default(), &self.operation, self.id)
    }

    /// The layers that have events, in the model's order.
    pub(crate) fn all(
        profile: &Profile<'_>,
        table: &CommandTable,
        layers: &Layers,
        runs: &[LayerRuns],
        wall_ns: i64,
    ) -> Vec<Self> {
        let mut works = vec![Sums::default(); layers.layers.len()];
        let mut slices: Vec<Vec<&LayerSlice>> = vec![Vec::new(); layers.layers.len()];
        for (core, runs) in profile.cores.iter().zip(runs) {
            for (track, of_event) in core.tracks.iter().zip(&runs.of_event) {
                let commands = table.commands(profile, track);
                let mhz = profile.clocks.mhz(track.engine_id.engine);
                for (command, run) in commands.into_iter().flat_map(|all| all.iter()).zip(of_event)
                {
                    let slice = run.and_then(|run| runs.slices.get(run as usize));
                    if let Some(work) = slice.and_then(|slice| works.get_mut(slice.layer)) {
                        work.add(&command, mhz);
                    }
                }
            }
            for slice in &runs.slices {
                if let Some(slices) = slices.get_mut(slice.layer) {
                    slices.push(slice);
                }
            }
        }
        let blocks = layers.blocks();
        let numbered = (1..).zip(&layers.layers).zip(blocks).zip(slices.iter().zip(&works));
        let rows = numbered.filter_map(|(((id, layer), block), (slices, sums))| {
            let named = |name: &str| (!name.is_empty()).then(|| name.to_owned());
            let total_ns = slices.iter().map(|slice| slice.end - slice.start).sum();
            Some(Self {
                id,
                operation: layer.name.clone(),
                name: named(&layer.result_name),
                device: named(&layer.engine),
                core: layer.core,
                runs: slices.len() as u64,
                work: UnitWork {
                    events: slices.iter().map(|slice| slice.events).sum(),
                    start_ns: slices.iter().map(|slice| slice.start).min()?,
                    end_ns: slices.iter().map(|slice| slice.end).max()?,
                    total_ns,
                    wall_share: ratio(total_ns, wall_ns),
                    ..sums.unit_work()
                },
                block: named(block),
                demand: sums.demand,
            })
        });
        rows.collect()
    }

    /// A layer for tests.
    #[cfg(test)]
    pub(crate) fn testing(id: u64, block: Option<&str>, work: UnitWork) -> Self {
        Self {
            id,
            operation: "Add".to_owned(),
            name: None,
            device: None,
            core: 0,
            runs: 1,
            work,
            block: block.map(str::to_owned),
            demand: CoreDemand::default(),
        }
    }
}
