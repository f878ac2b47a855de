//! A planted fault is the first thing that each output says: verdict, advice, gaps, path, page, trace and workbook.

use serde_json::Value;

use super::gaps::{array, int};
use super::{Synth, report};
use crate::suite::golden::head_of_page;
use crate::support::run::{Finished, analyzed};
use crate::support::workbook;

/// A fault, and what outputs say of it first.
struct Fault {
    options: &'static [&'static str],
    plant: &'static str,
    /// The rule of the first advice.
    rule: &'static str,
    /// Where the gap is that costs most, if the fault makes gaps: engine and core, or the cause of a gap of all engines.
    gap: Option<Place>,
    /// The heaviest piece of the path, if the fault makes one: engine and reason; and the kernel.
    path: Option<([&'static str; 2], Option<&'static str>)>,
}

enum Place {
    Core(u32),
    Engine(&'static str, u32),
    Cause(&'static str),
}

const FOUR: &[&str] = &["--cores", "4", "--launches", "11"];
const PORTS: &[&str] = &["--cores", "4", "--launches", "11", "--cdma", "4"];
/// Loads are ahead and nothing is between launches, so that nothing else is to be gained.
const PIPELINED: &[&str] =
    &["--cores", "4", "--launches", "11", "--launch-gap", "0", "--pipelined"];
const ONE: &[&str] = &["--cores", "1", "--launches", "11", "--launch-gap", "0", "--pipelined"];
const CV84X6: &[&str] = &["--chip", "cv84x6", "--cores", "2", "--launches", "11"];
/// Computing takes longer than loading.
const CV84X6_ONE: &[&str] =
    &["--chip", "cv84x6", "--cores", "1", "--launches", "11", "--launch-gap", "0", "--pipelined"];
/// Eight cores share the off-chip memory, so that each loads faster from L2M.
const EIGHT: &[&str] = &["--launches", "11", "--launch-gap", "0", "--pipelined"];
const TWO: &[&str] = &["--cores", "2", "--launches", "11"];

const LARGE: [Fault; 14] = [
    Fault {
        options: FOUR,
        plant: "imbalance=2:1.5",
        rule: "core-imbalance",
        gap: Some(Place::Core(2)),
        path: None,
    },
    Fault {
        options: PIPELINED,
        plant: "imbalance=2:2",
        rule: "core-imbalance",
        gap: Some(Place::Core(2)),
        path: None,
    },
    Fault { options: FOUR, plant: "straggler=2", rule: "core-imbalance", gap: None, path: None },
    Fault { options: FOUR, plant: "stages", rule: "core-imbalance", gap: None, path: None },
    Fault {
        options: PORTS,
        plant: "slow-port=1:8",
        rule: "slow-link",
        gap: None,
        path: Some((["CDMA", "link_transfer"], Some("all_reduce"))),
    },
    Fault {
        options: PIPELINED,
        plant: "bubble=1:tiu:200",
        rule: "stall",
        gap: Some(Place::Engine("TIU", 1)),
        path: Some((["TIU", "unexplained"], Some("all_reduce"))),
    },
    Fault {
        options: PIPELINED,
        plant: "slow-kernel=rope:12",
        rule: "slow-transfers",
        gap: None,
        path: Some((["GDMA", "ddr_transfer"], Some("rope"))),
    },
    Fault {
        options: FOUR,
        plant: "launch-gap=300",
        rule: "launch-overhead",
        gap: Some(Place::Cause("launch")),
        path: Some((["GDMA", "launch_gap"], Some("all_reduce"))),
    },
    Fault {
        options: ONE,
        plant: "serialized=100",
        rule: "serialized",
        gap: Some(Place::Engine("TIU", 0)),
        path: Some((["GDMA", "ddr_transfer"], None)),
    },
    Fault {
        options: CV84X6,
        plant: "bank-conflicts=4000",
        rule: "bank-conflicts",
        gap: None,
        path: Some((["TIU", "compute"], None)),
    },
    Fault {
        options: TWO,
        plant: "spill=131072",
        rule: "round-trips",
        gap: None,
        path: Some((["GDMA", "ddr_transfer"], None)),
    },
    Fault {
        options: PIPELINED,
        plant: "bubble=1:gdma:60",
        rule: "stall",
        gap: Some(Place::Engine("GDMA", 1)),
        path: Some((["GDMA", "unexplained"], Some("all_reduce"))),
    },
    Fault {
        options: CV84X6_ONE,
        plant: "unaligned=1",
        rule: "unaligned-shapes",
        gap: Some(Place::Cause("other_engine")),
        path: Some((["TIU", "compute"], None)),
    },
    Fault {
        options: EIGHT,
        plant: "weights=ddr",
        rule: "ddr-reuse",
        gap: None,
        path: Some((["GDMA", "ddr_transfer"], None)),
    },
];

#[test]
fn a_planted_fault_is_what_each_output_says_first() {
    for fault in LARGE {
        let synth = Synth::new(&[fault.options, &["--plant", fault.plant]].concat());
        let run = analyzed(&synth.path(), &["--emit", "report,trace,workbook,page"]);
        let report = report(&run);
        let gap = &report["gaps"]["longest"][0];
        let piece = &report["critical_path"]["pieces"][0];
        assert_eq!(report["advice"][0]["id"], fault.rule, "{}", fault.plant);
        assert_eq!(report["verdict"]["rule"], fault.rule, "{}", fault.plant);
        let is_own = match fault.gap {
            None => true,
            Some(Place::Core(core)) => gap["index"] == core,
            Some(Place::Engine(engine, core)) => gap["engine"] == engine && gap["index"] == core,
            Some(Place::Cause(cause)) => gap["cause"] == cause && int(&gap["saved_ns"]) > 5_000,
        };
        assert!(is_own, "{}: {gap:#}", fault.plant);
        if let Some(([engine, reason], kernel)) = fault.path {
            assert_eq!((&piece["engine"], &piece["reason"]), (&engine.into(), &reason.into()));
            assert!(kernel.is_none_or(|kernel| piece["kernel"] == kernel), "{}", fault.plant);
        }
        views_begin_with_the_same(fault.plant, &report, &run);
    }
}

/// Page, workbook and trace have first what the report has first.
fn views_begin_with_the_same(name: &str, report: &Value, run: &Finished) {
    let (gap, piece) = (&report["gaps"]["longest"][0], &report["critical_path"]["pieces"][0]);
    let page = run.text("PerfWeb/result.html");
    let head: Value = serde_json::from_str(head_of_page(&page)).unwrap();
    let answers = &head["answers"];
    assert_eq!(answers["verdict"]["rule"], report["verdict"]["rule"], "{name}");
    assert_eq!(answers["advice"][0]["id"], report["advice"][0]["id"], "{name}");
    let first_gap = &answers["gaps"]["longest"][0];
    for key in ["engine", "index", "start_ns", "end_ns", "saved_ns"] {
        assert_eq!(first_gap[key], gap[key], "{name}: {key}");
    }

    let sheet = |name: &str| workbook::rows(run.out_dir(), name);
    assert_eq!(sheet("Advice")[4][0], report["advice"][0]["id"].as_str().unwrap(), "{name}");
    let row = &sheet("Gaps")[4];
    assert_eq!(row[1], gap["start_ns"].to_string(), "{name}");
    assert_eq!(sheet("Critical Path")[4][2], piece["kernel"].as_str().unwrap(), "{name}");

    // The gap that costs most, as a query of the trace finds it.
    let trace = run.trace();
    let cost = |slice: &crate::support::trace::Slice| {
        slice.arg("Cost of Run(ns)").and_then(|cost| cost.int())
    };
    // Before the first work and behind the last one an engine has gaps as well, which the lists leave out.
    let between = trace.slices.iter().filter(|slice| !["start", "end"].contains(&&*slice.name));
    let most = between.filter_map(cost).max();
    assert_eq!(most, gap["saved_ns"].as_i64().map(i128::from), "{name}");
    assert!(!array(&report["advice"]).is_empty(), "{name}");
}
