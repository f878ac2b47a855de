//! Bandwidth over time: of a core, GDMA and SDMA together; of a CDMA port.

use std::cmp::Reverse;
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
    /// Ends of the transfers that run.
    running: BinaryHeap<Reverse<(i64, Units)>>,
    now: Units,
}

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
        let starts = self.sources.iter().enumerate();
        let starts = starts.filter_map(|(n, source)| Some((n, source.start?)));
        starts.min_by_key(|&(n, start)| (start, n))
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
            self.running.push(Reverse((end, units)));
        }
    }
}

impl Iterator for Bandwidth<'_, '_> {
    type Item = BandwidthStep;

    fn next(&mut self) -> Option<BandwidthStep> {
        loop {
            let before = self.now;
            let next_end = self.running.peek().map(|Reverse((end, _))| *end);
            let mut first = self.first();
            let time = next_end.into_iter().chain(first.map(|(_, start)| start)).min()?;
            while let Some(&Reverse((_, units))) =
                self.running.peek().filter(|Reverse((end, _))| *end == time)
            {
                self.running.pop();
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
