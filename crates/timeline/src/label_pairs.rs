//! Sends and waits without a command where one of them is lost or marked wrongly.
//!
//! Where an engine sends and waits at once, its system records stand in runs of an even number. A run of an odd number lacks one:
//! its record is lost, or not marked as a system command's; or another record is marked as one. Times and ids say which:
//!
//! ```text
//!   id   31   32   33     34 │ 1    2    3     4 │ 1    2    3    4
//!        work work send wait │ work work send    │ work work ?    wait
//!                                             ^ lost         ^ not marked
//! ```

use std::ops::RangeInclusive;

use crate::binding::Binding;
use crate::wide_events::WideEvents;

/// A retired send takes about ten ns; anything longer than this is a wait.
const LONGEST_SEND_NS: i64 = 1000;
/// Fewer whole runs say too little.
const FEWEST_WHOLE: usize = 6;
/// One in this many whole runs may lack a record.
const WHOLE_PER_ODD: usize = 6;

/// What speaks against an explanation of an odd run.
const COST_OF_MARK: u32 = 2;
const COST_OF_LOST: u32 = 1;
/// Ids begin anew where the record is said to be lost, so that it may have had the last one; or none is missing there.
const COST_OF_RESTART: u32 = 1;
const COST_OF_NO_HOLE: u32 = 5;
const COST_OF_NO_SYSTEM: u32 = 3;
/// Sends take nearly the same time each: within a quarter of that of others. Waits take up to twice as long, or half as long.
const COST_OF_OTHER_SEND: u32 = 4;
const COST_OF_OTHER_WAIT: u32 = 2;

/// Marks an event as a send or a wait: what takes longer than a send can is a wait.
pub(crate) fn bind(events: &mut WideEvents, i: usize, is_wait: bool) {
    let is_wait = is_wait || events.duration(i) > LONGEST_SEND_NS;
    events.binding[i] = if is_wait { Binding::Wait } else { Binding::Send };
}

/// Why a run has an odd number of records; places count in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fault {
    /// The record before this place is lost.
    Lost(usize),
    /// The event before the run is one of it, but not marked.
    FrontUnmarked,
    BackUnmarked,
    /// The event at this place is none of a system command.
    Marked(usize),
}

/// How long sends and waits take in whole runs, and at which of the two places of a pair the waits are.
struct Usual {
    sends: RangeInclusive<i64>,
    waits: RangeInclusive<i64>,
    wait_place: usize,
}

impl Usual {
    fn find(events: &WideEvents, whole: &[&[usize]]) -> Option<Self> {
        let at = |place: usize| {
            let of_place = whole.iter().flat_map(move |run| run.iter().skip(place).step_by(2));
            of_place.map(|&i| events.duration(i))
        };
        let wait_place = usize::from(at(1).sum::<i64>() > at(0).sum::<i64>());
        let range = |place: usize| Some((at(place).min()?, at(place).max()?));
        let ((send, longest_send), (wait, longest_wait)) =
            (range(1 - wait_place)?, range(wait_place)?);
        let sends = send * 3 / 4..=longest_send.saturating_add(longest_send / 4);
        let waits = wait / 2..=longest_wait.saturating_mul(2);
        Some(Self { sends, waits, wait_place })
    }

    fn cost(&self, duration: i64, is_wait: bool) -> u32 {
        match is_wait {
            true if !self.waits.contains(&duration) => COST_OF_OTHER_WAIT,
            false if !self.sends.contains(&duration) => COST_OF_OTHER_SEND,
            _ => 0,
        }
    }
}

/// Labels the system records by their places in runs. Returns the events that are marked wrongly; `None` where all runs have an even
/// number of records, or too many have not.
pub(crate) fn label_by_pairs(
    events: &mut WideEvents,
    system: &[usize],
    is_nearly: &dyn Fn(u32) -> bool,
) -> Option<Vec<usize>> {
    let runs: Vec<&[usize]> = system.chunk_by(|a, b| a + 1 == *b).collect();
    let (whole, odd): (Vec<&[usize]>, Vec<&[usize]>) =
        runs.iter().partition(|run| run.len().is_multiple_of(2));
    let is_rare = whole.len() >= FEWEST_WHOLE && odd.len() * WHOLE_PER_ODD <= whole.len();
    if odd.is_empty() || !is_rare {
        return None;
    }
    let usual = Usual::find(events, &whole)?;
    let mut wrong = Vec::new();
    for run in runs {
        let fault = match run.len().is_multiple_of(2) {
            true => None,
            false => Some(cheapest_fault(events, &usual, run, is_nearly)?),
        };
        let (first, last) = (*run.first()?, *run.last()?);
        let mut place = 0;
        if fault == Some(Fault::FrontUnmarked) {
            bind(events, first - 1, usual.wait_place == 0);
            wrong.push(first - 1);
            place = 1;
        }
        for (nth, &i) in run.iter().enumerate() {
            match fault {
                Some(Fault::Lost(lost)) if lost == nth => place += 1,
                Some(Fault::Marked(marked)) if marked == nth => {
                    wrong.push(i);
                    continue;
                }
                _ => {}
            }
            bind(events, i, place % 2 == usual.wait_place);
            place += 1;
        }
        if fault == Some(Fault::BackUnmarked) {
            bind(events, last + 1, place % 2 == usual.wait_place);
            wrong.push(last + 1);
        }
    }
    Some(wrong)
}

/// What explains a run best.
fn cheapest_fault(
    events: &WideEvents,
    usual: &Usual,
    run: &[usize],
    is_nearly: &dyn Fn(u32) -> bool,
) -> Option<Fault> {
    let (first, last) = (*run.first()?, *run.last()?);
    // By how much ids grow to an event; `None` at a restart and at the ends.
    let step = |i: usize| {
        let before = *events.id.get(i.checked_sub(1)?)?;
        let step = *events.id.get(i)? - before;
        (step > 0).then_some(step)
    };
    // The first record of a launch has it: none is lost before that.
    let lowest = events.id.iter().min();
    let is_free = |i: usize| events.binding.get(i).is_some_and(|binding| !binding.is_bound());
    let is_unmarked = |i: usize, behind: usize| {
        is_free(i) && step(behind) == Some(1) && events.record.get(i).is_some_and(|r| is_nearly(*r))
    };
    let cost = |fault: Fault| {
        let mut place = usize::from(fault == Fault::FrontUnmarked);
        let mut cost = 0;
        for (nth, &i) in run.iter().enumerate() {
            match fault {
                Fault::Lost(lost) if lost == nth => place += 1,
                Fault::Marked(marked) if marked == nth => continue,
                _ => {}
            }
            cost += usual.cost(events.duration(i), place % 2 == usual.wait_place);
            place += 1;
        }
        cost + match fault {
            Fault::Lost(lost) => {
                COST_OF_LOST
                    + match step(first + lost) {
                        Some(2) => 0,
                        None if lost == run.len() || events.id.get(first + lost) > lowest => {
                            COST_OF_RESTART
                        }
                        _ => COST_OF_NO_HOLE,
                    }
            }
            Fault::FrontUnmarked => {
                COST_OF_MARK + usual.cost(events.duration(first - 1), usual.wait_place == 0)
            }
            Fault::BackUnmarked => {
                COST_OF_MARK + usual.cost(events.duration(last + 1), place % 2 == usual.wait_place)
            }
            Fault::Marked(marked) => {
                let others = run.iter().enumerate().filter(|(nth, _)| *nth != marked);
                let others: Vec<usize> = others.map(|(_, i)| *i).collect();
                let follow = |pair: &[usize]| match *pair {
                    [a, b] => events.id.get(a).map(|id| id + 1) == events.id.get(b).copied(),
                    _ => false,
                };
                let are_pairs = others.chunks(2).all(follow);
                COST_OF_NO_SYSTEM + if are_pairs { 0 } else { COST_OF_NO_HOLE }
            }
        }
    };
    let mut faults: Vec<Fault> = (0..=run.len()).map(Fault::Lost).collect();
    if first.checked_sub(1).is_some_and(|before| is_unmarked(before, first)) {
        faults.push(Fault::FrontUnmarked);
    }
    if is_unmarked(last + 1, last + 1) {
        faults.push(Fault::BackUnmarked);
    }
    faults.extend((0..run.len()).map(Fault::Marked));
    faults.into_iter().min_by_key(|fault| cost(*fault))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::binding::Binding;

    /// Launches of four commands, a send and a wait each, whose ids begin anew.
    fn launches() -> WideEvents {
        let n = 60;
        let durations = (0..n).map(|i| [240, 300, 260, 250, 12, 400 + 7 * (i as i64 % 11)][i % 6]);
        let ids = (0..n as i64).map(|i| i % 6 + 1).collect();
        WideEvents::new(vec![0; n], durations.collect(), ids, (0..n as u32).collect())
    }

    fn is_system(record: u32) -> bool {
        record % 6 > 3
    }

    /// How many events other than `damaged` have not the label that they have in a sound list.
    fn wrong(events: &WideEvents, damaged: usize) -> usize {
        let expected = |record: u32| match record % 6 {
            4 => Binding::Send,
            5 => Binding::Wait,
            _ => Binding::None,
        };
        let pairs = events.binding.iter().zip(&events.record);
        let others = pairs.filter(|(_, record)| **record as usize != damaged);
        others.filter(|(binding, record)| **binding != expected(**record)).count()
    }

    fn label(events: &mut WideEvents, is_system: impl Fn(u32) -> bool) -> Option<Vec<usize>> {
        let system: Vec<usize> =
            (0..events.len()).filter(|&i| is_system(events.record[i])).collect();
        label_by_pairs(events, &system, &|_| true)
    }

    #[test]
    fn whole_runs_are_left_alone() {
        assert_eq!(label(&mut launches(), is_system), None);
    }

    #[test]
    fn a_record_that_is_not_marked_is_found() {
        for damaged in (0..60).filter(|i| i % 6 > 3) {
            let mut events = launches();
            let found = label(&mut events, |r| is_system(r) && r as usize != damaged);
            assert_eq!(found, Some(vec![damaged]));
            assert_eq!(wrong(&events, 60), 0, "record {damaged}");
        }
    }

    #[test]
    fn a_record_that_is_marked_wrongly_is_found() {
        for damaged in (0..60).filter(|i| i % 6 <= 3) {
            let mut events = launches();
            let found = label(&mut events, |r| is_system(r) || r as usize == damaged);
            assert_eq!(found, Some(vec![damaged]));
            assert_eq!(wrong(&events, 60), 0, "record {damaged}");
        }
    }

    #[test]
    fn a_lost_send_or_wait_before_a_restart_costs_itself() {
        for damaged in (0..60).filter(|i| i % 6 > 3) {
            let mut events = launches();
            events.reorder(&(0..60).filter(|i| *i != damaged).collect::<Vec<usize>>());
            assert_eq!(label(&mut events, is_system), Some(vec![]));
            assert_eq!(wrong(&events, damaged), 0, "record {damaged}");
        }
    }
}
