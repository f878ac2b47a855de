//! The chain of events that determines the makespan.

use bigtpu_sim::{PathTask, TaskGraph, TaskId, TaskSchedule, TaskTimes, Time, critical_path_to};
use serde::Serialize;

use crate::pipeline::event::Event;
use crate::pipeline::timeline::Timeline;

/// A piece of the critical path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct PathStep {
    /// The event that runs.
    #[serde(flatten)]
    pub event: Event,
    /// Its start.
    pub start: u64,
    /// Its end.
    pub end: u64,
    /// Time between the end of the step before (or the beginning) and this start: a transfer, or nothing.
    pub wait: u64,
}

/// A critical path of the simulator, whose tasks are events.
pub(crate) fn steps(
    schedule: &TaskSchedule<'_>,
    path: &[PathTask],
    event: impl Fn(TaskId) -> Option<Event>,
) -> Vec<PathStep> {
    let time = |at: Time| u64::try_from(at).unwrap_or(0);
    let step = |step: &PathTask| {
        let (start, end) = (schedule.start(step.task), schedule.end(step.task));
        let (start, end, wait) = (time(start), time(end), time(step.lag));
        Some(PathStep { event: event(step.task)?, start, end, wait })
    };
    path.iter().filter_map(step).collect()
}

/// The steps from the beginning to the last end. Each starts when the step before it has ended, on the same stage or by
/// what it needs from there; of two such steps the one of the same stage is taken. Where nothing has just ended, it is
/// the result from another stage that arrives: its transfer is the step's wait.
#[must_use]
pub fn critical_path(timeline: &Timeline) -> Vec<PathStep> {
    let event = |task: TaskId| timeline.events.get(task as usize).map(|placed| placed.event);
    let last = (0..timeline.events.len()).max_by_key(|&at| timeline.events[at].end);
    let graph = causes(timeline);
    let ends = timeline.events.iter().map(|placed| placed.end as Time).collect();
    let schedule = graph.as_ref().and_then(|graph| graph.with_ends(ends).ok());
    let Some((schedule, last)) = schedule.zip(last) else { return Vec::new() };
    steps(&schedule, &critical_path_to(last as TaskId, &schedule), event)
}

/// What each event of a timeline waited for: the event before it on its stage, and what arrived from another stage, with
/// the time that this took.
fn causes(timeline: &Timeline) -> Option<TaskGraph> {
    let layout = timeline.layout;
    let mut place = vec![usize::MAX; layout.indices()];
    let mut before_on = vec![usize::MAX; layout.stages as usize];
    let (mut duration, mut lag) = (TaskTimes::default(), TaskTimes::default());
    let (mut first, mut predecessor) = (vec![0], Vec::new());
    for (at, placed) in timeline.events.iter().enumerate() {
        place[layout.index(placed.event)] = at;
        let before = std::mem::replace(&mut before_on[placed.event.stage as usize], at);
        let own = Some(before).filter(|&before| before < at);
        let needs = layout.needs(placed.event).into_iter().flatten();
        let needs = needs.map(|need| (need.stage, place[layout.index(need)]));
        let needs = needs.filter(|&(_, from)| from < at);
        let is_near = |&(stage, _): &(u32, usize)| stage == placed.event.stage;
        let near = needs.clone().filter(is_near).map(|(_, from)| from);
        let far = needs.filter(|need| !is_near(need)).map(|(_, from)| from);
        for from in own.into_iter().chain(near) {
            predecessor.push(from as TaskId);
            lag.push(0);
        }
        // Where nothing has arrived, the stage waited without a cause.
        for from in far.chain(own).take(1) {
            predecessor.push(from as TaskId);
            lag.push(placed.start.saturating_sub(timeline.events[from].end) as Time);
        }
        duration.push((placed.end - placed.start) as Time);
        first.push(predecessor.len() as u32);
    }
    TaskGraph::from_columns(duration, Vec::new(), first, predecessor, lag).ok()
}
