//! `Critical Path`: what the run waited for, and where the path stood still or worked longest.

use std::cmp::Reverse;

use bigtpu_answers::PathReport;
use bigtpu_messages::Language;
use bigtpu_replay::{CriticalPath, Segment};

use crate::number::{Shape, microseconds, whole};
use crate::sheet::{Result, Sheet};

/// Name of the sheet.
pub(crate) const NAME: &str = "Critical Path";

/// Pieces listed one by one: the longest.
const LONGEST: usize = 200;

const PIECES: [&str; 7] =
    ["Reason", "Engine", OWNER, "On the path(us)", "Of the wall time", "Times", "All cores(us)"];
const SEGMENTS: [&str; 6] = ["Reason", "Engine", OWNER, "Start(ns)", "Length(us)", "Global Idx"];
const OWNER: &str = "Kernel or Layer";

const NOTE: &str = "From the last end backwards along what each command waited for. The pieces add up to the wall time. All cores: time of such work on all cores together, on the path or not.";
const LONGEST_NOTE: &str = "Start: from the first command of the run. Engine and Global Idx: the command, or the one that follows a gap.";

/// Writes the sheet; `place_of` names the kernel or layer of a segment.
pub(crate) fn write(
    sheet: &mut Sheet<'_>,
    report: &PathReport,
    path: Option<&CriticalPath>,
    place_of: impl Fn(&Segment) -> String,
) -> Result {
    let styles = sheet.styles;
    sheet.inner.set_column_range_width(0, 1, 18)?;
    sheet.inner.set_column_width(2, 30)?;
    sheet.inner.set_column_range_width(3, 6, 16)?;
    sheet.styled(0, 0, "What the run waited for", styles.title)?;
    let Some(path) = path else {
        let refusal = report.refusal.as_deref().unwrap_or("the run can't be replayed");
        return sheet.text(2, 0, refusal);
    };
    sheet.text(1, 0, NOTE)?;
    sheet.headers(3, 0, PIECES, styles.head)?;
    let mut row = 3;
    for piece in &report.pieces {
        row += 1;
        sheet.text(row, 0, piece.reason.name())?;
        sheet.text(row, 1, &piece.engine)?;
        sheet.text(row, 2, &piece.place().text(Language::English))?;
        let numbers = [
            microseconds(piece.ns),
            (piece.share, Shape::Percent1),
            whole(piece.count.into()),
            microseconds(piece.all_ns),
        ];
        (3..).zip(numbers).try_for_each(|(col, number)| sheet.number(row, col, number))?;
    }
    sheet.inner.autofilter(3, 0, row, (PIECES.len() - 1) as u16)?;
    row += 2;
    sheet.styled(row, 0, "Longest pieces", styles.title)?;
    sheet.text(row + 1, 0, LONGEST_NOTE)?;
    row += 3;
    sheet.headers(row, 0, SEGMENTS, styles.head)?;
    let mut longest: Vec<Segment> = path.segments().collect();
    longest.sort_by_key(|segment| (Reverse(segment.end - segment.start), segment.start));
    for segment in longest.into_iter().take(LONGEST) {
        row += 1;
        sheet.text(row, 0, segment.reason.name())?;
        sheet.text(row, 1, &segment.engine_id.to_string())?;
        sheet.text(row, 2, &place_of(&segment))?;
        let (start, length) = (segment.start, segment.end - segment.start);
        let numbers = [whole(start.into()), microseconds(length), whole(segment.event as i128)];
        (3..).zip(numbers).try_for_each(|(col, number)| sheet.number(row, col, number))?;
    }
    Ok(())
}
