//! Events, one at a time, into a [`HostTrace`].

use crate::args::ArgsRef;
use crate::counters::Counters;
use crate::error::EventError;
use crate::fields::Fields;
use crate::model::{AsyncSlice, HostTrace, Slice};
use crate::pairs::{Mark, pair};
use crate::places::Places;
use crate::repair::repair;

/// Whether an event's arguments are part of the trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Args {
    Keep,
    Forget,
}

/// A trace that grows.
#[derive(Debug, Default)]
pub(crate) struct Builder {
    pub(crate) trace: HostTrace,
    pub(crate) places: Places,
    pub(crate) counters: Counters,
    /// `B` and `E` events, in file order.
    pub(crate) marks: Vec<Mark>,
    /// `b` and `e` events, in file order.
    pub(crate) async_marks: Vec<Mark>,
}

impl Builder {
    /// Adds the event whose text is `event`.
    pub(crate) fn add(&mut self, event: &[u8]) -> Result<(), EventError> {
        let mark = self.trace.args.mark().ok_or(EventError::Full)?;
        let added = self.parse(event, mark);
        if added != Ok(Args::Keep) {
            self.trace.args.truncate(mark);
        }
        added.map(|_| ())
    }

    /// Counts an event that cannot be added.
    pub(crate) fn add_bad(&mut self, offset: u64, why: EventError, keep: usize) {
        self.trace.stats.add_bad(offset, why, keep);
    }

    /// The whole trace.
    pub(crate) fn finish(self) -> HostTrace {
        let mut trace = self.trace;
        trace.counters = self.counters.list;
        trace.complete_slices = trace.slices.len();
        let slices = pair(&self.marks, &mut trace.args);
        trace.slices.extend(slices.pairs.iter().map(|&(begin, end_ns)| Slice {
            thread: begin.track,
            name: begin.name,
            cat: begin.cat,
            args: begin.args,
            start_ns: begin.at_ns,
            end_ns,
        }));
        let asyncs = pair(&self.async_marks, &mut trace.args);
        trace.async_slices.extend(asyncs.pairs.iter().map(|&(begin, end_ns)| AsyncSlice {
            track: begin.track,
            name: begin.name,
            args: begin.args,
            start_ns: begin.at_ns,
            end_ns,
        }));
        trace.stats.unmatched_begins = slices.unmatched_begins + asyncs.unmatched_begins;
        trace.stats.unmatched_ends = slices.unmatched_ends + asyncs.unmatched_ends;
        trace.shrink();
        trace
    }

    fn parse(&mut self, event: &[u8], mark: ArgsRef) -> Result<Args, EventError> {
        let HostTrace { args, strings, .. } = &mut self.trace;
        let why = match str::from_utf8(event) {
            Ok(text) => match Fields::parse(text, false, args, strings) {
                Ok(fields) => return self.record(&fields),
                Err(why) => why.to_string(),
            },
            Err(why) => why.to_string(),
        };
        args.truncate(mark);
        let repaired = repair(event);
        let fields =
            Fields::parse(&repaired, true, args, strings).map_err(|_| EventError::Syntax(why))?;
        self.trace.stats.repaired += 1;
        self.record(&fields)
    }
}
