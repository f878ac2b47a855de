//! Kernel slices: runs of events of one kernel launch, in time order (section 8.3).

use bigtpu_timeline::{EngineEvents, Events, Profile, Tag};
use foldhash::HashSet;

use crate::kernels::KernelSlice;

/// Kernel slices of the given tracks together (a core's engines, or one port), in time order.
#[must_use]
pub fn kernel_slices(profile: &Profile<'_>, tracks: &[&EngineEvents<'_>]) -> Vec<KernelSlice> {
    let mut slices = Slices::collect(profile);
    if !profile.tags.iter().any(|tag| has_name(profile, *tag)) {
        return slices.finish();
    }
    if tracks.iter().all(|track| is_in_order(&track.events)) {
        merge(profile, tracks, &mut slices);
    } else {
        sort(profile, tracks, &mut slices);
    }
    slices.finish()
}

/// Adds the events of tracks by start, end and track.
fn sort(profile: &Profile<'_>, tracks: &[&EngineEvents<'_>], slices: &mut Slices<'_, '_>) {
    let rows = tracks.iter().flat_map(|track| {
        let Events { start, end, tag, .. } = &track.events;
        start.iter().zip(end).zip(tag).map(|((start, end), tag)| (*start, *end, *tag))
    });
    let mut rows: Vec<(i64, i64, u32)> = rows.filter(|row| is_of_kernel(profile, row.2)).collect();
    rows.sort_by_key(|&(start, end, _)| (start, end));
    rows.into_iter().for_each(|(start, end, tag)| slices.add(tag, start, end, 1));
}

/// Whether events are sorted by start, then by end, as an engine's are that does one command after the other.
fn is_in_order(events: &Events) -> bool {
    let times = || events.start.iter().zip(&events.end);
    times().zip(times().skip(1)).all(|(before, after)| before <= after)
}

/// What is left of a track that is in order.
struct Rest<'a> {
    events: &'a Events,
    /// The next event of a kernel.
    next: usize,
    /// Behind the last of the events from there on that have its tag.
    run_end: usize,
}

impl<'a> Rest<'a> {
    fn find(profile: &Profile<'_>, events: &'a Events) -> Self {
        let mut rest = Self { events, next: 0, run_end: 0 };
        rest.begin_run(profile);
        rest
    }

    /// The tag of the next event; `None` behind the last.
    fn tag(&self) -> Option<u32> {
        self.events.tag.get(self.next).copied()
    }

    /// Start and end of an event.
    fn times(&self, i: usize) -> Option<(i64, i64)> {
        Some((*self.events.start.get(i)?, *self.events.end.get(i)?))
    }

    /// Begins the run at the next event, or at the first one behind it that is of a kernel.
    fn begin_run(&mut self, profile: &Profile<'_>) {
        self.run_end = self.next;
        while let Some(tag) = self.tag() {
            let rest = self.events.tag.get(self.next..).unwrap_or_default();
            self.run_end += rest.iter().take_while(|other| **other == tag).count();
            if is_of_kernel(profile, tag) {
                return;
            }
            self.next = self.run_end;
        }
    }

    /// Takes the events of the run up to one that `is_behind` by its times. Returns how many they are, and the latest end.
    fn take(&mut self, is_behind: impl Fn((i64, i64)) -> bool) -> (u64, i64) {
        let is_left_out = |i: usize| self.times(i).is_none_or(&is_behind);
        let mut end = self.run_end;
        if end.checked_sub(1).is_some_and(is_left_out) {
            let (mut low, mut high) = (self.next, end);
            while low < high {
                let middle = low.midpoint(high);
                if is_left_out(middle) { high = middle } else { low = middle + 1 }
            }
            end = low;
        }
        let ends = self.events.end.get(self.next..end).unwrap_or_default();
        let latest = ends.iter().copied().fold(i64::MIN, i64::max);
        self.next = end;
        (ends.len() as u64, latest)
    }
}

/// Adds the events of tracks that are in order: as many events at a time as have the same tag.
fn merge(profile: &Profile<'_>, tracks: &[&EngineEvents<'_>], slices: &mut Slices<'_, '_>) {
    let mut rests: Vec<Rest<'_>> =
        tracks.iter().map(|track| Rest::find(profile, &track.events)).collect();
    loop {
        let all = || rests.iter().enumerate();
        let heads = all().filter_map(|(at, rest)| Some((rest.times(rest.next)?, at, rest.tag()?)));
        // Between equals the first track comes first.
        let Some(((start, _), first, tag)) = heads.min_by_key(|(times, at, _)| (*times, *at))
        else {
            return;
        };
        // Events of the same tag may come in any order, up to the first event of another tag on another track.
        let others = all().filter(|(at, _)| *at != first).filter_map(|(at, rest)| {
            let i = if rest.tag()? == tag { rest.run_end } else { rest.next };
            Some((rest.times(i)?, at))
        });
        let limit = others.min();
        let is_behind = |times| limit.is_some_and(|limit| (times, first) > limit);
        let Some(rest) = rests.get_mut(first) else { return };
        let (count, end) = rest.take(is_behind);
        if rest.next == rest.run_end {
            rest.begin_run(profile);
        }
        if count == 0 {
            return;
        }
        slices.add(tag, start, end, count);
    }
}

/// Slices that are made of events in the order of their starts.
struct Slices<'a, 'd> {
    profile: &'a Profile<'d>,
    slices: Vec<KernelSlice>,
    /// Batches of the last slice.
    batches: HashSet<u32>,
    last: Option<(u32, Tag)>,
}

impl<'a, 'd> Slices<'a, 'd> {
    fn collect(profile: &'a Profile<'d>) -> Self {
        Self { profile, slices: Vec::new(), batches: HashSet::default(), last: None }
    }

    /// Adds `events` events of one tag, the first of which starts at `start`, and which end at `end`.
    fn add(&mut self, number: u32, start: i64, end: i64, events: u64) {
        if let (Some(slice), true) =
            (self.slices.last_mut(), self.last.is_some_and(|last| last.0 == number))
        {
            slice.end = slice.end.max(end);
            slice.events += events;
            return;
        }
        let Some(tag) = tag_of(self.profile, number) else { return };
        let Some(kernel) = tag.kernel else { return };
        let same = self.last.is_some_and(|(_, last)| same_launch(last, tag));
        self.last = Some((number, tag));
        if !same {
            self.batches.clear();
            self.slices.push(KernelSlice {
                kernel,
                start,
                end,
                runs_ns: 0,
                scope: tag.scope,
                batches: Vec::new(),
                modes: Vec::new(),
                events: 0,
                has_missing_commands: false,
            });
        }
        let Some(slice) = self.slices.last_mut() else { return };
        slice.end = slice.end.max(end);
        slice.events += events;
        let lacks = self.profile.has_missing_commands.get(number as usize);
        slice.has_missing_commands |= lacks.is_some_and(|lacks| *lacks);
        if let Some(batch) = tag.batch.filter(|&b| self.batches.insert(b)) {
            slice.batches.push(batch);
        }
        if let Some(mode) = tag.mode.filter(|m| !slice.modes.contains(m)) {
            slice.modes.push(mode);
        }
    }

    fn finish(mut self) -> Vec<KernelSlice> {
        self.slices.shrink_to_fit();
        for slice in &mut self.slices {
            slice.runs_ns = slice.end - slice.start;
            slice.batches.sort_unstable();
            slice.modes.sort_unstable();
        }
        self.slices
    }
}

/// Whether a tag is that of a kernel with a name; events of others are no part of a slice.
fn is_of_kernel(profile: &Profile<'_>, number: u32) -> bool {
    tag_of(profile, number).is_some_and(|tag| has_name(profile, tag))
}

fn tag_of(profile: &Profile<'_>, number: u32) -> Option<Tag> {
    profile.tags.get(number as usize).copied()
}

fn has_name(profile: &Profile<'_>, tag: Tag) -> bool {
    profile.kernel(tag).is_some_and(|name| !name.is_empty())
}

fn same_launch(last: Tag, tag: Tag) -> bool {
    if last.scope.is_some() || tag.scope.is_some() {
        last.scope == tag.scope
    } else {
        last.kernel == tag.kernel && last.batch == tag.batch
    }
}

#[cfg(test)]
mod tests {
    use bigtpu_chip::Chip;
    use bigtpu_timeline::{Clocks, TimedCommand, TimedCore, TimedRun};
    use proptest::prelude::*;

    use super::*;

    /// Tags 1 to 4 are of two launches of kernel 0 and one of kernel 1, in two batches; tag 5 is of no kernel.
    fn tags() -> Vec<Tag> {
        let tag = |kernel, scope, batch| Tag { kernel, scope, batch: Some(batch), mode: None };
        vec![
            Tag::default(),
            tag(Some(0), Some(0), 0),
            tag(Some(0), Some(0), 1),
            tag(Some(0), Some(1), 1),
            tag(Some(1), None, 1),
            tag(None, None, 2),
        ]
    }

    fn track(rows: Vec<(i64, i64, u32)>) -> Vec<TimedCommand> {
        let mut at = 0;
        let command = |(pause, length, tag)| {
            at += pause;
            let (start, end) = (at, at + length);
            TimedCommand { offset: 0, code: None, id: 0, start, end, cycles: 1, bytes: 0, tag }
        };
        let mut commands: Vec<TimedCommand> = rows.into_iter().map(command).collect();
        commands.sort_by_key(|command| (command.start, command.end));
        commands
    }

    fn rows() -> impl Strategy<Value = Vec<TimedCommand>> {
        let run = (prop::collection::vec((0i64..4, 0i64..9), 0..6), 0u32..6);
        let runs = prop::collection::vec(run, 0..12);
        runs.prop_map(|runs| {
            let rows = runs.into_iter().flat_map(|(rows, tag)| {
                rows.into_iter().map(move |(pause, length)| (pause, length, tag))
            });
            track(rows.collect())
        })
    }

    proptest! {
        #[test]
        fn runs_are_merged_as_their_events(a in rows(), b in rows(), c in rows()) {
            let chip = Chip::find("aks").unwrap();
            let core = TimedCore { file: &[], tags: 0..6, engines: [a, b, c] };
            let profile = Profile::simulated(TimedRun {
                chip,
                clocks: Clocks::of_chip(chip, None),
                is_static: false,
                cores: vec![core],
                tags: tags(),
                kernels: vec!["a".into(), "b".into()],
                notes: Vec::new(),
            });
            let tracks: Vec<_> = profile.tracks().collect();
            let (mut merged, mut sorted) = (Slices::collect(&profile), Slices::collect(&profile));
            merge(&profile, &tracks, &mut merged);
            sort(&profile, &tracks, &mut sorted);
            prop_assert_eq!(merged.finish(), sorted.finish());
        }
    }
}
