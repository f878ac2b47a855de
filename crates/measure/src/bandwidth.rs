//! Bandwidth over time: of a core, GDMA and SDMA together; of a CDMA port.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use crate::{CommandTable, TrackCommand, TrackCommands};
use bigtpu_timeline::{Core, Profile, Track};

/// Bandwidth from a moment on, until the next step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BandwidthStep {
    /// ns.
    pub time: i64,
    /// DDR, in GB/s.
    pub ddr_gbps: f64,
    /// On-chip shared memory, in GB/s.
    pub l2_gbps: f64,
}

/// Bandwidths have 4 decimals: whole units of 0.0001 GB/s sum without drift.
const UNITS: f64 = 1e4;

/// DDR and L2 in units.
type Units = (i64, i64);

/// The steps of a core's bandwidth, in time order. Every transfer counts with its mean bandwidth
/// while it runs; system commands count nothing. The last step is back at 0.
#[derive(Debug)]
pub struct Bandwidth<'p, 'd> {
    /// GDMA and SDMA, each with its events still to come.
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
    fn take(&mut self) -> Option<TrackCommand<'p, 'd>> {
        let event = self.peek();
        self.next += 1;
        self.start = self.peek_start();
        self.commands.get(event)
    }
}

impl<'p, 'd> Bandwidth<'p, 'd> {
    /// The steps of a core.
    #[must_use]
    pub fn of(profile: &'p Profile<'d>, table: &'p CommandTable, core: &'p Core<'d>) -> Self {
        let [_, gdma, sdma] = &core.tracks;
        Self::of_tracks(profile, table, &[gdma, sdma])
    }

    /// The steps of a CDMA port.
    #[must_use]
    pub fn of_port(profile: &'p Profile<'d>, table: &'p CommandTable, port: &'p Track<'d>) -> Self {
        Self::of_tracks(profile, table, &[port])
    }

    fn of_tracks(
        profile: &'p Profile<'d>,
        table: &'p CommandTable,
        tracks: &[&'p Track<'d>],
    ) -> Self {
        let commands = tracks.iter().filter_map(|track| table.commands(profile, track));
        let sources = commands.map(Source::new).collect();
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
        let Some(command) = self.sources.get_mut(n).and_then(Source::take) else { return };
        let (start, end) = (command.start(), command.end());
        if !command.kind.activity.is_work() || start >= end {
            return;
        }
        let transfer = command.transfer();
        let units = |gbps: Option<f64>| (gbps.unwrap_or(0.0) * UNITS + 0.5) as i64;
        let units = (units(transfer.ddr_gbps()), units(transfer.l2_gbps()));
        if units != (0, 0) {
            self.now = (self.now.0 + units.0, self.now.1 + units.1);
            self.running.push(Running { end, units });
        }
    }
}

impl Iterator for Bandwidth<'_, '_> {
    type Item = BandwidthStep;

    fn next(&mut self) -> Option<BandwidthStep> {
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
                let gbps = |units: i64| units as f64 / UNITS;
                return Some(BandwidthStep {
                    time,
                    ddr_gbps: gbps(self.now.0),
                    l2_gbps: gbps(self.now.1),
                });
            }
        }
    }
}
