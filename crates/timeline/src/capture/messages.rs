//! SyncMessage messages that were taken before they were sent, or at different times.
//!
//! Cores meet by messages: each sends one, and each waits for those of all. So the n-th wait of a core ends after the
//! n-th message of every core was sent, and none waits on when others have them all. In the files of different captures they do.

use std::collections::{BTreeMap, BTreeSet};

use bigtpu_chip::SyncMessage;
use bigtpu_messages::message;

use super::{is_system_op, path_of};
use crate::dump::Dump;
use crate::note::{Note, Severity};
use crate::profile::{EngineEvents, Profile};

/// Fewer meetings say too little.
const FEWEST_MEETINGS: usize = 6;
/// One in this many meetings may be in disorder: a time may be wrong.
const MEETINGS_PER_BROKEN: usize = 6;
/// The clocks of cores are put together to within this, in ns.
const CLOSE_NS: i64 = 1000;

/// What was sent and waited for with one number.
#[derive(Debug, Default)]
struct Topic {
    /// Start of each send, in ns, and its core.
    sends: Vec<(i64, u32)>,
    /// Waits, by core and engine.
    waits: BTreeMap<(u32, u8), Vec<Wait>>,
}

/// A wait for messages.
#[derive(Debug, Clone, Copy)]
struct Wait {
    /// ns
    start: i64,
    /// ns
    end: i64,
    /// Messages that it needs.
    partners: u8,
}

impl Wait {
    /// Whether it was waiting at a time at which all of its messages were there, and went on.
    fn goes_on(&self, there: i64) -> bool {
        self.start <= there && self.end > there.saturating_add(CLOSE_NS)
    }
}

/// Tells the core whose waits and sends contradict those of the others.
pub(super) fn broken_order(dump: &Dump, profile: &Profile<'_>) -> Option<Note> {
    let used = profile.cores.iter().filter(|core| core.tracks.iter().any(|t| !t.events.is_empty()));
    if used.count() < 2 {
        return None;
    }
    let mut topics: BTreeMap<u16, Topic> = BTreeMap::new();
    for track in profile.cores.iter().flat_map(|core| &core.tracks) {
        add_messages(profile, track, &mut topics);
    }
    let mut found = Broken::default();
    topics.values_mut().for_each(|topic| topic.check(&mut found));
    let Broken { meetings, broken, cores } = found;
    if broken == 0 || broken * MEETINGS_PER_BROKEN < meetings {
        return None;
    }
    // The core that takes part in most of them; of equals the last.
    let (core, _) = cores.iter().max_by_key(|(_, times)| **times)?;
    let message = message!("note-messages-broken", odd = broken, meetings = meetings);
    Some(Note::about_file(Severity::Loss, path_of(dump, *core, false)?, message))
}

/// Adds the sends and waits of an engine whose full bits are known.
fn add_messages(
    profile: &Profile<'_>,
    track: &EngineEvents<'_>,
    topics: &mut BTreeMap<u16, Topic>,
) {
    let (chip, id) = (profile.chip, track.engine_id);
    let events = &track.events;
    for (i, (binding, code)) in events.binding.iter().zip(&events.code).enumerate() {
        if !binding.has_bits() || !is_system_op(chip, id.engine, *code) {
            continue;
        }
        let sync = profile.command(track, i).and_then(|c| SyncMessage::decode(chip, id.engine, &c));
        let times = events.start.get(i).zip(events.end.get(i));
        let (Some(sync), Some((start, end))) = (sync, times) else { continue };
        let topic = topics.entry(sync.id).or_default();
        if sync.is_wait {
            let of_engine = topic.waits.entry((id.index, id.engine as u8)).or_default();
            of_engine.push(Wait { start: *start, end: *end, partners: sync.partners });
        } else {
            topic.sends.push((*start, id.index));
        }
    }
}

/// How often the order was broken, and by which cores.
#[derive(Debug, Default)]
struct Broken {
    meetings: usize,
    broken: usize,
    cores: BTreeMap<u32, usize>,
}

impl Topic {
    /// Counts the meetings in which a wait ends before one of the messages that it needs is sent, or goes on after half of the waits for
    /// them have ended. Says nothing where it is not certain which messages a wait needs.
    fn check(&mut self, found: &mut Broken) {
        let mut waits = self.waits.values();
        let Some(first) = waits.next() else { return };
        let (meetings, Some(&Wait { partners, .. })) = (first.len(), first.first()) else { return };
        let each = usize::from(partners);
        let is_same = |of_engine: &Vec<Wait>| {
            of_engine.len() == meetings && of_engine.iter().all(|wait| wait.partners == partners)
        };
        let senders: BTreeSet<u32> = self.sends.iter().map(|(_, core)| *core).collect();
        let is_certain = self.waits.values().all(is_same) && self.sends.len() == meetings * each;
        if meetings < FEWEST_MEETINGS || each < 2 || senders.len() < 2 || !is_certain {
            return;
        }
        self.sends.sort_unstable();
        found.meetings += meetings;
        for meeting in 0..meetings {
            let Some((sent, sender)) = self.sends.get((meeting + 1) * each - 1) else { return };
            let waits = self.waits.values().filter_map(|of_engine| of_engine.get(meeting));
            let mut ends: Vec<i64> = waits.map(|wait| wait.end).collect();
            ends.sort_unstable();
            // Of two cores the earlier end.
            let there = ends.get(ends.len().saturating_sub(1) / 2).copied().unwrap_or(i64::MAX);
            let mut is_broken = false;
            for ((core, _), of_engine) in &self.waits {
                let Some(wait) = of_engine.get(meeting) else { continue };
                if wait.end < sent - CLOSE_NS || wait.goes_on(there) {
                    is_broken = true;
                    for core in [core, sender] {
                        *found.cores.entry(*core).or_default() += 1;
                    }
                }
            }
            found.broken += usize::from(is_broken);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three cores that meet every 50 us; the clock of core 2 is `late` ns behind after each meeting.
    fn topic(late: i64) -> Topic {
        let mut topic = Topic::default();
        for meeting in 0..12_i64 {
            for core in 0..3_u32 {
                let drift = if core == 2 { late * meeting } else { 0 };
                let at = 50_000 * meeting + 100 * i64::from(core) + drift;
                topic.sends.push((at, core));
                let end = 50_000 * meeting + 400 + drift;
                let wait = Wait { start: at + 10, end, partners: 3 };
                topic.waits.entry((core, 0)).or_default().push(wait);
            }
        }
        topic
    }

    #[test]
    fn cores_that_meet_are_in_order() {
        let mut found = Broken::default();
        topic(0).check(&mut found);
        assert_eq!((found.meetings, found.broken), (12, 0));
    }

    #[test]
    fn a_core_of_another_capture_breaks_the_order() {
        for late in [-2100, 1900] {
            let mut found = Broken::default();
            topic(late).check(&mut found);
            assert!(found.broken >= 10, "{found:?}");
            assert_eq!(found.cores.iter().max_by_key(|(_, n)| **n).map(|(core, _)| *core), Some(2));
        }
    }

    /// Two cores meet; the times at which the second one arrives are those of another capture.
    #[test]
    fn a_wait_that_goes_on_after_all_messages_is_of_another_capture() {
        for (late, broken) in [(0, 0), (3000, 6)] {
            let mut topic = Topic::default();
            for meeting in 0..12_i64 {
                let at = 50_000 * meeting;
                // In turn one of them is late in its own capture, and the other one waits for it.
                let arrivals = [at + 4000 * (meeting & 1), at + 4000 * (1 - (meeting & 1))];
                let end = at + 4020 + late * (meeting & 1);
                for (core, (arrival, end)) in
                    (0..2).zip([(arrivals[0], at + 4020), (arrivals[1], end)])
                {
                    topic.sends.push((arrival, core));
                    let wait = Wait { start: arrival + 10, end, partners: 2 };
                    topic.waits.entry((core, 0)).or_default().push(wait);
                }
            }
            let mut found = Broken::default();
            topic.check(&mut found);
            assert_eq!((found.meetings, found.broken), (12, broken), "{late} ns late");
        }
    }

    #[test]
    fn what_is_not_certain_says_nothing() {
        let mut found = Broken::default();
        let mut lacks_one = topic(5000);
        lacks_one.sends.pop();
        lacks_one.check(&mut found);
        assert_eq!(found.meetings, 0);
    }
}
