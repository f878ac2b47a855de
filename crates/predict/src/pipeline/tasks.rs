//! The events of a pipeline as tasks of the simulator.
//!
//! The number of an event's task is its place in a list of events. Where links carry one result at a time, the transfers
//! between stages are tasks as well, behind those of the events; otherwise a transfer is the lag of a dependence.

use bigtpu_sim::{ResourceId, TaskGraph, TaskId, TaskSchedule, TaskTimes, Time};

use crate::pipeline::cost::ChunkCosts;
use crate::pipeline::event::{Event, Phase};
use crate::pipeline::layout::Layout;
use crate::pipeline::link::{Sent, Transfers, link};
use crate::pipeline::timeline::{Placed, Timeline};

/// No task.
const NONE: TaskId = TaskId::MAX;

/// Events, and the graph of what each waits for.
#[derive(Debug)]
pub(crate) struct Tasks<'a> {
    layout: Layout,
    events: Vec<Event>,
    costs: &'a ChunkCosts,
    /// Number of an event, by its index in the layout.
    number: Vec<TaskId>,
    transfers: &'a Transfers,
    /// Number of the task that takes each event's result to another stage; empty where transfers are lags.
    carried_by: Vec<TaskId>,
}

/// The graph while it is made.
#[derive(Debug, Default)]
struct Columns {
    duration: TaskTimes,
    resource: Vec<Option<ResourceId>>,
    first: Vec<u32>,
    predecessor: Vec<TaskId>,
    lag: TaskTimes,
}

impl Columns {
    /// A task, whose dependences follow.
    fn task(&mut self, duration: u64, resource: ResourceId) {
        self.first.push(self.predecessor.len() as u32);
        self.duration.push(duration as Time);
        self.resource.push(Some(resource));
    }

    fn depend(&mut self, on: TaskId, lag: u64) {
        self.predecessor.push(on);
        self.lag.push(lag as Time);
    }
}

impl<'a> Tasks<'a> {
    /// The tasks of some events, whose costs were [checked](CostTable::check) to leave room for all times.
    pub(crate) fn new(
        layout: Layout,
        events: Vec<Event>,
        costs: &'a ChunkCosts,
        transfers: &'a Transfers,
    ) -> Self {
        let mut number = vec![NONE; layout.indices()];
        for (task, &event) in (0..).zip(&events) {
            number[layout.index(event)] = task;
        }
        let mut tasks = Self { layout, events, costs, number, transfers, carried_by: Vec::new() };
        if transfers.links_are_busy && transfers.longest() > 0 {
            tasks.carried_by = tasks.numbers_of_transfers();
        }
        tasks
    }

    /// The graph of the data's dependences. `is_ordered`: the events stand stage by stage in the order in which the
    /// stages run them, and wait for the one before.
    ///
    /// # Errors
    /// An event that waits for itself.
    pub(crate) fn graph(&self, is_ordered: bool) -> Result<TaskGraph, Event> {
        let mut columns = Columns::default();
        let mut before: Option<u32> = None;
        for (task, &event) in (0..).zip(&self.events) {
            columns
                .task(self.costs.get(event.stage, event.chunk).duration(event.phase), event.stage);
            // The order first: of causes at one time, the first is on the critical path.
            if is_ordered && before == Some(event.stage) {
                columns.depend(task - 1, 0);
            }
            before = Some(event.stage);
            for need in self.layout.needs(event).into_iter().flatten() {
                let from = self.number[self.layout.index(need)];
                match self.carried_by.get(from as usize) {
                    Some(&transfer) if need.stage != event.stage && transfer != NONE => {
                        columns.depend(transfer, 0);
                    }
                    _ => columns.depend(from, self.transfers.time(need.stage, event.stage)),
                }
            }
        }
        self.add_transfers(&mut columns, is_ordered);
        columns.first.push(columns.predecessor.len() as u32);
        let Columns { duration, resource, first, predecessor, lag } = columns;
        TaskGraph::from_columns(duration, resource, first, predecessor, lag)
            .map_err(|error| self.stuck(&error))
    }

    /// Numbers behind those of the events, for the results that go to other stages.
    fn numbers_of_transfers(&self) -> Vec<TaskId> {
        let mut next = self.events.len() as TaskId;
        let mut number = |event: &Event| {
            let is_sent = self.receiver(*event).is_some();
            next += TaskId::from(is_sent);
            if is_sent { next - 1 } else { NONE }
        };
        self.events.iter().map(&mut number).collect()
    }

    fn add_transfers(&self, columns: &mut Columns, is_ordered: bool) {
        let mut before = vec![NONE; self.layout.stages as usize * 2];
        for ((task, event), &transfer) in (0..).zip(&self.events).zip(&self.carried_by) {
            let Some(receiver) = self.receiver(*event) else { continue };
            let link = link(self.layout, event.stage, receiver.stage);
            let time = self.transfers.time(event.stage, receiver.stage);
            columns.task(time, self.layout.stages + link);
            columns.depend(task, 0);
            let before = std::mem::replace(&mut before[link as usize], transfer);
            if is_ordered && before != NONE {
                columns.depend(before, 0);
            }
        }
    }

    /// The event on another stage that needs the result of this one, if the way there takes time.
    fn receiver(&self, event: Event) -> Option<Event> {
        let receiver = self.layout.receiver(event)?;
        let is_there = self.number[self.layout.index(receiver)] != NONE;
        (is_there && self.transfers.time(event.stage, receiver.stage) > 0).then_some(receiver)
    }

    /// The results that go to other stages, in the order in which they leave. One that waits for its link leaves when this is free.
    fn sent(&self, schedule: &TaskSchedule<'_>) -> Vec<Sent> {
        if self.transfers.longest() == 0 {
            return Vec::new();
        }
        let sent = |(task, &event): (TaskId, &Event)| {
            let to = self.receiver(event)?.stage;
            let start = match self.carried_by.get(task as usize) {
                Some(&transfer) => schedule.start(transfer),
                None => schedule.end(task),
            } as u64;
            Some(Sent { event, to, start, end: start + self.transfers.time(event.stage, to) })
        };
        let mut all: Vec<Sent> = (0..).zip(&self.events).filter_map(sent).collect();
        all.sort_by_key(|sent| (sent.start, sent.event.stage, sent.to));
        all
    }

    /// The event of an error of the graph.
    fn stuck(&self, error: &bigtpu_sim::Error) -> Event {
        let tasks: &[TaskId] = match error {
            bigtpu_sim::Error::Cycle(tasks) => tasks,
            _ => &[],
        };
        let first = tasks.iter().filter_map(|&task| self.event(task)).min_by_key(|e| e.stage);
        first.unwrap_or(Event::new(Phase::Forward, 0, 0, 0))
    }

    /// The event of a task; `None` for a transfer.
    #[inline]
    pub(crate) fn event(&self, task: TaskId) -> Option<Event> {
        self.events.get(task as usize).copied()
    }

    /// The task of an event.
    #[inline]
    pub(crate) fn number(&self, event: Event) -> TaskId {
        self.number[self.layout.index(event)]
    }

    /// When the events ran. Of a schedule that took tasks one by one, those that it took.
    pub(crate) fn timeline(&self, schedule: &TaskSchedule<'_>) -> Timeline {
        let place = |task: TaskId| {
            let [start, end] = [schedule.start(task), schedule.end(task)].map(|at| at as u64);
            Some(Placed { event: self.event(task)?, start, end })
        };
        let placed = match schedule.taken() {
            [] => (0..self.events.len() as TaskId).filter_map(place).collect(),
            taken => taken.iter().copied().filter_map(place).collect(),
        };
        Timeline { sent: self.sent(schedule), ..Timeline::new(self.layout, placed) }
    }
}
