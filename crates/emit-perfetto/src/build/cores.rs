//! A core's tracks: what ran, its engines, its bandwidth.

use std::borrow::Cow;
use std::collections::BTreeSet;

use bigtpu_chip::Engine;
use bigtpu_measure::Bandwidth;
use bigtpu_scene::{Content, Cut, Detail, Group, Owner, Role, Slice, Slices};
use bigtpu_timeline::{Core, EngineId};

use super::{Build, Drawn, FIRST_CORE, Root};
use crate::bandwidth::{BandwidthSource, SerialBandwidth};
use crate::launches::KernelFlows;
use crate::overview;
use crate::runtime::RuntimeSource;
use crate::tracks::Kind;
use crate::widths::MOST_BITS;

/// Ranks of a core's tracks: what ran, then the engines, each above its counter.
mod rank {
    pub(super) const BLOCK: i32 = 0;
    pub(super) const KERNEL: i32 = 0;
    pub(super) const LAYER: i32 = 1;
    pub(super) const TIU: i32 = 2;
    pub(super) const TIU_RATE: i32 = 3;
    pub(super) const GDMA: i32 = 4;
    pub(super) const GDMA_BANDWIDTH: i32 = 5;
    pub(super) const SDMA: i32 = 6;
    pub(super) const DDR_BANDWIDTH: i32 = 7;
    pub(super) const L2_BANDWIDTH: i32 = 8;
    pub(super) const RUNTIME: i32 = 9;
    pub(super) const GAPS: i32 = 10;
}

impl<'p, 'd> Build<'p, 'd, '_> {
    pub(super) fn core(&mut self, number: u32, group: &'p Group) {
        let profile = self.drawn.profile;
        let Some(core) = profile.cores.get(number as usize) else { return };
        let kind = self.device_track(FIRST_CORE + number as i32);
        let parent = kind.parent.filter(|_| self.drawn.root != Root::Top);
        let kind = Kind { ranks_children: true, parent, ..kind };
        let own = self.tracks.define(&format!("Core {number}"), kind);
        let under = |rank| Kind { parent: Some(own), rank: Some(rank), ..Kind::default() };
        self.what_ran((own, number), core, group);
        let [tiu, gdma, sdma] = &core.tracks;
        for track in &group.tracks {
            match (&track.role, &track.content) {
                (Role::Engine(engine), Content::Commands(commands)) => {
                    let (events, rank) = match engine {
                        Engine::Tiu => (tiu, rank::TIU),
                        Engine::Gdma => (gdma, rank::GDMA),
                        Engine::Sdma | Engine::Cdma => (sdma, rank::SDMA),
                    };
                    let rate = match engine {
                        Engine::Tiu => ("TIU Utilization", "%", rank::TIU_RATE),
                        _ => ("GDMA Bandwidth", "GB/s", rank::GDMA_BANDWIDTH),
                    };
                    let has_rate = group.tracks.iter().any(|t| t.role == Role::Rate(*engine));
                    let rate = Some(rate).filter(|_| has_rate);
                    let rate = rate.map(|(name, unit, rank)| {
                        (name, Kind { counter: Some(unit), ..under(rank) })
                    });
                    self.engine(events, commands, under(rank), rate);
                }
                (Role::Bandwidth, Content::Bandwidth) if !self.drawn.detail.repeats() => {
                    let counter = |rank| Kind { counter: Some("GB/s"), ..under(rank) };
                    let ddr = self.tracks.sequence("DDR Bandwidth", counter(rank::DDR_BANDWIDTH));
                    let l2 = self.tracks.sequence("L2M Bandwidth", counter(rank::L2_BANDWIDTH));
                    let all = Bandwidth::compute(profile, &self.drawn.analysis.table, core);
                    let Drawn { offset, cut, detail, .. } = self.drawn;
                    let has_all = cut.is_none() && detail.is_full();
                    // All of its times have room in a template.
                    let is_near = profile.latest_end.saturating_add(offset) >> MOST_BITS == 0;
                    let all = if has_all && is_near { all.serial() } else { Err(all) };
                    self.sources.push(match all {
                        Ok(transfers) => {
                            Box::new(SerialBandwidth::new(transfers, offset, [ddr, l2]))
                        }
                        Err(steps) => {
                            let last = [0.0; 2];
                            let steps =
                                steps.map(|step| (step.time, [step.ddr_gbps, step.l2_gbps]));
                            // Where all steps are drawn there is no call for each of them.
                            if has_all {
                                Box::new(BandwidthSource { steps, offset, ddr, l2, last })
                            } else {
                                let steps = self.steps(steps);
                                Box::new(BandwidthSource { steps, offset, ddr, l2, last })
                            }
                        }
                    });
                }
                _ => {}
            }
        }
        if !self.drawn.detail.repeats() {
            self.runtime(number, under(rank::RUNTIME));
        }
        self.gaps(group, under(rank::GAPS));
    }

    /// Layers of a static model or else kernels on the core's own track, so that they are seen while it is folded. What
    /// overlaps them is on tracks below it; kernels are, too, where there are layers. bigTpuProfile has kernels below it always,
    /// and no layers.
    fn what_ran(&mut self, (own, number): (u64, u32), core: &'p Core<'d>, group: &'p Group) {
        let Drawn { launches, profile, .. } = self.drawn;
        let ends = KernelFlows::collect(launches, number, profile);
        let of = |role: &Role| {
            group.tracks.iter().find_map(|track| match &track.content {
                Content::Slices(slices) if track.role == *role && !slices.all().is_empty() => {
                    Some(slices)
                }
                _ => None,
            })
        };
        let (kernels, layers) = (of(&Role::Kernels), of(&Role::Layers));
        let under = |rank| Kind { parent: Some(own), rank: Some(rank), ..Kind::default() };
        let is_theirs = self.drawn.detail.repeats();
        if let Some(kernels) = kernels.filter(|_| layers.is_some() || is_theirs) {
            let kernels = match is_theirs {
                true => self.kernels_of_no_port(kernels),
                false => Cow::Borrowed(kernels),
            };
            for lane in 0..kernels.lane_count() {
                let sequence = self.tracks.lane("Kernel Function", lane, under(rank::KERNEL));
                self.slice_lane(kernels.clone(), lane, sequence, ends.clone());
            }
        }
        if is_theirs {
            if kernels.is_none() {
                self.tracks.define("Kernel Function", under(rank::KERNEL));
            }
            return;
        }
        if let Some(blocks) = of(&Role::Blocks) {
            self.slices("Blocks", blocks, under(rank::BLOCK));
        }
        let (slices, name, kind) = match (layers, kernels) {
            (Some(layers), _) => (Cow::Borrowed(layers), "Layer", under(rank::LAYER)),
            (None, Some(kernels)) => {
                (Cow::Borrowed(kernels), "Kernel Function", under(rank::KERNEL))
            }
            (None, None) => {
                let busy = overview::busy(self.drawn.profile, &mut core.tracks.iter());
                let busy = self.cut(busy);
                (Cow::Owned(Slices::new(busy)), "", Kind::default())
            }
        };
        for lane in 0..slices.lane_count() {
            let sequence = match lane {
                0 => self.tracks.sequence_of(own),
                _ => self.tracks.lane(name, lane, kind),
            };
            self.slice_lane(slices.clone(), lane, sequence, ends.clone());
        }
    }

    /// The kernels of a core as bigTpuProfile 0.3.7 shows them: those that also ran on a port are on the ports' tracks only.
    fn kernels_of_no_port(&self, kernels: &'p Slices) -> Cow<'p, Slices> {
        // Name and batch of a launch; `None` where it has no batch.
        fn launches(slice: &Slice) -> Vec<(&str, Option<u32>)> {
            match &slice.detail {
                Detail::Kernel { batches, .. } if batches.is_empty() => vec![(&slice.name, None)],
                Detail::Kernel { batches, .. } => {
                    batches.iter().map(|batch| (slice.name.as_str(), Some(*batch))).collect()
                }
                _ => Vec::new(),
            }
        }
        let groups = self.drawn.scene.groups.iter();
        let ports = groups.filter(|group| matches!(group.owner, Owner::Port(_)));
        let of_ports: BTreeSet<(&str, Option<u32>)> = ports
            .flat_map(|group| &group.tracks)
            .filter(|track| track.role == Role::Kernels)
            .filter_map(|track| match &track.content {
                Content::Slices(slices) => Some(slices.all()),
                _ => None,
            })
            .flatten()
            .flat_map(launches)
            .collect();
        let is_on_port =
            |slice: &&Slice| launches(slice).iter().any(|launch| of_ports.contains(launch));
        if !kernels.all().iter().any(|slice| is_on_port(&slice)) {
            return Cow::Borrowed(kernels);
        }
        let shown = kernels.all().iter().filter(|slice| !is_on_port(slice)).cloned();
        Cow::Owned(Slices::new(shown.collect()))
    }

    /// The gaps of the engines, below one track that a viewer shows folded. The reference has none.
    pub(super) fn gaps(&mut self, group: &'p Group, kind: Kind<'_>) {
        let mut parent = None;
        for track in &group.tracks {
            if let (Role::Gaps(engine), Content::Slices(slices)) = (&track.role, &track.content)
                && !slices.all().is_empty()
                && !self.drawn.detail.repeats()
            {
                let all = Kind { ranks_children: true, ..kind };
                let parent = *parent.get_or_insert_with(|| self.tracks.define("Gaps", all));
                let kind =
                    Kind { parent: Some(parent), rank: Some(*engine as i32), ..Kind::default() };
                self.slices(&format!("{} Gaps", engine.name()), slices, kind);
            }
        }
    }

    /// The runtime's own work around a static model, engine by engine.
    fn runtime(&mut self, core: u32, kind: Kind<'_>) {
        let (profile, offset, pause) = (self.drawn.profile, self.drawn.offset, self.pause);
        for engine in Engine::ALL {
            let place = EngineId { index: core, engine };
            let events = profile.runtime.iter().filter(|event| {
                let is_drawn = |cut: &Cut| cut.holds(event.start, event.end);
                event.engine_id == place && self.drawn.cut.is_none_or(is_drawn)
            });
            let events: Vec<_> = events.collect();
            if !events.is_empty() {
                let sequence = self.tracks.sequence(&format!("Runtime {}", engine.name()), kind);
                self.sources.push(Box::new(RuntimeSource {
                    events,
                    offset,
                    pause,
                    at: 0,
                    sequence,
                }));
            }
        }
    }
}
