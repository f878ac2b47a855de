//! Rounds: what several cores do side by side, launch by launch or from barrier to barrier.

use std::collections::BTreeMap;

use bigtpu_measure::{DumpModel, EngineTrack, Times};

use crate::barriers::Barriers;

/// A core's part of a round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Part {
    pub(super) core: u32,
    /// ns.
    pub(super) start: i64,
    /// ns.
    pub(super) end: i64,
    /// ns in which any of its engines worked.
    pub(super) work: i64,
    /// Events; from barrier to barrier those that work, because sends and waits lie at its edges.
    pub(super) events: u64,
}

/// What several cores do side by side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Round {
    /// Its kernel; `None` for the time from a barrier to the next one, or for the whole run.
    pub(super) kernel: Option<u32>,
    /// At least two, by core.
    pub(super) parts: Vec<Part>,
    /// Whether all cores ran the same: as many events, within 2 %, and as many bytes and operations, within 10 %.
    pub(super) is_same: bool,
}

/// Differences in work below this share need no look at bytes and operations.
const EQUAL: f64 = 0.06;
/// Bytes, and operations, that differ by no more than this share are the same.
const SAME_AMOUNT: f64 = 0.1;

impl Round {
    fn from_parts(kernel: Option<u32>, parts: Vec<Part>, model: &DumpModel<'_>) -> Self {
        let of_parts = |of: fn(&Part) -> f64| parts.iter().map(of).collect::<Vec<f64>>();
        let is_equal = is_within(&of_parts(|part| part.work as f64), EQUAL);
        // Equal numbers of commands may be of different shapes.
        let is_same = is_within(&of_parts(|part| part.events as f64), 0.02)
            && (is_equal || {
                let (bytes, operations): (Vec<f64>, Vec<f64>) =
                    parts.iter().map(|part| amounts(model, part)).unzip();
                is_within(&bytes, SAME_AMOUNT) && is_within(&operations, SAME_AMOUNT)
            });
        Self { kernel, parts, is_same }
    }

    /// Mean work in ns.
    pub(super) fn mean(&self) -> i64 {
        let sum: i64 = self.parts.iter().map(|part| part.work).sum();
        sum / (self.parts.len() as i64).max(1)
    }

    /// Work in ns of the middle core, of two the one with less.
    pub(super) fn middle(&self) -> i64 {
        let mut work: Vec<i64> = self.parts.iter().map(|part| part.work).collect();
        work.sort_unstable();
        work.get(work.len().saturating_sub(1) / 2).copied().unwrap_or(0)
    }

    /// The longest work in ns.
    pub(super) fn longest(&self) -> i64 {
        self.parts.iter().map(|part| part.work).max().unwrap_or(0)
    }
}

/// Whether values differ by no more than a share of the greatest.
fn is_within(values: &[f64], share: f64) -> bool {
    let most = values.iter().copied().fold(0.0, f64::max);
    values.iter().all(|value| most - value <= share * most)
}

/// Bytes and operations of a core's part.
fn amounts(model: &DumpModel<'_>, part: &Part) -> (f64, f64) {
    let of_track = |track: &EngineTrack<'_>| {
        let first = track.events.start.partition_point(|start| *start < part.start);
        let events = (first..track.len()).map_while(|index| model.event(track, index));
        let own = events.take_while(|event| event.start < part.end);
        own.filter(|event| event.kind.activity.is_work()).fold((0.0, 0.0), |sum, event| {
            (sum.0 + event.bytes() as f64, sum.1 + event.kind.work().alg_ops as f64)
        })
    };
    let tracks = model.core(part.core).map(of_track);
    tracks.fold((0.0, 0.0), |sum, own| (sum.0 + own.0, sum.1 + own.1))
}

/// The rounds of a run: of launches, if these hold most of the work, else from barrier to barrier; without barriers the whole run
/// is a round.
pub(super) fn rounds(model: &DumpModel<'_>, times: &Times, barriers: &Barriers) -> Vec<Round> {
    let launches = of_launches(model, times);
    let work = |rounds: &[Round]| -> i64 {
        rounds.iter().flat_map(|round| &round.parts).map(|part| part.work).sum()
    };
    let all: i64 = times.cores.iter().map(|time| time.work.total()).sum();
    if work(&launches) * 2 >= all { launches } else { between_barriers(model, times, barriers) }
}

/// The n-th launches of a kernel on each core, of kernels that all their cores launched equally often.
fn of_launches(model: &DumpModel<'_>, times: &Times) -> Vec<Round> {
    let mut kernels: BTreeMap<u32, BTreeMap<u32, Vec<(Part, bool)>>> = BTreeMap::new();
    for ((core, slices), time) in (0..).zip(model.core_launches).zip(&times.cores) {
        let mut work = time.work.coverage();
        for slice in slices {
            let (start, end) = (slice.start, slice.end);
            let work = work.covered(start, end);
            let part = Part { core, start, end, work, events: slice.events };
            let of_kernel = kernels.entry(slice.kernel).or_default();
            of_kernel.entry(core).or_default().push((part, slice.has_missing_commands));
        }
    }
    let mut rounds = Vec::new();
    for (kernel, cores) in kernels.into_iter().filter(|(_, cores)| cores.len() > 1) {
        let count = cores.values().map(Vec::len).max().unwrap_or(0);
        if cores.values().any(|launches| launches.len() != count) {
            continue;
        }
        for n in 0..count {
            let of_round: Vec<(Part, bool)> =
                cores.values().filter_map(|launches| launches.get(n).copied()).collect();
            if of_round.iter().all(|(_, lacks_commands)| !lacks_commands) {
                let parts = of_round.into_iter().map(|(part, _)| part).collect();
                rounds.push(Round::from_parts(Some(kernel), parts, model));
            }
        }
    }
    rounds
}

fn between_barriers(model: &DumpModel<'_>, times: &Times, barriers: &Barriers) -> Vec<Round> {
    let Some((first, last)) = model.window() else { return Vec::new() };
    let mut bounds = vec![first];
    bounds.extend(barriers.opened.iter().filter(|at| (first..last).contains(*at)));
    bounds.push(last);
    bounds.dedup();
    let cores: Vec<u32> = (0..)
        .zip(&times.cores)
        .filter_map(|(core, time)| (time.work.total() > 0).then_some(core))
        .collect();
    if cores.len() < 2 {
        return Vec::new();
    }
    let of_core = |core: u32| -> Vec<Part> {
        let Some(time) = times.cores.get(core as usize) else { return Vec::new() };
        let mut work = time.work.coverage();
        let of_track = |track: &'_ EngineTrack<'_>| -> Vec<i64> {
            let works = model.events(track).filter(|event| event.kind.activity.is_work());
            works.filter_map(|event| track.events.start.get(event.index).copied()).collect()
        };
        let mut starts: Vec<i64> = model.core(core).flat_map(of_track).collect();
        starts.sort_unstable();
        let started = |at: i64| starts.partition_point(|start| *start < at) as u64;
        let spans = bounds.windows(2).filter_map(|pair| Some((*pair.first()?, *pair.last()?)));
        let part = |(start, end): (i64, i64)| {
            // Where waits look like work, only what was before them is.
            let end = barriers.inferred.arrival(core, end).unwrap_or(end).max(start);
            let events = started(end).saturating_sub(started(start));
            Part { core, start, end, work: work.covered(start, end), events }
        };
        spans.map(part).collect()
    };
    let of_cores: Vec<Vec<Part>> = cores.into_iter().map(of_core).collect();
    (0..bounds.len() - 1)
        .map(|n| of_cores.iter().filter_map(|parts| parts.get(n).copied()).collect())
        .map(|parts| Round::from_parts(None, parts, model))
        .filter(|round| round.longest() > 0)
        .collect()
}
