//! Spans of time in 8 bytes each: a run has millions.

/// Spans of time in ns, as half-open spans in order: each starts behind the end of the one before, or at it.
#[derive(Debug, Clone, Default)]
pub(crate) struct SpanList {
    /// Pieces that are full.
    pieces: Vec<Piece>,
    last: Piece,
}

/// Spans that follow one another, their times counted in 32 bits from a moment of the piece.
#[derive(Debug, Clone, Default)]
pub(crate) struct Piece {
    /// What starts and what ends are counted from, in ns: the same moment but for a span of more than 4 s, which is a piece by itself.
    pub(crate) from: (i64, i64),
    pub(crate) spans: Vec<(u32, u32)>,
}

/// Spans of a piece: a list grows by this much, and nothing is copied.
const PIECE: usize = 1 << 13;

impl Piece {
    /// A span as it is stored; `None` if it does not fit.
    #[inline]
    fn stored(&self, (start, end): (i64, i64)) -> Option<(u32, u32)> {
        let start = u32::try_from(start.wrapping_sub(self.from.0)).ok()?;
        Some((start, u32::try_from(end.wrapping_sub(self.from.1)).ok()?))
    }

    #[inline]
    fn span(&self, (start, end): (u32, u32)) -> (i64, i64) {
        (self.from.0 + i64::from(start), self.from.1 + i64::from(end))
    }

    fn last(&self) -> Option<(i64, i64)> {
        self.spans.last().map(|span| self.span(*span))
    }

    /// ns of all its spans.
    fn total(&self) -> i64 {
        let longer = self.from.1 - self.from.0;
        let ns = |(start, end): &(u32, u32)| i64::from(*end) - i64::from(*start) + longer;
        self.spans.iter().map(ns).sum()
    }
}

impl SpanList {
    /// Without spans; there is room for so many.
    pub(crate) fn with_capacity(spans: usize) -> Self {
        let spans = Vec::with_capacity(spans.min(PIECE));
        Self { pieces: Vec::new(), last: Piece { from: (0, 0), spans } }
    }

    fn all_pieces(&self) -> impl Iterator<Item = &Piece> {
        self.pieces.iter().chain([&self.last])
    }

    /// Number of spans.
    pub(crate) fn len(&self) -> usize {
        self.all_pieces().map(|piece| piece.spans.len()).sum()
    }

    /// Whether there are none.
    pub(crate) fn is_empty(&self) -> bool {
        self.last.spans.is_empty() && self.pieces.is_empty()
    }

    /// ns of all spans.
    pub(crate) fn total(&self) -> i64 {
        self.all_pieces().map(Piece::total).sum()
    }

    /// Gives back room that is not needed.
    pub(crate) fn shrink_to_fit(&mut self) {
        self.last.spans.shrink_to_fit();
        self.pieces.shrink_to_fit();
    }

    /// Appends a span.
    #[inline]
    pub(crate) fn push(&mut self, span: (i64, i64)) {
        match self.last.stored(span) {
            Some(stored) if self.last.spans.len() < PIECE => self.last.spans.push(stored),
            _ => self.push_piece(span),
        }
    }

    /// Appends a span as the first one of a piece.
    #[cold]
    fn push_piece(&mut self, span: (i64, i64)) {
        let mut spans = if self.is_empty() {
            std::mem::take(&mut self.last.spans)
        } else {
            Vec::with_capacity(self.last.spans.len())
        };
        let is_short = u32::try_from(span.1.wrapping_sub(span.0)).is_ok();
        let from = if is_short { (span.0, span.0) } else { span };
        spans.push((0, (span.1 - from.1) as u32));
        self.begin(Piece { from, spans });
    }

    /// Goes on with a piece.
    fn begin(&mut self, piece: Piece) {
        let mut full = std::mem::replace(&mut self.last, piece);
        if !full.spans.is_empty() {
            full.spans.shrink_to_fit();
            self.pieces.push(full);
        }
    }

    /// The last span.
    #[inline]
    pub(crate) fn last(&self) -> Option<(i64, i64)> {
        self.last.last()
    }

    /// Takes the last span out.
    pub(crate) fn pop(&mut self) -> Option<(i64, i64)> {
        let last = self.last()?;
        self.last.spans.pop();
        if self.last.spans.is_empty()
            && let Some(before) = self.pieces.pop()
        {
            self.last = before;
        }
        Some(last)
    }

    /// Appends the spans of a list that are behind those of this one: nothing is copied. Where the first one touches the last one
    /// they become one.
    pub(crate) fn append(&mut self, mut later: Self) {
        let first = later.iter().next();
        if let (Some((start, until)), Some((from, end))) = (self.last(), first)
            && until == from
        {
            self.pop();
            self.push((start, end));
            later.remove_first();
        }
        if !later.is_empty() {
            for piece in later.pieces.into_iter().chain([later.last]) {
                self.begin(piece);
            }
        }
    }

    /// Takes the first span out of a list that is to be appended.
    fn remove_first(&mut self) {
        let piece = self.pieces.first_mut().unwrap_or(&mut self.last);
        piece.spans.drain(..piece.spans.len().min(1));
        if piece.spans.is_empty() && !self.pieces.is_empty() {
            self.pieces.remove(0);
        }
    }

    /// The spans.
    #[inline]
    pub(crate) fn iter(&self) -> SpanIter<'_> {
        let mut later = self.pieces.iter();
        let (piece, last) = match later.next() {
            Some(first) => (first, Some(&self.last)),
            None => (&self.last, None),
        };
        SpanIter { spans: piece.spans.iter(), from: piece.from, later, last }
    }

    /// Number of the last piece.
    pub(crate) fn last_piece(&self) -> usize {
        self.pieces.len()
    }

    /// A piece by its number: the last one, if there are not so many.
    #[inline]
    pub(crate) fn piece(&self, number: usize) -> &Piece {
        self.pieces.get(number).unwrap_or(&self.last)
    }

    /// Number of the piece, and of its span, that ends first after a moment.
    pub(crate) fn first_ending_after(&self, moment: i64) -> (usize, usize) {
        let is_past = |piece: &Piece| piece.last().is_some_and(|(_, end)| end <= moment);
        let number = self.pieces.partition_point(is_past);
        let piece = self.piece(number);
        (number, piece.spans.partition_point(|span| piece.span(*span).1 <= moment))
    }
}

impl FromIterator<(i64, i64)> for SpanList {
    fn from_iter<I: IntoIterator<Item = (i64, i64)>>(spans: I) -> Self {
        let mut list = Self::default();
        spans.into_iter().for_each(|span| list.push(span));
        list
    }
}

impl PartialEq for SpanList {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl Eq for SpanList {}

/// Goes through the spans of a list.
#[derive(Debug, Clone)]
pub struct SpanIter<'a> {
    /// What is left of a piece, and its `from`.
    spans: std::slice::Iter<'a, (u32, u32)>,
    from: (i64, i64),
    later: std::slice::Iter<'a, Piece>,
    last: Option<&'a Piece>,
}

impl Iterator for SpanIter<'_> {
    type Item = (i64, i64);

    #[inline]
    fn next(&mut self) -> Option<(i64, i64)> {
        match self.spans.next() {
            Some(&(start, end)) => {
                Some((self.from.0 + i64::from(start), self.from.1 + i64::from(end)))
            }
            None => self.next_piece(),
        }
    }
}

impl SpanIter<'_> {
    #[cold]
    fn next_piece(&mut self) -> Option<(i64, i64)> {
        let piece = self.later.next().or_else(|| self.last.take())?;
        (self.spans, self.from) = (piece.spans.iter(), piece.from);
        self.spans.next().map(|span| piece.span(*span))
    }
}

/// Goes through the spans of a list with a look at the next one.
#[derive(Debug, Clone)]
pub(crate) struct SpansAhead<'a> {
    /// The next span; behind the last one [`SpansAhead::END`].
    pub(crate) next: (i64, i64),
    rest: SpanIter<'a>,
}

impl<'a> SpansAhead<'a> {
    /// A span later than all.
    pub(crate) const END: (i64, i64) = (i64::MAX, i64::MAX);

    pub(crate) fn new(mut rest: SpanIter<'a>) -> Self {
        Self { next: rest.next().unwrap_or(Self::END), rest }
    }

    /// Goes on to the span behind the next one.
    #[inline]
    pub(crate) fn advance(&mut self) {
        self.next = self.rest.next().unwrap_or(Self::END);
    }

    /// Whether there is no span any more.
    #[inline]
    pub(crate) fn is_at_end(&self) -> bool {
        self.next == Self::END
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Spans in order and apart, some of them far from the others and some longer than 32 bits say.
    pub(crate) fn some_spans() -> impl Strategy<Value = Vec<(i64, i64)>> {
        let ns = || prop_oneof![9 => (1i64..50).boxed(), 1 => (1i64..20_000_000_000).boxed()];
        prop::collection::vec((ns(), ns()), 0..60).prop_map(|rows| {
            let mut now = -7_000_000_000;
            let spans = rows.into_iter().map(|(distance, length)| {
                let start = now + distance;
                now = start + length;
                (start, now)
            });
            spans.collect()
        })
    }

    proptest! {
        #[test]
        fn spans_come_back(spans in some_spans()) {
            let list: SpanList = spans.iter().copied().collect();
            prop_assert_eq!(list.iter().collect::<Vec<_>>(), spans.clone());
            prop_assert_eq!((list.len(), list.is_empty()), (spans.len(), spans.is_empty()));
            prop_assert_eq!(list.total(), spans.iter().map(|(start, end)| end - start).sum::<i64>());
            let mut emptied = list;
            let popped: Vec<_> = std::iter::from_fn(|| emptied.pop()).collect();
            prop_assert!(popped.into_iter().rev().eq(spans) && emptied.is_empty());
        }

        /// Lists one behind the other, whose spans may touch where one goes over to the next.
        #[test]
        fn lists_are_appended(spans in some_spans(), cut in 0usize..60, touch in any::<bool>()) {
            let mut spans = spans;
            let cut = cut.min(spans.len());
            if touch && 0 < cut && cut < spans.len() {
                spans[cut].0 = spans[cut - 1].1;
            }
            let (first, later) = spans.split_at(cut);
            let mut list: SpanList = first.iter().copied().collect();
            list.append(later.iter().copied().collect());
            spans.dedup_by(|next, last| {
                let touches = next.0 == last.1;
                if touches {
                    last.1 = next.1;
                }
                touches
            });
            prop_assert_eq!(list.len(), spans.len());
            prop_assert_eq!(list.iter().collect::<Vec<_>>(), spans);
        }
    }

    #[test]
    fn a_long_list_has_several_pieces() {
        let spans = || (0..3 * PIECE as i64 + 5).map(|n| (10 * n, 10 * n + 3));
        let list: SpanList = spans().collect();
        assert_eq!((list.pieces.len(), list.len()), (3, spans().count()));
        assert!(list.iter().eq(spans()));
    }
}
