//! Layers of a static model: what each took and did.

use bigtpu_chip::Engine;
use bigtpu_measure::layers::{LayerLabel, LayerRuns, LayerSlice, Layers, numbered_layer};
use bigtpu_measure::{CommandTable, Demand, TrackCommand, quotient, ratio, round4, whole};
use bigtpu_messages::{Message, message};
use bigtpu_timeline::Profile;
use serde::{Deserialize, Serialize};

use crate::units::UnitWork;

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
    pub(crate) demand: Demand,
}

/// What the commands of a layer did.
#[derive(Debug, Clone, Copy, Default)]
struct Sums {
    busy_ns: [i64; 3],
    demand: Demand,
    alg_cycles: i128,
    tiu_cycles: i64,
    /// ns that bits explain, and ns that the commands took whose bits do.
    expected: (f64, i64),
    ddr_bytes: u64,
    other_bytes: u64,
}

impl Sums {
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

    fn unit_work(&self) -> UnitWork {
        let Demand { commands, alg_ops, uarch_ops, .. } = self.demand;
        UnitWork {
            ideal_cycles: whole(self.alg_cycles),
            tiu_cycles: u64::try_from(self.tiu_cycles).unwrap_or(0),
            // Ideal cycles above those that it took are no ideal: the rule does not hold for such commands.
            mac_utilization: (self.alg_cycles > 0
                && self.alg_cycles <= i128::from(self.tiu_cycles))
            .then(|| round4(quotient(self.alg_cycles, self.tiu_cycles.into()))),
            expected_ns: self.expected.0.round() as i64,
            explained_ns: self.expected.1,
            busy_ns: self.busy_ns,
            ops: whole(alg_ops),
            uarch_ops: whole(uarch_ops),
            uarch_rate: round4(quotient(alg_ops, uarch_ops)),
            ddr_bytes: self.ddr_bytes,
            other_bytes: self.other_bytes,
            commands,
            ..UnitWork::default()
        }
    }
}

impl UnitWork {
    /// What one command did. `mhz`: the clock of its engine; `wall_ns`: the time that its share is of; `path_ns`: of the critical
    /// path in it.
    #[must_use]
    pub fn of_command(
        command: &TrackCommand<'_, '_>,
        mhz: f64,
        wall_ns: i64,
        path_ns: i64,
    ) -> Self {
        let mut sums = Sums::default();
        sums.add(command, mhz);
        let (start_ns, end_ns) = (command.start(), command.end());
        let total_ns = end_ns - start_ns;
        let wall_share = ratio(total_ns, wall_ns);
        Self { events: 1, start_ns, end_ns, total_ns, wall_share, path_ns, ..sums.unit_work() }
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
        let numbered = (1..).zip(&layers.layers).zip(&blocks).zip(slices.iter().zip(&works));
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
            demand: Demand::default(),
        }
    }
}
