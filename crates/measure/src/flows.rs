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

/// A wait that a send released.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Flow {
    /// Track and index of the send.
    pub send: (EngineId, usize),
    /// Track and index of the wait.
    pub wait: (EngineId, usize),
    /// Number of the message.
    pub message: u64,
}

#[derive(Debug, Clone, Copy)]
struct Sync {
    end: i64,
    is_wait: bool,
    /// Of a send: the waits that take it. Of a wait: the sends that it needs.
    partners: u64,
    event: (EngineId, usize),
}

/// All certain pairs, ordered by message and time.
#[must_use]
pub fn sync_flows(profile: &Profile<'_>, table: &CommandTable) -> Vec<Flow> {
    let mut by_message: BTreeMap<u64, BTreeMap<u32, Vec<Sync>>> = BTreeMap::new();
    for core in &profile.cores {
        for track in &core.tracks {
            let messages = table.track(track).map_or(&[][..], |track| &track.columns.messages);
            for &(event, message) in messages {
                let sync = Sync {
                    end: track.events.end.get(event as usize).copied().unwrap_or(0),
                    is_wait: message.is_wait,
                    partners: message.partners.into(),
                    event: (track.engine_id, event as usize),
                };
                let cores = by_message.entry(message.id.into()).or_default();
                cores.entry(track.engine_id.index).or_default().push(sync);
            }
        }
    }
    let mut flows = Vec::new();
    for (message, mut cores) in by_message {
        let per_core: Vec<Option<Vec<Flow>>> =
            cores.values_mut().map(|s| rounds(message, s)).collect();
        if per_core.iter().all(Option::is_some) {
            flows.extend(per_core.into_iter().flatten().flatten());
        } else {
            let mut all: Vec<Sync> = cores.into_values().flatten().collect();
            flows.extend(rounds(message, &mut all).into_iter().flatten());
        }
    }
    flows.shrink_to_fit();
    flows
}

/// The pairs, if everything falls into rounds.
fn rounds(message: u64, syncs: &mut [Sync]) -> Option<Vec<Flow>> {
    syncs.sort_by_key(|s| (s.end, s.is_wait, s.event.0, s.event.1));
    let mut flows = Vec::new();
    let mut rest = &*syncs;
    while let Some(first) = rest.first() {
        let sends = rest.iter().take_while(|s| !s.is_wait).count();
        let waits = rest.get(sends..)?.iter().take_while(|s| s.is_wait).count();
        let (round, after) = rest.split_at_checked(sends + waits)?;
        let (send, wait) = round.split_at(sends);
        let fits = send.iter().all(|s| s.partners == waits as u64)
            && wait.iter().all(|w| w.partners == sends as u64);
        if first.is_wait || waits == 0 || !fits {
            return None;
        }
        for s in send {
            flows.extend(wait.iter().map(|w| Flow { send: s.event, wait: w.event, message }));
        }
        rest = after;
    }
    Some(flows)
}

#[cfg(test)]
mod tests {
    use bigtpu_chip::Engine;

    use super::*;

    fn sync(end: i64, is_wait: bool, partners: u64) -> Sync {
        let engine_id = EngineId { index: 0, engine: Engine::Tiu };
        Sync { end, is_wait, partners, event: (engine_id, end as usize) }
    }

    fn pairs(syncs: &[Sync]) -> Option<Vec<(usize, usize)>> {
        let flows = rounds(0, &mut syncs.to_vec())?;
        Some(flows.iter().map(|f| (f.send.1, f.wait.1)).collect())
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
