//! Predictions state between what the true time is.

use std::path::Path;

use super::{ns, synth, whatif};

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
