//! Predictions and bounds against what real chips took: the tables of the documents.

use std::fs;

use bigtpu_predict::estimate::{HELD_WITHOUT_CHIP, HELD_WITHOUT_PREDICTION};
use serde_json::Value;

use super::predictions_agree::{json, root};
use crate::support::run::analyzed;

/// blazeface in F16 on one core, measured on four chips: every prediction of one from another has a range that holds what was
/// measured. The table of docs/proof/across.md is what is predicted.
#[test]
fn one_network_on_four_chips_is_within_the_range() {
    let chips = [
        ("AKS", "cdm_profile_data_dev0_bm1690"),
        ("BM1684X", "bmprofile_data-1_bm1684x"),
        ("BM1688", "bmprofile_data-1_bm1688"),
        ("CV184X", "bmprofile_data-1_cv184x"),
    ];
    let dump = |name: &str| root().join("fixtures/real").join(name).display().to_string();
    let us = |ns: f64| format!("{:.1}", ns / 1e3);
    let measured: Vec<f64> = chips
        .iter()
        .map(|(_, name)| json(&["whatif", &dump(name)])["measured_ns"].as_f64().unwrap())
        .collect();
    let mut table = String::from(
        "| measured on | predicted for | predicted (us) | range (us) | measured (us) | measured / predicted |\n|---|---|--:|---|--:|--:|\n",
    );
    let mut directions = Vec::new();
    for (from, name) in chips {
        for ((to, _), real) in chips.iter().zip(&measured) {
            if from == *to {
                continue;
            }
            let found = json(&["whatif", &dump(name), "--hw", to]);
            let predicted = found["predicted_ns"].as_f64().unwrap();
            let end = |at: usize| found["machine_range_ns"][at].as_f64().unwrap();
            table += &format!(
                "| {from} | {to} | {} | {} to {} | {} | {:.2} |\n",
                us(predicted),
                us(end(0)),
                us(end(1)),
                us(*real),
                real / predicted
            );
            assert!((end(0)..=end(1)).contains(real), "{from} to {to}: {found}\n{table}");
            directions.push(Direction {
                chips: [from, to],
                to_larger: end(0) >= predicted - 1.0,
                error: real / predicted,
            });
            let estimate = json(&["estimate", &dump(name), "--on", to]);
            let other = estimate[1]["total"]["time_ns"].as_f64().unwrap();
            assert!((other / predicted - 1.0).abs() < 1e-3, "{from} to {to}: {other} {predicted}");
        }
    }
    let docs = fs::read_to_string(root().join("docs/proof/across.md")).unwrap();
    assert!(docs.contains(&table), "docs/proof/across.md: its table is now\n{table}");
    // The range's ends are the extremes, in whole percent outwards.
    for (to_larger, ends) in [(false, [0.55, 1.12]), (true, [1.0, 1.54])] {
        let [least, most] = range_of(directions.iter().filter(|one| one.to_larger == to_larger));
        assert_eq!(
            [(least * 100.0).floor(), (most * 100.0).ceil()],
            ends.map(|end| (end * 100.0_f64).round())
        );
    }
    // How well a range does that has not seen what it is tested on.
    let mut left_out =
        String::from("| not used for the range | measured times | held |\n|---|--:|--:|\n");
    let held = (0..directions.len()).filter(|&at| {
        let others = directions.iter().enumerate().filter(|(other, _)| *other != at);
        directions[at].is_held_by(others.map(|(_, one)| one))
    });
    let held = u32::try_from(held.count()).unwrap();
    assert_eq!([held, 12], HELD_WITHOUT_PREDICTION);
    left_out += &format!("| the prediction itself | 12 | {held} |\n");
    let mut sums = [0, 0];
    for (chip, _) in chips {
        let has = |one: &&Direction<'_>| one.chips.contains(&chip);
        let others = || directions.iter().filter(|one| !has(one));
        let own: Vec<_> = directions.iter().filter(has).collect();
        let held = own.iter().filter(|one| one.is_held_by(others())).count();
        left_out += &format!("| {chip} | {} | {held} |\n", own.len());
        sums = [sums[0] + held as u32, sums[1] + own.len() as u32];
    }
    assert_eq!(sums, HELD_WITHOUT_CHIP, "{left_out}");
    assert!(docs.contains(&left_out), "docs/proof/across.md: its table is now\n{left_out}");
}

/// Sums of the measured times of layers over their bounds, as docs/proof/estimate.md shows them.
#[test]
fn hardware_takes_longer_than_the_bounds() {
    let dumps = [
        ("AKS", "cdm_profile_data_dev0_bm1690"),
        ("BM1684X", "bmprofile_data-1_bm1684x"),
        ("BM1688", "bmprofile_data-1_bm1688"),
        ("BM1688, two cores", "bmprofile_data_bm1688_2core"),
        ("CV184X", "bmprofile_data-1_cv184x"),
    ];
    let mut table = String::from(
        "| chip | dump | layers | measured (us) | roofs (us) | measured / roofs |\n|---|---|--:|--:|--:|--:|\n",
    );
    for (chip, name) in dumps {
        let run = analyzed(&root().join("fixtures/real").join(name), &["--emit", "report"]);
        let report: Value = serde_json::from_str(&run.text("report.json")).unwrap();
        let layers = report["roofline"]["layers"].as_array().unwrap();
        let (mut count, mut measured, mut bounds) = (0, 0.0, 0.0);
        for layer in layers.iter().filter(|layer| layer["ops"].as_f64().is_some_and(|n| n > 0.0)) {
            let ns = |key: &str| layer[key].as_f64().unwrap();
            count += 1;
            measured += ns("ns");
            bounds += ns("ideal_compute_ns").max(ns("ideal_ddr_ns"));
        }
        assert!(measured > bounds && bounds > 0.0, "{name}: {measured} {bounds}");
        table += &format!(
            "| {chip} | `{name}` | {count} | {:.1} | {:.1} | {:.1} |\n",
            measured / 1e3,
            bounds / 1e3,
            measured / bounds
        );
    }
    let docs = fs::read_to_string(root().join("docs/proof/estimate.md")).unwrap();
    assert!(docs.contains(&table), "docs/proof/estimate.md: its table is now\n{table}");
}

/// One of the twelve predictions.
struct Direction<'a> {
    chips: [&'a str; 2],
    /// To a larger matrix unit.
    to_larger: bool,
    /// Measured over predicted time.
    error: f64,
}

/// The extremes, the prediction itself included.
fn range_of<'a>(directions: impl Iterator<Item = &'a Direction<'a>>) -> [f64; 2] {
    directions.fold([1.0, 1.0], |[least, most], one| [one.error.min(least), one.error.max(most)])
}

impl Direction<'_> {
    /// Whether the range that others make holds it.
    fn is_held_by<'a>(&self, others: impl Iterator<Item = &'a Direction<'a>>) -> bool {
        let [least, most] = range_of(others.filter(|one| one.to_larger == self.to_larger));
        (least..=most).contains(&self.error)
    }
}
