//! What a second buffer would save: loads of the next tile that run while this tile is computed.
//!
//! A command that waits for another engine either reads what that one wrote, or overwrites what that one read or wrote. The operands'
//! addresses tell the two apart (where they show nothing, a result is what the command says that it waits for); the second kind goes away with a second buffer. Then the loads of a tile can be dispatched before
//! the stores of the tile before. A core's launches are run again in this order, each by itself, and what they
//! become is compared with the same run in the measured order.

mod commands;
mod order;

use std::collections::BTreeMap;

use bigtpu_chip::Engine;
use bigtpu_measure::{
    Accesses, Activity, CommandTable, CommandWaits, DumpModel, KernelSlice, LocalMemory,
};
use bigtpu_timeline::Profile;

use crate::stretch::Stretch;
use commands::{Operation, operations};
use order::{least, measured_order, pipelined_order, run};

/// What a second buffer would save and need.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Buffering {
    /// Launches that a second buffer makes shorter.
    pub(crate) shorter: Vec<Stretch>,
    /// ns that loads before the stores of the tile before save on the core where this is most.
    pub(crate) reached_ns: i64,
    /// The kernel whose launches gain most together, and what its launches take with a second buffer over what they take now.
    pub(crate) most: Option<(u32, f64)>,
    /// Dependences between TIU and GDMA on results, and on buffers that are used again only, in the launches that were looked at.
    pub(crate) dependences: (u64, u64),
    /// Bytes of a lane that second buffers take at most.
    pub(crate) extra_bytes: u64,
    /// Bytes of a lane in use, to the highest address; bytes of a lane.
    pub(crate) lane_bytes: (u64, u64),
}

/// Launches of each kernel that are looked at: they are alike.
const LAUNCHES: usize = 4;
/// Commands of a launch that are looked at.
const MOST_COMMANDS: usize = 20_000;
/// A launch counts if the run in the measured order takes as long as it did, within this share.
const WITHIN: f64 = 0.1;
/// Least share that is saved.
const LEAST: f64 = 0.02;

/// What the launches of a kernel take.
#[derive(Default)]
struct OfKernel {
    seen: usize,
    measured_ns: i64,
    pipelined_ns: i64,
    /// Least ns that the launches take with loads ahead, in whatever order.
    least_ns: i64,
}

impl Buffering {
    /// `waits`: those of the profile's tracks.
    pub(crate) fn find(
        profile: &Profile<'_>,
        table: &CommandTable,
        waits: &CommandWaits,
        model: &DumpModel<'_>,
    ) -> Self {
        let mut found = Self::default();
        let Some(memory) = LocalMemory::for_chip(profile.chip) else { return found };
        found.lane_bytes.1 = memory.lane_bytes;
        let mut accesses = Accesses::new(memory);
        let mut kernels: BTreeMap<u32, OfKernel> = BTreeMap::new();
        let launches = launches(model);
        let mut places = 0..;
        for (core, launches) in profile.cores.iter().zip(&launches) {
            let tracks: Vec<_> = core.tracks.iter().zip(places.by_ref()).collect();
            let track = |engine| tracks.iter().find(|(track, _)| track.engine_id.engine == engine);
            let (Some(tiu), Some(gdma)) = (track(Engine::Tiu), track(Engine::Gdma)) else {
                continue;
            };
            let own_waits = [tiu, gdma].map(|(_, place)| waits.track(*place));
            let commands = [tiu, gdma].map(|(track, _)| table.commands(profile, track));
            let [Some(tiu), Some(gdma)] = commands else { continue };
            for &(kernel, span) in launches {
                let known = kernels.entry(kernel).or_default();
                if known.seen < LAUNCHES {
                    known.seen += 1;
                    let all =
                        operations(&mut accesses, [tiu, gdma], own_waits, span, MOST_COMMANDS);
                    if let Some(all) = all {
                        found.look_at(&all, known);
                    }
                }
            }
        }
        // With other tiles the commands have another order, which is not known.
        let factor = |own: &OfKernel| if found.fits() { own.factor() } else { own.least_factor() };
        let factors: BTreeMap<u32, f64> =
            kernels.iter().map(|(kernel, own)| (*kernel, factor(own))).collect();
        let mut saved: BTreeMap<u32, f64> = BTreeMap::new();
        for (core, launches) in (0..).zip(launches) {
            let mut reached_ns = 0.0;
            for (kernel, (start, end)) in launches {
                let own = kernels.get(&kernel).map_or(1.0, OfKernel::factor);
                reached_ns += (end - start) as f64 * (1.0 - own);
                let factor = factors.get(&kernel).copied().unwrap_or(1.0);
                if factor < 1.0 {
                    *saved.entry(kernel).or_default() += (end - start) as f64 * (1.0 - factor);
                    found.shorter.push(Stretch { core, start, end, factor, round: None });
                }
            }
            found.reached_ns = found.reached_ns.max(reached_ns as i64);
        }
        // Of all launches, and not of those looked at: kernels are launched unequally often.
        let most = saved.iter().max_by(|(a, one), (b, other)| one.total_cmp(other).then(b.cmp(a)));
        found.most = most.and_then(|(kernel, _)| Some((*kernel, *factors.get(kernel)?)));
        found
    }

    /// Whether second buffers fit beside what is in use.
    pub(crate) fn fits(&self) -> bool {
        let (used, all) = self.lane_bytes;
        self.extra_bytes == 0 || used.saturating_add(self.extra_bytes) <= all
    }

    fn look_at(&mut self, all: &[Operation], kernel: &mut OfKernel) {
        let Some(start) = all.iter().map(|one| one.start).min() else { return };
        let measured = all.iter().map(|one| one.end).max().unwrap_or(start) - start;
        let now = measured_order(all);
        let baseline = run(all, &now, true);
        if (baseline - measured).abs() as f64 > WITHIN * measured as f64 {
            return;
        }
        let Some(order) = pipelined_order(all) else { return };
        kernel.measured_ns += baseline;
        kernel.pipelined_ns += run(all, &order, false).min(baseline);
        kernel.least_ns += least(all).min(baseline);
        let (results, buffers) = commands::dependences(all);
        self.dependences.0 += results;
        self.dependences.1 += buffers;
        self.extra_bytes = self.extra_bytes.max(commands::reused_bytes(all, &order));
        self.lane_bytes.0 = self.lane_bytes.0.max(commands::highest(all));
    }
}

/// Returns the launches of each core: kernel, and start and end in ns. If no launch is known, returns the stretches
/// between a core's waits.
fn launches(model: &DumpModel<'_>) -> Vec<Vec<(u32, (i64, i64))>> {
    let of_core = |slices: &Vec<KernelSlice>| {
        slices.iter().map(|slice| (slice.kernel, (slice.start, slice.end))).collect()
    };
    let all: Vec<Vec<_>> = model.core_launches.iter().map(of_core).collect();
    let is_known = all.iter().any(|launches| !launches.is_empty());
    if is_known {
        all
    } else {
        (0..model.cores as u32).map(|core| between_waits(model, core)).collect()
    }
}

/// The stretches of a core's time between its waits, each as a kernel of its own without a name.
fn between_waits(model: &DumpModel<'_>, core: u32) -> Vec<(u32, (i64, i64))> {
    let Some((first, last)) = model.window() else { return Vec::new() };
    let events = model.core(core).flat_map(|track| model.events(track));
    let waits = events.filter(|event| event.kind.activity == Activity::Wait);
    let mut bounds: Vec<i64> = waits.map(|event| event.end).chain([first, last + 1]).collect();
    bounds.sort_unstable();
    bounds.dedup();
    let spans = bounds.windows(2).filter_map(|pair| Some((*pair.first()?, *pair.last()?)));
    let number = |n: usize| u32::MAX - (n as u32) * model.cores as u32 - core;
    spans.enumerate().map(|(n, span)| (number(n), span)).collect()
}

impl OfKernel {
    fn factor(&self) -> f64 {
        let factor = self.pipelined_ns as f64 / self.measured_ns.max(1) as f64;
        if self.measured_ns > 0 && factor <= 1.0 - LEAST { factor } else { 1.0 }
    }

    /// The least factor with loads in whatever order, where loads ahead make its launches shorter at all.
    fn least_factor(&self) -> f64 {
        let least = self.least_ns as f64 / self.measured_ns.max(1) as f64;
        if self.factor() < 1.0 { least } else { 1.0 }
    }
}
