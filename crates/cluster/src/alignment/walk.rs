//! The way through two lists of times from a pair that fits: where the difference jumps, records are missing.

/// Records that may be missing between two pairs.
const MOST_MISSING: usize = 12;
/// Times of so many commands tell what is missing: behind the missing ones, a pair and the one after it.
const NEXT: usize = MOST_MISSING + 2;
/// Stands for the time of a command that does not exist: no difference comes near it.
const NO_TIME: i64 = i64::MIN / 2;

/// The commands from two on that do not fit each other.
struct Next {
    sends: [i64; NEXT],
    receives: [i64; NEXT],
}

impl Next {
    /// The smallest number of missing sends and receives after which two pairs in a row fit again. As many on both sides are
    /// no loss but a command that took long. `level`: ns; what receives minus sends are; `limit`: ns; how far off a pair of
    /// the send of a moment may be.
    fn missing(&self, level: i64, limit: impl Fn(i64) -> i64) -> Option<(usize, usize)> {
        let off = |a: usize, b: usize| {
            let (send, receive) = (self.sends.get(a)?, self.receives.get(b)?);
            let exist = *send != NO_TIME && *receive != NO_TIME;
            exist.then(|| (receive - send - level).abs() <= limit(*send))
        };
        // Bit b of element a: with so many missing sends and receives the pair behind them fits.
        let mut fitting = [0u32; MOST_MISSING + 1];
        let mut any = 0;
        for (a, (fitting, send)) in fitting.iter_mut().zip(&self.sends).enumerate() {
            if *send == NO_TIME {
                break;
            }
            let (first, range) = (send + level - limit(*send), 2 * limit(*send));
            let receives = self.receives.iter().take(MOST_MISSING + 1 - a);
            for (b, receive) in receives.enumerate() {
                let is_near = receive.wrapping_sub(first) as u64 <= range as u64;
                *fitting |= u32::from(is_near) << b;
            }
            *fitting &= !(1 << a);
            any |= *fitting;
        }
        if any == 0 {
            return None;
        }
        let steps = (1..=MOST_MISSING).flat_map(|all| (0..=all).map(move |a| (a, all - a)));
        steps.into_iter().find(|&(a, b)| {
            let fits = fitting.get(a).is_some_and(|fitting| fitting >> b & 1 == 1);
            fits && off(a + 1, b + 1).unwrap_or(true)
        })
    }
}

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
    let mut pairs = Vec::with_capacity(n.min(m));
    let (mut i, mut j) = (0, 0);
    let mut recent = Recent::default();
    let mut last_time = None;
    // Differences vary by jitter, and two clocks drift apart by up to 200 ppm.
    let jitter = 12.0 * noise.max(4.0);
    while let Some((d, time)) = difference(i, j) {
        let level = recent.median().unwrap_or(d);
        let gap = last_time.map_or(0, |last: i64| (time - last).abs());
        let tolerance = |more: i64| jitter + 2e-4 * (gap + more) as f64;
        let fits = |d: i64, more: i64| ((d - level).abs() as f64) <= tolerance(more);
        if !fits(d, 0) {
            let window = |times: &[i64], from: usize| {
                let time = |step| times.get(place(times.len(), from + step)?).copied();
                std::array::from_fn(|step| time(step).unwrap_or(NO_TIME))
            };
            let next = Next { sends: window(sends, i), receives: window(receives, j) };
            let limit = |later: i64| tolerance((later - time).abs()) as i64;
            if let Some((a, b)) = next.missing(level, limit) {
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
        if self.seen >= self.values.len() {
            // Neither the least nor the greatest of four is the median of five.
            let [a, b, c, d, e] = self.values;
            let low = a.min(b).max(c.min(d));
            let high = a.max(b).min(c.max(d));
            return Some(low.min(high).max(low.max(high).min(e)));
        }
        let mut sorted = self.values;
        let sorted = sorted.get_mut(..self.seen)?;
        sorted.sort_unstable();
        sorted.get(sorted.len() / 2).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_of_five_is_the_middle_one() {
        for number in 0..5i64.pow(5) {
            let values: [i64; 5] = std::array::from_fn(|at| number / 5i64.pow(at as u32) % 5);
            let mut sorted = values;
            sorted.sort_unstable();
            assert_eq!(Recent { values, seen: 5 }.median(), Some(sorted[2]), "{values:?}");
        }
    }
}
