//! Room in the local memory of a core: what is in use by what its commands show, and what is kept there besides.

use std::ops::Range;

use bigtpu_chip::Engine;
use bigtpu_measure::{Accesses, CommandTable, LocalMemory, Touch, residencies};
use bigtpu_timeline::Profile;

/// Bytes of a lane in use over time. Where lanes differ, an address counts that any of them uses.
#[derive(Debug)]
pub(super) struct Room {
    /// From when on so many bytes are in use, ascending.
    steps: Vec<(i64, u64)>,
    /// Bytes of a lane.
    pub(super) all: u64,
}

impl Room {
    /// Measures the room of a core over time.
    pub(super) fn of_core(
        profile: &Profile<'_>,
        table: &CommandTable,
        memory: LocalMemory,
        core: usize,
    ) -> Self {
        let mut accesses = Accesses::new(memory);
        let mut touches = Vec::new();
        let tracks = profile.cores.get(core).into_iter().flat_map(|core| &core.tracks);
        let tracks = tracks.filter(|track| track.engine_id.engine != Engine::Cdma);
        for command in tracks.filter_map(|track| table.commands(profile, track)) {
            for command in command.iter() {
                let end = command.end();
                touches.extend(accesses.of_command(&command).map(|a| Touch::from_access(&a, end)));
            }
        }
        let end = |touch: u32| touches.get(touch as usize).map_or(0, |touch| touch.end);
        let stays = residencies(&touches);
        Self::of_changes(
            stays.iter().flat_map(|stay| {
                [(end(stay.write), stay.bytes, true), (end(stay.last_read), stay.bytes, false)]
            }),
            memory.lane_bytes,
        )
    }

    fn of_changes(changes: impl Iterator<Item = (i64, u64, bool)>, all: u64) -> Self {
        let mut changes: Vec<(i64, u64, bool)> = changes.collect();
        // Of those at one time what is free first.
        changes.sort_unstable_by_key(|(at, _, is_more)| (*at, *is_more));
        let mut steps: Vec<(i64, u64)> = vec![(i64::MIN, 0)];
        let mut now = 0u64;
        for (at, bytes, is_more) in changes {
            now = if is_more { now.saturating_add(bytes) } else { now.saturating_sub(bytes) };
            match steps.last_mut() {
                Some(last) if last.0 == at => last.1 = now,
                _ => steps.push((at, now)),
            }
        }
        Self { steps, all }
    }

    fn steps_within(&self, span: &Range<i64>) -> Range<usize> {
        let from = self.steps.partition_point(|(at, _)| *at <= span.start).saturating_sub(1);
        from..self.steps.partition_point(|(at, _)| *at < span.end).max(from + 1)
    }

    /// Bytes in use at most within a span.
    pub(super) fn most(&self, span: &Range<i64>) -> u64 {
        let steps = self.steps.get(self.steps_within(span)).unwrap_or_default();
        steps.iter().map(|(_, bytes)| *bytes).max().unwrap_or(0)
    }

    /// Whether so many bytes more fit within a span.
    pub(super) fn has(&self, span: &Range<i64>, bytes: u64) -> bool {
        span.is_empty() || self.most(span).saturating_add(bytes) <= self.all
    }

    /// Keeps so many bytes within a span.
    pub(super) fn keep(&mut self, span: &Range<i64>, bytes: u64) {
        self.change(span, |used| used.saturating_add(bytes));
    }

    /// Frees so many bytes within a span that were kept there.
    pub(super) fn free(&mut self, span: &Range<i64>, bytes: u64) {
        self.change(span, |used| used.saturating_sub(bytes));
    }

    fn change(&mut self, span: &Range<i64>, changed: impl Fn(u64) -> u64) {
        if span.is_empty() {
            return;
        }
        for edge in [span.start, span.end] {
            let at = self.steps.partition_point(|(at, _)| *at <= edge);
            let before = at.checked_sub(1).and_then(|before| self.steps.get(before).copied());
            if let Some((from, bytes)) = before.filter(|(from, _)| *from != edge) {
                debug_assert!(from < edge);
                self.steps.insert(at, (edge, bytes));
            }
        }
        let within = self.steps_within(span);
        let steps = self.steps.get_mut(within).into_iter().flatten();
        steps.for_each(|step| step.1 = changed(step.1));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_takes_room_within_its_span_only() {
        let changes = [(10, 40, true), (30, 40, false), (30, 20, true), (50, 20, false)];
        let mut room = Room::of_changes(changes.into_iter(), 100);
        assert_eq!([0..10, 5..11, 30..40, 50..60].map(|span| room.most(&span)), [0, 40, 20, 0]);
        assert!(room.has(&(0..60), 60) && !room.has(&(0..60), 61));
        room.keep(&(20..35), 60);
        assert_eq!([10..20, 20..30, 30..35, 35..50].map(|s| room.most(&s)), [40, 100, 80, 20]);
        assert!(!room.has(&(0..60), 1) && room.has(&(35..60), 80));
        room.free(&(20..35), 60);
        assert_eq!(room.most(&(0..60)), 40);
    }
}
