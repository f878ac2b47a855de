//! The critical path: from the last end backwards along what each task waited for.

use std::collections::BTreeMap;

use bigtpu_chip::Engine;
use bigtpu_measure::layers::numbered_layer;
use bigtpu_messages::{Message, message};
use bigtpu_sim::Time;
use bigtpu_timeline::EngineId;
use serde::{Deserialize, Serialize};

use crate::costs::divide;
use crate::dependence::{DependenceKind, Node};
use crate::graph::Step;
use crate::input::{Bound, Class, Task};
use crate::replay::Replay;
use crate::segments::{Place, SegmentColumns, Segments};

/// What a piece of the critical path is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// The TIU computes.
    Compute,
    /// A transfer that off-chip memory bounds.
    DdrTransfer,
    /// A transfer that on-chip shared memory bounds.
    L2mTransfer,
    /// A transfer over a chip-to-chip link.
    LinkTransfer,
    /// A transfer within local memory.
    LocalTransfer,
    /// A send or another system command.
    System,
    /// A wait whose message is not known, or was there already.
    Wait,
    /// From the end of a command to the start of one that waited for it.
    HandOver,
    /// Between two commands of an engine.
    CommandGap,
    /// Between two launches.
    LaunchGap,
    /// Before a core's first command.
    Start,
    /// Idle time that no dependence explains.
    Unexplained,
}

impl Reason {
    const COUNT: usize = Self::ALL.len();

    /// All of them, each at its number.
    const ALL: [Self; 12] = [
        Self::Compute,
        Self::DdrTransfer,
        Self::L2mTransfer,
        Self::LinkTransfer,
        Self::LocalTransfer,
        Self::System,
        Self::Wait,
        Self::HandOver,
        Self::CommandGap,
        Self::LaunchGap,
        Self::Start,
        Self::Unexplained,
    ];

    /// As printed.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Compute => "compute",
            Self::DdrTransfer => "DDR transfer",
            Self::L2mTransfer => "L2M transfer",
            Self::LinkTransfer => "link transfer",
            Self::LocalTransfer => "local transfer",
            Self::System => "system command",
            Self::Wait => "wait",
            Self::HandOver => "hand-over",
            Self::CommandGap => "command gap",
            Self::LaunchGap => "launch gap",
            Self::Start => "start",
            Self::Unexplained => "unexplained idle",
        }
    }

    /// Returns the reason's name as it stands within a sentence.
    #[must_use]
    pub fn message(self) -> Message {
        Message::new(match self {
            Self::Compute => "cause-reason-compute",
            Self::DdrTransfer => "cause-reason-ddr",
            Self::L2mTransfer => "cause-reason-l2m",
            Self::LinkTransfer => "cause-reason-link",
            Self::LocalTransfer => "cause-reason-local",
            Self::System => "cause-reason-system",
            Self::Wait => "cause-reason-wait",
            Self::HandOver => "cause-reason-hand-over",
            Self::CommandGap => "cause-reason-command-gap",
            Self::LaunchGap => "cause-reason-launch-gap",
            Self::Start => "cause-reason-start",
            Self::Unexplained => "cause-reason-unexplained",
        })
    }

    pub(crate) fn from_task(task: Task) -> Self {
        match task {
            Task::Compute => Self::Compute,
            Task::Transfer(Bound::Ddr) => Self::DdrTransfer,
            Task::Transfer(Bound::L2m) => Self::L2mTransfer,
            Task::Transfer(Bound::Link) => Self::LinkTransfer,
            Task::Transfer(Bound::Engine) => Self::LocalTransfer,
            Task::Send | Task::Control => Self::System,
            Task::Wait => Self::Wait,
        }
    }
}

/// Pieces of the critical path that have kernel, engine and reason in common.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
pub struct Piece {
    /// Kernel; empty outside of kernels.
    pub kernel: String,
    /// Layer of a static model, such as `81_Conv (Conv2D)`, as [`bigtpu_measure::layers::LayerLabel`] names it; absent where no layer is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "page-types", ts(optional))]
    pub layer: Option<String>,
    /// The layer's number in the model, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "page-types", ts(optional))]
    pub layer_id: Option<u64>,
    /// The layer's operation, such as `Conv2D`; absent where no layer is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "page-types", ts(optional))]
    pub operation: Option<String>,
    /// Engine.
    pub engine: String,
    /// What it is.
    pub reason: Reason,
    /// ns on the path.
    pub ns: i64,
    /// Share of the wall time, 0 to 1.
    pub share: f64,
    /// Times that the path goes through such a piece.
    pub count: u64,
    /// ns that such work took on all cores together, on the path or not; 0 for what is no work.
    pub all_ns: i64,
}

impl Piece {
    /// Kernel, or layer of a static model; empty outside of both.
    #[must_use]
    pub fn owner(&self) -> &str {
        let layer = self.layer.as_deref().unwrap_or_default();
        if self.kernel.is_empty() { layer } else { &self.kernel }
    }

    /// Kernel, or layer of a static model with number and operation: `layer 5 80_Relu (Conv2D)`. Empty outside of both.
    #[must_use]
    pub fn place(&self) -> Message {
        match (&self.layer, self.layer_id) {
            (Some(layer), Some(id)) if self.kernel.is_empty() => {
                message!("place-layer", layer = numbered_layer(id, layer))
            }
            _ => Message::verbatim(self.owner()),
        }
    }

    /// Kernel or layer, engine and reason, as comparisons name it.
    #[must_use]
    pub fn title(&self) -> String {
        piece_title(self.owner(), &self.engine, self.reason)
    }
}

/// Kernel or layer, engine and reason of a piece, as comparisons name it.
#[must_use]
pub fn piece_title(owner: &str, engine: &str, reason: Reason) -> String {
    let parts = [owner, engine, reason.name()];
    let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    parts.join(" ")
}

/// What the run time consisted of.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CriticalPath {
    /// ns: the sum of all pieces.
    pub wall_ns: i64,
    /// Heaviest first.
    pub pieces: Vec<Piece>,
    segments: SegmentColumns,
}

impl CriticalPath {
    /// From the ends of all nodes in the run, and the steps that its time consists of.
    pub(crate) fn compute(replay: &Replay, ends: &[Time], wall_ns: Time, steps: &[Step]) -> Self {
        let segments = SegmentColumns::new(replay.class_places());
        let sums = vec![[(0, 0); Reason::COUNT]; replay.model.classes.len()];
        let mut walk = Walk { now: 0, segments, sums };
        for step in steps {
            // What gathers tasks takes no time and is no event: its lags count for what comes next.
            let number = replay.model.class.get(step.node as usize).copied();
            let Some(number) = number else { continue };
            let Some(class) = replay.model.classes.get(number as usize) else { continue };
            let at = At { node: step.node, class: number };
            let (duration, end) = (step.duration, ends[step.node as usize]);
            let start = end - duration;
            let usual = walk.now + replay.floors.order(class.engine);
            match step.kind.unwrap_or(DependenceKind::Gather) {
                DependenceKind::Origin => walk.add(at, start, Reason::Start),
                DependenceKind::Launch | DependenceKind::LaunchGroup => {
                    walk.add(at, start, Reason::LaunchGap);
                }
                DependenceKind::EngineOrder | DependenceKind::Gather => {
                    if class.task == Task::Wait && duration == 0 {
                        // The moment in which a wait with a known message ends.
                        walk.add(at, start, Reason::Wait);
                    }
                    walk.add(at, usual.min(start), Reason::CommandGap);
                    walk.add(at, start, Reason::Unexplained);
                }
                kind => {
                    let (hand_over, _) = divide(kind, start - walk.now);
                    walk.add(at, walk.now + hand_over, Reason::HandOver);
                    walk.add(at, start, Reason::Unexplained);
                }
            }
            walk.add(at, end, Reason::from_task(class.task));
        }
        let Walk { sums, mut segments, .. } = walk;
        segments.shrink();
        Self { wall_ns, pieces: pieces(replay, sums, wall_ns), segments }
    }

    /// The stretches of the path in time order; they follow one another without gaps.
    #[must_use]
    pub fn segments(&self) -> Segments<'_> {
        Segments::new(&self.segments)
    }

    /// Share of the wall time that is idle and unexplained, 0 to 1.
    #[must_use]
    pub fn unexplained(&self) -> f64 {
        let idle = self.pieces.iter().filter(|p| p.reason == Reason::Unexplained);
        idle.map(|p| p.ns).sum::<i64>() as f64 / self.wall_ns.max(1) as f64
    }
}

/// Where a segment is.
#[derive(Clone, Copy)]
struct At {
    node: Node,
    /// Number of the node's class.
    class: u32,
}

/// ns and number of segments, by reason.
type Sums = [(i64, u64); Reason::COUNT];

/// What pieces have in common.
type PieceKey = (Option<u32>, Engine, Reason);

/// The path as far as it is known.
struct Walk {
    now: i64,
    segments: SegmentColumns,
    /// ns and number of segments, by class and reason.
    sums: Vec<Sums>,
}

impl Walk {
    /// The path continues until then; nothing where it is already further.
    fn add(&mut self, at: At, until: i64, reason: Reason) {
        if until > self.now {
            let ns = until - std::mem::replace(&mut self.now, until);
            self.segments.push(ns, at.node, at.class, reason);
            let sum = &mut self.sums[at.class as usize][reason as usize];
            *sum = (sum.0 + ns, sum.1 + 1);
        }
    }
}

impl Replay {
    /// Where the nodes of each class are.
    fn class_places(&self) -> Vec<Place> {
        // Classes of an engine follow one another.
        let mut known: Option<(EngineId, Node)> = None;
        let place = |Class { engine, index, kernel, .. }: &Class| {
            let engine_id = EngineId { index: *index, engine: *engine };
            let is_own = |(own, _): &(EngineId, Node)| *own == engine_id;
            known = known.filter(is_own).or_else(|| self.tracks.iter().copied().find(is_own));
            let first = known.map_or(0, |(_, first)| first);
            Place { engine_id, first, kernel: *kernel }
        };
        self.model.classes.iter().map(place).collect()
    }
}

fn pieces(replay: &Replay, of_classes: Vec<Sums>, wall_ns: i64) -> Vec<Piece> {
    let classes = &replay.model.classes;
    let key = |class: &Class, reason| -> PieceKey { (class.kernel, class.engine, reason) };
    let mut sums: BTreeMap<PieceKey, (i64, u64)> = BTreeMap::new();
    for (class, own) in classes.iter().zip(of_classes) {
        let reasons = Reason::ALL.into_iter().zip(own).filter(|(_, (_, count))| *count > 0);
        for (reason, (ns, count)) in reasons {
            let sum = sums.entry(key(class, reason)).or_default();
            *sum = (sum.0 + ns, sum.1 + count);
        }
    }
    let mut all: BTreeMap<PieceKey, i64> = BTreeMap::new();
    let mut of_class = vec![0i64; classes.len()];
    for (class, ns) in replay.model.class.iter().zip(replay.graph.durations()) {
        if let Some(sum) = of_class.get_mut(*class as usize) {
            *sum += ns;
        }
    }
    for (class, ns) in classes.iter().zip(of_class) {
        *all.entry(key(class, Reason::from_task(class.task))).or_default() += ns;
    }
    let mut pieces: Vec<Piece> = sums
        .into_iter()
        .map(|(key, (ns, count))| Piece {
            kernel: key.0.and_then(|k| replay.kernels.get(k as usize)).cloned().unwrap_or_default(),
            layer: None,
            layer_id: None,
            operation: None,
            engine: key.1.name().to_owned(),
            reason: key.2,
            ns,
            share: ns as f64 / wall_ns.max(1) as f64,
            count,
            all_ns: all.get(&key).copied().unwrap_or(0),
        })
        .collect();
    pieces.sort_by_key(|piece| std::cmp::Reverse(piece.ns));
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_reason_is_at_its_number() {
        for (number, reason) in Reason::ALL.into_iter().enumerate() {
            assert_eq!(reason as usize, number);
        }
    }
}
