//! A torch profiler trace of a pipeline.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use bigtpu_predict::pipeline::{
    Cost, Event, Phase, Plan, Schedule, Timeline, TorchError, measured_timeline, median_costs,
    read_torch_steps, recorded_schedule,
};

const TRACE: &str = r#"{"distributedInfo": {"world_size": 2}, "traceEvents": [
  {"name": "aten::linear", "tid": 0, "ts": 0.5, "dur": 1},
  {"name": "forward_step_0", "tid": "0", "ts": 10.0, "dur": 2.5},
  {"name": "forward_step_1", "tid": 0, "ts": 12.5, "dur": 2.5},
  {"name": "forward_step", "tid": 1, "ts": 13.0, "dur": 3},
  {"name": "backward_step", "tid": 1, "ts": 16.0, "dur": 4.0},
  {"name": "process_name", "ph": "M"}
]}"#;

#[test]
fn steps_are_the_pipelines() {
    let steps = read_torch_steps(TRACE).unwrap();
    assert_eq!(steps.devices, 2);
    let ids: Vec<usize> = steps.steps.iter().map(|step| step.id).collect();
    assert_eq!(ids, [2, 3, 4, 5]);
    let timeline = measured_timeline(&steps);
    assert_eq!((timeline.layout.stages, timeline.layout.microbatches), (2, 2));
    assert_eq!(timeline.makespan(), 10_000);
    assert_eq!(timeline.events[1].event.microbatch, 1);
    assert_eq!(timeline.events[3].event.phase, Phase::Backward);
    assert_eq!(median_costs(&timeline), [Cost::new(2500, 0, 0), Cost::new(3000, 4000, 0)]);
}

#[test]
fn what_is_wrong_is_said() {
    let no_name = r#"{"traceEvents": [{"ts": 1}]}"#;
    let error = read_torch_steps(no_name).unwrap_err();
    assert_eq!(error, TorchError::Element { id: 1, problem: "problem-torch-name" });
    assert_eq!(read_torch_steps(r#"{"traceEvents": []}"#).unwrap_err(), TorchError::NoSteps);
    assert!(matches!(read_torch_steps("nothing"), Err(TorchError::Json(_))));
}

/// A simulated pipeline as a recording: one thread a stage, steps named as PerFlow-AI names them.
fn recording(timeline: &Timeline) -> String {
    let mut counts = std::collections::HashMap::new();
    let steps = timeline.events.iter().map(|placed| {
        let Event { phase, stage, chunk, .. } = placed.event;
        let kind = match phase {
            Phase::Forward => "forward",
            Phase::Backward => "backward",
            Phase::Weight => "wgrad",
        };
        let number = counts.entry((stage, phase)).or_insert(0);
        let name = format!("{kind}_step-{number}-{chunk}");
        *number += 1;
        let (ts, dur) = (placed.start as f64 / 1e3, (placed.end - placed.start) as f64 / 1e3);
        serde_json::json!({"ph": "X", "name": name, "pid": 0, "tid": stage, "ts": ts, "dur": dur})
    });
    let steps: Vec<serde_json::Value> = steps.collect();
    serde_json::json!({"distributedInfo": {"world_size": timeline.layout.stages}, "traceEvents": steps})
        .to_string()
}

#[test]
fn a_recording_of_a_schedule_gives_the_schedule_back() {
    for schedule in Schedule::ALL {
        for (stages, microbatches) in [(2, 4), (4, 8), (4, 10), (8, 16), (8, 20)] {
            let wgt = if schedule.splits_backward() { 2650 } else { 0 };
            let cost = Cost::new(1315, 2733, wgt);
            let plan = Plan::uniform(schedule, stages, microbatches, cost);
            // Interleaved 1F1B waits for itself where the microbatches are no multiple of the stages.
            let Ok(simulated) = plan.simulate() else { continue };
            let steps = read_torch_steps(&recording(&simulated)).unwrap();
            let recorded = measured_timeline(&steps);
            assert_eq!(recorded.layout, simulated.layout, "{schedule} {stages}x{microbatches}");
            assert_eq!(recorded.events, simulated.events, "{schedule} {stages}x{microbatches}");
            assert_eq!(median_costs(&recorded).len() as u32, recorded.layout.parts());
            let found = recorded_schedule(&recorded).unwrap();
            let again = Plan { schedule: found, ..plan }.simulate().unwrap();
            assert_eq!(again.events, simulated.events, "{schedule} and {found}");
        }
    }
}

#[test]
fn steps_of_other_kinds_are_named() {
    let trace = TRACE.replace("aten::linear", "optimizer_step#Adam");
    assert_eq!(read_torch_steps(&trace).unwrap().left_out, ["optimizer"]);
    let chunk = TRACE.replace("forward_step_1", "forward_step-1-4096");
    assert!(read_torch_steps(&chunk).unwrap_err().to_string().contains("chunk above 4095"));
}
