//! Kernel functions: how often each was launched, how long it took, and what its commands did.

use bigtpu_timeline::Tag;

use crate::cells::{Cells, TotalsCell};
use crate::demand::CoreDemand;
use crate::kernels::KernelSlice;
use crate::model::DumpModel;
use crate::percentile::Durations;

/// Totals of a kernel function over all its launches.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct KernelTotals {
    /// Index into [`bigtpu_timeline::Profile::kernels`].
    pub kernel: u32,
    /// Launches, each core's counted; those on CDMA ports only where no core ran it. Of those that lack commands the
    /// time of their runs: see [`KernelSlice::duration_ns`].
    pub launches: Durations,
    /// Launches that mean, percentiles and maximum are computed from: those that lack no commands, or all where each
    /// lacks some.
    pub complete: Durations,
    /// Launches with missing commands.
    pub incomplete: u64,
    /// Cores that ran it.
    pub cores: u32,
    /// Start of the first launch in ns.
    pub first_start: i64,
    /// Events that belong to it.
    pub events: u64,
    /// ns in which commands other than system commands ran, by engine: TIU, GDMA, SDMA, CDMA.
    pub busy_ns: [i64; 4],
    /// Bytes moved from or to DDR.
    pub ddr_bytes: u64,
    /// Bytes moved otherwise.
    pub other_bytes: u64,
    /// What its commands asked of the cores.
    pub demand: CoreDemand,
}

impl KernelTotals {
    /// Bytes moved over the time of all launches, in GB/s.
    #[must_use]
    pub fn gbps(&self) -> f64 {
        let bytes = self.ddr_bytes as f64 + self.other_bytes as f64;
        let ns = self.launches.total();
        if ns > 0 { bytes / ns as f64 } else { 0.0 }
    }

    fn launch(&mut self, slice: &KernelSlice) {
        let ns = slice.duration_ns();
        self.launches.add(ns);
        if slice.has_missing_commands {
            self.incomplete += 1;
        } else {
            self.complete.add(ns);
        }
        self.first_start = self.first_start.min(slice.start);
    }

    fn add(&mut self, cell: &TotalsCell<'_>) {
        let (kind, count) = (cell.kind, cell.count as u64);
        self.busy_ns[kind.engine as usize] += cell.total_ns;
        self.demand.add(kind, count, cell.bytes);
        let Some(direction) = kind.direction() else { return };
        let moved = if direction.has_ddr() { &mut self.ddr_bytes } else { &mut self.other_bytes };
        *moved += cell.bytes;
    }
}

/// Totals of all kernel functions that were launched, those that took longest first. `cells` are those of the model.
#[must_use]
pub fn kernel_totals(model: &DumpModel<'_>, cells: &Cells<'_>) -> Vec<KernelTotals> {
    let mut totals: Vec<KernelTotals> = (0..model.kernels.len() as u32)
        .map(|kernel| KernelTotals { kernel, first_start: i64::MAX, ..KernelTotals::default() })
        .collect();
    let mut seen_on: Vec<Option<usize>> = vec![None; totals.len()];
    for (number, launches) in model.core_launches.iter().enumerate() {
        for slice in launches {
            let k = slice.kernel as usize;
            let (Some(kernel), Some(seen)) = (totals.get_mut(k), seen_on.get_mut(k)) else {
                continue;
            };
            kernel.launch(slice);
            if seen.replace(number) != Some(number) {
                kernel.cores += 1;
            }
        }
    }
    for slice in model.port_launches.iter().flatten() {
        let kernel = totals.get_mut(slice.kernel as usize);
        if let Some(kernel) = kernel.filter(|k| k.cores == 0) {
            kernel.launch(slice);
        }
    }
    let mut of = |tag: Tag, add: &dyn Fn(&mut KernelTotals)| {
        let kernel = tag.kernel.and_then(|kernel| totals.get_mut(kernel as usize));
        kernel.into_iter().for_each(add);
    };
    for cell in cells.iter() {
        of(*cell.tag, &|kernel| kernel.add(cell));
    }
    for (tag, events) in model.tags.iter().zip(events_by_tag(model)) {
        of(*tag, &|kernel| kernel.events += events);
    }
    totals.retain(|k| k.launches.count() > 0);
    for kernel in &mut totals {
        kernel.launches.sort();
        kernel.complete.sort();
        if kernel.complete.count() == 0 {
            kernel.complete = kernel.launches.clone();
        }
    }
    totals.sort_by_key(|k| (std::cmp::Reverse(k.launches.total()), k.kernel));
    totals
}

/// How many events have each of the model's tags.
fn events_by_tag(model: &DumpModel<'_>) -> Vec<u64> {
    let mut events = vec![0; model.tags.len()];
    let mut add = |tag: u32, count: u64| {
        if let Some(events) = events.get_mut(tag as usize) {
            *events += count;
        }
    };
    for track in &model.tracks {
        // Most events have the tag of the one before.
        let (mut known, mut count) = (0, 0);
        for &tag in &track.events.tag {
            if tag != known {
                add(known, std::mem::take(&mut count));
                known = tag;
            }
            count += 1;
        }
        add(known, count);
    }
    events
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::planted::Planted;
    use bigtpu_chip::Engine;

    fn kernel_totals(model: &DumpModel<'_>) -> Vec<KernelTotals> {
        super::kernel_totals(model, &Cells::collect(model))
    }

    #[test]
    fn totals_are_those_of_what_was_planted() {
        let mut planted = Planted::default();
        planted.kernel(0, "short", 0, 30);
        planted.compute(0, (0, 20), (10, 40, 5));
        planted.kernel(0, "long", 30, 100);
        planted.load(0, 30, 60, 500);
        planted.wait(0, Engine::Tiu, 40, 100);
        planted.kernel(1, "long", 0, 10);
        planted.load(1, 0, 10, 100);
        let totals = kernel_totals(&planted.model());
        let [long, short] = &totals[..] else { panic!("{totals:?}") };
        assert_eq!((long.launches.total(), long.launches.count(), long.cores), (80, 2, 2));
        assert_eq!((long.events, long.demand.commands, long.ddr_bytes), (3, 2, 600));
        assert_eq!((long.busy_ns, long.first_start), ([0, 40, 0, 0], 0));
        let CoreDemand { alg_ops, uarch_ops, .. } = short.demand;
        assert_eq!((alg_ops, uarch_ops, short.demand.roof_cycles()), (10, 40, Some(5)));
    }

    #[test]
    fn percentiles_leave_out_launches_with_missing_commands() {
        let mut planted = Planted::default();
        planted.kernel(0, "k", 0, 30).kernel(0, "k", 30, 900).has_missing_commands(0);
        planted.kernel(0, "broken", 900, 940).has_missing_commands(0);
        planted.work(0, Engine::Tiu, 0, 940);
        let totals = kernel_totals(&planted.model());
        let [k, broken] = &totals[..] else { panic!("{totals:?}") };
        assert_eq!((k.launches.count(), k.launches.total(), k.incomplete), (2, 900, 1));
        assert_eq!((k.complete.percentile(95), k.complete.max()), (30, 30));
        assert_eq!((broken.incomplete, broken.complete.percentile(50)), (1, 40));
    }
}
