//! The second pass of a core's pairing: what the lengths of sections left open is paired by ids.

use bigtpu_chip::Chip;
use bigtpu_messages::{Message, message};
use foldhash::{HashMap, HashSet};

use crate::by_ids::{self, Break, Gap, RECORDS_PER_BREAK, Settled, Windows};
use crate::core_engines::CORE_ENGINES;
use crate::join::{JoinedCore, Paired};
use crate::ledger::Notes;
use crate::monitor::{Clean, RecordFault};
use crate::nodes::Node;
use crate::pair::Context;
use crate::quality::{Quality, mark};
use crate::wide_events::WideEvents;

impl JoinedCore<'_> {
    /// Pairs by ids what the first pass of each engine left open, and tells where records and commands are at odds.
    pub(crate) fn settle(&mut self, chip: &Chip, nodes: &[Vec<Node>; 3], paired: Vec<Paired>) {
        let is_open: Vec<bool> = paired.iter().map(|paired| paired.unsettled.is_some()).collect();
        for (engine, paired) in paired.into_iter().enumerate() {
            let Paired { mut doubtful, unsettled } = paired;
            let nodes = nodes.get(engine).map_or(&[][..], Vec::as_slice);
            let mut settled = Settled::default();
            if let Some(unsettled) = &unsettled {
                let windows = self.windows(engine, &is_open);
                let tags = &self.tags;
                let scope_of = |tag: u32| tags.scope(tag);
                let streams = Some((&mut self.cache, &mut self.notes));
                let mut context = Context { chip, engine: CORE_ENGINES[engine], streams };
                let events = &mut self.monitors[engine].events;
                let places = (&windows, &scope_of as &dyn Fn(u32) -> Option<u32>);
                if let Some(found) = by_ids::settle(&mut context, events, nodes, unsettled, places)
                {
                    doubtful.clone_from(&found.doubtful);
                    settled = found;
                }
            }
            let is_told = unsettled.is_none() || !settled.breaks.is_empty();
            if is_told {
                settled.breaks.extend(self.holes(engine, nodes));
                settled.breaks.sort_by_key(|at| at.record);
                self.tell_breaks(engine, &settled.breaks);
            }
            self.mark_doubtful(engine, &doubtful);
            self.incomplete.add(engine, doubtful);
        }
    }

    /// When the other engines whose records all have their commands worked on each launch.
    fn windows(&self, engine: usize, is_open: &[bool]) -> Windows {
        let mut windows: Windows = HashMap::default();
        let others = (0..self.monitors.len()).filter(|&other| other != engine && !is_open[other]);
        for other in others {
            let events = &self.monitors[other].events;
            for (i, tag) in events.tag.iter().enumerate() {
                let Some(scope) = self.tags.scope(*tag) else { continue };
                let (start, end) = (events.start[i], events.end[i]);
                let window = windows.entry(scope).or_insert((start, end));
                *window = (window.0.min(start), window.1.max(end));
            }
        }
        windows
    }

    /// Records that are missing within sections that pair: their ids go up by more than one.
    fn holes(&self, engine: usize, nodes: &[Node]) -> Vec<Break> {
        let events = &self.monitors[engine].events;
        if nodes.len() <= events.len() && !self.has_streams || events.len() < by_ids::FEWEST_RECORDS
        {
            return Vec::new();
        }
        let marked = |i: usize| events.marks.contains_key(&events.record[i]);
        let is_hole = |i: &usize| {
            let (step, same) =
                (events.id[*i] - events.id[i - 1], events.tag[*i] == events.tag[i - 1]);
            let bound = |i: usize| events.binding[i].is_bound() && !marked(i);
            step > 1 && same && bound(*i) && bound(i - 1)
        };
        let lost = |i: usize| Break {
            record: i,
            tag: events.tag[i],
            gap: Gap::Lost((events.id[i] - events.id[i - 1] - 1).unsigned_abs()),
        };
        let holes: Vec<Break> = (1..events.len()).filter(is_hole).map(lost).collect();
        match holes.len() * RECORDS_PER_BREAK > events.len() {
            true => Vec::new(),
            false => holes,
        }
    }

    pub(crate) fn tell_breaks(&mut self, engine: usize, breaks: &[Break]) {
        self.has_told_places[engine] |= !breaks.is_empty();
        let clean = &self.monitors[engine];
        let byte = |i: usize| {
            let record = clean.events.record.get(i.min(clean.events.len().checked_sub(1)?))?;
            clean.places.byte(*record)
        };
        let tags = &self.tags;
        let launch = |tag: u32| tags.launch_message(tag);
        by_ids::tell(CORE_ENGINES[engine].name(), breaks, byte, launch, &mut self.notes);
    }

    /// Tells where records of an engine are lost, of which only their number was told so far. `missing`: how many, by the counts of
    /// the runtime.
    pub(crate) fn tell_lost_places(&mut self, chip: &Chip, engine: usize, missing: u64) {
        // Such a TIU leaves out records of its own.
        let leaves_out = engine == 0 && chip.drops_short_records();
        let unseen = if leaves_out { 0 } else { self.counts[engine].unseen };
        if !self.has_told_places[engine] {
            let events = &self.monitors[engine].events;
            // A command without a record and a record without a command may belong together.
            let unbound =
                events.binding.iter().filter(|binding| !binding.is_bound()).count() as u64;
            let missing = missing.max(unseen.saturating_sub(unbound));
            let places = lost_places(events, 0..events.len(), missing);
            self.tell_breaks(engine, &places);
        }
    }

    /// Tells what was wrong with records, and of which launch they are.
    pub(crate) fn tell_faults(&mut self) {
        for (clean, has_told) in self.monitors.iter_mut().zip(&mut self.has_told_places) {
            *has_told |= !clean.faults.is_empty();
            tell_faults(clean, |tag| self.tags.launch_message(tag), &mut self.notes);
        }
    }

    fn mark_doubtful(&mut self, engine: usize, doubtful: &HashSet<u32>) {
        let events = &mut self.monitors[engine].events;
        if doubtful.is_empty() {
            return;
        }
        for (i, tag) in events.tag.iter().enumerate() {
            if doubtful.contains(tag) && events.binding[i].is_bound() {
                mark(&mut events.marks, events.record[i], Quality::Doubtful);
            }
        }
    }
}

/// Where ids of records that follow one another go up by more than one, if no more are missing there than `missing`.
pub(crate) fn lost_places(
    events: &WideEvents,
    rows: impl Iterator<Item = usize>,
    missing: u64,
) -> Vec<Break> {
    let mut before: Option<usize> = None;
    let mut places = Vec::new();
    let mut lost = 0;
    for i in rows {
        let step = before.map_or(1, |before| events.id[i] - events.id[before]);
        if step > 1 {
            let n = step.unsigned_abs() - 1;
            lost += n;
            places.push(Break { record: i, tag: events.tag[i], gap: Gap::Lost(n) });
        }
        before = Some(i);
    }
    let is_rare = places.len() * RECORDS_PER_BREAK <= events.len();
    let is_damage = lost == missing || lost < missing && is_rare;
    if is_damage { places } else { Vec::new() }
}

/// So many records of an engine are told one by one.
const MOST_TOLD: usize = 12;

/// Tells what was wrong with an engine's records. `launch`: the launch of a tag, as the end of a sentence.
pub(crate) fn tell_faults(
    clean: &mut Clean<'_>,
    launch: impl Fn(u32) -> Message,
    notes: &mut Notes,
) {
    let faults = std::mem::take(&mut clean.faults);
    let events = &clean.events;
    for RecordFault { record, at, message } in faults.iter().take(MOST_TOLD) {
        let event = events.record.iter().position(|r| r == record);
        let tag = event.and_then(|i| events.tag.get(i).copied()).unwrap_or(0);
        let (fault, launch) = (message.clone(), launch(tag));
        notes.loss_anywhere(*at, message!("note-record-fault", fault = fault, launch = launch));
    }
    let more = faults.len().saturating_sub(MOST_TOLD);
    if more > 0 {
        notes.loss_anywhere(None, message!("note-more-records", more = more));
    }
}
