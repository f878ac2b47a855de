//! Sets of time: sorted spans that do not touch, and what they cover.

use std::sync::Arc;

use crate::coverage::Coverage;
use crate::span_list::{SpanIter, SpanList, SpansAhead};

/// A set of time in ns, as half-open spans in order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Spans {
    /// Shared: the time of a core is often that of its only engine.
    spans: Arc<SpanList>,
    total: i64,
}

impl Spans {
    /// The union of spans in any order; those that end before they start cover nothing.
    #[must_use]
    pub fn union(spans: impl IntoIterator<Item = (i64, i64)>) -> Self {
        let mut union = Union::default();
        spans.into_iter().for_each(|(start, end)| union.add(start, end));
        union.finish()
    }

    /// Spans in order that do not touch.
    pub(crate) fn of_apart(mut spans: SpanList) -> Self {
        spans.shrink_to_fit();
        Self { total: spans.total(), spans: Arc::new(spans) }
    }

    /// The spans.
    #[must_use]
    pub fn iter(&self) -> SpanIter<'_> {
        self.spans.iter()
    }

    /// Number of spans.
    #[must_use]
    pub fn len(&self) -> usize {
        self.spans.len()
    }

    /// Whether it covers nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.spans.is_empty()
    }

    /// ns covered.
    #[must_use]
    pub fn total(&self) -> i64 {
        self.total
    }

    /// The spans, with a look at the next one.
    pub(crate) fn ahead(&self) -> SpansAhead<'_> {
        SpansAhead::new(self.iter())
    }

    /// Measures how much of spans of time this set covers.
    #[must_use]
    pub fn coverage(&self) -> Coverage<'_> {
        Coverage::new(&self.spans)
    }

    /// What this set covers and `other` does not.
    #[must_use]
    pub fn difference(&self, other: &Self) -> Self {
        if self.is_empty() || other.is_empty() {
            return self.clone();
        }
        let mut rest = SpanList::default();
        let mut cuts = other.ahead();
        for (mut start, end) in self.iter() {
            while cuts.next.1 <= start {
                cuts.advance();
            }
            // The last cut may go on behind the span's end.
            while cuts.next.0 < end {
                let (from, to) = cuts.next;
                if start < from {
                    rest.push((start, from));
                }
                start = start.max(to);
                if to > end {
                    break;
                }
                cuts.advance();
            }
            if start < end {
                rest.push((start, end));
            }
        }
        Self::of_apart(rest)
    }

    /// What any of several sets covers. A set's spans within what others cover are passed over.
    #[must_use]
    pub fn of_any(sets: &[Self]) -> Self {
        let is_needed = |set: &&Self| !set.is_empty();
        if sets.iter().filter(is_needed).count() <= 1 {
            return sets.iter().find(is_needed).cloned().unwrap_or_default();
        }
        let mut rest: Vec<SpansAhead<'_>> = sets.iter().map(Self::ahead).collect();
        let mut all = SpanList::default();
        while let Some((start, mut end)) = rest.iter().map(|set| set.next).min_by_key(|span| span.0)
            && (start, end) != SpansAhead::END
        {
            let mut known = start;
            // As long as a set makes it longer.
            while known < end {
                known = end;
                for set in &mut rest {
                    while set.next.0 <= end && !set.is_at_end() {
                        end = end.max(set.next.1);
                        set.advance();
                    }
                }
            }
            all.push((start, end));
        }
        Self::of_apart(all)
    }

    /// What either set covers.
    #[must_use]
    pub fn with(&self, other: &Self) -> Self {
        if self.is_empty() || other.is_empty() {
            return if other.is_empty() { self.clone() } else { other.clone() };
        }
        let (mut a, mut b) = (self.ahead(), other.ahead());
        let mut all = SpanList::default();
        while !(a.is_at_end() && b.is_at_end()) {
            if b.next.0 < a.next.0 {
                std::mem::swap(&mut a, &mut b);
            }
            // Mostly they are apart.
            while a.next.1 < b.next.0 {
                all.push(a.next);
                a.advance();
            }
            if a.next.0 <= b.next.0 && !a.is_at_end() {
                let (start, mut end) = a.next;
                let mut known = start;
                // As long as a set makes it longer.
                while known < end {
                    known = end;
                    for set in [&mut a, &mut b] {
                        while set.next.0 <= end && !set.is_at_end() {
                            end = end.max(set.next.1);
                            set.advance();
                        }
                    }
                }
                all.push((start, end));
            }
        }
        Self::of_apart(all)
    }
}

/// Collects spans whose union is asked for. Where they come in order, those that touch are joined at once.
#[derive(Debug, Default)]
pub(crate) struct Union {
    spans: Vec<(i64, i64)>,
    /// Whether a span started before the one before it.
    is_disordered: bool,
}

impl Union {
    /// Adds a span; one that ends before it starts covers nothing.
    #[inline]
    pub(crate) fn add(&mut self, start: i64, end: i64) {
        if start >= end {
            return;
        }
        if let Some(last) = self.spans.last_mut() {
            if (last.0..=last.1).contains(&start) {
                last.1 = last.1.max(end);
                return;
            }
            self.is_disordered |= start < last.0;
        }
        self.spans.push((start, end));
    }

    /// The union of all spans.
    pub(crate) fn finish(self) -> Spans {
        if !self.is_disordered {
            return Spans::of_apart(self.spans.into_iter().collect());
        }
        let mut spans = self.spans;
        // Those of each engine come in order: merging what is in order is what the stable sort is made for.
        spans.sort();
        spans.dedup_by(|next, last| {
            let touches = next.0 <= last.1;
            if touches {
                last.1 = last.1.max(next.1);
            }
            touches
        });
        Spans::of_apart(spans.into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn cells(spans: &[(i64, i64)]) -> Vec<bool> {
        (0..100).map(|t| spans.iter().any(|(start, end)| (*start..*end).contains(&t))).collect()
    }

    fn some_spans() -> impl Strategy<Value = Vec<(i64, i64)>> {
        prop::collection::vec((0i64..100, 0i64..100), 0..12)
    }

    proptest! {
        #[test]
        fn sets_agree_with_single_ns(a in some_spans(), b in some_spans(), c in some_spans(), from in 0i64..100, to in 0i64..100) {
            let (x, y) = (Spans::union(a.clone()), Spans::union(b.clone()));
            let z = Spans::union(c);
            let (p, q) = (cells(&a), cells(&b));
            let count = |is: &dyn Fn(usize) -> bool| (0..100).filter(|&t| is(t)).count() as i64;
            prop_assert_eq!(x.total(), count(&|t| p[t]));
            prop_assert_eq!(x.with(&y).total(), count(&|t| p[t] || q[t]));
            prop_assert_eq!(Spans::of_any(&[x.clone(), y.clone(), z.clone()]), x.with(&y).with(&z));
            prop_assert_eq!(x.difference(&y).total(), count(&|t| p[t] && !q[t]));
            prop_assert_eq!(cells(&x.difference(&y).iter().collect::<Vec<_>>()), p.iter().zip(&q).map(|(p, q)| *p && !q).collect::<Vec<_>>());
            let mut coverage = x.coverage();
            for (from, to) in b.into_iter().chain([(from, to)]) {
                let within = |t: usize| (from..to).contains(&(t as i64));
                prop_assert_eq!(coverage.covered(from, to), count(&|t| p[t] && within(t)));
            }
        }
    }
}
