//! Tables of `summary.txt`.

use std::collections::BTreeMap;

/// A table: its rows by their first cell, each cell by its column.
pub(crate) type Rows = BTreeMap<String, BTreeMap<String, String>>;

/// The table whose title starts with `title`.
#[track_caller]
pub(crate) fn table(summary: &str, title: &str) -> Rows {
    let mut lines = summary.lines().skip_while(|line| !line.starts_with(title)).skip(2);
    let cells = |line: &str| -> Vec<String> {
        line.split(" | ").map(|cell| cell.trim().to_owned()).collect()
    };
    let header = cells(lines.next().unwrap_or_else(|| panic!("no table {title} in:\n{summary}")));
    let rows = lines.take_while(|line| !line.starts_with('=')).filter(|l| !l.starts_with('-'));
    rows.map(cells)
        .map(|row| (row[0].clone(), header.iter().cloned().zip(row).skip(1).collect()))
        .collect()
}

/// The ledger: counts by engine and what they count.
#[track_caller]
pub(crate) fn ledger(summary: &str) -> BTreeMap<String, BTreeMap<String, u64>> {
    let count = |(title, count): (String, String)| (title, count.parse().unwrap());
    let rows = table(summary, "Ledger").into_iter();
    rows.map(|(engine, row)| (engine, row.into_iter().map(count).collect())).collect()
}

/// The notes, without their bullets.
pub(crate) fn notes(summary: &str) -> Vec<&str> {
    let after = summary.split_once("\nNotes\n").map_or("", |(_, after)| after);
    after.lines().filter_map(|line| line.strip_prefix("- ")).collect()
}
