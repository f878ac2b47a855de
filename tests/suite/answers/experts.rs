//! What an expert says of the dumps of real hardware is what the tool says: which remedies, and what each gains by the replay.

use std::path::Path;

use serde_json::Value;

use super::{Synth, analyze, report, with};
use crate::support::case::fixture;
use crate::support::run::say;

/// Rule, us of its gain, and whether that is a bound.
type Remedy = (&'static str, f64, bool);

/// ns of gain, and whether it is a bound.
pub(super) fn gain(report: &Value, rule: &str) -> (i64, bool) {
    let advice = with(&report["advice"], "id", rule);
    (advice["gain_ns"].as_i64().unwrap(), advice["is_bound"] == true)
}

#[track_caller]
fn is_near(report: &Value, rule: &str, us: f64, is_bound: bool) {
    let (gain_ns, bound) = gain(report, rule);
    let gain = gain_ns as f64 / 1000.0;
    assert!((gain / us - 1.0).abs() < 0.02 && bound == is_bound, "{rule}: {gain} us, not {us}");
}

#[test]
fn remedies_of_the_real_dumps_are_those_of_experts() {
    // By hand: 78.6, 134 and 478 us of transfers that come back; the replay keeps what else the engines wait for.
    let expected: [(&str, &[Remedy]); 5] = [
        (
            "cdm_profile_data_dev0_bm1690",
            &[
                ("round-trips", 31.0, false),
                ("input-channels", 20.3, false),
                ("idle-cores", 115.0, true),
                ("dense-depthwise", 17.8, true),
            ],
        ),
        (
            "bmprofile_data-1_bm1684x",
            &[
                ("round-trips", 75.7, false),
                ("small-transfers", 19.5, false),
                ("dense-depthwise", 16.3, true),
            ],
        ),
        (
            "bmprofile_data-1_bm1688",
            &[
                ("round-trips", 132.8, false),
                ("short-pieces", 6.1, false),
                ("idle-cores", 98.5, true),
            ],
        ),
        (
            "bmprofile_data_bm1688_2core",
            &[
                ("core-imbalance", 551.7, false),
                ("input-channels", 272.8, false),
                ("round-trips", 102.8, false),
            ],
        ),
        (
            "bmprofile_data-1_cv184x",
            &[("round-trips", 428.7, false), ("input-channels", 75.3, false)],
        ),
    ];
    for (dump, remedies) in expected {
        let report = report(&analyze(&fixture("real").join(dump)));
        remedies.iter().for_each(|(rule, us, bound)| is_near(&report, rule, *us, *bound));
        let gains: Vec<i64> = remedies
            .iter()
            .filter(|(.., is_bound)| !is_bound)
            .map(|(rule, ..)| gain(&report, rule).0)
            .collect();
        assert!(gains.is_sorted_by(|a, b| a >= b), "{dump}: {gains:?}");
        if dump.contains("2core") {
            // Less than 1 % of the run is no advice of its own: it is told where the work is to be divided.
            let text = with(&report["advice"], "id", "core-imbalance")["text"].to_string();
            assert!(text.contains("load the same 222.7 kB"), "{text}");
        }
        // The verdict is the first advice; the greatest gain that is known is told with it where a bound is greater.
        let verdict = &report["verdict"];
        assert_eq!(verdict["rule"], report["advice"][0]["id"], "{dump}");
        let known = verdict.get("known_rule").unwrap_or(&verdict["rule"]);
        assert_eq!(known, remedies[0].0, "{dump}");
    }
}

/// Writes bits of a command's words: the first bit, the number of bits, and the value.
fn put(words: &mut [u8], (first, bits): (usize, usize), value: u64) {
    for bit in 0..bits {
        let (byte, mask) = ((first + bit) / 8, 1 << ((first + bit) % 8));
        let is_set = value >> bit & 1 == 1;
        words[byte] = if is_set { words[byte] | mask } else { words[byte] & !mask };
    }
}

fn take(words: &[u8], (first, bits): (usize, usize)) -> u64 {
    (0..bits).map(|bit| u64::from(words[(first + bit) / 8] >> ((first + bit) % 8) & 1) << bit).sum()
}

/// Writes the convolutions of a filter (input channels, height, width) in the form that the advice names: the filter's rows are input
/// channels. Returns how many there are. The bits are those of `sCONV` of AKS, BM1688 and CV184X.
fn pack_convolutions(file: &mut [u8], [channels, height, width]: [u64; 3]) -> usize {
    const BYTES: usize = 64;
    const SHORT: (usize, usize) = (0, 1);
    const TASK: (usize, usize) = (41, 4);
    const TOP_PAD: (usize, usize) = (73, 4);
    const BOTTOM_PAD: (usize, usize) = (77, 4);
    const ROW_STRIDE: (usize, usize) = (93, 4);
    const RESULT_ROWS: (usize, usize) = (192, 16);
    const CHANNELS: (usize, usize) = (224, 16);
    const ROWS: (usize, usize) = (240, 16);
    const HEIGHT: (usize, usize) = (272, 16);
    const WIDTH: (usize, usize) = (288, 16);
    let mut count = 0;
    for at in (0..=file.len().saturating_sub(BYTES)).step_by(4) {
        let words = &mut file[at..at + BYTES];
        let is_convolution = take(words, SHORT) == 1 && take(words, TASK) == 0;
        let filter = [take(words, CHANNELS), take(words, HEIGHT), take(words, WIDTH)];
        if !is_convolution || filter != [channels, height, width] || take(words, ROW_STRIDE) != 2 {
            continue;
        }
        let rows = take(words, RESULT_ROWS);
        let changes = [
            (CHANNELS, channels * height),
            (HEIGHT, 1),
            (ROWS, rows),
            (ROW_STRIDE, 1),
            (TOP_PAD, 0),
            (BOTTOM_PAD, 0),
        ];
        changes.into_iter().for_each(|(field, value)| put(words, field, value));
        count += 1;
    }
    count
}

/// ns that a dump's commands take by the cost rules.
fn simulated(dump: &Path) -> f64 {
    let said = say(&["simulate", dump.to_str().unwrap(), "--json"]);
    let answer: Value = serde_json::from_str(&said.stdout).unwrap();
    answer["predicted_ns"].as_f64().unwrap()
}

#[test]
fn first_convolutions_gain_what_the_simulation_of_the_changed_commands_gives() {
    // The simulation has no larger input to load, which the advice takes off.
    for (name, filter, count, us) in [
        ("cdm_profile_data_dev0_bm1690", [3, 5, 5], 1, 21.4),
        ("bmprofile_data_bm1688_2core", [3, 7, 7], 1, 297.9),
        ("bmprofile_data-1_cv184x", [3, 5, 5], 3, 93.1),
    ] {
        let source = fixture("real").join(name);
        let keep = tempfile::tempdir().unwrap();
        let copy = keep.path().join(name);
        std::fs::create_dir(&copy).unwrap();
        let mut found = 0;
        for entry in std::fs::read_dir(&source).unwrap().map(Result::unwrap) {
            let mut bytes = std::fs::read(entry.path()).unwrap();
            let file = entry.file_name().into_string().unwrap();
            if !file.ends_with(".mlir") && !file.ends_with(".json") && file != "global.profile" {
                found += pack_convolutions(&mut bytes, filter);
            }
            std::fs::write(copy.join(file), bytes).unwrap();
        }
        assert_eq!(found, count, "{name}");
        let gained = (simulated(&source) - simulated(&copy)) / 1e3;
        assert!((gained / us - 1.0).abs() < 0.01, "{name}: {gained} us");
        let said = gain(&report(&analyze(&source)), "input-channels").0 as f64 / 1e3;
        assert!(said < gained && said > 0.8 * gained, "{name}: {said} of {gained} us");
    }
}

fn wall(report: &Value) -> i64 {
    report["intervals"]["overall"]["wall_ns"].as_i64().unwrap()
}

/// What a fault costs, and what the rule says, in ns.
fn planted(shape: &[&str], fault: &str, without: &[&str], rule: &str) -> (i64, i64, bool) {
    let with_fault = Synth::new(&[shape, &["--plant", fault]].concat()).report();
    let healthy = Synth::new(&[shape, without].concat()).report();
    let ids: Vec<&Value> =
        healthy["advice"].as_array().unwrap().iter().map(|advice| &advice["id"]).collect();
    assert!(!ids.contains(&&Value::from(rule)), "{shape:?} {ids:?}");
    let (said, is_bound) = gain(&with_fault, rule);
    (said, wall(&with_fault) - wall(&healthy), is_bound)
}

#[test]
fn results_that_go_out_and_come_back_are_worth_what_they_cost() {
    for chip in ["aks", "aksv", "bm1688", "cv84x6"] {
        for bytes in ["16384", "131072"] {
            let shape = ["--chip", chip, "--cores", "2", "--launches", "11"];
            let fault = format!("spill={bytes}");
            let (said, cost, is_bound) = planted(&shape, &fault, &[], "round-trips");
            let error = (said - cost) as f64 / cost as f64;
            assert!(error.abs() < 0.1 && !is_bound, "{chip} {bytes}: {said} of {cost} ns");
        }
    }
}

/// Where no memory is shared, a core can load its part only: at best the rest of each load is saved.
#[test]
fn what_all_cores_load_is_bounded_by_its_parts() {
    for (chip, seed) in [("aks", "1"), ("bm1688", "31"), ("cv84x6", "77")] {
        let shape = ["--chip", chip, "--cores", "2", "--launches", "11", "--launch-gap", "0"];
        let shape = [&shape[..], &["--pipelined", "--seed", seed]].concat();
        let without = ["--plant", "shared-loads=32768"];
        let with_fault = [&shape[..], &["--plant", "shared-loads=65536"]].concat();
        let with_fault = Synth::new(&with_fault).report();
        let parts = Synth::new(&[&shape[..], &without].concat()).report();
        let (said, is_bound) = gain(&with_fault, "shared-loads");
        let cost = wall(&with_fault) - wall(&parts);
        assert!(is_bound && (cost..cost * 3 / 2).contains(&said), "{chip}: {said} of {cost} ns");
        let healthy = Synth::new(&shape).report();
        assert!(!healthy["advice"].to_string().contains("shared-loads"), "{chip}");
    }
}

/// Less than a tenth of all bytes, so that `ddr-reuse` does not say it.
#[test]
fn what_all_cores_load_is_worth_what_it_costs_from_l2m() {
    for seed in ["1", "40"] {
        let shape = ["--chip", "aks", "--launches", "11", "--launch-gap", "0", "--pipelined"];
        let shape = [&shape[..], &["--l2m-gbps", "128", "--seed", seed]].concat();
        let without = ["--plant", "shared-loads=8192:l2m"];
        let (said, cost, is_bound) = planted(&shape, "shared-loads=8192", &without, "shared-loads");
        assert!(!is_bound && (said - cost).abs() * 10 < cost, "{seed}: {said} of {cost} ns");
    }
}

#[test]
fn cores_without_work_bound_what_they_could_do() {
    for chip in ["aks", "cv84x6"] {
        let shape = ["--chip", chip, "--cores", "2", "--launches", "11"];
        let (said, cost, is_bound) = planted(&shape, "idle-cores=1", &[], "idle-cores");
        let error = (said - cost) as f64 / cost as f64;
        assert!(is_bound && error.abs() < 0.1, "{chip}: {said} of {cost} ns");
    }
    // Transfers that are slower than the share of each of all cores: half of the chip takes nearly twice as long.
    let shape = ["--chip", "aks", "--launches", "11", "--pipelined"];
    let (said, cost, is_bound) = planted(&shape, "idle-cores=4", &[], "idle-cores");
    assert!(is_bound && said * 10 > cost * 9, "{said} of {cost} ns");
}

#[test]
fn dense_halves_of_separable_convolutions_are_worth_what_they_cost() {
    let shape = ["--chip", "aks", "--cores", "1", "--kernel", "conv_relu", "--launches", "8"];
    let without = ["--plant", "depthwise"];
    let (said, cost, is_bound) = planted(&shape, "dense-depthwise", &without, "dense-depthwise");
    assert!(is_bound && said >= cost * 9 / 10, "{said} of {cost} ns");
}

/// What all advice together saves, and what the faults cost, in ns.
fn together(shape: &[&str], faults: &[&str]) -> (i64, i64) {
    let plants: Vec<&str> = faults.iter().flat_map(|fault| ["--plant", fault]).collect();
    let with_faults = Synth::new(&[shape, &plants].concat()).report();
    let healthy = Synth::new(shape).report();
    let said = with_faults["advice_together"]["gain_ns"].as_i64().unwrap();
    (said, wall(&with_faults) - wall(&healthy))
}

#[test]
fn partly_serialized_runs_and_combinations_are_worth_what_they_cost() {
    let one = ["--chip", "aks", "--cores", "1", "--launches", "11", "--launch-gap", "0"];
    let one = [&one[..], &["--pipelined", "--seed", "9454"]].concat();
    let two = ["--chip", "bm1688", "--cores", "2", "--launches", "11", "--launch-gap", "0"];
    let two = [&two[..], &["--pipelined"]].concat();
    let cases: [(&[&str], &[&str]); 8] = [
        (&one, &["serialized=20"]),
        (&one, &["serialized=60"]),
        (&one, &["small-transfers=12", "serialized=100"]),
        (&one, &["serialized=60", "slow-kernel=rope:3"]),
        // Computation is less than a tenth of the run.
        (&one, &["serialized=80", "small-transfers=8", "bubble=0:tiu:425"]),
        (&two, &["serialized=20"]),
        (&two, &["serialized=40", "imbalance=1:1.5"]),
        (&two, &["serialized=40", "small-transfers=4"]),
    ];
    for (shape, faults) in cases {
        let (said, cost) = together(shape, faults);
        let error = (said - cost) as f64 / cost as f64;
        assert!(error.abs() < 0.05, "{faults:?}: {said} of {cost} ns");
    }
}

/// Commands that take turns without saying so wait for what ended right before them: without a fault they begin earlier.
#[test]
fn one_fault_of_two_is_worth_what_it_costs_beside_the_other() {
    let shape = ["--chip", "aks", "--cores", "1", "--launches", "11", "--launch-gap", "0"];
    let shape = [&shape[..], &["--pipelined", "--seed", "9454"]].concat();
    let serialized = [&shape[..], &["--plant", "serialized=100"]].concat();
    let both = [&serialized[..], &["--plant", "small-transfers=12"]].concat();
    let (both, other) = (Synth::new(&both).report(), Synth::new(&serialized).report());
    let ((said, _), cost) = (gain(&both, "small-transfers"), wall(&both) - wall(&other));
    let error = (said - cost) as f64 / cost as f64;
    assert!(error.abs() < 0.1, "{said} of {cost} ns");
    // Idle time that serialized explains is no stall.
    let stall = both["advice"].as_array().unwrap().iter().find(|advice| advice["id"] == "stall");
    assert_eq!(stall, None);
}

#[test]
fn idle_time_inside_launches_is_not_of_an_unknown_cause() {
    let shape = ["--chip", "aks", "--launches", "22", "--launch-gap", "0", "--pipelined"];
    let report = Synth::new(&[&shape[..], &["--plant", "serialized=60"]].concat()).report();
    assert_eq!(report["verdict"]["rule"], "serialized");
}
