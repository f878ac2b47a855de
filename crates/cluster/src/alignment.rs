//! How well the sends of one thread fit the receives of another, and which send belongs to which receive.
//!
//! The difference of their times is offset, drift, latency and jitter: a straight line and little else if the threads
//! are the ends of a link. With any other thread the steps' own variation remains.

use crate::commands::Commands;

/// Commands in a row that belong together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PairRun {
    /// Index of the first send.
    pub(crate) send: u32,
    /// Index of the first receive.
    pub(crate) receive: u32,
    /// Pairs.
    pub(crate) count: u32,
}

/// Which commands belong together, and how well.
#[derive(Debug, Clone, Default)]
pub(crate) struct Alignment {
    /// By send.
    pub(crate) runs: Vec<PairRun>,
    /// Pairs of all runs.
    pub(crate) count: usize,
    /// ns; mean of the absolute residuals, each limited, and of commands without partner.
    pub(crate) score: f64,
    /// ns; the same without the commands that have no partner.
    pub(crate) noise: f64,
    /// Share of the commands between pairs that have no partner.
    pub(crate) alone: f64,
    /// ns; median of the absolute residuals.
    pub(crate) p50: f64,
    /// ns; their 95th percentile.
    pub(crate) p95: f64,
}

/// Places that a quick look takes: half of them the largest pauses between sends, half spread over all.
pub(crate) const QUICK: usize = 96;
/// Stretches of a quick look: a lost record changes the shift behind it.
const STRETCHES: usize = 12;
/// Shifts of a quick look that are looked at in full.
const SHIFTS: usize = 3;
/// Records that may be missing between two pairs.
const MOST_MISSING: usize = 12;
/// ns; no residual counts for more than this, and a command without partner counts for as much.
pub(crate) const MOST_NS: f64 = 2000.0;
/// How many times the score of the best way to pair two threads that of any other must be.
const CLEAR: f64 = 1.3;
/// How many times as much a residual above that counts: between operations a wrong shift is far off, within them not.
const OUTLIER: f64 = 5.0;
/// ns that a command before the first or behind the last pair counts for: captures may begin at different operations, but
/// fewer pairs fit more easily.
const EDGE_NS: f64 = 50.0;
/// No two crystals differ by more than this.
const MOST_SLOPE: f64 = 2.2e-4;
/// ns; a clock is a straight line for at least this long.
const KNOT_NS: f64 = 5e8;
/// Fewest pairs of a straight line.
const LINE_PAIRS: usize = 32;

/// A quick look at a shift: receive index minus send index.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Quick {
    pub(crate) shift: i64,
    /// Index of a send where it fits.
    pub(crate) start: usize,
    /// ns; mean change of the difference from one pair to the next, in the stretch where it is least.
    pub(crate) score: f64,
    /// The same over all: a wrong partner may keep step for a while, and a lost record makes the right one lose it.
    pub(crate) steady: f64,
}

/// Indices of sends that tell shifts apart: behind the largest pauses, and spread over all.
pub(crate) fn places(sends: &[i64]) -> Vec<usize> {
    let n = sends.len();
    let pause = |i: usize| match (sends.get(i), sends.get(i + 1)) {
        (Some(a), Some(b)) => b - a,
        _ => 0,
    };
    let mut by_pause: Vec<usize> = (0..n.saturating_sub(1)).collect();
    by_pause.sort_by_key(|&i| (std::cmp::Reverse(pause(i)), i));
    by_pause.truncate(QUICK / 2);
    let spread = (QUICK / 2).min(n.saturating_sub(1));
    by_pause.extend((0..spread).map(|k| k * n.saturating_sub(1) / spread.max(1)));
    by_pause.sort_unstable();
    by_pause.dedup();
    by_pause
}

/// Quick looks at all shifts, the best first. `slack`: shifts that are tried beyond the difference of the lengths;
/// `places`: of the sends.
pub(crate) fn best_shifts(
    sends: &[i64],
    receives: &[i64],
    places: &[usize],
    slack: i64,
) -> Vec<Quick> {
    let (n, m) = (sends.len() as i64, receives.len() as i64);
    let (low, high) = ((m - n).min(0) - slack, (m - n).max(0) + slack);
    let mut best: Vec<Quick> = Vec::new();
    let mut changes: Vec<(usize, f64)> = Vec::with_capacity(places.len());
    for shift in low..=high {
        changes.clear();
        for &i in places {
            let Some(j) = usize::try_from(i as i64 + shift).ok() else { continue };
            let two = (sends.get(i), sends.get(i + 1), receives.get(j), receives.get(j + 1));
            if let (Some(s0), Some(s1), Some(r0), Some(r1)) = two {
                let pause = s1 - s0;
                let change = (r1 - r0 - pause).abs() as f64;
                // Two clocks drift apart in a pause.
                changes.push((i, (change - 1e-4 * pause as f64).clamp(0.0, MOST_NS)));
            }
        }
        if changes.len() < 4.max(places.len() / 3) {
            continue;
        }
        let length = changes.len();
        let steady = changes.iter().map(|(_, ns)| ns).sum::<f64>() / length as f64;
        let stretches = (length / 8).clamp(1, STRETCHES);
        for stretch in changes.chunks(length.div_ceil(stretches)) {
            let Some(&(start, _)) = stretch.first() else { continue };
            let mean = stretch.iter().map(|(_, ns)| ns).sum::<f64>() / stretch.len() as f64;
            best.push(Quick { shift, start, score: mean, steady });
        }
    }
    let order = |a: &Quick, b: &Quick| {
        let key = |quick: &Quick| (quick.shift.abs(), quick.shift, quick.start);
        key(a).cmp(&key(b))
    };
    // The best by either measure, each shift once.
    best.sort_by(|a, b| a.steady.total_cmp(&b.steady).then_with(|| order(a, b)));
    let mut chosen: Vec<Quick> = Vec::with_capacity(2 * SHIFTS);
    for _ in 0..2 {
        let most = chosen.len() + SHIFTS;
        for quick in &best {
            if chosen.len() == most {
                break;
            }
            if chosen.iter().all(|known| known.shift != quick.shift) {
                chosen.push(*quick);
            }
        }
        best.sort_by(|a, b| a.score.total_cmp(&b.score).then_with(|| order(a, b)));
    }
    chosen
}

impl Alignment {
    /// The best of the shifts of a quick look.
    pub(crate) fn best(sends: &[i64], receives: &[i64], quick: &[Quick]) -> Option<(Quick, Self)> {
        let all = quick.iter().filter_map(|q| Some((*q, Self::of(sends, receives, q)?)));
        let covers = |own: &Self| own.covers(sends.len().min(receives.len()));
        let better = |a: &Self, b: &Self| {
            covers(b).cmp(&covers(a)).then_with(|| a.score.total_cmp(&b.score))
        };
        let mut all: Vec<(Quick, Self)> = all.collect();
        all.sort_by(|(_, a), (_, b)| better(a, b));
        let (quick, mut best) = all.first().cloned()?;
        // Where another way to pair the commands fits about as well, which of the two is right is not known.
        let is_other = |own: &Self| {
            let (send, receive) = best.pairs().nth(best.count / 2).unwrap_or_default();
            own.partner(send as usize, false).is_some_and(|at| at != receive as usize)
        };
        let mut rest = all.iter().skip(1).map(|(_, own)| own);
        if rest.any(|own| covers(own) && own.score < CLEAR * best.score && is_other(own)) {
            best.score = MOST_NS;
        }
        Some((quick, best))
    }

    /// Whether it pairs enough of the shorter thread's commands: few fit easily.
    pub(crate) fn covers(&self, shorter: usize) -> bool {
        5 * self.count >= 3 * shorter
    }

    /// Pairs all commands from a good pair on, in both directions: where the difference jumps, records are missing on
    /// one side.
    pub(crate) fn of(sends: &[i64], receives: &[i64], quick: &Quick) -> Option<Self> {
        let Quick { shift, start, score: noise, .. } = *quick;
        let first = usize::try_from(start as i64 + shift).ok()?;
        let mut pairs = walk(sends.get(..=start)?, receives.get(..=first)?, noise, true);
        pairs.reverse();
        let forward = walk(sends.get(start..)?, receives.get(first..)?, noise, false);
        let later = forward.into_iter().map(|(i, j)| (i + start as u32, j + first as u32));
        pairs.extend(later.skip(1));
        let walked = Self::measured(sends, receives, &pairs)?;
        // Where records are lost, what the lines of most pairs say of each command's partner is surer than the next one.
        let is_whole = walked.count == sends.len().min(receives.len());
        let again = if is_whole && walked.score <= 2.0 * walked.p50.max(1.0) {
            None
        } else {
            Self::measured(sends, receives, &matched(sends, receives, &pairs, walked.p50))
        };
        Some(match again {
            Some(again) if again.count * 10 >= walked.count * 9 && again.score < walked.score => {
                again
            }
            _ => walked,
        })
    }

    /// Of pairs that are known.
    fn measured(sends: &[i64], receives: &[i64], pairs: &[(u32, u32)]) -> Option<Self> {
        let mut points = Vec::with_capacity(pairs.len());
        for (i, j) in pairs {
            let (s, r) = (sends.get(*i as usize)?, receives.get(*j as usize)?);
            points.push((*s as f64, (r - s) as f64));
        }
        let mut residuals = residuals(&points);
        let (first, last) = (*pairs.first()?, *pairs.last()?);
        let spanned = (last.0 - first.0) + (last.1 - first.1) + 2;
        let alone = f64::from(spanned) - 2.0 * pairs.len() as f64;
        let cost = |ns: &f64| if *ns > MOST_NS { OUTLIER * MOST_NS } else { *ns };
        let limited: f64 = residuals.iter().map(cost).sum();
        let edges = (sends.len() + receives.len()) as f64 - f64::from(spanned);
        let all = pairs.len() as f64 + alone + edges;
        let score = (limited + alone * MOST_NS + edges * EDGE_NS) / all;
        let mut at = |share: f64| {
            let place = (residuals.len() as f64 * share) as usize;
            quantile(&mut residuals, place)
        };
        let (p50, p95) = (at(0.5)?, at(0.95)?);
        let mut runs: Vec<PairRun> = Vec::new();
        for &(send, receive) in pairs {
            match runs.last_mut() {
                Some(run) if (run.send + run.count, run.receive + run.count) == (send, receive) => {
                    run.count += 1;
                }
                _ => runs.push(PairRun { send, receive, count: 1 }),
            }
        }
        let (count, noise) = (pairs.len(), limited / pairs.len() as f64);
        let alone = alone / f64::from(spanned);
        Some(Self { runs, count, score, noise, alone, p50, p95 })
    }

    /// Indices of sends and receives, by send.
    pub(crate) fn pairs(&self) -> impl Iterator<Item = (u32, u32)> + Clone {
        let of = |run: &PairRun| {
            let (send, receive) = (run.send, run.receive);
            (0..run.count).map(move |n| (send + n, receive + n))
        };
        self.runs.iter().flat_map(of)
    }

    /// The place of a command's partner; `of_receive`: the command is a receive.
    pub(crate) fn partner(&self, place: usize, of_receive: bool) -> Option<usize> {
        let ends = |run: &PairRun| {
            let (send, receive) = (run.send as usize, run.receive as usize);
            if of_receive { (receive, send) } else { (send, receive) }
        };
        let later = self.runs.partition_point(|run| ends(run).0 <= place);
        let run = self.runs.get(later.checked_sub(1)?)?;
        let (own, other) = ends(run);
        (place - own < run.count as usize).then(|| other + (place - own))
    }

    /// Pairs whose bytes are known on both sides and differ.
    pub(crate) fn other_bytes(&self, sends: &Commands, receives: &Commands) -> u64 {
        let differ = |&(i, j): &(u32, u32)| {
            let (s, r) = (sends.bytes.at(i as usize), receives.bytes.at(j as usize));
            s > 0 && r > 0 && s != r
        };
        self.pairs().filter(differ).count() as u64
    }
}

/// The value that would be at a place if all were sorted.
fn quantile(values: &mut [f64], place: usize) -> Option<f64> {
    let place = place.min(values.len().checked_sub(1)?);
    Some(*values.select_nth_unstable_by(place, f64::total_cmp).1)
}

/// Pairs from the common start of two lists on, or backwards from their common end.
fn walk(sends: &[i64], receives: &[i64], noise: f64, backwards: bool) -> Vec<(u32, u32)> {
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
    let mut recent: Vec<i64> = Vec::new();
    let mut last_time = None;
    while let Some((d, time)) = difference(i, j) {
        let level = median(&recent).unwrap_or(d);
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
        if recent.len() == 5 {
            recent.remove(0);
        }
        recent.push(d);
        last_time = Some(time);
        (i, j) = (i + 1, j + 1);
    }
    pairs
}

fn median(values: &[i64]) -> Option<i64> {
    let mut sorted = values.to_vec();
    sorted.sort_unstable();
    sorted.get(sorted.len() / 2).copied()
}

/// A straight line over a piece of time: until when it holds, level at the center, slope, center.
struct Piece {
    until: f64,
    line: (f64, f64, f64),
}

impl Piece {
    fn at(&self, time: f64) -> f64 {
        let (level, slope, center) = self.line;
        level + slope * (time - center)
    }
}

/// Straight lines through points: one, or one for each half second.
fn pieces(points: &[(f64, f64)]) -> Vec<Piece> {
    let (Some(first), Some(last)) = (points.first(), points.last()) else { return Vec::new() };
    let count = ((last.0 - first.0) / KNOT_NS).floor().max(1.0);
    let count = count.min((points.len() / LINE_PAIRS).max(1) as f64);
    let length = ((last.0 - first.0) / count).max(1.0);
    let mut rest = points;
    let mut pieces = Vec::new();
    for piece in 1..=count as usize {
        let is_last = piece == count as usize;
        let until = if is_last { f64::INFINITY } else { first.0 + length * piece as f64 };
        let (own, later) = rest.split_at(rest.partition_point(|point| point.0 < until));
        pieces.push(Piece { until, line: line(own) });
        rest = later;
    }
    pieces
}

/// What remains of each point when straight lines are removed.
fn residuals(points: &[(f64, f64)]) -> Vec<f64> {
    let pieces = pieces(points);
    let mut at = 0;
    let residual = |(time, d): &(f64, f64)| {
        while pieces.get(at).is_some_and(|piece| piece.until <= *time) {
            at += 1;
        }
        pieces.get(at).map_or(0.0, |piece| (d - piece.at(*time)).abs())
    };
    points.iter().map(residual).collect()
}

/// Pairs of all commands that are where the lines of known pairs say, within their usual residual.
fn matched(sends: &[i64], receives: &[i64], pairs: &[(u32, u32)], usual: f64) -> Vec<(u32, u32)> {
    let point = |(i, j): &(u32, u32)| {
        let (s, r) = (sends.get(*i as usize)?, receives.get(*j as usize)?);
        Some((*s as f64, (r - s) as f64))
    };
    let points: Vec<(f64, f64)> = pairs.iter().filter_map(point).collect();
    let pieces = pieces(&points);
    let tolerance = (12.0 * usual).clamp(50.0, MOST_NS);
    let (mut found, mut j, mut at) = (Vec::new(), 0usize, 0);
    for (i, send) in (0u32..).zip(sends) {
        let time = *send as f64;
        while pieces.get(at).is_some_and(|piece| piece.until <= time) {
            at += 1;
        }
        let Some(piece) = pieces.get(at) else { break };
        let expected = time + piece.at(time);
        while receives.get(j).is_some_and(|r| (*r as f64) < expected - tolerance) {
            j += 1;
        }
        match receives.get(j) {
            Some(r) if *r as f64 <= expected + tolerance => {
                found.push((i, j as u32));
                j += 1;
            }
            Some(_) => {}
            None => break,
        }
    }
    found
}

/// A straight line by least squares, three times, each without what lies far off. Level at the center, slope, center.
pub(crate) fn line(points: &[(f64, f64)]) -> (f64, f64, f64) {
    let Some(first) = points.first() else { return (0.0, 0.0, 0.0) };
    let center = (first.0 + points.last().map_or(first.0, |p| p.0)) / 2.0;
    let mut levels: Vec<f64> = points.iter().map(|p| p.1).collect();
    let middle = levels.len() / 2;
    let mut level = quantile(&mut levels, middle).unwrap_or(0.0);
    let mut slope = 0.0;
    let mut limit = f64::INFINITY;
    for _ in 0..3 {
        let near = |p: &&(f64, f64)| (p.1 - level - slope * (p.0 - center)).abs() <= limit;
        let (mut n, mut st, mut sd, mut stt, mut std) = (0.0, 0.0, 0.0, 0.0, 0.0);
        for (t, d) in points.iter().filter(near) {
            let (t, d) = (t - center, d - level);
            (n, st, sd, stt, std) = (n + 1.0, st + t, sd + d, stt + t * t, std + t * d);
        }
        let determinant: f64 = n * stt - st * st;
        if n < 2.0 || determinant <= 0.0 {
            break;
        }
        let new_slope = ((n * std - st * sd) / determinant).clamp(-MOST_SLOPE, MOST_SLOPE);
        let new_level = level + (sd - new_slope * st) / n;
        (level, slope) = (new_level, new_slope);
        let mut off: Vec<f64> =
            points.iter().map(|(t, d)| (d - level - slope * (t - center)).abs()).collect();
        let middle = off.len() / 2;
        limit = 6.0 * quantile(&mut off, middle).unwrap_or(0.0) + 1.0;
    }
    (level, slope, center)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Times with gaps that vary, seen by a clock that is off and drifts.
    fn link(count: usize) -> (Vec<i64>, Vec<i64>) {
        let (mut time, mut seed) = (0i64, 12345u64);
        let mut random = |most: u64| {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % most
        };
        let mut sends = Vec::new();
        let mut receives = Vec::new();
        for _ in 0..count {
            time += 5_000 + random(700) as i64;
            sends.push(time);
            let seen = time + 300 + random(40) as i64;
            receives.push(1_000_000 + seen + seen * 3 / 100_000);
        }
        (sends, receives)
    }

    #[test]
    fn lost_records_and_later_starts_are_found() {
        let (sends, mut receives) = link(400);
        receives.remove(230);
        receives.remove(120);
        receives.drain(..3);
        let quick = best_shifts(&sends, &receives, &places(&sends), 10);
        let found = Alignment::best(&sends, &receives, &quick).unwrap().1;
        assert_eq!((found.count, found.runs.len()), (395, 3));
        let right = |&(i, j): &(u32, u32)| {
            let mut expected = i as i64 - 3;
            expected -= i64::from(i > 120) + i64::from(i > 230);
            i64::from(j) == expected
        };
        assert!(found.pairs().all(|p| right(&p)), "{:?}", found.pairs().find(|p| !right(p)));
        assert!(found.p50 < 20.0, "{}", found.p50);
    }

    #[test]
    fn another_thread_leaves_its_own_variation() {
        let (sends, _) = link(200);
        let other: Vec<i64> = link(205).1.drain(5..).collect();
        let quick = best_shifts(&sends, &other, &places(&sends), 2);
        let wrong = Alignment::best(&sends, &other, &quick).unwrap().1;
        assert!(wrong.score > 100.0, "{}", wrong.score);
    }
}
