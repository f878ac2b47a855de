//! How many tasks a second: `cargo bench -p bigtpu-sim`.
#![allow(missing_docs, clippy::unwrap_used, reason = "a bench that can't run has to say so")]

use bigtpu_sim::{TaskCosts, TaskGraph, TaskId, TaskTimes, Time, slack};
use divan::counter::ItemsCount;
use divan::{Bencher, black_box};

const TASKS: u32 = 5_000_000;
const RESOURCES: u32 = 24;

/// Like a profile: every task after the one before on its resource, every second one after a task of
/// another resource as well.
fn profile() -> TaskGraph {
    let tasks = (0..TASKS).map(|t| (50 + Time::from(t % 7), Some(t % RESOURCES)));
    let (duration, resource): (Vec<Time>, _) = tasks.unzip();
    let duration = duration.into_iter().collect();
    let (mut first, mut predecessor, mut lag) = (vec![0], Vec::new(), TaskTimes::default());
    for task in 0..TASKS {
        let before = task.checked_sub(RESOURCES).map(|t| (t, 3));
        let other = task.checked_sub(5).filter(|_| task % 2 == 0).map(|t| (t, 9));
        for (from, time) in before.into_iter().chain(other) {
            predecessor.push(from);
            lag.push(time);
        }
        first.push(predecessor.len() as u32);
    }
    TaskGraph::from_columns(duration, resource, first, predecessor, lag).unwrap()
}

struct Faster<'g>(&'g TaskGraph);

impl TaskCosts for Faster<'_> {
    fn duration(&self, task: TaskId) -> Time {
        self.0.duration(task) / 2
    }
    fn lag(&self, dependence: usize) -> Time {
        self.0.lag(dependence)
    }
}

fn main() {
    divan::main();
}

#[divan::bench]
fn build(bencher: Bencher<'_, '_>) {
    bencher.counter(ItemsCount::new(TASKS)).bench(profile);
}

/// The order is known: the dependences fix it.
#[divan::bench]
fn replay(bencher: Bencher<'_, '_>) {
    let graph = profile();
    let mut end = Vec::new();
    bencher
        .counter(ItemsCount::new(TASKS))
        .bench_local(|| black_box(&graph).replay_into(&Faster(&graph), &mut end));
}

#[divan::bench]
fn slacks(bencher: Bencher<'_, '_>) {
    let graph = profile();
    let schedule = graph.replay();
    bencher.counter(ItemsCount::new(TASKS)).bench_local(|| slack(black_box(&schedule)));
}

/// A queue decides what comes next on each resource.
#[divan::bench]
fn simulate(bencher: Bencher<'_, '_>) {
    let graph = profile();
    bencher.counter(ItemsCount::new(TASKS)).bench_local(|| black_box(&graph).simulate().makespan());
}
