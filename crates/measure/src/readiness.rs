//! When engines idled although their next command could have started: what more overlap could use.

use bigtpu_chip::Engine;
use bigtpu_timeline::EngineId;
use foldhash::HashMap;

use crate::command_waits::{CommandWaits, TrackWaits};
use crate::engine_track::EngineTrack;
use crate::model::DumpModel;
use crate::times::{Times, TrackTime};

/// Time of a core in which its TIU or its GDMA was idle, though its next command was free to start, while the other
/// worked, in ns. A command is free once its engine's last command, the command that it depends on and the start of
/// its launch are past. An unknown dependence holds nothing up. `waits`: those of the model's tracks.
#[must_use]
pub fn free_overlap_ns(
    model: &DumpModel<'_>,
    times: &Times,
    waits: &CommandWaits,
    core: u32,
) -> i64 {
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
    let of_core = model.tracks.iter().zip(&times.tracks).filter(|(track, _)| {
        track.engine_id.engine != Engine::Cdma && track.engine_id.index == core
    });
    let first = of_core.filter_map(|(_, time)| Some(time.bounds?.0)).min();
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
    model: &DumpModel<'_>,
    (own, waits, first): (&EngineTrack<'_>, &TrackWaits, Option<i64>),
    other: &EngineTrack<'_>,
    launches: &HashMap<u32, i64>,
    mut ns: impl FnMut(i64, i64) -> i64,
) -> i64 {
    let mut sum = 0;
    let mut enabled = waits.enabled();
    let Some(mut before) = first else { return 0 };
    // Start of the launch of the tag that was seen last.
    let (mut known_tag, mut launch) = (None, i64::MIN);
    let events = own.events.start.iter().zip(&own.events.end).zip(&own.events.tag);
    for (index, ((&start, &end), &tag)) in events.enumerate() {
        if known_tag != Some(tag) {
            known_tag = Some(tag);
            let scope = model.tag(tag).scope;
            launch = scope.and_then(|scope| launches.get(&scope)).copied().unwrap_or(i64::MIN);
        }
        let free = before.max(launch);
        // What a command depends on can only hold it up for longer.
        if free < start {
            let awaited = enabled.waited_for(index).and_then(|at| other.events.end.get(at));
            let free = awaited.map_or(free, |end| free.max(*end));
            if free < start {
                sum += ns(free, start);
            }
        }
        before = before.max(end).max(start);
    }
    sum
}
