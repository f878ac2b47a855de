//! Launches of a core at other times than the same launches of another core.

use std::cmp::Reverse;

use bigtpu_chip::Engine;
use bigtpu_messages::{Arg, message};

use super::path_of;
use crate::dump::Dump;
use crate::events::Events;
use crate::ledger::{Note, Severity};
use crate::profile::{Core, Profile};
use crate::sections::{self, Section};

/// Launches that two cores must have in common before their times are compared.
const FEWEST_LAUNCHES: usize = 6;
/// One in this many launches may be at another time: cores that do not wait for each other drift apart.
const LAUNCHES_PER_APART: usize = 6;

/// A launch of a core: its kernel, and when it was.
pub(super) struct Launch {
    kernel: Kernel,
    start: i64,
    end: i64,
}

/// What was launched.
#[derive(PartialEq, Eq)]
enum Kernel {
    /// Its name, where commands are known.
    Named(Option<u32>),
    /// How many ids each engine counted: all that is known without commands.
    Lengths(Vec<u64>),
}

impl Launch {
    fn extend(&mut self, (start, end): (i64, i64)) {
        (self.start, self.end) = (self.start.min(start), self.end.max(end));
    }
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
            Some((_, launch)) => launch.extend((start, end)),
            None => all.push((scope, Launch { kernel: Kernel::Named(tag.kernel), start, end })),
        }
    }
    if all.is_empty() {
        return launches_by_ids(core);
    }
    all.sort_by_key(|(scope, _)| *scope);
    all.into_iter().map(|(_, launch)| launch).collect()
}

/// Without commands, ids that restart show the launches of an engine. Of engines with as many as the one with the most records, the
/// n-th of each are one launch: an engine alone may work at another time of it than on another core.
fn launches_by_ids(core: &Core<'_>) -> Vec<Launch> {
    let engines = core.tracks.iter().filter(|track| track.engine_id.engine != Engine::Cdma);
    let mut engines: Vec<&Events> = engines.map(|track| &track.events).collect();
    engines.sort_by_key(|events| Reverse(events.len()));
    let mut all: Vec<Launch> = Vec::new();
    for (nth, events) in engines.into_iter().enumerate() {
        let sections = sections_of(events);
        if nth == 0 {
            all.extend(sections.into_iter().map(|(span, (start, end))| Launch {
                kernel: Kernel::Lengths(vec![span]),
                start,
                end,
            }));
        } else if sections.len() == all.len() {
            for (launch, (span, window)) in all.iter_mut().zip(sections) {
                launch.extend(window);
                if let Kernel::Lengths(spans) = &mut launch.kernel {
                    spans.push(span);
                }
            }
        }
    }
    all
}

/// How many ids each section of an engine spans, and when it was.
fn sections_of(events: &Events) -> Vec<(u64, (i64, i64))> {
    let places: Vec<usize> = (0..events.len()).collect();
    let sections = sections::by_id(&places, |i| events.id.get(*i).unwrap_or(0));
    let window = |section: &Section| {
        let last = section.first + section.len.checked_sub(1)?;
        Some((section.span, (*events.start.get(section.first)?, *events.end.get(last)?)))
    };
    sections.iter().filter_map(window).collect()
}

/// The launches of the cores that have enough of them.
pub(super) fn of_cores(profile: &Profile<'_>) -> Vec<(u32, Vec<Launch>)> {
    let cores = profile.cores.iter().enumerate();
    let launched = cores.map(|(index, core)| (index as u32, launches(profile, core)));
    launched.filter(|(_, launches)| launches.len() >= FEWEST_LAUNCHES).collect()
}

/// Whether two cores launched the same kernels.
pub(super) fn are_same(a: &[Launch], b: &[Launch]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.kernel == b.kernel)
}

/// Cores that launch the same kernels do so at the same times.
pub(super) fn other_launches(dump: &Dump, cores: &[(u32, Vec<Launch>)]) -> Vec<Note> {
    let mut found = Vec::new();
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
        found.push(Note::about_file(Severity::Loss, path, message));
    }
    found
}
