//! Bandwidth of engines whose commands overlap, or are not in the order of time.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use crate::TrackCommands;
use crate::bandwidth::{Units, added};

/// The sum of the bandwidths of all transfers that run.
#[derive(Debug)]
pub(super) struct AnySum<'p, 'd> {
    /// Engines, each with its events still to come.
    sources: Vec<Source<'p, 'd>>,
    /// The transfers that run.
    running: BinaryHeap<Running>,
    now: Units,
}

/// A transfer that runs; the one that ends first is the greatest.
#[derive(Debug)]
struct Running {
    end: i64,
    units: Units,
}

impl Ord for Running {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        other.end.cmp(&self.end)
    }
}

impl PartialOrd for Running {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Running {
    fn eq(&self, other: &Self) -> bool {
        self.end == other.end
    }
}

impl Eq for Running {}

#[derive(Debug)]
struct Source<'p, 'd> {
    commands: TrackCommands<'p, 'd>,
    /// Events by start; `None` where the track is in that order.
    order: Option<Vec<u32>>,
    next: usize,
    /// Start of the next event in ns.
    start: Option<i64>,
}

impl<'p, 'd> Source<'p, 'd> {
    fn new(commands: TrackCommands<'p, 'd>) -> Self {
        let start = &commands.track.events.start;
        let order = (!start.is_sorted()).then(|| {
            let mut order: Vec<u32> = (0..start.len() as u32).collect();
            order.sort_by_key(|&i| start[i as usize]);
            order
        });
        let mut source = Self { commands, order, next: 0, start: None };
        source.start = source.peek_start();
        source
    }

    fn peek(&self) -> usize {
        match &self.order {
            Some(order) => order.get(self.next).map_or(usize::MAX, |&i| i as usize),
            None => self.next,
        }
    }

    fn peek_start(&self) -> Option<i64> {
        self.commands.track.events.start.get(self.peek()).copied()
    }

    /// The next event, which is now past.
    fn take(&mut self) -> usize {
        let event = self.peek();
        self.next += 1;
        self.start = self.peek_start();
        event
    }
}

impl<'p, 'd> AnySum<'p, 'd> {
    pub(super) fn new(engines: &[TrackCommands<'p, 'd>]) -> Self {
        let sources = engines.iter().map(|commands| Source::new(*commands)).collect();
        Self { sources, running: BinaryHeap::new(), now: (0, 0) }
    }

    /// The source whose next transfer starts first.
    fn first(&self) -> Option<(usize, i64)> {
        let mut first: Option<(usize, i64)> = None;
        for (n, source) in self.sources.iter().enumerate() {
            if let Some(start) = source.start
                && first.is_none_or(|(_, earliest)| start < earliest)
            {
                first = Some((n, start));
            }
        }
        first
    }

    fn start(&mut self, n: usize) {
        let Some(source) = self.sources.get_mut(n) else { return };
        let event = source.take();
        let events = &source.commands.track.events;
        let times = events.start.get(event).zip(events.end.get(event));
        let Some((_, &end)) = times.filter(|(start, end)| start < end) else { return };
        if let Some(units) = added(&source.commands, event) {
            self.now = (self.now.0 + units.0, self.now.1 + units.1);
            self.running.push(Running { end, units });
        }
    }

    /// The next moment at which the sum changes, and what it is from then on.
    pub(super) fn next(&mut self) -> Option<(i64, Units)> {
        loop {
            let before = self.now;
            let next_end = self.running.peek().map(|running| running.end);
            let mut first = self.first();
            let time = match (next_end, first) {
                (Some(end), Some((_, start))) => end.min(start),
                (end, first) => end.or(first.map(|(_, start)| start))?,
            };
            while self.running.peek().is_some_and(|running| running.end == time)
                && let Some(Running { units, .. }) = self.running.pop()
            {
                self.now = (self.now.0 - units.0, self.now.1 - units.1);
            }
            while let Some((n, _)) = first.filter(|&(_, start)| start == time) {
                self.start(n);
                first = self.first();
            }
            if self.now != before {
                return Some((time, self.now));
            }
        }
    }
}
