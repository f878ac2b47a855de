//! Which send released which wait, where that is certain.
//!
//! A send says how many waits will take its message, a wait how many sends it needs; both name the
//! message. Over all sends and waits of a message, in time order, rounds follow one another: as many
//! sends as the waits ask for, as many waits as the sends announce. Only when everything recorded of a
//! message falls into such rounds, without a rest, are its pairs certain. Messages are looked at per core
//! first and, where that does not come out, over all cores.

use std::collections::BTreeMap;

use crate::CommandTable;
use bigtpu_timeline::{EngineId, Profile};
use rayon::prelude::*;

/// A wait that a send released.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SyncFlow {
    /// Track and index of the send.
    pub send: (EngineId, usize),
    /// Track and index of the wait.
    pub wait: (EngineId, usize),
    /// Number of the message.
    pub message: u64,
}

/// A send or wait, by track and index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    engine_id: EngineId,
    index: u32,
}

impl Place {
    fn event(&self) -> (EngineId, usize) {
        (self.engine_id, self.index as usize)
    }
}

/// All certain pairs, ordered by message and time. A round of eight engines has 64 pairs of 16 events: only the events are stored.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Flows {
    /// Sends, then waits, of one round after the other.
    places: Vec<Place>,
    rounds: Vec<Bounds>,
    /// Number of pairs.
    len: usize,
}

/// What of the places is a round's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Bounds {
    message: u32,
    /// Behind its sends, and behind its waits.
    sends_end: u32,
    waits_end: u32,
}

/// Sends, and the waits that take their messages: each send releases each of the waits.
#[derive(Debug, Clone, Copy)]
pub struct Round<'f> {
    /// Number of the message.
    pub message: u64,
    sends: &'f [Place],
    waits: &'f [Place],
}

impl<'f> Round<'f> {
    /// Tracks and indexes of the sends, in the order of their ends.
    pub fn sends(&self) -> impl ExactSizeIterator<Item = (EngineId, usize)> + Clone + use<'f> {
        self.sends.iter().map(Place::event)
    }

    /// Tracks and indexes of the waits, in the order of their ends.
    pub fn waits(&self) -> impl ExactSizeIterator<Item = (EngineId, usize)> + Clone + use<'f> {
        self.waits.iter().map(Place::event)
    }
}

impl Flows {
    /// Number of pairs.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The rounds, in order.
    pub fn rounds(&self) -> impl Iterator<Item = Round<'_>> {
        let mut rest = self.places.as_slice();
        let mut start = 0;
        self.rounds.iter().map_while(move |bounds| {
            let (sends, others) = rest.split_at_checked((bounds.sends_end - start) as usize)?;
            let (waits, others) =
                others.split_at_checked((bounds.waits_end - bounds.sends_end) as usize)?;
            (rest, start) = (others, bounds.waits_end);
            Some(Round { message: bounds.message.into(), sends, waits })
        })
    }

    /// The pairs: by round, then by send.
    pub fn pairs(&self) -> impl Iterator<Item = SyncFlow> {
        self.rounds().flat_map(|round| {
            let Round { message, .. } = round;
            let of_send =
                move |send| round.waits().map(move |wait| SyncFlow { send, wait, message });
            round.sends().flat_map(of_send)
        })
    }

    /// Adds a round.
    fn push(&mut self, message: u32, sends: &[Sync], waits: &[Sync]) {
        self.places.extend(sends.iter().chain(waits).map(|sync| sync.place));
        let waits_end = self.places.len() as u32;
        let sends_end = waits_end - waits.len() as u32;
        self.rounds.push(Bounds { message, sends_end, waits_end });
        self.len += sends.len() * waits.len();
    }

    /// Adds rounds behind these.
    fn append(&mut self, later: &Self) {
        let before = self.places.len() as u32;
        self.places.extend_from_slice(&later.places);
        self.rounds.extend(later.rounds.iter().map(|bounds| Bounds {
            sends_end: before + bounds.sends_end,
            waits_end: before + bounds.waits_end,
            ..*bounds
        }));
        self.len += later.len;
    }

    /// A send releases a wait: for [`crate::planted`].
    pub(crate) fn plant(&mut self, (send, wait): ((EngineId, usize), (EngineId, usize))) {
        let place =
            |(engine_id, index): (EngineId, usize)| Place { engine_id, index: index as u32 };
        let (send, wait) = (place(send), place(wait));
        let bounds = |before: Option<&Bounds>| before.map_or(0, |bounds| bounds.waits_end as usize);
        let start = bounds(self.rounds.iter().nth_back(1));
        match self.rounds.last_mut() {
            // Of the same send as the pair before it.
            Some(last) if self.places.get(start..last.sends_end as usize) == Some(&[send]) => {
                self.places.push(wait);
                last.waits_end += 1;
            }
            _ => {
                self.places.extend([send, wait]);
                let waits_end = self.places.len() as u32;
                self.rounds.push(Bounds { message: 0, sends_end: waits_end - 1, waits_end });
            }
        }
        // Sends of the same waits are of one round.
        if let [.., before, last] = self.rounds.as_mut_slice()
            && self.places.get(before.sends_end as usize..before.waits_end as usize)
                == self.places.get(last.sends_end as usize..)
        {
            self.places.truncate(before.waits_end as usize);
            self.places.insert(before.sends_end as usize, send);
            (before.sends_end, before.waits_end) = (before.sends_end + 1, before.waits_end + 1);
            self.rounds.pop();
        }
        self.len += 1;
    }
}

#[derive(Debug, Clone, Copy)]
struct Sync {
    end: i64,
    is_wait: bool,
    /// How many waits take a send, or how many sends a wait needs.
    partners: u32,
    place: Place,
}

/// All certain pairs.
#[must_use]
pub fn sync_flows(profile: &Profile<'_>, table: &CommandTable) -> Flows {
    let mut by_message: BTreeMap<u32, Vec<Vec<Sync>>> = BTreeMap::new();
    for core in &profile.cores {
        for track in &core.tracks {
            let messages = table.track(track).map_or(&[][..], |track| &track.columns.messages);
            for &(event, message) in messages {
                let sync = Sync {
                    end: track.events.end.get(event as usize).copied().unwrap_or(0),
                    is_wait: message.is_wait,
                    partners: message.partners.into(),
                    place: Place { engine_id: track.engine_id, index: event },
                };
                let cores = by_message.entry(message.id.into()).or_default();
                match cores.last_mut() {
                    // Cores come one after the other.
                    Some(last) if is_of_core(last, track.engine_id) => last.push(sync),
                    _ => cores.push(vec![sync]),
                }
            }
        }
    }
    let of_messages: Vec<Flows> = by_message.into_par_iter().map(of_message).collect();
    let sum = |of: fn(&Flows) -> usize| of_messages.iter().map(of).sum();
    let mut flows = Flows::default();
    flows.places.reserve_exact(sum(|part| part.places.len()));
    flows.rounds.reserve_exact(sum(|part| part.rounds.len()));
    of_messages.iter().for_each(|part| flows.append(part));
    flows
}

fn is_of_core(syncs: &[Sync], engine_id: EngineId) -> bool {
    syncs.first().is_some_and(|sync| sync.place.engine_id.index == engine_id.index)
}

/// The pairs of a message, by its sends and waits of each core.
fn of_message((message, mut cores): (u32, Vec<Vec<Sync>>)) -> Flows {
    let per_core: Option<Vec<Flows>> =
        cores.iter_mut().map(|syncs| rounds(message, syncs)).collect();
    match per_core {
        Some(per_core) => {
            let mut flows = Flows::default();
            per_core.iter().for_each(|part| flows.append(part));
            flows
        }
        None => rounds(message, &mut cores.concat()).unwrap_or_default(),
    }
}

/// The pairs, if everything falls into rounds.
fn rounds(message: u32, syncs: &mut [Sync]) -> Option<Flows> {
    syncs.sort_by_key(|s| (s.end, s.is_wait, s.place));
    let mut flows = Flows::default();
    let mut rest = &*syncs;
    while let Some(first) = rest.first() {
        let sends = rest.iter().take_while(|s| !s.is_wait).count();
        let waits = rest.get(sends..)?.iter().take_while(|s| s.is_wait).count();
        let (round, after) = rest.split_at_checked(sends + waits)?;
        let (send, wait) = round.split_at(sends);
        let fits = send.iter().all(|s| s.partners as usize == waits)
            && wait.iter().all(|w| w.partners as usize == sends);
        if first.is_wait || waits == 0 || !fits {
            return None;
        }
        flows.push(message, send, wait);
        rest = after;
    }
    Some(flows)
}

#[cfg(test)]
mod tests {
    use bigtpu_chip::Engine;

    use super::*;

    fn sync(end: i64, is_wait: bool, partners: u32) -> Sync {
        let engine_id = EngineId { index: 0, engine: Engine::Tiu };
        Sync { end, is_wait, partners, place: Place { engine_id, index: end as u32 } }
    }

    fn pairs(syncs: &[Sync]) -> Option<Vec<(usize, usize)>> {
        let flows = rounds(0, &mut syncs.to_vec())?;
        assert_eq!(flows.pairs().count(), flows.len());
        Some(flows.pairs().map(|f| (f.send.1, f.wait.1)).collect())
    }

    #[test]
    fn complete_rounds_are_paired() {
        let two_sends_one_wait = [sync(1, false, 1), sync(2, false, 1), sync(5, true, 2)];
        assert_eq!(pairs(&two_sends_one_wait), Some(vec![(1, 5), (2, 5)]));
        let twice = [sync(1, false, 1), sync(2, true, 1), sync(3, false, 1), sync(4, true, 1)];
        assert_eq!(pairs(&twice), Some(vec![(1, 2), (3, 4)]));
    }

    #[test]
    fn an_incomplete_round_makes_all_pairs_uncertain() {
        assert_eq!(pairs(&[sync(1, false, 1), sync(2, true, 1), sync(3, false, 1)]), None);
        assert_eq!(pairs(&[sync(1, true, 1), sync(2, false, 1)]), None);
        assert_eq!(pairs(&[sync(1, false, 2), sync(2, true, 1)]), None);
    }
}
