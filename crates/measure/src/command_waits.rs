//! The commands that commands wait for: `cmd_id_dep` of all TIU and GDMA commands, looked up once for all readers.
//!
//! A command waits for the command of a number that its core's other engine runs in the present id epoch. Readers differ in what they
//! take for known at its start: the one asks for the commands that the other engine had started by then, the other one allows for
//! clocks that differ by a cycle, and asks whether the command had ended. Both mostly find the same.

use std::ops::Range;

use bigtpu_chip::{Chip, Engine};
use bigtpu_timeline::{Packed, Profile};
use rayon::prelude::*;

use crate::dependence::Dependence;
use crate::engine_track::EngineTrack;
use crate::table::CommandTable;

/// No command.
const NONE: u32 = u32::MAX;

/// What the commands of all engines wait for, in the order of [`Profile::tracks`].
#[derive(Debug, Clone, Default)]
pub struct CommandWaits {
    tracks: Vec<TrackWaits>,
}

impl CommandWaits {
    /// Finds what each command of a profile waits for.
    #[must_use]
    pub fn find(profile: &Profile<'_>, table: &CommandTable) -> Self {
        let tracks: Vec<EngineTrack<'_>> = table.tracks(profile).collect();
        let tolerance = clock_tolerance_ns(profile);
        let of_track = |own: &EngineTrack<'_>| {
            let other = match own.engine_id.engine {
                Engine::Tiu => Engine::Gdma,
                Engine::Gdma => Engine::Tiu,
                Engine::Sdma | Engine::Cdma => return TrackWaits::default(),
            };
            let is_other = |t: &&EngineTrack<'_>| {
                t.engine_id.index == own.engine_id.index && t.engine_id.engine == other
            };
            let other = tracks.iter().find(is_other);
            other
                .map(|other| TrackWaits::find(own, other, profile.chip, tolerance))
                .unwrap_or_default()
        };
        Self { tracks: tracks.par_iter().map(of_track).collect() }
    }

    /// Returns what the commands of a track wait for; nothing for a place without a track. `place`: the track's place
    /// in the order of [`Profile::tracks`].
    #[must_use]
    pub fn track(&self, place: usize) -> &TrackWaits {
        const NO_WAITS: &TrackWaits = &TrackWaits {
            ended: Vec::new(),
            enabled: Vec::new(),
            found: 0,
            contradicted: 0,
            unresolved: 0,
            least_ns: None,
        };
        self.tracks.get(place).unwrap_or(NO_WAITS)
    }
}

/// Times of a profile's engines may differ by this many ns: a cycle of each clock.
#[must_use]
pub fn clock_tolerance_ns(profile: &Profile<'_>) -> i64 {
    let cycle = |engine| (1000.0 / profile.clocks.mhz(engine).max(1.0)).ceil() as i64;
    cycle(Engine::Tiu) + cycle(Engine::Gdma)
}

/// What the commands of a TIU or GDMA wait for on their core's other engine.
#[derive(Debug, Clone, Default)]
pub struct TrackWaits {
    /// See [`TrackWaits::ended`]; empty if no event waits for a command.
    ended: Vec<u32>,
    /// Events whose enabled dependence leads elsewhere, with the index of that command or [`NONE`].
    enabled: Vec<(u32, u32)>,
    /// Dependences that the times allow.
    pub found: u64,
    /// Dependences that the times contradict: the command had not ended.
    pub contradicted: u64,
    /// Dependences on commands that are not there.
    pub unresolved: u64,
    /// Smallest time in ns from the end of a command to the start of one that waits for it.
    pub least_ns: Option<i64>,
}

impl TrackWaits {
    fn find(own: &EngineTrack<'_>, other: &EngineTrack<'_>, chip: &Chip, tolerance: i64) -> Self {
        let mut waits = Self::default();
        let runs = id_runs(&other.events.id);
        let (mut now, mut soon) = (Started::new(other, &runs), Started::new(other, &runs));
        let mut latest = i64::MIN;
        // Whether each number is waited for, without a bit that says so.
        let any_number = chip.awaited_command(1).is_some();
        let later = |ns: i64| ns.min(i64::MAX - tolerance) + tolerance;
        let fields = &own.columns.dependence;
        for (i, (field, start)) in (0..).zip(fields.iter().zip(&own.events.start)) {
            latest = latest.max(*start);
            soon.go_on(other, later(latest));
            let Some(dependence) = Dependence::of_column(*field) else { continue };
            let (number, is_enabled) = (dependence.number(), dependence.is_enabled());
            if number == 0 || !(any_number || is_enabled) {
                continue;
            }
            let had_ended = |at| end_of(other, at).filter(|end| *end <= later(*start));
            // Mostly the command had ended, and started before this one by any clock.
            if is_enabled
                && soon.latest <= latest
                && let Some(at) = soon.find_recent(number)
                && let Some(end) = had_ended(at)
            {
                waits.add(own, i, at, start - end);
                continue;
            }
            let found = soon.find(other, number);
            let ended = found.command().and_then(|at| Some((at, had_ended(at)?)));
            match (ended, found) {
                (Some((at, end)), _) => waits.add(own, i, at, start - end),
                (None, Found::Nothing) => waits.unresolved += 1,
                (None, _) => waits.contradicted += 1,
            }
            let enabled = match is_enabled {
                true if soon.latest <= latest => found.command(),
                true => now.find_at(other, latest, number).command(),
                false => None,
            };
            if enabled != ended.map(|(at, _)| at) {
                waits.enabled.push((i, enabled.map_or(NONE, |at| at as u32)));
            }
        }
        waits
    }

    /// An event waits for a command that ended so many ns before it.
    #[inline]
    fn add(&mut self, own: &EngineTrack<'_>, event: u32, command: usize, distance: i64) {
        self.found += 1;
        self.least_ns = Some(self.least_ns.map_or(distance, |least| least.min(distance)));
        if self.ended.is_empty() {
            self.ended = vec![NONE; own.len()];
        }
        if let Some(slot) = self.ended.get_mut(event as usize) {
            *slot = command as u32;
        }
    }

    /// Returns, by event, the index of the other engine's command that the event waits for and that had ended when the
    /// event started, as far as the clocks agree; [`u32::MAX`] without one. Empty if no event waits for a command.
    #[must_use]
    #[inline]
    pub fn ended(&self) -> &[u32] {
        &self.ended
    }

    /// The commands that events wait for by dependences that are enabled, whether they had ended or not.
    pub(crate) fn enabled(&self) -> EnabledWaits<'_> {
        EnabledWaits { ended: &self.ended, others: &self.enabled }
    }
}

/// The commands that events wait for, for who asks event after event.
pub(crate) struct EnabledWaits<'a> {
    ended: &'a [u32],
    /// Events still to come whose enabled dependence leads elsewhere, with the index of that command or [`NONE`].
    others: &'a [(u32, u32)],
}

impl EnabledWaits<'_> {
    /// Index of the command that an event waits for; to be asked for events in their order.
    #[inline]
    pub(crate) fn waited_for(&mut self, event: usize) -> Option<usize> {
        let mut found = self.ended.get(event).copied().unwrap_or(NONE);
        while let Some(((of, command), later)) = self.others.split_first() {
            if *of as usize > event {
                break;
            }
            if *of as usize == event {
                found = *command;
            }
            self.others = later;
        }
        (found != NONE).then_some(found as usize)
    }
}

/// End of a command in ns, never before its start; `None` where there is no such command.
#[inline]
fn end_of(track: &EngineTrack<'_>, at: usize) -> Option<i64> {
    let (start, end) = (track.events.start.get(at)?, track.events.end.get(at)?);
    Some(*end.max(start))
}

/// What the number of a dependence leads to.
#[derive(Clone, Copy)]
enum Found {
    /// A command of the epoch.
    Command(usize),
    /// A later command of the epoch, which has not started.
    Coming,
    /// No such command.
    Nothing,
}

impl Found {
    fn command(self) -> Option<usize> {
        if let Self::Command(at) = self { Some(at) } else { None }
    }
}

/// Commands whose ids are consecutive: all of an epoch, where no record is missing.
#[derive(Clone, Copy)]
struct IdRun {
    first: usize,
    /// Id of the first one.
    id: i64,
}

/// All commands of an engine as such runs.
fn id_runs(ids: &Packed<i64, u16>) -> Vec<IdRun> {
    let mut runs = Vec::new();
    let mut last: Option<i64> = None;
    let mut block = [0; 128];
    for start in (0..ids.len()).step_by(block.len()) {
        let block = &mut block[..(ids.len() - start).min(128)];
        ids.read_bits(start, block);
        for (first, id) in (start..).zip(block) {
            let id = *id as i64;
            if last.replace(id).is_none_or(|last| id != last.wrapping_add(1)) {
                runs.push(IdRun { first, id });
            }
        }
    }
    runs
}

/// The commands of an engine that have started, and where their id epoch begins.
struct Started<'r> {
    /// How many have.
    count: usize,
    /// When the next one starts; never, where there is none.
    next_start: i64,
    /// The latest start of those that have.
    latest: i64,
    epoch: usize,
    /// The run of the last one that has.
    run: IdRun,
    /// Later runs, and the first command of the next of them.
    coming: &'r [IdRun],
    next_run: usize,
}

impl<'r> Started<'r> {
    fn new(track: &EngineTrack<'_>, runs: &'r [IdRun]) -> Self {
        let next_start = track.events.start.first().copied().unwrap_or(i64::MAX);
        let run = IdRun { first: 0, id: i64::MAX };
        Self { count: 0, next_start, latest: i64::MIN, epoch: 0, run, coming: runs, next_run: 0 }
    }

    /// All have started that start by then.
    #[inline]
    fn go_on(&mut self, track: &EngineTrack<'_>, by: i64) {
        while self.next_start <= by && self.count < track.events.start.len() {
            self.latest = self.latest.max(self.next_start);
            self.count += 1;
            self.next_start = track.events.start.get(self.count).copied().unwrap_or(i64::MAX);
        }
        if self.next_run < self.count {
            self.next_runs();
        }
    }

    #[cold]
    fn next_runs(&mut self) {
        while let Some((next, coming)) = self.coming.split_first()
            && next.first < self.count
        {
            let before = (next.first - self.run.first) as i64;
            // Ids rise within an epoch.
            if next.id < self.run.id.saturating_add(before) {
                self.epoch = next.first;
            }
            (self.run, self.coming) = (*next, coming);
        }
        self.next_run = self.coming.first().map_or(usize::MAX, |next| next.first);
    }

    /// The command of a number in the epoch of a moment, for the few events at which engines with other clocks differ.
    #[cold]
    fn find_at(&mut self, track: &EngineTrack<'_>, by: i64, number: u32) -> Found {
        self.go_on(track, by);
        self.find(track, number)
    }

    /// The command of a number among the last ones, whose ids are consecutive. Numbers count from 1, ids of records from 0.
    #[inline]
    fn find_recent(&self, number: u32) -> Option<usize> {
        let distance = usize::try_from(i64::from(number) - 1 - self.run.id).ok()?;
        (distance < self.count - self.run.first).then_some(self.run.first + distance)
    }

    /// The command of a number in the epoch.
    #[cold]
    fn find(&self, track: &EngineTrack<'_>, number: u32) -> Found {
        let near = self.find_recent(number).map(Found::Command);
        let id = i64::from(number) - 1;
        near.unwrap_or_else(|| search(&track.events.id, self.epoch..self.count, id))
    }
}

/// The command of an id among those of an epoch, or behind them.
fn search(ids: &Packed<i64, u16>, epoch: Range<usize>, id: i64) -> Found {
    if let Ok(at) = ids.search(epoch.clone(), id) {
        return Found::Command(at);
    }
    let last = epoch.clone().next_back().map_or(-1, |last| ids.value_at(last));
    let mut coming = (epoch.end..ids.len())
        .map(|at| ids.value_at(at))
        .take_while(|next| *next > last && *next <= id);
    if coming.any(|next| next == id) { Found::Coming } else { Found::Nothing }
}
