//! Dumps of real hardware, end to end.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::support::case::fixture;
use crate::support::run::{Finished, analyzed, say};
use crate::support::validate::violations;
use crate::support::workbook;

/// The folders of `fixtures/real`, in the order of the chips.
pub(crate) const DUMPS: [&str; 5] = [
    "cdm_profile_data_dev0_bm1690",
    "bmprofile_data-1_bm1688",
    "bmprofile_data_bm1688_2core",
    "bmprofile_data-1_bm1684x",
    "bmprofile_data-1_cv184x",
];

fn real(name: &str) -> PathBuf {
    fixture("real").join(name)
}

/// Nothing of a healthy capture is lost or worth a warning; every view shows the layers.
#[test]
fn real_dumps_end_well_and_show_layers() {
    let schema = include_str!("../../docs/report.schema.json");
    let schema: Value = serde_json::from_str(schema).unwrap();
    for (name, events) in DUMPS.into_iter().zip([242, 303, 471, 250, 341]) {
        let run = analyzed(&real(name), &["--strict", "--csv"]);
        let report: Value = serde_json::from_str(&run.text("report.json")).unwrap();
        assert_eq!(report["dump"]["events"], events, "{name}");
        assert_eq!(report["ledger"]["lost_records"], 0, "{name}");
        assert_eq!(report["ledger"]["warnings"], 0, "{name}");
        assert_eq!(violations(&schema, &report), Vec::<String>::new(), "{name}");
        layers_of_report_summary_and_events_agree(name, &report, &run);
        let is_note = |line: &str| line.starts_with("note: ");
        assert!(run.said.stderr.lines().all(is_note), "{name}: {}", run.said.stderr);
        let trace = run.trace();
        let layers = trace.slices.iter().filter(|slice| slice.track.ends_with("/Layer")).count();
        assert!(layers > 50, "{name}: {layers} slices of layers");
        let sheet = workbook::rows(run.out_dir(), "Layer by Layer Info");
        assert!(sheet.len() > 50, "{name}: {} rows of layers", sheet.len());
        assert!(run.text("PerfWeb/result.html").contains("\"Conv2D\""), "{name}");
    }
}

fn layers_of_report_summary_and_events_agree(name: &str, report: &Value, run: &Finished) {
    let rows = report["layers"].as_array().unwrap();
    assert!(rows.len() > 50, "{name}: {} rows of layers", rows.len());
    let mut events: BTreeMap<(String, String), u64> = BTreeMap::new();
    let csv = run.text("events.csv");
    let mut lines = csv.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let head = lines.next().unwrap();
    let column = |name: &str| head.iter().position(|column| *column == name).unwrap();
    let [id, layer, dump] = ["layer_id", "layer", "dump"].map(column);
    let named = |row: &Value| {
        let operation = row["operation"].as_str().unwrap();
        match row["name"].as_str().filter(|name| !name.is_empty()) {
            Some(name) => format!("{name} ({operation})"),
            None => format!("{} {operation}", row["id"]),
        }
    };
    for row in lines {
        assert_eq!(row[dump], name);
        if !row[id].is_empty() {
            *events.entry((row[id].to_owned(), row[layer].to_owned())).or_default() += 1;
        }
    }
    assert_eq!(rows.len(), events.len(), "{name}");
    for row in rows {
        let key = (row["id"].to_string(), named(row));
        assert_eq!(row["events"].as_u64(), events.get(&key).copied(), "{name}: {row:#}");
        let [start, end, total] = ["start_ns", "end_ns", "total_ns"].map(|key| row[key].as_i64());
        assert_eq!(total, Some(end.unwrap() - start.unwrap()), "{name}: one run: {row:#}");
    }
    let longest = rows.iter().max_by_key(|row| row["total_ns"].as_i64()).unwrap();
    let summary = run.text("summary.txt");
    let (_, table) = summary.split_once("\nLayers (").unwrap();
    let first: Vec<&str> = table.lines().nth(4).unwrap().split('|').map(str::trim).collect();
    assert_eq!(first[..2], [&*longest["id"].to_string(), longest["operation"].as_str().unwrap()]);
}

/// Sums over all commands as tpu-mlir 1.30 writes them into its register texts for this dump.
#[test]
fn cv184x_counts_are_those_of_tpu_mlir() {
    let run = analyzed(&real("bmprofile_data-1_cv184x"), &["--emit", "text,report", "--strict"]);
    let sum = |file: &str, key: &str| -> u64 {
        let text = run.text(file);
        let values = text.lines().filter_map(|line| line.trim().strip_prefix(key));
        values.map(|value| value.trim_start_matches(": ").parse::<u64>().unwrap()).sum()
    };
    let tiu = |key| sum("tiuRegInfo_0.txt", key);
    assert_eq!(["Alg Ops", "uArch Ops", "Alg Cycle"].map(tiu), [61_947_009, 89_427_201, 182_787]);
    assert_eq!(sum("tdmaRegInfo_0.txt", "DMA data size(B)"), 4_886_672);
    let text = run.text("tdmaRegInfo_0.txt");
    for (direction, count) in [("DDR->LMEM", 148), ("LMEM->DDR", 50), ("DDR->DDR", 27)] {
        assert_eq!(
            text.matches(&format!("Direction: {direction}\n")).count(),
            count,
            "{direction}"
        );
    }
    // What is not known of the chip is said to be so; both engines count with one counter.
    for line in
        ["DDR Max BW(GB/s/Core): unknown", "TIU Frequency(MHz): 1000", "DMA Frequency(MHz): 1000"]
    {
        assert!(text.contains(line), "{line}");
    }
    let report: Value = serde_json::from_str(&run.text("report.json")).unwrap();
    let copies = report["ledger"]["runtime"].as_array().unwrap();
    let bytes: Vec<u64> = copies.iter().map(|copy| copy["bytes"].as_u64().unwrap()).collect();
    // An input of 3 x 128 x 128 and outputs of 896 x 16 and 896, all FP32.
    assert_eq!(bytes[..4].iter().sum::<u64>(), 4 * 3 * 128 * 128);
    assert_eq!(bytes[4..], [4 * 896 * 16, 4 * 896]);
}

/// An event's row: what the table of pauses needs.
struct Event {
    is_tiu: bool,
    core: u32,
    start: i64,
    end: i64,
    /// Bytes of a transfer from DDR to local memory.
    loaded: Option<u64>,
    /// Cycles of a TIU command beyond its ideal ones.
    beyond_ideal: Option<i64>,
}

fn events(csv: &str) -> Vec<Event> {
    let mut lines = csv.lines();
    let head: Vec<&str> = lines.next().unwrap().split(',').collect();
    let at = |key: &str| head.iter().position(|name| *name == key).unwrap();
    let columns = [
        "engine",
        "core",
        "start_ns",
        "end_ns",
        "direction",
        "bytes",
        "cycles",
        "ideal_cycles",
        "activity",
    ];
    let [engine, core, start, end, direction, bytes, cycles, ideal, activity] = columns.map(at);
    let event = |line: &str| {
        let row: Vec<&str> = line.split(',').collect();
        let is_tiu = row[engine] == "TIU";
        (is_tiu || row[engine] == "GDMA").then(|| Event {
            is_tiu,
            core: row[core].parse().unwrap(),
            start: row[start].parse().unwrap(),
            end: row[end].parse().unwrap(),
            loaded: (row[direction] == "DDR->LMEM").then(|| row[bytes].parse().unwrap()),
            beyond_ideal: row[ideal]
                .parse::<i64>()
                .ok()
                .filter(|&ideal| ideal > 0 && row[activity] == "work")
                .map(|ideal| row[cycles].parse::<i64>().unwrap() - ideal),
        })
    };
    lines.filter_map(event).collect()
}

fn median<T: PartialOrd + Copy>(mut values: Vec<T>) -> Option<T> {
    values.sort_by(|a, b| a.partial_cmp(b).unwrap());
    values.get(values.len() / 2).copied()
}

/// ns that transfers take besides the time of their bytes: the median over all, at the median slope between any two.
fn before_first_byte(loads: &[(u64, f64)]) -> f64 {
    let pairs = loads.iter().enumerate().flat_map(|(n, a)| {
        loads[..n].iter().filter(|b| a.0 != b.0).map(move |b| {
            let bytes = a.0 as f64 - b.0 as f64;
            (a.1 - b.1) / bytes
        })
    });
    let slope = median(pairs.collect()).unwrap();
    median(loads.iter().map(|(bytes, ns)| ns - slope * *bytes as f64).collect()).unwrap()
}

/// Rows of the table: what is measured, of a dump's events.
fn measured(csv: &str) -> Vec<String> {
    let events = events(csv);
    let pauses = |is_tiu: bool| -> Vec<i64> {
        let cores = events.iter().map(|e| e.core).max().unwrap();
        let of_core = |core| {
            let mut own: Vec<&Event> =
                events.iter().filter(|e| e.is_tiu == is_tiu && e.core == core).collect();
            own.sort_by_key(|e| e.start);
            own.windows(2).map(|pair| pair[1].start - pair[0].end).collect::<Vec<_>>()
        };
        (0..=cores).flat_map(of_core).collect()
    };
    let shortest = |is_tiu| pauses(is_tiu).into_iter().min().unwrap().to_string();
    let follow = |is_tiu| {
        let all = pauses(is_tiu);
        let close = all.iter().filter(|&&pause| pause <= 25).count();
        format!("{:.0} %", 100.0 * close as f64 / all.len() as f64)
    };
    let loads: Vec<(u64, f64)> = events
        .iter()
        .filter_map(|e| e.loaded.map(|bytes| (bytes, (e.end - e.start).max(1) as f64)))
        .collect();
    let speed = |(bytes, ns): (u64, f64)| bytes as f64 / ns;
    let large: Vec<f64> =
        loads.iter().copied().filter(|load| load.0 >= 32 << 10).map(speed).collect();
    let best = loads.iter().copied().map(speed).fold(0.0, f64::max);
    let quickest = loads.iter().map(|load| load.1 as u64).min().unwrap();
    let beyond = median(events.iter().filter_map(|e| e.beyond_ideal).collect());
    vec![
        shortest(true),
        shortest(false),
        follow(true),
        follow(false),
        beyond.map_or_else(|| "-".to_owned(), |cycles| cycles.to_string()),
        quickest.to_string(),
        format!("{best:.1}"),
        median(large).map_or_else(|| "-".to_owned(), |gbps| format!("{gbps:.1}")),
        format!("{:.0}", before_first_byte(&loads)),
    ]
}

const MEASURED: [&str; 9] = [
    "shortest pause, TIU",
    "shortest pause, GDMA",
    "commands that follow within 25 ns, TIU",
    "the same, GDMA",
    "TIU cycles beyond the ideal ones, median",
    "DDR to local memory, shortest transfer",
    "the same, best GB/s",
    "the same from 32 KiB on, median GB/s",
    "the same, time before the first byte (fit)",
];

fn table(heads: &[&str], dumps: &[PathBuf]) -> String {
    let columns: Vec<Vec<String>> = dumps
        .iter()
        .map(|dump| measured(&analyzed(dump, &["--emit", "csv"]).text("events.csv")))
        .collect();
    let mut text = format!("| | {} |\n|---|{}\n", heads.join(" | "), "---|".repeat(heads.len()));
    for (row, what) in MEASURED.iter().enumerate() {
        let cells: Vec<&str> = columns.iter().map(|column| column[row].as_str()).collect();
        writeln!(text, "| {what} | {} |", cells.join(" | ")).unwrap();
    }
    text
}

/// The tables of docs/proof/real-hardware.md, measured again.
#[test]
fn tables_of_real_and_synthetic_pauses_are_those_of_the_docs() {
    let keep = tempfile::tempdir().unwrap();
    let synthetic = |name: &str, args: &[&str]| -> PathBuf {
        let dump = keep.path().join(name);
        let said = say(&[&["synth", dump.to_str().unwrap(), "-q"], args].concat());
        assert_eq!(said.code, Some(0), "{}", said.stderr);
        dump
    };
    let aks = ["--writer", "model-rt", "--chip", "aks", "--idle", "1,2,3,4,5,6,7"];
    let bm1688 = ["--writer", "libsophon", "--chip", "bm1688"];
    let with = |args: &[&'static str]| [args, &["--pauses", "measured"]].concat();
    let tables = [
        table(&["AKS", "BM1688", "BM1688, two cores", "BM1684X", "CV184X"], &DUMPS.map(real)),
        table(
            &["AKS", "AKS, `--pauses measured`", "BM1688", "BM1688, `--pauses measured`"],
            &[
                synthetic("cdm_profile_data_dev0", &aks),
                synthetic("cdm_profile_data_dev1", &with(&aks)),
                synthetic("bmprofile_data0", &bm1688),
                synthetic("bmprofile_data1", &with(&bm1688)),
            ],
        ),
    ];
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/proof/real-hardware.md");
    let docs = fs::read_to_string(path).unwrap();
    for table in tables {
        assert!(docs.contains(&table), "docs/proof/real-hardware.md should hold:\n{table}");
    }
}

/// Commands of a dump's TIU: layer, function, shape, operations, ns, expected ns.
fn tiu_commands(name: &str) -> Vec<[String; 6]> {
    let table = analyzed(&real(name), &["--emit", "csv"]).text("events.csv");
    let mut lines = table.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let header = lines.next().unwrap();
    let columns = ["layer_id", "function_name", "shape", "ops", "duration_ns", "expected_ns"];
    let places = columns.map(|column| header.iter().position(|name| *name == column).unwrap());
    lines.filter(|row| row[0] == "TIU").map(|row| places.map(|at| row[at].to_owned())).collect()
}

/// Four layers of blazeface are depthwise convolutions. The compiler for 64 lanes makes dense ones of them.
#[test]
fn the_same_network_has_more_operations_where_depthwise_convolutions_run_as_dense_ones() {
    const LAYERS: [&str; 4] = ["8", "18", "31", "42"];
    let of = |name: &str| {
        let (mut dense, mut depthwise, mut rest) = (0, 0, 0);
        for [layer, function, shape, ops, ns, expected] in tiu_commands(name) {
            let ops: u64 = ops.parse().unwrap_or(0);
            let is_one = LAYERS.contains(&layer.as_str());
            match (is_one, function.as_str()) {
                (true, "conv.normal") if shape.ends_with("x3x3") => {
                    // It runs as long as a dense one does.
                    assert_eq!(ns, expected, "{name}: layer {layer}");
                    dense += ops;
                }
                (true, "pord.depthwise") => depthwise += ops,
                (_, "conv.normal") => rest += ops,
                _ => {}
            }
        }
        (dense, depthwise, rest)
    };
    const CONVOLUTIONS: u64 = 53_427_328;
    for name in ["cdm_profile_data_dev0_bm1690", "bmprofile_data-1_bm1684x"] {
        assert_eq!(of(name), (118_001_664, 0, CONVOLUTIONS), "{name}");
    }
    assert_eq!(of("bmprofile_data-1_bm1688"), (0, 4_386_816, CONVOLUTIONS));
}
