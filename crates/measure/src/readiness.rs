//! When engines idled although their next command could have started: what more overlap could use.

use std::ops::Range;

use bigtpu_chip::Engine;
use bigtpu_timeline::EngineId;
use foldhash::HashMap;

use crate::engine_track::EngineTrack;
use crate::intervals::{Times, TrackTime};
use crate::model::Model;

/// Time of a core in which its TIU or its GDMA was idle, though its next command was free to start, while the other
/// worked, in ns. A command is free once its engine's last command, the command that it depends on and the start of
/// its launch are past. An unknown dependence holds nothing up.
#[must_use]
pub fn free_overlap_ns(model: &Model<'_>, times: &Times, core: u32) -> i64 {
    let track = |engine| {
        let tracks = model.tracks.iter().zip(&times.tracks);
        tracks.into_iter().find(|(track, _)| track.engine_id == EngineId { engine, index: core })
    };
    let (Some(tiu), Some(gdma)) = (track(Engine::Tiu), track(Engine::Gdma)) else { return 0 };
    let launches = model.core_launches.get(core as usize).map_or(&[][..], Vec::as_slice);
    let starts: HashMap<u32, i64> =
        launches.iter().filter_map(|launch| Some((launch.scope?, launch.start))).collect();
    let Some(time) = times.cores.get(core as usize) else { return 0 };
    let first = model.core(core).filter_map(|track| track.events.start.iter().min()).min().copied();
    let free = |(own, busy): (&EngineTrack<'_>, &TrackTime), other: &EngineTrack<'_>| {
        // Where only the others work.
        let (mut work, mut own_work) = (time.work.coverage(), busy.work.coverage());
        // Of commands that start in order, all earlier ones have ended by `from`, and all later ones start after `to`.
        let is_in_order = own.events.start.is_sorted();
        free_spans(model, (own, first), other, &starts, |from, to| {
            let own_ns = if is_in_order { 0 } else { own_work.covered(from, to) };
            work.covered(from, to) - own_ns
        })
    };
    free(tiu, gdma.0) + free(gdma, tiu.0)
}

/// Sum over the times from when a command was free to start until it did: they are in order, and none overlaps another.
/// `first`: when the core began.
fn free_spans(
    model: &Model<'_>,
    (own, first): (&EngineTrack<'_>, Option<i64>),
    other: &EngineTrack<'_>,
    launches: &HashMap<u32, i64>,
    mut ns: impl FnMut(i64, i64) -> i64,
) -> i64 {
    let mut sum = 0;
    let mut before = first;
    // Commands of the other engine that started by now, and where their id epoch begins.
    let (mut started, mut epoch, mut last) = (0, 0, None);
    let mut first_id = None;
    let start_of = |i: usize| other.events.start.get(i).copied().unwrap_or(i64::MAX);
    let mut next_start = start_of(0);
    // Start of the launch of the tag that was seen last.
    let (mut known_tag, mut launch) = (None, None);
    for event in model.events(own) {
        while next_start <= event.start {
            let id = other.events.id.get(started);
            if last.is_none() || id <= last {
                (epoch, first_id) = (started, id);
            }
            last = id;
            started += 1;
            next_start = start_of(started);
        }
        if known_tag != Some(event.tag()) {
            known_tag = Some(event.tag());
            let scope = model.tag(event.tag()).scope;
            launch = scope.and_then(|scope| launches.get(&scope)).copied();
        }
        let is_free = |free: Option<i64>| free.is_none_or(|free| free < event.start);
        let free = before.max(launch);
        // What a command depends on can only hold it up for longer.
        if is_free(free) {
            let depends = own
                .dependence(event.index)
                .filter(|dependence| dependence.is_enabled())
                .and_then(|of| end_of(other, (epoch..started, first_id?), of.number()));
            let free = free.max(depends);
            if let Some(free) = free.filter(|_| is_free(free)) {
                sum += ns(free, event.start);
            }
        }
        before = before.max(Some(event.end));
    }
    sum
}

/// End of the command of that number among those of an epoch, the first of which has `first_id`; ids rise within it, and are one
/// less than numbers.
#[inline]
fn end_of(
    track: &EngineTrack<'_>,
    (epoch, first_id): (Range<usize>, i64),
    number: u32,
) -> Option<i64> {
    let id = i64::from(number.checked_sub(1)?);
    let ids = &track.events.id;
    // Where no record is missing, the ids of an epoch are consecutive.
    let distance = usize::try_from(id - first_id).ok();
    let expected = distance.and_then(|distance| epoch.start.checked_add(distance));
    let expected = expected.filter(|at| epoch.contains(at));
    let at = match expected.filter(|at| ids.get(*at) == Some(id)) {
        Some(at) => at,
        None => ids.search(epoch, id).ok()?,
    };
    track.events.end.get(at).copied()
}
