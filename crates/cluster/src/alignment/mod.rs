//! How well the sends of one thread fit the receives of another, and which send belongs to which receive.
//!
//! The difference of their times is offset, drift, latency and jitter: a straight line and little else if the threads
//! are the ends of a link. With any other thread the steps' own variation remains.

mod block;
mod bursts;
mod lines;
mod part;
mod quick;
mod walk;

use crate::commands::DataCommands;
pub(crate) use block::{Block, LANES, Place, places_of};
pub(crate) use bursts::{Bursts, burst_shifts, pauses};
pub(crate) use lines::{Line, quantile};
use lines::{Lines, matched_at};
use part::hopeful;
pub(crate) use part::{HOPELESS, Limits};
pub(crate) use quick::{QUICK, Quick, best_shifts, places};
use walk::walk;

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
    /// Runs of pairs, sorted by send.
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
    /// The straight line through the differences of receives and sends, over the sends; of several the middle one.
    pub(crate) line: Line,
}

/// ns; no residual counts for more than this, and a command without partner counts for as much.
pub(crate) const MOST_NS: f64 = 2000.0;
/// How many times the score of the best way to pair two threads that of any other must be, for many pairs and for few.
const CLEAR: [f64; 2] = [1.3, 3.0];
/// How fast it falls: the mean of n residuals is uncertain by their root.
const CLEAR_PER_ROOT: f64 = 6.0;
/// ns that a command between pairs counts for where only one side has more commands than pairs: its partner's record is
/// lost. Where both sides have as many, they do not fit.
const LOST_NS: f64 = 200.0;
/// Commands without partner on each side that are more than records lost by chance.
const LEFT_BETWEEN: usize = 4;
/// How many times the score of a way that leaves so many one may have that leaves none.
const WHOLE: f64 = 3.0;
/// Steps in which a better way to pair is looked for around one.
const NEAR: [i64; 4] = [-1, 1, -2, 2];
/// Pairs of which most must differ in another way to pair.
const SAMPLE: usize = 31;
/// Most rounds of that.
const NEAR_ROUNDS: usize = 6;
/// How many times as much a residual above that counts: between operations a wrong shift is far off, within them not.
const OUTLIER: f64 = 5.0;
/// ns that a command before the first or behind the last pair counts for: captures may begin at different operations, but
/// fewer pairs fit more easily.
const EDGE_NS: f64 = 50.0;
impl Alignment {
    /// The best of the shifts of a quick look; `None` if none is near what is known to fit.
    pub(crate) fn best(
        sends: &[i64],
        receives: &[i64],
        quick: &[Quick],
        limits: Limits,
    ) -> Option<(Quick, Self)> {
        let hopeful = hopeful(sends, receives, quick, limits);
        let all =
            hopeful.iter().filter_map(|q| Some((*q, Self::find(sends, receives, q, limits)?)));
        let covers = |own: &Self| own.covers(sends.len().min(receives.len()));
        let better = |a: &Self, b: &Self| {
            covers(b).cmp(&covers(a)).then_with(|| a.score.total_cmp(&b.score))
        };
        let mut all: Vec<(Quick, Self)> = all.collect();
        all.sort_by(|(_, a), (_, b)| better(a, b));
        // Where records are lost, a way that is off by a command keeps step within each operation.
        for _ in 0..NEAR_ROUNDS {
            let Some((quick, _)) = all.first().filter(|(_, own)| own.alone > 0.0).cloned() else {
                break;
            };
            let is_known =
                |shift: i64| all.iter().any(|(q, _)| (q.start, q.shift) == (quick.start, shift));
            let shifts = NEAR.iter().map(|step| quick.shift + step);
            let shifts: Vec<i64> = shifts.filter(|shift| !is_known(*shift)).collect();
            let near = shifts.into_iter().filter_map(|shift| {
                let quick = Quick { shift, ..quick };
                Some((quick, Self::find(sends, receives, &quick, limits)?))
            });
            let near: Vec<(Quick, Self)> = near.collect();
            all.extend(near);
            all.sort_by(|(_, a), (_, b)| better(a, b));
            if all.first().is_some_and(|(q, _)| (q.start, q.shift) == (quick.start, quick.shift)) {
                break;
            }
        }
        let (_, first) = all.first()?;
        let is_whole = |(_, own): &&(Quick, Self)| {
            covers(own) && own.is_whole_beside(first) && own.score <= WHOLE * first.score
        };
        let (quick, mut best) = all.iter().find(is_whole).or(all.first()).cloned()?;
        // Where another way to pair the commands fits about as well, which of the two is right is not known.
        let sample: Vec<(u32, u32)> = best.pairs().step_by(best.count / SAMPLE + 1).collect();
        let is_other = |own: &Self| {
            let differs = |(send, receive): &&(u32, u32)| {
                own.partner(*send as usize, false).is_some_and(|at| at != *receive as usize)
            };
            2 * sample.iter().filter(differs).count() > sample.len()
        };
        let mut rest =
            all.iter().skip(1).map(|(_, own)| own).filter(|own| !best.is_whole_beside(own));
        let [least, most] = CLEAR;
        let clear = (1.0 + CLEAR_PER_ROOT / (best.count as f64).sqrt()).clamp(least, most);
        if rest.any(|own| covers(own) && own.score < clear * best.score && is_other(own)) {
            best.score = MOST_NS;
        }
        Some((quick, best))
    }

    /// Whether it pairs all commands in a row, and another way leaves some without partner at many places on both sides. In long operations of
    /// steps that take equally long, a way that is off by a command fits as well within each operation; it leaves a send and a receive between
    /// each two of them, and no loss of records does that.
    fn is_whole_beside(&self, other: &Self) -> bool {
        let is_left = |left: u32| left as usize >= LEFT_BETWEEN;
        self.alone_inside() == [0; 2] && other.alone_inside().into_iter().all(is_left)
    }

    /// Whether it pairs enough of the shorter thread's commands: few fit easily.
    pub(crate) fn covers(&self, shorter: usize) -> bool {
        5 * self.count >= 3 * shorter
    }

    /// Pairs all commands from a good pair on, in both directions: where the difference jumps, records are missing on
    /// one side.
    pub(crate) fn find(
        sends: &[i64],
        receives: &[i64],
        quick: &Quick,
        limits: Limits,
    ) -> Option<Self> {
        let pairs = Self::walked(sends, receives, quick)?;
        let (mut walked, mut lines) = Self::measured(sends, receives, &pairs)?;
        if walked.alone > 0.0 && walked.p50 < quick.score {
            // Lost records in the quick look make its noise too great to see others by.
            let calm = Quick { score: walked.p50, ..*quick };
            let again = walked.of_others(sends, receives, &Self::walked(sends, receives, &calm)?);
            if let Some(better) = again.filter(|(again, _)| again.score < walked.score) {
                (walked, lines) = better;
            }
        }
        if walked.p50 > limits.most {
            return Some(walked);
        }
        // Where records are lost, what the lines of most pairs say of each command's partner is surer than the next one.
        let is_whole = walked.count == sends.len().min(receives.len());
        let is_sure = is_whole && walked.score <= 2.0 * walked.p50.max(1.0);
        let matched = (!is_sure).then(|| lines.matched(sends, receives, walked.p50));
        let best = match matched.and_then(|pairs| walked.of_others(sends, receives, &pairs)) {
            Some((again, _))
                if again.count * 10 >= walked.count * 9 && again.score < walked.score =>
            {
                again
            }
            _ => walked,
        };
        // A command that took long may look like a lost record, and the ones behind it may fit with the next ones.
        let straight = Self::straight(sends, receives, &best);
        Some(straight.filter(|straight| straight.score < best.score).unwrap_or(best))
    }

    /// All pairs at the shift of most, where a way to pair has several shifts: nothing is lost then.
    fn straight(sends: &[i64], receives: &[i64], of: &Self) -> Option<Self> {
        let most = of.runs.iter().max_by_key(|run| run.count).filter(|_| of.runs.len() > 1)?;
        let common = most.send.min(most.receive);
        let (send, receive) = (most.send - common, most.receive - common);
        let rest = |times: &[i64], from: u32| times.len().saturating_sub(from as usize);
        let count = u32::try_from(rest(sends, send).min(rest(receives, receive))).ok()?;
        let pairs: Vec<(u32, u32)> = (0..count).map(|n| (send + n, receive + n)).collect();
        Some(Self::measured(sends, receives, &pairs)?.0)
    }

    /// The alignment of other pairs; `None`: it has all these pairs itself.
    fn of_others(
        &self,
        sends: &[i64],
        receives: &[i64],
        pairs: &[(u32, u32)],
    ) -> Option<(Self, Lines)> {
        let is_own = pairs.len() == self.count && self.pairs().eq(pairs.iter().copied());
        if is_own { None } else { Self::measured(sends, receives, pairs) }
    }

    /// The pairs of a walk in both directions.
    fn walked(sends: &[i64], receives: &[i64], quick: &Quick) -> Option<Vec<(u32, u32)>> {
        let Quick { shift, start, score: noise, .. } = *quick;
        let first = usize::try_from(start as i64 + shift).ok()?;
        let mut pairs = walk(sends.get(..=start)?, receives.get(..=first)?, noise, true);
        pairs.reverse();
        let forward = walk(sends.get(start..)?, receives.get(first..)?, noise, false);
        let later = forward.into_iter().map(|(i, j)| (i + start as u32, j + first as u32));
        pairs.extend(later.skip(1));
        Some(pairs)
    }

    /// Pairs the commands of two threads whose clocks are known: `expected` is when a receive is seen of what was sent at
    /// a moment, to `tolerance` ns.
    pub(crate) fn by_clocks(
        sends: &[i64],
        receives: &[i64],
        expected: impl Fn(f64) -> f64,
        tolerance: f64,
    ) -> Option<Self> {
        let near = matched_at(sends, receives, expected, tolerance);
        let (near, _) = Self::measured(sends, receives, &near)?;
        let straight = Self::straight(sends, receives, &near);
        Some(straight.filter(|straight| straight.score < near.score).unwrap_or(near))
    }

    /// Alignment of pairs that are known, and the lines through their differences; `None` without pairs.
    fn measured(sends: &[i64], receives: &[i64], pairs: &[(u32, u32)]) -> Option<(Self, Lines)> {
        let mut points = Vec::with_capacity(pairs.len());
        let mut runs: Vec<PairRun> = Vec::new();
        for &(send, receive) in pairs {
            let (s, r) = (sends.get(send as usize)?, receives.get(receive as usize)?);
            points.push((*s as f64, (r - s) as f64));
            match runs.last_mut() {
                Some(run) if (run.send + run.count, run.receive + run.count) == (send, receive) => {
                    run.count += 1;
                }
                _ => runs.push(PairRun { send, receive, count: 1 }),
            }
        }
        let lines = Lines::fit(&points);
        let mut residuals = lines.residuals(&points);
        let (first, last) = (*pairs.first()?, *pairs.last()?);
        let spanned = (last.0 - first.0) + (last.1 - first.1) + 2;
        let alone = f64::from(spanned) - 2.0 * pairs.len() as f64;
        let more = f64::from((last.0 - first.0).abs_diff(last.1 - first.1));
        let cost = |ns: &f64| if *ns > MOST_NS { OUTLIER * MOST_NS } else { *ns };
        let limited: f64 = residuals.iter().map(cost).sum();
        let edges = (sends.len() + receives.len()) as f64 - f64::from(spanned);
        let all = pairs.len() as f64 + alone + edges;
        let score = (limited + (alone - more) * MOST_NS + more * LOST_NS + edges * EDGE_NS) / all;
        let [middle, most] = [0.5, 0.95].map(|share| (residuals.len() as f64 * share) as usize);
        let p50 = quantile(&mut residuals, middle)?;
        // What is behind the median is not less.
        let p95 = quantile(residuals.get_mut(middle..)?, most - middle)?;
        let (count, noise) = (pairs.len(), limited / pairs.len() as f64);
        let alone = alone / f64::from(spanned);
        let line = lines.middle();
        Some((Self { runs, count, score, noise, alone, p50, p95, line }, lines))
    }

    /// Indices of sends and receives, by send.
    pub(crate) fn pairs(&self) -> impl Iterator<Item = (u32, u32)> + Clone {
        let of = |run: &PairRun| {
            let (send, receive) = (run.send, run.receive);
            (0..run.count).map(move |n| (send + n, receive + n))
        };
        self.runs.iter().flat_map(of)
    }

    /// Sends and receives between pairs that have no partner.
    pub(crate) fn alone_inside(&self) -> [u32; 2] {
        let between = |two: &[PairRun]| match two {
            [run, later] => [
                later.send.saturating_sub(run.send + run.count),
                later.receive.saturating_sub(run.receive + run.count),
            ],
            _ => [0; 2],
        };
        let add = |[a, b]: [u32; 2], [c, d]: [u32; 2]| [a + c, b + d];
        self.runs.windows(2).map(between).fold([0; 2], add)
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

    /// The partners of the commands at the first `count` places, one after the other; `of_receive`: they are receives.
    pub(crate) fn partners(
        &self,
        of_receive: bool,
        count: usize,
    ) -> impl Iterator<Item = Option<usize>> {
        let mut runs = self.runs.iter().map(move |run| {
            let (send, receive) = (run.send as usize, run.receive as usize);
            let (own, other) = if of_receive { (receive, send) } else { (send, receive) };
            (own, other, own + run.count as usize)
        });
        let mut run = runs.next();
        (0..count).map(move |place| {
            while run.is_some_and(|(.., end)| end <= place) {
                run = runs.next();
            }
            run.filter(|(own, ..)| *own <= place).map(|(own, other, _)| other + (place - own))
        })
    }

    /// Pairs whose bytes are known on both sides and differ.
    pub(crate) fn other_bytes(&self, sends: &DataCommands, receives: &DataCommands) -> u64 {
        let differ = |&(i, j): &(u32, u32)| {
            let (s, r) = (sends.bytes.value_at(i as usize), receives.bytes.value_at(j as usize));
            s > 0 && r > 0 && s != r
        };
        self.pairs().filter(differ).count() as u64
    }
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
        let found = Alignment::best(&sends, &receives, &quick, Limits::NONE).unwrap().1;
        assert_eq!((found.count, found.runs.len()), (395, 3));
        let right = |&(i, j): &(u32, u32)| {
            let mut expected = i as i64 - 3;
            expected -= i64::from(i > 120) + i64::from(i > 230);
            i64::from(j) == expected
        };
        assert!(found.pairs().all(|p| right(&p)), "{:?}", found.pairs().find(|p| !right(p)));
        assert!(found.p50 < 20.0, "{}", found.p50);
    }

    /// In a long ring each step waits for the one before it: within an operation the receives also fit the next sends.
    #[test]
    fn long_operations_of_even_steps_are_told_by_what_lies_between_them() {
        let (mut time, mut seed) = (0i64, 7u64);
        let mut random = |most: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(99_991);
            ((seed >> 33) % most) as i64
        };
        let (mut sends, mut receives) = (Vec::new(), Vec::new());
        for _ in 0..20 {
            time += 80_000 + random(40_000);
            for step in 0..750 {
                time += 6_800 + random(50);
                if step > 0 {
                    receives.push(time - 6_500 + random(40));
                }
                sends.push(time);
            }
            receives.push(time + 300);
        }
        let quick = best_shifts(&sends, &receives, &places(&sends), 2);
        let found = Alignment::best(&sends, &receives, &quick, Limits::NONE).unwrap().1;
        assert!(found.score < 25.0, "{}", found.score);
        assert!(found.pairs().all(|(send, receive)| send == receive));
    }

    /// Pauses within an operation are about as long as the jitter is: behind a command that took long the others would
    /// also fit with the next ones.
    #[test]
    fn a_command_that_took_long_is_no_lost_record() {
        let mut seed = 99u64;
        let mut random = |most: u64| {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            ((seed >> 33) % most) as i64
        };
        let (mut time, mut sends, mut receives) = (0i64, Vec::new(), Vec::new());
        for number in 0..144 {
            time += if number % 36 == 0 { 400_000 + random(9_000) } else { 1_500 + random(300) };
            sends.push(time);
            receives.push(7_000_000 + time + random(400) + if number == 120 { 6_000 } else { 0 });
        }
        let quick = best_shifts(&sends, &receives, &places(&sends), 10);
        let found = Alignment::best(&sends, &receives, &quick, Limits::NONE).unwrap().1;
        assert!(found.pairs().all(|(i, j)| i == j), "{:?}", found.runs);
        assert_eq!(found.count, 144);
    }

    #[test]
    fn another_thread_leaves_its_own_variation() {
        let (sends, _) = link(200);
        let other: Vec<i64> = link(205).1.drain(5..).collect();
        let quick = best_shifts(&sends, &other, &places(&sends), 2);
        let wrong = Alignment::best(&sends, &other, &quick, Limits::NONE).unwrap().1;
        assert!(wrong.score > 100.0, "{}", wrong.score);
    }
}
