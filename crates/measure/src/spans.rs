//! Sets of time: sorted spans that do not touch, and what they cover.

use std::sync::OnceLock;

/// A set of time in ns, as half-open spans in order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Spans {
    spans: Vec<(i64, i64)>,
    /// ns covered by all spans before each, once it was asked for.
    before: OnceLock<Vec<i64>>,
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
        Self { spans, before: OnceLock::new(), total }
    }

    fn before(&self) -> &[i64] {
        self.before.get_or_init(|| {
            let add = |total: &mut i64, (start, end): &(i64, i64)| {
                let before = *total;
                *total += end - start;
                Some(before)
            };
            self.spans.iter().scan(0, add).collect()
        })
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

    /// ns covered before `time`.
    fn covered_before(&self, time: i64) -> i64 {
        let after = self.spans.partition_point(|(start, _)| *start < time);
        let Some(last) = after.checked_sub(1) else { return 0 };
        match (self.before().get(last), self.spans.get(last)) {
            (Some(before), Some((start, end))) => before + time.min(*end) - start,
            _ => 0,
        }
    }

    /// ns covered from `start` to `end`.
    #[must_use]
    pub fn covered(&self, start: i64, end: i64) -> i64 {
        (self.covered_before(end) - self.covered_before(start)).max(0)
    }

    /// For questions about times that follow one another: each is answered where the last one ended.
    #[must_use]
    pub fn coverage(&self) -> Coverage<'_> {
        Coverage { rest: &self.spans }
    }

    /// What this set covers and `other` does not.
    #[must_use]
    pub fn without(&self, other: &Self) -> Self {
        let mut rest = Vec::new();
        let mut next = 0;
        for &(mut start, end) in &self.spans {
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

/// What a set covers of times that follow one another.
#[derive(Debug, Clone)]
pub struct Coverage<'s> {
    /// Spans that do not end before the last time.
    rest: &'s [(i64, i64)],
}

impl Coverage<'_> {
    /// ns covered from `start` to `end`, neither before those of the last question.
    pub fn covered(&mut self, start: i64, end: i64) -> i64 {
        let mut ns = 0;
        while let Some((&(from, to), later)) = self.rest.split_first() {
            if from >= end {
                break;
            }
            ns += (to.min(end) - from.max(start)).max(0);
            if to > end {
                break;
            }
            self.rest = later;
        }
        ns
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
            let within = |t: usize| (from..to).contains(&(t as i64));
            prop_assert_eq!(x.covered(from, to), count(&|t| p[t] && within(t)));
            let (first, last) = (from.min(to), from.max(to));
            let mut coverage = x.coverage();
            for (start, end) in [(0, first), (first, last), (last, 100)] {
                prop_assert_eq!(coverage.covered(start, end), x.covered(start, end));
            }
        }
    }
}
