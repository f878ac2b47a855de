//! Predictions against the same run on that hardware, which `synth` writes.

use std::path::Path;

use serde_json::Value;

use super::{ns, synth, whatif};
use crate::support::run::{finish, tool};
use crate::support::trace::{Trace, Value as TraceValue};

/// Predicts the second run from the first. Returns predicted and true time in ns.
fn both(first: &[&str], second: &[&str], changes: &[&str]) -> (f64, f64) {
    let keep = tempfile::tempdir().unwrap();
    let (a, b) = (keep.path().join("a"), keep.path().join("b"));
    let all = ["--launches", "11", "--repeat", "6"];
    synth(&a, &[&all[..], first].concat());
    synth(&b, &[&all[..], second].concat());
    let predicted = whatif(&a, changes);
    let truth = whatif(&b, &["--scale", "sync=1"]);
    (ns(&predicted, "predicted_ns") as f64, ns(&truth, "measured_ns") as f64)
}

#[test]
fn other_hardware_is_predicted() {
    for (chip, style, mode) in [
        ("aks", "op", "2"),
        ("aks", "op", "1"),
        ("aks", "op", "0"),
        ("aks", "bmodel", "2"),
        ("aksv", "op", "2"),
        ("aksv", "rvt", "2"),
        ("bm1688", "op", "2"),
        ("cv84x6", "graph", "2"),
        ("cv84x6", "rvt", "1"),
    ] {
        let hardware = |ddr: &'static str, mhz: &'static str| {
            let kind = ["--chip", chip, "--style", style, "--mode", mode];
            [&kind[..], &["--ddr-gbps", ddr, "--l2m-gbps", "32", "--tiu-mhz", mhz]].concat()
        };
        for (second, changes) in [
            (hardware("16", "1000"), &["--scale", "ddr=0.5"][..]),
            (hardware("64", "1000"), &["--scale", "ddr=2"]),
            (hardware("128", "1000"), &["--scale", "ddr=4"]),
            (hardware("32", "500"), &["--tiu_freq", "500"]),
            (hardware("32", "2000"), &["--tiu_freq", "2000"]),
            (hardware("64", "2000"), &["--scale", "ddr=2", "--tiu_freq", "2000"]),
        ] {
            let (predicted, truth) = both(&hardware("32", "1000"), &second, changes);
            let error = (predicted / truth - 1.0).abs();
            assert!(
                error < 0.02,
                "{chip} {style} {mode} {changes:?}: {predicted} ns predicted, {truth} ns true"
            );
        }
    }
}

#[test]
fn launch_gaps_and_kernels_are_predicted() {
    for (second, change) in [
        (&["--launch-gap", "4"][..], "launch=4"),
        (&["--launch-gap", "0"], "launch=0"),
        (&["--plant", "slow-kernel=matmul_down:2"], "kernel:matmul_d*=2"),
        (&["--plant", "imbalance=2:1.5"], "core:2=1.5"),
    ] {
        let (predicted, truth) = both(&[], second, &["--scale", change]);
        let error = (predicted / truth - 1.0).abs();
        assert!(error < 0.02, "{change}: {predicted} ns predicted, {truth} ns true");
    }
}

/// The figures of the rules' first trial, within half a percent.
#[test]
fn a_real_static_model_is_predicted_as_by_hand() {
    let dump = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/aks-static-model");
    for (changes, expected) in [
        (&["tiu=2"][..], 105_700.0),
        (&["l2m=2"], 116_700.0),
        (&["ddr=2"], 129_800.0),
        (&["tiu=2", "l2m=2", "ddr=2"], 85_700.0),
    ] {
        let args: Vec<&str> = changes.iter().flat_map(|c| ["--scale", *c]).collect();
        let answer = whatif(&dump, &args);
        assert_eq!(ns(&answer, "measured_ns"), 133_158);
        let predicted = ns(&answer, "predicted_ns") as f64;
        assert!((predicted / expected - 1.0).abs() < 0.005, "{changes:?}: {predicted}");
    }
    let answer = whatif(&dump, &["--scale", "tiu=2"]);
    let kinds = answer["confidence"]["kinds"].as_array().unwrap();
    let commands = kinds.iter().find(|k| k["kind"] == "command").unwrap();
    assert_eq!((ns(commands, "found"), ns(commands, "contradicted")), (237, 0));
}

/// BM1688 and BM1684X have no bit that enables a dependence, CV184X has one: each that has a record is used, and nothing
/// has to be concluded from times.
#[test]
fn dependences_of_static_models_are_used() {
    let real = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/real");
    for (dump, found, unresolved) in [
        ("bmprofile_data-1_bm1688", 300, 0),
        ("bmprofile_data_bm1688_2core", 375, 28),
        ("bmprofile_data-1_bm1684x", 246, 0),
        ("bmprofile_data-1_cv184x", 336, 0),
    ] {
        let confidence = &whatif(&real.join(dump), &[])["confidence"];
        let kinds = confidence["kinds"].as_array().unwrap();
        let count =
            |kind: &str, what: &str| ns(kinds.iter().find(|k| k["kind"] == kind).unwrap(), what);
        let commands = ["found", "contradicted", "unresolved"].map(|what| count("command", what));
        assert_eq!(commands, [found, 0, unresolved], "{dump}");
        assert_eq!(count("hand_over", "found"), 0, "{dump}");
        assert!(confidence["checked"].as_f64().unwrap() > 0.4, "{dump}");
    }
}

#[test]
fn predictions_are_monotone() {
    let keep = tempfile::tempdir().unwrap();
    let dump = keep.path().join("dump");
    synth(&dump, &["--launches", "11", "--repeat", "3", "--cdma", "2"]);
    for what in ["tiu", "gdma", "sdma", "cdma", "ddr", "link"] {
        let times = ["0.5", "1", "1.5", "4", "1000"].map(|factor| {
            ns(&whatif(&dump, &["--scale", &format!("{what}={factor}")]), "predicted_ns")
        });
        assert!(times.is_sorted_by(|a, b| a >= b), "{what}: {times:?}");
    }
}

/// Only fixed idle time does not become shorter.
#[test]
fn everything_twice_as_fast_takes_half_the_time() {
    let keep = tempfile::tempdir().unwrap();
    let dump = keep.path().join("dump");
    synth(&dump, &["--launches", "11", "--repeat", "3"]);
    let half = ["tiu=2", "gdma=2", "sdma=2", "cdma=2", "launch=0.5", "sync=0.5"];
    let changes: Vec<&str> = half.iter().flat_map(|change| ["--scale", change]).collect();
    let predicted = whatif(&dump, &changes);
    let share = ns(&predicted, "predicted_ns") as f64 / ns(&predicted, "measured_ns") as f64;
    assert!((0.5..0.56).contains(&share), "{share}");
}

/// The critical path without the work of a part is still a path of the run in which that part takes no time.
#[test]
fn infinite_speed_leaves_the_rest_of_the_critical_path() {
    let keep = tempfile::tempdir().unwrap();
    for (chip, cores) in [("aks", "4"), ("aksv", "2"), ("bm1688", "2"), ("cv84x6", "1")] {
        let dump = keep.path().join(chip);
        synth(&dump, &["--chip", chip, "--cores", cores, "--launches", "11", "--repeat", "2"]);
        let run = whatif(&dump, &[]);
        let wall = ns(&run, "measured_ns");
        let pieces = run["critical_path"].as_array().unwrap();
        let rows = run["sensitivity"].as_array().unwrap();
        assert!(rows.len() > 5, "{chip}");
        for row in rows {
            let what = row["what"].as_str().unwrap();
            let is_of = |piece: &&Value| {
                let is = |key: &str, value: &str| {
                    piece[key].as_str().unwrap().eq_ignore_ascii_case(value)
                };
                let is_work = ["compute", "system"].iter().any(|work| is("reason", work))
                    || piece["reason"].as_str().unwrap().ends_with("_transfer");
                match what {
                    "ddr" | "l2m" | "link" => is("reason", &format!("{what}_transfer")),
                    "launch" => is("reason", "launch_gap"),
                    "sync" => is("reason", "hand_over"),
                    _ if what.starts_with("core:") => is_work,
                    _ => {
                        is_work
                            && (is("engine", what)
                                || what == format!("kernel:{}", piece["kernel"].as_str().unwrap()))
                    }
                }
            };
            let of_part: i64 = pieces.iter().filter(is_of).map(|piece| ns(piece, "ns")).sum();
            let infinite = ns(row, "infinite_ns");
            assert!(infinite >= wall - of_part, "{chip} {what}: {infinite}, {wall} - {of_part}");
        }
    }
}

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

/// A microbenchmark: one kernel with one command of the TIU in each tile, so that no two of its commands follow one another at once.
#[test]
fn a_microbenchmark_of_one_kernel_is_predicted() {
    let micro = ["--cores", "1", "--no-sync", "--kernel", "matmul_qkv", "--launch-gap", "0"];
    for mode in ["0", "1", "2"] {
        let run = |ddr: &'static str, mhz: &'static str| {
            [&micro[..], &["--mode", mode, "--ddr-gbps", ddr, "--tiu-mhz", mhz]].concat()
        };
        for (second, changes) in [
            (run("64", "1000"), &["--scale", "ddr=2"][..]),
            (run("128", "4000"), &["--scale", "ddr=4", "--scale", "tiu=4"]),
        ] {
            let (predicted, truth) = both(&run("32", "1000"), &second, changes);
            let error = (predicted / truth - 1.0).abs();
            assert!(error < 0.02, "mode {mode} {changes:?}: {predicted} of {truth}");
        }
    }
}

/// Without launches or sends in the records, the prediction keeps idle time, and says between what the true time can be.
#[test]
fn the_range_of_a_prediction_holds_the_true_time() {
    for (chip, second, change) in [
        ("aks", ["--launch-gap", "4"], "launch=4"),
        ("aks", ["--launch-gap", "0"], "launch=0"),
        ("bm1688", ["--launch-gap", "4"], "launch=4"),
        ("bm1688", ["--launch-gap", "0"], "launch=0"),
        ("bm1688", ["--ddr-gbps", "64"], "ddr=2"),
    ] {
        let keep = tempfile::tempdir().unwrap();
        let (a, b) = (keep.path().join("a"), keep.path().join("b"));
        let shape = ["--chip", chip, "--mode", "0", "--launches", "11"];
        let first: &[&str] = if change == "ddr=2" { &["--ddr-gbps", "32"] } else { &[] };
        synth(&a, &[&shape[..], first].concat());
        synth(&b, &[&shape[..], &second].concat());
        let predicted = whatif(&a, &["--scale", change]);
        let truth = ns(&whatif(&b, &["--scale", "sync=1"]), "measured_ns");
        let range = |at: usize| predicted["predicted_range_ns"][at].as_i64().unwrap();
        assert!(
            (range(0)..=range(1)).contains(&truth),
            "{chip} {change}: {truth} not in {} to {}",
            range(0),
            range(1)
        );
    }
}

/// The range holds the true time on all chips, in all modes, for one change and several, faster and slower: also where waits have no
/// record, where commands name no dependence, and where a port or an engine that runs rarely is what is waited for.
#[test]
fn ranges_hold_the_true_time_of_many_runs() {
    let hardware = |ddr: f64, mhz: u32, gap: f64| {
        let numbers = [ddr.to_string(), mhz.to_string(), gap.to_string()];
        let names = ["--ddr-gbps", "--tiu-mhz", "--launch-gap"];
        names.into_iter().zip(numbers).flat_map(|(n, v)| [n.to_owned(), v]).collect::<Vec<_>>()
    };
    let plain = |chip: &'static str, style: &'static str, mode: &'static str| {
        vec!["--chip", chip, "--style", style, "--mode", mode]
    };
    let shapes: [Vec<&str>; 12] = [
        plain("aks", "op", "0"),
        [plain("aks", "graph", "0"), vec!["--cores", "2", "--cdma", "2"]].concat(),
        [plain("aks", "op", "0"), vec!["--cores", "2", "--pipelined", "--pauses", "measured"]]
            .concat(),
        [plain("aks", "bmodel", "2"), vec!["--cdma", "2"]].concat(),
        [plain("aksv", "graph", "1"), vec!["--cores", "1", "--cdma", "2"]].concat(),
        plain("aksv", "rvt", "0"),
        vec!["--chip", "aksv", "--writer", "model-rt"],
        plain("bm1688", "op", "0"),
        vec!["--chip", "bm1688", "--writer", "libsophon", "--pipelined"],
        plain("cv84x6", "rvt", "0"),
        [plain("cv84x6", "op", "1"), vec!["--pipelined"]].concat(),
        vec!["--chip", "cv84x6", "--writer", "libsophon"],
    ];
    let changes: [(f64, u32, f64, &[&str]); 6] = [
        (16.0, 1000, 1.0, &["--scale", "ddr=0.5"]),
        (128.0, 1000, 1.0, &["--scale", "ddr=4"]),
        (32.0, 500, 1.0, &["--tiu_freq", "500"]),
        (32.0, 4000, 1.0, &["--tiu_freq", "4000"]),
        (32.0, 1000, 0.0, &["--scale", "launch=0"]),
        (64.0, 2000, 4.0, &["--scale", "ddr=2", "--tiu_freq", "2000", "--scale", "launch=4"]),
    ];
    let keep = tempfile::tempdir().unwrap();
    let (mut held, mut all) = (0, 0);
    for (number, shape) in shapes.iter().enumerate() {
        let seed = (7 * number + 1).to_string();
        let dump = |name: String, own: &[String], plant: &[&str]| {
            let dir = keep.path().join(name);
            let own: Vec<&str> = own.iter().map(String::as_str).collect();
            let size = ["--launches", "11", "--repeat", "4", "--seed", &seed];
            synth(&dir, &[&shape[..], &size, &own, plant].concat());
            dir
        };
        let measured = |dir: &Path| ns(&whatif(dir, &["--scale", "sync=1"]), "measured_ns");
        let mut check = |from: &Path, change: &[&str], truth: i64| {
            let range = &whatif(from, change)["predicted_range_ns"];
            let [low, high] = [0, 1].map(|at| range[at].as_i64().unwrap());
            all += 1;
            held += u32::from((low..=high).contains(&truth));
            let most = truth / 200;
            assert!(
                (low - most..=high + most).contains(&truth),
                "{shape:?} {change:?}: {truth} is beyond {low} to {high} by more than 0.5 %"
            );
        };
        let base = dump(format!("{number}"), &hardware(32.0, 1000, 1.0), &[]);
        for (at, (ddr, mhz, gap, change)) in changes.into_iter().enumerate() {
            let truth = dump(format!("{number}-{at}"), &hardware(ddr, mhz, gap), &[]);
            check(&base, change, measured(&truth));
        }
        let plant = ["--plant", "imbalance=0:3"];
        let slow = dump(format!("{number}-slow"), &hardware(32.0, 1000, 1.0), &plant);
        check(&slow, &["--scale", "core:0=0.33333333"], measured(&base));
    }
    println!("{held} of {all} ranges hold the true time");
    assert!(held * 100 >= all * 98, "{held} of {all}");
}
