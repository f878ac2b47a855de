//! Bubbles: when an engine did no work, between what, and why (`docs/analysis.md`).

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

use bigtpu_chip::Engine;
use bigtpu_timeline::{EngineId, Tag};
use foldhash::fast::RandomState;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use bigtpu_measure::Activity;
use bigtpu_measure::EngineTrack;
use bigtpu_measure::Spans;
use bigtpu_measure::Times;
use bigtpu_measure::{Event, Model};

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
    /// The costliest of each engine, start and end left out. Over all those come first in which the engine would have
    /// worked most: the cost times the share of the wall time in which the engine works at all.
    pub longest: Vec<Gap>,
    /// Every cause of each engine, in the order of the tracks.
    pub causes: Vec<CauseCost>,
}

impl Gaps {
    /// Finds all bubbles and keeps the `most` costliest of each engine.
    #[must_use]
    pub fn of(model: &Model<'_>, times: &Times, most: usize) -> Self {
        let tracks = model.tracks.par_iter().enumerate();
        let of_tracks: Vec<(Vec<CauseCost>, Vec<CompactGap>)> = tracks
            .map(|(number, track)| {
                let mut bubbles = track_bubbles(model, times, number, track);
                let costs = costs(track, &bubbles);
                keep_costliest(&mut bubbles, most);
                (costs, bubbles)
            })
            .collect();
        let mut gaps = Self::default();
        let mut waits: HashMap<(EngineId, usize), usize, RandomState> = HashMap::default();
        let mut busy: HashMap<(&str, u32), i64> = HashMap::new();
        for ((track, time), (causes, bubbles)) in
            model.tracks.iter().zip(&times.tracks).zip(of_tracks)
        {
            busy.insert((track.engine_id.engine.name(), track.engine_id.index), time.work.total());
            gaps.causes.extend(causes);
            for (bubble, wait) in bubbles.iter().zip(longest_waits(model, track, &bubbles)) {
                waits.extend(wait.map(|wait| ((track.engine_id, wait), gaps.longest.len())));
                gaps.longest.push(bubble.gap(model, track));
            }
        }
        // Of several sends that release a wait together it is the last that did.
        let mut released: HashMap<usize, i64, RandomState> = HashMap::default();
        for flow in model.flows {
            let Some(&number) = waits.get(&flow.wait) else { continue };
            let (place, event) = flow.send;
            let track = model.tracks.iter().find(|track| track.engine_id == place);
            let end =
                track.and_then(|track| track.events.end.get(event)).copied().unwrap_or(i64::MIN);
            let is_later = released.get(&number).is_none_or(|known| *known < end);
            if let Some(gap) = gaps.longest.get_mut(number).filter(|_| is_later) {
                gap.waited_for = Some((place.engine.name().to_owned(), place.index));
                released.insert(number, end);
            }
        }
        gaps.longest.sort_by_key(|gap| {
            let busy = busy.get(&(gap.engine.as_str(), gap.index)).copied().unwrap_or(0);
            (-i128::from(gap.cost_ns) * i128::from(busy), -gap.ns(), gap.start_ns)
        });
        gaps
    }
}

/// A time in which an engine did no work, with the events at its edges.
struct CompactGap {
    start: i64,
    end: i64,
    sync_ns: i64,
    other_engine_ns: i64,
    cost_ns: i64,
    cause: Cause,
    before: Option<u32>,
    after: Option<u32>,
}

impl CompactGap {
    fn ns(&self) -> i64 {
        self.end - self.start
    }

    /// With its names; the send is found later.
    fn gap(&self, model: &Model<'_>, track: &EngineTrack<'_>) -> Gap {
        let edge = |event: Option<u32>| Some(edge(model, &model.event(track, event? as usize)?));
        Gap {
            engine: track.engine_id.engine.name().to_owned(),
            index: track.engine_id.index,
            start_ns: self.start,
            end_ns: self.end,
            sync_ns: self.sync_ns,
            other_engine_ns: self.other_engine_ns,
            idle_ns: self.ns() - self.sync_ns - self.other_engine_ns,
            cost_ns: self.cost_ns,
            cause: self.cause,
            before: edge(self.before),
            after: edge(self.after),
            waited_for: None,
        }
    }
}

/// What each cause costs a track.
fn costs(track: &EngineTrack<'_>, bubbles: &[CompactGap]) -> Vec<CauseCost> {
    let mut costs: BTreeMap<Cause, CauseCost> = BTreeMap::new();
    for bubble in bubbles {
        let cost = costs.entry(bubble.cause).or_insert_with(|| CauseCost {
            engine: track.engine_id.engine.name().to_owned(),
            index: track.engine_id.index,
            cause: bubble.cause,
            count: 0,
            total_ns: 0,
            max_ns: 0,
        });
        cost.count += 1;
        cost.total_ns += bubble.ns();
        cost.max_ns = cost.max_ns.max(bubble.ns());
    }
    costs.into_values().collect()
}

/// Keeps the costliest bubbles, start and end left out, the costliest first.
fn keep_costliest(bubbles: &mut Vec<CompactGap>, most: usize) {
    bubbles.retain(|b| !matches!(b.cause, Cause::Start | Cause::End));
    let key = |b: &CompactGap| (-b.cost_ns, -b.ns(), b.start);
    if bubbles.len() > most {
        bubbles.select_nth_unstable_by_key(most, key);
        bubbles.truncate(most);
    }
    bubbles.sort_by_key(key);
    bubbles.shrink_to_fit();
}

/// A track's bubbles in order; none for a track that did no work.
fn track_bubbles(
    model: &Model<'_>,
    times: &Times,
    number: usize,
    track: &EngineTrack<'_>,
) -> Vec<CompactGap> {
    let (window_start, window_end) = times.window;
    let of_work = |i: &u32| Some(model.event(track, *i as usize)?.kind.activity.is_work());
    let mut work: Vec<u32> = (0..track.len() as u32).filter(|i| of_work(i) == Some(true)).collect();
    let Some(own) = times.tracks.get(number).filter(|_| !work.is_empty()) else {
        return Vec::new();
    };
    // Events of no length may be in a bubble: they are its edge neither way.
    work.retain(|&i| track.events.start[i as usize] < track.events.end[i as usize]);
    work.sort_by_key(|&i| track.events.start[i as usize]);
    let others = other_work(model, times, track);
    let core_work = own.work.with(&others);
    let others = others.without(&own.sync);
    let mut sync = own.sync.coverage();
    let mut other_engine = others.coverage();
    let mut any_engine = core_work.coverage();
    let mut bubble = |start: i64, end: i64, before: Option<u32>, after: Option<u32>| {
        let sync_ns = sync.covered(start, end);
        let other_engine_ns = other_engine.covered(start, end);
        let idle_ns = end - start - sync_ns - other_engine_ns;
        let cost_ns = end - start - any_engine.covered(start, end);
        let cause = match (before, after) {
            (None, _) => Cause::Start,
            (_, None) => Cause::End,
            _ if sync_ns >= other_engine_ns.max(idle_ns) => Cause::Sync,
            _ if other_engine_ns >= idle_ns => Cause::OtherEngine,
            (Some(b), Some(a)) if begins_launch(model, track, b, a) => Cause::Launch,
            _ => Cause::Idle,
        };
        CompactGap { start, end, sync_ns, other_engine_ns, cost_ns, cause, before, after }
    };
    let spans = own.work.spans();
    let mut bubbles = Vec::with_capacity(spans.len() + 1);
    let mut rest = work.into_iter().peekable();
    let mut last: Option<u32> = None;
    let mut until = window_start;
    for &(start, end) in spans {
        if start > until {
            bubbles.push(bubble(until, start, last, rest.peek().copied()));
        }
        while let Some(event) = rest.next_if(|&i| track.events.start[i as usize] < end) {
            let ends = |i: u32| track.events.end[i as usize];
            if last.is_none_or(|last| ends(event) >= ends(last)) {
                last = Some(event);
            }
        }
        until = end;
    }
    if window_end > until {
        bubbles.push(bubble(until, window_end, last, None));
    }
    bubbles
}

/// When the other engines of a track's core worked; a port has none.
fn other_work(model: &Model<'_>, times: &Times, track: &EngineTrack<'_>) -> Spans {
    let EngineId { engine, index } = track.engine_id;
    let others = model.tracks.iter().zip(&times.tracks).filter(|(other, _)| {
        let other = other.engine_id;
        engine != Engine::Cdma
            && other.engine != Engine::Cdma
            && other.index == index
            && other.engine != engine
    });
    others.fold(Spans::default(), |all, (_, other)| all.with(&other.work))
}

fn edge(model: &Model<'_>, event: &Event<'_>) -> Edge {
    let kernel = model.tag(event.tag).kernel;
    Edge {
        event: event.index as u64,
        name: event.kind.function_name.to_string(),
        kernel: kernel.map_or("", |k| model.kernel_name(k)).to_owned(),
    }
}

/// Whether a kernel launch begins between two commands of a track.
fn begins_launch(model: &Model<'_>, track: &EngineTrack<'_>, before: u32, after: u32) -> bool {
    let tag = |i: u32| track.events.tag.get(i as usize).map_or(Tag::default(), |t| model.tag(*t));
    let (a, b) = (tag(before), tag(after));
    (a.kernel, a.scope, a.batch) != (b.kernel, b.scope, b.batch) && b.kernel.is_some()
}

/// Indexes of the longest waits that end within each bubble.
fn longest_waits(
    model: &Model<'_>,
    track: &EngineTrack<'_>,
    bubbles: &[CompactGap],
) -> impl Iterator<Item = Option<usize>> + use<> {
    let mut longest: Vec<Option<(i64, Reverse<usize>)>> = vec![None; bubbles.len()];
    for wait in model.events(track).filter(|e| e.kind.activity == Activity::Wait) {
        for (bubble, longest) in bubbles.iter().zip(&mut longest) {
            if bubble.start < wait.end && wait.end <= bubble.end {
                *longest = (*longest).max(Some((wait.ns(), Reverse(wait.index))));
            }
        }
    }
    longest.into_iter().map(|wait| wait.map(|(_, Reverse(index))| index))
}

#[cfg(test)]
mod tests {
    use super::*;
    use bigtpu_measure::planted::Planted;

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
                (210, 300, Cause::Launch, [0, 0, 90]),
                (40, 95, Cause::Sync, [45, 0, 10]),
                (100, 200, Cause::OtherEngine, [0, 70, 30]),
            ]
        );
        assert_eq!(tiu[1].waited_for, Some(("GDMA".into(), 1)));
        let edges = (tiu[0].before.as_ref().unwrap(), tiu[0].after.as_ref().unwrap());
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
