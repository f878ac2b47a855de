//! Launches: a kernel's commands start after those of the launch before, some time later.

use std::collections::BTreeMap;

use foldhash::{HashMap, HashMapExt};

use bigtpu_chip::Engine;

use crate::dependence::{DependenceKind, Node};
use crate::edges::EdgeList;
use crate::input::Input;

/// A launch's commands on one engine.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Run {
    pub(crate) core: u32,
    /// Number of the launch on its core.
    pub(crate) number: u32,
    pub(crate) kernel: Option<u32>,
    pub(crate) first: Node,
    pub(crate) last: Node,
    start: i64,
    end: i64,
}

/// The launches of a dump.
pub(crate) struct Launches {
    pub(crate) runs: Vec<Run>,
    pub(crate) edges: EdgeList,
    /// What each launch that another one waits for consists of.
    pub(crate) junctions: Vec<Vec<Node>>,
    /// Launches that start before the one before has ended.
    pub(crate) contradicted: u64,
    /// Dependences found, and of which kind.
    pub(crate) found: (DependenceKind, u64),
}

/// Launches that may overlap without the others being less of a group: 1 of 20.
const MOST_APART: u64 = 20;

impl Launches {
    /// `next` is the first free node number.
    pub(crate) fn of(input: &Input<'_>, next: Node) -> Self {
        let runs = runs(input);
        let mut by_number: BTreeMap<u32, Vec<Run>> = BTreeMap::new();
        for run in &runs {
            by_number.entry(run.number).or_default().push(*run);
        }
        let slack = 2 * input.tolerance;
        let cores = |runs: &[Run]| {
            let mut cores: Vec<u32> = runs.iter().map(|r| r.core).collect();
            cores.sort_unstable();
            cores.dedup();
            cores
        };
        let mut together = (0, 0);
        let mut several_cores = false;
        let mut before: Option<(i64, Vec<u32>)> = None;
        for launch in by_number.values() {
            let cores = cores(launch);
            several_cores |= cores.len() > 1;
            if let Some((end, _)) = &before {
                together.1 += 1;
                together.0 += u64::from(launch.iter().all(|r| r.start >= end - slack));
            }
            before = launch.iter().map(|r| r.end).max().map(|end| (end, cores));
        }
        let grouped = several_cores && (together.1 - together.0) * MOST_APART <= together.1;
        let kind = if grouped { DependenceKind::LaunchGroup } else { DependenceKind::Launch };
        let mut found = Self {
            runs: Vec::new(),
            edges: EdgeList::new(kind),
            junctions: Vec::new(),
            contradicted: 0,
            found: (kind, 0),
        };
        // Without groups each core's launches follow one another by themselves.
        let mut lines: BTreeMap<u32, Vec<Vec<Run>>> = BTreeMap::new();
        for launch in by_number.into_values() {
            if grouped {
                lines.entry(0).or_default().push(launch);
                continue;
            }
            for core in cores(&launch) {
                let own = launch.iter().filter(|r| r.core == core).copied().collect();
                lines.entry(core).or_default().push(own);
            }
        }
        for launches in lines.values() {
            for pair in launches.windows(2) {
                if let [before, after] = pair {
                    found.connect(before, after, slack, next);
                }
            }
        }
        found.runs = runs;
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
        let junction = next + self.junctions.len() as Node;
        self.junctions.push(before.iter().map(|r| r.last).collect());
        for run in after {
            let gap = started - ended;
            self.edges.push_launch(junction, run.first, gap);
            self.found.1 += 1;
        }
    }
}

/// The runs of all launches, by track and time.
fn runs(input: &Input<'_>) -> Vec<Run> {
    // Launches are numbered over the whole dump, core after core.
    let mut first_of: HashMap<u32, u32> = HashMap::new();
    let mut all: Vec<(u32, Run)> = Vec::new();
    let mut core_of: HashMap<u32, u32> = HashMap::new();
    for track in &input.tracks {
        let mut open: Option<(u64, usize)> = None;
        for i in 0..track.len() {
            let tag = Input::tag_number(track, i);
            if let Some((_, at)) = open.filter(|(known, _)| *known == tag) {
                if let Some((_, run)) = all.get_mut(at) {
                    run.last = track.node(i);
                    run.end = run.end.max(track.end(i));
                }
                continue;
            }
            open = None;
            let Some(scope) = input.scope(track, i) else { continue };
            if track.engine_id.engine != Engine::Cdma {
                core_of.insert(scope, track.engine_id.index);
                let first = first_of.entry(track.engine_id.index).or_insert(scope);
                *first = scope.min(*first);
            }
            // Batches of a launch have tags of their own.
            let known = all.last_mut().filter(|(s, r)| *s == scope && r.first >= track.first);
            if let Some((_, run)) = known {
                run.last = track.node(i);
                run.end = run.end.max(track.end(i));
            } else {
                let kernel = input.kernel(track, i);
                let (node, start, end) = (track.node(i), track.start[i], track.end(i));
                let (core, number) = (0, 0);
                all.push((
                    scope,
                    Run { core, number, kernel, first: node, last: node, start, end },
                ));
            }
            open = Some((tag, all.len() - 1));
        }
    }
    all.into_iter()
        .filter_map(|(scope, run)| {
            let core = *core_of.get(&scope)?;
            let number = scope - first_of.get(&core)?;
            Some(Run { core, number, ..run })
        })
        .collect()
}
