//! What advice says can be won, against the wall time of the same dump without the fault. The table of
//! `docs/proof/analysis.md` shows the same figures.

use serde_json::Value;

use super::{Synth, with};

/// Said gains may miss the true ones by this share ...
const WITHIN: f64 = 0.10;
/// ... but exceed them only by the usual spread of the cores, which the dump without the fault has too.
const BEYOND: f64 = 0.02;

fn wall(report: &Value) -> f64 {
    report["intervals"]["overall"]["wall_ns"].as_f64().unwrap()
}

#[track_caller]
fn check(chip: &str, rule: &str, plants: [&str; 2]) {
    let faults = plants.map(|plant| vec!["--plant", plant]);
    compare(chip, rule, &[], &[], &faults.each_ref().map(Vec::as_slice));
}

/// Plants faults into dumps of the options `shape`. `healthy`: what makes a dump without the fault.
#[track_caller]
fn compare(chip: &str, rule: &str, shape: &[&str], healthy: &[&str], faults: &[&[&str]]) {
    let shape = [&["--chip", chip, "--launches", "11"], shape].concat();
    let healthy = Synth::new(&[&shape[..], healthy].concat()).report();
    let ids: Vec<&Value> =
        healthy["advice"].as_array().unwrap().iter().map(|advice| &advice["id"]).collect();
    assert!(!ids.contains(&&Value::from(rule)), "{chip}: {rule} without a fault, {ids:?}");
    for fault in faults {
        let report = Synth::new(&[&shape[..], fault].concat()).report();
        let lost = wall(&report) - wall(&healthy);
        let advice = with(&report["advice"], "id", rule);
        assert_eq!(advice["replayed"], true, "{chip} {fault:?}");
        let said = advice["gain_ns"].as_f64().unwrap();
        let words = shape.iter().skip(4).chain(fault.iter());
        let options: Vec<&str> = words.copied().filter(|word| *word != "--plant").collect();
        let options = options.join(" ");
        println!("| {chip} | `{options}` | {rule} | {:.1} us | {:.1} us |", said / 1e3, lost / 1e3);
        let ratio = said / lost;
        assert!(
            (1.0 - WITHIN..=1.0 + BEYOND).contains(&ratio),
            "{chip} {fault:?}: {said} of {lost}"
        );
    }
}

#[test]
fn a_slow_core_is_worth_what_it_cost() {
    for chip in ["aks", "aksv", "bm1688", "cv84x6"] {
        check(chip, "core-imbalance", ["imbalance=1:1.5", "imbalance=1:3"]);
    }
}

/// Cores that wait for a slow one are the same fault: it is reported once, with the waits as evidence.
#[test]
fn waits_for_a_slow_core_are_its_evidence() {
    let report = Synth::new(&["--launches", "11", "--plant", "imbalance=1:3"]).report();
    let ids: Vec<&Value> =
        report["advice"].as_array().unwrap().iter().map(|advice| &advice["id"]).collect();
    assert!(!ids.contains(&&Value::from("sync-waits")), "{ids:?}");
    let cause = with(&report["advice"], "id", "core-imbalance");
    let late = with(&cause["evidence"], "what", "barriers at which it arrived last");
    assert_eq!(
        (late["value"].as_f64() > Some(10.0), &late["place"]),
        (true, &"core 1".into()),
        "{cause:#}"
    );
    // What the other cores wait says nothing that the cause does not.
    let whats: Vec<&Value> =
        cause["evidence"].as_array().unwrap().iter().map(|evidence| &evidence["what"]).collect();
    assert!(!whats.contains(&&Value::from("waits and system commands only")), "{cause:#}");
    assert!(cause["text"].as_str().unwrap().contains("The other cores wait for it."), "{cause:#}");
}

#[test]
fn a_bubble_inside_a_launch_is_worth_what_it_cost() {
    for chip in ["aks", "aksv", "bm1688", "cv84x6"] {
        check(chip, "stall", ["bubble=1:tiu:200", "bubble=1:tiu:500"]);
    }
}

/// A long gap before one launch is worth what it cost; the gaps before the other launches count as well.
#[test]
fn a_launch_gap_is_worth_what_it_cost() {
    for chip in ["aks", "aksv", "bm1688", "cv84x6"] {
        let shape = ["--chip", chip, "--launches", "11"];
        let tight = Synth::new(&[&shape[..], &["--launch-gap", "0"]].concat()).report();
        for plant in ["launch-gap=200", "launch-gap=500"] {
            let report = Synth::new(&[&shape[..], &["--plant", plant]].concat()).report();
            let lost = wall(&report) - wall(&tight);
            let advice = with(&report["advice"], "id", "launch-overhead");
            let said = advice["gain_ns"].as_f64().unwrap();
            println!(
                "| {chip} | `{plant}` | launch-overhead | {:.1} us | {:.1} us |",
                said / 1e3,
                lost / 1e3
            );
            assert_eq!(advice["replayed"], true, "{chip} {plant}");
            let ratio = said / lost;
            assert!(
                (1.0 - WITHIN..=1.0 + BEYOND).contains(&ratio),
                "{chip} {plant}: {said} of {lost}"
            );
        }
    }
}

/// Transfers and computation could overlap, and do not.
#[test]
fn serialized_tiles_are_worth_what_they_cost() {
    for chip in ["aks", "aksv", "bm1688", "cv84x6"] {
        let faults = [&["--plant", "serialized=80"][..], &["--plant", "serialized=100"]];
        compare(chip, "serialized", &["--pipelined"], &[], &faults);
    }
}

#[test]
fn small_transfers_are_worth_what_they_cost() {
    for chip in ["aks", "aksv", "bm1688", "cv84x6"] {
        check(chip, "small-transfers", ["small-transfers=6", "small-transfers=12"]);
    }
}

#[test]
fn unaligned_shapes_are_worth_what_they_cost() {
    for chip in ["aks", "aksv", "bm1688", "cv84x6"] {
        check(chip, "unaligned-shapes", ["unaligned=4", "unaligned=2"]);
    }
}

/// Only the PMU of CV84X6 counts them.
#[test]
fn bank_conflicts_are_worth_what_they_cost() {
    check("cv84x6", "bank-conflicts", ["bank-conflicts=500", "bank-conflicts=2000"]);
}

/// Every tile loads the same weights from DDR; without the fault, all but the first load them from L2M.
#[test]
fn repeated_loads_are_worth_what_they_cost() {
    for chip in ["aks", "aksv"] {
        let healthy = ["--plant", "weights=l2m"];
        for tiles in ["8", "24"] {
            let shape = ["--l2m-gbps", "128", "--repeat", tiles];
            compare(chip, "ddr-reuse", &shape, &healthy, &[&["--plant", "weights=ddr"]]);
        }
    }
}

/// Two faults at once: together they are worth what both cost.
#[test]
fn all_advice_together_is_worth_what_all_faults_cost() {
    let shape = ["--launches", "11", "--pipelined"];
    let faults = ["--plant", "imbalance=1:3", "--plant", "launch-gap=500"];
    let tight = Synth::new(&[&shape[..], &["--launch-gap", "0"]].concat()).report();
    let report = Synth::new(&[&shape[..], &faults].concat()).report();
    let said = report["advice_together"]["gain_ns"].as_f64().unwrap();
    let lost = wall(&report) - wall(&tight);
    assert!(said >= lost * (1.0 - WITHIN) && said <= lost * (1.0 + BEYOND), "{said} of {lost}");
}

/// Dumps without a fault: the loads of a tile run ahead; the launches follow one another at once.
#[test]
fn a_dump_without_a_fault_gives_no_advice() {
    for chip in ["aks", "aksv", "bm1688", "cv84x6"] {
        for launches in ["20", "40"] {
            let options =
                ["--chip", chip, "--launches", launches, "--launch-gap", "0", "--pipelined"];
            let record_only = [&options[..], &["--mode", "0"]].concat();
            let reports = [&options[..], &record_only].map(|options| Synth::new(options).report());
            for advice in reports.iter().flat_map(|report| report["advice"].as_array().unwrap()) {
                let is_small = advice["gain"].as_f64().is_none_or(|gain| gain < 0.03);
                assert!(is_small, "{chip} {launches} {advice:#}");
            }
        }
    }
}

/// Loads ahead of their use, and launches without pauses: nothing is left to advise, in any style and with few tiles.
#[test]
fn healthy_runs_get_no_advice() {
    let styles = [&["--style", "op"][..], &["--style", "graph"], &["--style", "bmodel"]];
    for chip in ["aks", "aksv", "bm1688", "cv84x6"] {
        for style in styles.into_iter().chain([&["--repeat", "3"][..]]) {
            let shape = [&["--chip", chip, "--launches", "22", "--pipelined"], style].concat();
            let report = Synth::new(&[&shape[..], &["--launch-gap", "0.05"]].concat()).report();
            let is_fault = |advice: &&Value| advice["gain"].as_f64() > Some(0.03);
            let advice = report["advice"].as_array().unwrap();
            assert_eq!(advice.iter().find(is_fault), None, "{shape:?}");
        }
    }
}
