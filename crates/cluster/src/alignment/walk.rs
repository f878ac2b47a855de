//! The way through two lists of times from a pair that fits: where the difference jumps, records are missing.

/// Records that may be missing between two pairs.
const MOST_MISSING: usize = 12;
/// Pairs from the common start of two lists on, or backwards from their common end.
pub(super) fn walk(
    sends: &[i64],
    receives: &[i64],
    noise: f64,
    backwards: bool,
) -> Vec<(u32, u32)> {
    let (n, m) = (sends.len(), receives.len());
    let place = |length: usize, step: usize| {
        if backwards { length.checked_sub(step + 1) } else { (step < length).then_some(step) }
    };
    let difference = |i: usize, j: usize| {
        let (s, r) = (sends.get(place(n, i)?)?, receives.get(place(m, j)?)?);
        Some((r - s, *s))
    };
    let mut pairs = Vec::new();
    let (mut i, mut j) = (0, 0);
    let mut recent = Recent::default();
    let mut last_time = None;
    while let Some((d, time)) = difference(i, j) {
        let level = recent.median().unwrap_or(d);
        let gap = last_time.map_or(0, |last: i64| (time - last).abs());
        // Jitter, and two clocks that drift apart by up to 200 ppm.
        let tolerance = |more: i64| 12.0 * noise.max(4.0) + 2e-4 * (gap + more) as f64;
        let fits = |d: i64, more: i64| ((d - level).abs() as f64) <= tolerance(more);
        if !fits(d, 0) {
            // The smallest number of missing records after which two pairs in a row fit again.
            // As many on both sides are no loss but a command that took long.
            let steps = (1..=MOST_MISSING).flat_map(|all| (0..=all).map(move |a| (a, all - a)));
            let steps = steps.filter(|(a, b)| a != b);
            let found = steps.into_iter().find(|&(a, b)| {
                let Some((d, later)) = difference(i + a, j + b) else { return false };
                let next = difference(i + a + 1, j + b + 1);
                let more = (later - time).abs();
                fits(d, more) && next.is_none_or(|(d, later)| fits(d, (later - time).abs()))
            });
            if let Some((a, b)) = found {
                (i, j) = (i + a, j + b);
                continue;
            }
        }
        let (Some(s), Some(r)) = (place(n, i), place(m, j)) else { break };
        pairs.push((s as u32, r as u32));
        recent.push(d);
        last_time = Some(time);
        (i, j) = (i + 1, j + 1);
    }
    pairs
}

/// The last few differences.
#[derive(Default)]
struct Recent {
    values: [i64; 5],
    /// All that were seen.
    seen: usize,
}

impl Recent {
    fn push(&mut self, value: i64) {
        let at = self.seen % self.values.len();
        self.values.get_mut(at).into_iter().for_each(|old| *old = value);
        self.seen += 1;
    }

    fn median(&self) -> Option<i64> {
        let mut sorted = self.values;
        let sorted = sorted.get_mut(..self.seen.min(self.values.len()))?;
        sorted.sort_unstable();
        sorted.get(sorted.len() / 2).copied()
    }
}
