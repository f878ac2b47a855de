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

/// Cuts ids wherever one does not grow.
pub(crate) fn by_id(ids: impl Iterator<Item = i64>) -> Vec<Section> {
    let mut sections: Vec<Section> = Vec::new();
    let mut ids = ids.enumerate();
    let Some((_, mut first_id)) = ids.next() else { return sections };
    let (mut first, mut last, mut last_id) = (0, 0, first_id);
    let section = |(first, last): (usize, usize), (first_id, last_id): (i64, i64)| Section {
        span: last_id.abs_diff(first_id) + 1,
        first,
        len: last + 1 - first,
    };
    for (index, id) in ids {
        if id <= last_id {
            sections.push(section((first, last), (first_id, last_id)));
            (first, first_id) = (index, id);
        }
        (last, last_id) = (index, id);
    }
    sections.push(section((first, last), (first_id, last_id)));
    sections
}

/// Cuts dispatched commands: a stream is a section of its own.
pub(crate) fn of_nodes(nodes: &[Node]) -> Vec<Section> {
    let mut sections = Vec::new();
    let mut at = 0;
    let is_stream = |n: &Node| matches!(n.kind, NodeKind::Stream { .. });
    for run in nodes.chunk_by(|a, b| !is_stream(a) && !is_stream(b)) {
        match run {
            [Node { kind: NodeKind::Stream { count, .. }, .. }] => {
                sections.push(Section { span: u64::from(*count), first: at, len: 1 });
            }
            _ => sections.extend(
                by_id(run.iter().map(|n| i64::from(n.id)))
                    .into_iter()
                    .map(|s| Section { first: at + s.first, ..s }),
            ),
        }
        at += run.len();
    }
    sections
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_counts_ids_not_items() {
        let sections = by_id([0, 1, 5, 0, 0, 2].into_iter());
        let plain: Vec<_> = sections.iter().map(|s| (s.span, s.first, s.len)).collect();
        assert_eq!(plain, [(6, 0, 3), (1, 3, 1), (3, 4, 2)]);
    }
}
