//! Layers of a static model: what each took and did.

use bigtpu_chip::Engine;
use bigtpu_measure::layers::{LayerLabel, LayerRuns, LayerSlice, Layers, numbered_layer};
use bigtpu_measure::{CommandTable, Demand, TrackCommand, quotient, ratio, round4, whole};
use bigtpu_messages::{Message, message};
use bigtpu_timeline::Profile;
use serde::{Deserialize, Serialize};

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
    /// Events.
    pub events: u64,
    /// Start of its first command in ns.
    pub start_ns: i64,
    /// End of its last command in ns.
    pub end_ns: i64,
    /// ns from the first command to the last, summed over its runs.
    pub total_ns: i64,
    /// The same over the wall time.
    pub wall_share: f64,
    /// ns of the critical path in it.
    #[serde(default)]
    pub path_ns: i64,
    /// What its commands asked of its core.
    #[serde(skip)]
    pub(crate) demand: Demand,
    /// Ideal cycles of its TIU commands; 0 where they are not known.
    #[serde(default)]
    pub ideal_cycles: u64,
    /// Cycles that its TIU commands took.
    #[serde(default)]
    pub tiu_cycles: u64,
    /// Ideal cycles / cycles; `null` where the ideal ones are not known, or nothing was computed.
    #[serde(default)]
    pub mac_utilization: Option<f64>,
    /// ns that the bits of its commands explain, of those whose bits explain any.
    #[serde(default)]
    pub expected_ns: i64,
    /// ns that these commands took.
    #[serde(default)]
    pub explained_ns: i64,
    /// ns of commands by engine: TIU, GDMA, SDMA; system commands left out.
    pub busy_ns: [i64; 3],
    /// Requested operations, of the commands whose full bits are known.
    pub ops: u64,
    /// Operations after padding.
    pub uarch_ops: u64,
    /// Requested operations / operations after padding.
    pub uarch_rate: f64,
    /// Bytes from or to DDR.
    pub ddr_bytes: u64,
    /// Bytes moved otherwise.
    pub other_bytes: u64,
}

/// What the commands of a layer did.
#[derive(Debug, Clone, Copy, Default)]
struct Work {
    busy_ns: [i64; 3],
    demand: Demand,
    alg_cycles: i128,
    tiu_cycles: i64,
    /// ns that bits explain, and ns that the commands took whose bits do.
    expected: (f64, i64),
    ddr_bytes: u64,
    other_bytes: u64,
}

impl Work {
    fn add(&mut self, command: &TrackCommand<'_, '_>, mhz: f64) {
        let kind = command.kind;
        if !kind.activity.is_work() {
            return;
        }
        if let Some(busy) = self.busy_ns.get_mut(kind.engine as usize) {
            *busy += command.end() - command.start();
        }
        self.demand.add(kind, 1, command.bytes());
        if kind.engine == Engine::Tiu {
            self.tiu_cycles += command.cycles();
            self.alg_cycles += kind.ideal_cycles().unwrap_or(0);
        }
        if let Some(ns) = kind.expected_ns(mhz) {
            self.expected.0 += ns;
            self.expected.1 += command.end() - command.start();
        }
        match kind.direction() {
            Some(direction) if direction.has_ddr() => self.ddr_bytes += command.bytes(),
            Some(_) => self.other_bytes += command.bytes(),
            None => {}
        }
    }
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
        let mut works = vec![Work::default(); layers.layers.len()];
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
        let numbered = (1..).zip(&layers.layers).zip(slices.iter().zip(&works));
        let rows = numbered.filter_map(|((id, layer), (slices, work))| {
            let named = |name: &str| (!name.is_empty()).then(|| name.to_owned());
            let total_ns = slices.iter().map(|slice| slice.end - slice.start).sum();
            Some(Self {
                id,
                operation: layer.name.clone(),
                name: named(&layer.result_name),
                device: named(&layer.engine),
                core: layer.core,
                runs: slices.len() as u64,
                events: slices.iter().map(|slice| slice.events).sum(),
                start_ns: slices.iter().map(|slice| slice.start).min()?,
                end_ns: slices.iter().map(|slice| slice.end).max()?,
                total_ns,
                wall_share: ratio(total_ns, wall_ns),
                path_ns: 0,
                demand: work.demand,
                ideal_cycles: whole(work.alg_cycles),
                tiu_cycles: u64::try_from(work.tiu_cycles).unwrap_or(0),
                // Ideal cycles above those that it took are no ideal: the rule does not hold for such commands.
                mac_utilization: (work.alg_cycles > 0
                    && work.alg_cycles <= i128::from(work.tiu_cycles))
                .then(|| round4(quotient(work.alg_cycles, work.tiu_cycles.into()))),
                expected_ns: work.expected.0.round() as i64,
                explained_ns: work.expected.1,
                busy_ns: work.busy_ns,
                ops: whole(work.demand.alg_ops),
                uarch_ops: whole(work.demand.uarch_ops),
                uarch_rate: round4(quotient(work.demand.alg_ops, work.demand.uarch_ops)),
                ddr_bytes: work.ddr_bytes,
                other_bytes: work.other_bytes,
            })
        });
        rows.collect()
    }
}
