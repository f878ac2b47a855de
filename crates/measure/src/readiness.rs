//! When engines idled although their next command could have started: what more overlap could use.

use bigtpu_chip::Engine;
use bigtpu_timeline::EngineId;
use foldhash::HashMap;

use crate::command_waits::{CommandWaits, TrackWaits};
use crate::engine_track::EngineTrack;
use crate::intervals::{Times, TrackTime};
use crate::model::Model;

/// Time of a core in which its TIU or its GDMA was idle, though its next command was free to start, while the other
/// worked, in ns. A command is free once its engine's last command, the command that it depends on and the start of
/// its launch are past. An unknown dependence holds nothing up. `waits`: those of the model's tracks.
#[must_use]
pub fn free_overlap_ns(model: &Model<'_>, times: &Times, waits: &CommandWaits, core: u32) -> i64 {
    let track = |engine| {
        let engine_id = EngineId { engine, index: core };
        let place = model.tracks.iter().position(|track| track.engine_id == engine_id)?;
        Some((model.tracks.get(place)?, times.tracks.get(place)?, waits.track(place)))
    };
    let (Some(tiu), Some(gdma)) = (track(Engine::Tiu), track(Engine::Gdma)) else { return 0 };
    let launches = model.core_launches.get(core as usize).map_or(&[][..], Vec::as_slice);
    let starts: HashMap<u32, i64> =
        launches.iter().filter_map(|launch| Some((launch.scope?, launch.start))).collect();
    let Some(time) = times.cores.get(core as usize) else { return 0 };
    let first = model.core(core).filter_map(|track| track.events.start.iter().min()).min().copied();
    type OfEngine<'e, 'a> = (&'e EngineTrack<'a>, &'e TrackTime, &'e TrackWaits);
    let free = |(own, busy, waits): OfEngine<'_, '_>, other: &EngineTrack<'_>| {
        // Where only the others work.
        let (mut work, mut own_work) = (time.work.coverage(), busy.work.coverage());
        // Of commands that start in order, all earlier ones have ended by `from`, and all later ones start after `to`.
        let is_in_order = own.events.start.is_sorted();
        free_spans(model, (own, waits, first), other, &starts, |from, to| {
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
    (own, waits, first): (&EngineTrack<'_>, &TrackWaits, Option<i64>),
    other: &EngineTrack<'_>,
    launches: &HashMap<u32, i64>,
    mut ns: impl FnMut(i64, i64) -> i64,
) -> i64 {
    let mut sum = 0;
    let mut before = first;
    let mut enabled = waits.enabled();
    // Start of the launch of the tag that was seen last.
    let (mut known_tag, mut launch) = (None, None);
    for event in model.events(own) {
        if known_tag != Some(event.tag()) {
            known_tag = Some(event.tag());
            let scope = model.tag(event.tag()).scope;
            launch = scope.and_then(|scope| launches.get(&scope)).copied();
        }
        let is_free = |free: Option<i64>| free.is_none_or(|free| free < event.start);
        let free = before.max(launch);
        // What a command depends on can only hold it up for longer.
        if is_free(free) {
            let awaited = enabled.of(event.index);
            let depends = awaited.and_then(|at| other.events.end.get(at)).copied();
            let free = free.max(depends);
            if let Some(free) = free.filter(|_| is_free(free)) {
                sum += ns(free, event.start);
            }
        }
        before = before.max(Some(event.end));
    }
    sum
}
