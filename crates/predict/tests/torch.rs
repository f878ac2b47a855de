//! A torch profiler trace of a pipeline.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use bigtpu_predict::pipeline::{
    Cost, Phase, TorchError, measured_timeline, median_costs, read_torch_steps,
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
    assert_eq!(error, TorchError::Element { id: 1, problem: "has no name" });
    assert_eq!(read_torch_steps(r#"{"traceEvents": []}"#).unwrap_err(), TorchError::NoSteps);
    assert!(matches!(read_torch_steps("nothing"), Err(TorchError::Json(_))));
}
