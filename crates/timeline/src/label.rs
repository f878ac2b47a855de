//! System records without a command (section 6): are they sends or waits?

use crate::label_pairs::{bind, label_by_pairs};
use crate::wide_events::WideEvents;

/// Labels all unbound system records. They alternate send and wait: of the two parities, the one
/// with more total time is `wait`, the even one on a tie.
///
/// `is_nearly`: whether all but a bit of a record marks it as one of them; where it is given, a record that is marked wrongly is put
/// right. Returns the events of those.
pub(crate) fn label(
    events: &mut WideEvents,
    is_system: impl Fn(u32) -> bool,
    is_nearly: Option<&dyn Fn(u32) -> bool>,
) -> Vec<usize> {
    let all = events.binding.iter().zip(&events.record).enumerate();
    let system: Vec<usize> = all
        .filter(|(_, (binding, record))| !binding.is_bound() && is_system(**record))
        .map(|(i, _)| i)
        .collect();
    if let Some(is_nearly) = is_nearly
        && let Some(found) = label_by_pairs(events, &system, is_nearly)
    {
        return found;
    }
    let mut totals = [0i64; 2];
    let lost = lost_before(events, &system);
    let parity = |nth: usize| (nth + lost.partition_point(|at| *at <= nth)) & 1;
    for (nth, &i) in system.iter().enumerate() {
        totals[parity(nth)] += events.duration(i);
    }
    let wait_parity = usize::from(totals[1] > totals[0]);
    for (nth, &i) in system.iter().enumerate() {
        bind(events, i, parity(nth) == wait_parity);
    }
    Vec::new()
}

/// One in this many pairs may lack its send or wait; one in so many records, where an id is missing there as well.
const PAIRS_PER_LOST: usize = 16;
const RECORDS_PER_LOST: usize = 16;

/// Before which of the system records one is lost (or is no longer known as one): a send and its wait follow one another and have
/// ids that do, and from there on they do so at the other parity.
fn lost_before(events: &WideEvents, system: &[usize]) -> Vec<usize> {
    let is_pair = |nth: usize| match system.get(nth..nth + 2) {
        Some(&[a, b]) => b == a + 1 && events.id[b] == events.id[a] + 1,
        _ => false,
    };
    // In longer runs of system records any two may be the pair.
    let is_alone = |nth: &usize| {
        is_pair(*nth) && !is_pair(nth + 1) && !nth.checked_sub(1).is_some_and(is_pair)
    };
    let pairs: Vec<usize> = (0..system.len()).filter(is_alone).collect();
    let change = |two: &[usize]| match two {
        [a, b] if (a ^ b) & 1 == 1 => Some((*b, hole(events, system, *a, *b))),
        _ => None,
    };
    let holes: Vec<(usize, Option<usize>)> = pairs.windows(2).filter_map(change).collect();
    let has_holes = holes.iter().all(|(_, hole)| hole.is_some());
    let is_rare = holes.len() * PAIRS_PER_LOST <= pairs.len()
        || has_holes && holes.len() * RECORDS_PER_LOST <= events.len();
    let lost = holes.into_iter().map(|(pair, hole)| hole.unwrap_or(pair));
    if is_rare { lost.collect() } else { Vec::new() }
}

/// Before which of the system records between two pairs an id is missing; `None` where none or several are.
fn hole(events: &WideEvents, system: &[usize], one: usize, other: usize) -> Option<usize> {
    let between = *system.get(one)? + 2..=*system.get(other)?;
    let mut holes = between.filter(|&i| events.id[i] == events.id[i - 1] + 2);
    let (hole, None) = (holes.next()?, holes.next()) else { return None };
    Some(system.partition_point(|&i| i < hole))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::binding::Binding;

    fn events(durations: &[i64]) -> WideEvents {
        let n = durations.len();
        let start = vec![0; n];
        WideEvents::new(start, durations.to_vec(), vec![0; n], (0..n as u32).collect())
    }

    #[test]
    fn the_longer_parity_is_the_waits() {
        let mut e = events(&[10, 500, 11, 5, 12, 400]);
        label(&mut e, |_| true, None);
        use Binding::{Send, Wait};
        assert_eq!(e.binding, [Send, Wait, Send, Wait, Send, Wait]);
    }

    /// Forty pairs of a send and a wait, each behind a transfer.
    fn pairs() -> WideEvents {
        let n = 120;
        let durations = (0..n).map(|i| [300, 10, 15][i % 3]).collect();
        WideEvents::new(vec![0; n], durations, (0..n as i64).collect(), (0..n as u32).collect())
    }

    #[test]
    fn a_lost_send_or_wait_costs_itself() {
        use Binding::{Send, Wait};
        for lost in 0..120 {
            let mut e = pairs();
            let kept: Vec<usize> = (0..120).filter(|i| *i != lost).collect();
            e.reorder(&kept);
            label(&mut e, |record| record % 3 != 0, None);
            let wrong = e.binding.iter().zip(&e.record).filter(|(binding, record)| {
                **binding != [Binding::None, Send, Wait][**record as usize % 3]
            });
            assert!(wrong.count() <= 1, "record {lost}");
        }
    }

    /// Among few pairs, a lost send or wait is known where its id is missing, too.
    #[test]
    fn a_missing_id_tells_of_a_lost_send_among_few_pairs() {
        use Binding::{Send, Wait};
        // Behind the first pair and before the last one.
        for lost in (4..27).filter(|i| i % 3 != 0) {
            let mut e = pairs();
            e.reorder(&(0..30).filter(|i| *i != lost).collect::<Vec<usize>>());
            label(&mut e, |record| record % 3 != 0, None);
            for (binding, record) in e.binding.iter().zip(&e.record) {
                let expected = [Binding::None, Send, Wait][*record as usize % 3];
                assert_eq!(*binding, expected, "record {record}, lost {lost}");
            }
        }
    }

    #[test]
    fn a_tie_makes_even_places_wait_and_long_ones_always_do() {
        let mut e = events(&[10, 10, 10, 5000]);
        label(&mut e, |record| record != 3, None);
        assert_eq!(&e.binding[..3], [Binding::Wait, Binding::Send, Binding::Wait]);
        let mut e = events(&[2000, 2000]);
        label(&mut e, |_| true, None);
        assert_eq!(e.binding, [Binding::Wait, Binding::Wait]);
    }
}
