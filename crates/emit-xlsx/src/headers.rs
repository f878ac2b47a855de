//! What is above an engine's commands: totals, the chip, notes.

use bigtpu_chip::Engine;
use bigtpu_compat::{DmaTotals, TiuTotals, TypeTotals, mean_gbps};
use bigtpu_measure::quotient;
use bigtpu_timeline::Profile;

use crate::number::{Shape, bandwidth, percent2, whole};
use crate::sheet::{Result, Sheet};
use crate::summary_sheet;

const TIU_TOTALS: [&str; 6] = [
    "totalTiuCycle",
    "totalAlgCycle",
    "algTotalOps",
    "totalUArchOps",
    "uArchURate",
    "waitMsgTotalTime",
];

const STATISTICS: [&str; 11] = [
    "Function Name",
    "Instr Num",
    "Alg Ops",
    "Alg Ops Ratio",
    "Alg Cycle",
    "Alg Cycle Ratio",
    "uArch Ops",
    "uArch URate",
    "uArch Ops Ratio",
    "Asic Cycle",
    "Asic Cycle Ratio",
];

/// Title of a fact of the chip, and its key in the chip's description.
const CHIP_FACTS: [(&str, &str); 11] = [
    ("Platform", "Platform"),
    ("CHIP ARCH", "Chip Arch"),
    ("Core Num", "Core Num"),
    ("NPU Num", "NPU Num"),
    ("Cube IC Align(8bits)", "Cube IC Align(8bits)"),
    ("Cube OHOW Align", "Cube OHOW Align(8bits)"),
    ("Vector OHOW Align(8bits)", "Vector OHOW Align(8bits)"),
    ("TIU Frequency(MHz)", "TIU Frequency(MHz)"),
    ("DMA Frequency(MHz)", "DMA Frequency(MHz)"),
    ("DDR Frequency(MHz)", "DDR Frequency(MHz)"),
    ("TPU Lmem Size(MiB)", "TPU Lmem Size(MiB)"),
];

/// Notes next to the statistics: what columns mean.
const NOTES: [(&str, &str); 4] = [
    ("Field", "Description"),
    (
        "uArch Rate",
        "Alg Ops / uArch Ops, since the shape of tensor needs to be aligned in micro-architecture, the actual ops will be greater than the algorithm value. It's better to closer to 100%.",
    ),
    ("Data Type", "Data type transform, usually represents opd0->res0."),
    (
        "Avg Cycle Last 200",
        "The average cycle taken to execute the last 200 tiu commands. Consecutive short commands will increase the burden on PMU, leading to a decrease in performance",
    ),
];

const DMA_TOTALS: [&str; 9] = [
    "totalDmaCycle",
    "workingCycle",
    "totalStallCycle",
    "stallCycleRatio",
    "totalDdrDataSize(B)",
    "totalL2DataSize(B)",
    "ddrAvgBandwidth(GB/s)",
    "l2AvgBandwidth(GB/s)",
    "waitMsgTotalTime",
];

const STALL_NOTE: &str = "*Stall Cycle indicates the waiting time when TIU and DMA attempting to access a bank simultaneously.";

/// First column of the chip's facts and of the notes.
const FACTS: u16 = 14;

/// Row of a TIU sheet's columns, from 0.
pub(crate) fn tiu_header_row(totals: &TiuTotals) -> u32 {
    u32::try_from(totals.types.len()).unwrap_or(u32::MAX).saturating_add(8)
}

/// Row of a DMA sheet's columns, from 0.
pub(crate) const DMA_HEADER_ROW: u32 = 5;

/// Rows above a TIU's columns, in order.
pub(crate) fn tiu(sheet: &mut Sheet<'_>, profile: &Profile<'_>, totals: &TiuTotals) -> Result {
    let styles = sheet.styles;
    let head = styles.head_of(Engine::Tiu);
    let all = &totals.all;
    let mut rows = tiu_statistics(totals).into_iter();
    sheet.link(0, 0, "Performance", summary_sheet::NAME)?;
    sheet.headers(0, 1, TIU_TOTALS, head)?;
    sheet.styled(0, FACTS, "Detail Spec", styles.head)?;
    sheet.headers(0, FACTS + 1, CHIP_FACTS.map(|f| f.0), styles.head)?;
    sheet.text(1, 0, "Summary")?;
    for (col, n) in (1..).zip([i128::from(all.cycles), all.alg_cycles, all.alg_ops, all.uarch_ops])
    {
        sheet.number(1, col, whole(n))?;
    }
    sheet.number(1, 5, percent2(all.uarch_rate()))?;
    sheet.number(1, 6, whole(totals.wait_cycles.into()))?;
    for (col, (_, key)) in (FACTS + 1..).zip(CHIP_FACTS) {
        sheet.value(1, col, &chip_fact(profile, key))?;
    }
    sheet.styled(3, FACTS, "Description", styles.head)?;
    let last = tiu_header_row(totals) - 2;
    for row in 3..=last.max(6) {
        if row == 5 {
            sheet.text(5, 0, "Statistics")?;
            sheet.headers(5, 1, STATISTICS, head)?;
        } else if let Some((name, numbers)) = (row > 5).then(|| rows.next()).flatten() {
            sheet.text(row, 1, name)?;
            for (col, number) in (2..).zip(numbers) {
                sheet.number(row, col, number)?;
            }
        }
        let note = usize::try_from(row - 3).ok().and_then(|n| NOTES.get(n));
        if let Some(&(field, description)) = note {
            sheet.text(row, FACTS + 1, field)?;
            sheet.text(row, FACTS + 2, description)?;
        }
    }
    Ok(())
}

/// A number and how it is rendered.
type Number = (f64, Shape);

/// A row for every function type, then one for all: the name, and the numbers from the third column on.
fn tiu_statistics(totals: &TiuTotals) -> Vec<(&'static str, [Number; 10])> {
    let all = &totals.all;
    let row = |of: &TypeTotals, shares: [Number; 4]| {
        let [ops, cycle, uarch, asic] = shares;
        [
            whole(of.commands.into()),
            whole(of.alg_ops),
            ops,
            whole(of.alg_cycles),
            cycle,
            whole(of.uarch_ops),
            percent2(of.uarch_rate()),
            uarch,
            whole(of.cycles.into()),
            asic,
        ]
    };
    let of_type = |of: &TypeTotals| {
        let shares = [
            quotient(of.alg_ops, all.alg_ops),
            quotient(of.alg_cycles, all.alg_cycles),
            quotient(of.uarch_ops, all.uarch_ops),
            quotient(of.cycles.into(), all.cycles.into()),
        ];
        row(of, shares.map(percent2))
    };
    let overall = row(all, [percent2(1.0); 4]);
    let types = totals.types.iter().map(|(name, of)| (*name, of_type(of)));
    types.chain([("Overall", overall)]).collect()
}

fn chip_fact(profile: &Profile<'_>, key: &str) -> String {
    let found = profile.chip.arch.iter().find(|e| e.key == key);
    found.map_or_else(String::new, |entry| profile.clocks.described(entry))
}

/// Rows above a DMA's columns, in order.
pub(crate) fn dma(sheet: &mut Sheet<'_>, engine: Engine, mhz: f64, totals: &DmaTotals) -> Result {
    let styles = sheet.styles;
    sheet.link(0, 0, "Performance", summary_sheet::NAME)?;
    sheet.headers(0, 2, DMA_TOTALS, styles.head_of(engine))?;
    sheet.text(1, 0, "Summary")?;
    sheet.number(1, 2, whole(totals.cycles.into()))?;
    sheet.number(1, 3, whole(totals.cycles.into()))?;
    sheet.number(1, 4, whole(totals.stall_cycles.into()))?;
    sheet.number(1, 5, percent2(totals.stall_rate()))?;
    sheet.number(1, 6, whole(totals.ddr.bytes.into()))?;
    sheet.number(1, 7, whole(totals.l2.bytes.into()))?;
    sheet.number(1, 8, bandwidth(mean_gbps(&totals.ddr, mhz)))?;
    sheet.number(1, 9, bandwidth(mean_gbps(&totals.l2, mhz)))?;
    sheet.number(1, 10, whole(totals.wait_cycles.into()))?;
    sheet.text(4, 0, STALL_NOTE)
}
