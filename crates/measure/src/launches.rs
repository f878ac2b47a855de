//! Between kernel launches: gaps on each core, and idle time before the first and after the last.

use bigtpu_chip::Engine;
use bigtpu_timeline::EngineId;
use serde::{Deserialize, Serialize};

use crate::engine_track::EngineTrack;
use crate::kernels::KernelSlice;
use crate::model::DumpModel;
use crate::percentile::Durations;
use crate::spans::Spans;
use crate::times::{CoreTime, Times};

/// A gap between two kernel launches of a core.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
pub struct LaunchGap {
    /// ns.
    pub start_ns: i64,
    /// ns.
    pub end_ns: i64,
    /// Kernel function that ended last before it.
    pub before: String,
    /// Kernel function that started after it.
    pub after: String,
}

/// A time inside a launch in which the core was idle and the chip was idle.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
pub struct Stall {
    /// ns.
    pub start_ns: i64,
    /// ns.
    pub end_ns: i64,
    /// Kernel function of the launch.
    pub kernel: String,
}

/// Kernel launches of a core and what is between them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
pub struct CoreLaunches {
    /// Core.
    pub core: u32,
    /// Launches.
    pub launches: u64,
    /// ns from the window's start to the core's first event.
    pub idle_before_ns: i64,
    /// ns from the core's last event to the window's end.
    pub idle_after_ns: i64,
    /// Gaps between launches: a launch begins after all earlier ones ended.
    pub gaps: u64,
    /// ns of all gaps.
    pub gap_ns: i64,
    /// Half of the gaps are no longer, in ns.
    pub gap_p50_ns: i64,
    /// 95 % of the gaps are no longer, in ns.
    pub gap_p95_ns: i64,
    /// ns of the gaps in which no engine of the core ran anything: neither work of no kernel nor a wait.
    pub gap_idle_ns: i64,
    /// ns of these in which no engine of the chip worked: the run was idle.
    pub gap_lost_ns: i64,
    /// The longest gaps.
    pub longest: Vec<LaunchGap>,
    /// ns inside launches (without launches inside the run) in which no engine of the core ran anything, and none of the chip worked.
    pub stall_lost_ns: i64,
    /// The longest stretches of these.
    pub stalls: Vec<Stall>,
}

/// Longest gaps kept for each core.
const MOST: usize = 5;

/// Every core that ran anything.
#[must_use]
pub fn core_launches(model: &DumpModel<'_>, times: &Times) -> Vec<CoreLaunches> {
    let (from, to) = times.window;
    let chip_work = &times.all.work;
    // Without launches, as in a static model, the whole run counts as one.
    let has_launches = model.core_launches.iter().any(|slices| !slices.is_empty());
    let knows_commands = has_launches || model.knows_commands();
    let mut cores = Vec::new();
    for core in 0..model.cores as u32 {
        let is_of_core = |id: EngineId| id.engine != Engine::Cdma && id.index == core;
        let all = model.tracks.iter().zip(&times.tracks);
        let tracks = || all.clone().filter(|(track, _)| is_of_core(track.engine_id));
        let first = tracks().filter_map(|(_, time)| Some(time.bounds?.0)).min();
        let last = tracks().filter_map(|(_, time)| Some(time.bounds?.1)).max();
        let (Some(first), Some(last)) = (first, last) else { continue };
        let slices = model.core_launches.get(core as usize).map_or(&[][..], Vec::as_slice);
        let mut durations = Durations::default();
        // Start, end, and the kernels before and after.
        let mut longest: Vec<(i64, i64, [u32; 2])> = Vec::new();
        let mut between: Vec<(i64, i64)> = Vec::new();
        let mut before: Option<(i64, u32)> = None;
        for slice in slices {
            if let Some((until, kernel)) = before.filter(|(until, _)| *until < slice.start) {
                durations.add(slice.start - until);
                between.push((until, slice.start));
                longest.push((until, slice.start, [kernel, slice.kernel]));
            }
            if before.is_none_or(|(until, _)| slice.end >= until) {
                before = Some((slice.end, slice.kernel));
            }
        }
        let Some(CoreTime { work, sync, .. }) = times.cores.get(core as usize) else { continue };
        let gap_idle = Spans::union(between).difference(work).difference(sync);
        // Where commands have no record, nothing can be said about idle time.
        let complete = slices.iter().filter(|slice| !slice.has_missing_commands);
        // In mode 0 the runtime's own TIU commands can't be told from others. Before the first transfer there is nothing to compute with:
        // what the TIU ran until then is the runtime's.
        let is_own = |track: &EngineTrack<'_>| track.engine_id.engine != Engine::Tiu;
        let transfers = tracks().filter(|(track, _)| !knows_commands && is_own(track));
        let begin = transfers.filter_map(|(_, time)| Some(time.bounds?.0)).min();
        let whole = (!has_launches && model.is_complete).then_some((begin.unwrap_or(first), last));
        let inside = Spans::union(complete.map(|slice| (slice.start, slice.end)).chain(whole));
        let stall = inside.difference(chip_work).difference(sync);
        durations.sort();
        longest.sort_by_key(|(start, end, _)| (start - end, *start));
        longest.truncate(MOST);
        let longest = longest.into_iter().map(|(start_ns, end_ns, kernels)| {
            let [before, after] = kernels.map(|kernel| model.kernel_name(kernel).to_owned());
            LaunchGap { start_ns, end_ns, before, after }
        });
        cores.push(CoreLaunches {
            core,
            launches: slices.len() as u64,
            idle_before_ns: first - from,
            idle_after_ns: (to - last).max(0),
            gaps: durations.count(),
            gap_ns: durations.total(),
            gap_p50_ns: durations.percentile(50),
            gap_p95_ns: durations.percentile(95),
            gap_idle_ns: gap_idle.total(),
            gap_lost_ns: gap_idle.difference(chip_work).total(),
            longest: longest.collect(),
            stall_lost_ns: stall.total(),
            stalls: stalls(model, slices, &stall),
        });
    }
    cores
}

/// The longest stretches, each with the kernel of the first launch around it.
fn stalls(model: &DumpModel<'_>, slices: &[KernelSlice], stall: &Spans) -> Vec<Stall> {
    let mut longest: Vec<(i64, i64)> = stall.iter().collect();
    longest.sort_by_key(|(start, end)| (start - end, *start));
    longest.truncate(MOST);
    let named = longest.into_iter().map(|(start, end)| {
        let launch = slices.iter().find(|slice| slice.start <= start && end <= slice.end);
        let kernel = launch.map_or("", |slice| model.kernel_name(slice.kernel)).to_owned();
        Stall { start_ns: start, end_ns: end, kernel }
    });
    named.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use bigtpu_timeline::Binding;

    use crate::kind::CommandKind;
    use crate::planted::{Planted, plain};

    #[test]
    fn waits_and_unattributed_work_are_no_idle_gap() {
        let mut planted = Planted::default();
        planted.kernel(0, "a", 0, 50).kernel(0, "b", 100, 200);
        planted.work(0, Engine::Tiu, 0, 50);
        planted.work(0, Engine::Gdma, 50, 60);
        planted.wait(0, Engine::Tiu, 60, 75);
        planted.work(0, Engine::Tiu, 100, 140);
        planted.work(0, Engine::Tiu, 170, 200);
        planted.work(1, Engine::Tiu, 0, 90);
        planted.work(1, Engine::Tiu, 160, 200);
        let model = planted.model();
        let found = core_launches(&model, &Times::compute(&model));
        let core = &found[0];
        assert_eq!((core.gap_ns, core.gap_idle_ns, core.gap_lost_ns), (50, 25, 10));
        assert_eq!(core.stall_lost_ns, 20);
        assert_eq!(core.stalls, [Stall { start_ns: 140, end_ns: 160, kernel: "b".into() }]);
    }

    /// In mode 0 the runtime's own commands come before the first transfer.
    #[test]
    fn idle_time_before_the_first_transfer_is_no_stall() {
        for (binding, stall) in [(Binding::None, 30), (Binding::Bits, 992 + 30)] {
            let mut planted = Planted::default();
            for (engine, time) in
                [(Engine::Tiu, (0, 8)), (Engine::Gdma, (1000, 1100)), (Engine::Tiu, (1130, 1200))]
            {
                planted.add(0, CommandKind { binding, ..plain(engine) }, time, 0, 0);
            }
            let model = planted.model();
            assert_eq!(core_launches(&model, &Times::compute(&model))[0].stall_lost_ns, stall);
        }
    }

    #[test]
    fn gaps_are_between_launches_that_do_not_overlap() {
        let mut planted = Planted::default();
        planted.work(0, Engine::Tiu, 10, 90);
        planted.work(1, Engine::Tiu, 0, 100);
        planted.kernel(0, "a", 10, 30).kernel(0, "b", 20, 25).kernel(0, "c", 37, 40);
        planted.kernel(0, "d", 41, 90);
        let model = planted.model();
        let found = core_launches(&model, &Times::compute(&model));
        let core = &found[0];
        assert_eq!((core.idle_before_ns, core.idle_after_ns, core.launches), (10, 10, 4));
        assert_eq!((core.gaps, core.gap_ns, core.gap_p50_ns, core.gap_p95_ns), (2, 8, 1, 7));
        let longest = &core.longest[0];
        assert_eq!((longest.before.as_str(), longest.after.as_str()), ("a", "c"));
        assert_eq!((longest.start_ns, longest.end_ns), (30, 37));
        assert_eq!(found[1].launches, 0);
    }
}
