//! `Layer by Layer Info`: every layer's tensors, operations and time.

use bigtpu_chip::Family;
use bigtpu_compat::{LayerTotals, Peak, operand_bytes};
use bigtpu_measure::quotient;
use bigtpu_timeline::Profile;

use crate::array_block::{array_block, ddr_gbps, platform};
use crate::column_names::LAYERS;
use crate::number::{Shape, percent2, six_digits, whole};
use crate::sheet::{Result, Sheet};
use bigtpu_measure::layers::{Layer, Layers, Tensor};

/// Name of the sheet.
pub(crate) const NAME: &str = "Layer by Layer Info";

const HEADER_ROW: u32 = 8;

const MODEL: [&str; 8] = [
    "Network",
    "platform",
    "TPU INT8 TOPS",
    "TPU FP16 TOPS",
    "TPU FP32 TOPS",
    "DDR BW(GB/s/Core)",
    "TPU Frequency(GHz)",
    "DMA Frequency(GHz)",
];

/// Writes the sheet.
pub(crate) fn write(
    sheet: &mut Sheet<'_>,
    profile: &Profile<'_>,
    layers: &Layers,
    totals: &[LayerTotals],
) -> Result {
    let styles = sheet.styles;
    sheet.inner.set_column_range_width(0, 49, 15)?;
    sheet.inner.set_freeze_panes(HEADER_ROW + 1, 2)?;
    sheet.headers(0, 1, MODEL, styles.head)?;
    sheet.text(1, 1, &layers.module.name)?;
    sheet.text(1, 2, &platform(profile))?;
    let clocks = [profile.clocks.tiu_mhz as f64 / 1000.0, profile.clocks.dma_mhz / 1000.0];
    let [int8, fp16, fp32] = tops(profile);
    let facts = [int8, fp16, fp32, ddr_gbps(profile), clocks[0], clocks[1]];
    for (col, x) in (3..).zip(facts) {
        sheet.number(1, col, six_digits(x))?;
    }
    array_block(sheet, profile, clocks[0])?;
    sheet.headers(HEADER_ROW, 0, LAYERS, styles.head)?;
    let shown = || layers.layers.iter().zip(totals).enumerate().filter(|(_, (l, _))| l.computes());
    let all_alg: i128 = shown().map(|(_, (_, t))| t.tiu.alg_cycles).sum();
    let all: i128 = shown().map(|(_, (_, t))| i128::from(t.tiu.cycles)).sum();
    let mut last = HEADER_ROW;
    for (row, (index, (layer, totals))) in (HEADER_ROW + 1..).zip(shown()) {
        line(sheet, row, index, layer, totals, (all_alg, all))?;
        last = row;
    }
    sheet.inner.autofilter(HEADER_ROW, 0, last.max(HEADER_ROW + 1), 49).map(drop)
}

/// Nominal tera-operations a second in INT8, FP16 and FP32.
fn tops(profile: &Profile<'_>) -> [f64; 3] {
    match (profile.chip.family, profile.chip.name) {
        (Family::Aks, "AKS") => [256.0, 128.0, 16.0],
        (Family::Aks, _) => [128.0, 64.0, 8.0],
        // 64 x 64 x 4 INT8 units at 1 GHz as the compiler counts them: 32 TOPS.
        (Family::Bm1684x, _) => [32.0, 16.0, 2.0],
        (Family::Bm1688, _) => [14.4, 7.2, 0.45],
        (Family::Cv184x | Family::Cv84x6, _) => {
            let peak = Peak::for_chip(profile);
            ["int8", "f16", "f32"].map(|data_type| peak.tops("Conv", data_type))
        }
    }
}

fn line(
    sheet: &mut Sheet<'_>,
    row: u32,
    index: usize,
    layer: &Layer,
    totals: &LayerTotals,
    (all_alg, all): (i128, i128),
) -> Result {
    let mut line = Line { sheet, row, col: 0 };
    line.number(whole(index as i128 + 1))?;
    line.text(&layer.name)?;
    let [operands, results] = [&layer.operands, &layer.results].map(|t| known(t));
    let first = operands.first().or(results.first());
    line.text(&first.map_or(String::new(), |t| format!("DataType.{}", t.data_type)))?;
    line.text("local")?;
    line.text(&layer.engine)?;
    line.numbers([0, 0])?;
    line.numbers(totals.kernel)?;
    let shape = |tensors: &[&Tensor]| tensors.first().map_or([1; 4], |t| t.nchw());
    line.numbers(shape(&operands))?;
    line.numbers(shape(&results))?;
    let [weights, features] = operand_bytes(layer);
    let results = results.iter().map(|t| t.bytes()).sum();
    line.numbers([weights + features, results, 0, 0, 0, weights, features])?;
    line.number(whole(totals.tiu.alg_ops))?;
    line.text(&shapes(&operands))?;
    if totals.tiu.uarch_ops > 0 {
        line.number(percent2(totals.tiu.uarch_rate()))?;
    } else {
        line.text("--")?;
    }
    line.number(whole(totals.tiu.uarch_ops))?;
    line.number(whole(totals.tiu.alg_cycles))?;
    line.share(totals.tiu.alg_cycles, all_alg)?;
    for _ in 0..14 {
        line.text("-")?;
    }
    line.numbers([0, 0])?;
    line.number(whole(totals.tiu.cycles.into()))?;
    line.share(totals.tiu.cycles.into(), all)
}

/// The tensors that the file describes.
fn known(tensors: &[Option<Tensor>]) -> Vec<&Tensor> {
    tensors.iter().flatten().collect()
}

/// Shapes of several operands.
fn shapes(operands: &[&Tensor]) -> String {
    if operands.len() < 2 {
        return String::new();
    }
    let texts = operands.iter().enumerate().map(|(n, t)| format!("tensor_{n}: {:?}", t.shape));
    texts.collect()
}

/// A row that is written from left to right.
struct Line<'s, 'a> {
    sheet: &'s mut Sheet<'a>,
    row: u32,
    col: u16,
}

impl Line<'_, '_> {
    fn next(&mut self) -> u16 {
        self.col += 1;
        self.col - 1
    }

    fn text(&mut self, text: &str) -> Result {
        let col = self.next();
        self.sheet.text(self.row, col, text)
    }

    fn number(&mut self, number: (f64, Shape)) -> Result {
        let col = self.next();
        self.sheet.number(self.row, col, number)
    }

    fn numbers<const N: usize>(&mut self, numbers: [u64; N]) -> Result {
        numbers.into_iter().try_for_each(|n| self.number(whole(n.into())))
    }

    /// A share; a plain 0 of nothing.
    fn share(&mut self, part: i128, of: i128) -> Result {
        let number = if of == 0 { whole(0) } else { percent2(quotient(part, of)) };
        self.number(number)
    }
}
