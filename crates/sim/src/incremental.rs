//! Incremental simulation: after some tasks have changed, only what changes in time is computed again.
//!
//! The result is that of [`list_schedule`](crate::list_schedule): each resource runs its tasks in the order of (ready,
//! number); a task is ready when all that it needs has ended, and starts when the task before it on its resource has
//! ended. Tasks whose inputs changed are visited in the order of the new times, so what has been placed is final, and a
//! change that turns out too slow can be given up at once.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::{ResourceId, TaskId};

/// Stands for no time.
const NONE: u64 = u64::MAX;

/// What tasks need, and what needs them, as the tasks are now.
pub trait Structure {
    /// When all that a task needs has ended; `None` while something of it has no time.
    fn ready(&self, task: TaskId, now: &Incremental) -> Option<u64>;

    /// Adds the tasks that need this one.
    fn successors(&self, task: TaskId, now: &Incremental, found: &mut Vec<TaskId>);
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Task {
    ready: u64,
    end: u64,
    duration: u64,
    resource: ResourceId,
    /// Whether the task is in the queue of its resource, and its times hold.
    placed: bool,
    /// Whether the task exists now.
    active: bool,
}

/// Simulated tasks that can be changed, and changed back.
#[derive(Debug)]
pub struct Incremental {
    tasks: Vec<Task>,
    /// Tasks of each resource by (ready, number).
    queues: Vec<Vec<(u64, TaskId)>>,
    /// Tasks to visit, by time and number.
    visits: BinaryHeap<Reverse<(u64, TaskId)>>,
    /// Earliest visit of each task, or `NONE`.
    visit: Vec<u64>,
    /// Tasks as they were before the change that is being made.
    journal: Vec<(TaskId, Task)>,
    /// Number of the last change that each task is in the journal of.
    journaled: Vec<u64>,
    change: u64,
    scratch: Vec<TaskId>,
}

impl Incremental {
    /// Room for so many tasks and resources; no task exists yet.
    #[must_use]
    pub fn new(tasks: usize, resources: usize) -> Self {
        Self {
            tasks: vec![Task::default(); tasks],
            queues: vec![Vec::new(); resources],
            visits: BinaryHeap::new(),
            visit: vec![NONE; tasks],
            journal: Vec::new(),
            journaled: vec![0; tasks],
            change: 1,
            scratch: Vec::new(),
        }
    }

    /// Begins a change. It has to be kept or taken back before the next one.
    pub fn begin(&mut self) {
        self.change += 1;
    }

    /// Keeps the change.
    pub fn keep(&mut self) {
        self.journal.clear();
    }

    /// Takes the change back.
    pub fn take_back(&mut self) {
        let journal = std::mem::take(&mut self.journal);
        for &(task, _) in &journal {
            if self.tasks[task as usize].placed {
                self.remove(task);
            }
        }
        for &(number, task) in &journal {
            self.tasks[number as usize] = task;
            if task.placed {
                let queue = &mut self.queues[task.resource as usize];
                let at = queue.partition_point(|&entry| entry < (task.ready, number));
                queue.insert(at, (task.ready, number));
            }
        }
        self.journal = journal;
        self.journal.clear();
    }

    /// The task exists from now on; it has no time before it is visited.
    pub fn activate(&mut self, task: TaskId, resource: ResourceId, duration: u64) {
        self.note(task);
        self.tasks[task as usize] = Task { duration, resource, active: true, ..Task::default() };
    }

    /// The task does not exist any more.
    pub fn deactivate(&mut self, task: TaskId) {
        self.note(task);
        if self.tasks[task as usize].placed {
            self.unplace(task);
        }
        self.tasks[task as usize].active = false;
    }

    /// Has a task visited at a time.
    pub fn visit_at(&mut self, task: TaskId, time: u64) {
        let visit = &mut self.visit[task as usize];
        if time < *visit {
            *visit = time;
            self.visits.push(Reverse((time, task)));
        }
    }

    /// Has a task visited whose needs have changed: at the time at which it was ready so far. One without a time is
    /// visited when the last of what it needs gets one.
    pub fn visit_again(&mut self, number: TaskId) {
        let task = self.tasks[number as usize];
        if task.placed {
            self.visit_at(number, task.ready);
        }
    }

    /// Visits tasks until nothing changes any more. `tail(task)`: time that passes at least after a task has ended.
    /// `false`, with times that do not hold, as soon as nothing can end within `limit`.
    pub fn settle(
        &mut self,
        structure: &impl Structure,
        limit: u64,
        tail: impl Fn(TaskId) -> u64,
    ) -> bool {
        while let Some(Reverse((time, number))) = self.visits.pop() {
            if self.visit[number as usize] != time {
                continue;
            }
            self.visit[number as usize] = NONE;
            let task = self.tasks[number as usize];
            if !task.active {
                continue;
            }
            let ready = structure.ready(number, self);
            if task.placed && ready != Some(task.ready) {
                self.unplace(number);
                // What waits for it has no time either, until it is placed again.
                self.visit_successors(structure, number, NONE);
            }
            // Without all that it needs it is visited again when the last of it has its time.
            let Some(ready) = ready else { continue };
            if ready > time {
                self.visit_at(number, ready);
                continue;
            }
            let end = self.place(structure, number, ready);
            if end.saturating_add(tail(number)) > limit {
                self.give_up();
                return false;
            }
        }
        true
    }

    /// Forgets what was to be visited.
    pub fn give_up(&mut self) {
        while let Some(Reverse((_, number))) = self.visits.pop() {
            self.visit[number as usize] = NONE;
        }
    }

    /// Whether a task exists.
    #[must_use]
    pub fn is_active(&self, task: TaskId) -> bool {
        self.tasks[task as usize].active
    }

    /// When a task ends; `None` while it has no time.
    #[must_use]
    pub fn end(&self, task: TaskId) -> Option<u64> {
        let task = &self.tasks[task as usize];
        task.placed.then_some(task.end)
    }

    /// When the last task of a resource ends; 0 without tasks.
    #[must_use]
    pub fn last_end(&self, resource: ResourceId) -> u64 {
        let last = self.queues.get(resource as usize).and_then(|queue| queue.last());
        last.map_or(0, |&(_, task)| self.tasks[task as usize].end)
    }

    /// Number of tasks that have a time.
    #[must_use]
    pub fn count(&self) -> usize {
        self.queues.iter().map(Vec::len).sum()
    }

    /// Number of tasks that there is room for.
    #[must_use]
    pub fn len(&self) -> usize {
        self.tasks.len()
    }

    /// Whether there is room for none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.tasks.is_empty()
    }

    /// Gives a task its place and times; has visited what depends on them.
    fn place(&mut self, structure: &impl Structure, number: TaskId, ready: u64) -> u64 {
        self.note(number);
        let task = self.tasks[number as usize];
        let queue = &mut self.queues[task.resource as usize];
        let at = queue.partition_point(|&entry| entry < (ready, number));
        if !task.placed {
            queue.insert(at, (ready, number));
        }
        let before = at.checked_sub(1).map_or(0, |at| self.tasks[queue[at].1 as usize].end);
        let end = ready.max(before).saturating_add(task.duration);
        if task.placed && task.end == end {
            return end;
        }
        if let Some(&(ready, next)) = queue.get(at + 1) {
            self.visit_at(next, ready);
        }
        let task = &mut self.tasks[number as usize];
        (task.ready, task.end, task.placed) = (ready, end, true);
        self.visit_successors(structure, number, end);
        end
    }

    /// Has everything visited that needs this task, at `end` or when it was ready so far.
    fn visit_successors(&mut self, structure: &impl Structure, number: TaskId, end: u64) {
        let mut found = std::mem::take(&mut self.scratch);
        found.clear();
        structure.successors(number, self, &mut found);
        for &next in &found {
            let task = self.tasks[next as usize];
            if task.placed {
                self.visit_at(next, task.ready.min(end));
            } else if end != NONE && task.active {
                self.visit_at(next, end);
            }
        }
        self.scratch = found;
    }

    /// Remembers a task as it was before this change.
    fn note(&mut self, number: TaskId) {
        let at = number as usize;
        if self.journaled[at] != self.change {
            self.journaled[at] = self.change;
            self.journal.push((number, self.tasks[at]));
        }
    }

    /// Takes a task out of its queue; the one behind it may start earlier.
    fn unplace(&mut self, number: TaskId) {
        self.note(number);
        let at = self.remove(number);
        let task = &mut self.tasks[number as usize];
        task.placed = false;
        let queue = &self.queues[task.resource as usize];
        if let Some(&(ready, next)) = queue.get(at) {
            self.visit_at(next, ready);
        }
    }

    fn remove(&mut self, number: TaskId) -> usize {
        let task = self.tasks[number as usize];
        let queue = &mut self.queues[task.resource as usize];
        let at = queue.partition_point(|&entry| entry < (task.ready, number));
        queue.remove(at);
        at
    }
}
