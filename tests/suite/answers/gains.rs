//! What advice says can be won, against the wall time of the same dump without the fault. The table of
//! `docs/analysis.md` shows the same figures.

use serde_json::Value;

use super::{Synth, with};

/// Said gains may miss the true ones by this share ...
const WITHIN: f64 = 0.15;
/// ... but exceed them only by the usual spread of the cores, which the dump without the fault has too.
const BEYOND: f64 = 0.02;

fn wall(report: &Value) -> f64 {
    report["intervals"]["overall"]["wall_ns"].as_f64().unwrap()
}

#[track_caller]
fn check(chip: &str, rule: &str, plants: [&str; 2]) {
    let shape = ["--chip", chip, "--launches", "11"];
    let healthy = Synth::new(&shape).report();
    let ids: Vec<&Value> =
        healthy["advice"].as_array().unwrap().iter().map(|advice| &advice["id"]).collect();
    assert!(!ids.contains(&&Value::from(rule)), "{chip}: {rule} without a fault, {ids:?}");
    for plant in plants {
        let report = Synth::new(&[&shape[..], &["--plant", plant]].concat()).report();
        let lost = wall(&report) - wall(&healthy);
        let said = with(&report["advice"], "id", rule)["gain_ns"].as_f64().unwrap();
        println!("| {chip} | `{plant}` | {rule} | {:.1} us | {:.1} us |", said / 1e3, lost / 1e3);
        let ratio = said / lost;
        assert!((1.0 - WITHIN..=1.0 + BEYOND).contains(&ratio), "{chip} {plant}: {said} of {lost}");
    }
}

#[test]
fn a_slow_core_is_worth_what_it_cost() {
    for chip in ["aks", "aksv", "bm1688", "cv84x6"] {
        check(chip, "core-imbalance", ["imbalance=1:1.5", "imbalance=1:3"]);
        check(chip, "sync-waits", ["imbalance=1:1.5", "imbalance=1:3"]);
    }
}

#[test]
fn a_bubble_inside_a_launch_is_worth_what_it_cost() {
    for chip in ["aks", "aksv", "bm1688", "cv84x6"] {
        check(chip, "stall", ["bubble=1:tiu:200", "bubble=1:tiu:500"]);
    }
}
