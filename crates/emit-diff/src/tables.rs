//! A comparison as tables: the whole run by metric, then cores, engines, kernels and opcodes.

use bigtpu_answers::{Change, Diff, Noise, Row, Subject};
use bigtpu_emit::Table;

use crate::cells::{absolute, interval, noise, relative, side, unit};

/// What was compared, and what makes numbers hard to compare.
#[must_use]
pub fn headline(diff: &Diff) -> Vec<String> {
    let mut lines = vec![
        format!("before: {}", diff.before.join(", ")),
        format!("after:  {}", diff.after.join(", ")),
    ];
    if !diff.noise_is_known {
        lines.push(
            "noise is unknown with fewer than three runs per side: the numbers are compared directly"
                .into(),
        );
    }
    lines.extend(diff.warnings.iter().map(|w| format!("warning: {w}")));
    lines
}

/// The tables that have rows, each with at most `most`.
#[must_use]
pub fn tables(diff: &Diff, most: usize) -> Vec<Table> {
    let all = [
        metrics_table(diff, "The whole run", Subject::Total),
        metrics_table(diff, "Losses", Subject::Loss),
        metrics_table(diff, "Steps (all steady ones)", Subject::Steps),
        rows_table(diff, "Steps (time of each)", Subject::Step, most),
        rows_table(diff, "Cores (time in which any engine works)", Subject::Core, most),
        rows_table(diff, "Engines (busy time)", Subject::Engine, most),
        rows_table(diff, "Kernels (time of all launches)", Subject::Kernel, most),
        rows_table(diff, "Opcodes (time of all commands)", Subject::Opcode, most),
        rows_table(diff, "Data types (time of all commands)", Subject::DataType, most),
        rows_table(diff, "Shapes (time of all commands)", Subject::Shape, most),
        rows_table(diff, "Directions (time of all transfers)", Subject::Direction, most),
    ];
    all.into_iter().filter(|table| !table.rows.is_empty()).collect()
}

fn rows(diff: &Diff, subject: Subject) -> impl Iterator<Item = &Row> {
    diff.rows.iter().filter(move |row| row.subject == subject)
}

fn table(title: String, header: &[&str], rows: Vec<Vec<String>>) -> Table {
    Table { title, header: header.iter().map(|h| (*h).into()).collect(), rows, footer: Vec::new() }
}

/// A line for each number of a subject that has one row.
fn metrics_table(diff: &Diff, title: &str, subject: Subject) -> Table {
    let changes = rows(diff, subject).flat_map(|row| &row.changes);
    let line = |c: &Change| {
        let name = match unit(c.unit) {
            "" => c.metric.to_owned(),
            unit => format!("{}({unit})", c.metric),
        };
        vec![
            name,
            side(c.before, c.unit),
            side(c.after, c.unit),
            absolute(c),
            relative(c),
            interval(c),
            noise(c).into(),
        ]
    };
    let header = ["Metric", "Before", "After", "Change", "Relative", "Interval", "Noise"];
    table(title.into(), &header, changes.map(line).collect())
}

/// A line for each row: its time, and what else changed.
fn rows_table(diff: &Diff, title: &str, subject: Subject, most: usize) -> Table {
    let all = rows(diff, subject).count();
    let line = |row: &Row| {
        let first = row.first()?;
        let others = row.changes.iter().skip(1).filter(|c| {
            c.absolute != 0.0 && c.before.is_some() && c.after.is_some() && c.noise != Noise::Within
        });
        let others: Vec<String> =
            others.take(3).map(|c| format!("{} {}", c.metric, relative_or_absolute(c))).collect();
        Some(vec![
            row.name.clone(),
            side(first.before, first.unit),
            side(first.after, first.unit),
            absolute(first),
            relative(first),
            interval(first),
            noise(first).into(),
            others.join(", "),
        ])
    };
    let title =
        if all > most { format!("{title}: the first {most} of {all}") } else { title.into() };
    let header =
        ["Name", "Before(us)", "After(us)", "Change(us)", "Relative", "Interval", "Noise", "Also"];
    table(title, &header, rows(diff, subject).take(most).filter_map(line).collect())
}

fn relative_or_absolute(change: &Change) -> String {
    if change.relative.is_some() { relative(change) } else { absolute(change) }
}
