//! Predictions against the same run on that hardware, which `synth` writes.

use std::path::Path;

use serde_json::Value;

use super::{ns, synth, whatif};

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
