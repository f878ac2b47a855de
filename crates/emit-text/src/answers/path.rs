//! The critical path.

use bigtpu_answers::Report;
use bigtpu_measure::percent;
use bigtpu_messages::{Language, Message, message};
use bigtpu_output::Table;

use super::{first_of, short, table, us};

/// The heaviest pieces of the critical path.
pub(crate) fn path_table(report: &Report, most: usize, language: Language) -> Table {
    let rows = report.critical_path.pieces.iter().take(most).map(|piece| {
        vec![
            piece.reason.message().text(language),
            piece.engine.clone(),
            if piece.owner().is_empty() {
                "-".to_owned()
            } else {
                short(&piece.place().text(language))
            },
            us(piece.ns),
            percent(piece.share, 1),
            piece.count.to_string(),
            us(piece.all_ns),
        ]
    });
    let owner = if report.layers.is_empty() { "Kernel" } else { "Kernel or layer" };
    let header = ["Reason", "Engine", owner, "Path(us)", "OfWall", "Pieces", "AllCores(us)"];
    let all = report.critical_path.pieces.len();
    let title = first_of(Message::new("report-table-path"), most, all);
    table(title.text(language), &header, rows.collect())
}

/// The heaviest pieces in a line; `None` where the run can't be replayed.
#[must_use]
pub fn path_text(report: &Report, most: usize, language: Language) -> Option<String> {
    let pieces = report.critical_path.pieces.iter().take(most).map(|piece| {
        let (share, reason) = (percent(piece.share, 1), piece.reason.message());
        match &*piece.place().text(language) {
            "" => {
                let engine = &piece.engine;
                message!("report-piece", share = share, reason = reason, engine = engine)
            }
            place => message!(
                "report-piece-in",
                share = share,
                reason = reason,
                engine = &piece.engine,
                owner = short(place),
            ),
        }
        .text(language)
    });
    let pieces: Vec<String> = pieces.collect();
    let pieces = (!pieces.is_empty()).then(|| pieces.join(language.choose(", ", "，")))?;
    Some(message!("report-path", pieces = pieces).text(language))
}
