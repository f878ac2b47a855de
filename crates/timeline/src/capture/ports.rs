//! What a port did at other times than the cores that submitted its commands.

use std::collections::BTreeMap;

use bigtpu_messages::{Arg, message};

use super::{Span, path_of, widened};
use crate::dump::Dump;
use crate::note::{Note, Severity};
use crate::profile::{EngineEvents, Profile};

/// A command runs after its kernel was launched. Clocks are put together to within this part of a launch.
const PART_OF_LAUNCH: i64 = 64;
/// The clock of a port is known to within so many ns at best.
const CLOSE_NS: i64 = 500;
/// One in this many launches may be at another time.
const LAUNCHES_PER_APART: usize = 6;

/// Tells the ports whose commands ran before their kernels were launched, or long after.
pub(super) fn other_launches(dump: &Dump, profile: &Profile<'_>) -> Vec<Note> {
    let mut found = Vec::new();
    let anchored = || profile.ports.iter().filter(|port| port.anchor.is_some());
    if anchored().next().is_none() {
        return found;
    }
    let cores = launches_of_cores(profile);
    for port in anchored() {
        let launches = launches_of_port(profile, port);
        let both = launches.iter().filter_map(|(launch, own)| Some((*cores.get(launch)?, *own)));
        let is_apart: Vec<bool> = both.map(|(core, own)| is_apart(core, own)).collect();
        let odd = is_apart.iter().filter(|is_apart| **is_apart).count();
        let (Some(((core, _), _)), Some(path)) =
            (launches.first_key_value(), path_of(dump, port.engine_id.index, true))
        else {
            continue;
        };
        if odd > 0 && odd * LAUNCHES_PER_APART >= is_apart.len() {
            let other = Arg::Number((*core).into());
            let launches = is_apart.len();
            let message =
                message!("note-other-capture", odd = odd, launches = launches, other = other);
            found.push(Note::about_file(Severity::Loss, path, message));
        }
    }
    found
}

/// Divisor of the time from the first to the last command of all cores: so much of it a port that they submit commands to may be late.
const PART_OF_RUN: i64 = 4;

/// Tells the ports that begin long after the last command of all cores, or end before the first: nothing submitted their commands.
pub(super) fn outside_of_run(dump: &Dump, profile: &Profile<'_>) -> Vec<Note> {
    let span = |track: &EngineEvents<'_>| {
        let times = track.events.start.iter().zip(&track.events.end);
        times.fold(None, |span, (start, end)| Some(widened(span, (*start, *end))))
    };
    let cores = profile.cores.iter().flat_map(|core| &core.tracks).filter_map(span);
    let Some(run) = cores.fold(None, |run, span| Some(widened(run, span))) else {
        return Vec::new();
    };
    let doubt = ((run.1 - run.0) / PART_OF_RUN).max(CLOSE_NS);
    let tell = |port: &EngineEvents<'_>| {
        let own = span(port).filter(|_| port.anchor.is_some())?;
        let away = (own.0 - run.1).max(run.0 - own.1);
        if away <= doubt {
            return None;
        }
        let message = message!("note-port-outside", away = Arg::TimeNs(away));
        Some(Note::about_file(Severity::Loss, path_of(dump, port.engine_id.index, true)?, message))
    };
    profile.ports.iter().filter_map(tell).collect()
}

fn is_apart(core: Span, port: Span) -> bool {
    let doubt = ((core.1 - core.0) / PART_OF_LAUNCH).max(CLOSE_NS);
    port.0 < core.0 - doubt || port.0 > core.1 + doubt
}

/// A core's kernel launch: the core's number and the scope.
type Launch = (u32, u32);

fn launches_of_cores(profile: &Profile<'_>) -> BTreeMap<Launch, Span> {
    let mut spans = BTreeMap::new();
    for track in profile.cores.iter().flat_map(|core| &core.tracks) {
        for (i, span) in
            track.events.start.iter().copied().zip(track.events.end.iter().copied()).enumerate()
        {
            if let Some(scope) = profile.tag(track, i).scope {
                let known = spans.entry((track.engine_id.index, scope));
                known.and_modify(|known| *known = widened(Some(*known), span)).or_insert(span);
            }
        }
    }
    spans
}

fn launches_of_port(profile: &Profile<'_>, port: &EngineEvents<'_>) -> BTreeMap<Launch, Span> {
    let mut spans = BTreeMap::new();
    let times = port.events.start.iter().copied().zip(port.events.end.iter().copied());
    for (i, (owner, span)) in port.owner.iter().zip(times).enumerate() {
        if let (Some(owner), Some(scope)) = (owner, profile.tag(port, i).scope) {
            let known = spans.entry((owner.core, scope));
            known.and_modify(|known| *known = widened(Some(*known), span)).or_insert(span);
        }
    }
    spans
}
