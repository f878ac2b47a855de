//! Events, one at a time, into a [`HostTrace`].

use std::path::Path;

use crate::anchor::Anchors;
use crate::args::ArgsRef;
use crate::bulk::Bulk;
use crate::counters::Counters;
use crate::error::EventError;
use crate::fields::Fields;
use crate::members::Members;
use crate::model::{AsyncSlice, HostFile, HostSlice, HostTrace};
use crate::pairs::{Mark, pair};
use crate::places::Places;
use crate::repair::repair;
use crate::shift::Sizes;
use crate::tally::{Hidden, Tally};

/// Whether an event's arguments are part of the trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Args {
    Keep,
    Forget,
}

/// A trace that grows, by files.
#[derive(Debug, Default)]
pub(crate) struct Builder {
    pub(crate) trace: HostTrace,
    pub(crate) places: Places,
    pub(crate) counters: Counters,
    /// The file that is being read.
    file: HostFile,
    /// Its anchors, before its times are moved.
    pub(crate) anchors: Anchors,
    /// Its `B` and `E` events, in file order.
    pub(crate) marks: Vec<Mark>,
    /// Its `b`, `S` and `e`, `F` events, in file order.
    pub(crate) async_marks: Vec<Mark>,
    /// How long the lists were before it.
    before: Sizes,
}

impl Builder {
    /// Begins a file.
    pub(crate) fn begin(&mut self, path: &Path) {
        self.before = Sizes::new(&self.trace);
        self.file = HostFile { path: path.to_owned(), ..HostFile::default() };
        self.anchors = Anchors::default();
        self.counters = Counters::default();
        self.places.next_file();
    }

    /// How long the lists were before the file that is being read.
    pub(crate) fn sizes_before_file(&self) -> Sizes {
        self.before
    }

    /// The file that is being read.
    pub(crate) fn file(&mut self) -> &mut HostFile {
        &mut self.file
    }

    /// Counts an event that is not shown.
    pub(crate) fn hide(&mut self, why: Hidden) {
        self.file.tally.hide(why);
    }

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
        self.file.stats.add_bad(offset, why, keep);
        self.hide(Hidden::Unreadable);
    }

    /// Ends the file, of so many events and bytes of text.
    pub(crate) fn end(&mut self, events: u64, text_bytes: u64, members: Members) {
        let Self { trace, file, before, .. } = self;
        let is_first = trace.files.is_empty();
        let base = members.base_time_ns.or_else(|| trace.counts_from_1970(*before).then_some(0));
        if is_first {
            trace.display_time_unit = members.display_time_unit;
            trace.base_time_ns = base;
            trace.rank = members.rank;
        }
        file.stats.events = events;
        file.stats.text_bytes = text_bytes;
        file.stats.warnings = members.warnings;
        file.tally.read = events;
        self.move_times(is_first, base);
        self.add_pairs();
        self.count();
        self.trace.tally.add(&self.file.tally);
        self.trace.files.push(std::mem::take(&mut self.file));
    }

    /// The whole trace.
    pub(crate) fn finish(self) -> HostTrace {
        let mut trace = self.trace;
        trace.bulk = Bulk::find(trace.times());
        trace.shrink();
        trace
    }

    /// Pairs begins and ends of the file.
    fn add_pairs(&mut self) {
        let Self { trace, file, .. } = self;
        trace.complete_slices += trace.slices.len() - self.before.slices;
        let slices = pair(&self.marks, &mut trace.args);
        trace.slices.extend(slices.pairs.iter().map(|&(begin, end_ns)| HostSlice {
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
        file.stats.unmatched_begins = slices.unmatched_begins + asyncs.unmatched_begins;
        file.stats.unmatched_ends = slices.unmatched_ends + asyncs.unmatched_ends;
        self.marks.clear();
        self.async_marks.clear();
    }

    /// Draws the file's arrows, and counts what became of its events.
    fn count(&mut self) {
        let Self { trace, file, before, .. } = self;
        let arrows = trace.draw_arrows(before.flows);
        let tally: &mut Tally = &mut file.tally;
        for (why, count) in arrows {
            tally.hide_many(why, count);
        }
        tally.hide_many(Hidden::BeginWithoutEnd, file.stats.unmatched_begins);
        tally.hide_many(Hidden::EndWithoutBegin, file.stats.unmatched_ends);
        let own = |count: usize, before: usize| (count - before) as u64;
        let flows = trace.flows.get(before.flows..).unwrap_or_default();
        tally.arrows = flows.iter().filter(|flow| flow.has_arrow).count() as u64;
        let marks =
            flows.iter().filter(|flow| !flow.has_arrow && flow.slice.is_none()).count() as u64;
        tally.instants = own(trace.instants.len(), before.instants)
            + own(trace.async_instants.len(), before.async_instants)
            + marks;
        // Complete events are one each, the others two.
        let slices = trace.slices.len() - before.slices;
        let complete = trace.complete_slices - before.complete_slices;
        let events = |position: usize| if position < before.slices + complete { 1 } else { 2 };
        let shown = trace.kept_slices().filter(|(position, _)| *position >= before.slices);
        let shown: u64 = shown.map(|(position, _)| events(position)).sum();
        let all = (complete + 2 * (slices - complete)) as u64;
        tally.hide_many(Hidden::Profiler, all - shown);
        tally.slices = shown + 2 * own(trace.async_slices.len(), before.async_slices);
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
        self.file.stats.repaired += 1;
        self.record(&fields)
    }
}
