//! Several files on one clock: the times of a file are moved to the clock of the first.

use crate::build::Builder;
use crate::decimal::ExactNs;
use crate::model::{FileClock, HostTrace};

/// Times from this one on are taken for times since 1970: 2001-09-09. Others are of clocks that start with the machine.
const FIRST_DATE_NS: i64 = 1_000_000_000_000_000_000;

/// How long the lists of a trace are.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sizes {
    pub(crate) slices: usize,
    pub(crate) complete_slices: usize,
    pub(crate) instants: usize,
    pub(crate) flows: usize,
    pub(crate) counters: usize,
    pub(crate) async_slices: usize,
    pub(crate) async_instants: usize,
}

impl Sizes {
    pub(crate) fn new(trace: &HostTrace) -> Self {
        Self {
            slices: trace.slices.len(),
            complete_slices: trace.complete_slices,
            instants: trace.instants.len(),
            flows: trace.flows.len(),
            counters: trace.counters.len(),
            async_slices: trace.async_slices.len(),
            async_instants: trace.async_instants.len(),
        }
    }
}

impl HostTrace {
    /// Whether times of slices behind `before` count from 1970.
    pub(crate) fn counts_from_1970(&self, before: Sizes) -> bool {
        let own = self.slices.get(before.slices..).unwrap_or_default();
        let dates = own.iter().filter(|slice| slice.start_ns >= FIRST_DATE_NS).count();
        dates > 0 && dates * 2 > own.len()
    }
}

impl Builder {
    /// Moves the times of the file that is being read to the clock of the first file. `base`: what its times count from, in
    /// ns since 1970, if the file says.
    pub(crate) fn move_times(&mut self, is_first: bool, base: Option<i64>) {
        let clock = match (is_first, self.trace.base_time_ns, base) {
            (true, ..) => FileClock::First,
            (false, Some(first), Some(own)) => {
                own.checked_sub(first).map_or(FileClock::TooFar, FileClock::Moved)
            }
            _ => FileClock::Unknown,
        };
        self.file().clock = match clock {
            FileClock::Moved(by) if !self.can_move(by) => FileClock::TooFar,
            clock => clock,
        };
        let by = match self.file().clock {
            FileClock::Moved(by) => by,
            _ => 0,
        };
        self.each_time(|time| *time = time.saturating_add(by));
        let moved = |end: &ExactNs| end.checked_add(&ExactNs::from_ns(by));
        let own = &self.anchors;
        let disable_end = own.disable_end.as_ref().and_then(moved);
        let first_end = own.first_tpudnn_end.as_ref().and_then(moved);
        let all = &mut self.trace.anchors;
        if disable_end.as_ref() > all.disable_end.as_ref() {
            all.disable_end = disable_end;
        }
        if all.first_tpudnn_end.is_none() {
            all.first_tpudnn_end = first_end;
        }
    }

    fn can_move(&mut self, by: i64) -> bool {
        let mut can = true;
        self.each_time(|time| can &= time.checked_add(by).is_some());
        can
    }

    /// All times of the file that is being read.
    fn each_time(&mut self, mut change: impl FnMut(&mut i64)) {
        let before = self.sizes_before_file();
        let Self { trace, marks, async_marks, .. } = self;
        for slice in trace.slices.iter_mut().skip(before.slices) {
            change(&mut slice.start_ns);
            change(&mut slice.end_ns);
        }
        trace.instants.iter_mut().skip(before.instants).for_each(|mark| change(&mut mark.at_ns));
        trace.flows.iter_mut().skip(before.flows).for_each(|flow| change(&mut flow.at_ns));
        let marks_of_tracks = trace.async_instants.iter_mut().skip(before.async_instants);
        marks_of_tracks.for_each(|mark| change(&mut mark.at_ns));
        let samples = trace.counters.iter_mut().skip(before.counters).flat_map(|c| &mut c.samples);
        samples.for_each(|sample| change(&mut sample.at_ns));
        marks.iter_mut().chain(async_marks).for_each(|mark| change(&mut mark.at_ns));
    }
}
