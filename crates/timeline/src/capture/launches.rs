//! Launches of a core at other times than the same launches of another core.

use bigtpu_chip::Engine;
use bigtpu_messages::{Arg, message};

use super::path_of;
use crate::dump::Dump;
use crate::ledger::{Note, Severity};
use crate::profile::{Core, Profile};
use crate::sections::{self, Section};

/// Launches that two cores must have in common before their times are compared.
const FEWEST_LAUNCHES: usize = 6;
/// Of so many launches one may be at another time: cores that do not wait for each other drift apart.
const LAUNCHES_PER_APART: usize = 6;

/// A launch of a core: its kernel, and when it was.
struct Launch {
    kernel: Option<u32>,
    start: i64,
    end: i64,
}

/// The launches of a core in their order.
fn launches(profile: &Profile<'_>, core: &Core<'_>) -> Vec<Launch> {
    let first = core.tags.start as usize;
    let tags = profile.tags.get(first..core.tags.end as usize).unwrap_or_default();
    let mut windows: Vec<Option<(i64, i64)>> = vec![None; tags.len()];
    for track in core.tracks.iter().filter(|track| track.engine_id.engine != Engine::Cdma) {
        let events = &track.events;
        for ((tag, start), end) in events.tag.iter().zip(&events.start).zip(&events.end) {
            let Some(window) = windows.get_mut((*tag as usize).wrapping_sub(first)) else {
                continue;
            };
            let (from, to) = window.unwrap_or((*start, *end));
            *window = Some((from.min(*start), to.max(*end)));
        }
    }
    let mut all: Vec<(u32, Launch)> = Vec::new();
    for (tag, window) in tags.iter().zip(windows) {
        let (Some(scope), Some((start, end))) = (tag.scope, window) else { continue };
        match all.iter_mut().rfind(|(known, _)| *known == scope) {
            Some((_, launch)) => {
                (launch.start, launch.end) = (launch.start.min(start), launch.end.max(end));
            }
            None => all.push((scope, Launch { kernel: tag.kernel, start, end })),
        }
    }
    if all.is_empty() {
        return launches_by_ids(core);
    }
    all.sort_by_key(|(scope, _)| *scope);
    all.into_iter().map(|(_, launch)| launch).collect()
}

/// Without commands, ids that restart show the launches of an engine. Their lengths stand for the kernels.
fn launches_by_ids(core: &Core<'_>) -> Vec<Launch> {
    let longest = core.tracks.iter().map(|track| &track.events).max_by_key(|events| events.len());
    let Some(events) = longest else { return Vec::new() };
    let places: Vec<usize> = (0..events.len()).collect();
    let sections = sections::by_id(&places, |i| events.id.get(*i).unwrap_or(0));
    let launch = |section: &Section| {
        let last = section.first + section.len.checked_sub(1)?;
        let (start, end) = (*events.start.get(section.first)?, *events.end.get(last)?);
        Some(Launch { kernel: u32::try_from(section.span).ok(), start, end })
    };
    sections.iter().filter_map(launch).collect()
}

/// Cores that launch the same kernels do so at the same times.
pub(super) fn other_launches(dump: &Dump, profile: &Profile<'_>) -> Vec<Note> {
    let mut found = Vec::new();
    let cores: Vec<(u32, Vec<Launch>)> = profile
        .cores
        .iter()
        .enumerate()
        .map(|(index, core)| (index as u32, launches(profile, core)))
        .filter(|(_, launches)| launches.len() >= FEWEST_LAUNCHES)
        .collect();
    let are_same = |a: &[Launch], b: &[Launch]| {
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.kernel == b.kernel)
    };
    let apart = |a: &[Launch], b: &[Launch]| {
        a.iter().zip(b).filter(|(a, b)| a.start > b.end || b.start > a.end).count()
    };
    let are_apart =
        |a: &[Launch], b: &[Launch]| are_same(a, b) && apart(a, b) * LAUNCHES_PER_APART >= a.len();
    for (at, (core, own)) in cores.iter().enumerate() {
        let others = || cores.iter().enumerate().filter(|(other, _)| *other != at);
        let (mut same, mut odd) = (0, None);
        for (_, (other, launches)) in others() {
            if are_apart(own, launches) {
                odd = odd.or(Some((*other, apart(own, launches))));
            } else if are_same(own, launches) {
                same += 1;
            }
        }
        // The core that is at odds with most of the others; of two the second.
        let all = others().filter(|(_, (_, launches))| are_same(own, launches)).count();
        let is_odd_one = odd.is_some() && (same * 2 < all && (all > 1 || at > 0));
        let (Some((other, n)), Some(path)) =
            (odd.filter(|_| is_odd_one), path_of(dump, *core, false))
        else {
            continue;
        };
        let message = message!(
            "note-other-capture",
            odd = n,
            launches = own.len(),
            other = Arg::Number(other.into()),
        );
        found.push(Note::of(Severity::Loss, path, message));
    }
    found
}
