//! All outputs of the dumps of real hardware: report, page and summary as they are, the rest as checksums of what they say.

use std::fmt::Write as _;

use crate::suite::real::DUMPS;
use crate::support::case::fixture;
use crate::support::run::{Finished, analyzed};
use crate::support::trace::{Sample, Slice};
use crate::support::workbook;

use super::answers::{Blessed, answers, crc};

#[test]
fn outputs_of_real_dumps_are_those_that_were_blessed() {
    let mut blessed = Blessed::default();
    for name in DUMPS {
        let dump = fixture("real").join(name);
        let views = ["text,summary,report,csv,workbook,page,trace"];
        let run = analyzed(&dump, &["--emit", views[0], "--strict"]);
        let golden = fixture("real").join("golden").join(name);
        for (file, text) in answers(&dump, &run) {
            blessed.compare(&golden.join(file), &text);
        }
        blessed.compare(&golden.join("summary.txt"), &run.text("summary.txt"));
        let sums = [texts(&run), trace(&run), sheets(&run)].concat();
        blessed.compare(&golden.join("sums.txt"), &sums);
    }
    blessed.finish();
}

/// Register texts and events.
fn texts(run: &Finished) -> String {
    let names =
        run.names().into_iter().filter(|name| name.contains("RegInfo") || name.ends_with(".csv"));
    names.fold(String::new(), |mut lines, name| {
        let text = run.text(&name);
        let (count, sum) = (text.lines().count(), crc(text.as_bytes()));
        writeln!(lines, "{name} {count} lines {sum:08x}").unwrap();
        lines
    })
}

/// What the trace says, whatever its encoding: slices and samples in the order of their texts.
fn trace(run: &Finished) -> String {
    let trace = run.trace();
    let mut lines: Vec<String> = trace.slices.iter().map(Slice::line).collect();
    lines.extend(trace.samples.iter().map(Sample::line));
    lines.sort_unstable();
    let (slices, samples) = (trace.slices.len(), trace.samples.len());
    let sum = crc(lines.join("\n").as_bytes());
    format!("trace {slices} slices {samples} samples {sum:08x}\n")
}

fn sheets(run: &Finished) -> String {
    workbook::names(run.out_dir()).iter().fold(String::new(), |mut lines, name| {
        let rows = workbook::rows(run.out_dir(), name);
        let text: Vec<String> = rows.iter().map(|row| row.join("\t")).collect();
        let sum = crc(text.join("\n").as_bytes());
        writeln!(lines, "sheet {name} {} rows {sum:08x}", rows.len()).unwrap();
        lines
    })
}
