//! When an engine worked and when it was in system commands only, from one pass over its events.

use bigtpu_timeline::Tag;

use crate::engine_track::EngineTrack;
use crate::model::DumpModel;
use crate::span_list::SpanList;
use crate::spans::Spans;
use crate::sweep::{Accumulator, Block, Works};
use crate::times::TrackTime;

/// What the spans of engines need to know of a model.
pub(crate) struct SpanFacts<'a> {
    tags: &'a [Tag],
    works: Works,
}

impl<'a> SpanFacts<'a> {
    pub(crate) fn new(model: &DumpModel<'a>) -> Self {
        Self { tags: model.tags, works: Works::collect(model) }
    }

    /// Whether a kernel launch begins between two commands of a track.
    #[inline]
    fn begins_launch(&self, before: u32, after: u32) -> bool {
        // Most neighbours are of one launch.
        before != after && self.is_other_launch(before, after)
    }

    #[cold]
    fn is_other_launch(&self, before: u32, after: u32) -> bool {
        let tag = |number: u32| self.tags.get(number as usize).copied().unwrap_or_default();
        let (a, b) = (tag(before), tag(after));
        (a.kernel, a.scope, a.batch) != (b.kernel, b.scope, b.batch) && b.kernel.is_some()
    }
}

/// Spans in which an engine worked, and those in which it was in system commands and did not work: in order, none touches another of
/// its list. Times are ns.
#[derive(Debug)]
pub(crate) struct EngineSpans {
    commands: u64,
    work: SpanList,
    sync: SpanList,
    /// Numbers of the spans of work with which a kernel launch begins.
    launches: Vec<u32>,
    /// Tags of the first command that worked, and of the one that ended last.
    first_tag: u32,
    last_tag: u32,
    /// The least start.
    first_start: i64,
    last_start: i64,
    /// The greatest end.
    last_end: i64,
    /// All events start in order, and blocks of them do not overlap: else what was found is not right.
    is_in_order: bool,
}

impl Default for EngineSpans {
    fn default() -> Self {
        Self {
            commands: 0,
            work: SpanList::default(),
            sync: SpanList::default(),
            launches: Vec::new(),
            first_tag: 0,
            last_tag: 0,
            first_start: i64::MAX,
            last_start: i64::MIN,
            last_end: i64::MIN,
            is_in_order: true,
        }
    }
}

impl EngineSpans {
    /// Finds the spans of a whole track, whatever the order of its events.
    pub(crate) fn of_track(facts: &SpanFacts<'_>, track: &EngineTrack<'_>) -> Self {
        let Some(block) = Block::all(track) else { return Self::default() };
        if block.start.is_sorted() {
            return Self::of_block(facts, &block);
        }
        let mut order: Vec<usize> = (0..track.len()).collect();
        order.sort_by_key(|&i| block.start[i]);
        let times = |of: &[i64]| -> Vec<i64> { order.iter().map(|&i| of[i]).collect() };
        let numbers = |of: &[u32]| -> Vec<u32> { order.iter().map(|&i| of[i]).collect() };
        let (start, end) = (times(block.start), times(block.end));
        let (kind, tag) = (numbers(block.kind), numbers(block.tag));
        let sorted = Block { start: &start, end: &end, kind: &kind, tag: &tag, ..block };
        Self::of_block(facts, &sorted)
    }

    /// From the least start to the greatest end, in ns.
    pub(crate) fn window(&self) -> (i64, i64) {
        (self.first_start, self.last_end)
    }

    /// Whether they are right; else the whole track is to be read at once.
    pub(crate) fn is_in_order(&self) -> bool {
        self.is_in_order
    }

    /// The spans, and the numbers of those with which a kernel launch begins.
    pub(crate) fn finish(self) -> (TrackTime, Vec<u32>) {
        let (work, sync) = (Spans::of_apart(self.work), Spans::of_apart(self.sync));
        let bounds = (self.first_start != i64::MAX).then_some((self.first_start, self.last_end));
        (TrackTime { commands: self.commands, work, sync, bounds }, self.launches)
    }

    /// Work within the last span of system commands: what is before it and behind it is left.
    #[cold]
    fn cut(&mut self, start: i64, end: i64) {
        let Some((from, to)) = self.sync.pop() else { return };
        if from < start {
            self.sync.push((from, start));
        }
        if from.max(end) < to {
            self.sync.push((from.max(end), to));
        }
    }

    /// Adds a span of system commands, of which those before end at `sync_end`.
    #[inline]
    fn push_sync(&mut self, start: i64, end: i64, sync_end: i64) {
        if start > sync_end {
            self.sync.push((start, end));
        } else {
            self.extend_sync(end);
        }
    }

    /// The last span of system commands goes on.
    #[cold]
    fn extend_sync(&mut self, end: i64) {
        let Some((from, _)) = self.sync.pop() else { return };
        self.sync.push((from, end));
    }

    /// When the last span of system commands ends.
    #[inline]
    fn sync_end(&self) -> i64 {
        self.sync.last().map_or(i64::MIN, |last| last.1)
    }
}

impl<'a> Accumulator<'a> for EngineSpans {
    type Facts = SpanFacts<'a>;

    fn of_block(facts: &SpanFacts<'a>, block: &Block<'_, 'a>) -> Self {
        let first_start = block.start.first().copied().unwrap_or(i64::MAX);
        // Of most commands each is a span of its own.
        let work = SpanList::with_capacity(block.start.len());
        let mut spans = Self { first_start, work, ..Self::default() };
        let (mut last_start, mut last_end, mut is_in_order) = (i64::MIN, i64::MIN, true);
        // The span of work that may still grow, the tag of the first command of all, and of the one that ended last.
        const NONE: (i64, i64) = (i64::MIN, i64::MIN);
        let mut work = NONE;
        let (mut first_tag, mut last_tag) = (0, 0);
        let mut sync_end = i64::MIN;
        let mut commands = 0;
        let events = block.start.iter().zip(block.end).zip(block.kind).zip(block.tag);
        for (((&start, &end), &kind), &tag) in events {
            is_in_order &= last_start <= start;
            last_start = start;
            last_end = last_end.max(end);
            let is_work = facts.works.is_work(kind);
            commands += u64::from(is_work);
            if start >= end {
                continue;
            }
            if !is_work {
                let start = start.max(work.1);
                if start < end && end > sync_end {
                    spans.push_sync(start, end, sync_end);
                    sync_end = end;
                }
                continue;
            }
            if sync_end > start {
                spans.cut(start, end);
                sync_end = spans.sync_end();
            }
            if start > work.1 {
                if work == NONE {
                    first_tag = tag;
                } else {
                    spans.work.push(work);
                    if facts.begins_launch(last_tag, tag) {
                        spans.launches.push(spans.work.len() as u32);
                    }
                }
                (work, last_tag) = ((start, end), tag);
            } else if end >= work.1 {
                (work.1, last_tag) = (end, tag);
            }
        }
        if work != NONE {
            spans.work.push(work);
        }
        (spans.first_tag, spans.last_tag) = (first_tag, last_tag);
        Self { commands, last_start, last_end, is_in_order, ..spans }
    }

    fn merge(&mut self, facts: &SpanFacts<'a>, later: Self) {
        let until = self.last_start.max(self.last_end);
        self.is_in_order &= later.is_in_order && until <= later.first_start;
        self.commands += later.commands;
        (self.last_start, self.last_end) = (later.last_start, self.last_end.max(later.last_end));
        if !self.is_in_order {
            return;
        }
        if let Some((start, _)) = later.work.iter().next() {
            let is_first = self.work.is_empty();
            let touches = self.work.last().is_some_and(|(_, end)| end == start);
            // The number of the later spans' first one.
            let first = self.work.len() as u32 - u32::from(touches);
            if is_first {
                self.first_tag = later.first_tag;
            } else if !touches && facts.begins_launch(self.last_tag, later.first_tag) {
                self.launches.push(first);
            }
            self.launches.extend(later.launches.into_iter().map(|span| first + span));
            self.work.append(later.work);
            self.last_tag = later.last_tag;
        }
        self.sync.append(later.sync);
    }
}

#[cfg(test)]
mod tests {
    use bigtpu_chip::Engine;
    use proptest::prelude::*;

    use super::*;
    use crate::planted::{Planted, plain};

    /// Events: distance to the start before it, length, whether it is work, whether a launch begins.
    type Rows = Vec<(i64, i64, bool, bool)>;

    fn planted(rows: &Rows) -> Planted {
        let mut planted = Planted::default();
        let mut start = 0;
        for &(distance, length, is_work, begins) in rows {
            if begins {
                planted.kernel(0, "k", 0, 1);
            }
            start += distance;
            if is_work {
                planted.add(0, plain(Engine::Tiu), (start, start + length), 0, 0);
            } else {
                planted.wait(0, Engine::Tiu, start, start + length);
            }
        }
        planted
    }

    fn rows(distances: std::ops::Range<i64>) -> impl Strategy<Value = Rows> {
        let row = (distances, -1i64..9, prop::bool::weighted(0.6), prop::bool::weighted(0.2));
        prop::collection::vec(row, 1..24)
    }

    proptest! {
        /// Whatever the order of the events, and how they overlap.
        #[test]
        fn spans_are_unions(rows in prop_oneof![rows(0..12), rows(-4..8)]) {
            let planted = planted(&rows);
            let model = planted.model();
            let facts = SpanFacts::new(&model);
            let track = &model.tracks[0];
            let of = |is_work: bool| {
                let own = move |e: &crate::MeasuredEvent<'_>| e.kind.activity.is_work() == is_work;
                Spans::union(model.events(track).filter(own).map(|e| (e.start, e.end)))
            };
            let (time, launches) = EngineSpans::of_track(&facts, track).finish();
            prop_assert_eq!(&time.work, &of(true));
            prop_assert_eq!(&time.sync, &of(false).difference(&of(true)));
            // The work with which a span begins, and what ended last before.
            let mut work: Vec<_> = model.events(track).collect();
            work.retain(|e| e.kind.activity.is_work() && e.start < e.end);
            work.sort_by_key(|e| e.start);
            let begins = |span: &(i64, i64)| {
                let (after, before) = (work.iter().position(|e| e.start == span.0)?, |at: usize| {
                    work[..at].iter().max_by_key(|e| e.end)
                });
                let (before, after) = (before(after)?, work.get(after)?);
                let (a, b) = (model.tag(before.tag()), model.tag(after.tag()));
                Some(a.scope != b.scope && b.kernel.is_some())
            };
            let expected = (0u32..).zip(time.work.iter()).filter(|(_, span)| begins(span) == Some(true));
            prop_assert_eq!(launches, expected.map(|(number, _)| number).collect::<Vec<_>>());
        }

        /// Blocks that do not overlap are as one; of others this is said.
        #[test]
        fn blocks_are_as_one(rows in prop_oneof![rows(0..12), rows(8..12)], cuts in prop::collection::vec(0usize..24, 0..3)) {
            let planted = planted(&rows);
            let model = planted.model();
            let facts = SpanFacts::new(&model);
            let track = &model.tracks[0];
            let mut cuts = cuts;
            cuts.extend([0, track.len()]);
            cuts.retain(|cut| *cut <= track.len());
            cuts.sort_unstable();
            cuts.dedup();
            let mut parts = cuts.windows(2).map(|cut| {
                EngineSpans::of_block(&facts, &Block::find(track, cut[0], cut[1]).unwrap())
            });
            let mut all = parts.next().unwrap();
            parts.for_each(|part| all.merge(&facts, part));
            let whole = EngineSpans::of_track(&facts, track);
            prop_assert_eq!(all.window(), whole.window());
            if all.is_in_order() {
                let ((all, launches), (whole, expected)) = (all.finish(), whole.finish());
                prop_assert_eq!(all.commands, whole.commands);
                prop_assert_eq!((&all.work, &all.sync, launches), (&whole.work, &whole.sync, expected));
            } else {
                let overlaps = (1..track.len()).any(|at| {
                    let ends = &track.events.end[..at];
                    ends.iter().any(|end| *end > track.events.start[at])
                });
                prop_assert!(overlaps);
            }
        }
    }
}
