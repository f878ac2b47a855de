//! Commands that took longer than their bits explain.

use bigtpu_answers::{Report, Slower};
use bigtpu_messages::{Language, Message};
use bigtpu_output::Table;

use super::advice::mark_message;
use super::{layer_text, share, short, table, us};

/// Table of the commands that lost most time; no rows where none did, or nothing is known.
pub(super) fn slower_table(report: &Report, most: usize, language: Language) -> Table {
    let rows = report.expected.iter().flat_map(|expected| &expected.slower).take(most);
    let wall_ns = report.intervals.overall.wall_ns;
    let row = |row: &Slower| {
        let name = match row.layer_id {
            Some(id) => layer_text(id, &row.name, language),
            None => row.name.clone(),
        };
        let or_none = |text: &str| if text.is_empty() { "-".to_owned() } else { text.to_owned() };
        vec![
            or_none(&short(&name)),
            row.engine.clone(),
            or_none(&row.memory),
            format!("{}/{}", row.slower, row.commands),
            us(row.expected_ns),
            us(row.measured_ns),
            us(row.lost_ns),
            share(row.lost_ns, wall_ns),
            row.cause.message().text(language),
            mark_message(&row.mark).text(language),
        ]
    };
    let header = [
        "KernelOrLayer",
        "Engine",
        "Memory",
        "Slower",
        "Expected(us)",
        "Measured(us)",
        "Lost(us)",
        "OfWall",
        "Cause",
        "Rule",
    ];
    table(Message::new("report-table-slower").text(language), &header, rows.map(row).collect())
}
