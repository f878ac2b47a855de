//! Dependences before their lags are known: 8 bytes each, because a run has two or three for every event.

use crate::dependence::{DependenceKind, Node};

/// A dependence before its lag is known.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Edge {
    pub(crate) from: Node,
    pub(crate) to: Node,
    pub(crate) kind: DependenceKind,
    /// Launches: the gap that all commands of the launch waited, in ns.
    pub(crate) gap: i64,
}

/// Dependences of one kind.
#[derive(Debug, Clone)]
pub(crate) struct EdgeList {
    kind: DependenceKind,
    /// From, to.
    pairs: Vec<(Node, Node)>,
    /// Of launches, by dependence; empty for all other kinds.
    gaps: Vec<i64>,
}

impl EdgeList {
    pub(crate) fn new(kind: DependenceKind) -> Self {
        Self { kind, pairs: Vec::new(), gaps: Vec::new() }
    }

    pub(crate) fn push(&mut self, from: Node, to: Node) {
        self.pairs.push((from, to));
    }

    /// A launch that starts `gap` ns after what it waits for.
    pub(crate) fn push_launch(&mut self, from: Node, to: Node, gap: i64) {
        self.pairs.push((from, to));
        self.gaps.push(gap);
    }

    pub(crate) fn extend(&mut self, pairs: impl Iterator<Item = (Node, Node)>) {
        self.pairs.extend(pairs);
    }

    pub(crate) fn clear(&mut self) {
        self.pairs.clear();
        self.gaps.clear();
    }

    pub(crate) fn len(&self) -> usize {
        self.pairs.len()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = Edge> {
        self.pairs.iter().enumerate().map(|(i, &(from, to))| {
            let gap = self.gaps.get(i).copied().unwrap_or(0);
            Edge { from, to, kind: self.kind, gap }
        })
    }
}

/// All dependences of a run. Of several that decide together the critical path follows the first.
#[derive(Debug, Clone, Default)]
pub(crate) struct Edges(Vec<EdgeList>);

impl Edges {
    pub(crate) fn add(&mut self, list: EdgeList) {
        self.0.push(list);
    }

    pub(crate) fn len(&self) -> usize {
        self.0.iter().map(EdgeList::len).sum()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = Edge> {
        self.0.iter().flat_map(EdgeList::iter)
    }
}
