//! The gaps of every engine one by one, compact: what the timeline and the trace draw, and the report names.

use bigtpu_measure::{DumpModel, Times};
use bigtpu_replay::{DependenceKind, Relief, Replay, WaitCause};
use bigtpu_timeline::EngineId;

use super::bubbles::Bubbles;
use super::by_start::ByStart;
use super::{Cause, CauseCost, chain};

/// The gaps of all engines.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GapTable {
    /// Gaps of each engine, in the order of the tracks; engines without commands are left out.
    pub engines: Vec<EngineGapRows>,
    /// Every cause of each engine, in the same order.
    pub causes: Vec<CauseCost>,
}

/// The gaps of an engine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EngineGapRows {
    /// The engine.
    pub engine_id: EngineId,
    /// ns in which it worked.
    pub busy_ns: i64,
    /// In time order: all, or the longest.
    pub rows: Vec<GapRow>,
    /// How many shorter ones are left out, and ns of all of them.
    pub rest: (u64, i64),
}

/// A time in which an engine did no work.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GapRow {
    /// ns.
    pub start: i64,
    /// ns.
    pub end: i64,
    /// ns of it in which the engine was in system commands.
    pub sync_ns: i64,
    /// ns of the rest in which another engine of the core worked.
    pub other_engine_ns: i64,
    /// ns of it in which no engine of the core worked.
    pub cost_ns: i64,
    /// What the engine and its core did most of the time.
    pub cause: Cause,
    /// Index of the work that ended before it.
    pub before: Option<u32>,
    /// Index of the work that started after it.
    pub after: Option<u32>,
    /// What the work after it waited for, nearest first.
    pub chain: Vec<ChainLink>,
    /// ns by which the run would be shorter without it: replayed. Of a gap between launches: without it on all engines that had it.
    /// `None` where that is not known.
    pub saved_ns: Option<i64>,
    /// Gaps of several engines between the same launches have the same number.
    pub between_launches: Option<u32>,
    /// Other engines of the core that worked in it, with the ns.
    pub elsewhere: Vec<(EngineId, i64)>,
}

/// A command that had to end before the one of the link before it could start, or could end if that is a wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChainLink {
    /// Its engine.
    pub engine_id: EngineId,
    /// Its index there.
    pub event: u32,
    /// Why it had to be waited for.
    pub kind: DependenceKind,
    /// ns from its end to the start of what waited for it; for a wait, to that one's end.
    pub lag_ns: i64,
    /// Whether it computes or moves data.
    pub is_work: bool,
    /// When it ended, in ns.
    pub end: i64,
}

impl GapRow {
    /// Length in ns.
    #[must_use]
    pub fn ns(&self) -> i64 {
        self.end - self.start
    }

    /// The command whose end ended the gap: the nearest work of the chain, or where it has none the last link, if it ended in the gap,
    /// or less than a hand-over before. `None` where that is not known.
    #[must_use]
    pub fn ended_by(&self, own: EngineId) -> Option<&ChainLink> {
        let nearest = self.chain.iter().find(|link| link.is_work).or(self.chain.last());
        // What the engine itself did before the gap did not end it.
        let before = if nearest?.engine_id == own { 0 } else { HAND_OVER_NS };
        nearest.filter(|link| link.end > self.start - before)
    }

    /// The command that the engine waited for longest: as [`GapRow::ended_by`], but of a gap that was a sync most of the time the work
    /// that the sync waited for. `None` where that is not known.
    #[must_use]
    pub fn waited_for(&self, own: EngineId) -> Option<&ChainLink> {
        self.ended_by(own).and_then(|_| self.chain.last())
    }
}

impl GapTable {
    /// Finds the gaps of a run. Also returns its times.
    pub(crate) fn find(model: &DumpModel<'_>) -> (Self, Times) {
        let (times, bubbles) = Times::with_pauses(model, Bubbles::maker(model));
        (Self::collect(model, &times, bubbles), times)
    }

    /// Builds the table from the bubbles of each track, which are in the model's order.
    pub(crate) fn collect(model: &DumpModel<'_>, times: &Times, bubbles: Vec<Bubbles>) -> Self {
        let mut table = Self::default();
        for ((number, track), mut bubbles) in model.tracks.iter().enumerate().zip(bubbles) {
            let kept = bubbles.finish();
            let Bubbles { costs, rest, .. } = bubbles;
            table.causes.extend(costs.into_causes(track));
            if kept.is_empty() {
                continue;
            }
            let order = ByStart::sort(track);
            let others = model.tracks.iter().zip(&times.tracks).enumerate();
            let others = others.filter(|(other, (of, time))| {
                let is_core = track.engine_id.engine != bigtpu_chip::Engine::Cdma
                    && of.engine_id.engine != bigtpu_chip::Engine::Cdma;
                *other != number
                    && is_core
                    && of.engine_id.index == track.engine_id.index
                    && !time.work.is_empty()
            });
            let mut others: Vec<_> =
                others.map(|(_, (of, time))| (of.engine_id, time.work.coverage())).collect();
            let rows = kept.into_iter().map(|bubble| {
                let (start, end) = (bubble.start, bubble.end);
                let (before, after) = order.edges(track, start, end);
                let index = |event: Option<usize>| event.and_then(|at| u32::try_from(at).ok());
                let worked = others.iter_mut().map(|(id, work)| (*id, work.covered(start, end)));
                GapRow {
                    start,
                    end,
                    sync_ns: bubble.sync_ns,
                    other_engine_ns: bubble.other_engine_ns,
                    cost_ns: bubble.cost_ns,
                    cause: bubble.cause,
                    before: index(before),
                    after: index(after),
                    chain: Vec::new(),
                    saved_ns: None,
                    between_launches: None,
                    elsewhere: worked.filter(|(_, ns)| *ns > 0).collect(),
                }
            });
            let rows = rows.collect();
            let busy_ns = times.tracks.get(number).map_or(0, |time| time.work.total());
            table.engines.push(EngineGapRows { engine_id: track.engine_id, busy_ns, rows, rest });
        }
        table
    }

    /// Adds what ended each gap. `cause`: what an event waited for.
    pub(crate) fn explain(
        &mut self,
        model: &DumpModel<'_>,
        cause: impl Fn(EngineId, usize) -> Option<WaitCause>,
    ) {
        for EngineGapRows { engine_id, rows, .. } in &mut self.engines {
            for row in rows {
                row.chain = chain::of_gap(model, &cause, *engine_id, row);
            }
        }
    }

    /// Adds what each gap costs the run: the run replayed as if all that the command after it needed had been there. A gap before a
    /// command that could have ended later costs nothing. A gap between launches is one gap of all engines that had it: without it on
    /// one of them the next launch would still wait for the others. Of a large run only the longest are replayed.
    pub(crate) fn replay_costs(&mut self, replay: &Replay) {
        let causes = replay.event_causes();
        let mut on_path: Vec<Vec<Place>> = Vec::new();
        for places in self.between_launches().into_iter().chain(self.single()) {
            let slacks = places.iter().map(|place| {
                let (id, row) = self.row(*place)?;
                // Nothing runs after the last one.
                let Some(after) = row.after else { return Some(i64::MAX) };
                causes.of_engine(id)?.slack_ns(after as usize)
            });
            let slacks: Vec<Option<i64>> = slacks.collect();
            if slacks.contains(&Some(0)) {
                on_path.push(places);
            } else if slacks.iter().all(Option::is_some) {
                places.iter().for_each(|place| self.cost_of(*place, 0));
            }
        }
        let key = |places: &Vec<Place>| {
            let first = places.iter().filter_map(|place| self.row(*place));
            first.map(|(id, row)| (-row.ns(), id, row.start)).min()
        };
        on_path.sort_by_cached_key(key);
        let events: usize = causes.event_count();
        on_path.truncate((MOST_STEPS / events.max(1)).clamp(LEAST_RUNS, MOST_RUNS));
        let reliefs: Vec<Relief> = on_path.iter().map(|places| self.relief(places)).collect();
        let walls = replay.walls_without_each(&reliefs);
        for (places, wall_ns) in on_path.into_iter().zip(walls) {
            let saved_ns = replay.measured_ns() - wall_ns;
            places.iter().for_each(|place| self.cost_of(*place, saved_ns));
        }
    }

    fn row(&self, (engine, at): Place) -> Option<(EngineId, &GapRow)> {
        let of_engine = self.engines.get(engine)?;
        Some((of_engine.engine_id, of_engine.rows.get(at)?))
    }

    /// Sets what a gap costs the run. More than its length is not this gap's: with the dependence another pause went.
    fn cost_of(&mut self, (engine, at): Place, saved_ns: i64) {
        let row = self.engines.get_mut(engine).and_then(|of| of.rows.get_mut(at));
        if let Some(row) = row {
            row.saved_ns = Some(saved_ns.clamp(0, row.ns()));
        }
    }

    /// The commands behind these gaps, and system commands in them, start when their engines are free. Before a launch all engines wait for
    /// it: also those whose gap is longer, or is their first, and so has another cause.
    fn relief(&self, places: &[Place]) -> Relief {
        let mut relief = Relief::default();
        let mut rows: Vec<(EngineId, &GapRow)> =
            places.iter().filter_map(|place| self.row(*place)).collect();
        if rows.iter().all(|(_, row)| row.cause == Cause::Launch) {
            let start = rows.iter().map(|(_, row)| row.start).max().unwrap_or(0);
            let end = rows.iter().map(|(_, row)| row.end).min().unwrap_or(0);
            let own: Vec<EngineId> = rows.iter().map(|(id, _)| *id).collect();
            let others = self.engines.iter().filter(|of| !own.contains(&of.engine_id));
            rows.extend(others.filter_map(|of| {
                let holds = |row: &&GapRow| row.start <= start && end <= row.end;
                Some((of.engine_id, of.rows.iter().find(holds)?))
            }));
        }
        for (id, row) in rows {
            if let Some(after) = row.after {
                let first = row.before.map_or(0, |before| before as usize + 1);
                relief.start_when_free(id, first.min(after as usize)..after as usize + 1);
            }
        }
        relief
    }

    /// Gaps between launches, numbered: those of several engines are one where they have most of the shorter one in common.
    fn between_launches(&mut self) -> Vec<Vec<Place>> {
        let mut all: Vec<(i64, i64, Place)> = Vec::new();
        for (engine, of) in self.engines.iter().enumerate() {
            let own = of.rows.iter().enumerate().filter(|(_, row)| row.cause == Cause::Launch);
            all.extend(own.map(|(at, row)| (row.start, row.end, (engine, at))));
        }
        all.sort_unstable();
        let mut groups: Vec<Vec<Place>> = Vec::new();
        // What all gaps of the last group have in common.
        let mut common = (0, 0);
        for (start, end, place) in all {
            let both = (start.max(common.0), end.min(common.1));
            let shorter = (end - start).min(common.1 - common.0);
            match groups.last_mut() {
                Some(last) if 2 * (both.1 - both.0) > shorter => {
                    last.push(place);
                    common = both;
                }
                _ => {
                    groups.push(vec![place]);
                    common = (start, end);
                }
            }
        }
        for (number, places) in (0..).zip(&groups) {
            for (engine, at) in places {
                let row = self.engines.get_mut(*engine).and_then(|of| of.rows.get_mut(*at));
                if let Some(row) = row {
                    row.between_launches = Some(number);
                }
            }
        }
        groups
    }

    /// The other gaps, one by one.
    fn single(&self) -> Vec<Vec<Place>> {
        let engines = self.engines.iter().enumerate();
        let places = engines.flat_map(|(engine, of)| {
            let rows = of.rows.iter().enumerate();
            let single = rows.filter(|(_, row)| row.cause != Cause::Launch);
            single.map(move |(at, _)| vec![(engine, at)])
        });
        places.collect()
    }
}

/// A gap of the table: index of the engine, and of the row.
type Place = (usize, usize);

/// Longest time in ns from the end of a command to the start of one on another engine that waited for it.
const HAND_OVER_NS: i64 = 200;

/// Runs in which gaps are replayed: at least, and at most; and events of all of them together.
const LEAST_RUNS: usize = 3;
const MOST_RUNS: usize = 96;
const MOST_STEPS: usize = 1_500_000;
