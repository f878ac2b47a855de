//! Turns of a core's counters (section 5.5): which engine's records belong to which turn.
//!
//! A PMU counter has 32 bits and turns over every few seconds. Within an engine the stream shows the turns; between
//! engines of a core their records do, since they worked together:
//! - engines that share a clock begin on the same turn (clocks of different rates: see [`crate::clock_turns`]);
//! - a jump of about a turn that no other engine of the core knows of is no pause: the ring lapped there, or a record
//!   was out of order.

use crate::clock::{CIRCLE, SAME_EPOCH};
use crate::wide_events::WideEvents;

/// How many cycles to add to an engine whose first record starts at `first`, so that it counts on the same
/// turn of the counter as one that starts at `base`: the counter may have wrapped between the two.
pub(crate) fn same_turn(base: i64, first: i64) -> i64 {
    let apart = first - base;
    if (apart - CIRCLE).abs() <= SAME_EPOCH {
        -CIRCLE
    } else if (apart + CIRCLE).abs() <= SAME_EPOCH {
        CIRCLE
    } else {
        0
    }
}

/// What a jump of about a turn turned out to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Jump {
    /// The seam of a lapped ring: the records from here on are the older ones.
    Seam(usize),
    /// A turn too many from here on.
    FalseTurn(usize),
    /// Neither fits the records around it.
    Unclear(usize),
}

/// Finds the jump of an engine that no other engine of its core shares.
pub(crate) fn lonely_jump(own: &WideEvents, others: &[&WideEvents]) -> Option<Jump> {
    let others = || others.iter().filter(|events| events.len() > 1);
    let agree = |events: &&&WideEvents| gaps(events).any(|gap| gap > CIRCLE / 2);
    let at = gaps(own).position(is_about_a_turn)? + 1;
    if others().next().is_none() || others().any(|events| agree(&events)) {
        return None;
    }
    let (first, last) = (own.start.first()?, own.end.last()?);
    let (before, behind) = (own.end.get(at - 1)?, own.start.get(at)?);
    let is_older = (0..=SAME_EPOCH).contains(&(first - (last - CIRCLE)));
    let is_near = (behind - CIRCLE - before).abs() <= SAME_EPOCH;
    Some(match (is_older, is_near) {
        (true, _) => Jump::Seam(at),
        (false, true) => Jump::FalseTurn(at),
        (false, false) => Jump::Unclear(at),
    })
}

/// Cycles from the end of the record before to the start of a record, of each but the first.
fn gaps(events: &WideEvents) -> impl Iterator<Item = i64> {
    events.start.iter().skip(1).zip(&events.end).map(|(start, end)| start - end)
}

fn is_about_a_turn(gap: i64) -> bool {
    (gap - CIRCLE).abs() <= SAME_EPOCH
}

/// Takes a turn off the records from `at` on.
pub(crate) fn lower(events: &mut WideEvents, at: usize) {
    for times in [&mut events.start, &mut events.end] {
        times.iter_mut().skip(at).for_each(|time| *time -= CIRCLE);
    }
}

/// Takes a turn off the records from `at` on, which are the older ones, and puts them first.
pub(crate) fn rotate(events: &mut WideEvents, at: usize) {
    lower(events, at);
    let order: Vec<usize> = (at..events.len()).chain(0..at).collect();
    events.reorder(&order);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn events(times: &[(i64, i64)]) -> WideEvents {
        let (start, end) = times.iter().copied().unzip();
        WideEvents::new(
            start,
            end,
            (0..times.len() as i64).collect(),
            (0..times.len() as u32).collect(),
        )
    }

    #[test]
    fn engines_count_on_the_same_turn() {
        assert_eq!(same_turn(CIRCLE - 50, 70), CIRCLE);
        assert_eq!(same_turn(70, CIRCLE - 50), -CIRCLE);
        assert_eq!(same_turn(70, 3 << 30), 0);
    }

    #[test]
    fn a_seam_and_a_false_turn_differ_from_a_pause() {
        let near = events(&[(100, 200), (300, 400), (500, 900)]);
        let lapped = events(&[(500, 600), (700, 800), (CIRCLE + 100, CIRCLE + 200)]);
        assert_eq!(lonely_jump(&lapped, &[&near]), Some(Jump::Seam(2)));
        let lifted = events(&[(100, 200), (CIRCLE + 250, CIRCLE + 300)]);
        assert_eq!(lonely_jump(&lifted, &[&near]), Some(Jump::FalseTurn(1)));
        assert_eq!(lonely_jump(&lifted, &[]), None, "no engine to ask");
        let pause = events(&[(100, 200), (CIRCLE + 150, CIRCLE + 180)]);
        assert_eq!(lonely_jump(&lifted, &[&pause]), None, "another engine paused too");
        let mut rotated = lapped.clone();
        rotate(&mut rotated, 2);
        assert_eq!((rotated.start, rotated.id), (vec![100, 500, 700], vec![2, 0, 1]));
    }
}
