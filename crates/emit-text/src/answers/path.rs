//! The critical path.

use bigtpu_answers::Report;
use bigtpu_measure::percent;
use bigtpu_output::Table;

use super::{first_of, short, table, us};

/// The heaviest pieces of the critical path.
pub(crate) fn path_table(report: &Report, most: usize) -> Table {
    let rows = report.critical_path.pieces.iter().take(most).map(|piece| {
        vec![
            piece.reason.name().to_owned(),
            piece.engine.clone(),
            if piece.owner().is_empty() { "-".to_owned() } else { short(piece.owner()) },
            us(piece.ns),
            percent(piece.share, 1),
            piece.count.to_string(),
            us(piece.all_ns),
        ]
    });
    let owner = if report.layers.is_empty() { "Kernel" } else { "Kernel or layer" };
    let header = ["Reason", "Engine", owner, "Path(us)", "OfWall", "Pieces", "AllCores(us)"];
    let all = report.critical_path.pieces.len();
    let title = first_of("What the run waited for (critical path)", most, all);
    table(&title, &header, rows.collect())
}

/// The heaviest pieces in a line; `None` where the run can't be replayed.
#[must_use]
pub fn path_text(report: &Report, most: usize) -> Option<String> {
    let pieces = report.critical_path.pieces.iter().take(most).map(|piece| {
        let place = match piece.owner() {
            "" => piece.engine.clone(),
            kernel => format!("{} in {}", piece.engine, short(kernel)),
        };
        format!("{} {} of {place}", percent(piece.share, 1), piece.reason.name())
    });
    let pieces: Vec<String> = pieces.collect();
    (!pieces.is_empty()).then(|| format!("What the run waited for: {}", pieces.join(", ")))
}
