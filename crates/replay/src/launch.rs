//! Launches: a kernel's commands start after those of the launch before, some time later.

use foldhash::{HashMap, HashMapExt};

use bigtpu_chip::Engine;

use crate::dependence::{DependenceKind, Edge, Junction, Node};
use crate::input::Input;

/// A launch's commands on one engine.
#[derive(Debug, Clone, Copy)]
struct Run {
    core: u32,
    /// Number of the launch on its core.
    number: u32,
    kernel: Option<u32>,
    first: Node,
    last: Node,
    /// When the first command started, in ns from the first event.
    start: i64,
    /// When the last command to end had ended.
    end: i64,
    /// When the last command ended.
    last_end: i64,
}

/// A core's part of a launch, on all its engines.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CoreLaunch {
    /// Index of the kernel.
    pub(crate) kernel: Option<u32>,
    /// ns from the first start to the last end.
    pub(crate) measured: Span,
}

/// From the first start to the last end, in ns from the first event.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Span {
    start: i64,
    end: i64,
}

impl Span {
    /// The span of nothing yet.
    pub(crate) const EMPTY: Self = Self { start: i64::MAX, end: i64::MIN };

    pub(crate) fn add(&mut self, start: i64, end: i64) {
        (self.start, self.end) = (self.start.min(start), self.end.max(end));
    }

    pub(crate) fn ns(self) -> i64 {
        self.end - self.start
    }
}

/// What a core's engine did in a launch.
#[derive(Debug, Clone, Copy)]
pub(crate) struct EngineLaunch {
    /// Index of the core's part of the launch.
    pub(crate) of: u32,
    pub(crate) first: Node,
    pub(crate) last: Node,
}

/// The parts of all launches.
#[derive(Debug, Clone, Default)]
pub(crate) struct LaunchParts {
    pub(crate) of_cores: Vec<CoreLaunch>,
    /// What each engine did in each launch, in the order of first commands.
    pub(crate) of_engines: Vec<EngineLaunch>,
}

impl LaunchParts {
    fn compute(runs: &[Run]) -> Self {
        let mut numbers: HashMap<(u32, u32), u32> = HashMap::new();
        let mut parts = Self::default();
        parts.of_engines.reserve_exact(runs.len());
        for run in runs {
            let of = *numbers.entry((run.core, run.number)).or_insert_with(|| {
                parts.of_cores.push(CoreLaunch { kernel: None, measured: Span::EMPTY });
                parts.of_cores.len() as u32 - 1
            });
            if let Some(core) = parts.of_cores.get_mut(of as usize) {
                core.kernel = core.kernel.or(run.kernel);
                core.measured.add(run.start, run.last_end);
            }
            parts.of_engines.push(EngineLaunch { of, first: run.first, last: run.last });
        }
        parts
    }
}

/// The launches of a dump.
pub(crate) struct Launches {
    pub(crate) parts: LaunchParts,
    /// At most one for each run, by the run's first command.
    pub(crate) edges: Vec<LaunchEdge>,
    /// What each launch that another one waits for consists of.
    pub(crate) junctions: Vec<Junction>,
    /// Launches that start before the one before has ended.
    pub(crate) contradicted: u64,
    pub(crate) kind: DependenceKind,
}

/// A command waits for the launch before its own.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LaunchEdge {
    pub(crate) edge: Edge,
    /// ns from the end of the launch before to the start of the first command of all of the launch.
    pub(crate) gap: i64,
}

/// Launches that may overlap without the others being less of a group: 1 of 20.
const MOST_APART: u64 = 20;

impl Launches {
    /// Nodes from `next` on are those of the junctions.
    pub(crate) fn find(input: &Input<'_>, next: Node) -> Self {
        let runs = runs(input);
        let slack = 2 * input.tolerance;
        let parts = LaunchParts::compute(&runs);
        let mut launches = runs;
        launches.sort_by_key(|run| run.number);
        let kind = kind(&launches, slack);
        if kind == DependenceKind::Launch {
            // Each core's launches follow one another by themselves.
            launches.sort_by_key(|run| run.core);
        }
        let mut found =
            Self { parts, edges: Vec::new(), junctions: Vec::new(), contradicted: 0, kind };
        let line = |run: &Run| if kind == DependenceKind::Launch { run.core } else { 0 };
        let mut before: Option<&[Run]> = None;
        for launch in launches.chunk_by(|a, b| (line(a), a.number) == (line(b), b.number)) {
            let same_line = |before: &&[Run]| before.first().map(line) == launch.first().map(line);
            if let Some(before) = before.filter(same_line) {
                found.connect(before, launch, slack, next);
            }
            before = Some(launch);
        }
        found.edges.sort_unstable_by_key(|launch| launch.edge.to);
        found
    }

    fn connect(&mut self, before: &[Run], after: &[Run], slack: i64, next: Node) {
        let ended = before.iter().map(|r| r.end).max();
        let started = after.iter().map(|r| r.start).min();
        let (Some(ended), Some(started)) = (ended, started) else { return };
        if started < ended - slack {
            self.contradicted += 1;
            return;
        }
        let from = next + self.junctions.len() as Node;
        let junction = Junction::join(before.iter().map(|run| (run.last, run.last_end)));
        let (end, gap) = (junction.end, started - ended);
        self.junctions.push(junction);
        let edge = |run: &Run| Edge { from, to: run.first, ended: end };
        self.edges.extend(after.iter().map(|run| LaunchEdge { edge: edge(run), gap }));
    }
}

/// Whether launches of one number start on all cores after all those of the number before have ended.
fn kind(launches: &[Run], slack: i64) -> DependenceKind {
    let (mut together, mut all, mut several_cores) = (0, 0, false);
    let mut before: Option<i64> = None;
    for launch in launches.chunk_by(|a, b| a.number == b.number) {
        several_cores |= launch.iter().any(|run| Some(run.core) != launch.first().map(|r| r.core));
        if let Some(end) = before {
            all += 1;
            together += u64::from(launch.iter().all(|run| run.start >= end - slack));
        }
        before = launch.iter().map(|run| run.end).max();
    }
    let is_group = several_cores && (all - together) * MOST_APART <= all;
    if is_group { DependenceKind::LaunchGroup } else { DependenceKind::Launch }
}

/// What each engine did in each launch, by track and time.
fn runs(input: &Input<'_>) -> Vec<Run> {
    // Launches are numbered over the whole dump, core after core.
    let mut first_of: HashMap<u32, u32> = HashMap::new();
    let mut core_of: HashMap<u32, u32> = HashMap::new();
    let mut all: Vec<(u32, Run)> = Vec::new();
    for track in &input.tracks {
        for stretch in &track.stretches {
            let Some(scope) = stretch.scope else { continue };
            if track.engine_id.engine != Engine::Cdma {
                core_of.insert(scope, track.engine_id.index);
                let first = first_of.entry(track.engine_id.index).or_insert(scope);
                *first = scope.min(*first);
            }
            let (Some(first), Some(last)) =
                (stretch.events.clone().next(), stretch.events.clone().next_back())
            else {
                continue;
            };
            let last_end = track.end(last);
            let ends = track.times(stretch.events.clone()).map(|(_, end)| end);
            let end = ends.fold(last_end, i64::max);
            let last = track.node(last);
            // Batches of a launch have tags of their own.
            let known = all.last_mut().filter(|(s, r)| *s == scope && r.first >= track.first);
            if let Some((_, run)) = known {
                (run.last, run.last_end, run.end) = (last, last_end, run.end.max(end));
                continue;
            }
            let kernel = stretch.kernel;
            let (start, first) = (track.start(first), track.node(first));
            let (core, number) = (0, 0);
            all.push((scope, Run { core, number, kernel, first, last, start, end, last_end }));
        }
    }
    if all.is_empty() {
        return runs_between_starts(input);
    }
    all.into_iter()
        .filter_map(|(scope, run)| {
            let core = *core_of.get(&scope)?;
            let number = scope - first_of.get(&core)?;
            Some(Run { core, number, ..run })
        })
        .collect()
}

/// Returns the runs where no command names its launch: each from one common start of all cores to the next.
fn runs_between_starts(input: &Input<'_>) -> Vec<Run> {
    let starts = input.common_starts();
    let mut all = Vec::new();
    if starts.is_empty() {
        return all;
    }
    for track in input.tracks.iter().filter(|track| track.engine_id.engine != Engine::Cdma) {
        let bounds = starts.iter().map(|start| track.started_before(*start));
        let mut begin = 0;
        for (number, until) in (0..).zip(bounds.chain([track.len()])) {
            let events = begin..until;
            begin = until;
            let Some(last) = events.clone().next_back() else { continue };
            let end = track.times(events.clone()).fold(i64::MIN, |most, (_, end)| most.max(end));
            all.push(Run {
                core: track.engine_id.index,
                number,
                kernel: None,
                first: track.node(events.start),
                last: track.node(last),
                start: track.start(events.start),
                end,
                last_end: track.end(last),
            });
        }
    }
    all
}
