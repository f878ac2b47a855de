//! `summary.txt`: totals by core, whose table users' scripts parse; then the verdict and the answers; at the end the ledger.

use bigtpu_answers::Depth;
use bigtpu_compat::{SUMMARY_COLUMNS, Summary, SummaryRows};
use bigtpu_emit::{Emitter, EmitterInput};
use bigtpu_measure::{percent, quotient};
use bigtpu_messages::Language;
use bigtpu_output::{Lines, OutputError, Table, Text, Written, put};

use crate::answers::{
    advice_full, advice_together, answer_tables, barriers_text, host_text, steps_text,
};
use crate::ledger::{completeness_line, ledger_table, notes};
use crate::runtime::runtime_table;

/// Name of the file.
pub const SUMMARY_FILE: &str = "summary.txt";

/// The summary.
#[derive(Debug, Clone, Copy, Default)]
pub struct SummaryText;

/// Users' scripts parse the file.
const ENGLISH: Language = Language::English;

/// Widths of the first table's columns.
const WIDTHS: [usize; 11] = [7, 14, 14, 15, 14, 10, 16, 18, 18, 16, 18];

impl Emitter for SummaryText {
    fn name(&self) -> &'static str {
        "summary"
    }

    fn depth(&self) -> Depth {
        Depth::Answers
    }

    fn emit(&self, input: &EmitterInput<'_, '_>) -> Result<Vec<Written>, OutputError> {
        let summary = input.analysis.summary(input.profile);
        let Some(mut text) = summary_lines(summary) else { return Ok(Vec::new()) };
        let report = input.analysis.report(input.profile);
        put!(text, "\nVerdict\n{}\n", report.verdict.said(ENGLISH));
        for table in ports_table(summary).into_iter().chain(answer_tables(report, ENGLISH)) {
            put!(text, "\n{}", table.text());
        }
        for line in steps_text(report, ENGLISH).into_iter().chain(host_text(report, ENGLISH)) {
            put!(text, "\n{}\n", line);
        }
        if let Some(line) = barriers_text(report, ENGLISH) {
            put!(text, "\n{}\n", line);
        }
        let advice = advice_full(report, ENGLISH);
        if !advice.is_empty() {
            let together = advice_together(report, ENGLISH);
            let together = together.map_or_else(String::new, |t| format!(" ({t})"));
            put!(text, "\nAdvice{}\n", together);
            for line in advice {
                put!(text, "{}\n", line);
            }
        }
        // What was read is the last thing that most readers need.
        let ledger = ledger_table(input.profile, ENGLISH);
        for table in std::iter::once(ledger).chain(runtime_table(input.profile)) {
            put!(text, "\n{}", table.text());
        }
        put!(text, "\n{}\n", completeness_line(input.profile, ENGLISH));
        let notes = notes(input.profile, |_| true, ENGLISH);
        if !notes.is_empty() {
            text.own("\nNotes\n");
            for note in notes {
                put!(text, "- {}\n", note);
            }
        }
        Ok(vec![input.out.write(SUMMARY_FILE, &text)?])
    }
}

/// The first table as it is in the file; `None` without events or cores.
#[must_use]
pub fn summary_lines(summary: &Summary) -> Option<Text<Lines>> {
    let table = legacy_rows(summary)?;
    Some(table.text_with(&WIDTHS))
}

/// The first table: totals by core, then overall. `None` without events or cores.
#[must_use]
pub fn legacy_rows(summary: &Summary) -> Option<Table> {
    let rows = SummaryRows::compute(summary)?;
    Some(Table::new("Summary", SUMMARY_COLUMNS, rows.cores).with_footer([rows.overall]))
}

/// CDMA ports: commands, bytes and bandwidth by direction, time in sync commands, busy share. `None`
/// without ports.
#[must_use]
pub fn ports_table(summary: &Summary) -> Option<Table> {
    if summary.ports.is_empty() {
        return None;
    }
    let header = [
        "Port",
        "Events",
        "TxCmds",
        "TxBytes",
        "TxBW(GB/s)",
        "RxCmds",
        "RxBytes",
        "RxBW(GB/s)",
        "OtherCmds",
        "OtherBytes",
        "OtherBW(GB/s)",
        "Sync(us)",
        "Busy(%)",
    ];
    let total = i128::from(summary.total_ns.unwrap_or(0));
    let rows = summary.ports.iter().map(|port| {
        let mut row = vec![port.port.to_string(), port.events.to_string()];
        for (commands, moved) in [port.sent, port.received, port.other] {
            row.push(commands.to_string());
            row.push(moved.bytes.to_string());
            row.push(format!("{:.2}", moved.gbps(summary.dma_mhz)));
        }
        row.push(format!("{:.3}", port.sync_ns as f64 / 1000.0));
        row.push(percent(quotient(port.busy_ns.into(), total.max(0)), 2));
        row
    });
    Some(Table::new("CDMA ports", header, rows))
}
