//! 32-bit cycle counters (sections 5.3 and 5.5): unwrapped, then turned into ns.

/// Cycles of a turn of the counter.
pub(crate) const CIRCLE: i64 = 1 << 32;
const HALF: i64 = 1 << 31;

/// Records of one moment lie this close together (0.27 s at 1 GHz), counted modulo the counter.
pub(crate) const SAME_EPOCH: i64 = 1 << 28;

/// A start that lies this little before the last one (67 ms at 1 GHz) is disorder, not a wrap.
const SMALL_STEP: i64 = 1 << 26;

/// Unwraps the times of a TIU, GDMA or SDMA monitor. Returns the number of wraps.
///
/// A record that starts before the last one's end has wrapped only if that end is past half of the
/// counter and the step back is no small one; an end before its own start wrapped alone.
pub(crate) fn unwrap(start: &mut [i64], end: &mut [i64]) -> u64 {
    unwrap_if(start, end, |(now, _), (_, last_end)| now < last_end && last_end > HALF)
}

/// Unwraps the times of a CDMA monitor: a record wrapped only if its start and its end both lie
/// before the last one's, and the step back is no small one. Returns the number of wraps.
pub(crate) fn unwrap_cdma(start: &mut [i64], end: &mut [i64]) -> u64 {
    unwrap_if(start, end, |(now, now_end), (last, last_end)| now < last && now_end < last_end)
}

/// `is_back`: whether a record, by its start and end, lies before the last one.
fn unwrap_if(
    start: &mut [i64],
    end: &mut [i64],
    is_back: impl Fn((i64, i64), (i64, i64)) -> bool,
) -> u64 {
    let in_order = in_order(start, end);
    let last = in_order.checked_sub(1).map(|last| (start[last], end[last]));
    let (mut last_start, mut last_end) = last.unwrap_or_default();
    let mut last_wrapped = false;
    let mut lift = 0;
    let mut wraps = 0;
    for (start, end) in start.iter_mut().zip(end).skip(in_order) {
        let now = (*start + lift, *end + lift);
        // Only a record longer than half a turn can begin a small step before the one a turn earlier.
        let may_be_long = last_wrapped && last_end - last_start > HALF;
        let is_large = may_be_long || last_start - now.0 > SMALL_STEP;
        if is_large && is_back(now, (last_start, last_end)) {
            lift += CIRCLE;
        }
        // A record from before the wrap that is after one from behind it.
        let is_late = lift > 0 && !last_wrapped && *start + lift - last_start > CIRCLE - SMALL_STEP;
        last_wrapped = *end < *start;
        lift_record(start, end, if is_late { lift - CIRCLE } else { lift });
        wraps = wraps.max(*end / CIRCLE);
        (last_start, last_end) = (*start, *end);
    }
    wraps.unsigned_abs()
}

/// How many records at the front have not wrapped, whatever comes behind them: none begins before the one before it, or ends
/// before its own start.
fn in_order(start: &[i64], end: &[i64]) -> usize {
    let mut last = 0;
    let is_next = |(start, end): &(&i64, &i64)| {
        let is_next = **start >= last && **end >= **start && **end < CIRCLE;
        last = **start;
        is_next
    };
    start.iter().zip(end).take_while(is_next).count()
}

fn lift_record(start: &mut i64, end: &mut i64, lift: i64) {
    *start += lift;
    *end += lift;
    if *end < *start {
        *end += CIRCLE;
    }
}

/// At 1 GHz a cycle is a ns: below this, what both roundings lose is less than half of one.
const EXACT: u64 = 1 << 50;

/// Turns cycles of a clock of `mhz` into ns.
pub(crate) fn all_to_ns(times: &mut [i64], mhz: f64) {
    let is_exact = || times.iter().fold(0, |all, time| all | (time >> 63 ^ time) as u64) < EXACT;
    if mhz != 1000.0 || !is_exact() {
        times.iter_mut().for_each(|time| *time = to_ns(*time, mhz));
    }
}

/// Cycles of a clock of `mhz` in ns: `(cycles / mhz) * 1000` in doubles, to even at exact ties.
pub(crate) fn to_ns(cycles: i64, mhz: f64) -> i64 {
    if mhz == 1000.0 && cycles.unsigned_abs() < EXACT {
        return cycles;
    }
    ((cycles as f64 / mhz) * 1000.0).round_ties_even() as i64
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Any session without overlap comes back from its low 32 bits, whole circles apart.
        #[test]
        fn unwrapping_undoes_the_modulo(
            at in 0..CIRCLE,
            steps in prop::collection::vec((1i64..(1 << 30), 1i64..(1 << 29)), 1..80),
        ) {
            let mut now = at;
            let (mut start, mut end) = (Vec::new(), Vec::new());
            for (pause, duration) in steps {
                start.push(now);
                end.push(now + duration);
                now += duration + pause;
            }
            let low = |times: &[i64]| -> Vec<i64> { times.iter().map(|t| t % CIRCLE).collect() };
            let (mut low_start, mut low_end) = (low(&start), low(&end));
            unwrap(&mut low_start, &mut low_end);
            prop_assert_eq!(&low_start, &start);
            prop_assert_eq!(&low_end, &end);
            let (mut low_start, mut low_end) = (low(&start), low(&end));
            unwrap_cdma(&mut low_start, &mut low_end);
            prop_assert_eq!(low_start, start);
            prop_assert_eq!(low_end, end);
        }
    }

    #[test]
    fn overlap_is_not_a_wrap() {
        let (mut start, mut end) =
            (vec![3 << 30, (3 << 30) + 50], vec![(3 << 30) + 100, (3 << 30) + 120]);
        assert_eq!(unwrap(&mut start, &mut end), 0);
        let (mut start, mut end) = (vec![1000, 10], vec![1100, 20]);
        assert_eq!(unwrap(&mut start, &mut end), 0);
        assert_eq!(start, [1000, 10]);
    }

    #[test]
    fn disorder_at_the_wrap_is_no_second_wrap() {
        let top = CIRCLE - 100;
        let (mut start, mut end) = (vec![top, 10, top + 50, 30], vec![top + 20, 20, top + 60, 40]);
        assert_eq!(unwrap(&mut start, &mut end), 1);
        assert_eq!(start, [top, CIRCLE + 10, top + 50, CIRCLE + 30]);
    }

    #[test]
    fn a_swap_on_a_port_is_not_a_wrap() {
        let (mut start, mut end) = (vec![100, 300, 210, 400], vec![200, 390, 290, 500]);
        assert_eq!(unwrap_cdma(&mut start, &mut end), 0);
        assert_eq!(start, [100, 300, 210, 400]);
        let top = CIRCLE - 100;
        let (mut start, mut end) = (vec![top, 10, top + 50, 30], vec![top + 20, 20, top + 60, 40]);
        assert_eq!(unwrap_cdma(&mut start, &mut end), 1);
        assert_eq!(start, [top, CIRCLE + 10, top + 50, CIRCLE + 30]);
    }

    #[test]
    fn disorder_behind_a_record_that_wrapped_is_no_second_wrap() {
        let top = CIRCLE - 100;
        for unwrap in [unwrap, unwrap_cdma] {
            let (mut start, mut end) = (vec![top + 50, top, 30], vec![20, top + 40, 60]);
            assert_eq!(unwrap(&mut start, &mut end), 1);
            assert_eq!(
                (start, end),
                (vec![top + 50, top, CIRCLE + 30], vec![CIRCLE + 20, top + 40, CIRCLE + 60])
            );
        }
    }

    #[test]
    fn ns_are_rounded_to_even() {
        assert_eq!((to_ns(1, 2000.0), to_ns(3, 2000.0)), (0, 2));
        assert_eq!(to_ns(7, 900.0), 8);
        let plain = |cycles: i64| ((cycles as f64 / 1000.0) * 1000.0).round_ties_even() as i64;
        let all = (0..50).flat_map(|bit| [1i64 << bit, (1 << bit) - 1, (1 << bit) / 3 * 2 + 1]);
        for cycles in all.flat_map(|cycles| [cycles, -cycles]) {
            assert_eq!(to_ns(cycles, 1000.0), plain(cycles), "{cycles}");
        }
    }
}
