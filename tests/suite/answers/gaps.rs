//! Gaps are the same in every output: with the time in which an engine worked they are the length of the run, no output says that there
//! is none where another has some, and each names what ended it, or says that this is not known.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::{Synth, agreement, report, variants};
use crate::suite::real::DUMPS;
use crate::suite::writers::scenarios;
use crate::support::case::{all, real_dump};
use crate::support::run::{Finished, analyze, analyzed};
use crate::support::summary::table;
use crate::support::trace::{Slice, Trace};
use crate::support::workbook;

/// Every dump of the fixtures.
fn dumps() -> Vec<PathBuf> {
    let cases = all().into_iter().map(|case| case.dump());
    cases.chain(DUMPS.map(real_dump)).collect()
}

pub(super) fn int(value: &Value) -> i64 {
    value.as_i64().unwrap_or_else(|| panic!("{value} is no whole number"))
}

pub(super) fn array(value: &Value) -> &Vec<Value> {
    value.as_array().unwrap()
}

/// Busy time and gaps of each engine and core, in ns, from the report.
fn of_report(report: &Value) -> BTreeMap<(String, i64), (i64, i64)> {
    let engines = array(&report["gaps"]["engines"]).iter();
    let of = |engine: &Value| {
        let name = engine["engine"].as_str().unwrap().to_owned();
        let listed: i64 =
            array(&engine["gaps"]).iter().map(|g| int(&g["end_ns"]) - int(&g["start_ns"])).sum();
        assert_eq!(listed + int(&engine["rest_ns"]), int(&engine["total_ns"]), "{engine:#}");
        ((name, int(&engine["index"])), (int(&engine["busy_ns"]), int(&engine["total_ns"])))
    };
    engines.map(of).collect()
}

/// Gaps of each engine and core, in ns, from the trace.
fn of_trace(trace: &Trace) -> BTreeMap<(String, i64), i64> {
    let mut sums = BTreeMap::new();
    for slice in trace.slices.iter().filter(|slice| is_gap(slice)) {
        let mut parts = slice.track.rsplit('/');
        let engine = parts.next().unwrap().trim_end_matches(" Gaps").to_owned();
        let owner = parts.nth(1).unwrap();
        let index = owner.trim_start_matches(|c: char| !c.is_ascii_digit()).parse().unwrap();
        *sums.entry((engine, index)).or_insert(0) += slice.dur;
    }
    sums
}

fn is_gap(slice: &Slice) -> bool {
    slice.categories.iter().any(|category| category == "gap")
}

#[test]
fn busy_and_gaps_are_the_length_of_the_run() {
    for dump in dumps() {
        check_sums(&dump.display(), &analyzed(&dump, &["--emit", agreement::VIEWS]));
    }
}

/// Dumps as the runtimes write them; some hold nothing that can be analyzed.
#[test]
fn gaps_of_the_runtimes_dumps_are_whole() {
    let mut checked = 0;
    for (name, dump) in scenarios() {
        let run = analyze(&dump, &["--emit", agreement::VIEWS]);
        if run.said.code == Some(0) && run.out_dir().join("perfetto.pftrace").exists() {
            check_sums(&name, &run);
            checked += 1;
        }
    }
    assert!(checked >= 35, "{checked}");
}

/// Dumps of all chips, in all styles and modes and with all faults. No writer of this project knows the commands of BM1684X and CV184X: their
/// dumps are made of the real ones, whose clocks, counters and records are changed.
#[test]
fn gaps_of_synthetic_dumps_are_whole() {
    let chips: [(&str, &[&str]); 4] = [
        ("aks", &["op", "graph", "bmodel"]),
        ("aksv", &["op", "graph", "bmodel", "rvt"]),
        ("bm1688", &["op", "bmodel"]),
        ("cv84x6", &["op", "bmodel", "rvt"]),
    ];
    let faults: [&[&str]; 10] = [
        &[],
        &["--loss", "0.01"],
        &["--disorder", "0.02"],
        &["--lapped"],
        &["--wrap"],
        &["--plant", "serialized=60"],
        &["--plant", "launch-gap=20"],
        &["--plant", "slow-kernel=rope:3"],
        &["--plant", "small-transfers=8"],
        &["--pauses", "measured"],
    ];
    for (number, (chip, styles)) in chips.into_iter().enumerate() {
        for (round, fault) in faults.into_iter().enumerate() {
            let style = styles[(round + number) % styles.len()];
            let [mode, seed] =
                [(round + round / 3) % 3, 10 * number + round].map(|n| n.to_string());
            let cores = ["1", "2"][(round / 2) % 2];
            let own = [
                &["--chip", chip, "--style", style, "--mode", &mode, "--seed", &seed],
                &["--cores", cores, "--launches", "6"][..],
                fault,
            ];
            let synth = Synth::new(&own.concat());
            check_dump(&own.concat().join(" "), &synth.path());
        }
    }
    for name in variants::CHIPS {
        for seed in 0..10 {
            let (fault, copy) = variants::variant(name, seed);
            check_dump(&format!("{name}: {fault}"), &copy.path());
        }
    }
}

#[track_caller]
fn check_dump(name: &str, dump: &Path) {
    let run = analyzed(dump, &["--emit", agreement::VIEWS]);
    check_sums(&name, &run);
    check_chains(&report(&run));
}

#[track_caller]
fn check_sums(name: &impl Display, run: &Finished) {
    let report = report(run);
    let wall = int(&report["intervals"]["overall"]["wall_ns"]);
    let engines = of_report(&report);
    for (engine, (busy, gaps)) in &engines {
        assert_eq!(busy + gaps, wall, "{name}: {engine:?}");
    }
    for engine in array(&report["intervals"]["overall"]["engines"]) {
        let key = (engine["engine"].as_str().unwrap().to_owned(), int(&engine["index"]));
        let busy = int(&engine["busy_ns"]);
        match engines.get(&key) {
            Some((of_gaps, _)) => assert_eq!(*of_gaps, busy, "{name}: {key:?}"),
            // It worked all the time, or is not on the common time line.
            None => assert!(busy == wall || busy == 0, "{name}: {key:?}"),
        }
    }
    let trace = run.trace();
    let traced = of_trace(&trace);
    let expected: BTreeMap<_, _> =
        engines.iter().map(|(engine, (_, gaps))| (engine.clone(), *gaps)).collect();
    assert_eq!(traced, expected, "{name}");
    let summary = run.text("summary.txt");
    if !engines.is_empty() {
        let rows = table(&summary, "Busy time and gaps of each engine");
        assert_eq!(rows.len(), engines.len(), "{name}");
        for ((engine, index), (busy, gaps)) in &engines {
            let row = &rows[&format!("{engine} {index}")];
            let us = |ns: &i64| format!("{:.3}", *ns as f64 / 1e3);
            assert_eq!((&row["Busy(us)"], &row["Total(us)"]), (&us(busy), &us(gaps)), "{name}");
        }
    }
    is_none_where_there_are_some(&name.to_string(), &report, &summary, &trace);
    agreement::check(&name.to_string(), &report, &trace, run);
}

/// A list is empty only where no output has anything.
fn is_none_where_there_are_some(name: &str, report: &Value, summary: &str, trace: &Trace) {
    let engines = array(&report["gaps"]["engines"]).iter();
    let listed = engines.flat_map(|engine| array(&engine["gaps"]));
    let between = listed.filter(|gap| !gap["before"].is_null() && !gap["after"].is_null()).count();
    let longest = array(&report["gaps"]["longest"]).len();
    assert_eq!(between > 0, longest > 0, "{name}: {between} gaps, {longest} of them listed first");
    assert_eq!(longest > 0, summary.contains("Gaps with the highest cost"), "{name}");
    assert!(between == 0 || trace.slices.iter().any(is_gap), "{name}");
}

/// The workbook and the trace of a static model have names of layers where commands have them.
#[test]
fn gaps_and_path_of_real_dumps_have_names() {
    for dump in DUMPS {
        let run = analyzed::<&str>(&real_dump(dump), &[]);
        let report = report(&run);
        let gaps = workbook::rows(run.out_dir(), "Gaps");
        let text = gaps.iter().flatten().cloned().collect::<Vec<_>>().join("\n");
        assert!(!text.contains("No engine"), "{dump}");
        let title = gaps.iter().position(|row| row[0] == "Gaps of each engine").unwrap();
        let listed: usize =
            array(&report["gaps"]["engines"]).iter().map(|of| array(&of["gaps"]).len()).sum();
        // Between the title and the rows are a note, an empty row and the columns.
        assert_eq!(gaps.len() - title - 4, listed, "{dump}");
        let path = workbook::rows(run.out_dir(), "Critical Path");
        let head = path.iter().position(|row| row[0] == "Reason").unwrap();
        let pieces: Vec<_> = path[head + 1..].iter().take_while(|row| !row[0].is_empty()).collect();
        let named = pieces.iter().filter(|row| row[2].starts_with("layer ")).count();
        assert!(named * 10 > pieces.len() * 9, "{dump}: {named} of {} pieces", pieces.len());
        assert!(workbook::rows(run.out_dir(), "Roofline").len() > 60, "{dump}");
        let kernels = workbook::rows(run.out_dir(), "Kernels");
        assert!(kernels.iter().any(|row| row[0] == "Layers"), "{dump}");
        let trace = run.trace();
        let of_path = trace.slices.iter().filter(|slice| slice.track.ends_with("Critical Path"));
        let of_path: Vec<_> = of_path.collect();
        let named = of_path.iter().filter(|slice| slice.arg("Layer Name").is_some()).count();
        assert!(named * 10 > of_path.len() * 9, "{dump}: {named} of {}", of_path.len());
        layer_names_are_those_of_layers(dump, &trace);
    }
}

/// As many names of layers as there are layers.
fn layer_names_are_those_of_layers(dump: &str, trace: &Trace) {
    let mut names: BTreeMap<i128, String> = BTreeMap::new();
    for slice in trace.slices.iter().filter(|slice| slice.track.ends_with("/TIU")) {
        let (Some(id), Some(name)) = (slice.arg("Layer Id"), slice.arg("Layer Name")) else {
            continue;
        };
        let name = name.text().unwrap().to_owned();
        let known = names.entry(id.int().unwrap()).or_insert_with(|| name.clone());
        assert_eq!(*known, name, "{dump}");
    }
    assert!(names.len() > 20, "{dump}: {}", names.len());
    // Compilers split an operation into layers of the same name.
    let different: std::collections::BTreeSet<&String> = names.values().collect();
    assert!(different.len() * 2 > names.len(), "{dump}: {different:?}");
}

/// A sync takes no longer than 1 us, and a hand-over 200 ns.
const LONGEST_RELEASE_NS: i64 = 1_200;

/// What ended a gap ended in it, or within a hand-over before it; where the engine waited for another one, it is known. Returns how many
/// are known and how many are not.
#[track_caller]
fn check_chains(report: &Value) -> (usize, usize) {
    let (mut known, mut unknown) = (0, 0);
    for gap in array(&report["gaps"]["engines"]).iter().flat_map(|of| array(&of["gaps"])) {
        let chain = array(&gap["chain"]);
        let names = |link: &Value| (link["engine"].clone(), link["index"].clone());
        let ns = int(&gap["end_ns"]) - int(&gap["start_ns"]);
        match gap["waited_for"].as_array() {
            Some(end) => {
                let last = chain.last().unwrap();
                assert_eq!(names(last), (end[0].clone(), end[1].clone()), "{gap:#}");
                let nearest = chain.iter().position(|link| link["is_work"] == true);
                let lags = &chain[..=nearest.unwrap_or(chain.len() - 1)];
                if let [only] = lags {
                    assert!(int(&only["lag_ns"]) <= ns + 200, "{gap:#}");
                }
                known += 1;
            }
            None => {
                // What ended it may be lost.
                let is_whole = report["ledger"]["lost_records"] == 0;
                let is_cause = matches!(gap["cause"].as_str(), Some("sync" | "other_engine"));
                let is_wait = is_cause && is_whole;
                // Between two commands an engine takes some time, whatever others do.
                assert!(!is_wait || ns <= 200, "{gap:#}");
                unknown += 1;
            }
        }
        for link in chain {
            if matches!(link["why"].as_str(), Some("message" | "barrier")) {
                assert!(int(&link["lag_ns"]) <= LONGEST_RELEASE_NS, "{gap:#}");
            }
        }
        assert!(gap["saved_ns"].as_i64().is_none_or(|saved| saved <= ns), "{gap:#}");
    }
    (known, unknown)
}

/// The wait of core 1 for its slow port: what released it is the port's command, and not the send long before.
#[test]
fn a_send_long_before_the_end_of_a_wait_released_nothing() {
    let synth = Synth::new(&["--cdma", "4", "--plant", "slow-port=1:2"]);
    let run = analyzed(&synth.path(), &["--emit", "report,trace"]);
    let (known, _) = check_chains(&report(&run));
    assert!(known > 10, "{known}");
    let trace = run.trace();
    let waits = trace.slices.iter().filter(|slice| is_long_wait(slice));
    let by = |slice: &Slice| slice.arg("released by").and_then(|by| by.text()).map(str::to_owned);
    let released: Vec<Option<String>> = waits.map(by).collect();
    assert!(released.len() >= 10, "{released:?}");
    let by_port = released.iter().flatten().filter(|by| by.contains("CDMA")).count();
    assert!(by_port * 2 > released.len(), "{released:?}");
}

fn is_long_wait(slice: &Slice) -> bool {
    slice.name.contains("wait") && slice.dur > 50_000
}

/// What a planted bubble costs is what the gap says, and it is the first.
#[test]
fn a_planted_gap_is_the_first_and_costs_what_it_costs() {
    for chip in ["aks", "aksv", "bm1688", "cv84x6"] {
        let shape = ["--chip", chip, "--launches", "11"];
        let plain = Synth::new(&shape).report();
        let report = Synth::new(&[&shape[..], &["--plant", "bubble=1:tiu:80"]].concat()).report();
        let wall = |report: &Value| int(&report["intervals"]["overall"]["wall_ns"]);
        let first = &report["gaps"]["longest"][0];
        assert_eq!((&first["engine"], &first["index"]), (&"TIU".into(), &1.into()), "{first:#}");
        let (saved, lost) = (int(&first["saved_ns"]), wall(&report) - wall(&plain));
        assert!((saved - lost).abs() <= 5_000, "{chip}: {saved} of {lost}");
        check_chains(&report);
    }
}

#[test]
fn chains_of_all_dumps_end_in_time() {
    let mut sums = (0, 0);
    for dump in dumps() {
        let (known, unknown) = check_chains(&report(&analyzed(&dump, &["--emit", "report"])));
        sums = (sums.0 + known, sums.1 + unknown);
    }
    // Most of the others are the few ns between two commands of an engine that waits for nothing.
    assert!(sums.0 > 500, "{sums:?}");
}

/// `layers.csv` and the others.
#[test]
fn layers_are_files() {
    for dump in DUMPS {
        let run = analyzed(&real_dump(dump), &["--emit", "report", "--csv"]);
        let report = report(&run);
        let rows = |name: &str| -> Vec<BTreeMap<String, String>> {
            let text = run.text(name);
            let mut reader = csv(&text);
            let head = reader.remove(0);
            let row = |cells: Vec<String>| head.iter().cloned().zip(cells).collect();
            reader.into_iter().map(row).collect()
        };
        let layers = rows("layers.csv");
        assert_eq!(layers.len(), array(&report["layers"]).len(), "{dump}");
        let sum = |rows: &[BTreeMap<String, String>], column: &str| -> i64 {
            rows.iter().map(|row| row[column].parse::<i64>().unwrap()).sum()
        };
        let operations = rows("operations.csv");
        let (overall, each) = operations.split_last().unwrap();
        assert_eq!(overall["operation"], "Overall");
        for column in ["commands", "tiu_ns", "ddr_bytes", "tiu_cycles", "path_ns"] {
            let all = overall[column].parse::<i64>().unwrap();
            assert_eq!((sum(&layers, column), sum(each, column)), (all, all), "{dump} {column}");
        }
        let instructions = rows("instructions.csv");
        assert_eq!(
            instructions.len() as i64,
            copies(&run) + int(&report["dump"]["events"]),
            "{dump}"
        );
        let of_layers = instructions.iter().filter(|row| !row["layer_id"].is_empty()).count();
        assert_eq!(of_layers as i64, overall["commands"].parse::<i64>().unwrap(), "{dump}");
        let knows_cycles = !dump.contains("bm1684x");
        assert_eq!(!overall["mac_utilization"].is_empty(), knows_cycles, "{dump}: {overall:?}");
    }
}

/// Rows of the runtime's own work in the events.
fn copies(run: &Finished) -> i64 {
    let text = run.text("events.csv");
    let rows = csv(&text);
    let event = rows[0].iter().position(|column| column == "event").unwrap();
    rows[1..].iter().filter(|row| row[event].is_empty()).count() as i64
}

/// Rows of a CSV file: the texts of their cells.
pub(super) fn csv(text: &str) -> Vec<Vec<String>> {
    let mut rows = vec![vec![String::new()]];
    let mut quoted = false;
    for c in text.trim_end_matches('\n').chars() {
        match c {
            '"' => quoted = !quoted,
            ',' if !quoted => rows.last_mut().unwrap().push(String::new()),
            '\n' if !quoted => rows.push(vec![String::new()]),
            c => rows.last_mut().unwrap().last_mut().unwrap().push(c),
        }
    }
    rows
}

/// A limit of cores is said.
#[test]
fn cores_that_are_left_out_are_named() {
    let run = analyzed(
        Path::new(&real_dump("bmprofile_data_bm1688_2core")),
        &["--emit", "report", "--num_core", "1"],
    );
    let said = &run.said.stderr;
    assert!(said.contains("--num_core 1 leaves out core 1 with 69 events"), "{said}");
}
