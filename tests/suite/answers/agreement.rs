//! What outputs say of one run agrees: a layer has one label and one block, a command one step, no list is empty where another output has
//! rows, no name is missing where another output knows it, what is not known is not 0, and what released a wait ended together with it.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::gaps::{csv, int};
use crate::support::run::Finished;
use crate::support::trace::{Slice, Trace, without_lane};
use crate::support::workbook;

/// The views that are compared.
pub(super) const VIEWS: &str = "report,summary,trace,csv,layers,workbook";

/// A sync takes no longer than 1 us, and a hand-over 200 ns.
const LONGEST_RELEASE_NS: i64 = 1_200;

/// A row of a CSV file by its columns.
type Row = BTreeMap<String, String>;

/// Label of each layer, by the layer's number, as the table of layers names its parts.
type Labels = BTreeMap<i64, String>;

#[track_caller]
pub(super) fn check(name: &str, report: &Value, trace: &Trace, run: &Finished) {
    let labels = labels(report);
    let events = rows(run, "events.csv");
    labels_of_report(name, report, &labels);
    labels_of_tables(name, run, &events, &labels);
    labels_of_trace(name, trace, &labels);
    units_of_events(name, report, &events);
    blocks_of_views(name, report, trace, run);
    unknown_is_not_zero(name, report, &rows(run, "layers.csv"));
    kernels_of_gaps(name, report, &events);
    // Of a dump in which nothing ran there is no workbook.
    if run.out_dir().join(workbook::WORKBOOK).exists() {
        lists_of_workbook(name, report, run, &labels);
    } else {
        assert!(events.is_empty(), "{name}: no workbook");
    }
    lists_of_trace(name, report, trace);
    units_of_trace(name, report, trace);
    releasers(name, trace);
}

/// A part of the report; empty where it has no such part.
fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn labels(report: &Value) -> Labels {
    let label = |layer: &Value| {
        let (id, operation) = (int(&layer["id"]), layer["operation"].as_str().unwrap());
        let label = layer["name"].as_str().map(|name| format!("{name} ({operation})"));
        (id, label.unwrap_or_else(|| format!("{id} {operation}")))
    };
    list(&report["layers"]).iter().map(label).collect()
}

/// Each object of the report that has a `layer_id` has the layer's label.
fn labels_of_report(name: &str, report: &Value, labels: &Labels) {
    let rooflines = list(&report["roofline"]["layers"]).iter();
    let of_rooflines: Vec<&str> = rooflines.map(|of| of["kernel"].as_str().unwrap()).collect();
    assert_eq!(of_rooflines, labels.values().collect::<Vec<_>>(), "{name}");
    let mut parts = vec![report];
    while let Some(part) = parts.pop() {
        match part {
            Value::Array(items) => parts.extend(items),
            Value::Object(members) => {
                parts.extend(members.values());
                if let Some(id) = members.get("layer_id").and_then(Value::as_i64) {
                    let label = members.get("layer").or(members.get("name"));
                    let label = label.and_then(Value::as_str).map(str::to_owned);
                    assert_eq!(label.as_ref(), labels.get(&id), "{name}: {part:#}");
                }
            }
            _ => {}
        }
    }
}

fn rows(run: &Finished, file: &str) -> Vec<Row> {
    if !run.names().iter().any(|name| name == file) {
        return Vec::new();
    }
    let mut lines = csv(&run.text(file));
    let head = lines.remove(0);
    lines.into_iter().map(|cells| head.iter().cloned().zip(cells).collect()).collect()
}

/// Checks the labels of `events.csv`, `instructions.csv` and `layers.csv`.
fn labels_of_tables(name: &str, run: &Finished, events: &[Row], labels: &Labels) {
    let layers = rows(run, "layers.csv");
    assert_eq!(layers.len(), labels.len(), "{name}");
    let mut seen = BTreeSet::new();
    for row in layers.iter().chain(events).chain(&rows(run, "instructions.csv")) {
        let id = row["layer_id"].parse().ok();
        let label = id.map_or("", |id: i64| labels[&id].as_str());
        assert_eq!(row["layer"], label, "{name}: {row:?}");
        seen.extend(id);
    }
    assert_eq!(seen.into_iter().collect::<Vec<_>>(), labels.keys().copied().collect::<Vec<_>>());
}

/// Block of each layer, by the layer's number.
fn blocks(report: &Value) -> BTreeMap<i64, &str> {
    let layers = list(&report["layers"]).iter();
    layers.filter_map(|layer| Some((int(&layer["id"]), layer["block"].as_str()?))).collect()
}

/// Each command has the block of its layer, and the step that it starts in.
fn units_of_events(name: &str, report: &Value, events: &[Row]) {
    let blocks = blocks(report);
    let of_host = &report["host"]["steps"]["steps"];
    let steps = list(if of_host.is_array() { of_host } else { &report["steps"]["steps"] });
    let end = steps.last().map_or(i64::MIN, |step| int(&step["end_ns"]));
    for row in events {
        let layer = row["layer_id"].parse::<i64>().ok();
        let block = layer.and_then(|layer| blocks.get(&layer).copied()).unwrap_or("");
        assert_eq!(row["block"], block, "{name}: {row:?}");
        let start: i64 = row["start_ns"].parse().unwrap();
        let is_own = |step: &&Value| int(&step["start_ns"]) <= start && !row["event"].is_empty();
        let step = steps.iter().rfind(is_own).filter(|_| start < end);
        let number = step.map_or(String::new(), |step| step["number"].to_string());
        assert_eq!(row["step"], number, "{name}: {row:?}");
    }
}

/// The blocks of layers in `layers.csv`, on the sheet and in the trace.
fn blocks_of_views(name: &str, report: &Value, trace: &Trace, run: &Finished) {
    let blocks = blocks(report);
    for row in rows(run, "layers.csv") {
        let id: i64 = row["layer_id"].parse().unwrap();
        assert_eq!(row["block"], blocks.get(&id).copied().unwrap_or(""), "{name}: {row:?}");
    }
    for slice in trace.slices.iter().filter(|slice| slice.categories.contains(&"layer".into())) {
        let id = slice.arg("Layer Id").and_then(|id| id.int()).unwrap() as i64;
        let block = slice.arg("Block").and_then(|block| block.text());
        assert_eq!(block, blocks.get(&id).copied(), "{name}: {}", slice.line());
    }
    if blocks.is_empty() || !run.out_dir().join(workbook::WORKBOOK).exists() {
        return;
    }
    let sheet = workbook::rows(run.out_dir(), "Kernels");
    let head = sheet.iter().find(|row| row[0] == "Layer").unwrap();
    let at = head.iter().position(|title| title == "Block").unwrap();
    for row in rows_below(&sheet, &["Layer", "Layer Id"]) {
        let block = blocks.get(&row[1].parse().unwrap()).copied().unwrap_or("");
        assert_eq!(row.get(at).map_or("", String::as_str), block, "{name}: {row:?}");
    }
}

/// Values of units that may not be known are absent then, and the same in report and table.
fn unknown_is_not_zero(name: &str, report: &Value, layers: &[Row]) {
    let path_is_known = !list(&report["critical_path"]["pieces"]).is_empty();
    let units = ["layers", "blocks"].into_iter().flat_map(|part| list(&report[part]));
    for unit in units.chain(list(&report["steps"]["steps"])) {
        assert_eq!(unit["path_ns"].is_null(), !path_is_known, "{name}: {unit:#}");
        assert_eq!(unit["uarch_rate"].is_null(), unit["uarch_ops"] == 0, "{name}: {unit:#}");
        assert_eq!(unit["expected_ns"].is_null(), unit["explained_ns"] == 0, "{name}: {unit:#}");
        let may_know = unit["tiu_cycles"] != 0 && report["dump"]["chip"] != "BM1684X";
        assert!(may_know || unit["ideal_cycles"].is_null(), "{name}: {unit:#}");
    }
    for (row, layer) in layers.iter().zip(list(&report["layers"])) {
        for column in ["ideal_cycles", "path_ns", "expected_ns", "uarch_rate", "mac_utilization"] {
            let value = layer[column].as_f64();
            assert_eq!(row[column].parse::<f64>().ok(), value, "{name}: {column}: {row:?}");
        }
    }
}

fn labels_of_trace(name: &str, trace: &Trace, labels: &Labels) {
    let mut of_track = BTreeSet::new();
    for slice in &trace.slices {
        let id = slice.arg("Layer Id").and_then(|id| id.int()).map(|id| id as i64);
        let label = slice.arg("Layer Name").and_then(|label| label.text());
        assert_eq!(label, id.map(|id| labels[&id].as_str()), "{name}: {}", slice.line());
        if slice.categories.iter().any(|category| category == "layer") {
            assert_eq!(Some(slice.name.as_str()), label, "{name}");
            of_track.extend(id);
        }
    }
    let ids: BTreeSet<i64> = labels.keys().copied().collect();
    assert_eq!(of_track, ids, "{name}");
}

/// Commands at the edges of gaps have their kernels.
fn kernels_of_gaps(name: &str, report: &Value, events: &[Row]) {
    let key = |row: &Row| {
        let index = if row["engine"] == "CDMA" { &row["port"] } else { &row["core"] };
        (row["engine"].clone(), index.clone(), row["event"].clone())
    };
    let kernels: BTreeMap<_, &str> =
        events.iter().map(|row| (key(row), row["kernel"].as_str())).collect();
    let check = |engine: &Value, index: &Value, edge: &Value| {
        let engine = engine.as_str().unwrap().to_owned();
        let kernel = kernels[&(engine, index.to_string(), edge["event"].to_string())];
        assert_eq!(edge["kernel"], kernel, "{name}: {edge:#}");
    };
    for gap in list(&report["gaps"]["engines"]).iter().flat_map(|of| list(&of["gaps"])) {
        for edge in [&gap["before"], &gap["after"]].into_iter().filter(|edge| !edge.is_null()) {
            check(&gap["engine"], &gap["index"], edge);
        }
        for link in list(&gap["chain"]) {
            check(&link["engine"], &link["index"], link);
        }
    }
}

/// The rows of a sheet below the row that begins with these cells, up to an empty one.
fn rows_below<'r>(rows: &'r [Vec<String>], head: &[&str]) -> Vec<&'r Vec<String>> {
    let Some(at) = rows.iter().position(|row| row.iter().zip(head).all(|(a, b)| a == b)) else {
        return Vec::new();
    };
    rows[at + 1..].iter().take_while(|row| row.iter().any(|cell| !cell.is_empty())).collect()
}

fn us(text: &str) -> i64 {
    (text.parse::<f64>().unwrap() * 1e3).round() as i64
}

fn lists_of_workbook(name: &str, report: &Value, run: &Finished, labels: &Labels) {
    let sheet = |name: &str| workbook::rows(run.out_dir(), name);
    let kernels = sheet("Kernels");
    let of_layers: Vec<(i64, String)> = rows_below(&kernels, &["Layer", "Layer Id"])
        .into_iter()
        .map(|row| (row[1].parse().unwrap(), row[0].clone()))
        .collect();
    assert_eq!(of_layers, labels.clone().into_iter().collect::<Vec<_>>(), "{name}");
    let named = rows_below(&kernels, &["Kernel", "Count"]).len();
    assert!(named >= list(&report["kernels"]).len(), "{name}: {named} kernels");

    let pieces = list(&report["critical_path"]["pieces"]);
    let path = sheet("Critical Path");
    let of_path = rows_below(&path, &["Reason", "Engine"]);
    assert_eq!(of_path.len(), pieces.len(), "{name}: pieces of the path");
    for (row, piece) in of_path.iter().zip(pieces) {
        let kernel = piece["kernel"].as_str().unwrap();
        let place = match piece["layer_id"].as_i64() {
            Some(id) if kernel.is_empty() => {
                let label = &labels[&id];
                let number = format!("{id} ");
                format!("layer {number}{}", label.strip_prefix(&number).unwrap_or(label))
            }
            _ => kernel.to_owned(),
        };
        assert_eq!(row[2], place, "{name}");
    }

    let gaps = sheet("Gaps");
    let longest = rows_below(&gaps, &["Engine", "Start(ns)"]);
    let listed = list(&report["gaps"]["longest"]);
    // Where there is none, a sentence says so.
    assert_eq!(longest.len(), listed.len().max(1), "{name}: gaps");
    let engines = list(&report["gaps"]["engines"]);
    let title = gaps.iter().position(|row| row[0] == "Gaps of each engine").unwrap();
    let mut of_engines: BTreeMap<&str, i64> = BTreeMap::new();
    for row in rows_below(&gaps[title + 1..], &["Engine", "Start(ns)"]) {
        *of_engines.entry(&row[0]).or_default() += us(&row[2]);
        let label = row[12].parse().ok().map(|id: i64| labels[&id].as_str());
        assert!(label.is_none_or(|label| row[13] == label), "{name}: {row:?}");
    }
    let wall = int(&report["intervals"]["overall"]["wall_ns"]);
    for row in rows_below(&gaps, &["Engine", "Busy(us)"]) {
        let rest = us(&row[6]);
        let sum = us(&row[1]) + of_engines.get(row[0].as_str()).unwrap_or(&0) + rest;
        assert_eq!(sum, wall, "{name}: {row:?}");
    }
    assert_eq!(rows_below(&gaps, &["Engine", "Busy(us)"]).len(), engines.len(), "{name}");

    let advice = sheet("Advice");
    let rules: Vec<&str> = advice.iter().map(|row| row[0].as_str()).collect();
    let mut behind = 0;
    for of in list(&report["advice"]) {
        let word = match (of["is_estimate"] == true, of["is_bound"] == true) {
            (true, _) => " (estimate)",
            (false, true) => " (bound)",
            (false, false) => "",
        };
        let named = format!("{}{word}", of["id"].as_str().unwrap());
        let is_named = |rule: &&str| *rule == named;
        let at = rules[behind..].iter().position(is_named);
        behind += at.unwrap_or_else(|| panic!("{name}: {} is not on the sheet", of["id"])) + 1;
    }
}

fn lists_of_trace(name: &str, report: &Value, trace: &Trace) {
    let pieces = list(&report["critical_path"]["pieces"]);
    let of_path: Vec<&Slice> = trace.slices.iter().filter(|slice| is_of_path(slice)).collect();
    assert_eq!(pieces.is_empty(), of_path.is_empty(), "{name}: pieces of the path");
    let sum: i64 = of_path.iter().map(|slice| slice.dur).sum();
    let listed: i64 = pieces.iter().map(|piece| int(&piece["ns"])).sum();
    assert_eq!(sum, listed, "{name}: ns of the path");
}

/// Blocks and steps are on tracks, each with its name.
fn units_of_trace(name: &str, report: &Value, trace: &Trace) {
    let named = |category: &str| -> BTreeSet<&str> {
        let is_own = |slice: &&Slice| slice.categories.iter().any(|own| own == category);
        trace.slices.iter().filter(is_own).map(|slice| slice.name.as_str()).collect()
    };
    // The first is the whole model.
    let blocks = list(&report["blocks"]).iter().skip(1);
    let blocks: BTreeSet<&str> = blocks.map(|block| block["name"].as_str().unwrap()).collect();
    assert_eq!(named("block"), blocks, "{name}");
    let of_host = &report["host"]["steps"]["steps"];
    let steps = if of_host.is_array() { of_host } else { &report["steps"]["steps"] };
    let on_track = trace.slices.iter().filter(|slice| without_lane(&slice.track) == "Steps");
    assert_eq!(on_track.count(), list(steps).len(), "{name}: steps");
}

fn is_of_path(slice: &Slice) -> bool {
    without_lane(&slice.track).ends_with("Critical Path")
}

/// What released a wait ended within a hand-over of the wait's end.
fn releasers(name: &str, trace: &Trace) {
    let mut ends: BTreeMap<(String, i128), Vec<i64>> = BTreeMap::new();
    for slice in &trace.slices {
        if let Some(id) = slice.arg("Cmd Id").and_then(|id| id.int()) {
            ends.entry((engine_of(&slice.track), id)).or_default().push(slice.end());
        }
    }
    for wait in trace.slices.iter().filter(|slice| slice.name.contains("wait")) {
        let by = wait.arg("released by").and_then(|by| by.text());
        let Some((engine, id)) = by.and_then(|by| by.split_once(" #")) else { continue };
        let id = id.split_once(' ').map_or(id, |(id, _)| id).parse().unwrap();
        let own = engine_of(&wait.track);
        let core = own.rsplit_once(' ').unwrap().0;
        let engine = match engine.contains(' ') {
            true => engine.to_owned(),
            false => format!("{core} {engine}"),
        };
        let Some(ended) = ends.get(&(engine.clone(), id)) else { continue };
        let lag = ended.iter().map(|end| (wait.end() - end).abs()).min().unwrap();
        assert!(lag <= LONGEST_RELEASE_NS, "{name}: {lag} ns, {}", wait.line());
    }
}

/// `Core 1 TIU` or `CDMA port2`, as texts of the trace name it.
fn engine_of(track: &str) -> String {
    let mut parts = without_lane(track).rsplit('/');
    let engine = parts.next().unwrap_or_default();
    match parts.next() {
        Some(core) if core.starts_with("Core ") => format!("{core} {engine}"),
        _ => engine.to_owned(),
    }
}
