//! Several runs of the graph side by side: one pass over the nodes in a running order, which reads each dependence once.
//!
//! A time of all runs is one array, of floating-point numbers: all processors add several of them at once and take the later ones. Whole
//! numbers below 2^53 are exact in them, and where a node ends is kept in 4 bytes. A run that takes longer than these hold is made again
//! with integers.

use std::array::from_fn;
use std::ops::Add;

use bigtpu_sim::Time;

use super::{EventTimes, Graph};
use crate::costs::rounded;
use crate::dependence::{DependenceKind, NONE, Node};

/// What is other in some runs than in the measured one. Most of a graph is the same in all of them.
pub(crate) trait Changes<const K: usize> {
    /// What changes the events of a stretch.
    type Now<'n>: Copy
    where
        Self: 'n;

    /// Events of a lane from `event` on whose times change alike; asked for mostly in the order of each lane's events.
    fn stretch(&mut self, lane: usize, event: usize) -> Stretch<K>;

    /// What changes the events of the lane's present stretch.
    fn now(&self, lane: usize) -> Self::Now<'_>;

    /// Writes the times of an event that are not `measured` to `all`, which has the measured ones for each run. `kind`: that of
    /// [`super::Row::other`].
    fn change<T: Count>(
        &self,
        now: Self::Now<'_>,
        node: Node,
        kind: DependenceKind,
        measured: EventTimes<T>,
        all: &mut TimesOfRuns<T, K>,
    );

    /// A lag in each run, of any kind.
    fn lags(&self, now: Self::Now<'_>, node: Node, kind: DependenceKind, lag: Time) -> [Time; K];
}

/// Events whose times change alike.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stretch<const K: usize> {
    /// Index of the event behind the last one.
    pub(crate) end: usize,
    pub(crate) effect: Effect<K>,
}

/// What becomes of the times of some events.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Effect<const K: usize> {
    /// No time but the lag of a launch is another one in any run.
    Nothing,
    /// Times are multiplied, by the same factors in all runs that are not as measured. `of_runs`: by run 1 if it is not.
    Scaled { scaling: Scaling, of_runs: [usize; K] },
    /// What [`Changes::change`] says.
    Other,
}

/// What times are multiplied by: factors of 0 or more.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Scaling {
    pub(crate) duration: f64,
    /// The times between the end of what an event waited for and its start.
    pub(crate) pauses: f64,
}

impl Scaling {
    /// `is_pause`: whether the lag is such a time; see [`DependenceKind::is_pause`].
    #[inline(always)]
    pub(crate) fn times<T: Count>(self, is_pause: bool, times: EventTimes<T>) -> EventTimes<T> {
        EventTimes {
            order: times.order.scaled(self.pauses),
            lag: if is_pause { times.lag.scaled(self.pauses) } else { times.lag },
            duration: times.duration.scaled(self.duration),
        }
    }
}

/// The times of an event in each run; see [`EventTimes`].
pub(crate) struct TimesOfRuns<T, const K: usize> {
    order: [T; K],
    lag: [T; K],
    duration: [T; K],
}

impl<T: Count, const K: usize> TimesOfRuns<T, K> {
    /// Makes times that are the same in all runs.
    #[inline(always)]
    fn equal_in_all(EventTimes { order, lag, duration }: EventTimes<T>) -> Self {
        Self { order: [order; K], lag: [lag; K], duration: [duration; K] }
    }

    /// Makes times that are one of two in each run: `of_runs` says which, 0 for `measured`.
    #[inline(always)]
    fn either(measured: EventTimes<T>, changed: EventTimes<T>, of_runs: [usize; K]) -> Self {
        let both = [measured, changed];
        Self {
            order: of_runs.map(|one| both[one & 1].order),
            lag: of_runs.map(|one| both[one & 1].lag),
            duration: of_runs.map(|one| both[one & 1].duration),
        }
    }

    /// Other times in a run.
    #[inline(always)]
    pub(crate) fn set(&mut self, run: usize, times: EventTimes<T>) {
        (self.order[run], self.lag[run], self.duration[run]) =
            (times.order, times.lag, times.duration);
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

    /// The end of a node as it is stored until the pass ends, for all nodes: as narrow as the times of the pass allow.
    type End: Copy + Default;

    /// The end as it is stored, if it is 0 or more; any value for an end that the pass does not allow.
    fn end(self) -> Self::End;

    fn of_end(end: Self::End) -> Self;

    fn from_time(time: Time) -> Self;

    fn time(self) -> Time;

    /// A time above 0 multiplied by a factor of 0 or more, as a whole number: the nearest one, of two the greater. Others stay as they are.
    fn scaled(self, factor: f64) -> Self;
}

/// From here to twice as much, floating-point numbers are whole.
const WHOLE: f64 = (1u64 << 52) as f64;

impl Count for f64 {
    const ZERO: Self = 0.0;

    type End = u32;

    #[inline(always)]
    fn end(self) -> u32 {
        // Its lowest bits are the whole number.
        (self + WHOLE).to_bits() as u32
    }

    #[inline(always)]
    fn of_end(end: u32) -> Self {
        f64::from(end)
    }

    #[inline(always)]
    fn from_time(time: Time) -> Self {
        time as Self
    }

    #[inline(always)]
    fn time(self) -> Time {
        self as Time
    }

    /// Exact where the result is below 2^51; else it is not below that either.
    #[inline(always)]
    fn scaled(self, factor: f64) -> Self {
        if self <= 0.0 {
            return self;
        }
        let time = self * factor;
        // The nearest, of two the even one.
        let whole = (time + WHOLE) - WHOLE;
        if time - whole >= 0.5 { whole + 1.0 } else { whole }
    }
}

impl Count for Time {
    const ZERO: Self = 0;

    type End = Self;

    #[inline(always)]
    fn end(self) -> Self {
        self
    }

    #[inline(always)]
    fn of_end(end: Self) -> Self {
        end
    }

    #[inline(always)]
    fn from_time(time: Time) -> Self {
        time
    }

    #[inline(always)]
    fn time(self) -> Time {
        self
    }

    #[inline(always)]
    fn scaled(self, factor: f64) -> Self {
        // A time need not be exact as a floating-point number.
        if self <= 0 || factor == 1.0 { self } else { rounded(self as f64 * factor) }
    }
}

/// Runs that take less than this many ns are counted in floating-point numbers: 4.3 s.
const SHORT_NS: Time = 1 << u32::BITS;

impl Graph {
    /// Runs the graph `K` times; returns each last end. `changes`: makes what is asked for from the first event on.
    pub(crate) fn run_together<const K: usize, C: Changes<K>>(
        &self,
        changes: impl Fn() -> C,
    ) -> [Time; K] {
        let is_short = self.columns.are_short();
        let last = is_short.then(|| self.pass::<f64, K>(&mut changes()).map(Count::time));
        // No time of a run is after its last end.
        let exact = last.filter(|last| last.iter().all(|last| *last < SHORT_NS));
        exact.unwrap_or_else(|| self.pass::<Time, K>(&mut changes()))
    }

    fn pass<T: Count, const K: usize>(&self, changes: &mut impl Changes<K>) -> [T; K] {
        let mut end = vec![[T::End::default(); K]; self.len()];
        let lanes = self.columns.lane_of_events();
        self.pass_over::<T, K>(&self.order, (&lanes, &mut end), changes)
    }

    /// Runs some nodes of the running order, one after the other; returns their last end. `lanes`: of all events; `end`: when all nodes
    /// end that are waited for.
    pub(super) fn pass_over<T: Count, const K: usize>(
        &self,
        nodes: &[Node],
        (lanes, end): (&[u16], &mut [[T::End; K]]),
        changes: &mut impl Changes<K>,
    ) -> [T; K] {
        let mut last = [T::ZERO; K];
        let nothing = Present { first: 0, count: 0, effect: Effect::Nothing };
        let mut present = vec![nothing; self.columns.firsts().len()];
        for node in nodes.iter().copied() {
            let at = node as usize;
            let Some((link, row)) = self.columns.get(node) else {
                let ends =
                    self.gathered(node).iter().map(|member| end[*member as usize].map(T::of_end));
                // No node ends before 0.
                end[at] = ends.fold([T::ZERO; K], later).map(T::end);
                continue;
            };
            let lane = usize::from(lanes[at]);
            let now = &mut present[lane];
            if node.wrapping_sub(now.first) >= now.count {
                let event = node - self.columns.firsts()[lane];
                let Stretch { end, effect } = changes.stretch(lane, event as usize);
                let end = u32::try_from(end).unwrap_or(u32::MAX);
                *now = Present { first: node, count: end.saturating_sub(event).max(1), effect };
            }
            let measured = self.columns.times(node, link, row).map(T::from_time);
            let times = match now.effect {
                Effect::Nothing => TimesOfRuns::equal_in_all(measured),
                Effect::Scaled { scaling, of_runs } => {
                    let changed = scaling.times(link.is_pause(), measured);
                    TimesOfRuns::either(measured, changed, of_runs)
                }
                Effect::Other => {
                    let mut times = TimesOfRuns::equal_in_all(measured);
                    changes.change(changes.now(lane), node, link.kind(), measured, &mut times);
                    times
                }
            };
            // No task starts before 0.
            let mut start = [T::ZERO; K];
            if link.follows() {
                start = later(start, delayed(end[at - 1], times.order));
            }
            if link.is_rare() {
                start = later(start, self.start_of_rare(node, lane, changes, end));
            } else if row.other != NONE {
                start = later(start, delayed(end[row.other as usize], times.lag));
            }
            let own = from_fn(|run| start[run] + times.duration[run]);
            end[at] = own.map(T::end);
            last = later(last, own);
        }
        last
    }

    /// The earliest start in each run by what an event waits for besides the event before it, where that has a lag of a launch, or is
    /// more than one.
    #[cold]
    #[inline(never)]
    fn start_of_rare<T: Count, const K: usize>(
        &self,
        node: Node,
        lane: usize,
        changes: &impl Changes<K>,
        end: &[[T::End; K]],
    ) -> [T; K] {
        let mut start = [T::ZERO; K];
        for of in self.columns.others(node) {
            let lags = changes.lags(changes.now(lane), node, of.kind, of.lag);
            start = later(start, delayed(end[of.from as usize], lags.map(T::from_time)));
        }
        start
    }
}

/// The stretch of a lane in which the last event was that was run.
#[derive(Debug, Clone, Copy)]
struct Present<const K: usize> {
    first: Node,
    count: u32,
    effect: Effect<K>,
}

/// The later time in each run.
#[inline(always)]
fn later<T: Count, const K: usize>(a: [T; K], b: [T; K]) -> [T; K] {
    from_fn(|run| if a[run] > b[run] { a[run] } else { b[run] })
}

/// When nodes end in each run, each later by its lag.
#[inline(always)]
fn delayed<T: Count, const K: usize>(ends: [T::End; K], lags: [T; K]) -> [T; K] {
    from_fn(|run| T::of_end(ends[run]) + lags[run])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_multiplied_alike_however_they_are_counted() {
        let factors = [0.0, 0.1, 0.25, 1.0 / 3.0, 0.5, 0.75, 0.999_999_9, 1.0, 1.5, 7.3]
            .map(|factor: f32| f64::from(factor));
        let times = (-3..3000).chain([i32::MAX.into(), 1 << 40, (1 << 46) + 1]);
        for (time, factor) in times.flat_map(|time: Time| factors.map(|factor| (time, factor))) {
            assert_eq!(
                f64::from_time(time).scaled(factor).time(),
                time.scaled(factor),
                "{time} {factor}"
            );
        }
    }
}
