//! When the bulk of a trace's events is, and which few lie far away from it.
//!
//! Profilers write events whose time was never set (0), or that a broken clock has stamped. Such an event is shown, with its
//! own time as an argument, but the view does not begin with it.

use crate::model::HostTrace;
use crate::nesting::Span;

/// Times at or below 0 that lie so many ns before the others were never set: an hour.
const FAR_FROM_ZERO: i64 = 3_600_000_000_000;
/// Any other times lie apart if so many ns are between: a day.
const FAR: i64 = 24 * FAR_FROM_ZERO;
/// And if that is so many times as long as the others take together.
const SPANS: i64 = 10;

/// Where the bulk of the events is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bulk {
    /// Time of the first event of the bulk, ns: where the view begins. `None` if nothing is shown.
    pub first_ns: Option<i64>,
    /// Events that lie far before it.
    pub early: Option<Outliers>,
    /// Events that lie far behind it.
    pub late: Option<Outliers>,
}

/// Events that lie far away from the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outliers {
    /// How many.
    pub count: u64,
    /// Time of the first, ns.
    pub first_ns: i64,
    /// Time of the last, ns.
    pub last_ns: i64,
    /// ns between them and the others.
    pub gap_ns: i64,
}

impl Bulk {
    /// Finds the bulk among the times of all events, in ns.
    pub(crate) fn find(mut times: Vec<i64>) -> Self {
        times.sort_unstable();
        let Some((&first, &last)) = times.first().zip(times.last()) else {
            return Self::default();
        };
        // Most traces have no gap that is long enough.
        if last.saturating_sub(first) < FAR_FROM_ZERO {
            return Self { first_ns: Some(first), ..Self::default() };
        }
        let stretches: Vec<&[i64]> =
            times.chunk_by(|a, b| b.saturating_sub(*a) < FAR_FROM_ZERO).collect();
        // Times at or below 0 were never set where there are others; of stretches with as many events the last counts.
        let weight = |n: &usize| {
            let stretch = stretches.get(*n).copied().unwrap_or_default();
            (stretch.last().is_some_and(|&t| t > 0), stretch.len(), *n)
        };
        let main = (0..stretches.len()).max_by_key(weight).unwrap_or(0);
        let (mut from, mut until) = (main, main + 1);
        let span = |from: usize, until: usize| {
            let ends = stretches
                .get(from)
                .and_then(|s| s.first())
                .zip(stretches.get(until - 1).and_then(|s| s.last()));
            ends.map_or(0, |(first, last)| last.saturating_sub(*first))
        };
        // The bulk grows over gaps that are no longer than what it takes allows.
        loop {
            let reach = span(from, until).saturating_mul(SPANS);
            let before = from.checked_sub(1).and_then(|n| stretches.get(n)?.last());
            let behind = stretches.get(until).and_then(|s| s.first());
            let start = stretches.get(from).and_then(|s| s.first()).copied().unwrap_or(0);
            let end = stretches.get(until - 1).and_then(|s| s.last()).copied().unwrap_or(0);
            let is_far = |gap: i64, least: i64| gap >= least && gap >= reach;
            if before.is_some_and(|&t| {
                !is_far(start.saturating_sub(t), if t <= 0 { FAR_FROM_ZERO } else { FAR })
            }) {
                from -= 1;
            } else if behind.is_some_and(|&t| !is_far(t.saturating_sub(end), FAR)) {
                until += 1;
            } else {
                break;
            }
        }
        let outliers = |part: &[&[i64]], to: Option<&i64>, is_early: bool| {
            let first = *part.first()?.first()?;
            let last = *part.last()?.last()?;
            let gap_ns =
                if is_early { to?.saturating_sub(last) } else { first.saturating_sub(*to?) };
            let count = part.iter().map(|stretch| stretch.len() as u64).sum();
            Some(Outliers { count, first_ns: first, last_ns: last, gap_ns })
        };
        let start = stretches.get(from).and_then(|s| s.first());
        let end = stretches.get(until - 1).and_then(|s| s.last());
        Self {
            first_ns: start.copied(),
            early: outliers(stretches.get(..from).unwrap_or_default(), start, true),
            late: outliers(stretches.get(until..).unwrap_or_default(), end, false),
        }
    }

    /// Whether an event at `ns` lies far before the others.
    #[must_use]
    pub fn is_early(&self, ns: i64) -> bool {
        self.early.is_some() && self.first_ns.is_some_and(|first| ns < first)
    }

    /// Where an event at `ns` is shown: where it is, or where the view begins if it lies far before that.
    #[must_use]
    pub fn shown_ns(&self, ns: i64) -> i64 {
        match self.first_ns {
            Some(first) if self.is_early(ns) => first,
            _ => ns,
        }
    }

    /// Where a slice is shown. One that begins far before the others keeps its length, or its end if that is among them.
    #[must_use]
    pub fn shown(&self, span: Span) -> Span {
        let start_ns = self.shown_ns(span.start_ns);
        if start_ns == span.start_ns {
            return span;
        }
        let end_ns = match self.is_early(span.end_ns) {
            true => start_ns.saturating_add(span.end_ns.saturating_sub(span.start_ns)),
            false => span.end_ns,
        };
        Span { start_ns, end_ns }
    }
}

impl HostTrace {
    /// Where the slice at a position is shown.
    #[must_use]
    pub fn shown_slice(&self, position: usize) -> Option<Span> {
        self.slices.get(position).map(|slice| self.bulk.shown(Span::from(slice)))
    }

    /// The [kept slices](Self::kept_slices) and where they are shown.
    pub fn shown_slices(&self) -> impl Iterator<Item = (usize, Span)> {
        self.kept_slices().map(|(position, slice)| (position, self.bulk.shown(Span::from(slice))))
    }

    /// Times of all events that are shown, ns.
    pub(crate) fn times(&self) -> Vec<i64> {
        let slices = self.kept_slices().map(|(_, slice)| slice.start_ns);
        let asyncs = self.async_slices.iter().map(|slice| slice.start_ns);
        let marks = self.instants.iter().map(|mark| mark.at_ns);
        let async_marks = self.async_instants.iter().map(|mark| mark.at_ns);
        let flows = self.flows.iter().map(|flow| flow.at_ns);
        let samples = self.counters.iter().flat_map(|c| &c.samples).map(|sample| sample.at_ns);
        slices.chain(asyncs).chain(marks).chain(async_marks).chain(flows).chain(samples).collect()
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    const S: i64 = 1_000_000_000;

    #[test]
    fn times_that_were_never_set_are_no_beginning() {
        let day = 86_400 * S;
        for start in [8000 * S, 40 * day, 1_700_000_000 * S] {
            let mut times = vec![0; 5];
            times.extend((0..6).map(|n| start + n * 1000));
            let bulk = Bulk::find(times);
            assert_eq!(bulk.first_ns, Some(start));
            let early = bulk.early.unwrap();
            assert_eq!((early.count, early.first_ns, early.gap_ns), (5, 0, start));
            assert_eq!(bulk.shown_ns(0), start);
            assert_eq!(
                bulk.shown(Span { start_ns: 0, end_ns: 7 }),
                Span { start_ns: start, end_ns: start + 7 }
            );
            assert_eq!(bulk.shown(Span { start_ns: 0, end_ns: start + 3 }).end_ns, start + 3);
        }
    }

    #[test]
    fn pauses_are_part_of_the_bulk() {
        // A trace that begins at 0 and pauses for minutes; one of hours with a pause of two hours.
        for times in [vec![0, 1, 300 * S, 301 * S], vec![5 * S, 4000 * S, 12_000 * S, 13_000 * S]] {
            let bulk = Bulk::find(times.clone());
            assert_eq!(
                (bulk.first_ns, bulk.early, bulk.late),
                (times.first().copied(), None, None)
            );
        }
    }

    #[test]
    fn late_outliers_are_found_and_stay() {
        let mut times: Vec<i64> = (0..100).map(|n| n * 1000).collect();
        times.push(400 * 86_400 * S);
        let bulk = Bulk::find(times);
        assert_eq!(
            (bulk.first_ns, bulk.early.is_none(), bulk.late.unwrap().count),
            (Some(0), true, 1)
        );
        assert_eq!(bulk.shown_ns(400 * 86_400 * S), 400 * 86_400 * S);
        assert_eq!(Bulk::find(Vec::new()).first_ns, None);
    }
}
