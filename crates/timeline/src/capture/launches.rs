//! Launches of a core at other times than the same launches of another core.

use std::cmp::Reverse;

use bigtpu_chip::Engine;
use bigtpu_messages::{Arg, message};

use super::{Span, path_of, widened};
use crate::dump::Dump;
use crate::events::Events;
use crate::note::{Note, Severity};
use crate::profile::{Core, EngineEvents, Profile};
use crate::sections::{self, Section};

/// Launches that two cores must have in common before their times are compared.
const FEWEST_LAUNCHES: usize = 6;
/// One in this many launches may be at another time: cores that do not wait for each other drift apart.
const LAUNCHES_PER_APART: usize = 6;

/// A launch of a core: its kernel, and when it was.
pub(super) struct Launch {
    kernel: Kernel,
    /// As the clocks of the engines say; and with the engines put together, if their clocks seem to be apart.
    spans: [Span; 2],
}

#[cfg(test)]
impl Launch {
    /// Launches of the kernels with these numbers, one after the other.
    pub(super) fn of_kernels(kernels: &[u32]) -> Vec<Self> {
        let launch = |(kernel, at): (&u32, i64)| {
            let kernel = Kernel::Named(Some(*kernel));
            Self { kernel, spans: [(10 * at, 10 * at + 9); 2] }
        };
        kernels.iter().zip(0..).map(launch).collect()
    }
}

/// What was launched.
#[derive(PartialEq, Eq)]
enum Kernel {
    /// Its name, where commands are known.
    Named(Option<u32>),
    /// How many ids each engine counted: all that is known without commands.
    Lengths(Vec<u64>),
}

/// When the TIU worked for a launch, and when the other engines did.
type Sides = [Option<Span>; 2];

/// A launch's time from both of its sides.
fn joined(sides: &Sides) -> Option<Span> {
    sides.iter().flatten().fold(None, |span, side| Some(widened(span, *side)))
}

/// Puts the sides of a core's launches together where the clocks of TIU and DMA were not: if they did not work at the same time in more
/// than half of the launches, their counters did not start together, whatever the chip does as a rule.
fn put_sides_together(launches: &mut [Sides]) {
    let both = || launches.iter().filter_map(|[tiu, dma]| Some(((*tiu)?, (*dma)?)));
    let apart = both().filter(|(tiu, dma)| tiu.0 > dma.1 || dma.0 > tiu.1).count();
    if apart * 2 <= both().count() {
        return;
    }
    let middle = |(start, end): Span| start + (end - start) / 2;
    let shift = median(both().map(|(tiu, dma)| middle(tiu) - middle(dma)).collect());
    for (start, end) in launches.iter_mut().filter_map(|[_, dma]| dma.as_mut()) {
        (*start, *end) = (*start + shift, *end + shift);
    }
}

fn median(mut all: Vec<i64>) -> i64 {
    all.sort_unstable();
    all.get(all.len() / 2).copied().unwrap_or(0)
}

/// The launches of a core in their order.
fn launches(profile: &Profile<'_>, core: &Core<'_>) -> Vec<Launch> {
    let first = core.tags.start as usize;
    let tags = profile.tags.get(first..core.tags.end as usize).unwrap_or_default();
    let mut windows: Vec<Sides> = vec![Sides::default(); tags.len()];
    for track in core.tracks.iter().filter(|track| track.engine_id.engine != Engine::Cdma) {
        let (events, side) = (&track.events, side_of(track.engine_id.engine));
        for ((tag, start), end) in events.tag.iter().zip(&events.start).zip(&events.end) {
            let window = windows.get_mut((*tag as usize).wrapping_sub(first));
            if let Some(window) = window.and_then(|sides| sides.get_mut(side)) {
                *window = Some(widened(*window, (*start, *end)));
            }
        }
    }
    let mut all: Vec<(u32, Kernel, Sides)> = Vec::new();
    for (tag, window) in tags.iter().zip(windows) {
        let (Some(scope), Some(_)) = (tag.scope, joined(&window)) else { continue };
        match all.iter_mut().rfind(|(known, ..)| *known == scope) {
            Some((.., sides)) => widen_sides(sides, &window),
            None => all.push((scope, Kernel::Named(tag.kernel), window)),
        }
    }
    if all.is_empty() {
        return launches_by_ids(core);
    }
    all.sort_by_key(|(scope, ..)| *scope);
    whole_launches(all.into_iter().map(|(_, kernel, sides)| (kernel, sides)).unzip())
}

/// Which of a launch's sides an engine is.
fn side_of(engine: Engine) -> usize {
    usize::from(engine != Engine::Tiu)
}

fn widen_sides(sides: &mut Sides, others: &Sides) {
    for (side, other) in sides.iter_mut().zip(others) {
        if let Some(other) = other {
            *side = Some(widened(*side, *other));
        }
    }
}

fn whole_launches((kernels, sides): (Vec<Kernel>, Vec<Sides>)) -> Vec<Launch> {
    let mut together = sides.clone();
    put_sides_together(&mut together);
    let launch = |(kernel, (sides, together))| {
        Some(Launch { kernel, spans: [joined(sides)?, joined(together)?] })
    };
    kernels.into_iter().zip(sides.iter().zip(&together)).filter_map(launch).collect()
}

/// Without commands, ids that restart show the launches of an engine. Of engines with as many as the one with the most records, the
/// n-th of each are one launch: an engine alone may work at another time of it than on another core.
fn launches_by_ids(core: &Core<'_>) -> Vec<Launch> {
    let engines = core.tracks.iter().filter(|track| track.engine_id.engine != Engine::Cdma);
    let mut engines: Vec<&EngineEvents<'_>> = engines.collect();
    engines.sort_by_key(|track| Reverse(track.events.len()));
    let mut kernels: Vec<Vec<u64>> = Vec::new();
    let mut all: Vec<Sides> = Vec::new();
    for (nth, track) in engines.into_iter().enumerate() {
        let sections = sections_of(&track.events);
        if nth == 0 {
            kernels.resize_with(sections.len(), Vec::new);
            all.resize_with(sections.len(), Sides::default);
        }
        if sections.len() != all.len() {
            continue;
        }
        for ((kernel, sides), (span, window)) in kernels.iter_mut().zip(&mut all).zip(sections) {
            kernel.push(span);
            let mut own = Sides::default();
            own.get_mut(side_of(track.engine_id.engine))
                .into_iter()
                .for_each(|side| *side = Some(window));
            widen_sides(sides, &own);
        }
    }
    whole_launches((kernels.into_iter().map(Kernel::Lengths).collect(), all))
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

/// How many launches of two cores are of other kernels, if both launched as many of the same named kernels.
pub(super) fn count_elsewhere(a: &[Launch], b: &[Launch]) -> Option<usize> {
    let is_in = |launch: &Launch, others: &[Launch]| {
        let is_named = matches!(launch.kernel, Kernel::Named(Some(_)));
        is_named && others.iter().any(|other| other.kernel == launch.kernel)
    };
    let have_same = a.len() == b.len()
        && a.iter().all(|launch| is_in(launch, b))
        && b.iter().all(|launch| is_in(launch, a));
    have_same.then(|| a.iter().zip(b).filter(|(a, b)| a.kernel != b.kernel).count())
}

/// How many launches of two cores are at different times. `by_last`: cores are aligned by the last record of their TIUs, which each has
/// somewhere in its last launch.
fn count_apart(a: &[Launch], b: &[Launch], by_last: bool) -> usize {
    // Where the engines of a core are apart, the last record of its TIU says little of the others.
    let is_moved = a.iter().chain(b).any(|launch| launch.spans[0] != launch.spans[1]);
    let with_spans = |at: usize| {
        let spans = |launches: &[Launch]| -> Vec<Span> {
            launches.iter().filter_map(|launch| launch.spans.get(at).copied()).collect()
        };
        let (a, b) = (spans(a), spans(b));
        let length = |spans: &[Span]| spans.last().map_or(0, |(start, end)| end - start);
        let most = if by_last && is_moved { length(&a).max(length(&b)) } else { 0 };
        let late = median(a.iter().zip(&b).map(|(a, b)| a.0 - b.0).collect()).clamp(-most, most);
        let is_apart = |(a, b): &(&Span, &Span)| a.0 > b.1 + late || b.0 + late > a.1;
        a.iter().zip(&b).filter(is_apart).count()
    };
    with_spans(0).min(with_spans(1))
}

/// Cores that launch the same kernels do so at the same times.
pub(super) fn other_launches(dump: &Dump, cores: &[(u32, Vec<Launch>)]) -> Vec<Note> {
    let mut found = Vec::new();
    let by_last = dump.chip.preamble == 0 && !dump.chip.align_on_second;
    let apart = |a: &[Launch], b: &[Launch]| count_apart(a, b, by_last);
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
