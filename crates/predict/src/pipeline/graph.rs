//! Task graphs of events: built, filtered, merged, and simulated by readiness or by the queue rule of PerFlow-AI.

use std::collections::{HashMap, HashSet, VecDeque};

use bigtpu_sim::{GraphBuilder, TaskSchedule, critical_path};

use crate::pipeline::critical_path::{PathStep, steps};
use crate::pipeline::error::PipelineError;
use crate::pipeline::event::{Event, Phase};
use crate::pipeline::greedy::Preference;
use crate::pipeline::layout::{Layout, Way};
use crate::pipeline::stage_policy::{ByStage, StagePolicy};
use crate::pipeline::timeline::{Placed, Timeline};

/// An event that needs the result of another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct EventEdge {
    /// What must have ended.
    pub from: Event,
    /// What starts afterwards.
    pub to: Event,
    /// Least time from the end of the one to the start of the other: a transfer.
    pub lag: u64,
}

impl From<(Event, Event)> for EventEdge {
    fn from((from, to): (Event, Event)) -> Self {
        Self { from, to, lag: 0 }
    }
}

/// Events with durations, and edges from an event to one that needs it. The order in which edges were added counts:
/// of events that become ready together, the one whose edge is older is taken first.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct EventGraph {
    events: Vec<(Event, u64)>,
    edges: Vec<EventEdge>,
    index: HashMap<Event, u32>,
    policies: Vec<StagePolicy>,
}

impl EventGraph {
    /// An empty graph.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds an event; an event that is there gets the new duration.
    pub fn add_event(&mut self, event: Event, duration: u64) {
        if let Some(&at) = self.index.get(&event) {
            self.events[at as usize].1 = duration;
            return;
        }
        let at = u32::try_from(self.events.len()).unwrap_or(u32::MAX);
        self.index.insert(event, at);
        self.events.push((event, duration));
    }

    /// Adds an edge: `to` needs `from`.
    pub fn add_edge(&mut self, from: Event, to: Event) {
        self.add((from, to).into());
    }

    /// Adds an edge.
    pub fn add(&mut self, edge: EventEdge) {
        self.edges.push(edge);
    }

    /// The events with their durations, in the order in which they were added.
    #[must_use]
    pub fn events(&self) -> &[(Event, u64)] {
        &self.events
    }

    /// The edges, in the order in which they were added.
    #[must_use]
    pub fn edges(&self) -> &[EventEdge] {
        &self.edges
    }

    /// The policies of stages, by stage. A stage without one runs what was ready first.
    #[must_use]
    pub fn policies(&self) -> &[StagePolicy] {
        &self.policies
    }

    /// Gives a stage a policy, in the place of the one that it has.
    pub fn set_policy(&mut self, policy: StagePolicy) {
        self.policies.retain(|known| known.stage != policy.stage);
        let at = self.policies.partition_point(|known| known.stage < policy.stage);
        self.policies.insert(at, policy);
    }

    /// The events that `keep` accepts, the edges between them, and the policies of their stages.
    #[must_use]
    pub fn filter(&self, keep: impl Fn(Event) -> bool) -> Self {
        let mut graph = Self::new();
        for &(event, duration) in self.events.iter().filter(|(event, _)| keep(*event)) {
            graph.add_event(event, duration);
        }
        graph.edges =
            self.edges.iter().copied().filter(|edge| keep(edge.from) && keep(edge.to)).collect();
        let stages: HashSet<u32> = graph.events.iter().map(|(event, _)| event.stage).collect();
        let policies = self.policies.iter().filter(|policy| stages.contains(&policy.stage));
        graph.policies = policies.copied().collect();
        graph
    }

    /// The edges over the boundary before a stage, with their lags: what a merge of both sides needs, between neighbours and
    /// between the last stage and the first one.
    #[must_use]
    pub fn edges_over_boundary(&self, stage: u32) -> Vec<EventEdge> {
        let is_before = |event: Event| event.stage < stage;
        let all = self.edges.iter().copied();
        all.filter(|edge| is_before(edge.from) != is_before(edge.to)).collect()
    }

    /// Both graphs in one, with edges between them.
    ///
    /// # Errors
    /// An event that is in both, an edge of an event that is in neither, or a stage with two policies.
    pub fn merge(
        mut self,
        other: &Self,
        between: impl IntoIterator<Item: Into<EventEdge>>,
    ) -> Result<Self, PipelineError> {
        for &(event, duration) in &other.events {
            if self.index.contains_key(&event) {
                return Err(PipelineError::DuplicateEvent { event });
            }
            self.add_event(event, duration);
        }
        self.edges.extend(&other.edges);
        for &policy in &other.policies {
            let own = self.policies.iter().find(|own| own.stage == policy.stage);
            if own.is_some_and(|own| *own != policy) {
                return Err(PipelineError::TwoPolicies { stage: policy.stage });
            }
            self.set_policy(policy);
        }
        for edge in between {
            let edge: EventEdge = edge.into();
            for event in [edge.from, edge.to] {
                if !self.index.contains_key(&event) {
                    return Err(PipelineError::MissingEvent { event });
                }
            }
            self.add(edge);
        }
        Ok(self)
    }

    /// Places all events: a first-in-first-out queue starts with the events that need nothing; the event in front
    /// starts when all that it needs has ended and its stage is free, and its successors that then have all that they
    /// need go to the back of the queue. An event that needs nothing starts at 0, whatever its stage does.
    ///
    /// # Errors
    /// An edge of an event that is missing, or a cycle.
    pub fn simulate(&self) -> Result<Timeline, PipelineError> {
        let links = self.links()?;
        let count = self.events.len();
        let mut ready = vec![0_u64; count];
        let mut waits_for = links.needs.clone();
        let mut free: HashMap<u32, u64> = HashMap::new();
        let mut queue: VecDeque<u32> =
            (0_u32..).zip(&waits_for).filter(|&(_, &needs)| needs == 0).map(|(at, _)| at).collect();
        let mut placed = Vec::with_capacity(count);
        while let Some(at) = queue.pop_front() {
            let at = at as usize;
            let (event, duration) = self.events[at];
            let stage_free = free.entry(event.stage).or_insert(0);
            let start = if links.needs[at] == 0 { 0 } else { ready[at].max(*stage_free) };
            let end = start + duration;
            *stage_free = end;
            placed.push(Placed { event, start, end });
            for &(next, lag) in links.successors(at) {
                let to = next as usize;
                ready[to] = ready[to].max(end + lag);
                waits_for[to] -= 1;
                if waits_for[to] == 0 {
                    queue.push_back(next);
                }
            }
        }
        if placed.len() < count {
            return Err(self.cycle(&waits_for));
        }
        Ok(Timeline::new(self.layout(), placed))
    }

    /// Places all events: of those whose needs have ended, a stage with a policy chooses by it; on others the one that was
    /// ready first goes first, then the one that was added first. Gives the chain that the makespan consists of, too.
    ///
    /// # Errors
    /// An edge of an event that is missing, a cycle, or times that leave no room in 64 bits.
    pub fn simulate_by_readiness(&self) -> Result<(Timeline, Vec<PathStep>), PipelineError> {
        let links = self.links()?;
        let times = self.events.iter().map(|&(_, duration)| duration);
        let all = times.chain(self.edges.iter().map(|edge| edge.lag)).map(u128::from);
        if all.sum::<u128>() >= 1 << 62 {
            return Err(PipelineError::TimeOverflow);
        }
        let mut builder = GraphBuilder::new();
        for &(event, duration) in &self.events {
            builder.task(Some(event.stage), duration as i64);
        }
        for edge in &self.edges {
            let (from, to) = (self.find(edge.from)?, self.find(edge.to)?);
            builder.depend(from, to, edge.lag as i64);
        }
        let Ok(graph) = builder.build() else { return Err(self.cycle(&links.stuck())) };
        let schedule = if self.policies.is_empty() {
            graph.simulate()
        } else {
            self.simulate_by_policies(&graph)?
        };
        let time = |at: i64| u64::try_from(at).unwrap_or(0);
        let numbered = (0_u32..).zip(&self.events);
        let place = |(at, &(event, _)): (u32, &(Event, u64))| Placed {
            event,
            start: time(schedule.start(at)),
            end: time(schedule.end(at)),
        };
        let timeline = Timeline::new(self.layout(), numbered.map(place).collect());
        let event = |task: u32| Some(self.events.get(task as usize)?.0);
        let path = steps(&schedule, &critical_path(&schedule), event);
        Ok((timeline, path))
    }

    /// The better of the two preferences; the first where they are equal.
    fn simulate_by_policies<'g>(
        &self,
        graph: &'g bigtpu_sim::TaskGraph,
    ) -> Result<TaskSchedule<'g>, PipelineError> {
        let dispatcher = graph.dispatcher();
        let run = |preference| {
            let mut policy = ByStage::new(&self.events, &self.policies, preference);
            dispatcher.run(&mut policy)
        };
        let oldest = run(Preference::Oldest);
        let several = self.policies.iter().any(|policy| policy.chunks > 1);
        let deepest = several.then(|| run(Preference::Deepest));
        let is_whole = |schedule: &TaskSchedule<'_>| schedule.taken().len() == self.events.len();
        let best = match deepest {
            Some(deepest)
                if is_whole(&deepest)
                    && (!is_whole(&oldest) || deepest.makespan() < oldest.makespan()) =>
            {
                deepest
            }
            _ => oldest,
        };
        if is_whole(&best) {
            return Ok(best);
        }
        let ran: HashSet<u32> = best.taken().iter().copied().collect();
        let stuck = (0_u32..).zip(&self.events).find(|(task, _)| !ran.contains(task));
        let event = stuck.map(|(_, (event, _))| *event);
        let event = event.unwrap_or(Event::new(Phase::Forward, 0, 0, 0));
        Err(PipelineError::NoRoom { event })
    }

    /// Whether the graph has an event.
    pub(crate) fn has(&self, event: Event) -> bool {
        self.index.contains_key(&event)
    }

    /// Number of an event, in the order in which events were added.
    pub(crate) fn find(&self, event: Event) -> Result<u32, PipelineError> {
        self.index.get(&event).copied().ok_or(PipelineError::MissingEvent { event })
    }

    fn links(&self) -> Result<Links, PipelineError> {
        let mut first = vec![0_u32; self.events.len() + 1];
        let mut needs = vec![0_u32; self.events.len()];
        let mut pairs = Vec::with_capacity(self.edges.len());
        for edge in &self.edges {
            let (from, to) = (self.find(edge.from)?, self.find(edge.to)?);
            first[from as usize + 1] += 1;
            needs[to as usize] += 1;
            pairs.push((from, to, edge.lag));
        }
        for at in 1..first.len() {
            first[at] += first[at - 1];
        }
        let mut fill = first.clone();
        let mut to = vec![(0, 0); pairs.len()];
        for (from, target, lag) in pairs {
            let slot = &mut fill[from as usize];
            to[*slot as usize] = (target, lag);
            *slot += 1;
        }
        Ok(Links { first, to, needs })
    }

    /// Walks back from an event that never became ready until one is met again.
    fn cycle(&self, waits_for: &[u32]) -> PipelineError {
        let stuck =
            |event: &Event| self.index.get(event).is_some_and(|&at| waits_for[at as usize] > 0);
        let mut before: HashMap<Event, Event> = HashMap::new();
        for edge in self.edges.iter().filter(|edge| stuck(&edge.from) && stuck(&edge.to)) {
            before.entry(edge.to).or_insert(edge.from);
        }
        let first = self.events.iter().map(|(event, _)| event).find(|event| stuck(event));
        let mut at = first.copied().unwrap_or(Event::new(crate::pipeline::Phase::Forward, 0, 0, 0));
        for _ in 0..before.len() {
            at = before.get(&at).copied().unwrap_or(at);
        }
        PipelineError::Cycle { event: at, through: before.get(&at).copied().unwrap_or(at) }
    }

    /// The smallest layout that has room for all events.
    fn layout(&self) -> Layout {
        let size = |part: fn(&Event) -> u32| {
            self.events.iter().map(|(event, _)| part(event) + 1).max().unwrap_or(0)
        };
        Layout {
            stages: size(|e| e.stage),
            microbatches: size(|e| e.microbatch),
            chunks: size(|e| e.chunk),
            way: Way::Straight,
        }
    }
}

/// The edges by their origin.
struct Links {
    first: Vec<u32>,
    to: Vec<(u32, u64)>,
    /// Number of events that each event needs.
    needs: Vec<u32>,
}

impl Links {
    fn successors(&self, at: usize) -> &[(u32, u64)] {
        self.to.get(self.first[at] as usize..self.first[at + 1] as usize).unwrap_or_default()
    }

    /// What each event still needs when all that can run has run.
    fn stuck(&self) -> Vec<u32> {
        let mut needs = self.needs.clone();
        let mut ready: Vec<usize> = (0..needs.len()).filter(|&at| needs[at] == 0).collect();
        while let Some(at) = ready.pop() {
            for &(next, _) in self.successors(at) {
                needs[next as usize] -= 1;
                if needs[next as usize] == 0 {
                    ready.push(next as usize);
                }
            }
        }
        needs
    }
}
