//! Events of reference runs: PerFlow-AI's own rules, and an independent simulator with complete dependences.
//!
//! `tests/data/pipeline/*.jsonl` has a run a line; `starts` are those of all events ordered by type (F, B, W), stage, microbatch
//! and chunk.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use bigtpu_predict::pipeline::{
    Cost, CostPer, Phase, PipelineRules, Plan, StageCosts, Timeline, Transfers,
};
use serde_json::Value;

fn cases(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn number(case: &Value, key: &str) -> u32 {
    case[key].as_u64().unwrap().try_into().unwrap()
}

fn plan(case: &Value, rules: PipelineRules) -> Plan {
    let costs: Vec<Cost> = case["costs"]
        .as_array()
        .unwrap()
        .iter()
        .map(|c| Cost::new(c[0].as_u64().unwrap(), c[1].as_u64().unwrap(), c[2].as_u64().unwrap()))
        .collect();
    let stages = number(case, "stages") as usize;
    let costs = if costs.len() == 1 { vec![costs[0]; stages] } else { costs };
    let comm = case["comm"].as_u64().unwrap_or(0);
    Plan {
        chunks: Some(number(case, "chunks")),
        costs: StageCosts::Stages(costs, CostPer::Chunk),
        transfers: Transfers { comm, ..Transfers::default() },
        backward_alone: true,
        rules,
        ..Plan::uniform(
            case["schedule"].as_str().unwrap().parse().unwrap(),
            0,
            number(case, "microbatches"),
            Cost::default(),
        )
    }
}

fn starts(timeline: &Timeline) -> Vec<u64> {
    let mut events = timeline.events.clone();
    events.sort_by_key(|p| {
        let phase = Phase::ALL.iter().position(|&phase| phase == p.event.phase);
        (phase, p.event.stage, p.event.microbatch, p.event.chunk)
    });
    events.iter().map(|placed| placed.start).collect()
}

fn check(case: &Value, timeline: &Timeline) {
    let name = &case["case"];
    let expected: Vec<u64> =
        case["starts"].as_array().unwrap().iter().map(|start| start.as_u64().unwrap()).collect();
    assert_eq!(starts(timeline), expected, "{name}");
    assert_eq!(timeline.makespan(), case["makespan"].as_u64().unwrap(), "{name}");
    let bubble = case["bubble_ratio"].as_f64().unwrap();
    assert!((timeline.bubble_ratio() - bubble).abs() < 1e-6, "{name}");
}

#[test]
fn compatible_rules_give_every_event_of_perflow() {
    let cases = cases(include_str!("data/pipeline/compat.jsonl"));
    assert_eq!(cases.len(), 100);
    for case in &cases {
        let timeline = plan(case, PipelineRules::Perflow).simulate().unwrap();
        check(case, &timeline);
        let violations = timeline.violations(&Transfers::default()).len();
        assert_eq!(violations as u64, case["violations"].as_u64().unwrap(), "{}", case["case"]);
    }
}

#[test]
fn full_dependences_give_every_event_of_the_independent_simulator() {
    let cases = cases(include_str!("data/pipeline/full.jsonl"));
    assert_eq!(cases.len(), 192);
    for case in &cases {
        let plan = plan(case, PipelineRules::Full);
        let timeline = plan.simulate().unwrap_or_else(|error| panic!("{}: {error}", case["case"]));
        check(case, &timeline);
        assert_eq!(timeline.violations(&plan.transfers), [], "{}", case["case"]);
        let peaks = serde_json::to_value(timeline.peak_activations()).unwrap();
        assert_eq!(peaks, case["peak_activations"], "{}", case["case"]);
    }
}
