//! The tables of a run's layers.

use std::collections::{BTreeMap, BTreeSet};

use bigtpu_chip::Engine;
use bigtpu_emit::EmitterInput;
use bigtpu_measure::layers::{Layers, Tensor};
use bigtpu_measure::{quotient, round4};
use bigtpu_output::{Csv, Text};

use super::share;
use super::work::Work;
use crate::line::{Line, head};

const LAYER: [&str; 50] = [
    "LayerID",
    "Type",
    "TPU/CPU",
    "DataType",
    "Function",
    "in",
    "ic",
    "ih",
    "iw",
    "on",
    "oc",
    "oh",
    "ow",
    "kh",
    "kw",
    "KStrideH",
    "KStrideW",
    "Padding",
    "Other info",
    "inputBytes",
    "outputBytes",
    "weightBytes",
    "s2lBytes",
    "l2sBytes",
    "s2sBytes",
    "gdmaCycles",
    "gdmaTime(us)",
    "gdmaTimeRatio",
    "gdmaPTheoTime(us)",
    "ddrRate",
    "LoadAvgBandwidth(GiB/s)",
    "StoreAvgBandwidth(GiB/s)",
    "AlgOps",
    "uArchOps",
    "uArchCModelCycles",
    "uArchCModelCycleRatio",
    "tiuCycles",
    "tiuTime(us)",
    "tiuTimeRatio",
    "tiuPTheoTime(us)",
    "uArchRate",
    "totalTime(us)",
    "PeakTops",
    "ActualTops",
    "Parallelism",
    "Concurrency",
    // Our own.
    "Name",
    "Core",
    "AlgOpsRatio",
    "uArchOpsRatio",
];

const SUMMARY: [&str; 27] = [
    "Function",
    "weightBytes",
    "s2lBytes",
    "l2sBytes",
    "s2sBytes",
    "gdmaCycles",
    "gdmaTime(us)",
    "gdmaTimeRatio",
    "gdmaPTheoTime(us)",
    "ddrRate",
    "AlgOps",
    "AlgOpsRatio",
    "uArchOps",
    "uArchOpsRatio",
    "tiuCycles",
    "tiuTime(us)",
    "tiuTimeRatio",
    "tiuPTheoTime(us)",
    "uArchRate",
    "PeakTops",
    "DataTypes",
    "LayerTypes",
    "totalTime(us)",
    "Parallelism",
    "Concurrency",
    "1684x FPS or Token/s",
    // Our own.
    "Layers",
];

const MAC_UTIL: [&str; 6] =
    ["Case", "ReducedTime(us)", "CurrentTotalTime(us)", "Concurrency(%)", "macUtil(%)", "Remark"];

const GIB: f64 = (1u64 << 30) as f64;

/// The layers of a run, and what is measured by.
pub(super) struct Model<'a> {
    layers: BTreeMap<usize, Work>,
    described: Option<&'a Layers>,
    /// Work of each operation, those whose computations took longest first.
    operations: Vec<(String, Work)>,
    whole: Work,
    tiu_mhz: f64,
    /// Peak of the off-chip memory in GB/s, if it is known.
    ddr_gbps: Option<f64>,
    /// Cores that have layers.
    cores: u32,
    wall_ns: i64,
    compute_ns: i64,
    transfer_ns: i64,
    overlap: f64,
}

impl<'a> Model<'a> {
    /// `described`: what the dump says of the layers' tensors.
    pub(super) fn new(
        input: &EmitterInput<'_, '_>,
        mut layers: BTreeMap<usize, Work>,
        described: Option<&'a Layers>,
    ) -> Self {
        let report = input.analysis.report(input.profile);
        let mut operations: BTreeMap<&str, Work> = BTreeMap::new();
        let mut whole = Work::default();
        for row in &report.layers {
            let id = usize::try_from(row.id).unwrap_or(usize::MAX);
            let Some(work) = layers.get_mut(&id) else { continue };
            work.layers = 1;
            work.total_ns = row.work.total_ns;
            let layer = id.checked_sub(1).and_then(|at| described?.layers.get(at));
            work.weights = layer.and_then(|layer| bytes(&layer.operands, Some(true)));
            operations.entry(&row.operation).or_default().join(work);
            whole.join(work);
        }
        let mut operations: Vec<(String, Work)> =
            operations.into_iter().map(|(name, work)| (name.to_owned(), work)).collect();
        operations.sort_by_key(|(_, work)| (-work.tiu_ns, -work.dma_ns));
        let cores: BTreeSet<u32> = report.layers.iter().map(|row| row.core).collect();
        let overall = &report.intervals.overall;
        let chip = input.profile.chip;
        Self {
            layers,
            described,
            operations,
            whole,
            tiu_mhz: input.profile.clocks.mhz(Engine::Tiu),
            ddr_gbps: chip.arch_number("DDR Max BW(GB/s/Core)"),
            cores: cores.len() as u32,
            wall_ns: overall.wall_ns,
            compute_ns: overall.compute_ns(),
            transfer_ns: overall.transfer_ns(),
            overlap: overall.overlap_ratio,
        }
    }

    /// The layers in the model's order.
    pub(super) fn layers(&self, input: &EmitterInput<'_, '_>) -> Text<Csv> {
        let mut text = head(&LAYER);
        for row in &input.analysis.report(input.profile).layers {
            let id = usize::try_from(row.id).unwrap_or(usize::MAX);
            let Some(work) = self.layers.get(&id) else { continue };
            let layer = id.checked_sub(1).and_then(|at| self.described?.layers.get(at));
            let is_local = layer.and_then(|layer| layer.is_local);
            let mut line = Line::begin(&mut text);
            line.int(row.id).text(is_local.map_or("", |is| if is { "local" } else { "global" }));
            line.text(row.device.as_deref().unwrap_or_default());
            line.text(&work.data_types.join("; ")).text(&row.operation);
            for tensors in [layer.map(|layer| &layer.operands), layer.map(|layer| &layer.results)] {
                let first = tensors.and_then(|all| all.first()?.as_ref());
                let sizes = first.map(Tensor::nchw);
                (0..4).for_each(|at| _ = line.known(sizes.and_then(|all| all.get(at).copied())));
            }
            let window = |at: usize| work.kernel.and_then(|all| all.get(at).copied());
            (0..4).for_each(|at| _ = line.known(window(at)));
            line.text(&work.kernel.map_or_else(String::new, |[.., up, down, left, right]| {
                format!("[{up}, {down}, {left}, {right}]")
            }));
            line.text("").known(layer.and_then(|layer| bytes(&layer.operands, Some(false))));
            line.known(layer.and_then(|layer| bytes(&layer.results, None)));
            line.known(work.weights);
            self.transfers(&mut line, work);
            for (moved, ns) in work.bytes.into_iter().zip(work.way_ns).take(2) {
                let gib = moved as f64 / GIB;
                line.float((ns > 0).then(|| round4(gib / (ns as f64 / 1e9))));
            }
            line.int(work.ops).int(work.uarch_ops).text("").text("");
            self.computations(&mut line, work);
            line.float(Some(us(work.total_ns))).text("");
            let tops = work.ops as f64 / work.total_ns as f64 / 1000.0;
            line.float((work.total_ns > 0 && work.ops > 0).then(|| round4(tops)));
            line.text(&part(work.tiu_ns + work.dma_ns, work.total_ns)).text("");
            line.text(row.label().as_str()).int(row.core);
            line.text(&ratio(work.ops, self.whole.ops));
            line.text(&ratio(work.uarch_ops, self.whole.uarch_ops)).end();
        }
        text
    }

    pub(super) fn summary(&self) -> Text<Csv> {
        let mut text = head(&SUMMARY);
        for (name, work) in &self.operations {
            self.operation(&mut text, (name, name), work)
                .float(Some(us(work.total_ns)))
                .text("")
                .text("")
                .text("")
                .int(work.layers)
                .end();
        }
        let busy = self.compute_ns + self.transfer_ns;
        let parallelism = (self.wall_ns > 0).then(|| quotient(busy.into(), self.wall_ns.into()));
        let mut line = self.operation(&mut text, ("Overall", ""), &self.whole);
        line.float(Some(us(self.wall_ns)));
        line.text(&share(parallelism)).text(&share(Some(self.overlap)));
        line.text("").int(self.whole.layers).end();
        text
    }

    fn operation<'t>(
        &self,
        text: &'t mut Text<Csv>,
        (name, operation): (&str, &str),
        work: &Work,
    ) -> Line<'t> {
        let mut line = Line::begin(text);
        line.text(name).known(work.weights);
        self.transfers(&mut line, work);
        line.int(work.ops).text(&ratio(work.ops, self.whole.ops));
        line.int(work.uarch_ops).text(&ratio(work.uarch_ops, self.whole.uarch_ops));
        self.computations(&mut line, work);
        line.text("").text(&work.data_types.join("; ")).text(operation);
        line
    }

    /// From `s2lBytes` to `ddrRate`.
    fn transfers(&self, line: &mut Line<'_>, work: &Work) {
        for bytes in work.bytes {
            line.int(bytes);
        }
        line.int(work.dma_cycles).float(Some(us(work.dma_ns)));
        line.text(&part(work.dma_ns, self.whole.dma_ns));
        let bytes: u64 = work.bytes.iter().sum();
        // GB/s are bytes in a ns.
        let ideal_ns = self.ddr_gbps.map(|peak| bytes as f64 / peak);
        line.float(ideal_ns.map(|ns| round4(ns / 1000.0)));
        let rate = ideal_ns.filter(|_| work.dma_ns > 0);
        line.text(&share(rate.map(|ns| ns / work.dma_ns as f64)));
    }

    /// From `tiuCycles` to `uArchRate`.
    fn computations(&self, line: &mut Line<'_>, work: &Work) {
        line.int(work.tiu_cycles).float(Some(us(work.tiu_ns)));
        line.text(&part(work.tiu_ns, self.whole.tiu_ns));
        line.float((work.ideal.1 > 0).then(|| round4(self.ideal_ns(work) / 1000.0)));
        line.text(&ratio(work.ops, work.uarch_ops));
    }

    /// ns that the arithmetic takes which is counted, at its peak.
    fn ideal_ns(&self, work: &Work) -> f64 {
        work.ideal.0 as f64 * 1000.0 / self.tiu_mhz
    }

    /// What the utilization of the arithmetic would be, one improvement after another. Cores compute side by side.
    pub(super) fn mac_util(&self) -> Text<Csv> {
        let mut text = head(&MAC_UTIL);
        let cores = f64::from(self.cores.max(1));
        let ideal = self.ideal_ns(&self.whole) / cores;
        let mut row = |case: &str, reduced: f64, now: f64, overlap: f64, remark: &str| {
            let mut line = Line::begin(&mut text);
            line.text(case).float(Some(round4(reduced / 1000.0))).float(Some(round4(now / 1000.0)));
            line.float(Some(round4(overlap * 100.0)));
            line.float((now > 0.0 && ideal > 0.0).then(|| round4(ideal / now * 100.0)));
            line.text(remark).end();
        };
        let (wall, compute) = (self.wall_ns as f64, self.compute_ns as f64);
        row("origin", 0.0, wall, self.overlap, "as measured on the device, without the host");
        let hidden = "transfers and pauses hide behind computation";
        row("100% Concurrency", wall - compute, compute, 1.0, hidden);
        let mut now = compute;
        let gains = self
            .operations
            .iter()
            .map(|(name, work)| (name, (work.ideal.1 as f64 - self.ideal_ns(work)) / cores));
        for (name, reduced) in gains.filter(|(_, reduced)| *reduced > 0.0) {
            now -= reduced;
            row(name, reduced, now, 1.0, "and the arithmetic of this operation runs at its peak");
        }
        text
    }
}

/// Bytes of tensors: of constants, of others, or of all. Nothing where a tensor, or whether it is a constant, is not known.
fn bytes(tensors: &[Option<Tensor>], constants: Option<bool>) -> Option<u64> {
    tensors.iter().try_fold(0u64, |sum, tensor| {
        let tensor = tensor.as_ref()?;
        let is_counted = match constants {
            Some(wanted) => tensor.is_constant? == wanted,
            None => true,
        };
        Some(sum.saturating_add(if is_counted { tensor.bytes() } else { 0 }))
    })
}

fn ratio(part: u64, whole: u64) -> String {
    share((whole > 0).then(|| quotient(part.into(), whole.into())))
}

fn us(ns: i64) -> f64 {
    ns as f64 / 1000.0
}

fn part(part: i64, whole: i64) -> String {
    share((whole > 0).then(|| quotient(part.into(), whole.into())))
}
