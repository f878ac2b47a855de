//! What else used the DDR while a command ran.

use bigtpu_chip::{Direction, Engine, Memory};
use bigtpu_measure::{DumpModel, EngineTrack, MeasuredEvent};
use bigtpu_timeline::EngineId;

use super::SlowCause;
use crate::by_kind::ByKind;

/// The transfers of a run.
pub(super) struct Others<'m, 'a> {
    /// Whether commands of a kind are from or to DDR.
    uses_ddr: ByKind<bool>,
    /// Tracks of transfers, each with whether its commands end one after another.
    transfers: Vec<(&'m EngineTrack<'a>, bool)>,
    /// Engine and index of the run's first read from DDR.
    first: Option<(EngineId, usize)>,
}

impl<'m, 'a> Others<'m, 'a> {
    pub(super) fn new(model: &'m DumpModel<'a>) -> Self {
        let reads = |event: &MeasuredEvent<'_>| {
            event.kind.direction().is_some_and(|direction| direction.from == Memory::Ddr)
        };
        let first = |track: &EngineTrack<'a>| {
            let event = model.events(track).find(reads)?;
            Some((event.start, track.engine_id, event.index))
        };
        let first = model.tracks.iter().filter_map(first).min_by_key(|(start, ..)| *start);
        let is_dma = |track: &&EngineTrack<'a>| track.engine_id.engine != Engine::Tiu;
        let transfers = model.tracks.iter().filter(is_dma);
        Self {
            uses_ddr: ByKind::compute(model, |kind| {
                kind.direction().is_some_and(Direction::has_ddr)
            }),
            transfers: transfers.map(|track| (track, track.events.end.is_sorted())).collect(),
            first: first.map(|(_, id, index)| (id, index)),
        }
    }

    /// What ran beside the commands of a track.
    pub(super) fn running_beside(&self, track: &EngineTrack<'_>) -> Beside<'_> {
        let id = track.engine_id;
        let is_other = |other: EngineId| {
            other != id && (other.index != id.index || other.engine == Engine::Cdma)
        };
        let others = self.transfers.iter().filter(|(other, _)| is_other(other.engine_id));
        let neighbour = |&(track, is_in_order)| Neighbour { track, is_in_order, ended: 0 };
        Beside {
            uses_ddr: &self.uses_ddr,
            first: self.first.filter(|(own, _)| *own == id).map(|(_, index)| index),
            others: others.map(neighbour).collect(),
            last: 0,
        }
    }
}

/// What ran beside the commands of a track, which are asked for one after another.
pub(super) struct Beside<'o> {
    uses_ddr: &'o ByKind<bool>,
    /// Index of the run's first read from DDR, where it is one of the track's.
    pub(super) first: Option<usize>,
    /// Tracks of other cores.
    others: Vec<Neighbour<'o>>,
    /// Place of the one that was found beside a command last.
    last: usize,
}

impl Beside<'_> {
    /// Why a command of the track, of the kind with this number, took longer.
    pub(super) fn cause(&mut self, index: usize, kind: usize, time: (i64, i64)) -> SlowCause {
        if self.first == Some(index) {
            SlowCause::FirstTransfer
        } else if self.uses_ddr.of_number(kind).is_some_and(|uses| *uses) && self.is_shared(time) {
            SlowCause::OtherCore
        } else {
            SlowCause::Unknown
        }
    }

    /// Whether any transfer of another core is from or to DDR at this time.
    fn is_shared(&mut self, time: (i64, i64)) -> bool {
        let Self { uses_ddr, others, last, .. } = self;
        // Mostly the track that had one has the next one, too.
        if others.get_mut(*last).is_some_and(|other| other.uses_ddr(uses_ddr, time)) {
            return true;
        }
        let found = others.iter_mut().position(|other| other.uses_ddr(uses_ddr, time));
        *last = found.unwrap_or(*last);
        found.is_some()
    }
}

/// A track of transfers of another core.
struct Neighbour<'o> {
    track: &'o EngineTrack<'o>,
    is_in_order: bool,
    /// How many of its commands had ended when it was asked last.
    ended: usize,
}

impl Neighbour<'_> {
    /// Whether it has a transfer from or to DDR at this time.
    fn uses_ddr(&mut self, uses_ddr: &ByKind<bool>, (start, end): (i64, i64)) -> bool {
        let events = self.track.events;
        self.ended = if self.is_in_order {
            ended_by(&events.end, start, self.ended)
        } else {
            events.end.partition_point(|end| *end <= start)
        };
        let starts = events.start.get(self.ended..).unwrap_or_default();
        let kinds = self.track.columns.kind.get(self.ended..).unwrap_or_default();
        let mut during = starts.iter().zip(kinds).take_while(|(other, _)| **other < end);
        during.any(|(_, kind)| uses_ddr.of_number(*kind as usize).is_some_and(|uses| *uses))
    }
}

/// How many of these ends, which are in order, are no later than a moment; it is looked for from `near` on, where it mostly is.
fn ended_by(ends: &[i64], moment: i64, near: usize) -> usize {
    let has_ended = |at: usize| ends.get(at).is_some_and(|end| *end <= moment);
    let (mut from, mut step) = (near, 1);
    if near > 0 && !has_ended(near - 1) {
        from = 0;
        step = near;
    }
    while has_ended(from + step - 1) {
        from += step;
        step *= 2;
    }
    let until = (from + step - 1).min(ends.len());
    let within = ends.get(from..until).unwrap_or_default();
    from + within.partition_point(|end| *end <= moment)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn ends_are_found_from_anywhere(
            mut ends in prop::collection::vec(0_i64..40, 0..60),
            moment in -1_i64..41,
            near in 0_usize..60,
        ) {
            ends.sort_unstable();
            let expected = ends.partition_point(|end| *end <= moment);
            prop_assert_eq!(ended_by(&ends, moment, near.min(ends.len())), expected);
        }
    }
}
