//! Planted faults are worth what they cost: sensitivity and predictions without them.

use std::path::Path;

use serde_json::Value;

use super::{ns, synth, whatif};
use crate::support::run::{finish, tool};
use crate::support::trace::{Trace, Value as TraceValue};

/// One slow core, one slow kernel, long launch gaps: what is wrong is first, and taking it away gives what the
/// run without the fault takes.
#[test]
fn planted_faults_are_named() {
    let keep = tempfile::tempdir().unwrap();
    let row = |answer: &Value, what: &str| {
        let rows = answer["sensitivity"].as_array().unwrap();
        let at = rows.iter().position(|r| r["what"] == what);
        at.unwrap_or_else(|| panic!("{what} is not in {rows:?}"))
    };
    for (plant, what, others) in [
        ("imbalance=2:4", "core:2", ["core:1", "core:3"]),
        ("slow-kernel=rope:20", "kernel:rope", ["kernel:matmul_qkv", "kernel:matmul_down"]),
    ] {
        let dump = keep.path().join(what.replace(':', "-"));
        synth(&dump, &["--launches", "11", "--repeat", "4", "--plant", plant]);
        let answer = whatif(&dump, &[]);
        let at = row(&answer, what);
        for other in others {
            let rows = answer["sensitivity"].as_array().unwrap();
            let other = rows.iter().position(|r| r["what"] == other);
            assert!(other.is_none_or(|other| at < other), "{plant}: {rows:?}");
        }
    }
    let dump = keep.path().join("gaps");
    synth(&dump, &["--launches", "11", "--repeat", "4", "--launch-gap", "50"]);
    assert_eq!(row(&whatif(&dump, &[]), "launch"), 0);
}

/// Three faults in one run: a slow core, a slow kernel, and a long launch gap.
struct Faults {
    /// Options of the dump without faults.
    shape: &'static [&'static str],
    plants: [&'static str; 3],
    /// What takes each of them away. Without launch gaps, the usual ones are away as well.
    removals: [&'static str; 3],
}

impl Faults {
    fn dump(&self, dir: &Path, without: Option<usize>) {
        let all = self.plants.iter().enumerate().filter(|(fault, _)| Some(*fault) != without);
        let mut options: Vec<&str> = all.flat_map(|(_, plant)| ["--plant", plant]).collect();
        if without == Some(2) {
            options.extend(["--launch-gap", "0"]);
        }
        synth(dir, &[&["--launches", "11", "--repeat", "4"][..], self.shape, &options].concat());
    }

    /// Each predicted gain is what the run without that fault really takes less, within `error`.
    fn check_gains(&self, all: &Path, error: f64) {
        let keep = tempfile::tempdir().unwrap();
        for (fault, removal) in self.removals.iter().enumerate() {
            let dir = keep.path().join(fault.to_string());
            self.dump(&dir, Some(fault));
            let predicted = whatif(all, &["--scale", removal]);
            let wall = ns(&predicted, "measured_ns");
            let cost = (wall - ns(&whatif(&dir, &["--scale", "sync=1"]), "measured_ns")) as f64;
            let gain = (wall - ns(&predicted, "predicted_ns")) as f64;
            assert!(
                (gain / cost - 1.0).abs() < error,
                "{:?} {removal}: {gain} ns of {cost} ns",
                self.shape
            );
        }
    }
}

/// On every chip, in every style that has kernel names, and without full bits.
#[test]
fn each_of_three_faults_is_worth_what_it_cost() {
    let keep = tempfile::tempdir().unwrap();
    let on_core_2 = ["imbalance=2:4", "slow-kernel=rope:20", "launch-gap=400"];
    let other = ["imbalance=1:3", "slow-kernel=silu_mul:6", "launch-gap=200"];
    let (first, second) = (
        ["core:2=0.25", "kernel:rope=0.05", "launch=0"],
        ["core:1=0.33333333", "kernel:silu_mul=0.16666667", "launch=0"],
    );
    let cases: [(&[&str], _, _); 7] = [
        (&["--chip", "aks", "--seed", "1"], on_core_2, first),
        (&["--chip", "aks", "--mode", "1"], on_core_2, first),
        (&["--chip", "aks", "--style", "graph"], other, second),
        (&["--chip", "aksv", "--style", "rvt"], on_core_2, first),
        (&["--chip", "aksv", "--seed", "2"], other, second),
        (&["--chip", "cv84x6", "--seed", "3"], on_core_2, first),
        (&["--chip", "bm1688", "--seed", "4"], other, second),
    ];
    for (number, (shape, plants, removals)) in cases.into_iter().enumerate() {
        let faults = Faults { shape, plants, removals };
        let dir = keep.path().join(number.to_string());
        faults.dump(&dir, None);
        faults.check_gains(&dir, 0.005);
    }
}

/// Sensitivity ranks three faults by what each cost, each is worth that, and most of the critical path is on the slow core, in
/// the slow kernel, or the gap.
#[test]
fn three_faults_at_once_are_told_apart() {
    let keep = tempfile::tempdir().unwrap();
    let all = keep.path().join("all");
    let faults = Faults {
        shape: &[],
        plants: ["imbalance=2:4", "slow-kernel=rope:20", "launch-gap=400"],
        removals: ["core:2=0.25", "kernel:rope=0.05", "launch=0"],
    };
    faults.dump(&all, None);
    faults.check_gains(&all, 0.001);
    let names = ["core:2", "kernel:rope", "launch"];
    let answer = whatif(&all, &[]);
    let rows = answer["sensitivity"].as_array().unwrap();
    let places = names.map(|name| rows.iter().position(|row| row["what"] == name).unwrap());
    assert!(places.is_sorted() && places[0] == 0, "{rows:?}");
    for other in ["core:1", "kernel:matmul_gate_up", "kernel:matmul_down", "tiu", "sync"] {
        let other = rows.iter().position(|row| row["what"] == other);
        assert!(other.is_none_or(|other| other > places[2]), "{rows:?}");
    }
    let pieces = answer["critical_path"].as_array().unwrap();
    let heaviest = [&pieces[0], &pieces[1]]
        .map(|piece| (piece["reason"].as_str().unwrap(), piece["kernel"].as_str().unwrap()));
    assert_eq!(heaviest[0], ("ddr_transfer", "rope"));
    assert_eq!(heaviest[1].0, "launch_gap");
    let out = keep.path().join("out");
    let said = finish(tool().arg(&all).arg(&out).args(["--emit", "trace", "--quiet"]));
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    let trace = Trace::open(&out.join("perfetto.pftrace"));
    let work = trace.slices_on("Critical Path");
    let work = || work.iter().filter(|slice| slice.name != "launch gap");
    let on_core = work().filter(|slice| {
        matches!(slice.arg("Engine"), Some(TraceValue::Text(engine)) if engine.starts_with("core 2 "))
    });
    let (on_core, all): (i64, i64) =
        (on_core.map(|slice| slice.dur).sum(), work().map(|slice| slice.dur).sum());
    assert!(on_core * 10 > all * 8, "{on_core} ns of {all} ns");
}
