//! Variances of many series from few values each: each is drawn to what all have in common.
//!
//! The model is that of Smyth, Linear models and empirical Bayes methods for assessing differential expression in microarray
//! experiments (2004): variances of the series are scaled inverse chi-squares, whose middle and width follow from the logarithms of the
//! measured ones. Series that are alike lend each other all their values; where they differ, each stands for itself.

use super::robust::Variance;

/// The moderated variances, in the order of the measured ones.
pub(super) fn moderated(measured: &[Variance]) -> Vec<Variance> {
    let usable = || measured.iter().filter(|v| v.variance > 0.0 && v.freedom >= 1.0);
    let count = usable().count() as f64;
    if count < 2.0 {
        return measured.to_vec();
    }
    let centred = |v: &Variance| {
        let half = v.freedom / 2.0;
        v.variance.ln() - digamma(half) + half.ln()
    };
    let mean = usable().map(centred).sum::<f64>() / count;
    let spread = usable().map(|v| (centred(v) - mean).powi(2)).sum::<f64>() / (count - 1.0);
    let by_chance = usable().map(|v| trigamma(v.freedom / 2.0)).sum::<f64>() / count;
    let all: f64 = usable().map(|v| v.freedom).sum();
    let excess = spread - by_chance;
    let prior = if excess > 0.0 { 2.0 * inverse_trigamma(excess) } else { f64::INFINITY };
    let (prior, common) = if prior < all {
        (prior, (mean + digamma(prior / 2.0) - (prior / 2.0).ln()).exp())
    } else {
        (all, mean.exp())
    };
    let of = |v: &Variance| {
        let freedom = prior + v.freedom;
        let variance = (prior * common + v.freedom * v.variance) / freedom;
        // No more is known than all values together say.
        Variance { variance, freedom: freedom.min(all.max(v.freedom)) }
    };
    measured.iter().map(of).collect()
}

/// The derivative of the logarithm of the gamma function, for x above 0.
fn digamma(mut x: f64) -> f64 {
    let mut sum = 0.0;
    while x < 6.0 {
        sum -= 1.0 / x;
        x += 1.0;
    }
    let f = 1.0 / (x * x);
    sum + x.ln() - 0.5 / x - f * (1.0 / 12.0 - f * (1.0 / 120.0 - f / 252.0))
}

/// Its derivative.
fn trigamma(mut x: f64) -> f64 {
    let mut sum = 0.0;
    while x < 6.0 {
        sum += 1.0 / (x * x);
        x += 1.0;
    }
    let f = 1.0 / (x * x);
    sum + 1.0 / x + f / 2.0 + f / x * (1.0 / 6.0 - f * (1.0 / 30.0 - f / 42.0))
}

/// The x whose trigamma is `y`: it falls with x, so by halving.
fn inverse_trigamma(y: f64) -> f64 {
    let (mut low, mut high) = (1e-6_f64, 1e6_f64);
    for _ in 0..80 {
        let x = (low * high).sqrt();
        if trigamma(x) > y { low = x } else { high = x }
    }
    (low * high).sqrt()
}
