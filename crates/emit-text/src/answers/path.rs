//! The critical path.

use bigtpu_answers::Report;
use bigtpu_emit::Table;
use bigtpu_measure::percent;

use super::{short, table, us};

/// The heaviest pieces of the critical path.
pub(super) fn path_table(report: &Report, most: usize) -> Table {
    let rows = report.critical_path.pieces.iter().take(most).map(|piece| {
        vec![
            piece.reason.name().to_owned(),
            piece.engine.clone(),
            if piece.kernel.is_empty() { "-".to_owned() } else { short(&piece.kernel) },
            us(piece.ns),
            percent(piece.share, 1),
            piece.count.to_string(),
            us(piece.all_ns),
        ]
    });
    let header = ["Reason", "Engine", "Kernel", "Path(us)", "OfWall", "Pieces", "AllCores(us)"];
    table("What the run waited for (critical path)", &header, rows.collect())
}

/// The heaviest pieces in a line; `None` where the run can't be replayed.
#[must_use]
pub fn path_text(report: &Report, most: usize) -> Option<String> {
    let pieces = report.critical_path.pieces.iter().take(most).map(|piece| {
        let place = match piece.kernel.as_str() {
            "" => piece.engine.clone(),
            kernel => format!("{} in {}", piece.engine, short(kernel)),
        };
        format!("{} {} of {place}", percent(piece.share, 1), piece.reason.name())
    });
    let pieces: Vec<String> = pieces.collect();
    (!pieces.is_empty()).then(|| format!("What the run waited for: {}", pieces.join(", ")))
}
