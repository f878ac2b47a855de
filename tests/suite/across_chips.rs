//! Predictions and bounds against what real chips took: the tables of the documents.

use std::fs;

use bigtpu_predict::estimate::{AcrossErrors, ERRORS_OF_COMMANDS, ERRORS_OF_PARTS};
use serde_json::Value;

use super::predictions_agree::{json, root};
use crate::support::run::{analyzed, say};

const CHIPS: [(&str, &str); 4] = [
    ("AKS", "cdm_profile_data_dev0_bm1690"),
    ("BM1684X", "bmprofile_data-1_bm1684x"),
    ("BM1688", "bmprofile_data-1_bm1688"),
    ("CV184X", "bmprofile_data-1_cv184x"),
];

fn real(name: &str) -> String {
    root().join("fixtures/real").join(name).display().to_string()
}

/// A file of costs without the paths of its dumps, as older versions wrote it.
fn without_paths(costs: &str, other: &str) {
    let mut file: Value = serde_json::from_str(&fs::read_to_string(costs).unwrap()).unwrap();
    for source in file["sources"].as_array_mut().unwrap() {
        assert!(source.as_object_mut().unwrap().remove("paths").is_some(), "{costs}");
    }
    fs::write(other, file.to_string()).unwrap();
}

/// blazeface in F16 on one core, measured on four chips: every prediction of one from another has a range that holds what was
/// measured. `costs.json` gives the prediction of its dump. The tables of docs/proof/across.md are what is predicted from a dump, and from
/// the parts of a `costs.json` without paths.
#[test]
fn one_network_on_four_chips_is_within_the_range() {
    let measured: Vec<f64> = CHIPS
        .iter()
        .map(|(_, name)| json(&["whatif", &real(name)])["measured_ns"].as_f64().unwrap())
        .collect();
    let keep = tempfile::tempdir().unwrap();
    let (mut commands, mut parts) = (Table::new(), Table::new());
    for (from, name) in CHIPS {
        let costs = keep.path().join(format!("{from}.json")).display().to_string();
        let bare = keep.path().join(format!("{from}-parts.json")).display().to_string();
        assert_eq!(say(&["costs", &real(name), "-o", &costs]).code, Some(0));
        without_paths(&costs, &bare);
        for ((to, _), took) in CHIPS.iter().zip(&measured) {
            let [replayed, from_costs, from_parts] = [&real(name), &costs, &bare].map(|file| {
                let estimate = json(&["estimate", file, "--on", to]);
                let range = estimate[1]["total"]["range_ns"].clone();
                (estimate[1]["total"]["time_ns"].as_f64().unwrap(), range)
            });
            if from == *to {
                assert_eq!([replayed.0, from_costs.0, from_parts.0], [*took; 3], "{from}");
                continue;
            }
            let found = json(&["whatif", &real(name), "--hw", to]);
            let predicted = found["predicted_ns"].as_f64().unwrap();
            commands.add([from, to], predicted, &found["machine_range_ns"], *took);
            assert!((replayed.0 / predicted - 1.0).abs() < 1e-3, "{from} to {to}: {replayed:?}");
            let ratio = from_costs.0 / replayed.0;
            assert!((ratio - 1.0).abs() < 0.005, "{from} to {to}: {ratio:.4}");
            let ends = |range: &Value| [0, 1].map(|at| range[at].as_f64().unwrap());
            let pairs = ends(&from_costs.1).into_iter().zip(ends(&replayed.1));
            assert!(pairs.into_iter().all(|(a, b)| (a / b - 1.0).abs() < 0.005), "{from} to {to}");
            parts.add([from, to], from_parts.0, &from_parts.1, *took);
            // By the same ratios: only what waits for what is not in the file.
            let ratio = from_parts.0 / predicted;
            assert!((0.88..=1.06).contains(&ratio), "{from} to {to}: {ratio:.3}");
        }
    }
    let docs = fs::read_to_string(root().join("docs/proof/across.md")).unwrap();
    for (table, errors) in [(commands, ERRORS_OF_COMMANDS), (parts, ERRORS_OF_PARTS)] {
        table.check(&errors, &docs);
    }
}

/// Predictions of one kind, as docs/proof/across.md shows them.
struct Table<'a> {
    text: String,
    directions: Vec<Direction<'a>>,
}

impl<'a> Table<'a> {
    fn new() -> Self {
        let head = "| measured on | predicted for | predicted (us) | range (us) | measured (us) | measured / predicted |\n|---|---|--:|---|--:|--:|\n";
        Self { text: head.to_owned(), directions: Vec::new() }
    }

    fn add(&mut self, chips: [&'a str; 2], predicted: f64, range: &Value, took: f64) {
        let us = |ns: f64| format!("{:.1}", ns / 1e3);
        let ends = [0, 1].map(|at| range[at].as_f64().unwrap());
        let [from, to] = chips;
        self.text += &format!(
            "| {from} | {to} | {} | {} to {} | {} | {:.2} |\n",
            us(predicted),
            us(ends[0]),
            us(ends[1]),
            us(took),
            took / predicted
        );
        assert!((ends[0]..=ends[1]).contains(&took), "{from} to {to}: {ends:?}\n{}", self.text);
        let to_larger = ends[0] >= predicted - 1.0;
        self.directions.push(Direction { chips, to_larger, error: took / predicted });
    }

    fn check(&self, errors: &AcrossErrors, docs: &str) {
        let Self { text, directions } = self;
        assert!(docs.contains(text), "docs/proof/across.md: its table is now\n{text}");
        // The range's ends are the extremes, in whole percent outwards.
        for (to_larger, ends) in [(false, errors.to_smaller), (true, errors.to_larger)] {
            let [least, most] =
                range_of(directions.iter().filter(|one| one.to_larger == to_larger));
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
        assert_eq!([held, 12], errors.held_without_prediction);
        left_out += &format!("| the prediction itself | 12 | {held} |\n");
        let mut sums = [0, 0];
        for (chip, _) in CHIPS {
            let has = |one: &&Direction<'_>| one.chips.contains(&chip);
            let others = || directions.iter().filter(|one| !has(one));
            let own: Vec<_> = directions.iter().filter(has).collect();
            let held = own.iter().filter(|one| one.is_held_by(others())).count();
            left_out += &format!("| {chip} | {} | {held} |\n", own.len());
            sums = [sums[0] + held as u32, sums[1] + own.len() as u32];
        }
        assert_eq!(sums, errors.held_without_chip, "{left_out}");
        assert!(docs.contains(&left_out), "docs/proof/across.md: its table is now\n{left_out}");
    }
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
