//! `Engine Summary`: totals by core, then overall; what they mean; CDMA ports; where everything is.

use bigtpu_chip::Engine;
use bigtpu_compat::{DmaTotals, EngineSummary, Moved, OverlapShares, TypeTotals, mean_gbps};
use bigtpu_measure::{percent, quotient};
use bigtpu_timeline::Profile;
use rust_xlsxwriter::Note;

use crate::array_block::platform;
use crate::part::Part;
use crate::sheet::{Result, Sheet};
use crate::summary_below::{index, notes, ports};

/// Name of the sheet.
pub(crate) const NAME: &str = "Engine Summary";

/// Columns that belong to no single engine, then those of the TIU.
const COLUMNS: [&str; 10] = [
    "CoreId",
    "TiuWorkingRatio",
    "Parallelism",
    "Concurrency",
    "totalTime(us)",
    "totalTiuCycle",
    "totalAlgCycle",
    "totalAlgOps",
    "totalUArchOps",
    "uArchURate",
];
/// Columns of a DMA after its cycles.
pub(crate) const DMA_COLUMNS: [&str; 4] =
    ["totalDdrDataSize", "totalL2DataSize", "ddrAvgBandwidth", "l2AvgBandwidth"];

/// First column of the TIU, GDMA, SDMA and CDMA.
const FIRST_COLUMN: [u16; 4] = [5, 10, 15, 18];

const HEADER_ROW: u32 = 4;

/// How wide the columns are, in characters.
const WIDTH: f64 = 18.0;

/// The sheet's contents.
#[derive(Debug)]
pub(crate) struct Contents<'a, 'b, 'p, 'd> {
    pub(crate) profile: &'a Profile<'d>,
    pub(crate) summary: &'a EngineSummary,
    pub(crate) parts: &'a [Part<'b, 'p, 'd>],
    /// Names of sheets that belong to no engine, and what they show.
    pub(crate) others: &'a [(&'static str, &'static str)],
}

/// Writes the sheet.
pub(crate) fn write(sheet: &mut Sheet<'_>, contents: &Contents<'_, '_, '_, '_>) -> Result {
    let styles = sheet.styles;
    let summary = contents.summary;
    sheet.inner.set_column_range_width(0, 25, WIDTH)?;
    sheet.inner.set_freeze_panes(HEADER_ROW + 1, 1)?;
    let arch = platform(contents.profile);
    sheet.styled(0, 0, &format!("Platform: {arch}"), styles.title)?;
    header(sheet)?;
    let mut row = HEADER_ROW + 1;
    for core in &summary.cores {
        let overlap = overlap_texts(&summary.overlap(core));
        let total = total_text(summary);
        let texts =
            [vec![core.core.to_string()], overlap, vec![total], tiu_texts(&core.tiu)].concat();
        let dma = dma_texts(summary, [core.gdma, core.sdma, core.cdma], &Units::PLAIN);
        sheet.values(row, 0, texts.iter().chain(&dma).map(String::as_str))?;
        links(sheet, row, core.core, contents, &texts, &dma)?;
        row += 1;
    }
    sheet.values(row, 0, overall_texts(summary).iter().map(String::as_str))?;
    sheet.inner.insert_note(row, 0, &overall_note())?;
    row = notes(sheet, row + 4, summary.cores.len() > 1)?;
    row = ports(sheet, row + 1, contents)?;
    index(sheet, row + 1, contents)
}

/// The row's ratios are those of bigTpuProfile, and not those of `summary.txt` and of the page. A note changes no cell.
fn overall_note() -> Note {
    Note::new(
        "Ratios of this row: the busiest core of each engine / total time. In summary.txt and on the page, the ratios of \
         Overall are means over all cores.",
    )
    .add_author_prefix(false)
    .set_width(260)
}

fn header(sheet: &mut Sheet<'_>) -> Result {
    let styles = sheet.styles;
    sheet.headers(HEADER_ROW, 0, COLUMNS.into_iter().take(5), styles.head)?;
    let tiu = COLUMNS.into_iter().skip(5);
    sheet.headers(HEADER_ROW, FIRST_COLUMN[0], tiu, styles.head_of(Engine::Tiu))?;
    let [ddr, l2, ddr_mean, l2_mean] = DMA_COLUMNS;
    let gdma = ["totalGdmaCycle", ddr, l2, ddr_mean, l2_mean];
    sheet.headers(HEADER_ROW, FIRST_COLUMN[1], gdma, styles.head_of(Engine::Gdma))?;
    let sdma = ["totalSdmaCycle", ddr, ddr_mean];
    sheet.headers(HEADER_ROW, FIRST_COLUMN[2], sdma, styles.head_of(Engine::Sdma))?;
    let cdma = ["totalcdmaCycle", ddr, l2, ddr_mean, l2_mean];
    sheet.headers(HEADER_ROW, FIRST_COLUMN[3], cdma, styles.head_of(Engine::Cdma))
}

fn overlap_texts(overlap: &OverlapShares) -> Vec<String> {
    [overlap.tiu, overlap.parallelism, overlap.concurrency].map(|x| percent(x, 2)).to_vec()
}

fn tiu_texts(tiu: &TypeTotals) -> Vec<String> {
    vec![
        tiu.cycles.to_string(),
        tiu.alg_cycles.to_string(),
        tiu.alg_ops.to_string(),
        tiu.uarch_ops.to_string(),
        percent(tiu.uarch_rate(), 2),
    ]
}

/// How sizes are reported.
pub(crate) struct Units(fn(u64) -> String);

impl Units {
    pub(crate) const PLAIN: Self = Self(|bytes| bytes.to_string());
    const MIB: Self = Self(|bytes| format!("{:.2}MiB", bytes as f64 / f64::from(1 << 20)));
}

/// Columns of GDMA, SDMA and CDMA; the SDMA's leave out on-chip shared memory.
fn dma_texts(summary: &EngineSummary, engines: [DmaTotals; 3], units: &Units) -> Vec<String> {
    let [gdma, sdma, cdma] = engines.map(|of| port_texts(summary, &of, units));
    let [cycles, ddr, _, ddr_mean, _] = sdma;
    [gdma.to_vec(), vec![cycles, ddr, ddr_mean], cdma.to_vec()].concat()
}

pub(crate) fn port_texts(summary: &EngineSummary, of: &DmaTotals, units: &Units) -> [String; 5] {
    let size = |moved: &Moved| units.0(moved.bytes);
    let mean = |moved| mean_gbps(moved, summary.dma_mhz).map_or("0".into(), |x| format!("{x:?}"));
    [of.cycles.to_string(), size(&of.ddr), size(&of.l2), mean(&of.ddr), mean(&of.l2)]
}

fn total_text(summary: &EngineSummary) -> String {
    format!("{:.3}", summary.total_ns as f64 / 1000.0)
}

fn overall_texts(summary: &EngineSummary) -> Vec<String> {
    let us = |cycles: i128, mhz: f64| {
        // Clocks are whole numbers; the exact quotient is rounded once.
        let is_whole = mhz.fract() == 0.0 && mhz >= 1.0;
        let us = if is_whole { quotient(cycles, mhz as i128) } else { cycles as f64 / mhz };
        format!("{us:.3}(us)")
    };
    let sum = summary.sum();
    let mut texts = vec!["Overall".to_owned()];
    texts.extend(overlap_texts(&summary.overall_overlap()));
    texts.push(total_text(summary));
    let mut tiu = tiu_texts(&sum.tiu);
    let most = [summary.most(|c| i128::from(c.tiu.cycles)), summary.most(|c| c.tiu.alg_cycles)];
    for (text, cycles) in tiu.iter_mut().zip(most) {
        *text = us(cycles, summary.tiu_mhz);
    }
    texts.extend(tiu);
    let mut dma = dma_texts(summary, [sum.gdma, sum.sdma, sum.cdma], &Units::MIB);
    let most = [
        summary.most(|c| c.gdma.cycles),
        summary.most(|c| c.sdma.cycles),
        summary.most(|c| c.cdma.cycles),
    ];
    for (column, cycles) in FIRST_COLUMN[1..].iter().zip(most) {
        if let Some(text) = dma.get_mut(usize::from(column - FIRST_COLUMN[1])) {
            *text = us(cycles.into(), summary.dma_mhz);
        }
    }
    texts.extend(dma);
    texts
}

/// The core's number and its engines' cycles lead to the engines' sheets.
fn links(
    sheet: &mut Sheet<'_>,
    row: u32,
    core: u32,
    contents: &Contents<'_, '_, '_, '_>,
    texts: &[String],
    dma: &[String],
) -> Result {
    let mut is_first = true;
    for engine in [Engine::Tiu, Engine::Gdma, Engine::Sdma] {
        let of_engine = |p: &&Part<'_, '_, '_>| {
            p.is_first()
                && p.book.commands.track.engine_id.index == core
                && p.book.engine() == engine
        };
        let Some(part) = contents.parts.iter().find(of_engine) else { continue };
        let col = FIRST_COLUMN[engine as usize];
        let text = texts.iter().chain(dma).nth(usize::from(col));
        sheet.link(row, col, text.map_or("", String::as_str), &part.name)?;
        if std::mem::take(&mut is_first) {
            sheet.link(row, 0, &core.to_string(), &part.name)?;
        }
    }
    Ok(())
}
