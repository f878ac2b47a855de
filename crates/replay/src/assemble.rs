//! From dependences to a graph with lags, which replays the measured times.

use bigtpu_chip::Engine;
use bigtpu_sim::{Error, Graph};

use crate::dependence::{DependenceKind, Edge, Node};
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
        let (mut begin, mut end) = (Vec::new(), Vec::new());
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
    pub(crate) fn distance(&self, edge: &Edge) -> i64 {
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
    pub(crate) fn of(input: &Input<'_>, nodes: &Nodes, edges: &[Edge]) -> Self {
        const UNSEEN: i64 = i64::MAX;
        let mut floors = Self {
            order: [UNSEEN; 4],
            wait: [UNSEEN; 4],
            command: UNSEEN,
            message: UNSEEN,
            hand_over: UNSEEN,
        };
        let least = |floor: &mut i64, lag: i64| *floor = lag.clamp(0, *floor);
        for edge in edges {
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
    mut edges: Vec<Edge>,
    junctions: &[Vec<Node>],
) -> Result<Assembled, Error> {
    let count = nodes.end.len();
    let origin = input.events as Node;
    let mut has_cause = vec![false; count];
    edges.iter().for_each(|e| has_cause[e.to as usize] = true);
    let uncaused = (0..origin).filter(|n| !has_cause[*n as usize]);
    edges.extend(uncaused.map(|n| Edge::new(origin, n, DependenceKind::Origin)));
    for (junction, members) in junctions.iter().enumerate() {
        let to = origin + 1 + junction as Node;
        edges.extend(members.iter().map(|m| Edge::new(*m, to, DependenceKind::Gather)));
    }
    let (first, edges) = by_target(edges, count)?;
    let mut assembled = Columns::default();
    for node in 0..count as Node {
        let own = &edges[first[node as usize] as usize..first[node as usize + 1] as usize];
        assembled.node(input, nodes, floors, node, own);
    }
    let resource = vec![None; count];
    let predecessor = edges.iter().map(|e| e.from).collect();
    let kinds = edges.iter().map(|e| e.kind).collect();
    drop(edges);
    let Columns { duration, lag, waits } = assembled;
    let graph = Graph::from_columns(duration, resource, first, predecessor, lag)?;
    Ok(Assembled { graph, kinds, waits })
}

/// The edges by the task that waits, in the order in which they were found, and where each task's begin.
fn by_target(edges: Vec<Edge>, nodes: usize) -> Result<(Vec<u32>, Vec<Edge>), Error> {
    let mut first = vec![0u32; nodes + 1];
    if u32::try_from(edges.len()).is_err() {
        return Err(Error::TooLarge);
    }
    edges.iter().for_each(|e| first[e.to as usize + 1] += 1);
    for i in 0..nodes {
        first[i + 1] += first[i];
    }
    let mut next = first.clone();
    let mut sorted = vec![Edge::new(0, 0, DependenceKind::Origin); edges.len()];
    for edge in edges {
        let slot = &mut next[edge.to as usize];
        sorted[*slot as usize] = edge;
        *slot += 1;
    }
    Ok((first, sorted))
}

#[derive(Default)]
struct Columns {
    duration: Vec<i64>,
    lag: Vec<i64>,
    waits: Vec<WaitStart>,
}

impl Columns {
    fn node(
        &mut self,
        input: &Input<'_>,
        nodes: &Nodes,
        floors: &Floors,
        node: Node,
        edges: &[Edge],
    ) {
        let at = node as usize;
        let (begin, end) = (nodes.begin[at], nodes.end[at]);
        let class = input.class_of(node);
        let engine = class.map_or(Engine::Tiu, |c| c.engine);
        let is_message = |e: &&Edge| e.kind == DependenceKind::Message;
        let message = edges.iter().filter(is_message).map(|e| nodes.end[e.from as usize]).max();
        let waits = message.filter(|_| class.is_some_and(|c| c.task == Task::Wait));
        // What decided when the task could start; of those that ended together the strongest.
        let binding = edges
            .iter()
            .enumerate()
            .filter(|(_, e)| waits.is_none() || !is_message(e))
            .max_by_key(|(i, e)| {
                (nodes.end[e.from as usize], e.kind.precedence(), std::cmp::Reverse(*i))
            })
            .map(|(i, _)| i);
        let lag = |i: usize, edge: &Edge| {
            let own = begin - nodes.end[edge.from as usize];
            let least = match edge.kind {
                kind if kind.is_launch() => edge.gap,
                kind => floors.of_kind(kind, engine),
            };
            if Some(i) == binding { own } else { own.min(least) }
        };
        let Some(released) = waits else {
            self.duration.push(end - begin);
            self.lag.extend(edges.iter().enumerate().map(|(i, e)| lag(i, e)));
            return;
        };
        // A wait whose message came after it began ended because of it; else it took its own time.
        let waited = released > begin;
        let least = floors.wait[engine as usize].min(end - begin);
        let own_time = if waited { least } else { end - begin };
        self.duration.push(0);
        for (i, edge) in edges.iter().enumerate() {
            let from_send = end - nodes.end[edge.from as usize];
            self.lag.push(match edge.kind {
                DependenceKind::Message if waited && nodes.end[edge.from as usize] == released => {
                    from_send
                }
                DependenceKind::Message => from_send.min(floors.message),
                _ => lag(i, edge) + own_time,
            });
        }
        if let Some(edge) = binding.and_then(|i| edges.get(i)) {
            let lag = begin - nodes.end[edge.from as usize];
            self.waits.push(WaitStart { node, before: edge.from, lag });
        }
    }
}
