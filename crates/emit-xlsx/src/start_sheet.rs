//! `Start`: the run in a few lines, and the way to every other sheet.

use bigtpu_answers::Report;
use bigtpu_messages::Language;
use bigtpu_timeline::{Profile, Severity};

use crate::number::{Shape, microseconds, whole};
use crate::part::Part;
use crate::sheet::{Result, Sheet};
use crate::{advice_sheet, quality_sheet, time_sheet};

/// Name of the sheet.
pub(crate) const NAME: &str = "Start";

/// Letters that have room in the columns of the verdict, 122 digits wide.
const LETTERS: usize = 115;
/// Pieces of advice that are here.
const ADVICE: usize = 3;

/// Writes the sheet. `others`: names of sheets that belong to no engine, and what they show.
pub(crate) fn write(
    sheet: &mut Sheet<'_>,
    profile: &Profile<'_>,
    report: &Report,
    others: &[(&str, &str)],
    parts: &[Part<'_, '_, '_>],
) -> Result {
    let styles = sheet.styles;
    sheet.inner.set_column_width(0, 26)?;
    sheet.inner.set_column_range_width(1, 2, 16)?;
    sheet.inner.set_column_width(3, 90)?;
    sheet.styled(0, 0, &format!("TPU profile: {}", profile.chip.title()), styles.title)?;
    sheet.styled(1, 0, "Verdict", styles.head)?;
    sheet.paragraph(1, (1, 3), &report.verdict.said(Language::English), LETTERS)?;
    let mut row = facts(sheet, 3, profile, report)?;
    row = phases(sheet, row + 1, report)?;
    row = advice(sheet, row + 1, report)?;
    sheet.headers(row + 1, 0, ["Sheet", "Commands", "", "Content"], styles.head)?;
    row += 1;
    for (name, content) in others {
        row += 1;
        sheet.link(row, 0, name, name)?;
        sheet.styled(row, 3, content, styles.beside)?;
    }
    for part in parts {
        row += 1;
        sheet.link(row, 0, &part.name, &part.name)?;
        sheet.number(row, 1, whole(part.events.len() as i128))?;
        let content = format!("Commands of {}", part.book.commands.track.engine_id);
        sheet.styled(row, 3, &content, styles.beside)?;
    }
    Ok(())
}

fn facts(
    sheet: &mut Sheet<'_>,
    mut row: u32,
    profile: &Profile<'_>,
    report: &Report,
) -> Result<u32> {
    let kind = if profile.is_static { "static model" } else { "dynamic run" };
    sheet.text(row, 0, "Kind")?;
    sheet.text(row, 1, kind)?;
    let (tiu_mhz, dma_mhz) = (profile.clocks.tiu_mhz, profile.clocks.dma_mhz);
    let clocks = [("TIU clock", tiu_mhz.to_string()), ("DMA clock", dma_mhz.to_string())];
    let numbers = [
        ("Cores", whole(profile.shown_cores().count() as i128)),
        ("CDMA ports", whole(profile.ports.len() as i128)),
        ("Commands", whole(profile.event_count() as i128)),
        ("Wall time(us)", microseconds(report.intervals.overall.wall_ns)),
    ];
    for (name, number) in numbers {
        row += 1;
        sheet.text(row, 0, name)?;
        sheet.number(row, 1, number)?;
    }
    for (name, mhz) in clocks {
        row += 1;
        sheet.text(row, 0, name)?;
        sheet.text(row, 1, &format!("{mhz} MHz"))?;
    }
    row += 1;
    sheet.link(row, 0, quality_sheet::NAME, quality_sheet::NAME)?;
    let of = |severity| profile.ledger.notes.iter().filter(|n| n.severity == severity).count();
    let styles = sheet.styles;
    match (of(Severity::Loss), of(Severity::Warning)) {
        (0, 0) => sheet.text(row, 1, &profile.ledger.completeness.to_string())?,
        (0, 1) => sheet.styled(row, 1, "1 warning", styles.warning)?,
        (0, n) => sheet.styled(row, 1, &format!("{n} warnings"), styles.warning)?,
        (lost, _) => sheet.styled(row, 1, &format!("data was lost: {lost} notes"), styles.loss)?,
    }
    Ok(row + 1)
}

/// Where the time went, of the chip.
fn phases(sheet: &mut Sheet<'_>, mut row: u32, report: &Report) -> Result<u32> {
    let styles = sheet.styles;
    let all = &report.intervals.overall;
    sheet.headers(row, 0, ["Where the time went", "us", "Share"], styles.head)?;
    let parts = [
        ("compute only", all.compute_only_ns),
        ("compute and transfer", all.overlapped_ns),
        ("exposed transfer", all.transfer_only_ns),
        ("sync", all.sync_ns),
        ("idle", all.idle_ns),
    ];
    for (name, ns) in parts {
        row += 1;
        sheet.text(row, 0, name)?;
        sheet.number(row, 1, microseconds(ns))?;
        sheet.number(row, 2, (ns as f64 / all.wall_ns.max(1) as f64, Shape::Percent1))?;
    }
    sheet.link(row + 1, 0, "by core and engine", time_sheet::NAME)?;
    Ok(row + 2)
}

fn advice(sheet: &mut Sheet<'_>, mut row: u32, report: &Report) -> Result<u32> {
    let styles = sheet.styles;
    sheet.headers(row, 0, ["Advice", "Saves(us)", "Share", ""], styles.head)?;
    if report.advice.is_empty() {
        sheet.text(row + 1, 0, "No rule found anything to improve.")?;
        return Ok(row + 2);
    }
    for piece in report.advice.iter().take(ADVICE) {
        row += 1;
        advice_sheet::head(sheet, row, piece)?;
    }
    sheet.link(row + 1, 0, "all advice, with evidence", advice_sheet::NAME)?;
    Ok(row + 2)
}
