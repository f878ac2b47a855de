//! Several runs of the graph side by side: one pass over the nodes in a running order, which reads each dependence once.
//!
//! A time of all runs is one array, of floating-point numbers: all processors add several of them at once and take the later ones. Whole
//! numbers below 2^53 are exact in them; a run that takes longer is made again with integers.

use std::array::from_fn;
use std::ops::{Add, Range};

use bigtpu_sim::Time;

use super::{EventTimes, Graph, Lane, Run};
use crate::dependence::{DependenceKind, NONE, Node};

/// What is other in some runs than in the measured one. Most of a graph is the same in all of them.
pub(crate) trait Changes<const K: usize> {
    /// What changes the events of a stretch.
    type Now<'n>: Copy
    where
        Self: 'n;

    /// Events of a lane from `event` on whose times change alike; asked for in the order of each lane's events.
    fn stretch(&mut self, lane: usize, event: usize) -> Stretch;

    /// What changes the events of the lane's present stretch.
    fn now(&self, lane: usize) -> Self::Now<'_>;

    /// Writes the times of an event that are not `measured` to `all`, which has the measured ones for each run. `kind`: that of
    /// [`super::Row::other`].
    fn change<T: Count>(
        &self,
        now: Self::Now<'_>,
        node: Node,
        kind: DependenceKind,
        measured: EventTimes,
        all: &mut TimesOfRuns<T, K>,
    );

    /// A lag in each run, of any kind.
    fn lags(&self, now: Self::Now<'_>, node: Node, kind: DependenceKind, lag: Time) -> [Time; K];
}

/// Events whose times change alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stretch {
    /// Index of the event behind the last one.
    pub(crate) end: usize,
    /// Whether any time but the lag of a launch is another one in any run.
    pub(crate) is_changed: bool,
}

/// The times of an event in each run; see [`EventTimes`].
pub(crate) struct TimesOfRuns<T, const K: usize> {
    order: [T; K],
    lag: [T; K],
    duration: [T; K],
}

impl<T: Count, const K: usize> TimesOfRuns<T, K> {
    /// The same in all runs.
    #[inline(always)]
    fn of(times: EventTimes) -> Self {
        Self {
            order: [T::of(times.order); K],
            lag: [T::of(times.lag); K],
            duration: [T::of(times.duration); K],
        }
    }

    /// Other times in a run.
    #[inline(always)]
    pub(crate) fn set(&mut self, run: usize, times: EventTimes) {
        self.order[run] = T::of(times.order);
        self.lag[run] = T::of(times.lag);
        self.duration[run] = T::of(times.duration);
    }

    /// The times of another run.
    #[inline(always)]
    pub(crate) fn copy(&mut self, run: usize, from: usize) {
        self.order[run] = self.order[from];
        self.lag[run] = self.lag[from];
        self.duration[run] = self.duration[from];
    }
}

/// A time as a pass counts it.
pub(crate) trait Count: Copy + PartialOrd + Add<Output = Self> {
    const ZERO: Self;

    fn of(time: Time) -> Self;

    fn time(self) -> Time;
}

impl Count for f64 {
    const ZERO: Self = 0.0;

    #[inline(always)]
    fn of(time: Time) -> Self {
        time as Self
    }

    #[inline(always)]
    fn time(self) -> Time {
        self as Time
    }
}

impl Count for Time {
    const ZERO: Self = 0;

    #[inline(always)]
    fn of(time: Time) -> Self {
        time
    }

    #[inline(always)]
    fn time(self) -> Time {
        self
    }
}

/// Times below this many ns, and sums of a few of them, are exact as floating-point numbers.
const EXACT_NS: Time = 1 << 51;

impl Graph {
    /// Runs the graph `K` times; returns each last end. `changes`: makes what is asked for from the first event on.
    pub(crate) fn run_together<const K: usize, C: Changes<K>>(
        &self,
        changes: impl Fn() -> C,
    ) -> [Time; K] {
        let is_short = self.lanes.iter().all(Lane::is_short);
        let last = is_short.then(|| self.pass::<f64, K>(&mut changes()).map(Count::time));
        // No time of a run is after its last end.
        let exact = last.filter(|last| last.iter().all(|last| *last < EXACT_NS));
        exact.unwrap_or_else(|| self.pass::<Time, K>(&mut changes()))
    }

    fn pass<T: Count, const K: usize>(&self, changes: &mut impl Changes<K>) -> [T; K] {
        let mut end = vec![[T::ZERO; K]; self.len()];
        let mut last = [T::ZERO; K];
        let mut stretches = vec![Stretch { end: 0, is_changed: false }; self.lanes.len()];
        for run in &self.order {
            if run.lane == Run::JUNCTION {
                // No node ends before 0.
                let ends = self.gathered(run).iter().map(|member| end[*member as usize]);
                end[run.first as usize] = ends.fold([T::ZERO; K], later);
                continue;
            }
            let number = run.lane as usize;
            let (lane, stretch) = (&self.lanes[number], &mut stretches[number]);
            let Range { mut start, end: until } = lane.events_of(run);
            while start < until {
                if stretch.end <= start {
                    *stretch = changes.stretch(number, start);
                }
                let events = start..until.min(stretch.end.max(start + 1));
                start = events.end;
                let own = if stretch.is_changed {
                    lane.run_events::<T, K, true>(number, events, changes, &mut end)
                } else {
                    lane.run_events::<T, K, false>(number, events, changes, &mut end)
                };
                last = later(last, own);
            }
        }
        last
    }
}

/// The later time in each run.
#[inline(always)]
fn later<T: Count, const K: usize>(a: [T; K], b: [T; K]) -> [T; K] {
    from_fn(|run| if a[run] > b[run] { a[run] } else { b[run] })
}

/// Times in each run, each later by its lag.
#[inline(always)]
fn after<T: Count, const K: usize>(ends: [T; K], lags: [T; K]) -> [T; K] {
    from_fn(|run| ends[run] + lags[run])
}

impl Lane {
    /// When the event before ended in each run.
    #[inline(always)]
    fn ended_before<T: Count, const K: usize>(&self, event: usize, end: &[[T; K]]) -> [T; K] {
        if event > 0 { end[self.first as usize + event - 1] } else { [T::ZERO; K] }
    }

    /// Events of the lane of a number that follow one another; returns the last end in each run. `CHANGED`: they take another time in
    /// some run.
    #[inline]
    fn run_events<T: Count, const K: usize, const CHANGED: bool>(
        &self,
        number: usize,
        events: Range<usize>,
        changes: &impl Changes<K>,
        end: &mut [[T; K]],
    ) -> [T; K] {
        let mut before = self.ended_before(events.start, end);
        let mut last = [T::ZERO; K];
        let now = CHANGED.then(|| changes.now(number));
        let (links, rows) = self.columns(events.clone());
        for ((link, row), i) in links.iter().zip(rows).zip(events) {
            let node = self.first + i as Node;
            let measured = EventTimes {
                order: self.order(i, row),
                lag: self.lag(i, row),
                duration: self.duration(i, row),
            };
            let mut times = TimesOfRuns::<T, K>::of(measured);
            if let Some(now) = now {
                changes.change(now, node, link.kind(), measured, &mut times);
            }
            // No task starts before 0.
            let mut start = [T::ZERO; K];
            if link.follows() {
                start = later(start, after(before, times.order));
            }
            if link.is_rare() {
                start = later(start, self.start_of_rare(number, i, changes, end));
            } else if row.other != NONE {
                let other = end[row.other as usize];
                start = later(start, after(other, times.lag));
            }
            before = after(start, times.duration);
            end[node as usize] = before;
            last = later(last, before);
        }
        last
    }

    /// The earliest start in each run by what an event waits for besides the event before it, where that has a lag of a launch, or is
    /// more than one.
    #[cold]
    fn start_of_rare<T: Count, const K: usize>(
        &self,
        number: usize,
        event: usize,
        changes: &impl Changes<K>,
        end: &[[T; K]],
    ) -> [T; K] {
        let (node, now) = (self.first + event as Node, changes.now(number));
        let mut start = [T::ZERO; K];
        for of in self.others(event) {
            let lags = changes.lags(now, node, of.kind, of.lag);
            start = later(start, after(end[of.from as usize], lags.map(T::of)));
        }
        start
    }
}
