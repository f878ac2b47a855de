//! Units of work: what a static model's blocks, layers and commands did is the same in every output, and adds up from commands to layers,
//! from layers to blocks, and from blocks to the model.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::gaps::{array, csv, int};
use super::{Synth, report};
use crate::suite::golden::head_of_page;
use crate::suite::real::DUMPS;
use crate::support::case::{case, real_dump};
use crate::support::run::analyzed;
use crate::support::workbook;

/// A row of the tree in the workbook.
struct Line {
    depth: usize,
    name: String,
    cells: BTreeMap<String, f64>,
}

/// Columns that add up from what is in a row.
const SUMS: [&str; 7] = [
    "Events",
    "On the path(us)",
    "TIU Busy(us)",
    "GDMA Busy(us)",
    "SDMA Busy(us)",
    "DDR Bytes",
    "Other Bytes",
];

/// The tree; `from`: the row of its columns.
fn tree(rows: &[Vec<String>], from: usize) -> Vec<Line> {
    let titles = &rows[from];
    let line = |row: &Vec<String>| {
        let name = row[0].trim_start();
        let numbers = titles
            .iter()
            .zip(row)
            .filter_map(|(title, cell)| Some((title.clone(), cell.parse().ok()?)));
        Line {
            depth: (row[0].len() - name.len()) / 4,
            name: name.to_owned(),
            cells: numbers.collect(),
        }
    };
    rows[from + 1..].iter().map(line).collect()
}

fn knows_path(report: &Value) -> bool {
    !array(&report["critical_path"]["pieces"]).is_empty()
}

/// Each row that has rows in it is their sum.
fn adds_up(dump: &str, tree: &[Line]) {
    for (at, line) in tree.iter().enumerate() {
        let within = tree[at + 1..].iter().take_while(|below| below.depth > line.depth);
        let children: Vec<&Line> = within.filter(|below| below.depth == line.depth + 1).collect();
        for title in SUMS.iter().filter(|_| !children.is_empty()) {
            let of = |line: &Line| line.cells.get(*title).copied().unwrap_or(0.0);
            let sum: f64 = children.iter().map(|child| of(child)).sum();
            let name = &line.name;
            assert!((of(line) - sum).abs() < 5e-4, "{dump}: {name}: {title} {} {sum}", of(line));
        }
        // Layers overlap: what is in a row takes no less than the row, and the longest no more.
        let total = |line: &Line| line.cells["Total(us)"];
        let longest = children.iter().map(|child| total(child)).fold(0.0, f64::max);
        assert!(longest <= total(line) + 5e-4, "{dump}: {}", line.name);
    }
}

#[test]
fn the_tree_of_a_model_adds_up_and_is_that_of_report_and_page() {
    let dumps = DUMPS.map(|name| (name, real_dump(name)));
    let layered = ("aks-layers", case("aks-layers").dump());
    for (dump, path) in dumps.into_iter().chain([layered]) {
        let run = analyzed(&path, &["--emit", "report,workbook,page,csv,layers"]);
        let report = report(&run);
        let rows = workbook::rows(run.out_dir(), "Model Tree");
        let from = rows.iter().position(|row| row[0].starts_with("Model, block")).unwrap();
        let tree = tree(&rows, from);
        adds_up(dump, &tree);
        let root = &tree[0];
        assert_eq!((&*root.name, root.depth), ("Model", 0));

        // Blocks and layers are those of the report, each with its time; what is below a layer are its commands.
        let (layers, blocks) = (array(&report["layers"]), array(&report["blocks"]));
        let us = |ns: &Value| int(ns) as f64 / 1e3;
        let of_layers: Vec<&Line> =
            tree.iter().filter(|line| line.cells.contains_key("Layer Id")).collect();
        assert_eq!(of_layers.len(), layers.len(), "{dump}");
        for layer in layers {
            let id = int(&layer["id"]) as f64;
            let line = of_layers.iter().find(|line| line.cells["Layer Id"] == id).unwrap();
            assert_eq!(line.cells["Total(us)"], us(&layer["total_ns"]), "{dump}: {layer}");
            // Without a replay the path is not known.
            let path = knows_path(&report).then(|| us(&layer["path_ns"]));
            assert_eq!(line.cells.get("On the path(us)").copied(), path, "{dump}: {layer}");
        }
        for (block, line) in blocks.iter().zip(tree.iter().filter(|line| {
            line.cells.contains_key("Layers") && !line.cells.contains_key("Layer Id")
        })) {
            let name = block["name"].as_str().unwrap();
            assert!(line.name == name || name.is_empty(), "{dump}: {} {name}", line.name);
            assert_eq!(line.depth as i64, int(&block["level"]), "{dump}: {name}");
            assert_eq!(line.cells["Total(us)"], us(&block["total_ns"]), "{dump}: {name}");
            assert!(block["wall_share"].as_f64().unwrap() <= 1.0, "{dump}: {block:#}");
        }
        let events = csv(&run.text("events.csv"));
        let of = events[0].iter().position(|title| title == "layer_id").unwrap();
        let own = events[1..].iter().filter(|row| !row[of].is_empty()).count();
        assert_eq!(root.cells["Events"], own as f64, "{dump}");
        assert_eq!(
            tree.len(),
            blocks.len() + layers.len() + own,
            "{dump}: all commands are listed"
        );

        page_has_the_values(dump, &report, run.text("PerfWeb/result.html"));
    }
}

#[test]
fn the_tree_of_a_large_model_tells_what_it_leaves_out() {
    let options = ["--style", "bmodel", "--chip", "bm1688", "--cores", "1", "--launches", "500"];
    let synth = Synth::new(&options);
    let layers = [0, 12, 24].map(|id| {
        json!({"opcode": "tpu.Add", "core_id": 0, "tiu_dma_id(before)": [id, id], "tiu_dma_id(after)": [id + 12, id + 12],
            "operands": [], "results": []})
    });
    std::fs::write(synth.path().join("tensor_location.json"), json!(layers).to_string()).unwrap();
    std::fs::write(synth.path().join("final.mlir"), "module @net attributes {}").unwrap();
    let run = analyzed(&synth.path(), &["--emit", "report,workbook"]);
    let report = report(&run);
    let events: Vec<i64> =
        array(&report["layers"]).iter().map(|layer| int(&layer["events"])).collect();
    assert!(events.len() == 3 && events.iter().sum::<i64>() > 20_000, "{events:?}");
    let rows = workbook::rows(run.out_dir(), "Model Tree");
    let from = rows.iter().position(|row| row[0].starts_with("Model, block")).unwrap();
    let tree = tree(&rows, from);
    let commands = tree.iter().filter(|line| line.depth == 2).count() as i64;
    assert!(commands <= 20_000 && commands >= events.iter().min().copied().unwrap(), "{commands}");
    assert!(rows[from - 1][0].starts_with("Commands of 2 of 3 layers are listed"), "{:?}", rows[3]);
    // What is left out is in the sums nevertheless.
    assert_eq!(tree[0].cells["Events"] as i64, events.iter().sum::<i64>());
}

/// The cells of layers and blocks on the page are the values of the report.
fn page_has_the_values(dump: &str, report: &Value, page: String) {
    let head: Value = serde_json::from_str(head_of_page(&page)).unwrap();
    let ids: Vec<&str> =
        array(&head["layerColumns"]).iter().map(|column| column["id"].as_str().unwrap()).collect();
    let cell = |unit: &Value, id: &str| {
        let at = ids.iter().position(|own| *own == id).unwrap();
        unit["cells"][at].clone()
    };
    let of_page = array(&head["layers"]).iter().filter(|layer| !array(&layer["cells"]).is_empty());
    let both = [
        (of_page.collect::<Vec<_>>(), array(&report["layers"])),
        (array(&head["blocks"]).iter().collect(), array(&report["blocks"])),
    ];
    for (units, rows) in both {
        assert_eq!(units.len(), rows.len(), "{dump}");
        for (unit, row) in units.into_iter().zip(rows) {
            let path = knows_path(report).then_some("path_ns");
            for id in ["total_ns", "events", "ops", "mac_utilization", "wall_share"]
                .into_iter()
                .chain(path)
            {
                assert_eq!(cell(unit, id).as_f64(), row[id].as_f64(), "{dump}: {id} {row:#}");
            }
            let bytes = int(&row["ddr_bytes"]) + int(&row["other_bytes"]);
            assert_eq!(int(&cell(unit, "bytes")), bytes, "{dump}: {row:#}");
        }
    }
}
