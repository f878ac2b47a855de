//! The rank-sum test of Mann, Whitney and Wilcoxon: do the values of one side tend to be greater than the other's?
//!
//! The test needs no normal noise, and one outlier weighs no more than any other value.

/// Exact probabilities are counted while this many steps are enough, else the normal approximation is close.
const MOST_STEPS: usize = 50_000;

/// Ways to order two samples are counted exactly up to this many pairs of their values (below 2^53 ways).
const MOST_PAIRS: usize = 400;

/// One-sided p-values of two samples: how likely ranks at least this far apart are if nothing changed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct PValues {
    /// For "after is greater".
    pub(super) greater: f64,
    /// For "after is less".
    pub(super) less: f64,
}

impl PValues {
    pub(super) const NO_CHANGE: Self = Self { greater: 1.0, less: 1.0 };
}

/// Compares the ranks of two samples; ties share their mean rank.
pub(super) fn rank_test(before: &[f64], after: &[f64]) -> PValues {
    let mut all: Vec<(f64, bool)> = before.iter().map(|&value| (value, false)).collect();
    all.extend(after.iter().map(|&value| (value, true)));
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    // Twice the ranks: whole numbers even where two values share a mean rank.
    let mut ranks: Vec<usize> = Vec::with_capacity(all.len());
    let mut sum_after = 0;
    for tied in all.chunk_by(|a, b| a.0 == b.0) {
        let rank = 2 * ranks.len() + tied.len() + 1;
        sum_after += rank * tied.iter().filter(|(_, is_after)| *is_after).count();
        ranks.extend(std::iter::repeat_n(rank, tied.len()));
    }
    let n = after.len();
    let total: usize = ranks.iter().sum();
    if before.is_empty() || n == 0 || ranks.first() == ranks.last() {
        return PValues::NO_CHANGE;
    }
    if ranks.len() * n * total <= MOST_STEPS {
        exact(&ranks, n, sum_after)
    } else {
        approximate(&ranks, n, sum_after)
    }
}

/// Counts the ways to choose `n` of the ranks by their sum: each is as likely if nothing changed.
fn exact(ranks: &[usize], n: usize, sum: usize) -> PValues {
    let total: usize = ranks.iter().sum();
    let width = total + 1;
    // ways[k * width + s]: choices of k ranks that sum to s. Whole numbers below 2^53, so exact.
    let mut ways = vec![0.0f64; (n + 1) * width];
    if let Some(none) = ways.first_mut() {
        *none = 1.0;
    }
    for &rank in ranks {
        for k in (1..=n).rev() {
            let (fewer, these) = ways.split_at_mut(k * width);
            let fewer = fewer.get((k - 1) * width..).unwrap_or_default();
            let these = these.get_mut(rank..width).unwrap_or_default();
            these.iter_mut().zip(fewer).for_each(|(these, fewer)| *these += fewer);
        }
    }
    let chosen = ways.get(n * width..).unwrap_or_default();
    let all: f64 = chosen.iter().sum();
    let up_to: f64 = chosen.iter().take(sum + 1).sum();
    let from: f64 = chosen.iter().skip(sum).sum();
    PValues { greater: from / all, less: up_to / all }
}

/// Normal approximation with the correction for ties and for continuity.
fn approximate(ranks: &[usize], n: usize, sum: usize) -> PValues {
    let (count, chosen) = (ranks.len() as f64, n as f64);
    let mean_rank = ranks.iter().sum::<usize>() as f64 / count;
    let squares: f64 = ranks.iter().map(|&rank| (rank as f64 - mean_rank).powi(2)).sum();
    let deviation = (squares * chosen * (count - chosen) / (count * (count - 1.0))).sqrt();
    let apart = sum as f64 - chosen * mean_rank;
    // Sums of doubled ranks without ties are 2 apart: half of that is 1.
    PValues {
        greater: upper_tail((apart - 1.0) / deviation),
        less: upper_tail((-apart - 1.0) / deviation),
    }
}

/// The chance that U, the number of pairs in which the value after is the lesser one, is below 0, 1, 2 and so on, if
/// nothing changed and no values are equal. Of more pairs than [`MOST_PAIRS`] from the normal approximation.
pub(super) fn chances_below(n: usize, m: usize) -> Vec<f64> {
    let pairs = n * m;
    if pairs > MOST_PAIRS {
        let deviation = (pairs as f64 * (n + m + 1) as f64 / 12.0).sqrt();
        let mean = pairs as f64 / 2.0;
        return (0..=pairs).map(|u| upper_tail((mean + 0.5 - u as f64) / deviation)).collect();
    }
    // The coefficients of the product of (1 - x^(m+i)) / (1 - x^i), i = 1..n, count the ways to each U.
    let mut ways = vec![0.0f64; pairs + 1];
    if let Some(none) = ways.first_mut() {
        *none = 1.0;
    }
    for i in 1..=n {
        for u in (m + i..=pairs).rev() {
            ways[u] -= ways[u - m - i];
        }
        for u in i..=pairs {
            ways[u] += ways[u - i];
        }
    }
    let all: f64 = ways.iter().sum();
    let mut below = 0.0;
    ways.iter()
        .map(|ways| {
            let chance = below / all;
            below += ways;
            chance
        })
        .collect()
}

/// The chance that the sum of U over strata is below 0, 1, 2 and so on, if nothing changed and no values are equal.
/// `strata`: how many values each has before and after.
pub(super) fn chances_below_of(strata: &[(usize, usize)]) -> Vec<f64> {
    if let [(n, m)] = strata {
        return chances_below(*n, *m);
    }
    let mut chances = vec![1.0];
    for (n, m) in strata {
        let below = chances_below(*n, *m);
        let next = below.iter().skip(1).chain(std::iter::once(&1.0));
        let of_stratum: Vec<f64> = below.iter().zip(next).map(|(a, b)| b - a).collect();
        let mut sums = vec![0.0; chances.len() + of_stratum.len() - 1];
        for (i, one) in chances.iter().enumerate() {
            for (sum, other) in sums.iter_mut().skip(i).zip(&of_stratum) {
                *sum += one * other;
            }
        }
        chances = sums;
    }
    let mut below = 0.0;
    chances
        .iter()
        .map(|chance| {
            let sum = below;
            below += chance;
            sum
        })
        .collect()
}

/// Probability that a standard normal value is above `z` (Abramowitz and Stegun 26.2.17: within 8e-8).
pub(super) fn upper_tail(z: f64) -> f64 {
    if z < 0.0 {
        return 1.0 - upper_tail(-z);
    }
    let t = 1.0 / (1.0 + 0.231_641_9 * z);
    let series = [0.319_381_530, -0.356_563_782, 1.781_477_937, -1.821_255_978, 1.330_274_429];
    let sum = series.iter().rev().fold(0.0, |sum, c| (sum + c) * t);
    let density = (-z * z / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt();
    (density * sum).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: f64, b: f64, within: f64) -> bool {
        (a - b).abs() <= within
    }

    #[test]
    fn separate_samples_have_the_least_p_value() {
        let p = rank_test(&[1.0, 2.0, 3.0], &[4.0, 5.0, 6.0]);
        assert!(close(p.greater, 0.05, 1e-12) && p.less == 1.0, "{p:?}");
        let p = rank_test(&[1.0, 2.0, 3.0, 4.0, 5.0], &[9.0, 8.0, 7.0, 6.0, 10.0]);
        assert!(close(p.greater, 1.0 / 252.0, 1e-12), "{p:?}");
        assert_eq!(rank_test(&[2.0, 2.0], &[2.0, 2.0, 2.0]), PValues::NO_CHANGE);
    }

    #[test]
    fn ties_share_their_mean_rank() {
        let p = rank_test(&[1.0, 1.0, 2.0], &[1.0, 2.0, 2.0]);
        // Doubled ranks 4, 4, 4, 10, 10, 10; the sum 24 or more: two or three of the tens, 9 + 1 of 20.
        assert!(close(p.greater, 0.5, 1e-12), "{p:?}");
    }

    #[test]
    fn the_approximation_is_close_to_the_exact_count() {
        let ranks: Vec<usize> = (1..=20).map(|rank| 2 * rank).collect();
        for sum in [160, 210, 240, 260, 280] {
            let (exact, near) = (exact(&ranks, 10, sum), approximate(&ranks, 10, sum));
            assert!(close(exact.greater, near.greater, 0.01), "{sum}: {exact:?} {near:?}");
            assert!(close(exact.less, near.less, 0.01), "{sum}: {exact:?} {near:?}");
        }
    }

    #[test]
    fn chances_of_u_are_those_of_the_tables() {
        let three = chances_below(3, 3);
        assert!(close(three[1], 0.05, 1e-12) && close(three[2], 0.1, 1e-12), "{three:?}");
        let five = chances_below(5, 5);
        assert!(close(five[3], 4.0 / 252.0, 1e-12), "{five:?}");
        let (exact, near) = (chances_below(20, 20), chances_below(20, 21));
        assert!(close(exact[128], 0.025, 0.003), "{}", exact[128]);
        assert!(close(near[134], 0.025, 0.003), "{}", near[134]);
    }

    #[test]
    fn tails_of_the_normal_distribution() {
        for (z, p) in [(0.0, 0.5), (1.0, 0.158_655_25), (1.959_964, 0.025), (-1.0, 0.841_344_75)] {
            assert!(close(upper_tail(z), p, 1e-6), "{z}");
        }
    }
}
