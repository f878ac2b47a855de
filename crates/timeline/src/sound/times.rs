//! Times that can't be those of their records.
//!
//! An engine works on one command after another, and the PMU writes its records in this order. So each start and each
//! end lies between its neighbours', modulo the turns of the counter:
//!
//! ```text
//!   end before ≤ start ≤ end ≤ start behind
//! ```
//!
//! Where one of them does not, exactly one change may put all in order: then it is made. A single bit of the time that
//! does so is the damage; else the time becomes the nearest that can be.

use super::{RECORDS_PER_FAULT, cycles_between};

/// Fewer records say too little about their times.
const FEWEST_RECORDS: usize = 16;

/// A record whose time was put right or is in doubt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TimeFault {
    /// Index of the record.
    pub(crate) record: usize,
    /// Start and end as they are in the file.
    pub(crate) was: (u32, u32),
    /// A single bit was changed; else the time is not known.
    pub(crate) is_repaired: bool,
}

/// Puts right what can't be. `bytes`: how many a record moved; `None` where that does not say how long it takes.
pub(crate) fn repair_times(
    times: &mut [(u32, u32)],
    bytes: impl Fn(usize) -> Option<u64>,
) -> Vec<TimeFault> {
    let n = times.len();
    let longest = longest_inside(times);
    let too_long = |times: &[(u32, u32)], i: usize| {
        let is_long = is_long_by_bit(times[i], longest);
        is_long && times_of_its_bytes(times, i, &bytes).is_some_and(|n| n > TIMES_LONGER)
    };
    let is_odd = |i: usize| {
        let own = times[i];
        cycles_between(own.0, own.1) < 0
            || times.get(i + 1).is_some_and(|next| cycles_between(own.1, next.0) < 0)
    };
    let ends_are_odd = n >= FEWEST_RECORDS && (too_long(times, 0) || too_long(times, n - 1));
    if n < FEWEST_RECORDS || !(ends_are_odd || (0..n).any(is_odd)) {
        return Vec::new();
    }
    let mut repaired = times.to_vec();
    let mut faults: Vec<TimeFault> = Vec::new();
    let mut i = 0;
    while i < n {
        if let Some(found) = Fault::mend(&repaired, i) {
            for (record, now, is_repaired) in found {
                faults.push(TimeFault { record, was: times[record], is_repaired });
                repaired[record] = now;
            }
        }
        i += 1;
    }
    // The first start and the last end have a neighbour on one side only.
    let (first, last) = (repaired[0], repaired[n - 1]);
    if too_long(&repaired, 0) || cycles_between(first.0, first.1) < 0 {
        let (start, is_repaired) = mended(first.0, first.1.wrapping_sub(longest as u32), first.1);
        faults.push(TimeFault { record: 0, was: times[0], is_repaired });
        repaired[0].0 = start;
    }
    if too_long(&repaired, n - 1) || cycles_between(last.0, last.1) < 0 {
        let (end, is_repaired) = mended(last.1, last.0, last.0.wrapping_add(longest as u32));
        faults.push(TimeFault { record: n - 1, was: times[n - 1], is_repaired });
        repaired[n - 1].1 = end;
    }
    if faults.len() * RECORDS_PER_FAULT > n {
        return Vec::new();
    }
    times.copy_from_slice(&repaired);
    faults
}

/// The longest record between the first and the last, in cycles.
pub(super) fn longest_inside(times: &[(u32, u32)]) -> i64 {
    let inside = times.get(1..times.len().saturating_sub(1)).unwrap_or_default();
    let cycles = inside.iter().map(|own| cycles_between(own.0, own.1));
    cycles.filter(|cycles| *cycles < LONGEST).max().unwrap_or(0).max(1)
}

/// A record of more than half a second is a wait that says nothing of others.
const LONGEST: i64 = 1 << 29;
/// The first or the last transfer is so many times longer than any other, and than its bytes take, only if a bit of its time is wrong.
const TIMES_LONGER: i64 = 6;

/// Whether a record at an end is far longer than all others, and one bit explains it.
fn is_long_by_bit((start, end): (u32, u32), longest: i64) -> bool {
    let cycles = i64::from(end.wrapping_sub(start));
    let by_bit = |bit: u32| (0..=longest).contains(&(cycles - (1 << bit)));
    cycles > TIMES_LONGER * longest && (0..32).any(by_bit)
}

/// How many times longer a record at an end lasts than its bytes take in the record that moves most; `None` where bytes do not say it.
fn times_of_its_bytes(
    times: &[(u32, u32)],
    i: usize,
    bytes: impl Fn(usize) -> Option<u64>,
) -> Option<i64> {
    let own = bytes(i)?;
    let inside = 1..times.len().saturating_sub(1);
    let (most, longest) = inside
        .filter_map(|k| Some((bytes(k)?, cycles_between(times[k].0, times[k].1))))
        .filter(|(_, cycles)| (1..LONGEST).contains(cycles))
        .max()?;
    let cycles = i128::from(times[i].1.wrapping_sub(times[i].0));
    let expected = i128::from(longest) * i128::from(own.max(most)) / i128::from(most.max(1));
    i64::try_from(cycles / expected.max(1)).ok()
}

/// A small step back of the last records is a stray of the firmware.
const STRAY: i64 = 1 << 12;

/// A record with its new times, and whether a single bit was changed.
type Mended = (usize, (u32, u32), bool);

struct Fault;

impl Fault {
    /// What is at odds at record `i` or between it and the next one; the records with their new times.
    fn mend(times: &[(u32, u32)], i: usize) -> Option<Vec<Mended>> {
        let n = times.len();
        let own = times[i];
        let before = i.checked_sub(1).map(|b| times[b]);
        let next = times.get(i + 1).copied();
        if cycles_between(own.0, own.1) < 0 {
            return Self::inverted(times, i, before, next);
        }
        let next = next?;
        let step = cycles_between(own.1, next.0);
        if step >= 0 || i + 2 >= n && step > -STRAY || is_exchange(times, i) {
            return None;
        }
        // Either this record ends too late, or the next one starts too early.
        let end_is_late = cycles_between(own.0, next.0) >= 0;
        let start_is_early = cycles_between(own.1, next.1) >= 0;
        match (end_is_late, start_is_early) {
            (true, false) => {
                let (end, is_repaired) = mended(own.1, own.0, next.0);
                Some(vec![(i, (own.0, end), is_repaired)])
            }
            (false, true) => {
                let (start, is_repaired) = mended(next.0, own.1, next.1);
                Some(vec![(i + 1, (start, next.1), is_repaired)])
            }
            (true, true) => {
                // One bit in one of them, or in either.
                let (end, by_end) = mended(own.1, own.0, next.0);
                let (start, by_start) = mended(next.0, own.1, next.1);
                match (by_end, by_start) {
                    (true, false) => Some(vec![(i, (own.0, end), true)]),
                    (false, true) => Some(vec![(i + 1, (start, next.1), true)]),
                    _ => Some(vec![(i, own, false), (i + 1, next, false)]),
                }
            }
            (false, false) => Self::whole(times, i),
        }
    }

    /// A record that ends before it starts.
    fn inverted(
        times: &[(u32, u32)],
        i: usize,
        before: Option<(u32, u32)>,
        next: Option<(u32, u32)>,
    ) -> Option<Vec<Mended>> {
        let own = times[i];
        let is_first_sane = before.is_none_or(|b| cycles_between(b.1, own.0) >= 0);
        let end_fits = next.is_some_and(|next| cycles_between(own.0, next.0) >= 0) && is_first_sane;
        let is_last_sane = next.is_none_or(|next| cycles_between(own.1, next.0) >= 0);
        let start_fits = before.is_some_and(|b| cycles_between(b.1, own.1) >= 0) && is_last_sane;
        let end = || mended(own.1, own.0, next.map_or(own.0, |next| next.0));
        let start = || mended(own.0, before.map_or(own.1, |b| b.1), own.1);
        match (start_fits, end_fits) {
            (true, false) => {
                let (start, is_repaired) = start();
                Some(vec![(i, (start, own.1), is_repaired)])
            }
            (false, true) => {
                let (end, is_repaired) = end();
                Some(vec![(i, (own.0, end), is_repaired)])
            }
            (true, true) => match (start(), end()) {
                ((start, true), (_, false)) => Some(vec![(i, (start, own.1), true)]),
                ((_, false), (end, true)) => Some(vec![(i, (own.0, end), true)]),
                // Which of the two is wrong is not known: both lie between the neighbours.
                _ => Some(vec![(i, (own.1, own.0), false)]),
            },
            (false, false) => {
                // The ends of the list are looked at once all others are in order.
                let (before, next) = (before?, next?);
                let fits = cycles_between(before.1, next.0) >= 0;
                fits.then(|| vec![(i, (before.1, before.1), false)])
            }
        }
    }

    /// A record with which nothing fits, while its neighbours fit each other.
    fn whole(times: &[(u32, u32)], i: usize) -> Option<Vec<Mended>> {
        let end = times[i].1;
        let fits = |from: u32, to: Option<&(u32, u32)>| {
            to.is_some_and(|to| cycles_between(from, to.0) >= 0 && cycles_between(to.0, to.1) >= 0)
        };
        if fits(end, times.get(i + 2)) {
            return Some(vec![(i + 1, (end, end), false)]);
        }
        let before = times[i.checked_sub(1)?].1;
        fits(before, times.get(i + 1)).then(|| vec![(i, (before, before), false)])
    }
}

/// Whether a record and the next one have exchanged their places.
fn is_exchange(times: &[(u32, u32)], i: usize) -> bool {
    let (a, Some(&b)) = (times[i], times.get(i + 1)) else { return false };
    let before = i.checked_sub(1).map(|before| times[before].1);
    cycles_between(b.0, b.1) >= 0
        && cycles_between(b.1, a.0) >= 0
        && before.is_none_or(|before| cycles_between(before, b.0) >= 0)
        && times.get(i + 2).is_none_or(|behind| cycles_between(a.1, behind.0) >= 0)
}

/// The time between two others that is nearest to a wrong one: by a single bit, if exactly one does it.
fn mended(wrong: u32, from: u32, to: u32) -> (u32, bool) {
    let width = cycles_between(from, to);
    let is_within = |time: &u32| (0..=width).contains(&cycles_between(from, *time));
    let mut by_bit = (0..32).map(|bit| wrong ^ 1 << bit).filter(is_within);
    match (by_bit.next(), by_bit.next()) {
        (Some(only), None) => (only, true),
        // The highest bit is the one that moved it so far away.
        (Some(first), Some(second)) => (by_bit.next_back().unwrap_or(second.max(first)), false),
        (None, _) => {
            let is_before = cycles_between(from, wrong) < 0;
            (if is_before { from } else { to }, false)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn session() -> Vec<(u32, u32)> {
        let mut now = u32::MAX - 40_000;
        let record = |i: u32| {
            let start = now.wrapping_add(20 + 300 * (i & 1));
            now = start.wrapping_add(40 + 13 * (i % 7));
            (start, now)
        };
        (0..200).map(record).collect()
    }

    #[test]
    fn times_that_can_be_stay() {
        let mut times = session();
        assert!(repair_times(&mut times, |_| Some(64)).is_empty());
        assert_eq!(times, session());
    }

    /// Whichever bit of a time changes: all times come back, or lie between those of their neighbours.
    #[test]
    fn no_changed_bit_moves_a_record_past_its_neighbours() {
        for at in 1..197 {
            for bit in 0..64 {
                let mut times = session();
                let wrong = if bit < 32 { &mut times[at].0 } else { &mut times[at].1 };
                *wrong ^= 1 << (bit % 32);
                let faults = repair_times(&mut times, |_| Some(64));
                let away = |(now, right): (&(u32, u32), &(u32, u32))| {
                    cycles_between(now.0, right.0).abs().max(cycles_between(now.1, right.1).abs())
                };
                let worst = times.iter().zip(&session()).map(away).max().unwrap_or(0);
                assert!(worst <= 700, "bit {bit} of {at}: {worst} cycles away, {faults:?}");
                assert!(bit % 32 < 10 || faults.len() == 1, "bit {bit} of {at}: {faults:?}");
            }
        }
    }

    /// The first start and the last end have no neighbour: what is far too long is told.
    #[test]
    fn wrong_times_at_the_ends_are_told() {
        for (at, bits) in [(0, 11..32), (199, 44..64)] {
            for bit in bits {
                let mut times = session();
                let wrong = if bit < 32 { &mut times[at].0 } else { &mut times[at].1 };
                *wrong ^= 1 << (bit % 32);
                let faults = repair_times(&mut times, |_| Some(64));
                assert!(faults.iter().any(|fault| fault.record == at), "bit {bit} of {at}");
                let (now, right) = (times[at], session()[at]);
                let away =
                    cycles_between(now.0, right.0).abs().max(cycles_between(now.1, right.1).abs());
                assert!(away <= 256, "bit {bit} of {at}: {away} cycles away");
            }
        }
    }

    /// A wait may take any time, and so may a transfer of more bytes than any other.
    #[test]
    fn long_waits_and_large_transfers_at_the_ends_are_no_wrong_times() {
        let kinds: [fn(usize) -> Option<u64>; 2] =
            [|_| None, |i| Some(if i == 0 || i == 199 { 1 << 30 } else { 64 })];
        for (at, bit) in [(0, 15), (199, 15), (0, 18), (199, 18)] {
            for bytes in kinds {
                let mut times = session();
                match at {
                    0 => times[at].0 ^= 1 << bit,
                    _ => times[at].1 ^= 1 << bit,
                }
                let times_before = times.clone();
                // A record that ends before it starts is wrong in any case.
                if cycles_between(times[at].0, times[at].1) > 0 {
                    assert!(repair_times(&mut times, bytes).is_empty(), "bit {bit} of {at}");
                    assert_eq!(times, times_before);
                }
            }
        }
    }

    #[test]
    fn the_seam_of_a_ring_and_an_exchange_are_no_wrong_times() {
        let mut times = session();
        times.rotate_left(57);
        let ring = times.clone();
        assert!(repair_times(&mut times, |_| Some(64)).is_empty());
        assert_eq!(times, ring);
        let mut times = session();
        times.swap(90, 91);
        assert!(repair_times(&mut times, |_| Some(64)).is_empty());
    }
}
