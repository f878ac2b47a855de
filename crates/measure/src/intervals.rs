//! Where the wall time went: five phases that never overlap and leave no rest (`docs/analysis.md`).

use serde::{Deserialize, Serialize};

use crate::ratio;
use crate::spans::Spans;
use crate::times::CoreTime;

/// An engine's share of the wall time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
pub struct EngineTime {
    /// Engine.
    pub engine: String,
    /// Core, or port for CDMA.
    pub index: u32,
    /// Commands that are no system commands.
    pub commands: u64,
    /// ns in which at least one of them ran.
    pub busy_ns: i64,
    /// ns in which only system commands ran on it.
    pub sync_ns: i64,
}

/// Where the wall time of a core, or of the whole dump, went.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Default)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
pub struct Intervals {
    /// Core; `None` for all cores and ports together.
    pub core: Option<u32>,
    /// Length of the window, in ns: the same for every core.
    pub wall_ns: i64,
    /// A TIU computed, nothing was transferred.
    pub compute_only_ns: i64,
    /// Data was transferred, no TIU computed: exposed transfer time.
    pub transfer_only_ns: i64,
    /// Both at once.
    pub overlapped_ns: i64,
    /// Neither; some engine was in a system command.
    pub sync_ns: i64,
    /// No engine ran anything.
    pub idle_ns: i64,
    /// Overlapped time over the lesser of compute and transfer time: 1 when as much is hidden as can be; 0 when
    /// either is missing.
    pub overlap_ratio: f64,
    /// Exposed transfer time over all transfer time.
    pub exposed_transfer_ratio: f64,
    /// Mean number of engines that work while any works.
    pub concurrency: f64,
    /// Time in which any engine works over the wall time.
    pub utilization: f64,
    /// Its engines that ran anything.
    pub engines: Vec<EngineTime>,
}

impl Intervals {
    /// ns in which a TIU computed.
    #[must_use]
    pub fn compute_ns(&self) -> i64 {
        self.compute_only_ns + self.overlapped_ns
    }

    /// ns in which data was transferred.
    #[must_use]
    pub fn transfer_ns(&self) -> i64 {
        self.transfer_only_ns + self.overlapped_ns
    }

    /// ns in which any engine worked.
    #[must_use]
    pub fn work_ns(&self) -> i64 {
        self.compute_only_ns + self.transfer_only_ns + self.overlapped_ns
    }

    pub(crate) fn compute(core: Option<u32>, window: (i64, i64), time: &CoreTime) -> Self {
        let wall_ns = window.1 - window.0;
        let [compute, transfer, work, sync] =
            [&time.compute, &time.transfer, &time.work, &time.sync].map(Spans::total);
        let (transfer_only_ns, overlapped_ns) = (work - compute, compute + transfer - work);
        let busy: i64 = time.engines.iter().map(|e| e.busy_ns).sum();
        Self {
            core,
            wall_ns,
            compute_only_ns: work - transfer,
            transfer_only_ns,
            overlapped_ns,
            sync_ns: sync,
            idle_ns: wall_ns - work - sync,
            overlap_ratio: ratio(overlapped_ns, compute.min(transfer)),
            exposed_transfer_ratio: ratio(transfer_only_ns, transfer),
            concurrency: ratio(busy, work),
            utilization: ratio(work, wall_ns),
            engines: time.engines.clone(),
        }
    }
}

/// What a core's time went to on average: ratios over the cores that ran anything, weighted by time.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, Default)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
pub struct CoreMean {
    /// Overlapped time of all cores over the time that could overlap on each of them.
    pub overlap_ratio: f64,
    /// Exposed transfer time of all cores over all their transfer time.
    pub exposed_transfer_ratio: f64,
    /// Time in which a core ran only system commands, over the wall time.
    pub sync_ratio: f64,
    /// Time in which a core ran nothing, over the wall time.
    pub idle_ratio: f64,
    /// Time in which any engine of a core worked, over the wall time.
    pub utilization: f64,
}

impl CoreMean {
    /// Computes the means over the cores' intervals.
    #[must_use]
    pub fn compute(cores: &[Intervals]) -> Self {
        let sum = |of: fn(&Intervals) -> i64| {
            cores.iter().filter(|core| !core.engines.is_empty()).map(of).sum::<i64>()
        };
        let wall = sum(|core| core.wall_ns);
        Self {
            overlap_ratio: ratio(
                sum(|core| core.overlapped_ns),
                sum(|core| core.compute_ns().min(core.transfer_ns())),
            ),
            exposed_transfer_ratio: ratio(
                sum(|core| core.transfer_only_ns),
                sum(Intervals::transfer_ns),
            ),
            sync_ratio: ratio(sum(|core| core.sync_ns), wall),
            idle_ratio: ratio(sum(|core| core.idle_ns), wall),
            utilization: ratio(sum(Intervals::work_ns), wall),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use bigtpu_chip::Engine;

    use super::*;
    use crate::planted::Planted;
    use crate::times::Times;

    type Raw = Vec<(i64, i64)>;

    fn raw() -> impl Strategy<Value = Raw> {
        prop::collection::vec((0i64..60, 0i64..30), 0..8).prop_map(|spans| {
            spans.into_iter().map(|(start, length)| (start, start + length)).collect()
        })
    }

    proptest! {
        /// The phases of each ns, found by looking at it alone.
        #[test]
        fn phases_fill_the_wall_and_agree_with_single_ns(
            tiu in raw(), gdma in raw(), sdma in raw(), tiu_waits in raw(), gdma_waits in raw(),
        ) {
            let mut planted = Planted::default();
            for (engine, work, waits) in [
                (Engine::Tiu, &tiu, &tiu_waits),
                (Engine::Gdma, &gdma, &gdma_waits),
                (Engine::Sdma, &sdma, &Raw::new()),
            ] {
                for &(start, end) in work {
                    planted.work(0, engine, start, end);
                }
                for &(start, end) in waits {
                    planted.wait(0, engine, start, end);
                }
            }
            planted.work(1, Engine::Tiu, 3, 5);
            let model = planted.model();
            let times = Times::compute(&model);
            let (from, to) = times.window;
            let [core, other] = &times.by_core(&[0, 1])[..] else { panic!("two cores") };
            for i in [core, other, &times.overall()] {
                let sum = i.compute_only_ns + i.transfer_only_ns + i.overlapped_ns + i.sync_ns + i.idle_ns;
                prop_assert_eq!(sum, i.wall_ns);
                prop_assert_eq!(i.wall_ns, to - from);
            }
            let mut counts = [0i64; 5];
            for t in from..to {
                let on = |spans: &Raw| spans.iter().any(|(s, e)| (*s..*e).contains(&t));
                let computes = on(&tiu);
                let transfers = on(&gdma) || on(&sdma);
                let waits = on(&tiu_waits) || on(&gdma_waits);
                let which = match (computes, transfers, waits) {
                    (true, false, _) => 0,
                    (false, true, _) => 1,
                    (true, true, _) => 2,
                    (false, false, true) => 3,
                    (false, false, false) => 4,
                };
                counts[which] += 1;
            }
            let found = [core.compute_only_ns, core.transfer_only_ns, core.overlapped_ns, core.sync_ns, core.idle_ns];
            prop_assert_eq!(found, counts);
        }
    }

    /// Core 0 computes while core 1 transfers: the chip overlaps, no core does.
    #[test]
    fn the_mean_of_the_cores_does_not_mix_them() {
        let mut planted = Planted::default();
        planted.work(0, Engine::Tiu, 0, 80);
        planted.work(0, Engine::Gdma, 80, 100);
        planted.work(1, Engine::Gdma, 0, 40);
        planted.wait(1, Engine::Tiu, 40, 50);
        planted.work(1, Engine::Tiu, 50, 100);
        planted.work(1, Engine::Sdma, 90, 100);
        let times = Times::compute(&planted.model());
        assert_eq!(times.overall().overlap_ratio, 1.0);
        let mean = CoreMean::compute(&times.by_core(&[0, 1]));
        // 10 ns of the 20 and 50 that could overlap.
        assert_eq!((mean.overlap_ratio, mean.exposed_transfer_ratio), (0.1429, 0.8571));
        assert_eq!((mean.sync_ratio, mean.idle_ratio, mean.utilization), (0.05, 0.0, 0.95));
    }

    #[test]
    fn ratios_are_what_they_say() {
        let mut planted = Planted::default();
        planted.work(0, Engine::Tiu, 0, 60);
        planted.work(0, Engine::Gdma, 40, 80);
        planted.work(0, Engine::Sdma, 50, 80);
        planted.wait(0, Engine::Tiu, 60, 90);
        planted.work(1, Engine::Tiu, 90, 100);
        let times = Times::compute(&planted.model());
        let core = &times.by_core(&[0])[0];
        assert_eq!((core.compute_only_ns, core.overlapped_ns, core.transfer_only_ns), (40, 20, 20));
        assert_eq!((core.sync_ns, core.idle_ns, core.wall_ns), (10, 10, 100));
        assert_eq!((core.overlap_ratio, core.exposed_transfer_ratio), (0.5, 0.5));
        assert_eq!((core.concurrency, core.utilization), (1.625, 0.8));
        assert_eq!(core.engines[0].sync_ns, 30);
        let overall = times.overall();
        assert_eq!((overall.compute_only_ns, overall.sync_ns, overall.idle_ns), (50, 10, 0));
    }
}
