//! The stretches of a critical path, in columns: a run has one for every few events.

use bigtpu_sim::Times;
use bigtpu_timeline::EngineId;

use crate::critical_path::Reason;
use crate::dependence::{NONE, Node};

/// A stretch of the critical path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Segment {
    /// ns from the first event.
    pub start: i64,
    /// ns from the first event.
    pub end: i64,
    /// Where it is: the engine of the command, or of the command that comes next.
    pub engine_id: EngineId,
    /// The command, or the one that comes next: index on its engine.
    pub event: usize,
    /// Index of the kernel.
    pub kernel: Option<u32>,
    /// What it is.
    pub reason: Reason,
}

/// The stretches of a critical path, in time order without gaps.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct SegmentColumns {
    /// Which engine, and the number of its first event.
    tracks: Vec<(EngineId, Node)>,
    /// ns.
    length: Times,
    node: Vec<Node>,
    /// Index of the kernel, or [`NONE`].
    kernel: Vec<u32>,
    reason: Vec<Reason>,
}

impl SegmentColumns {
    pub(crate) fn new(tracks: Vec<(EngineId, Node)>) -> Self {
        Self { tracks, ..Self::default() }
    }

    pub(crate) fn push(&mut self, ns: i64, node: Node, kernel: Option<u32>, reason: Reason) {
        self.length.push(ns);
        self.node.push(node);
        self.kernel.push(kernel.unwrap_or(NONE));
        self.reason.push(reason);
    }

    pub(crate) fn shrink(&mut self) {
        self.length.shrink_to_fit();
        self.node.shrink_to_fit();
        self.kernel.shrink_to_fit();
        self.reason.shrink_to_fit();
    }
}

/// The stretches of a critical path, one after the other.
#[derive(Debug, Clone)]
pub struct Segments<'a> {
    columns: &'a SegmentColumns,
    at: usize,
    /// Place of the engine of the one before.
    track: usize,
    /// Where the next one starts.
    start: i64,
}

impl<'a> Segments<'a> {
    pub(crate) fn of(columns: &'a SegmentColumns) -> Self {
        Self { columns, at: 0, track: 0, start: 0 }
    }

    /// The place of a node's engine; mostly it is that of the stretch before, or one next to it.
    #[inline]
    fn track_of(&self, node: Node) -> Option<usize> {
        let tracks = &self.columns.tracks;
        let begins = |at: usize| tracks.get(at).map_or(NONE, |(_, first)| *first);
        let holds = |at: &usize| begins(*at) <= node && node < begins(*at + 1);
        let near = [self.track, self.track + 1, self.track.saturating_sub(1)];
        near.into_iter()
            .find(holds)
            .or_else(|| tracks.partition_point(|(_, first)| *first <= node).checked_sub(1))
    }
}

impl Iterator for Segments<'_> {
    type Item = Segment;

    fn next(&mut self) -> Option<Segment> {
        let SegmentColumns { tracks, length, node, kernel, reason } = self.columns;
        let (node, reason) = (*node.get(self.at)?, *reason.get(self.at)?);
        let kernel = kernel.get(self.at).copied().filter(|kernel| *kernel != NONE);
        self.track = self.track_of(node)?;
        let (engine_id, first) = *tracks.get(self.track)?;
        let (start, end) = (self.start, self.start + length.get(self.at));
        (self.at, self.start) = (self.at + 1, end);
        Some(Segment { start, end, engine_id, event: (node - first) as usize, kernel, reason })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.columns.node.len() - self.at;
        (left, Some(left))
    }
}

impl ExactSizeIterator for Segments<'_> {}
