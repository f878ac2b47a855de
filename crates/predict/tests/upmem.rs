//! Every recorded run of the UPMEM LLM framework (commit 8c64e9c), number by number.
#![allow(clippy::unwrap_used, clippy::panic)]

use bigtpu_model::{GraphSettings, Semantics, read_op_list};
use bigtpu_predict::estimate::{Job, Workload};
use serde_json::{Value, json};

const TOLERANCE: f64 = 1e-9;

#[test]
fn all_recorded_runs_are_equal() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/upmem");
    let mut runs = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        compare(&name, &text);
        runs += 1;
    }
    assert!(runs >= 101, "only {runs} runs were found");
}

fn compare(name: &str, text: &str) {
    let recorded: Value = serde_json::from_str(text).unwrap();
    let model = read_op_list(text).unwrap_or_else(|error| panic!("{name}: {error}"));
    let settings = GraphSettings { semantics: Semantics::Upmem, ..model.settings };
    let workload = Workload::new(&model.operators, &settings)
        .unwrap_or_else(|error| panic!("{name}: {error}"));
    let job = Job { workload: &workload, machines: &model.machines, mapping: &model.mapping };
    let estimate = job.run("mapping").unwrap_or_else(|error| panic!("{name}: {error}"));

    let ops = recorded["ops"].as_array().unwrap();
    assert_eq!(ops.len(), estimate.steps.len(), "{name}");
    for (index, (op, step)) in ops.iter().zip(&estimate.steps).enumerate() {
        let place = format!("{name}: op {index} {} {}", op["name"], op["context"]);
        assert_eq!(op["phase"], step.phase.short_name(), "{place}");
        close(&place, &op["start_ns"], step.start_ns);
        close(&place, &op["time_ns"], step.cost.time_ns);
        alike(&place, &op["time_parts_ns"], &json!(step.cost.time));
        alike(&place, &op["energy_pj"], &json!(step.cost.energy));
        alike(&place, &op["transfer_bytes"], &json!(step.cost.transfers));
    }
    let total = &recorded["total"];
    close(name, &total["time_ns"], estimate.time_ns());
    close(name, &total["passes"], estimate.passes as f64);
    close(name, &total["gen_tokens"], estimate.gen_tokens as f64);
    for (phase, sums) in ["sum", "gen"].iter().zip(&estimate.phases) {
        let place = format!("{name}: total {phase}");
        close(&place, &total[format!("{phase}_time_ns")], sums.time_ns);
        alike(&place, &total[format!("{phase}_time_parts_ns")], &json!(sums.time));
        alike(&place, &total[format!("{phase}_energy_pj")], &json!(sums.energy));
        alike(&place, &total[format!("{phase}_transfer_bytes")], &json!(sums.transfers));
    }
}

fn close(place: &str, expected: &Value, found: f64) {
    let expected = expected.as_f64().unwrap_or_else(|| panic!("{place}: no number"));
    let error = (expected - found).abs();
    assert!(error <= TOLERANCE * expected.abs(), "{place}: {found} instead of {expected}");
}

/// Both objects have equal keys, with values alike.
fn alike(place: &str, expected: &Value, found: &Value) {
    let (expected, found) = (expected.as_object().unwrap(), found.as_object().unwrap());
    let names = |map: &serde_json::Map<String, Value>| map.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(expected), names(found), "{place}");
    for (key, value) in expected {
        close(&format!("{place}: {key}"), value, found[key].as_f64().unwrap());
    }
}
