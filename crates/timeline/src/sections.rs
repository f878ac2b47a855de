//! Sections: runs of growing ids (section 6).

use crate::nodes::{Node, NodeKind};

/// A run of records or commands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Section {
    /// Ids spanned: last - first + 1, or the count of a dispatched stream.
    pub(crate) span: u64,
    /// First item.
    pub(crate) first: usize,
    /// Items.
    pub(crate) len: usize,
}

/// Cuts a list wherever the ids do not grow.
pub(crate) fn by_id<T>(all: &[T], id: impl Fn(&T) -> i64) -> Vec<Section> {
    sections(all.chunk_by(|a, b| id(a) < id(b)), |first, last| id(last).abs_diff(id(first)) + 1)
}

/// Cuts dispatched commands: a stream is a section of its own.
pub(crate) fn of_nodes(nodes: &[Node]) -> Vec<Section> {
    let is_stream = |node: &Node| matches!(node.kind, NodeKind::Stream { .. });
    let runs = nodes.chunk_by(|a, b| a.id < b.id && !is_stream(a) && !is_stream(b));
    sections(runs, |first, last| match first.kind {
        NodeKind::Stream { count, .. } => count.into(),
        NodeKind::Command(_) => u64::from(last.id - first.id) + 1,
    })
}

/// Runs that follow one another; `span`: the ids from a run's first item to its last one.
fn sections<'a, T: 'a>(
    runs: impl Iterator<Item = &'a [T]>,
    span: impl Fn(&T, &T) -> u64,
) -> Vec<Section> {
    let mut next = 0;
    let section = |run: &'a [T]| {
        let [head, ..] = run else { return None };
        let (first, len) = (next, run.len());
        next += len;
        Some(Section { span: span(head, run.last().unwrap_or(head)), first, len })
    };
    runs.filter_map(section).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_counts_ids_not_items() {
        let sections = by_id(&[0, 1, 5, 0, 0, 2], |id| *id);
        let plain: Vec<_> = sections.iter().map(|s| (s.span, s.first, s.len)).collect();
        assert_eq!(plain, [(6, 0, 3), (1, 3, 1), (3, 4, 2)]);
    }
}
