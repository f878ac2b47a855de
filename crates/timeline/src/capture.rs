//! Whether the files of a dump are of one capture: what cores and ports did must fit together.

use std::path::Path;

use bigtpu_chip::Engine;
use bigtpu_messages::{Arg, message};

use crate::dump::Dump;
use crate::ledger::{Note, Severity};
use crate::profile::{Core, Profile, Track};
use crate::source::CORE_ENGINES;

/// Fewer records with equal times may be chance.
const FEWEST_EQUAL: usize = 8;
/// Launches that two cores must have in common before their times are compared.
const FEWEST_LAUNCHES: usize = 6;
/// Of so many launches one may be at another time: cores that do not wait for each other drift apart.
const LAUNCHES_PER_APART: usize = 6;

/// What says that files are of other captures, or were copied over each other; losses.
pub(crate) fn contradictions(dump: &Dump, profile: &Profile<'_>) -> Vec<Note> {
    let mut found = Vec::new();
    copies(dump, profile, &mut found);
    if !profile.is_static {
        other_launches(dump, profile, &mut found);
    }
    found
}

fn path_of(dump: &Dump, index: u32, is_port: bool) -> Option<&Path> {
    let files = if is_port { &dump.ports } else { &dump.cores };
    files.iter().find(|file| file.index == index).map(|file| file.path.as_path())
}

fn name_of(path: Option<&Path>) -> String {
    let name = path.and_then(Path::file_name);
    name.map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

/// No two engines of one kind work at the same times to the cycle.
fn copies(dump: &Dump, profile: &Profile<'_>, found: &mut Vec<Note>) {
    let is_equal = |a: &Track<'_>, b: &Track<'_>| {
        // Times are compared from the first record on: cores are shifted against each other.
        let (a, b) = (&a.events, &b.events);
        let Some((from_a, from_b)) = a.start.first().zip(b.start.first()) else { return false };
        let times = |of: &crate::Events, from: i64, i: usize| {
            Some((of.start.get(i)? - from, of.end.get(i)? - from))
        };
        a.len() == b.len()
            && a.len() >= FEWEST_EQUAL
            && (0..a.len()).all(|i| times(a, *from_a, i) == times(b, *from_b, i))
    };
    let mut tell = |a: u32, b: u32, is_port: bool| {
        let (first, second) = (path_of(dump, a, is_port), path_of(dump, b, is_port));
        if let Some(second) = second {
            let message = message!("note-same-records", other = name_of(first));
            found.push(Note::of(Severity::Loss, second, message));
        }
    };
    let same_core = |a: &Core<'_>, b: &Core<'_>| {
        CORE_ENGINES.iter().zip(a.tracks.iter().zip(&b.tracks)).any(|(_, (a, b))| is_equal(a, b))
    };
    for (b, core) in profile.cores.iter().enumerate() {
        let before = profile.cores.iter().take(b);
        if let Some(a) = before.into_iter().position(|other| same_core(other, core)) {
            tell(a as u32, b as u32, false);
        }
    }
    for (b, port) in profile.ports.iter().enumerate() {
        let same = profile.ports.iter().take(b).find(|other| is_equal(other, port));
        if let Some(same) = same {
            tell(same.engine_id.index, port.engine_id.index, true);
        }
    }
}

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
    all.sort_by_key(|(scope, _)| *scope);
    all.into_iter().map(|(_, launch)| launch).collect()
}

/// Cores that launch the same kernels do so at the same times.
fn other_launches(dump: &Dump, profile: &Profile<'_>, found: &mut Vec<Note>) {
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
}
