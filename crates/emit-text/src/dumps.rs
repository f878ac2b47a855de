//! Several dumps of one run: a row each.

use bigtpu_answers::{CallBalance, DumpIndex, DumpRow};
use bigtpu_measure::percent;
use bigtpu_messages::{Arg, Language, Message, message};
use bigtpu_output::{Lines, Table, Text, put};

use crate::answers::{share, short, table, us};

/// A row for each dump: how long it took, what filled the time, what is wrong with it.
#[must_use]
pub fn dumps_table(index: &DumpIndex) -> Table {
    let header = [
        "Dump",
        "Chip",
        "Cores",
        "Start(us)",
        "Wall(us)",
        "Busy",
        "Compute",
        "Transfer",
        "Exposed",
        "Sync",
        "Idle",
        "TopKernel",
        "OfKernels",
        "Losses",
        "Warnings",
    ];
    let row = |d: &DumpRow| {
        let part = |ns| share(ns, d.wall_ns);
        let top = d.top_kernel.as_ref();
        vec![
            d.name.name.clone(),
            d.chip.clone(),
            d.cores.to_string(),
            us(d.start_ns),
            us(d.wall_ns),
            part(d.work_ns),
            part(d.compute_ns),
            part(d.transfer_ns),
            part(d.exposed_transfer_ns),
            part(d.sync_ns),
            part(d.idle_ns),
            top.map_or_else(|| "-".into(), |k| short(&k.kernel)),
            top.map_or_else(|| "-".into(), |k| percent(k.share, 1)),
            d.losses.to_string(),
            d.warnings.to_string(),
        ]
    };
    table("Devices", &header, index.dumps.iter().map(row).collect())
}

/// A line for each call that several devices took part in.
#[must_use]
pub fn stragglers_text(index: &DumpIndex, language: Language) -> Vec<String> {
    let line = |c: &CallBalance| {
        let line = match c.call {
            Some(call) => {
                Message::new("dumps-straggler-in-call").with("call", Arg::Number(call.into()))
            }
            None => Message::new("dumps-straggler"),
        };
        let line = line
            .with("devices", c.devices)
            .with("slowest", &c.slowest)
            .with("time", us(c.slowest_ns))
            .with("more", percent(c.imbalance, 1))
            .with("lost", us(c.lost_ns));
        line.text(language)
    };
    index.calls.iter().map(line).collect()
}

/// How the dumps lie on one time line.
#[must_use]
pub fn time_line_text(index: &DumpIndex, language: Language) -> String {
    let note = index.time_line.message.clone();
    let note = note.unwrap_or_else(|| Message::verbatim(&*index.time_line.note));
    message!("dumps-line", note = note).text(language)
}

/// `summary.txt` of several dumps: the table, how they lie on one time line, and the notes of each.
#[must_use]
pub fn dumps_text(index: &DumpIndex, notes: &[String], language: Language) -> Text<Lines> {
    let mut text = dumps_table(index).text();
    put!(text, "\n{}\n", time_line_text(index, language));
    for line in stragglers_text(index, language) {
        put!(text, "{}\n", line);
    }
    if !notes.is_empty() {
        text.own("\nNotes\n");
        for note in notes {
            put!(text, "- {}\n", note);
        }
    }
    text
}
