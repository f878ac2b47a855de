//! What commands belong to: block and step, in the trace as in the table of events.

use std::collections::BTreeMap;
use std::path::Path;

use crate::suite::answers::Synth;
use crate::support::case::real_dump;
use crate::support::run::analyzed;
use crate::support::trace::{LayerBlocks, Slice, StepTimes, Value, without_lane};

/// How many commands an engine has of each block and step, by track.
type Counts = BTreeMap<(String, String, String), usize>;

fn in_table(text: &str) -> Counts {
    let mut lines = text.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let titles = lines.next().unwrap();
    let column = |title: &str| titles.iter().position(|own| *own == title).unwrap();
    let [engine, core, block, step] = ["engine", "core", "block", "step"].map(column);
    let mut counts = Counts::new();
    for line in lines.filter(|line| line[engine] != "CDMA") {
        let track = format!("Core {}/{}", line[core], line[engine]);
        *counts.entry((track, line[block].to_owned(), line[step].to_owned())).or_default() += 1;
    }
    counts
}

fn argument(slice: &Slice, name: &str) -> String {
    match slice.arg(name) {
        Some(value) => value.text().map_or_else(|| value.int().unwrap().to_string(), str::to_owned),
        None => String::new(),
    }
}

/// Checks a trace against the table; how many commands of it have a block, and a step.
fn check(dump: &Path, detail: &str) -> [usize; 2] {
    let run = analyzed(dump, &["--emit", "trace,csv", "--detail", detail]);
    let trace = run.trace();
    let (steps, layers) = (StepTimes::of(&trace), LayerBlocks::of(&trace));
    let mut counts = Counts::new();
    for slice in trace.slices.iter().filter(|slice| slice.arg("Cmd Id").is_some()) {
        // The runtime has tracks of its own, and rows of the engines.
        let track = without_lane(&slice.track).replace("/Runtime ", "/");
        if track.starts_with("Core ") {
            let layer = slice.arg("Layer Name").and_then(Value::text);
            let block = match layer.filter(|_| slice.arg("Layer Id").is_none()) {
                Some(name) => layers.layer(name).unwrap().1.to_owned(),
                None => argument(slice, "Block"),
            };
            let step = match argument(slice, "Step") {
                told if told.is_empty() && detail == "light" => {
                    steps.step_at(slice.ts).map_or_else(String::new, |step| step.to_string())
                }
                told => told,
            };
            *counts.entry((track, block, step)).or_default() += 1;
        }
    }
    assert_eq!(counts, in_table(&run.text("events.csv")), "{}", dump.display());
    // Gaps and stretches of the path tell the unit of their commands.
    for (category, name) in [("gap", "Layer Id"), ("critical path", "Layer Id")] {
        let of_layers = |slice: &&Slice| {
            slice.categories.contains(&category.to_owned()) && slice.arg(name).is_some()
        };
        let blocks: BTreeMap<i128, String> = trace
            .slices
            .iter()
            .filter(|slice| slice.arg("Cmd Id").is_some() && slice.arg("Layer Id").is_some())
            .map(|slice| {
                (slice.arg("Layer Id").and_then(Value::int).unwrap(), argument(slice, "Block"))
            })
            .collect();
        for slice in trace.slices.iter().filter(of_layers) {
            let layer = slice.arg("Layer Id").and_then(Value::int).unwrap();
            assert_eq!(argument(slice, "Block"), blocks[&layer], "{}", slice.line());
        }
    }
    let with = |known: fn(&(String, String, String)) -> bool| {
        counts.iter().filter(|(key, _)| known(key)).map(|(_, count)| count).sum()
    };
    [with(|(_, block, _)| !block.is_empty()), with(|(.., step)| !step.is_empty())]
}

#[test]
fn commands_tell_their_block_and_step_as_the_table_does() {
    for detail in ["full", "light"] {
        let [blocks, _] = check(&real_dump("cdm_profile_data_dev0_bm1690"), detail);
        assert!(blocks > 100, "{blocks} commands with a block");
        let synth = Synth::new(&["--launches", "64", "--cores", "2"]);
        let [_, steps] = check(&synth.path(), detail);
        assert!(steps > 100, "{steps} commands with a step");
    }
}

/// The tracks of bigTpuProfile tell neither.
#[test]
fn the_compatible_trace_has_no_units() {
    let synth = Synth::new(&["--launches", "64", "--cores", "2"]);
    let trace = analyzed(&synth.path(), &["--emit", "trace", "--detail", "compat"]).trace();
    assert!(trace.slices.iter().all(|slice| slice.arg("Step").is_none()));
    let dump = real_dump("cdm_profile_data_dev0_bm1690");
    let trace = analyzed(&dump, &["--emit", "trace", "--detail", "compat"]).trace();
    let commands = || trace.slices.iter().filter(|slice| slice.arg("Cmd Id").is_some());
    assert!(commands().count() > 100 && commands().all(|slice| slice.arg("Block").is_none()));
}
