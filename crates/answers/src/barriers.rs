//! Barriers between cores: who came last, and what that cost.

use std::collections::{BTreeMap, BTreeSet};

use bigtpu_measure::{DumpModel, Flows, Round, Spans, Times, round4};
use bigtpu_timeline::EngineId;
use serde::{Deserialize, Serialize};

use crate::inferred_barriers::InferredBarriers;

/// A message that several cores meet at, once: sends that released waits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
pub struct Barrier {
    /// ns of the last send's end: the barrier opens.
    pub at_ns: i64,
    /// From the first send's end to the last one's, in ns.
    pub skew_ns: i64,
    /// Core of the last send.
    pub last_core: u32,
    /// Core time of its waits in ns: in them an engine of a core waits at this barrier and none of the core works.
    pub waited_ns: i64,
    /// Cores that take part.
    pub cores: u64,
}

/// Barriers in all.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
pub struct Barriers {
    /// Barriers between two or more cores.
    pub count: u64,
    /// Sum of the skews in ns.
    pub skew_ns: i64,
    /// Mean skew in ns.
    pub mean_skew_ns: f64,
    /// Core time of waiting at barriers in ns, the sum over cores: a part of their `sync_ns`. Engines of a core that wait at
    /// the same time count once.
    pub waited_ns: i64,
    /// ns for which late cores held barriers up: from when the others were there until the barriers opened.
    pub lost_ns: i64,
    /// How often each core came last: `(core, times)`.
    pub last: Vec<(u32, u64)>,
    /// Those with the greatest skew.
    pub worst: Vec<Barrier>,
    /// Barriers that a late core held up, by time.
    #[serde(skip)]
    pub(crate) held_up: Vec<HeldUp>,
    /// When the first wait of each ended, in ns, by time.
    #[serde(skip)]
    pub(crate) opened: Vec<i64>,
    /// Barriers that only the times show: nothing else of this structure knows them, except `opened`.
    #[serde(skip)]
    pub(crate) inferred: InferredBarriers,
}

/// A barrier that a late core held up; times in ns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct HeldUp {
    /// The core that came last.
    pub(crate) late: u32,
    /// When the barrier before opened.
    pub(crate) since: Option<i64>,
    /// When the others were there.
    pub(crate) usual: i64,
    /// When it opened.
    pub(crate) opened: i64,
}

/// Barriers that are kept one by one.
const MOST: usize = 10;

/// A core is late at a barrier from this many percent of the time since the barrier before on.
const LATE_PERCENT: i64 = 5;

/// When the cores that are not late were at a barrier: before the greatest gap between arrivals in their later half.
fn usual_arrival(mut arrivals: Vec<i64>) -> i64 {
    arrivals.sort_unstable();
    let later = arrivals.get(arrivals.len().saturating_sub(1) / 2..).unwrap_or_default();
    let gaps =
        later.windows(2).filter_map(|pair| Some((pair.last()? - pair.first()?, *pair.first()?)));
    let greatest = gaps.max().map(|(_, before)| before);
    greatest.or(later.first().copied()).unwrap_or(0)
}

/// The barriers that a late core held up, of those given: the late core, when the others were there and when it
/// opened.
fn held_up(mut barriers: Vec<(u32, i64, i64)>) -> Vec<HeldUp> {
    barriers.sort_by_key(|(_, _, opened)| *opened);
    let since = |usual: i64| {
        let before = barriers.partition_point(|(_, _, other)| *other <= usual);
        before.checked_sub(1).and_then(|before| barriers.get(before)).map(|(_, _, other)| *other)
    };
    let all = barriers.iter().map(|&(late, usual, opened)| HeldUp {
        late,
        since: since(usual),
        usual,
        opened,
    });
    let is_late = |held: &HeldUp| {
        held.since.is_none_or(|since| {
            (held.opened - held.usual) * 100 >= (held.opened - since) * LATE_PERCENT
        })
    };
    all.filter(is_late).collect()
}

/// A send or wait.
type Event = (EngineId, usize);

/// Sends and waits of each round, in order.
fn rounds(flows: &Flows) -> Vec<(Vec<Event>, Vec<Event>)> {
    let sorted = |round: Round<'_>| {
        let (mut sends, mut waits) =
            (round.sends().collect::<Vec<_>>(), round.waits().collect::<Vec<_>>());
        sends.sort_unstable();
        waits.sort_unstable();
        (sends, waits)
    };
    let mut rounds: Vec<(Vec<Event>, Vec<Event>)> = flows.rounds().map(sorted).collect();
    rounds.sort_unstable();
    rounds
}

/// Core time of the waits of each core in ns: where the core only waits.
fn waited_ns(waits: &BTreeMap<u32, Vec<(i64, i64)>>, times: &Times) -> i64 {
    let of_core = |(core, spans): (&u32, &Vec<(i64, i64)>)| {
        let mut sync = times.cores.get(*core as usize)?.sync.coverage();
        let spans = Spans::union(spans.iter().copied());
        Some(spans.iter().map(|(start, end)| sync.covered(start, end)).sum::<i64>())
    };
    waits.iter().filter_map(of_core).sum()
}

/// Barriers between cores, from the certain pairs of sends and waits.
#[must_use]
pub fn barriers(model: &DumpModel<'_>, core_times: &Times) -> Barriers {
    let rounds = rounds(model.flows);
    let times = |(engine_id, i): &Event| {
        let track = model.track(*engine_id)?;
        Some((*track.events.start.get(*i)?, *track.events.end.get(*i)?))
    };
    let mut all = Barriers::default();
    let mut held: Vec<(u32, i64, i64)> = Vec::new();
    let mut last: BTreeMap<u32, u64> = BTreeMap::new();
    let mut waited: BTreeMap<u32, Vec<(i64, i64)>> = BTreeMap::new();
    for (sends, waits) in &rounds {
        let cores: BTreeSet<u32> = sends.iter().chain(waits).map(|(p, _)| p.index).collect();
        if cores.len() < 2 {
            continue;
        }
        let ends = sends.iter().filter_map(|s| Some((times(s)?.1, s.0.index)));
        let Some((at_ns, last_core)) = ends.clone().max() else { continue };
        let first = ends.map(|(end, _)| end).min().unwrap_or(at_ns);
        let mut own: BTreeMap<u32, Vec<(i64, i64)>> = BTreeMap::new();
        for (wait, span) in waits.iter().filter_map(|wait| Some((wait, times(wait)?))) {
            own.entry(wait.0.index).or_default().push(span);
        }
        let waited_ns = waited_ns(&own, core_times);
        for (core, spans) in own {
            waited.entry(core).or_default().extend(spans);
        }
        let mut arrivals: BTreeMap<u32, i64> = BTreeMap::new();
        for (end, core) in sends.iter().filter_map(|s| Some((times(s)?.1, s.0.index))) {
            let arrival = arrivals.entry(core).or_insert(end);
            *arrival = (*arrival).max(end);
        }
        if arrivals.len() > 1 {
            held.push((last_core, usual_arrival(arrivals.into_values().collect()), at_ns));
        }
        all.count += 1;
        // Engines without a send of their own may hold it up: the work behind it starts when its waits end.
        let released = waits.iter().filter_map(times).map(|(_, end)| end).min();
        all.opened.push(released.map_or(at_ns, |end| end.max(at_ns)));
        all.skew_ns += at_ns - first;
        *last.entry(last_core).or_default() += 1;
        all.worst.push(Barrier {
            at_ns,
            skew_ns: at_ns - first,
            last_core,
            waited_ns,
            cores: cores.len() as u64,
        });
    }
    all.waited_ns = waited_ns(&waited, core_times);
    all.inferred = InferredBarriers::find(model);
    all.opened.extend(all.inferred.all.iter().map(|barrier| barrier.opened));
    all.opened.sort_unstable();
    all.held_up = held_up(held);
    // Barriers of several engines at once count once.
    all.lost_ns = Spans::union(all.held_up.iter().map(|held| (held.usual, held.opened))).total();
    all.mean_skew_ns = round4(all.skew_ns as f64 / all.count.max(1) as f64);
    all.last = last.into_iter().collect();
    all.worst.sort_by_key(|b| (-b.skew_ns, b.at_ns));
    all.worst.truncate(MOST);
    all
}

#[cfg(test)]
mod tests {
    use bigtpu_chip::Engine;

    use super::*;
    use bigtpu_measure::planted::Planted;

    /// Two engines of a core wait at once, and a third one works in a part of it: the core waits only in the rest.
    #[test]
    fn waiting_is_counted_once_for_a_core_and_not_while_it_works() {
        let mut planted = Planted::default();
        let s0 = planted.send(0, Engine::Tiu, 0, 10);
        let s1 = planted.send(1, Engine::Tiu, 90, 100);
        for engine in [Engine::Tiu, Engine::Gdma] {
            let w0 = planted.wait(0, engine, 10, 102);
            let w1 = planted.wait(1, engine, 100, 102);
            for (send, s) in [(0, s0), (1, s1)] {
                for (wait, w) in [(0, w0), (1, w1)] {
                    planted.flow((send, Engine::Tiu, s), (wait, engine, w));
                }
            }
        }
        planted.work(0, Engine::Sdma, 20, 60);
        let model = planted.model();
        let times = Times::compute(&model);
        let found = barriers(&model, &times);
        assert_eq!(found.waited_ns, (102 - 10) - (60 - 20) + 2);
        let sync: i64 = times.by_core(&[0, 1]).iter().map(|core| core.sync_ns).sum();
        assert!(found.waited_ns <= sync, "{} of {sync}", found.waited_ns);
    }

    #[test]
    fn barriers_name_the_last_core() {
        let mut planted = Planted::default();
        let mut round = |at: i64, late: i64| {
            let s0 = planted.send(0, Engine::Tiu, at, at + 1);
            let s1 = planted.send(1, Engine::Tiu, at + late, at + late + 1);
            let w0 = planted.wait(0, Engine::Tiu, at + 1, at + late + 2);
            let w1 = planted.wait(1, Engine::Tiu, at + late + 1, at + late + 2);
            for (send, s) in [(0, s0), (1, s1)] {
                for (wait, w) in [(0, w0), (1, w1)] {
                    planted.flow((send, Engine::Tiu, s), (wait, Engine::Tiu, w));
                }
            }
        };
        round(0, 10);
        round(100, 30);
        let s = planted.send(0, Engine::Tiu, 200, 201);
        let w = planted.wait(0, Engine::Gdma, 200, 202);
        planted.flow((0, Engine::Tiu, s), (0, Engine::Gdma, w));
        let model = planted.model();
        let found = barriers(&model, &Times::compute(&model));
        assert_eq!((found.count, found.skew_ns, found.mean_skew_ns), (2, 40, 20.0));
        assert_eq!(found.lost_ns, 40);
        assert_eq!((found.last, found.waited_ns), (vec![(1, 2)], 11 + 1 + 31 + 1));
        assert_eq!((found.worst[0].at_ns, found.worst[0].skew_ns), (131, 30));
    }
}
