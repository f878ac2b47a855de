//! How much of spans of time a set covers.

use crate::span_list::{Piece, SpanList};

/// Measures how much of spans of time a list covers. Spans that are asked for in order, and do not overlap, pass each span of the list
/// once; any other order is right as well, and slower.
#[derive(Debug, Clone)]
pub struct Coverage<'a> {
    list: &'a SpanList,
    /// Number of the piece, and its spans that end after the moment up to which was asked last.
    piece: usize,
    rest: &'a [(u32, u32)],
    from: (i64, i64),
    /// That moment.
    asked: i64,
}

impl<'a> Coverage<'a> {
    pub(crate) fn new(list: &'a SpanList) -> Self {
        let Piece { from, spans } = list.piece(0);
        Self { list, piece: 0, rest: spans, from: *from, asked: i64::MIN }
    }

    /// ns covered from `start` to `end`.
    #[inline]
    pub fn covered(&mut self, start: i64, end: i64) -> i64 {
        if start >= end {
            return 0;
        }
        if start < self.asked {
            let (piece, span) = self.list.first_ending_after(start);
            self.begin_piece(piece, span);
        }
        self.asked = end;
        let (mut rest, mut ns) = (self.rest, 0);
        loop {
            while let Some((span, later)) = rest.split_first() {
                let (from, to) = (self.from.0 + i64::from(span.0), self.from.1 + i64::from(span.1));
                if from >= end {
                    self.rest = rest;
                    return ns;
                }
                if to > start {
                    ns += to.min(end) - from.max(start);
                    if to > end {
                        self.rest = rest;
                        return ns;
                    }
                }
                rest = later;
            }
            self.rest = rest;
            if self.piece >= self.list.last_piece() {
                return ns;
            }
            self.begin_piece(self.piece + 1, 0);
            rest = self.rest;
        }
    }

    /// Goes on with a span of a piece, by their numbers.
    #[cold]
    fn begin_piece(&mut self, piece: usize, span: usize) {
        let Piece { from, spans } = self.list.piece(piece);
        (self.piece, self.from) = (piece, *from);
        self.rest = spans.get(span..).unwrap_or_default();
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::span_list::tests::some_spans;

    proptest! {
        /// In any order, some of it far away.
        #[test]
        fn it_is_the_sum_over_all_spans(
            spans in some_spans(),
            asked in prop::collection::vec((-7_100_000_000i64..9_000_000_000, 0i64..9_000_000_000), 0..9),
        ) {
            let list: SpanList = spans.iter().copied().collect();
            let mut coverage = Coverage::new(&list);
            for (from, ns) in asked {
                let to = from + ns;
                let of_span = |(start, end): &(i64, i64)| (to.min(*end) - from.max(*start)).max(0);
                prop_assert_eq!(coverage.covered(from, to), spans.iter().map(of_span).sum::<i64>());
            }
        }
    }

    #[test]
    fn spans_of_several_pieces_are_covered() {
        let count = 25_000;
        let list: SpanList = (0..count).map(|n| (10 * n, 10 * n + 3)).collect();
        assert!(list.last_piece() > 1);
        let mut coverage = Coverage::new(&list);
        for n in [5, count - 1, count / 2, count / 2 + 700] {
            assert_eq!(coverage.covered(1, 10 * n + 2), 3 * n + 1);
            assert_eq!(coverage.covered(10 * n + 2, 10 * n + 11), 1 + i64::from(n + 1 < count));
        }
    }
}
