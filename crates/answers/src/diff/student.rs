//! Student's t distribution, also with a number of degrees of freedom that is not whole.

/// The chance that t is above `t`. `freedom`: degrees of freedom, above 0.
pub(super) fn upper_tail(t: f64, freedom: f64) -> f64 {
    let x = freedom / (freedom + t * t);
    let both = incomplete_beta(x, freedom / 2.0, 0.5);
    if t >= 0.0 { both / 2.0 } else { 1.0 - both / 2.0 }
}

/// The t that is exceeded with this chance, at most one half.
pub(super) fn quantile(chance: f64, freedom: f64) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    while upper_tail(high, freedom) > chance && high < 1e9 {
        high *= 2.0;
    }
    for _ in 0..200 {
        let middle = (low + high) / 2.0;
        if upper_tail(middle, freedom) > chance { low = middle } else { high = middle }
    }
    (low + high) / 2.0
}

/// The regularized incomplete beta function by its continued fraction (Abramowitz and Stegun 26.5.8, evaluated after Lentz).
fn incomplete_beta(x: f64, a: f64, b: f64) -> f64 {
    if x <= 0.0 {
        return 0.0;
    }
    if x >= 1.0 {
        return 1.0;
    }
    if x > (a + 1.0) / (a + b + 2.0) {
        return 1.0 - incomplete_beta(1.0 - x, b, a);
    }
    let front =
        (ln_gamma(a + b) - ln_gamma(a) - ln_gamma(b) + a * x.ln() + b * (1.0 - x).ln()).exp();
    let safe = |value: f64| if value.abs() < 1e-300 { 1e-300 } else { value };
    let (mut c, mut d) = (1.0, 1.0 / safe(1.0 - (a + b) * x / (a + 1.0)));
    let mut fraction = d;
    for m in 1..500 {
        let m = f64::from(m);
        for term in [
            m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0)),
        ] {
            d = 1.0 / safe(1.0 + term * d);
            c = safe(1.0 + term / c);
            fraction *= c * d;
        }
        if (c * d - 1.0).abs() < 1e-14 {
            break;
        }
    }
    front * fraction / a
}

/// The logarithm of the gamma function (Lanczos' approximation with g = 7: within 1e-13).
fn ln_gamma(x: f64) -> f64 {
    const TERMS: [f64; 8] = [
        676.520_368_121_885_1,
        -1_259.139_216_722_402_8,
        771.323_428_777_653_1,
        -176.615_029_162_140_6,
        12.507_343_278_686_905,
        -0.138_571_095_265_720_12,
        9.984_369_578_019_572e-6,
        1.505_632_735_149_311_6e-7,
    ];
    let x = x - 1.0;
    let sum = TERMS.iter().zip(1..).map(|(term, i)| term / (x + f64::from(i))).sum::<f64>();
    let t = x + 7.5;
    0.5 * (2.0 * std::f64::consts::PI).ln() + (x + 0.5) * t.ln() - t
        + (sum + 0.999_999_999_999_809_9).ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_those_of_the_tables() {
        for (chance, freedom, t) in [
            (0.05, 1.0, 6.3138),
            (0.05, 4.0, 2.1318),
            (0.025, 10.0, 2.2281),
            (0.025, 120.0, 1.9799),
            (0.05, 2.5, 2.5582),
        ] {
            assert!((quantile(chance, freedom) - t).abs() < 6e-4, "{chance} {freedom}");
        }
        assert!((upper_tail(-1.0, 3.0) - (1.0 - upper_tail(1.0, 3.0))).abs() < 1e-12);
    }
}
