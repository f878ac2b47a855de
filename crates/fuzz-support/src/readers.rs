//! Checks of the readers next to dumps: models, machines, reports, lists of files, layers, libsophon's container. What a
//! reader makes of its input is bound by the input's size, so that no few bytes stand for much work.

use std::path::Path;

use bigtpu_emit::report::{json, read_json};
use bigtpu_format::{Iteration, blocks, command_file_names};
use bigtpu_machine::Machine;
use bigtpu_machine::yaml;
use bigtpu_measure::layers::Layers;
use bigtpu_model::costs::{Costs, MeasuredRun, PartChoice};
use bigtpu_model::graph::{Dimensions, Graph, read_ff, read_onnx};
use bigtpu_output::{ByLibrary, MANIFEST_FILE, OutDir};
use bigtpu_predict::pipeline::{
    Cost, PipelineReport, Plan, Schedule, Transfers, plan_options, stage_range,
};
use bigtpu_session::Session;
use bigtpu_timeline::CompletenessVerdict;
use serde_json::Value;

use crate::pipeline::sound;

/// A refusal is a sentence, and it does not repeat the whole input.
fn refused(error: &impl std::fmt::Display, input: usize) {
    let said = error.to_string();
    assert!(
        !said.is_empty() && said.len() <= 4096 + 4 * input,
        "{} bytes: {said:.200}",
        said.len()
    );
}

/// An ONNX model: each node reads earlier ones only, and there are no more nodes than bytes.
///
/// # Panics
/// When it isn't so.
pub fn onnx(bytes: &[u8]) {
    let dimensions = Dimensions { batch: Some(2), ..Dimensions::default() };
    match read_onnx(bytes.to_vec(), &dimensions) {
        Ok(graph) => graph_is_sound(&graph, bytes.len()),
        Err(error) => refused(&error, bytes.len()),
    }
}

/// A graph in FlexFlow's `.ff` format, as [`onnx`].
///
/// # Panics
/// When a node reads a later one.
pub fn ff(bytes: &[u8]) {
    let inputs = vec![vec![2, 3, 16, 16]; 4];
    match read_ff(&String::from_utf8_lossy(bytes), &inputs) {
        Ok(graph) => graph_is_sound(&graph, bytes.len()),
        Err(error) => refused(&error, bytes.len()),
    }
}

fn graph_is_sound(graph: &Graph, input: usize) {
    assert!(graph.nodes.len() <= input, "{} nodes of {input} bytes", graph.nodes.len());
    for (place, node) in graph.nodes.iter().enumerate() {
        let is_before = |node: usize| node < place;
        assert!(node.inputs.iter().all(|source| is_before(source.node)), "{}", node.name);
        assert!(node.outputs.iter().all(|shape| shape.len() <= 64), "{}", node.name);
    }
}

/// A YAML text, as plans and machines are: what it says can be read as JSON and is as large as the text, but for what
/// its anchors repeat; machines in it have finite peaks.
///
/// # Panics
/// When it isn't so.
pub fn machine(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    match yaml::parse(&text) {
        Ok(value) => {
            let again: Value = serde_json::from_str(&value.to_string()).expect("JSON comes back");
            assert_eq!(again.is_object(), value.is_object());
        }
        Err(error) => refused(&error, text.len()),
    }
    match Machine::parse(&text, "machine") {
        Ok(machines) => assert!(!machines.is_empty() && machines.len() <= text.len()),
        Err(error) => refused(&error, text.len()),
    }
}

/// A plan of `pipeline`: its options come as JSON, its ranges are not empty, and what it says of costs and schedules is
/// simulated, with few stages and microbatches, or refused.
///
/// # Panics
/// When it isn't so.
pub fn plan(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let options = match plan_options(&text) {
        Ok(options) => options,
        Err(error) => return refused(&error, text.len()),
    };
    let texts = |key: &str| -> Vec<String> {
        let list = options.get(key).and_then(Value::as_array);
        list.into_iter().flatten().filter_map(|text| text.as_str().map(str::to_owned)).collect()
    };
    for stage in texts("stage") {
        let range = stage.split_once('=').and_then(|(range, _)| stage_range(range));
        assert!(range.is_none_or(|range| !range.is_empty()), "{stage}");
    }
    let number = |key: &str, usual: u64| options.get(key).and_then(Value::as_u64).unwrap_or(usual);
    let few = |key: &str, most: u32| (number(key, 2) % u64::from(most)) as u32 + 1;
    let cost = Cost::new(number("fwd", 3), number("bwd", 5), number("wgt", 0));
    let (stages, microbatches) = (few("stages", 6), few("microbatches", 8));
    for name in texts("schedule").iter().take(8) {
        let schedule: Schedule = match name.parse() {
            Ok(schedule) => schedule,
            Err(error) => {
                refused(&error, text.len());
                continue;
            }
        };
        let chunks = options.contains_key("chunks").then(|| few("chunks", 3));
        let transfers = Transfers { comm: number("comm", 0), ..Transfers::default() };
        let uniform = Plan::uniform(schedule, stages, microbatches, cost);
        let plan = Plan { chunks, transfers, ..uniform };
        match PipelineReport::simulate(&plan, None) {
            Ok(report) => {
                assert!((0.0..=1.0).contains(&report.bubble_ratio), "{}", report.bubble_ratio);
                assert!(report.events.iter().all(|event| event.end <= report.makespan));
            }
            Err(error) => refused(&error, text.len()),
        }
    }
}

/// A `costs.json`: what is read is the same after it was written again, and its parts are no more than its bytes.
///
/// # Panics
/// When it isn't so.
pub fn costs(bytes: &[u8]) {
    if let Ok(costs) = serde_json::from_slice::<Costs>(bytes) {
        let text = serde_json::to_string(&costs).expect("costs are JSON");
        let again: Costs = serde_json::from_str(&text).expect("what was written is read");
        assert_eq!(again, costs);
    }
    match MeasuredRun::parse(&String::from_utf8_lossy(bytes), PartChoice::default()) {
        Ok(run) => assert!(!run.parts.is_empty() && run.parts.len() <= bytes.len()),
        Err(error) => refused(&error, bytes.len()),
    }
}

/// A `report.json`: what is read is the same after it was written again.
///
/// # Panics
/// When it isn't.
pub fn report(bytes: &[u8]) {
    let Ok(report) = read_json(&String::from_utf8_lossy(bytes)) else { return };
    let text = json(&report);
    let again = read_json(&text).expect("what was written is read");
    assert_eq!(json(&again), text);
}

/// The list of an output directory's files: the next run removes nothing outside of the directory, and its own files are
/// whole.
///
/// # Panics
/// When a file goes that is not the directory's.
pub fn manifest(bytes: &[u8]) {
    let dir = tempfile::tempdir().expect("there is room for temporary files");
    let (root, outside) = (dir.path().join("out"), dir.path().join("outside"));
    for (folder, name) in [(&root, "kept"), (&outside, "victim")] {
        std::fs::create_dir(folder).expect("a directory can be made");
        std::fs::write(folder.join(name), name).expect("a file can be written");
    }
    std::fs::write(root.join(MANIFEST_FILE), bytes).expect("a file can be written");
    let out = OutDir::create(&root).expect("the directory is there");
    let mut file = out.file("summary.txt").expect("the name is one of a result");
    file.append(&ByLibrary(b"whole")).expect("there is room");
    file.commit().expect("the file can be written");
    // A list that is a lie may be refused; it is no reason to remove anything.
    let published = out.publish_instead("a dump", bigtpu_session::is_output);
    if let Err(error) = &published {
        refused(error, bytes.len());
    }
    assert!(outside.join("victim").is_file(), "a file outside of the directory is gone");
    if published.is_ok() {
        let summary = std::fs::read(root.join("summary.txt")).expect("the result is there");
        assert_eq!(summary, b"whole");
    }
}

/// The parts of a packed input: each begins with its length, 32 bits; the last one is what is left.
fn parts(mut bytes: &[u8], count: usize) -> Vec<&[u8]> {
    let mut found = Vec::new();
    while found.len() + 1 < count {
        let Some((length, rest)) = bytes.split_first_chunk::<4>() else { break };
        let length = (u32::from_le_bytes(*length) as usize).min(rest.len());
        let (part, rest) = rest.split_at(length);
        found.push(part);
        bytes = rest;
    }
    found.push(bytes);
    found.resize(count, &[]);
    found
}

fn write(dir: &Path, name: &str, bytes: &[u8]) {
    std::fs::write(dir.join(name), bytes).expect("a file can be written");
}

/// The files of layers: `global.profile`, `final.mlir` and `tensor_location.json`, see `parts`. There are no more layers
/// than bytes, and each command has at most one.
///
/// # Panics
/// When it isn't so.
pub fn layers(bytes: &[u8]) {
    let dir = tempfile::tempdir().expect("there is room for temporary files");
    let names = ["global.profile", "final.mlir", "tensor_location.json"];
    for (name, part) in names.into_iter().zip(parts(bytes, names.len())) {
        write(dir.path(), name, part);
    }
    let found = Layers::open(dir.path());
    assert!(found.notes.len() < 300, "{} notes", found.notes.len());
    assert!(found.notes.iter().all(|note| !note.said().text.is_empty()));
    let Some(layers) = found.layers else { return };
    assert!(layers.layers.len() <= bytes.len(), "{} layers", layers.layers.len());
    for layer in &layers.layers {
        let id = layer.tiu.1;
        let place = layers.find(layer.core, bigtpu_chip::Engine::Tiu, id);
        assert!(place.is_none_or(|place| place < layers.layers.len()));
    }
}

/// libsophon's container: a byte for the chip, then the iteration's file, and the commands of TIU and GDMA, see
/// `parts`. Read, aligned and joined: there are no more cores than the chip has, and what the ledger counts is what
/// is shown. A dump without a loss says that it is complete, or why this can't be known.
///
/// # Panics
/// When it isn't so.
pub fn iteration(bytes: &[u8]) {
    let Some((&pick, rest)) = bytes.split_first() else { return };
    let parts = parts(rest, 3);
    let [file, tiu, gdma] = parts.as_slice() else { return };
    let dir = tempfile::tempdir().expect("there is room for temporary files");
    let arch = ["3", "4", "5", "8"][usize::from(pick % 4)];
    let global = format!("[bmprofile] arch={arch}\n[bmprofile] core_list=0,1,\n");
    write(dir.path(), "global.profile", global.as_bytes());
    write(dir.path(), "iter0.profile", file);
    let commands = Iteration::sort(&blocks(file).blocks).commands;
    for (core, commands) in commands.iter().take(2).enumerate() {
        for (engine, place, stream) in [(0, commands.tiu, tiu), (1, commands.gdma, gdma)] {
            let [name, _] = command_file_names(place.address, core as u32, engine);
            write(dir.path(), &name, stream);
        }
    }
    let session = Session::default();
    let dump = match session.open(dir.path(), None) {
        Ok(dump) => dump,
        Err(error) => return refused(&error, bytes.len()),
    };
    let (profile, _) = session.read(&dump);
    sound(&profile);
    let ledger = &profile.ledger;
    assert!(profile.cores.len() <= profile.chip.core_num as usize, "{}", profile.cores.len());
    let verdict = ledger.completeness.verdict();
    assert_eq!(verdict == CompletenessVerdict::Incomplete, ledger.has_loss());
    assert_eq!(verdict == CompletenessVerdict::Complete, ledger.completeness.reasons().is_empty());
}
