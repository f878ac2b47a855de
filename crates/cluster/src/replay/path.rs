//! The critical path: from the last end backwards over what bound each command.

use super::{Lag, Replay};

/// A piece of the critical path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum PathPiece {
    /// A rank's own time.
    Own(usize),
    /// Time of a link, from one rank to another.
    Link(usize, usize),
}

/// A stretch of the critical path, in ns of the reference.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct PathStep {
    pub(crate) piece: PathPiece,
    pub(crate) from: f64,
    pub(crate) to: f64,
}

impl Replay {
    /// The critical path by time.
    pub(crate) fn critical_path(&self) -> Vec<PathStep> {
        let mut steps: Vec<PathStep> = Vec::new();
        let last = self.last.iter().filter_map(|(rank, nodes)| {
            let end = |node: &usize| self.nodes.get(*node).map_or(0.0, |n| n.end);
            let node = nodes.iter().copied().max_by(|a, b| end(a).total_cmp(&end(b)))?;
            let tail = self.tail.get(rank)?.all;
            Some((end(&node) + tail, *rank, node, tail))
        });
        let Some((end, rank, mut at, tail)) = last.max_by(|a, b| a.0.total_cmp(&b.0)) else {
            return steps;
        };
        let mut add = |piece: PathPiece, from: f64, to: f64| {
            if to > from {
                steps.push(PathStep { piece, from, to });
            }
        };
        add(PathPiece::Own(rank), end - tail, end);
        for _ in 0..4 * self.nodes.len() {
            // The start that bound this command's end.
            let node = &self.nodes[at];
            let bound = match node.partner {
                None => {
                    add(PathPiece::Own(node.rank), node.start, node.end);
                    at
                }
                Some(partner) => {
                    let (send, receive) = if node.receives { (partner, at) } else { (at, partner) };
                    let (s, r) = (&self.nodes[send], &self.nodes[receive]);
                    let t = &self.transfers[send];
                    let by_send = s.start + t.start_up >= r.start + t.credit;
                    let bound = if by_send { send } else { receive };
                    add(PathPiece::Link(s.rank, r.rank), self.nodes[bound].start, node.end);
                    bound
                }
            };
            let node = &self.nodes[bound];
            let cause = node.after.iter().max_by(|a, b| {
                let time = |(n, lag): &(usize, Lag)| self.nodes[*n].end + lag.all;
                time(a).total_cmp(&time(b))
            });
            match cause {
                Some((before, lag)) => {
                    let from = self.nodes[*before].end;
                    add(PathPiece::Own(node.rank), from, from + lag.all);
                    at = *before;
                }
                None => {
                    let first = node.first.map_or(0.0, |lag| lag.all);
                    add(PathPiece::Own(node.rank), node.start - first, node.start);
                    break;
                }
            }
        }
        steps.reverse();
        steps
    }
}
