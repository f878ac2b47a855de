//! `Summary`: a model's layers by kind, and what it could gain.

use std::collections::BTreeSet;

use bigtpu_compat::{
    EngineSummary, LayerKind, LayerTotals, Peak, gains as gains_of, layer_kinds, of_all_kinds,
    rounded,
};
use bigtpu_measure::{percent, quotient};
use bigtpu_timeline::Profile;

use crate::array_block::{array_block, ddr_gbps, platform};
use crate::gains;
use crate::number::{Shape, six_digits, whole};
use crate::sheet::{Result, Sheet};
use bigtpu_measure::layers::Layers;

/// Name of the sheet.
pub(crate) const NAME: &str = "Summary";

const HEADER_ROW: u32 = 8;

const MODEL: [&str; 10] = [
    "Network",
    "Model GFLOPs",
    "Quant Type",
    "platform",
    "TPU INT8 TOPS",
    "TPU FP16 TOPS",
    "TPU FP32 TOPS",
    "DDR BW(GB/s)",
    "TPU Frequency(MHz)",
    "DMA Frequency(MHz)",
];

const COLUMNS: [&str; 12] = [
    "Function",
    "Algorithm OPs",
    "Algorithm OPs Ratio",
    "Weight Size(B)(不准确)",
    "uArch OPs",
    "uArch URate",
    "uArch GOPs Ratio",
    "ASIC Cycles",
    "ASIC Time(us)",
    "Time Ratio",
    "ASIC FPS",
    "Operations",
];

/// What the sheet shows.
#[derive(Debug)]
pub(crate) struct Contents<'a, 'd> {
    pub(crate) profile: &'a Profile<'d>,
    pub(crate) summary: &'a EngineSummary,
    pub(crate) layers: &'a Layers,
    pub(crate) totals: &'a [LayerTotals],
}

/// Writes the sheet.
pub(crate) fn write(sheet: &mut Sheet<'_>, contents: &Contents<'_, '_>) -> Result {
    let (styles, profile, layers) = (sheet.styles, contents.profile, contents.layers);
    let mhz = profile.clocks.tiu_mhz as f64;
    let peak = Peak::for_chip(profile);
    sheet.inner.set_column_width(1, 40)?;
    sheet.inner.set_column_range_width(2, 11, 20)?;
    sheet.inner.set_column_width(12, 40)?;
    sheet.headers(0, 1, MODEL, styles.head)?;
    sheet.text(1, 1, &layers.module.name)?;
    sheet.number(1, 2, six_digits(layers.module.flops as f64 / 1e9))?;
    sheet.text(1, 3, &layers.module.mode)?;
    sheet.text(1, 4, &platform(profile))?;
    let tops = ["int8", "f16", "f32"].map(|data_type| peak.tops("Conv", data_type));
    let facts = [ddr_gbps(profile), mhz, profile.clocks.dma_mhz];
    for (col, x) in (5..).zip(tops.into_iter().chain(facts)) {
        sheet.number(1, col, six_digits(x))?;
    }
    array_block(sheet, profile, mhz)?;
    let kinds = layer_kinds(layers, contents.totals);
    let overall = of_all_kinds(&kinds);
    sheet.headers(HEADER_ROW, 1, COLUMNS, styles.head)?;
    let mut row = HEADER_ROW;
    for kind in kinds.iter().chain([&overall]) {
        row += 1;
        line(sheet, row, kind, &overall, mhz)?;
    }
    let steps = gains_of(profile, contents.summary, &layers.module, &kinds);
    gains::write(sheet, row + 3, &steps)
}

fn line(
    sheet: &mut Sheet<'_>,
    row: u32,
    kind: &LayerKind,
    overall: &LayerKind,
    mhz: f64,
) -> Result {
    let is_overall = kind.names.is_empty();
    let share = |part: i128, of: i128| {
        if is_overall { "100%".to_owned() } else { percent(quotient(part, of), 3) }
    };
    let all = &overall.tiu;
    let tiu = &kind.tiu;
    sheet.text(row, 1, &kind.name)?;
    sheet.number(row, 2, whole(tiu.alg_ops))?;
    sheet.value(row, 3, &share(tiu.alg_ops, all.alg_ops))?;
    sheet.number(row, 4, whole(kind.weights.into()))?;
    sheet.number(row, 5, whole(tiu.uarch_ops))?;
    let has_ops = tiu.uarch_ops > 0;
    let rate = if has_ops { percent(tiu.uarch_rate(), 3) } else { "--".to_owned() };
    sheet.value(row, 6, &rate)?;
    sheet.value(row, 7, &share(tiu.uarch_ops, all.uarch_ops))?;
    sheet.number(row, 8, whole(tiu.cycles.into()))?;
    sheet.value(row, 9, &format!("{:.3}", tiu.cycles as f64 / mhz))?;
    sheet.value(row, 10, &share(tiu.cycles.into(), all.cycles.into()))?;
    if is_overall {
        let fps = if tiu.cycles > 0 { 1e9 / tiu.cycles as f64 } else { 0.0 };
        sheet.number(row, 11, (rounded(fps, 2), Shape::General))?;
        return sheet.text(row, 12, "-");
    }
    sheet.text(row, 11, "-")?;
    sheet.text(row, 12, &set_text(&kind.names))
}

/// A set of names, such as `{'Add', 'Mul'}`.
fn set_text(names: &BTreeSet<String>) -> String {
    let quoted = |name: &String| {
        let quote = if name.contains('\'') && !name.contains('"') { '"' } else { '\'' };
        format!("{quote}{name}{quote}")
    };
    format!("{{{}}}", names.iter().map(quoted).collect::<Vec<_>>().join(", "))
}
