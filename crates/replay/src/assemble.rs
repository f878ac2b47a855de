//! From dependences to a graph with lags, which replays the measured times.

use bigtpu_chip::Engine;
use bigtpu_sim::{Error, Graph};

use crate::dependence::{DependenceKind, Node};
use crate::edges::{Edge, EdgeList, Edges};
use crate::input::{Input, Task};

/// Nodes with their measured times, before the graph.
pub(crate) struct Nodes {
    /// ns from the first event.
    pub(crate) begin: Vec<i64>,
    /// ns from the first event.
    pub(crate) end: Vec<i64>,
}

impl Nodes {
    /// Events, the origin, and `junctions`, each of which ends with the last of what it gathers.
    pub(crate) fn of(input: &Input<'_>, junctions: &[Vec<Node>]) -> Self {
        let count = input.events + 1 + junctions.len();
        let (mut begin, mut end) = (Vec::with_capacity(count), Vec::with_capacity(count));
        for track in &input.tracks {
            begin.extend(track.start.iter().map(|s| s - input.origin));
            end.extend((0..track.len()).map(|i| track.end(i) - input.origin));
        }
        begin.push(0);
        end.push(0);
        for junction in junctions {
            let last = junction.iter().map(|n| end[*n as usize]).max().unwrap_or(0);
            begin.push(last);
            end.push(last);
        }
        Self { begin, end }
    }

    /// Time from the end of an edge's predecessor to the start of its task.
    pub(crate) fn distance(&self, edge: Edge) -> i64 {
        self.begin[edge.to as usize] - self.end[edge.from as usize]
    }
}

/// A wait whose cause is known. In the graph it is the moment of its end; its start follows its engine.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WaitStart {
    pub(crate) node: Node,
    pub(crate) before: Node,
    pub(crate) lag: i64,
}

/// The smallest lags seen, in ns: what non-binding dependences keep.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Floors {
    order: [i64; 4],
    /// A wait whose message is already there.
    wait: [i64; 4],
    command: i64,
    message: i64,
    hand_over: i64,
}

impl Floors {
    /// Of engine order on one engine.
    pub(crate) fn order(&self, engine: Engine) -> i64 {
        self.order[engine as usize]
    }

    fn of_kind(&self, kind: DependenceKind, engine: Engine) -> i64 {
        match kind {
            DependenceKind::EngineOrder => self.order(engine),
            DependenceKind::Command => self.command,
            DependenceKind::Message => self.message,
            DependenceKind::HandOver => self.hand_over,
            DependenceKind::Origin
            | DependenceKind::Gather
            | DependenceKind::Launch
            | DependenceKind::LaunchGroup => 0,
        }
    }

    /// Smallest lags over all edges; `released` says when the last send of a wait's message ended.
    pub(crate) fn of(input: &Input<'_>, nodes: &Nodes, edges: &Edges) -> Self {
        const UNSEEN: i64 = i64::MAX;
        let mut floors = Self {
            order: [UNSEEN; 4],
            wait: [UNSEEN; 4],
            command: UNSEEN,
            message: UNSEEN,
            hand_over: UNSEEN,
        };
        let least = |floor: &mut i64, lag: i64| *floor = lag.clamp(0, *floor);
        for edge in edges.iter() {
            let Some(class) = input.class_of(edge.to) else { continue };
            let engine = class.engine as usize;
            let distance = nodes.distance(edge);
            match edge.kind {
                DependenceKind::EngineOrder => least(&mut floors.order[engine], distance),
                DependenceKind::Command => least(&mut floors.command, distance),
                DependenceKind::HandOver => least(&mut floors.hand_over, distance),
                DependenceKind::Message => {
                    let to = edge.to as usize;
                    least(&mut floors.wait[engine], nodes.end[to] - nodes.begin[to]);
                    if distance < 0 {
                        let sent = nodes.end[edge.from as usize];
                        least(&mut floors.message, nodes.end[to] - sent);
                    }
                }
                _ => {}
            }
        }
        let Self { order, wait, command, message, hand_over } = &mut floors;
        for floor in order.iter_mut().chain(wait).chain([command, message, hand_over]) {
            if *floor == UNSEEN {
                *floor = 0;
            }
        }
        floors
    }
}

/// The graph of a run.
pub(crate) struct Assembled {
    pub(crate) graph: Graph,
    /// By dependence of the graph.
    pub(crate) kinds: Vec<DependenceKind>,
    pub(crate) waits: Vec<WaitStart>,
}

/// Gives every edge its lag: the measured one where it binds, else the smallest of its kind.
pub(crate) fn assemble(
    input: &Input<'_>,
    nodes: &Nodes,
    floors: &Floors,
    mut edges: Edges,
    junctions: &[Vec<Node>],
) -> Result<Assembled, Error> {
    let count = nodes.end.len();
    let origin = input.events as Node;
    let mut has_cause = vec![false; count];
    edges.iter().for_each(|e| has_cause[e.to as usize] = true);
    let mut first_events = EdgeList::new(DependenceKind::Origin);
    first_events.extend((0..origin).filter(|n| !has_cause[*n as usize]).map(|n| (origin, n)));
    drop(has_cause);
    let mut gathered = EdgeList::new(DependenceKind::Gather);
    for (junction, members) in (origin + 1..).zip(junctions) {
        gathered.extend(members.iter().map(|member| (*member, junction)));
    }
    edges.add(first_events);
    edges.add(gathered);
    let mut columns = Columns::by_target(&edges, count)?;
    drop(edges);
    let (mut duration, mut waits) = (Vec::with_capacity(count), Vec::new());
    for node in 0..count as Node {
        let (ns, wait) = columns.set_lags(input, nodes, floors, node);
        duration.push(ns);
        waits.extend(wait);
    }
    let Columns { first, predecessor, kind, lag } = columns;
    let graph = Graph::from_columns(duration, Vec::new(), first, predecessor, lag)?;
    Ok(Assembled { graph, kinds: kind, waits })
}

/// Dependences by the task that waits, in the order in which they were found.
struct Columns {
    /// Where the dependences of each task begin.
    first: Vec<u32>,
    predecessor: Vec<Node>,
    kind: Vec<DependenceKind>,
    /// ns; before [`Columns::set_lags`] the gap of a launch.
    lag: Vec<i64>,
}

impl Columns {
    fn by_target(edges: &Edges, nodes: usize) -> Result<Self, Error> {
        let count = edges.len();
        if u32::try_from(count).is_err() {
            return Err(Error::TooLarge);
        }
        // Counted one place further than needed: while a task's dependences are filled in, its own place counts up to
        // where the next one's begin.
        let mut first = vec![0u32; nodes + 2];
        edges.iter().for_each(|e| first[e.to as usize + 2] += 1);
        for i in 2..first.len() {
            first[i] += first[i - 1];
        }
        let mut predecessor = vec![0; count];
        let mut kind = vec![DependenceKind::Origin; count];
        let mut lag = vec![0; count];
        for edge in edges.iter() {
            let slot = &mut first[edge.to as usize + 1];
            let at = *slot as usize;
            *slot += 1;
            (predecessor[at], kind[at], lag[at]) = (edge.from, edge.kind, edge.gap);
        }
        first.pop();
        Ok(Self { first, predecessor, kind, lag })
    }

    /// Sets the lags of a task's dependences; returns its duration and, of a wait whose cause is known, its start.
    fn set_lags(
        &mut self,
        input: &Input<'_>,
        nodes: &Nodes,
        floors: &Floors,
        node: Node,
    ) -> (i64, Option<WaitStart>) {
        let at = node as usize;
        let (begin, end) = (nodes.begin[at], nodes.end[at]);
        let class = input.class_of(node);
        let engine = class.map_or(Engine::Tiu, |c| c.engine);
        let own = self.first[at] as usize..self.first[at + 1] as usize;
        let lags = &mut self.lag[own.clone()];
        let edges = self.predecessor[own.clone()].iter().zip(&self.kind[own]);
        let edges = edges.map(|(from, kind)| (*from, nodes.end[*from as usize], *kind));
        let messages = edges.clone().filter(|(.., kind)| *kind == DependenceKind::Message);
        let message = messages.map(|(_, ended, _)| ended).max();
        let waits = message.filter(|_| class.is_some_and(|c| c.task == Task::Wait));
        // What decided when the task could start; of those that ended together the strongest, of these the first.
        let mut binding: Option<((i64, u8), usize, Node)> = None;
        for (i, (from, ended, kind)) in edges.clone().enumerate() {
            let key = (ended, kind.precedence());
            let is_cause = waits.is_none() || kind != DependenceKind::Message;
            if is_cause && binding.is_none_or(|(strongest, ..)| key > strongest) {
                binding = Some((key, i, from));
            }
        }
        let bound = binding.map(|(_, i, _)| i);
        let lag_of = |i: usize, (_, ended, kind): (Node, i64, DependenceKind), gap: i64| {
            let own = begin - ended;
            let least = if kind.is_launch() { gap } else { floors.of_kind(kind, engine) };
            if Some(i) == bound { own } else { own.min(least) }
        };
        let Some(released) = waits else {
            for (i, (edge, lag)) in edges.zip(lags).enumerate() {
                *lag = lag_of(i, edge, *lag);
            }
            return (end - begin, None);
        };
        // A wait whose message came after it began ended because of it; else it took its own time.
        let waited = released > begin;
        let least = floors.wait[engine as usize].min(end - begin);
        let own_time = if waited { least } else { end - begin };
        for (i, (edge, lag)) in edges.zip(lags).enumerate() {
            let (_, ended, kind) = edge;
            let from_send = end - ended;
            *lag = match kind {
                DependenceKind::Message if waited && ended == released => from_send,
                DependenceKind::Message => from_send.min(floors.message),
                _ => lag_of(i, edge, *lag) + own_time,
            };
        }
        let start =
            binding.map(|((ended, _), _, before)| WaitStart { node, before, lag: begin - ended });
        (0, start)
    }
}
