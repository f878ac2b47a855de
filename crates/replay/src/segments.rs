//! The stretches of a critical path, in columns: a run has one for every few events.

use bigtpu_sim::TaskTimes;
use bigtpu_timeline::EngineId;

use crate::critical_path::Reason;
use crate::dependence::Node;

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
    classes: Vec<Place>,
    /// ns.
    length: TaskTimes,
    node: Vec<Node>,
    /// Class of the node.
    class: Vec<u32>,
    reason: Vec<Reason>,
}

/// Where the nodes of a class are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) engine_id: EngineId,
    /// Number of the engine's first event.
    pub(crate) first: Node,
    /// Index of the kernel.
    pub(crate) kernel: Option<u32>,
}

impl SegmentColumns {
    /// `classes`: where the nodes of each class are.
    pub(crate) fn new(classes: Vec<Place>) -> Self {
        Self { classes, ..Self::default() }
    }

    pub(crate) fn push(&mut self, ns: i64, node: Node, class: u32, reason: Reason) {
        self.length.push(ns);
        self.node.push(node);
        self.class.push(class);
        self.reason.push(reason);
    }

    pub(crate) fn shrink(&mut self) {
        self.length.shrink_to_fit();
        self.node.shrink_to_fit();
        self.class.shrink_to_fit();
        self.reason.shrink_to_fit();
    }
}

/// The stretches of a critical path, one after the other.
#[derive(Debug, Clone)]
pub struct Segments<'a> {
    columns: &'a SegmentColumns,
    at: usize,
    /// Where the next one starts.
    start: i64,
}

impl<'a> Segments<'a> {
    pub(crate) fn new(columns: &'a SegmentColumns) -> Self {
        Self { columns, at: 0, start: 0 }
    }
}

impl Iterator for Segments<'_> {
    type Item = Segment;

    #[inline]
    fn next(&mut self) -> Option<Segment> {
        let SegmentColumns { classes, length, node, class, reason } = self.columns;
        let (node, reason) = (*node.get(self.at)?, *reason.get(self.at)?);
        let Place { engine_id, first, kernel } = *classes.get(*class.get(self.at)? as usize)?;
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
