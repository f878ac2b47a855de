//! A list of spans that is made in the order of their starts.

use crate::span_list::SpanList;

/// Collects spans in the order of their starts: those that touch are joined.
#[derive(Debug)]
pub(crate) struct Growing {
    list: SpanList,
    /// The span that may still grow; at first one without a length.
    pub(crate) last: (i64, i64),
}

impl Growing {
    /// Starts an empty list, for spans that start at a moment or later.
    pub(crate) fn from(moment: i64) -> Self {
        Self { list: SpanList::default(), last: (moment, moment) }
    }

    /// Adds a span with a length.
    #[inline]
    pub(crate) fn add(&mut self, start: i64, end: i64) {
        if start > self.last.1 {
            self.end_last();
            self.last = (start, end);
        } else {
            self.last.1 = self.last.1.max(end);
        }
    }

    #[inline]
    fn end_last(&mut self) {
        if self.last.0 < self.last.1 {
            self.list.push(self.last);
        }
    }

    /// All of them.
    pub(crate) fn finish(mut self) -> SpanList {
        self.end_last();
        self.list
    }
}
