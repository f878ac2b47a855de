//! What the console shows of a cluster.

use std::borrow::Cow;

use bigtpu_emit_cluster::summary;
use bigtpu_emit_text::console::{COLUMNS, wrapped};
use bigtpu_messages::{Arg, Language, message};
use bigtpu_output::{Lines, Text, Written, put};

use crate::written::written_lines;
use bigtpu_session::cluster::{Call, REPORT_FILE};
use bigtpu_session::{remark, size};

/// Lines of a call at most.
const LINES: usize = 40;

/// The text.
pub(crate) fn text(call: &Call, language: Language) -> Text<Lines> {
    let mut foot = Text::new();
    for note in &call.notes {
        broken(&mut foot, &remark(note.clone()).text(language));
    }
    files(&mut foot, &call.written, language);
    let mut out = Text::new();
    if let Some(number) = call.number {
        let call = message!("cluster-call", call = Arg::Number(number.into()));
        put!(out, "{}\n", call.text(language));
    }
    let other = out.as_str().lines().count() + foot.as_str().lines().count();
    let fits = |lines: &Text<Lines>| laid_out(lines).as_str().lines().count() + other <= LINES;
    let lines = laid_out(&summary(&call.cluster, REPORT_FILE, language, fits));
    put!(out, "{}{}", lines, foot);
    out
}

/// Lines that are broken where they do not fit.
fn laid_out(lines: &Text<Lines>) -> Text<Lines> {
    let mut out = Text::new();
    lines.as_str().lines().for_each(|line| broken(&mut out, line));
    out
}

fn broken(out: &mut Text<Lines>, line: &str) {
    put!(out, "{}\n", Text::<Lines>::laid_out(&fitting(line)));
}

/// A line, broken if it does not fit; the columns of tables do.
fn fitting(line: &str) -> Cow<'_, str> {
    match line.chars().count() > COLUMNS {
        true => wrapped(line, COLUMNS).into(),
        false => line.into(),
    }
}

/// A line for each file; the tables share one.
fn files(out: &mut Text<Lines>, written: &[Written], language: Language) {
    let is_table = |file: &&Written| file.path.extension().is_some_and(|e| e == "parquet");
    let (tables, others): (Vec<&Written>, Vec<&Written>) = written.iter().partition(is_table);
    let others: Vec<Written> = others.into_iter().cloned().collect();
    for line in written_lines(&others, true, language) {
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
