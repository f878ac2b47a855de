//! What is shown of transfers, a block of them at a time: bandwidths are computed column by column, several at once.

use std::ops::Range;

use bigtpu_timeline::Events;

use crate::number::nearest_if_sure;
use crate::track_commands::TrackCommands;
use crate::transfer::{ByteCounts, Shown, gbps};

/// Events that are looked at together.
const ROWS: usize = 128;

impl TrackCommands<'_, '_> {
    /// What is shown of the transfers among some events, with their places in the track and their kinds. `counts`: by kind.
    #[inline]
    pub fn each_transfer(
        &self,
        events: Range<usize>,
        counts: &[ByteCounts],
        mut each: impl FnMut(usize, u32, Shown),
    ) {
        let Events { start, end, .. } = &self.track.events;
        let until = events.end.min(self.len()).min(start.len()).min(end.len());
        let is_simulated = !self.track.simulated_bytes.is_empty();
        let (bytes, rates) = (&mut [0; ROWS], &mut [0.0; ROWS]);
        for first in (events.start..until).step_by(ROWS) {
            let rows = first..until.min(first + ROWS);
            let starts = start.get(rows.clone()).unwrap_or_default();
            let ends = end.get(rows.clone()).unwrap_or_default();
            let kinds = self.columns.columns.kind.get(rows.clone()).unwrap_or_default();
            let bytes = bytes.get_mut(..rows.len()).unwrap_or_default();
            bytes.fill(0);
            self.columns.columns.bytes.read_bits(first, bytes);
            set_rates(rates, bytes, [starts, ends]);
            let times = starts.iter().zip(ends);
            let transfers = bytes.iter().zip(&*rates).zip(times);
            for (event, (number, ((bytes, rate), (start, end)))) in
                rows.zip(kinds.iter().zip(transfers))
            {
                let Some(counts) = counts.get(*number as usize) else { continue };
                let shown = match *counts {
                    ByteCounts::Nothing => continue,
                    ByteCounts::Bytes | ByteCounts::Ddr | ByteCounts::L2 if !is_simulated => {
                        let rate = if rate.is_nan() { gbps(*bytes, end - start) } else { *rate };
                        Shown {
                            bytes: *bytes,
                            ddr_gbps: if *counts == ByteCounts::Ddr { rate } else { 0.0 },
                            l2_gbps: if *counts == ByteCounts::L2 { rate } else { 0.0 },
                        }
                    }
                    _ => match self.columns.kinds.get(*number as usize) {
                        Some(kind) => self.shown_transfer(event, kind),
                        None => continue,
                    },
                };
                each(event, *number, shown);
            }
        }
    }
}

/// Sets what [`gbps`] is of transfers with these bytes, starts and ends; no number where it takes a longer way. Without a
/// branch, so that the loop does several at once.
#[inline(never)]
fn set_rates(rates: &mut [f64; ROWS], bytes: &[u64], [starts, ends]: [&[i64]; 2]) {
    let mut all = 0;
    for (rate, (bytes, (start, end))) in
        rates.iter_mut().zip(bytes.iter().zip(starts.iter().zip(ends)))
    {
        let ns = end.wrapping_sub(*start);
        all |= bytes | ns.cast_unsigned();
        let ns = (ns as i32).max(1);
        let (rounded, is_sure) = nearest_if_sure(f64::from(*bytes as i32) / f64::from(ns), 1e4);
        *rate = if is_sure { rounded / 1e4 } else { f64::NAN };
    }
    // Numbers that four bytes don't hold.
    if all >> 31 != 0 {
        rates.fill(f64::NAN);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_of_blocks_are_those_of_single_transfers() {
        let (mut random, mut sure) = (1_u64, 0);
        for round in 0..3000 {
            let mut next = || {
                random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(round);
                random >> 20
            };
            let bits = 10 + round % 24;
            let bytes: Vec<u64> = (0..ROWS).map(|_| next() & ((1 << bits) - 1)).collect();
            let starts: Vec<i64> = (0..ROWS).map(|_| next() as i64).collect();
            // Some take no time, or end before they start.
            let ends = starts.iter().map(|start| start + (next() % 5000) as i64 - round as i64 % 7);
            let ends: Vec<i64> = ends.collect();
            let mut rates = [0.0; ROWS];
            set_rates(&mut rates, &bytes, [&starts, &ends]);
            for (rate, (bytes, (start, end))) in
                rates.iter().zip(bytes.iter().zip(starts.iter().zip(&ends)))
            {
                if !rate.is_nan() {
                    assert_eq!(rate.to_bits(), gbps(*bytes, end - start).to_bits());
                    sure += 1;
                }
            }
        }
        assert!(sure > 50_000, "{sure}");
    }
}
