//! Barriers that only the times show: capture mode 0 records neither messages nor, on some chips, which records are waits.
//!
//! A DMA engine's wait moves no bytes, and the waits of a barrier end at one moment on all cores that take part. A TIU's wait looks
//! like work there, but ends at that moment, too. Where all cores begin together after the whole chip was idle, a launch begins, and
//! the launch before has ended on all of them.

use std::collections::BTreeMap;

use bigtpu_chip::Engine;
use bigtpu_measure::{
    Activity, CommonStart, DumpModel, EngineTimes, EngineTrack, MeasuredEvent, common_starts,
};

/// Waits of one barrier end within this time, in ns.
pub(crate) const ONE_BARRIER_NS: i64 = 200;

/// A barrier that the times show; times in ns.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Inferred {
    /// When the first of its waits ended.
    pub(crate) opened: i64,
    /// When the last engine of each core that takes part began to wait.
    pub(crate) arrivals: BTreeMap<u32, i64>,
}

/// Barriers that the times show, in order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct InferredBarriers {
    pub(crate) all: Vec<Inferred>,
    /// Whether some of their waits look like work: then the replay takes them for work, which never gets shorter.
    pub(crate) waits_look_like_work: bool,
}

impl InferredBarriers {
    /// Nothing where the dump knows commands: then it knows messages or launches as well.
    pub(crate) fn find(model: &DumpModel<'_>) -> Self {
        if model.knows_commands() {
            return Self::default();
        }
        let cores: Vec<u32> = (0..).take(model.cores).collect();
        let waits: BTreeMap<u32, Vec<i64>> = cores
            .into_iter()
            .map(|core| (core, waits(model, core)))
            .filter(|(core, _)| model.core(*core).any(|track| !track.is_empty()))
            .collect();
        let mut found = Self::default();
        for opened in common(&waits) {
            let mut arrivals = BTreeMap::new();
            for core in waits.keys().copied() {
                for track in model.core(core) {
                    let Some(wait) = ends_near(model, track, opened) else { continue };
                    found.waits_look_like_work |= wait.kind.activity.is_work();
                    let arrival = arrivals.entry(core).or_insert(wait.start);
                    *arrival = wait.start.max(*arrival);
                }
            }
            found.all.push(Inferred { opened, arrivals });
        }
        found.all.extend(launch_starts(model));
        found.all.sort_by_key(|barrier| barrier.opened);
        found.all.dedup_by_key(|barrier| barrier.opened);
        found
    }

    /// When the last engine of a core began to wait for the barrier that opened at this moment, in ns.
    pub(crate) fn arrival(&self, core: u32, opened: i64) -> Option<i64> {
        let at = self.all.binary_search_by_key(&opened, |barrier| barrier.opened).ok()?;
        self.all.get(at)?.arrivals.get(&core).copied()
    }
}

/// Starts of launches: each core arrives when its last command before has ended.
fn launch_starts(model: &DumpModel<'_>) -> Vec<Inferred> {
    let tracks = model.tracks.iter().filter(|track| track.is_placed);
    let engines: Vec<EngineTimes<'_>> = tracks.map(EngineTimes::from).collect();
    let inferred = |CommonStart { idle_since, start }: CommonStart| {
        let mut arrivals = BTreeMap::new();
        for EngineTimes { core, ends, .. } in &engines {
            let before = ends.partition_point(|end| *end <= idle_since).checked_sub(1);
            let ended = before.and_then(|before| ends.get(before));
            if let Some((core, ended)) = core.zip(ended) {
                let arrival = arrivals.entry(core).or_insert(*ended);
                *arrival = (*arrival).max(*ended);
            }
        }
        Inferred { opened: start, arrivals }
    };
    common_starts(&engines).into_iter().map(inferred).collect()
}

/// Whether a record may be a wait: it is one, or moves nothing.
fn may_be_wait(event: &MeasuredEvent<'_>) -> bool {
    match event.kind.activity {
        Activity::Wait => true,
        Activity::Work => event.bytes() == 0,
        Activity::Send | Activity::Control => false,
    }
}

/// When waits of a core's GDMA ended, in ns, by time. Of records in a row that move nothing the last one is the wait: a send comes before.
fn waits(model: &DumpModel<'_>, core: u32) -> Vec<i64> {
    let mut ends = Vec::new();
    for track in model.core(core).filter(|track| track.engine_id.engine == Engine::Gdma) {
        let mut events = model.events(track).peekable();
        while let Some(event) = events.next() {
            if may_be_wait(&event) && !events.peek().is_some_and(may_be_wait) {
                ends.push(event.end);
            }
        }
    }
    ends.sort_unstable();
    ends
}

/// Moments at which a wait ends on every core; with a single core, all of its waits.
fn common(waits: &BTreeMap<u32, Vec<i64>>) -> Vec<i64> {
    let Some(first) = waits.values().next() else { return Vec::new() };
    let mut moments: Vec<i64> = Vec::new();
    for end in first {
        let near = waits.values().map(|ends| {
            let at = ends.partition_point(|other| *other < end - ONE_BARRIER_NS);
            ends.get(at).copied().filter(|other| *other <= end + ONE_BARRIER_NS)
        });
        let near: Option<Vec<i64>> = near.collect();
        if let Some(opened) = near.and_then(|near| near.into_iter().min())
            && moments.last().is_none_or(|last| opened - last > ONE_BARRIER_NS)
        {
            moments.push(opened);
        }
    }
    moments
}

/// The event of a track that ends at a barrier.
fn ends_near<'a>(
    model: &DumpModel<'a>,
    track: &EngineTrack<'a>,
    opened: i64,
) -> Option<MeasuredEvent<'a>> {
    let after = track.events.end.partition_point(|end| *end < opened - ONE_BARRIER_NS);
    (after..track.len())
        .map_while(|index| model.event(track, index))
        .take_while(|event| event.end <= opened + ONE_BARRIER_NS)
        .last()
        .filter(|event| track.engine_id.engine == Engine::Tiu || may_be_wait(event))
}

#[cfg(test)]
mod tests {
    use bigtpu_measure::CommandKind;
    use bigtpu_measure::planted::{Planted, plain};

    use bigtpu_timeline::Binding;

    use super::*;

    /// A record of which only the time is known.
    fn record(
        planted: &mut Planted,
        core: u32,
        engine: Engine,
        bytes: u64,
        (from, to): (i64, i64),
    ) {
        let kind = CommandKind { code: None, binding: Binding::None, ..plain(engine) };
        planted.add(core, kind, (from, to), bytes, 0);
    }

    /// Both cores transfer, send and wait; the second one is slower.
    fn two_cores(late: i64) -> Planted {
        let mut planted = Planted::default();
        for core in 0..2_u32 {
            let end = 10_000 + i64::from(core) * late;
            record(&mut planted, core, Engine::Gdma, 4096, (0, end));
            record(&mut planted, core, Engine::Gdma, 0, (end + 20, end + 30));
            record(&mut planted, core, Engine::Gdma, 0, (end + 50, 20_000));
            record(&mut planted, core, Engine::Gdma, 4096, (20_020, 30_000));
        }
        planted
    }

    #[test]
    fn waits_that_end_together_are_a_barrier() {
        let found = InferredBarriers::find(&two_cores(3000).model());
        let arrivals = BTreeMap::from([(0, 10_050), (1, 13_050)]);
        assert_eq!(found.all, [Inferred { opened: 20_000, arrivals }]);
        assert!(found.waits_look_like_work);
    }

    #[test]
    fn a_wait_of_one_core_is_none() {
        let mut planted = two_cores(0);
        record(&mut planted, 0, Engine::Gdma, 0, (30_020, 40_000));
        record(&mut planted, 1, Engine::Gdma, 0, (30_020, 40_300));
        assert_eq!(InferredBarriers::find(&planted.model()).all.len(), 1);
    }

    /// Core 0 has ended long before core 1 has, and both begin anew after the chip was idle.
    #[test]
    fn all_cores_that_begin_together_begin_a_launch() {
        let mut planted = Planted::default();
        record(&mut planted, 0, Engine::Gdma, 4096, (0, 3000));
        record(&mut planted, 1, Engine::Gdma, 4096, (5, 9000));
        record(&mut planted, 0, Engine::Gdma, 4096, (10_000, 12_000));
        record(&mut planted, 1, Engine::Gdma, 4096, (10_010, 12_000));
        let found = InferredBarriers::find(&planted.model());
        let arrivals = BTreeMap::from([(0, 3000), (1, 9000)]);
        assert_eq!(found.all, [Inferred { opened: 10_000, arrivals }]);
        assert!(!found.waits_look_like_work);
    }

    #[test]
    fn known_commands_need_none() {
        let mut planted = two_cores(0);
        planted.work(0, Engine::Tiu, 30_000, 31_000);
        assert_eq!(InferredBarriers::find(&planted.model()), InferredBarriers::default());
    }
}
