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
        let mut union = Union::default();
        spans.into_iter().for_each(|(start, end)| union.add(start, end));
        union.finish()
    }

    /// Spans in order that do not touch.
    pub(crate) fn of_apart(mut spans: Vec<(i64, i64)>) -> Self {
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
        Coverage { spans: &self.spans, rest: &self.spans, asked: i64::MIN }
    }

    /// What this set covers and `other` does not.
    #[must_use]
    pub fn without(&self, other: &Self) -> Self {
        if self.spans.is_empty() || other.spans.is_empty() {
            return self.clone();
        }
        let mut rest = Vec::with_capacity(self.spans.len());
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
        Self::of_apart(rest)
    }

    /// What any of several sets covers. A set's spans within what others cover are passed over.
    #[must_use]
    pub fn of_any(sets: &[Self]) -> Self {
        let is_needed = |set: &&Self| !set.spans.is_empty();
        if sets.iter().filter(is_needed).count() <= 1 {
            return sets.iter().find(is_needed).cloned().unwrap_or_default();
        }
        let mut rest: Vec<&[(i64, i64)]> = sets.iter().map(Self::spans).collect();
        let most = rest.iter().map(|set| set.len()).max();
        let mut all = Vec::with_capacity(most.unwrap_or(0));
        while let Some(&(start, mut end)) =
            rest.iter().filter_map(|set| set.first()).min_by_key(|span| span.0)
        {
            let mut known = start;
            // As long as a set makes it longer.
            while known < end {
                known = end;
                for set in &mut rest {
                    while let Some((next, later)) = set.split_first().filter(|(s, _)| s.0 <= end) {
                        end = end.max(next.1);
                        *set = later;
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
        if self.spans.is_empty() || other.spans.is_empty() {
            return if other.spans.is_empty() { self.clone() } else { other.clone() };
        }
        let (mut a, mut b) = (&self.spans[..], &other.spans[..]);
        let mut all = Vec::with_capacity(a.len() + b.len());
        // The span that may still grow; at first one before all.
        let mut last = (i64::MIN, i64::MIN);
        let mut add = |next: (i64, i64)| {
            if next.0 <= last.1 {
                last.1 = last.1.max(next.1);
            } else {
                let done = std::mem::replace(&mut last, next);
                if done.0 < done.1 {
                    all.push(done);
                }
            }
        };
        while let (Some((x, after_x)), Some((y, after_y))) = (a.split_first(), b.split_first()) {
            if x.0 <= y.0 {
                add(*x);
                a = after_x;
            } else {
                add(*y);
                b = after_y;
            }
        }
        // What is left of one set begins after the other's last span began: its first spans may touch that one.
        a.iter().chain(b).for_each(|next| add(*next));
        all.push(last);
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
            return Spans::of_apart(self.spans);
        }
        let mut spans = self.spans;
        spans.sort_unstable();
        spans.dedup_by(|next, last| {
            let touches = next.0 <= last.1;
            if touches {
                last.1 = last.1.max(next.1);
            }
            touches
        });
        Spans::of_apart(spans)
    }
}

/// Measures how much of spans of time a set covers. Spans that are asked for in order, and do not overlap, pass each span of the set
/// once; any other order is right as well, and slower.
#[derive(Debug, Clone)]
pub struct Coverage<'a> {
    spans: &'a [(i64, i64)],
    /// Those that end after the moment up to which was asked last.
    rest: &'a [(i64, i64)],
    /// That moment.
    asked: i64,
}

impl Coverage<'_> {
    /// ns covered from `start` to `end`.
    #[inline]
    pub fn covered(&mut self, start: i64, end: i64) -> i64 {
        if start >= end {
            return 0;
        }
        if start < self.asked {
            self.go_back(start);
        }
        self.asked = end;
        let (mut rest, mut ns) = (self.rest, 0);
        while let Some((&(from, to), later)) = rest.split_first() {
            if from >= end {
                break;
            }
            if to > start {
                ns += to.min(end) - from.max(start);
                if to > end {
                    break;
                }
            }
            rest = later;
        }
        self.rest = rest;
        ns
    }

    /// Back to the first span that ends after a start.
    #[cold]
    fn go_back(&mut self, start: i64) {
        let ended = self.spans.partition_point(|(_, to)| *to <= start);
        self.rest = self.spans.get(ended..).unwrap_or_default();
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
