//! Sets of time: sorted spans that do not touch, and what they cover.

use std::sync::Arc;

/// A set of time in ns, as half-open spans in order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Spans {
    /// Shared: the time of a core is often that of its only engine.
    spans: Arc<Vec<(i64, i64)>>,
    total: i64,
}

impl Spans {
    /// The union of spans in any order; those that end before they start cover nothing.
    #[must_use]
    pub fn union(spans: impl IntoIterator<Item = (i64, i64)>) -> Self {
        let mut all: Vec<(i64, i64)> =
            spans.into_iter().filter(|(start, end)| start < end).collect();
        if !all.is_sorted() {
            all.sort_unstable();
        }
        Self::of_sorted(all)
    }

    /// Spans in order that may touch or overlap.
    fn of_sorted(mut spans: Vec<(i64, i64)>) -> Self {
        spans.dedup_by(|next, last| {
            let touches = next.0 <= last.1;
            if touches {
                last.1 = last.1.max(next.1);
            }
            touches
        });
        spans.shrink_to_fit();
        let total = spans.iter().map(|(start, end)| end - start).sum();
        Self { spans: Arc::new(spans), total }
    }

    /// The spans.
    #[must_use]
    pub fn spans(&self) -> &[(i64, i64)] {
        &self.spans
    }

    /// ns covered.
    #[must_use]
    pub fn total(&self) -> i64 {
        self.total
    }

    /// Measures how much of spans of time this set covers.
    #[must_use]
    pub fn coverage(&self) -> Coverage<'_> {
        Coverage { spans: &self.spans, past: 0, past_ns: 0 }
    }

    /// What this set covers and `other` does not.
    #[must_use]
    pub fn without(&self, other: &Self) -> Self {
        let mut rest = Vec::new();
        let mut next = 0;
        for &(mut start, end) in self.spans.iter() {
            while other.spans.get(next).is_some_and(|o| o.1 <= start) {
                next += 1;
            }
            let mut cut = next;
            while let Some(&(from, to)) = other.spans.get(cut).filter(|o| o.0 < end) {
                if start < from {
                    rest.push((start, from));
                }
                start = start.max(to);
                cut += 1;
            }
            if start < end {
                rest.push((start, end));
            }
        }
        Self::of_sorted(rest)
    }

    /// What either set covers.
    #[must_use]
    pub fn with(&self, other: &Self) -> Self {
        if self.spans.is_empty() || other.spans.is_empty() {
            return if other.spans.is_empty() { self.clone() } else { other.clone() };
        }
        let (mut a, mut b) = (&self.spans[..], &other.spans[..]);
        let mut all = Vec::with_capacity(a.len() + b.len());
        while let (Some((x, after_x)), Some((y, after_y))) = (a.split_first(), b.split_first()) {
            if x <= y {
                all.push(*x);
                a = after_x;
            } else {
                all.push(*y);
                b = after_y;
            }
        }
        all.extend_from_slice(a);
        all.extend_from_slice(b);
        Self::of_sorted(all)
    }
}

/// Measures how much of spans of time a set covers. It walks from where the last measurement ended, so that
/// measurements in the order of time take a few steps each; any other order is right as well, and slower.
#[derive(Debug, Clone)]
pub struct Coverage<'a> {
    spans: &'a [(i64, i64)],
    /// Spans that start before the time that was asked for last.
    past: usize,
    /// ns of these spans.
    past_ns: i64,
}

impl Coverage<'_> {
    /// ns covered before `time`.
    fn before(&mut self, time: i64) -> i64 {
        while let Some(&(start, end)) = self.spans.get(self.past).filter(|span| span.0 < time) {
            self.past += 1;
            self.past_ns += end - start;
        }
        loop {
            let last = self.past.checked_sub(1).and_then(|last| self.spans.get(last));
            match last {
                Some(&(start, end)) if start >= time => {
                    self.past -= 1;
                    self.past_ns -= end - start;
                }
                Some(&(_, end)) => return self.past_ns - (end - time).max(0),
                None => return 0,
            }
        }
    }

    /// ns covered from `start` to `end`.
    pub fn covered(&mut self, start: i64, end: i64) -> i64 {
        let before = self.before(start);
        (self.before(end) - before).max(0)
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
        fn sets_agree_with_single_ns(a in some_spans(), b in some_spans(), from in 0i64..100, to in 0i64..100) {
            let (x, y) = (Spans::union(a.clone()), Spans::union(b.clone()));
            let (p, q) = (cells(&a), cells(&b));
            let count = |is: &dyn Fn(usize) -> bool| (0..100).filter(|&t| is(t)).count() as i64;
            prop_assert_eq!(x.total(), count(&|t| p[t]));
            prop_assert_eq!(x.with(&y).total(), count(&|t| p[t] || q[t]));
            prop_assert_eq!(x.without(&y).total(), count(&|t| p[t] && !q[t]));
            prop_assert_eq!(cells(x.without(&y).spans()), p.iter().zip(&q).map(|(p, q)| *p && !q).collect::<Vec<_>>());
            let mut coverage = x.coverage();
            for (from, to) in b.into_iter().chain([(from, to)]) {
                let within = |t: usize| (from..to).contains(&(t as i64));
                prop_assert_eq!(coverage.covered(from, to), count(&|t| p[t] && within(t)));
            }
        }
    }
}
