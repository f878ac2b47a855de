//! Scheduling by a policy: when a resource is free, the policy says which task it runs.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::successors::Successors;
use crate::{ResourceId, TaskGraph, TaskId, TaskSchedule, Time};

/// Chooses what resources run.
///
/// All that happens at one time is told before a resource that it concerns asks for its next task.
pub trait Policy {
    /// All that a task of the resource waits for has ended at this time, and the lags are over.
    fn ready(&mut self, task: TaskId, resource: ResourceId, now: Time);

    /// The task has ended.
    fn ended(&mut self, task: TaskId);

    /// What a free resource runs now: one of its tasks that are ready and have not run, which thereby starts. `None`: the
    /// resource waits until a task of it ends or becomes ready.
    fn next(&mut self, resource: ResourceId) -> Option<TaskId>;
}

impl TaskGraph {
    /// Runs the graph as a policy chooses. Tasks without a resource run when they are ready. A task that the policy never
    /// chooses, and what waits for it, is not among [`TaskSchedule::taken`]. Lags below 0 count as 0.
    pub fn dispatch(&self, policy: &mut impl Policy) -> TaskSchedule<'_> {
        self.dispatcher().run(policy)
    }

    /// What [`TaskGraph::dispatch`] needs of the graph whatever the policy chooses, for several policies.
    #[must_use]
    pub fn dispatcher(&self) -> Dispatcher<'_> {
        Dispatcher { graph: self, successors: Successors::collect(self) }
    }
}

/// A graph that is run by several policies.
#[derive(Debug)]
pub struct Dispatcher<'g> {
    graph: &'g TaskGraph,
    successors: Successors,
}

impl<'g> Dispatcher<'g> {
    /// Runs the graph as a policy chooses, see [`TaskGraph::dispatch`].
    pub fn run(&self, policy: &mut impl Policy) -> TaskSchedule<'g> {
        Dispatch::new(self.graph).run(&self.successors, policy)
    }
}

/// What happens to a task.
#[derive(Clone, Copy)]
enum Change {
    Ends = 0,
    IsReady = 1,
}

/// A resource.
#[derive(Clone, Copy, Default)]
struct Place {
    is_busy: bool,
    /// Whether something happened to it at the present time.
    is_touched: bool,
    /// The last task on it, plus 1.
    last: u32,
}

struct Dispatch<'g> {
    graph: &'g TaskGraph,
    missing: Vec<u32>,
    /// Latest end, plus the lag, of what each task waits for and has ended.
    ready: Vec<Time>,
    places: Vec<Place>,
    touched: Vec<ResourceId>,
    /// Time, then task and change.
    changes: BinaryHeap<Reverse<u128>>,
    end: Vec<Time>,
    previous: Vec<u32>,
    taken: Vec<TaskId>,
}

impl<'g> Dispatch<'g> {
    fn new(graph: &'g TaskGraph) -> Self {
        let (tasks, resources) = (graph.len(), graph.resource_count());
        Self {
            graph,
            missing: graph.first.windows(2).map(|bounds| bounds[1] - bounds[0]).collect(),
            ready: vec![0; tasks],
            places: vec![Place::default(); resources],
            touched: Vec::new(),
            changes: BinaryHeap::new(),
            end: vec![0; tasks],
            previous: vec![0; tasks],
            taken: Vec::with_capacity(tasks),
        }
    }

    fn run(mut self, successors: &Successors, policy: &mut impl Policy) -> TaskSchedule<'g> {
        for task in 0..self.graph.len() as TaskId {
            if self.missing[task as usize] == 0 {
                self.is_ready(task, 0, policy);
            }
        }
        self.ask(0, policy);
        while let Some(&Reverse(first)) = self.changes.peek() {
            let now = (first >> 64) as Time;
            while let Some(&Reverse(change)) = self.changes.peek()
                && (change >> 64) as Time == now
            {
                self.changes.pop();
                let task = (change >> 1) as TaskId;
                if change & 1 == Change::IsReady as u128 {
                    self.is_ready(task, now, policy);
                } else {
                    self.ends(task, successors.waiting_for(task), now, policy);
                }
            }
            self.ask(now, policy);
        }
        let makespan = self.end.iter().copied().max().unwrap_or(0);
        TaskSchedule {
            graph: self.graph,
            end: self.end,
            makespan,
            duration: None,
            lag: None,
            previous: self.previous,
            taken: self.taken,
        }
    }

    /// `waiting`: what waits for the task, and by which dependence.
    fn ends(
        &mut self,
        task: TaskId,
        waiting: &[(TaskId, u32)],
        now: Time,
        policy: &mut impl Policy,
    ) {
        policy.ended(task);
        if let Some(resource) = self.graph.resource(task) {
            self.places[resource as usize].is_busy = false;
            self.touch(resource);
        }
        for &(waiting, dependence) in waiting {
            let (number, lag) = (waiting as usize, self.graph.lag(dependence as usize));
            self.ready[number] = self.ready[number].max(now.saturating_add(lag));
            self.missing[number] -= 1;
            if self.missing[number] > 0 {
                continue;
            }
            if self.ready[number] > now {
                self.change(self.ready[number], waiting, Change::IsReady);
            } else {
                self.is_ready(waiting, now, policy);
            }
        }
    }

    fn is_ready(&mut self, task: TaskId, now: Time, policy: &mut impl Policy) {
        match self.graph.resource(task) {
            Some(resource) => {
                policy.ready(task, resource, now);
                self.touch(resource);
            }
            None => self.start(task, now),
        }
    }

    fn touch(&mut self, resource: ResourceId) {
        if !std::mem::replace(&mut self.places[resource as usize].is_touched, true) {
            self.touched.push(resource);
        }
    }

    /// Lets the resources that something happened to choose, in their order.
    fn ask(&mut self, now: Time, policy: &mut impl Policy) {
        let mut touched = std::mem::take(&mut self.touched);
        touched.sort_unstable();
        for &resource in &touched {
            let place = &mut self.places[resource as usize];
            place.is_touched = false;
            if place.is_busy {
                continue;
            }
            if let Some(task) = policy.next(resource) {
                place.is_busy = true;
                self.previous[task as usize] = place.last;
                place.last = task + 1;
                self.start(task, now);
            }
        }
        touched.clear();
        self.touched = touched;
    }

    fn start(&mut self, task: TaskId, now: Time) {
        let end = now.saturating_add(self.graph.duration(task));
        self.end[task as usize] = end;
        self.taken.push(task);
        self.change(end, task, Change::Ends);
    }

    fn change(&mut self, time: Time, task: TaskId, change: Change) {
        // Times are never below 0.
        let code = u64::from(task) << 1 | change as u64;
        self.changes.push(Reverse((time as u128) << 64 | u128::from(code)));
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;
    use crate::GraphBuilder;

    /// Runs the task that was ready first; of those, the one with the lowest number.
    struct FirstReady(Vec<BTreeSet<(Time, TaskId)>>);

    impl FirstReady {
        fn new(graph: &TaskGraph) -> Self {
            Self(vec![BTreeSet::new(); graph.resource_count()])
        }
    }

    impl Policy for FirstReady {
        fn ready(&mut self, task: TaskId, resource: ResourceId, now: Time) {
            self.0[resource as usize].insert((now, task));
        }

        fn ended(&mut self, _: TaskId) {}

        fn next(&mut self, resource: ResourceId) -> Option<TaskId> {
            Some(self.0[resource as usize].pop_first()?.1)
        }
    }

    /// Runs nothing on the second resource.
    struct Never(FirstReady);

    impl Policy for Never {
        fn ready(&mut self, task: TaskId, resource: ResourceId, now: Time) {
            self.0.ready(task, resource, now);
        }

        fn ended(&mut self, _: TaskId) {}

        fn next(&mut self, resource: ResourceId) -> Option<TaskId> {
            if resource == 1 { None } else { self.0.next(resource) }
        }
    }

    #[test]
    fn what_is_never_chosen_does_not_run() {
        let mut builder = GraphBuilder::new();
        let (first, never, after) =
            (builder.task(Some(0), 5), builder.task(Some(1), 1), builder.task(None, 1));
        builder.depend(first, never, 0);
        builder.depend(never, after, 0);
        let free = builder.task(None, 2);
        builder.depend(first, free, 3);
        let graph = builder.build().unwrap();
        let schedule = graph.dispatch(&mut Never(FirstReady::new(&graph)));
        assert_eq!(schedule.taken(), [first, free]);
        assert_eq!((schedule.start(free), schedule.makespan()), (8, 10));
    }

    proptest! {
        /// Tasks that take time: those without are taken one by one by the list, and together here.
        #[test]
        fn first_come_first_served_is_list_scheduling(
            tasks in prop::collection::vec((prop::option::of(0_u32..4), 1_i64..9), 1..40),
            edges in prop::collection::vec((0_usize..40, 0_usize..40, 0_i64..6), 0..60),
        ) {
            let mut builder = GraphBuilder::new();
            for &(resource, duration) in &tasks {
                builder.task(resource, duration);
            }
            let forward = |&(from, to, _): &(usize, usize, i64)| from < to && to < tasks.len();
            for (from, to, lag) in edges.into_iter().filter(forward) {
                builder.depend(from as TaskId, to as TaskId, lag);
            }
            let graph = builder.build().unwrap();
            let (list, own) = (graph.simulate(), graph.dispatch(&mut FirstReady::new(&graph)));
            prop_assert_eq!(own.taken().len(), graph.len());
            for task in 0..graph.len() as TaskId {
                prop_assert_eq!(own.end(task), list.end(task), "task {}", task);
                prop_assert_eq!(own.binding(task), list.binding(task), "task {}", task);
            }
        }
    }
}
