//! Runs in which few events change, near each other in the running order: only what is from the first to the last of them is run again.
//!
//! What runs before such a window ends as measured. What runs behind it starts later or earlier only by what it waits for: the run is as
//! long as the longest way through any dependence that leads out of the window or past it, and how far it is from there to the end is known
//! from the latest start of each node.

use std::ops::Range;

use bigtpu_sim::Time;

use super::{Changes, Graph};
use crate::dependence::{NONE, Node};

/// The run as measured, as runs of windows need it.
pub(crate) struct Windows<'g> {
    graph: &'g Graph,
    /// Place of each node in the running order, from 1; that of the origin is 0.
    place: Vec<u32>,
    lanes: Vec<u16>,
    /// When each node ends, in ns.
    end: Vec<[Time; 1]>,
    /// How much later an event could end, or when a junction may end at the latest; in ns.
    slack: Vec<Time>,
    last: Time,
}

/// A window that was run.
struct Window {
    /// Places of its nodes.
    places: Range<u32>,
    /// When its nodes end, by place.
    end: Vec<Time>,
    /// The last end in it, or before it.
    last: Time,
    /// The most by which a node behind it starts after its latest start, as it is in the measured run; below 0: before.
    late: Time,
}

impl<'g> Windows<'g> {
    pub(crate) fn new(graph: &'g Graph, end: &[Time]) -> Self {
        let mut place = vec![0; graph.len()];
        for (at, node) in (1..).zip(&graph.order) {
            if let Some(place) = place.get_mut(*node as usize) {
                *place = at;
            }
        }
        let last = end.iter().copied().max().unwrap_or(0);
        let slack = graph.slack_of_nodes(&graph.order, end, last);
        let end = end.iter().map(|end| [*end]).collect();
        Self { graph, place, lanes: graph.columns.lane_of_events(), end, slack, last }
    }

    /// The window of some events: their places in the running order.
    pub(crate) fn of_events(&self, events: impl Iterator<Item = Node>) -> Range<u32> {
        let places = events.filter_map(|event| self.place.get(event as usize).copied());
        let (first, last) =
            places.fold((u32::MAX, 0), |(a, b), place| (a.min(place), b.max(place)));
        if first > last { 1..1 } else { first..last + 1 }
    }

    /// The last end of each run, in ns. `windows`: where each differs from the measured one, and how.
    pub(crate) fn walls<C: Changes<1>>(&mut self, windows: Vec<(Range<u32>, C)>) -> Vec<Time> {
        let mut run: Vec<(usize, Window)> = Vec::with_capacity(windows.len());
        for (number, (places, changes)) in windows.into_iter().enumerate() {
            run.push((number, self.run(places, changes)));
        }
        run.sort_by_key(|(_, window)| window.places.end);
        self.add_what_follows(&mut run);
        let mut walls = vec![self.last; run.len()];
        for (number, window) in run {
            if let Some(wall) = walls.get_mut(number) {
                *wall = window.last.max(self.last.saturating_add(window.late));
            }
        }
        walls
    }

    /// Runs a window; what ends in it as measured is put back.
    fn run(&mut self, places: Range<u32>, mut changes: impl Changes<1>) -> Window {
        let nodes = places.start as usize - 1..places.end as usize - 1;
        let nodes = self.graph.order.get(nodes).unwrap_or_default();
        let of_nodes = |end: &[[Time; 1]]| -> Vec<Time> {
            let ends = nodes.iter().filter_map(|node| end.get(*node as usize));
            ends.map(|[end]| *end).collect()
        };
        let measured = of_nodes(&self.end);
        let [last] =
            self.graph.pass_over::<Time, 1>(nodes, (&self.lanes, &mut self.end), &mut changes);
        let end = of_nodes(&self.end);
        for (node, measured) in nodes.iter().zip(measured) {
            if let Some(end) = self.end.get_mut(*node as usize) {
                *end = [measured];
            }
        }
        Window { places, end, last, late: Time::MIN }
    }

    /// Adds what runs before each window, and how late what runs behind it starts. `windows`: by their end.
    fn add_what_follows(&self, windows: &mut [(usize, Window)]) {
        // Windows that end before the node at hand; and of nodes behind each window but before the next one's end the first latest start.
        let mut passed = 0;
        let mut starts = vec![Time::MAX; windows.len()];
        for (node, place) in self.graph.order.iter().copied().zip(1..) {
            while windows.get(passed).is_some_and(|(_, window)| window.places.end <= place) {
                passed += 1;
            }
            let Some(behind) = passed.checked_sub(1) else { continue };
            let mut each = |from: Node, lag: Time, latest: Time| {
                let from_place = self.place.get(from as usize).copied().unwrap_or(0);
                let done = windows.get_mut(..passed).unwrap_or_default();
                // All of them end behind `from`: the dependence leads out of the window, or past it.
                for (_, window) in done.iter_mut().rev() {
                    if window.places.end <= from_place {
                        break;
                    }
                    let changed = from_place.checked_sub(window.places.start);
                    let changed = changed.and_then(|at| window.end.get(at as usize).copied());
                    let end = changed.or_else(|| self.end.get(from as usize).map(|[end]| *end));
                    window.late = window.late.max(end.unwrap_or(0) + lag - latest);
                }
            };
            let latest = self.each_dependence(node, &mut each);
            if let Some(first) = starts.get_mut(behind) {
                *first = latest.min(*first);
            }
        }
        // No task starts before 0, whatever it waits for.
        let mut first = Time::MAX;
        for ((_, window), own) in windows.iter_mut().zip(starts).rev() {
            first = first.min(own);
            window.late = window.late.max(first.saturating_neg());
        }
        self.add_ends_before(windows);
    }

    /// What a node waits for, each with its lag and the node's latest start, which is returned.
    fn each_dependence(&self, node: Node, each: &mut impl FnMut(Node, Time, Time)) -> Time {
        let at = node as usize;
        let slack = self.slack.get(at).copied().unwrap_or(0);
        let Some((link, row)) = self.graph.columns.get(node) else {
            self.graph.gathered(node).iter().for_each(|member| each(*member, 0, slack));
            return slack;
        };
        let times = self.graph.columns.times(node, link, row);
        let latest = self.end.get(at).map_or(0, |[end]| *end) + slack - times.duration;
        if link.follows() {
            each(node - 1, times.order, latest);
        }
        if row.other != NONE {
            each(row.other, times.lag, latest);
        }
        if link.has_more() {
            let more = self.graph.columns.more_of(node).iter();
            more.for_each(|more| each(more.from, more.lag, latest));
        }
        latest
    }

    /// What ends before a window may be the last of the run.
    fn add_ends_before(&self, windows: &mut [(usize, Window)]) {
        let mut by_start: Vec<&mut Window> = windows.iter_mut().map(|(_, window)| window).collect();
        by_start.sort_by_key(|window| window.places.start);
        let mut coming = by_start.into_iter().peekable();
        let mut last = 0;
        for (node, place) in self.graph.order.iter().copied().zip(1..) {
            while let Some(window) = coming.next_if(|window| window.places.start <= place) {
                window.last = window.last.max(last);
            }
            last = self.end.get(node as usize).map_or(last, |[end]| last.max(*end));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{Made, Random, made};
    use super::super::{Count, Effect, EventTimes, Measured, Stretch, TimesOfRuns};
    use super::*;
    use crate::dependence::DependenceKind;

    /// Some events of a lane take other times.
    struct Few {
        lane: usize,
        events: Range<usize>,
        factor: f64,
        /// The lane that was asked for last is this one, and so the events are.
        is_own: bool,
    }

    impl Changes<1> for Few {
        type Now<'n> = bool;

        fn stretch(&mut self, lane: usize, event: usize) -> Stretch<1> {
            self.is_own = lane == self.lane && self.events.contains(&event);
            let effect = if self.is_own { Effect::Other } else { Effect::Nothing };
            // Each event is asked for.
            Stretch { end: event + 1, effect }
        }

        fn now(&self, _: usize) -> bool {
            self.is_own
        }

        fn change<T: Count>(
            &self,
            _: bool,
            _: Node,
            _: DependenceKind,
            measured: EventTimes<T>,
            all: &mut TimesOfRuns<T, 1>,
        ) {
            let EventTimes { order, lag, duration } = measured;
            let (lag, duration) = (T::from_time(3 * lag.time() - 5), duration.scaled(self.factor));
            all.set(0, EventTimes { order: order.scaled(0.0), lag, duration });
        }

        fn lags(&self, is_own: bool, _: Node, _: DependenceKind, lag: Time) -> [Time; 1] {
            [if is_own { 3 * lag - 5 } else { lag }]
        }
    }

    #[test]
    fn windows_take_as_long_as_whole_runs() {
        let mut changed = 0;
        for seed in 0..400 {
            let Made { graph, .. } = made(seed);
            let mut random = Random(seed);
            let mut few = || {
                let lane = random.next_below(graph.columns.firsts().len() as u64) as usize;
                let first = random.next_below(12) as usize;
                let count = 1 + random.next_below(3) as usize;
                let factor = [0.0, 0.5, 2.0][random.next_below(3) as usize];
                Few { lane, events: first..first + count, factor, is_own: false }
            };
            let all: Vec<Few> = (0..6).map(|_| few()).collect();
            let mut ends = Vec::new();
            let measured = graph.run(&Measured, &mut ends);
            let mut windows = Windows::new(&graph, &ends);
            let ends_of = |lane: usize| {
                let next = graph.columns.firsts().get(lane + 1).copied();
                next.unwrap_or(graph.events() as Node)
            };
            let runs = || all.iter().map(|few| Few { events: few.events.clone(), ..*few });
            let places = runs().map(|few| {
                let first = graph.columns.firsts()[few.lane];
                let nodes = few.events.clone().map(|event| first + event as Node);
                windows.of_events(nodes.filter(|node| *node < ends_of(few.lane)))
            });
            let places: Vec<Range<u32>> = places.collect();
            let walls = windows.walls(places.into_iter().zip(runs()).collect());
            let whole: Vec<Time> = (0..all.len())
                .map(|number| graph.run_together(|| runs().nth(number).unwrap())[0])
                .collect();
            changed += whole.iter().filter(|wall| **wall != measured).count();
            assert_eq!(walls, whole, "{seed}");
        }
        assert!(changed > 200, "{changed}");
    }
}
