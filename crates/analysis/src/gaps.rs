//! Bubbles: when an engine did no work, between what, and why (`docs/analysis.md`).

use std::collections::{BTreeMap, HashMap};

use bigtpu_chip::Engine;
use bigtpu_timeline::Place;
use serde::{Deserialize, Serialize};

use crate::activity::Activity;
use crate::facts::{EngineTrack, Event, Model};
use crate::intervals::Times;
use crate::spans::Spans;

/// Why an engine did no work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
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
pub struct Edge {
    /// Index of the event in its track: `Global Idx` of the register texts.
    pub event: u64,
    /// Function name.
    pub name: String,
    /// Kernel function; empty where it is not known.
    pub kernel: String,
}

/// A time in which an engine did no work.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
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
    /// Why.
    pub cause: Cause,
    /// What ended before it.
    pub before: Option<Edge>,
    /// What started after it.
    pub after: Option<Edge>,
    /// Where the send stands that released the longest wait in it, if that is certain: engine and core.
    pub waited_for: Option<(String, u32)>,
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

/// The bubbles of all engines that did any work.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gaps {
    /// The longest of each engine, start and end left out; over all the longest first.
    pub longest: Vec<Gap>,
    /// Every cause of each engine, in the order of the tracks.
    pub causes: Vec<CauseCost>,
}

impl Gaps {
    /// Finds all bubbles and keeps the `most` longest of each engine.
    #[must_use]
    pub fn of(model: &Model<'_>, times: &Times, most: usize) -> Self {
        let released: HashMap<(Place, usize), (Place, usize)> =
            model.flows.iter().map(|flow| (flow.wait, flow.send)).collect();
        let mut gaps = Self::default();
        for track in &model.tracks {
            let mut of_track = track_gaps(model, times, track, &released);
            let mut costs: BTreeMap<Cause, CauseCost> = BTreeMap::new();
            for gap in &of_track {
                let cost = costs.entry(gap.cause).or_insert_with(|| CauseCost {
                    engine: gap.engine.clone(),
                    index: gap.index,
                    cause: gap.cause,
                    count: 0,
                    total_ns: 0,
                    max_ns: 0,
                });
                cost.count += 1;
                cost.total_ns += gap.ns();
                cost.max_ns = cost.max_ns.max(gap.ns());
            }
            gaps.causes.extend(costs.into_values());
            of_track.retain(|g| !matches!(g.cause, Cause::Start | Cause::End));
            of_track.sort_by_key(|g| (-g.ns(), g.start_ns));
            of_track.truncate(most);
            gaps.longest.extend(of_track);
        }
        gaps.longest.sort_by_key(|g| -g.ns());
        gaps
    }
}

/// A track's bubbles in order; none for a track that did no work.
fn track_gaps(
    model: &Model<'_>,
    times: &Times,
    track: &EngineTrack<'_>,
    released: &HashMap<(Place, usize), (Place, usize)>,
) -> Vec<Gap> {
    let (window_start, window_end) = times.window;
    let mut work: Vec<Event<'_>> =
        model.events(track).filter(|e| e.class.activity.is_work()).collect();
    if work.is_empty() {
        return Vec::new();
    }
    work.sort_by_key(|e| (e.start, e.index));
    let (own_work, own_sync) = model.work_and_sync(track);
    let others = other_work(model, track).without(&own_sync);
    let mut waits: Vec<Event<'_>> =
        model.events(track).filter(|e| e.class.activity == Activity::Wait).collect();
    waits.sort_by_key(|e| e.end);
    let gap = |start: i64, end: i64, before: Option<&Event<'_>>, after: Option<&Event<'_>>| {
        let sync_ns = own_sync.covered(start, end);
        let other_engine_ns = others.covered(start, end);
        let idle_ns = end - start - sync_ns - other_engine_ns;
        let edge = |event: &Event<'_>| edge(model, event);
        let launched = before.zip(after).is_some_and(|(b, a)| begins_launch(model, b, a));
        let cause = match (before, after) {
            (None, _) => Cause::Start,
            (_, None) => Cause::End,
            _ if sync_ns >= other_engine_ns.max(idle_ns) => Cause::Sync,
            _ if other_engine_ns >= idle_ns => Cause::OtherEngine,
            _ if launched => Cause::Launch,
            _ => Cause::Idle,
        };
        let send = longest_wait(&waits, start, end).and_then(|w| released.get(&(track.place, w)));
        Gap {
            engine: track.place.engine.name().to_owned(),
            index: track.place.index,
            start_ns: start,
            end_ns: end,
            sync_ns,
            other_engine_ns,
            idle_ns,
            cause,
            before: before.map(edge),
            after: after.map(edge),
            waited_for: send.map(|(place, _)| (place.engine.name().to_owned(), place.index)),
        }
    };
    let spans = own_work.spans();
    let mut gaps = Vec::with_capacity(spans.len() + 1);
    let mut next = 0;
    let mut last: Option<&Event<'_>> = None;
    let mut until = window_start;
    for &(start, end) in spans {
        // Events of no length may stand in a bubble: they are its edge neither way.
        let after =
            work.get(next..).unwrap_or_default().iter().find(|e| e.start == start && e.ns() > 0);
        if start > until {
            gaps.push(gap(until, start, last, after));
        }
        while let Some(event) = work.get(next).filter(|e| e.start < end) {
            let is_later =
                event.ns() > 0 && event.start >= start && last.is_none_or(|l| event.end >= l.end);
            if is_later {
                last = Some(event);
            }
            next += 1;
        }
        until = end;
    }
    if window_end > until {
        gaps.push(gap(until, window_end, last, None));
    }
    gaps
}

/// When the other engines of a track's core worked; a port has none.
fn other_work(model: &Model<'_>, track: &EngineTrack<'_>) -> Spans {
    if track.place.engine == Engine::Cdma {
        return Spans::default();
    }
    let others = model.core(track.place.index).filter(|t| t.place != track.place);
    others.fold(Spans::default(), |all, other| all.with(&model.work_and_sync(other).0))
}

fn edge(model: &Model<'_>, event: &Event<'_>) -> Edge {
    let kernel = model.tag(event.tag).kernel;
    Edge {
        event: event.index as u64,
        name: event.class.function_name.clone(),
        kernel: kernel.map_or("", |k| model.kernel_name(k)).to_owned(),
    }
}

/// Whether a kernel launch begins between two commands.
fn begins_launch(model: &Model<'_>, before: &Event<'_>, after: &Event<'_>) -> bool {
    let (a, b) = (model.tag(before.tag), model.tag(after.tag));
    (a.kernel, a.scope, a.batch) != (b.kernel, b.scope, b.batch) && b.kernel.is_some()
}

/// Index of the longest wait that ends within a bubble.
fn longest_wait(waits: &[Event<'_>], start: i64, end: i64) -> Option<usize> {
    let first = waits.partition_point(|w| w.end <= start);
    let within = waits.get(first..)?.iter().take_while(|w| w.end <= end);
    within.max_by_key(|w| (w.ns(), std::cmp::Reverse(w.index))).map(|w| w.index)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::planted::Planted;

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
        let gaps = Gaps::of(&model, &Times::of(&model), 10);
        let tiu: Vec<_> = gaps.longest.iter().filter(|g| g.engine == "TIU").collect();
        let summary: Vec<_> = tiu
            .iter()
            .map(|g| (g.start_ns, g.end_ns, g.cause, [g.sync_ns, g.other_engine_ns, g.idle_ns]))
            .collect();
        assert_eq!(
            summary,
            [
                (100, 200, Cause::OtherEngine, [0, 70, 30]),
                (210, 300, Cause::Launch, [0, 0, 90]),
                (40, 95, Cause::Sync, [45, 0, 10]),
            ]
        );
        assert_eq!(tiu[2].waited_for, Some(("GDMA".into(), 1)));
        let edges = (tiu[1].before.as_ref().unwrap(), tiu[1].after.as_ref().unwrap());
        assert_eq!((edges.0.kernel.as_str(), edges.1.kernel.as_str()), ("second", "third"));
        assert_eq!((edges.0.event, edges.1.event), (3, 4));
    }

    #[test]
    fn causes_and_work_fill_the_window() {
        let mut planted = Planted::default();
        for (start, end) in [(5, 9), (7, 20), (30, 30), (40, 41), (60, 61)] {
            planted.work(0, Engine::Sdma, start, end);
        }
        planted.work(1, Engine::Tiu, 0, 100);
        let model = planted.model();
        let gaps = Gaps::of(&model, &Times::of(&model), 1);
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
