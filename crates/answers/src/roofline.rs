//! How far each kernel is from what the chip can do, and what holds it back (`docs/analysis.md`).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use bigtpu_chip::Engine;
use bigtpu_machine::Hardware;
use bigtpu_measure::Times;
use bigtpu_measure::layers::{LayerRuns, Layers};
use bigtpu_measure::{Cells, CoreDemand, DumpModel, KernelTotals};
use bigtpu_measure::{gbps, tops, whole};
use bigtpu_measure::{percent, quotient, ratio, round4};
use bigtpu_messages::Message;

use crate::units::LayerRow;

/// What holds a kernel back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Bound {
    /// The matrix and vector units.
    Compute,
    /// DDR bandwidth.
    Ddr,
    /// L2M bandwidth.
    L2m,
    /// Computation and transfer run one after the other, though they could run at the same time.
    Serialized,
    /// The TIU computes most of the time, far from its peak: shapes that fill few lanes or channels, or small commands.
    TiuEfficiency,
    /// Transfers take most of the time, far from the bandwidth: small transfers, or short pieces.
    DmaEfficiency,
    /// No roof is near, and neither computation nor transfers take most of the time: gaps, starts and dependencies do.
    Latency,
    /// Most of the time passes in sync.
    Sync,
    /// A roof is exceeded: the counted operations or bytes are more than the time allows at the chip's
    /// peak. The commands, the records or the roofs are not as they should be.
    Implausible,
    /// What took most of the time has no known roof: the operations of the commands, or the bandwidth of the memory, are
    /// not known.
    Unknown,
}

impl Bound {
    /// Name as printed.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Compute => "compute",
            Self::Ddr => "DDR",
            Self::L2m => "L2M",
            Self::Serialized => "serialized",
            Self::TiuEfficiency => "TIU efficiency",
            Self::DmaEfficiency => "DMA efficiency",
            Self::Latency => "latency",
            Self::Sync => "sync",
            Self::Implausible => "implausible",
            Self::Unknown => "unknown",
        }
    }

    /// Returns the name as tables for people have it.
    #[must_use]
    pub fn message(self) -> Message {
        Message::new(match self {
            Self::Compute => "bound-is-compute",
            Self::Ddr => "bound-is-ddr",
            Self::L2m => "bound-is-l2m",
            Self::Serialized => "bound-is-serialized",
            Self::TiuEfficiency => "bound-is-tiu-efficiency",
            Self::DmaEfficiency => "bound-is-dma-efficiency",
            Self::Latency => "bound-is-latency",
            Self::Sync => "bound-is-sync",
            Self::Implausible => "bound-is-implausible",
            Self::Unknown => "bound-is-unknown",
        })
    }
}

/// A kernel, or the whole run, under its roofs. Times are core times: summed over all cores.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
pub struct Roofline {
    /// Kernel function; empty for the whole run.
    pub kernel: String,
    /// Core time in ns: the kernel's launches; of the whole run the window times its active cores.
    pub ns: i64,
    /// ns of it in which an engine of the core worked.
    pub work_ns: i64,
    /// ns of it in which engines were in system commands only.
    pub sync_ns: i64,
    /// ns that the TIU would need at its peak; null where the operations of its commands are not known.
    pub ideal_compute_ns: Option<i64>,
    /// ns that the bytes from and to DDR would need at its ceiling; null where that is not known.
    pub ideal_ddr_ns: Option<i64>,
    /// ns that the bytes from and to L2M would need at its ceiling; null where that is not known.
    pub ideal_l2m_ns: Option<i64>,
    /// Requested operations; null where those of its commands are not known.
    pub ops: Option<u64>,
    /// Bytes that the cores' engines moved from and to DDR: a copy within the DDR reads and writes.
    pub ddr_bytes: u64,
    /// Bytes that the cores' engines moved from and to L2M.
    pub l2m_bytes: u64,
    /// Operations for each byte of DDR traffic; absent without such traffic or operations.
    pub ddr_intensity: Option<f64>,
    /// Operations for each byte of L2M traffic; absent without such traffic or operations.
    pub l2m_intensity: Option<f64>,
    /// Achieved tera-operations a second of a core; null where the operations are not known.
    pub tops: Option<f64>,
    /// Achieved DDR bandwidth of a core in GB/s.
    pub ddr_gbps: f64,
    /// Achieved L2M bandwidth of a core in GB/s.
    pub l2m_gbps: f64,
    /// What holds it back.
    pub bound: Bound,
    /// The nearest known roof's ideal time over the time it took: 1 is on the roof; of implausible counts it is
    /// above 1 and no share of anything. Null where no roof is known.
    pub roof: Option<f64>,
    /// Share of the commands whose full bits are known: without them operations are not counted.
    pub known: f64,
}

impl Roofline {
    /// [`Roofline::roof`] as a text: a percentage, or that it is past the roof; `-` where no roof is known.
    #[must_use]
    pub fn roof_text(&self) -> String {
        match (self.bound, self.roof) {
            (Bound::Implausible, _) => "> 100%".to_owned(),
            (_, Some(roof)) => percent(roof, 1),
            (_, None) => "-".to_owned(),
        }
    }
}

/// Further above a roof than this is more than the rounding of times to ns and of records to cycles.
const PASSED: f64 = 1.05;
/// Nearer than this to a roof is bound by it.
const NEAR: f64 = 0.6;
/// Serialized: an engine of the core works for this share of the time, both sides take at least the second share,
/// and less than a third of the possible overlap. The first share is also what one side takes that alone holds back.
const MUCH_WORK: f64 = 0.7;
const BOTH_SIDES: f64 = 0.1;
const LOW_OVERLAP: f64 = 0.3;
/// More sync than this of the time is bound by sync.
const MUCH_SYNC: f64 = 0.4;

/// What a core's engines did in some time, in ns.
#[derive(Debug, Clone, Copy, Default)]
struct Spent {
    compute: i64,
    transfer: i64,
    work: i64,
    sync: i64,
}

impl Spent {
    fn is_serialized(&self, ns: i64) -> bool {
        let lesser = self.compute.min(self.transfer);
        let overlapped = self.compute + self.transfer - self.work;
        ratio(self.work, ns) >= MUCH_WORK
            && ratio(lesser, ns) >= BOTH_SIDES
            && ratio(overlapped, lesser) < LOW_OVERLAP
    }

    /// The side that takes most of the time, far from its roof.
    fn inefficient(&self, ns: i64) -> Option<Bound> {
        let (longer, bound) = match self.compute >= self.transfer {
            true => (self.compute, Bound::TiuEfficiency),
            false => (self.transfer, Bound::DmaEfficiency),
        };
        (ratio(longer, ns) >= MUCH_WORK).then_some(bound)
    }
}

/// A kernel, a layer or the run, to be compared with the roofs of a core.
struct Measured {
    ns: i64,
    spent: Spent,
    /// Cores that share the DDR.
    cores: u32,
    demand: CoreDemand,
}

/// ns at each roof, where it is known.
struct IdealTimes {
    compute: Option<i64>,
    ddr: Option<i64>,
    l2m: Option<i64>,
}

impl IdealTimes {
    /// Computes the time at each roof. If the cores moved more than their share of the DDR's bandwidth, the other cores
    /// left them theirs: the DDR's roof is then that of a core alone.
    fn compute(measured: &Measured, hardware: &Hardware) -> Self {
        let demand = &measured.demand;
        let at_peak = |cycles: i128| (cycles as f64 * 1000.0 / hardware.tiu_mhz) as i64;
        let ddr = |cores| {
            let ns = hardware.ddr_ns(demand.ddr_read_bytes, demand.ddr_written_bytes, cores)?;
            Some(ns as i64)
        };
        let shared = ddr(measured.cores).filter(|ns| ratio(*ns, measured.ns) <= PASSED);
        Self {
            compute: demand.roof_cycles().map(at_peak),
            ddr: shared.or_else(|| ddr(1)),
            l2m: hardware.l2m_ns(demand.l2m_bytes).map(|ns| ns as i64),
        }
    }

    /// The nearest of the known roofs; the first of equals.
    fn nearest(&self) -> Option<(i64, Bound)> {
        let roofs =
            [(self.compute, Bound::Compute), (self.ddr, Bound::Ddr), (self.l2m, Bound::L2m)];
        let known = roofs.into_iter().rev().filter_map(|(ns, bound)| Some((ns?, bound)));
        known.max_by_key(|(ns, _)| *ns)
    }

    /// Whether a roof that is not known may be near, by the time of those that work under it.
    fn may_hide_a_bound(&self, spent: &Spent, ns: i64) -> bool {
        let is_much = |of: i64| ratio(of, ns) >= NEAR;
        let moves_unknown = self.ddr.is_none() || self.l2m.is_none();
        self.compute.is_none() && is_much(spent.compute) || moves_unknown && is_much(spent.transfer)
    }
}

impl Measured {
    fn roofline(self, kernel: String, hardware: &Hardware) -> Roofline {
        let (ideal, demand) = (IdealTimes::compute(&self, hardware), &self.demand);
        let nearest = ideal.nearest().map(|(ns, bound)| (ratio(ns, self.ns), bound));
        let bound = match nearest {
            Some((roof, _)) if roof > PASSED => Bound::Implausible,
            Some((roof, resource)) if roof >= NEAR => resource,
            _ if ratio(self.spent.sync, self.ns) >= MUCH_SYNC => Bound::Sync,
            _ if ideal.may_hide_a_bound(&self.spent, self.ns) => Bound::Unknown,
            _ if self.spent.is_serialized(self.ns) => Bound::Serialized,
            _ => self.spent.inefficient(self.ns).unwrap_or(Bound::Latency),
        };
        let intensity = |bytes: u64| {
            let known = bytes > 0 && demand.alg_ops > 0;
            known.then(|| round4(quotient(demand.alg_ops, bytes.into())))
        };
        let knows_operations = demand.knows_operations();
        let ddr_bytes = demand.ddr_bytes();
        Roofline {
            kernel,
            ns: self.ns,
            work_ns: self.spent.work,
            sync_ns: self.spent.sync,
            ideal_compute_ns: ideal.compute,
            ideal_ddr_ns: ideal.ddr,
            ideal_l2m_ns: ideal.l2m,
            ops: knows_operations.then(|| whole(demand.alg_ops)),
            ddr_bytes,
            l2m_bytes: demand.l2m_bytes,
            ddr_intensity: intensity(ddr_bytes),
            l2m_intensity: intensity(demand.l2m_bytes),
            tops: knows_operations.then(|| tops(demand.alg_ops, self.ns)),
            ddr_gbps: gbps(ddr_bytes, self.ns),
            l2m_gbps: gbps(demand.l2m_bytes, self.ns),
            bound,
            roof: nearest.map(|(roof, _)| roof),
            known: round4(quotient(demand.full.into(), demand.commands.into())),
        }
    }
}

/// What was done within a kernel's launches, by kernel.
fn time_within(model: &DumpModel<'_>, times: &Times) -> Vec<Spent> {
    let mut within = vec![Spent::default(); model.kernels.len()];
    for (core, launches) in times.cores.iter().zip(model.core_launches) {
        let (mut compute, mut transfer) = (core.compute.coverage(), core.transfer.coverage());
        let (mut work, mut sync) = (core.work.coverage(), core.sync.coverage());
        for slice in launches {
            if let Some(sums) = within.get_mut(slice.kernel as usize) {
                sums.compute += compute.covered(slice.start, slice.end);
                sums.transfer += transfer.covered(slice.start, slice.end);
                sums.work += work.covered(slice.start, slice.end);
                sums.sync += sync.covered(slice.start, slice.end);
            }
        }
    }
    within
}

/// The kernels in the order given.
#[must_use]
pub fn kernel_rooflines(
    model: &DumpModel<'_>,
    times: &Times,
    kernels: &[KernelTotals],
    hardware: &Hardware,
) -> Vec<Roofline> {
    let within = time_within(model, times);
    let of = |totals: &KernelTotals| {
        let spent = within.get(totals.kernel as usize).copied().unwrap_or_default();
        let ns = totals.launches.total();
        let cores = totals.cores + model.left_out.of_kernel(totals.kernel);
        let measured = Measured { ns, spent, cores, demand: totals.demand };
        measured.roofline(model.kernel_name(totals.kernel).to_owned(), hardware)
    };
    kernels.iter().map(of).collect()
}

/// The layers of a static model, each on its core alone, in the order of the rows.
pub(crate) fn layer_rooflines(
    layers: &Layers,
    runs: &[LayerRuns],
    rows: &[LayerRow],
    times: &Times,
    hardware: &Hardware,
) -> Vec<Roofline> {
    let mut within: BTreeMap<u64, Spent> = BTreeMap::new();
    for (runs, time) in runs.iter().zip(&times.cores) {
        let (mut compute, mut transfer) = (time.compute.coverage(), time.transfer.coverage());
        let (mut work, mut sync) = (time.work.coverage(), time.sync.coverage());
        for slice in &runs.slices {
            let sums = within.entry(slice.layer as u64 + 1).or_default();
            sums.compute += compute.covered(slice.start, slice.end);
            sums.transfer += transfer.covered(slice.start, slice.end);
            sums.work += work.covered(slice.start, slice.end);
            sums.sync += sync.covered(slice.start, slice.end);
        }
    }
    let of = |row: &LayerRow| {
        let spent = within.get(&row.id).copied().unwrap_or_default();
        let measured = Measured { ns: row.work.total_ns, spent, cores: 1, demand: row.demand };
        let layer = row.id.checked_sub(1).and_then(|at| layers.layers.get(at as usize));
        measured.roofline(
            layer.map_or_else(String::new, |layer| layer.label(row.id).to_string()),
            hardware,
        )
    };
    rows.iter().map(of).collect()
}

/// The whole run, of which these are all cells: cores that ran anything, over the window. Ports are left out, they have their own links.
#[must_use]
pub fn overall_roofline(
    model: &DumpModel<'_>,
    cells: &Cells<'_>,
    times: &Times,
    hardware: &Hardware,
) -> Roofline {
    let wall = times.window.1 - times.window.0;
    let cores = times.cores.iter().filter(|core| !core.engines.is_empty()).count() as u32;
    let (mut spent, mut demand) = (Spent::default(), CoreDemand::default());
    for core in times.cores.iter().filter(|core| !core.engines.is_empty()) {
        spent.compute += core.compute.total();
        spent.transfer += core.transfer.total();
        spent.work += core.work.total();
        spent.sync += core.sync.total();
    }
    for cell in cells.iter().filter(|cell| cell.engine_id.engine != Engine::Cdma) {
        demand.add(cell.kind, cell.count as u64, cell.bytes);
    }
    let ns = wall * i64::from(cores);
    let cores = cores + model.left_out.active;
    Measured { ns, spent, cores, demand }.roofline(String::new(), hardware)
}

#[cfg(test)]
mod tests {
    use bigtpu_chip::Engine;

    use super::*;
    use crate::advice::testing::hardware;
    use bigtpu_measure::kernel_totals;
    use bigtpu_measure::planted::Planted;

    #[test]
    fn every_bound_is_found() {
        let mut planted = Planted::default();
        planted.kernel(0, "compute", 0, 100);
        planted.compute(0, (0, 100), (1_000_000, 1_000_000, 90));
        planted.load(0, 0, 20, 100);
        planted.kernel(0, "ddr", 100, 200);
        planted.load(0, 100, 200, 950);
        planted.kernel(0, "few lanes", 200, 300);
        planted.compute(0, (200, 300), (10, 100, 5));
        planted.kernel(0, "short pieces", 500, 600);
        planted.load(0, 500, 600, 50);
        planted.kernel(0, "latency", 600, 700);
        planted.compute(0, (600, 620), (10, 100, 5));
        planted.kernel(0, "serialized", 400, 500);
        planted.work(0, Engine::Tiu, 400, 439);
        planted.load(0, 443, 500, 10);
        planted.kernel(0, "sync", 300, 400);
        planted.wait(0, Engine::Tiu, 300, 390);
        planted.compute(0, (390, 400), (10, 100, 5));
        let model = planted.model();
        let times = Times::compute(&model);
        let mut found = kernel_rooflines(
            &model,
            &times,
            &kernel_totals(&model, &Cells::collect(&model)),
            &hardware(),
        );
        found.sort_by(|a, b| a.kernel.cmp(&b.kernel));
        let bounds: Vec<_> = found.iter().map(|r| (r.kernel.as_str(), r.bound, r.roof)).collect();
        assert_eq!(
            bounds,
            [
                ("compute", Bound::Compute, Some(0.9)),
                ("ddr", Bound::Ddr, Some(0.95)),
                ("few lanes", Bound::TiuEfficiency, Some(0.05)),
                ("latency", Bound::Latency, Some(0.05)),
                ("serialized", Bound::Serialized, Some(0.01)),
                ("short pieces", Bound::DmaEfficiency, Some(0.05)),
                ("sync", Bound::Sync, Some(0.05)),
            ]
        );
        let compute = &found[0];
        assert_eq!((compute.tops, compute.ddr_gbps), (Some(10.0), 1.0));
        assert_eq!((compute.ddr_intensity, compute.l2m_intensity), (Some(10_000.0), None));
        assert_eq!((found[6].sync_ns, found[6].work_ns), (90, 10));
        let all = overall_roofline(&model, &Cells::collect(&model), &times, &hardware());
        assert_eq!((all.ns, all.work_ns, all.sync_ns, all.ddr_bytes), (620, 526, 90, 1110));
        assert_eq!(all.ideal_compute_ns, Some(105));
    }

    #[test]
    fn more_than_the_time_allows_is_implausible() {
        let mut planted = Planted::default();
        planted.kernel(0, "operations", 0, 100);
        planted.compute(0, (0, 100), (1_000_000, 1_000_000, 8000));
        planted.kernel(0, "bytes", 100, 200);
        planted.load(0, 100, 200, 1100);
        planted.kernel(0, "rounded", 200, 300);
        planted.compute(0, (200, 300), (1_000_000, 1_000_000, 104));
        let model = planted.model();
        let times = Times::compute(&model);
        let found = kernel_rooflines(
            &model,
            &times,
            &kernel_totals(&model, &Cells::collect(&model)),
            &hardware(),
        );
        let shown = |kernel| {
            let found = found.iter().find(|r| r.kernel == kernel).unwrap();
            (found.bound, found.roof, found.roof_text())
        };
        assert_eq!(shown("operations"), (Bound::Implausible, Some(80.0), "> 100%".to_owned()));
        assert_eq!(shown("bytes"), (Bound::Implausible, Some(1.1), "> 100%".to_owned()));
        assert_eq!(shown("rounded"), (Bound::Compute, Some(1.04), "104.0%".to_owned()));
    }
}
