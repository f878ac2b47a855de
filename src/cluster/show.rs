//! What the console shows of a cluster.

use std::borrow::Cow;

use bigtpu_emit_cluster::summary;
use bigtpu_emit_text::console::{COLUMNS, wrapped};
use bigtpu_output::{Lines, Text, Written, put};

use crate::written::written_lines;
use bigtpu_session::cluster::{Call, REPORT_FILE};
use bigtpu_session::size;

/// The text.
pub(crate) fn text(call: &Call) -> Text<Lines> {
    let mut out = Text::new();
    if let Some(number) = call.number {
        put!(out, "Call {}\n", number);
    }
    let mut lines = summary(&call.cluster, REPORT_FILE);
    for note in &call.notes {
        put!(lines, "note: {}\n", note);
    }
    for line in lines.as_str().lines() {
        put!(out, "{}\n", Text::<Lines>::laid_out(&fitting(line)));
    }
    files(&mut out, &call.written);
    out
}

/// A line, broken if it does not fit; the columns of tables do.
fn fitting(line: &str) -> Cow<'_, str> {
    match line.chars().count() > COLUMNS {
        true => wrapped(line, COLUMNS).into(),
        false => line.into(),
    }
}

/// A line for each file; the tables share one.
fn files(out: &mut Text<Lines>, written: &[Written]) {
    let is_table = |file: &&Written| file.path.extension().is_some_and(|e| e == "parquet");
    let (tables, others): (Vec<&Written>, Vec<&Written>) = written.iter().partition(is_table);
    let others: Vec<Written> = others.into_iter().cloned().collect();
    for line in written_lines(&others, true) {
        put!(out, "{}\n", line);
    }
    if let Some(first) = tables.first() {
        let names = tables.iter().filter_map(|file| file.path.file_stem()?.to_str());
        let names: Vec<&str> = names.collect();
        let bytes = tables.iter().map(|file| file.bytes).sum();
        let place = first.path.with_file_name(format!("{{{}}}.parquet", names.join(",")));
        put!(out, "{} ({})\n", place, size(bytes));
    }
}
