//! Bubbles: when an engine did no work, between what, and why (`docs/analysis.md`).

mod bubble;
mod bubbles;
mod by_start;
mod costliest;

use std::cmp::Reverse;
use std::collections::HashMap;

use bigtpu_measure::layers::Layers;
use bigtpu_measure::{Activity, EngineTrack, Model, Times};
use bigtpu_timeline::EngineId;
use foldhash::fast::RandomState;
use serde::{Deserialize, Serialize};

use crate::layer_path::{LayerOfEvent, layer_of};
use bubble::Bubble;
pub(crate) use bubbles::Bubbles;
use by_start::ByStart;

/// Why an engine did no work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Cause {
    /// Before its first command.
    Start,
    /// After its last command.
    End,
    /// Most of the time it was in system commands of its own.
    Sync,
    /// Most of the time another engine of its core worked.
    OtherEngine,
    /// Nothing on its core ran, and another kernel launch began after it.
    Launch,
    /// Nothing on its core ran.
    Idle,
}

impl Cause {
    const ALL: [Self; 6] =
        [Self::Start, Self::End, Self::Sync, Self::OtherEngine, Self::Launch, Self::Idle];

    /// Name as printed.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::End => "end",
            Self::Sync => "sync",
            Self::OtherEngine => "other engine",
            Self::Launch => "launch",
            Self::Idle => "idle",
        }
    }
}

/// A command at the edge of a bubble.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
pub struct Edge {
    /// Index of the event in its track: `Global Idx` of the register texts.
    pub event: u64,
    /// Function name.
    pub name: String,
    /// Kernel function; empty where it is not known.
    pub kernel: String,
    /// Layer of a static model, as [`bigtpu_measure::layers::Layer::label`] names it; none where it is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub layer: Option<String>,
    /// Its number in the model, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub layer_id: Option<u64>,
}

/// A time in which an engine did no work.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
pub struct Gap {
    /// Engine.
    pub engine: String,
    /// Core, or port for CDMA.
    pub index: u32,
    /// ns.
    pub start_ns: i64,
    /// ns.
    pub end_ns: i64,
    /// Of it: the engine was in system commands.
    pub sync_ns: i64,
    /// Of the rest: another engine of the core worked.
    pub other_engine_ns: i64,
    /// Of the rest: nothing on the core ran.
    pub idle_ns: i64,
    /// What it costs: ns of it in which no engine of the core worked.
    pub cost_ns: i64,
    /// Why.
    pub cause: Cause,
    /// What ended before it.
    pub before: Option<Edge>,
    /// What started after it.
    pub after: Option<Edge>,
    /// Where the send is that released the longest wait in it, if that is certain: engine and core.
    pub waited_for: Option<(String, u32)>,
    /// Other engines, with their cores, whose waits ended together with that of this one: a barrier is one bubble.
    #[serde(default)]
    pub with: Vec<(String, u32)>,
}

impl Gap {
    /// Length in ns.
    #[must_use]
    pub fn ns(&self) -> i64 {
        self.end_ns - self.start_ns
    }
}

/// What a cause costs an engine in all.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
pub struct CauseCost {
    /// Engine.
    pub engine: String,
    /// Core, or port for CDMA.
    pub index: u32,
    /// Why it did no work.
    pub cause: Cause,
    /// Bubbles.
    pub count: u64,
    /// ns of all of them.
    pub total_ns: i64,
    /// ns of the longest.
    pub max_ns: i64,
}

impl Gap {
    /// Names the layers of its edges.
    pub(crate) fn name_layers(&mut self, layers: &Layers, of_event: &LayerOfEvent) {
        let is_own = |id: &&EngineId| id.engine.name() == self.engine && id.index == self.index;
        let Some(&id) = of_event.keys().find(is_own) else { return };
        for edge in self.before.iter_mut().chain(&mut self.after) {
            let event = usize::try_from(edge.event).ok();
            let at = event.and_then(|event| layer_of(of_event, id, event));
            let layer = at.and_then(|at| Some((at, layers.layers.get(at as usize)?)));
            (edge.layer_id, edge.layer) = layer
                .map(|(at, layer)| (u64::from(at) + 1, layer.label(u64::from(at) + 1)))
                .unzip();
        }
    }
}

/// The bubbles of all engines that did any work.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
pub struct Gaps {
    /// The costliest of each engine in which no engine of the core worked for most of the time, start and end left out, from 0.1 % of
    /// the wall time on; by cost.
    pub longest: Vec<Gap>,
    /// Every cause of each engine, in the order of the tracks.
    pub causes: Vec<CauseCost>,
}

impl Gaps {
    /// Of the bubbles of each track, in the model's order.
    #[must_use]
    pub fn of(model: &Model<'_>, times: &Times, bubbles: Vec<Bubbles>) -> Self {
        let mut gaps = Self::default();
        let mut waits: HashMap<(EngineId, usize), usize, RandomState> = HashMap::default();
        // By bubble when its longest wait ended.
        let mut opened: Vec<Option<i64>> = Vec::new();
        for (track, Bubbles { costs, costliest }) in model.tracks.iter().zip(bubbles) {
            gaps.causes.extend(costs.of(track));
            if costliest.kept.is_empty() {
                continue;
            }
            let order = ByStart::of(track);
            let has_end_order = order.is_of_track() && track.events.end.is_sorted();
            for bubble in &costliest.kept {
                let wait = longest_wait(model, track, bubble, has_end_order);
                waits.extend(wait.map(|wait| ((track.engine_id, wait), gaps.longest.len())));
                opened.push(wait.and_then(|wait| track.events.end.get(wait)).copied());
                gaps.longest.push(bubble.gap(model, track, &order));
            }
        }
        // Of several sends that release a wait together it is the last that did.
        let mut released: HashMap<usize, i64, RandomState> = HashMap::default();
        for round in model.flows.rounds() {
            // Few waits are asked for.
            for number in round.waits().filter_map(|wait| waits.get(&wait).copied()) {
                for (place, event) in round.sends() {
                    let end = model.track(place).and_then(|track| track.events.end.get(event));
                    let end = end.copied().unwrap_or(i64::MIN);
                    let is_later = released.get(&number).is_none_or(|known| *known < end);
                    if let Some(gap) = gaps.longest.get_mut(number).filter(|_| is_later) {
                        gap.waited_for = Some((place.engine.name().to_owned(), place.index));
                        released.insert(number, end);
                    }
                }
            }
        }
        let wall_ns = times.window.1 - times.window.0;
        gaps.longest = ranked(gaps.longest.into_iter().zip(opened).collect(), wall_ns);
        gaps
    }
}

/// Bubbles below this part of the wall time are left out.
const LEAST_PART: i64 = 1000;
/// Waits that end within so many ns are of one barrier.
const TOGETHER_NS: i64 = 200;

/// The bubbles by cost; those whose waits ended together are one. With each bubble the end of its longest wait.
fn ranked(mut all: Vec<(Gap, Option<i64>)>, wall_ns: i64) -> Vec<Gap> {
    // Where other engines worked most of the time, what it costs is in their own bubbles.
    let is_own = |gap: &Gap| gap.cost_ns > 0 && gap.cost_ns * 2 >= gap.ns();
    all.retain(|(gap, _)| is_own(gap) && gap.cost_ns.saturating_mul(LEAST_PART) >= wall_ns);
    all.sort_by_key(|(gap, _)| (-gap.cost_ns, -gap.ns(), gap.start_ns));
    let mut found: Vec<(Gap, Option<i64>)> = Vec::new();
    for (gap, opened) in all {
        let is_together = |(_, other): &&mut (Gap, Option<i64>)| {
            let apart = other.zip(opened).map(|(other, own)| (other - own).abs());
            apart.is_some_and(|apart| apart <= TOGETHER_NS)
        };
        match found.iter_mut().find(is_together) {
            Some((barrier, _)) => barrier.with.push((gap.engine, gap.index)),
            None => found.push((gap, opened)),
        }
    }
    found.into_iter().map(|(gap, _)| gap).collect()
}

/// Index of the longest wait that ends within a bubble, of equal ones the first. `has_end_order`: the track's events start and end in
/// their order.
fn longest_wait(
    model: &Model<'_>,
    track: &EngineTrack<'_>,
    bubble: &Bubble,
    has_end_order: bool,
) -> Option<usize> {
    let past = |moments: &[i64]| moments.partition_point(|moment| *moment <= bubble.start);
    // An event that ends before it starts counts as one without a length.
    let first = has_end_order.then(|| past(&track.events.end).min(past(&track.events.start)));
    (first.unwrap_or(0)..track.len())
        .map_while(|index| model.event(track, index))
        .take_while(|event| !has_end_order || event.end <= bubble.end)
        .filter(|event| bubble.start < event.end && event.end <= bubble.end)
        .filter(|event| event.kind.activity == Activity::Wait)
        .max_by_key(|wait| (wait.ns(), Reverse(wait.index)))
        .map(|wait| wait.index)
}

#[cfg(test)]
mod tests {
    use super::*;
    use bigtpu_chip::Engine;
    use bigtpu_measure::planted::Planted;

    fn gaps(model: &Model<'_>, most: usize) -> Gaps {
        let (times, _, bubbles) = Times::with_cells(model, || Bubbles::keeping(most));
        Gaps::of(model, &times, bubbles)
    }

    #[test]
    fn a_planted_bubble_is_found_with_its_cause_and_partner() {
        let mut planted = Planted::default();
        planted.kernel(0, "first", 0, 100);
        planted.work(0, Engine::Tiu, 10, 40);
        let wait = planted.wait(0, Engine::Tiu, 45, 90);
        planted.kernel(0, "second", 90, 400);
        planted.work(0, Engine::Tiu, 95, 100);
        planted.load(0, 100, 170, 1);
        planted.work(0, Engine::Tiu, 200, 210);
        planted.kernel(0, "third", 300, 400);
        planted.work(0, Engine::Tiu, 300, 400);
        let send = planted.send(1, Engine::Gdma, 88, 89);
        planted.work(1, Engine::Gdma, 0, 88);
        planted.flow((1, Engine::Gdma, send), (0, Engine::Tiu, wait));
        let model = planted.model();
        let gaps = gaps(&model, 10);
        let tiu: Vec<_> = gaps.longest.iter().filter(|g| g.engine == "TIU").collect();
        let summary: Vec<_> = tiu
            .iter()
            .map(|g| (g.start_ns, g.end_ns, g.cause, [g.sync_ns, g.other_engine_ns, g.idle_ns]))
            .collect();
        assert_eq!(
            summary,
            [(210, 300, Cause::Launch, [0, 0, 90]), (40, 95, Cause::Sync, [45, 0, 10]),]
        );
        assert_eq!(tiu[1].waited_for, Some(("GDMA".into(), 1)));
        let edges = (tiu[0].before.as_ref().unwrap(), tiu[0].after.as_ref().unwrap());
        assert_eq!((edges.0.kernel.as_str(), edges.1.kernel.as_str()), ("second", "third"));
        assert_eq!((edges.0.event, edges.1.event), (3, 4));
    }

    /// Engines that wait for one barrier are one bubble; what costs less than 0.1 % of the run is left out.
    #[test]
    fn a_barrier_is_one_bubble() {
        let mut planted = Planted::default();
        for core in 0..2 {
            planted.work(core, Engine::Tiu, 0, 10_000 + 100 * i64::from(core));
            planted.wait(core, Engine::Tiu, 10_100, 12_000 + i64::from(core));
            planted.work(core, Engine::Tiu, 12_010, 20_000);
            planted.work(core, Engine::Tiu, 20_005, 30_000);
        }
        let model = planted.model();
        let gaps = gaps(&model, 5);
        let [barrier] = &gaps.longest[..] else { panic!("{:?}", gaps.longest) };
        assert_eq!((barrier.index, barrier.cost_ns), (0, 2010));
        assert_eq!(barrier.with, [("TIU".to_owned(), 1)]);
    }

    /// Equal bubbles of two cores. What a rarely used engine costs is in the bubbles of the engines that worked most of the time.
    #[test]
    fn bubbles_rank_by_what_they_cost() {
        let mut planted = Planted::default();
        for core in 0..2 {
            planted.work(core, Engine::Sdma, 0, 10);
            planted.work(core, Engine::Sdma, 980, 1000);
            // All engines of the core are idle for 100 ns.
            planted.work(core, Engine::Tiu, 0, 400);
            planted.work(core, Engine::Tiu, 500, 1000);
        }
        let model = planted.model();
        let gaps = gaps(&model, 5);
        let found: Vec<_> =
            gaps.longest.iter().map(|g| (g.engine.as_str(), g.index, g.ns(), g.cost_ns)).collect();
        assert_eq!(found, [("TIU", 0, 100, 100), ("TIU", 1, 100, 100)]);
        let causes: Vec<Cause> = gaps.longest.iter().map(|g| g.cause).collect();
        assert_eq!(causes, [Cause::Idle, Cause::Idle]);
    }

    #[test]
    fn causes_and_work_fill_the_window() {
        let mut planted = Planted::default();
        for (start, end) in [(5, 9), (7, 20), (30, 30), (40, 41), (60, 61)] {
            planted.work(0, Engine::Sdma, start, end);
        }
        planted.work(1, Engine::Tiu, 0, 100);
        let model = planted.model();
        let gaps = gaps(&model, 1);
        let sdma: Vec<_> = gaps.causes.iter().filter(|c| c.engine == "SDMA").collect();
        let causes: Vec<_> =
            sdma.iter().map(|c| (c.cause, c.count, c.total_ns, c.max_ns)).collect();
        assert_eq!(
            causes,
            [(Cause::Start, 1, 5, 5), (Cause::End, 1, 39, 39), (Cause::Idle, 2, 39, 20)]
        );
        assert_eq!(gaps.longest.len(), 1);
        assert_eq!(
            (gaps.longest[0].start_ns, gaps.longest[0].before.as_ref().unwrap().event),
            (20, 1)
        );
    }
}
