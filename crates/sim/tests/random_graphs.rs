//! Every algorithm against the plainest one that can be written down, on random graphs.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail by panicking")]

use bigtpu_sim::{
    Error, GraphBuilder, StartReason, TaskCosts, TaskGraph, TaskId, Time, critical_path, slack,
};
use proptest::prelude::*;

#[derive(Debug, Clone)]
struct Tasks {
    /// Resource and duration.
    tasks: Vec<(Option<u32>, Time)>,
    dependences: Vec<(TaskId, TaskId, Time)>,
}

impl Tasks {
    fn build(&self) -> Result<TaskGraph, Error> {
        let mut graph = GraphBuilder::new();
        for &(resource, duration) in &self.tasks {
            graph.task(resource, duration);
        }
        for &(from, to, lag) in &self.dependences {
            graph.depend(from, to, lag);
        }
        graph.build()
    }

    fn waits_for(&self, task: usize) -> impl Iterator<Item = (usize, Time)> {
        let of_task = self.dependences.iter().filter(move |d| d.1 as usize == task);
        of_task.map(|d| (d.0 as usize, d.2))
    }
}

/// Graphs without cycles, whose numbers are in no order: a hidden rank decides who may wait for whom.
fn tasks(lags: std::ops::Range<Time>) -> impl Strategy<Value = Tasks> {
    (1usize..24).prop_flat_map(move |n| {
        let tasks = prop::collection::vec((prop::option::of(0u32..4), 0i64..12), n);
        let pairs = prop::collection::vec((0..n, 0..n, lags.clone()), 0..n * 2);
        let rank = Just((0..n).collect::<Vec<_>>()).prop_shuffle();
        (tasks, pairs, rank).prop_map(|(tasks, pairs, rank)| {
            let up = |(a, b, lag): (usize, usize, Time)| match rank[a].cmp(&rank[b]) {
                std::cmp::Ordering::Less => Some((a as u32, b as u32, lag)),
                std::cmp::Ordering::Equal => None,
                std::cmp::Ordering::Greater => Some((b as u32, a as u32, lag)),
            };
            Tasks { tasks, dependences: pairs.into_iter().filter_map(up).collect() }
        })
    })
}

/// Start and end of each task: of all tasks whose predecessors have ended, the one that was ready first
/// (of several the lowest number) is placed next.
fn brute_simulate(given: &Tasks) -> Vec<(Time, Time)> {
    let n = given.tasks.len();
    let mut placed: Vec<Option<(Time, Time)>> = vec![None; n];
    let mut free = [0; 4];
    for _ in 0..n {
        let ready = |task: usize| {
            let ends = given.waits_for(task).map(|(p, lag)| placed[p].map(|(_, end)| end + lag));
            ends.collect::<Option<Vec<_>>>().map(|e| e.into_iter().fold(0, Time::max))
        };
        let next = (0..n).filter(|t| placed[*t].is_none());
        let (time, task) = next.filter_map(|t| Some((ready(t)?, t))).min().unwrap();
        let (resource, duration) = given.tasks[task];
        let start = resource.map_or(time, |r| time.max(free[r as usize]));
        if let Some(resource) = resource {
            free[resource as usize] = start + duration;
        }
        placed[task] = Some((start, start + duration));
    }
    placed.into_iter().flatten().collect()
}

/// Ends by relaxing every dependence until nothing moves.
fn brute_longest_path(given: &Tasks, durations: &[Time]) -> Vec<Time> {
    let mut end: Vec<Time> = durations.to_vec();
    for _ in 0..end.len() {
        for task in 0..end.len() {
            let start = given.waits_for(task).map(|(p, lag)| end[p] + lag).fold(0, Time::max);
            end[task] = start + durations[task];
        }
    }
    end
}

struct Longer(Vec<Time>, Vec<Time>);

impl TaskCosts for Longer {
    fn duration(&self, task: TaskId) -> Time {
        self.0[task as usize]
    }
    fn lag(&self, dependence: usize) -> Time {
        self.1[dependence]
    }
}

proptest! {
    #[test]
    fn simulate_equals_brute_force(given in tasks(-3..6)) {
        let graph = given.build().unwrap();
        let schedule = graph.simulate();
        let found: Vec<_> =
            (0..graph.len() as TaskId).map(|t| (schedule.start(t), schedule.end(t))).collect();
        prop_assert_eq!(found, brute_simulate(&given));
    }

    #[test]
    fn replay_equals_the_longest_path(given in tasks(-3..6)) {
        let graph = given.build().unwrap();
        let durations: Vec<_> = given.tasks.iter().map(|t| t.1).collect();
        let schedule = graph.replay();
        let found: Vec<_> = (0..graph.len() as TaskId).map(|t| schedule.end(t)).collect();
        prop_assert_eq!(found, brute_longest_path(&given, &durations));
    }

    /// Each task's place is after those of all that it waits for, and none has the place of another.
    #[test]
    fn places_are_in_running_order(given in tasks(-3..6)) {
        let graph = given.build().unwrap();
        let places = graph.places();
        let in_order: Vec<_> = graph.topological_order().map(|t| places[t as usize]).collect();
        prop_assert!(in_order.into_iter().eq(0..graph.len() as TaskId));
        for task in 0..graph.len() as TaskId {
            let mut waits = graph.dependences(task).map(|d| graph.predecessor(d));
            prop_assert!(waits.all(|before| places[before as usize] < places[task as usize]));
        }
    }

    /// Whoever knows when the tasks end needs no replay.
    #[test]
    fn a_run_with_known_ends_is_the_replay(given in tasks(-3..6)) {
        let graph = given.build().unwrap();
        let replay = graph.replay();
        let ends = (0..graph.len() as TaskId).map(|task| replay.end(task)).collect();
        let ran = graph.with_ends(ends).unwrap();
        prop_assert_eq!(ran.makespan(), replay.makespan());
        prop_assert_eq!(slack(&ran), slack(&replay));
        prop_assert_eq!(critical_path(&ran), critical_path(&replay));
    }

    #[test]
    fn the_critical_path_adds_up(given in tasks(-3..6), queued in any::<bool>()) {
        let graph = given.build().unwrap();
        let schedule = if queued { graph.simulate() } else { graph.replay() };
        let path = critical_path(&schedule);
        let sum: Time = path.iter().map(|s| s.lag + schedule.duration(s.task)).sum();
        prop_assert_eq!(sum, schedule.makespan());
        prop_assert_eq!(path.first().map(|s| s.binding), Some(StartReason::Origin));
        let slack = slack(&schedule);
        prop_assert!(path.iter().all(|s| slack[s.task as usize] == 0));
    }

    /// A run with other durations and lags than the graph's is walked back differently.
    #[test]
    fn slack_of_the_graphs_own_run_is_that_of_an_equal_one(given in tasks(-3..6)) {
        let graph = given.build().unwrap();
        let durations = given.tasks.iter().map(|t| t.1).collect();
        let lags = (0..graph.dependence_count()).map(|d| graph.lag(d)).collect();
        prop_assert_eq!(slack(&graph.replay()), slack(&graph.replay_with(&Longer(durations, lags))));
    }

    /// A task may take as much longer as its slack says, and not one unit more.
    #[test]
    fn slack_is_exact(given in tasks(0..6)) {
        let graph = given.build().unwrap();
        let schedule = graph.replay();
        let lags: Vec<_> = (0..graph.dependence_count()).map(|d| graph.lag(d)).collect();
        for (task, slack) in slack(&schedule).into_iter().enumerate() {
            for (more, makespan) in [(slack, 0), (slack + 1, 1)] {
                let mut durations: Vec<_> = given.tasks.iter().map(|t| t.1).collect();
                durations[task] += more;
                let costs = Longer(durations, lags.clone());
                let longer = graph.replay_with(&costs).makespan() - schedule.makespan();
                prop_assert_eq!(longer, makespan);
            }
        }
    }

    /// With the order on resources given as dependences, one pass gives what the queue gave.
    #[test]
    fn replay_repeats_a_simulation(given in tasks(0..6)) {
        let graph = given.build().unwrap();
        let schedule = graph.simulate();
        let mut fixed = given.clone();
        for task in 0..graph.len() as TaskId {
            fixed.dependences.extend(schedule.previous(task).map(|p| (p, task, 0)));
        }
        let fixed = fixed.build().unwrap();
        let again = fixed.replay();
        for task in 0..graph.len() as TaskId {
            prop_assert_eq!(again.end(task), schedule.end(task));
        }
        prop_assert_eq!(slack(&again), slack(&schedule));
    }

    #[test]
    fn a_cycle_names_its_tasks(given in tasks(0..6), back in 0usize..400) {
        let mut given = given;
        prop_assume!(!given.dependences.is_empty());
        let (from, to, lag) = given.dependences[back % given.dependences.len()];
        given.dependences.push((to, from, lag));
        let Err(Error::Cycle(tasks)) = given.build() else { panic!("there is a cycle") };
        let edge = |a: TaskId, b: TaskId| given.dependences.iter().any(|d| (d.0, d.1) == (a, b));
        let after = tasks.iter().cycle().skip(1);
        prop_assert!(tasks.iter().zip(after).all(|(a, b)| edge(*a, *b)));
    }
}

#[test]
fn bad_graphs_are_refused_in_words() {
    let mut graph = GraphBuilder::new();
    let (a, b) = (graph.task(None, 1), graph.task(None, 1));
    graph.depend(a, b, 0);
    graph.depend(b, a, 0);
    let error = graph.build().unwrap_err();
    let named = error.with_names(|t| format!("F{t}"));
    assert_eq!(named, "2 tasks wait for each other in a cycle: F1 -> F0 -> F1");

    let mut graph = GraphBuilder::new();
    graph.task(None, -1);
    assert_eq!(graph.build().unwrap_err().to_string(), "task 0 has the negative duration -1");

    let mut graph = GraphBuilder::new();
    let a = graph.task(None, 1);
    graph.depend(a, 7, 0);
    let error = graph.build().unwrap_err().to_string();
    assert_eq!(error, "a dependence leads from task 0 to task 7, but there are only 1 tasks");
}

#[test]
fn an_empty_graph_takes_no_time() {
    let graph = GraphBuilder::new().build().unwrap();
    assert_eq!(graph.simulate().makespan(), 0);
    assert!(critical_path(&graph.replay()).is_empty());
}
