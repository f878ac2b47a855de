//! Numbers with units that a reader can compare.

/// A value in the greatest unit that leaves at least 1 before the point.
fn scaled(value: f64, units: &[(f64, &str)]) -> String {
    let fits = |(size, _): &&(f64, &str)| value.abs() >= *size;
    let (size, unit) = units.iter().find(fits).or(units.last()).copied().unwrap_or((1.0, ""));
    format!("{} {unit}", digits(value / size))
}

/// Four significant digits.
pub(crate) fn digits(value: f64) -> String {
    let whole = value.abs();
    match whole {
        _ if whole >= 1000.0 || whole == 0.0 => format!("{value:.0}"),
        _ if whole >= 100.0 => format!("{value:.1}"),
        _ if whole >= 10.0 => format!("{value:.2}"),
        _ if whole >= 0.1 => format!("{value:.3}"),
        _ => format!("{value:.2e}"),
    }
}

pub(crate) fn time(ns: f64) -> String {
    scaled(ns, &[(1e9, "s"), (1e6, "ms"), (1e3, "us"), (1.0, "ns")])
}

pub(crate) fn energy(pj: Option<f64>) -> String {
    let units = [(1e12, "J"), (1e9, "mJ"), (1e6, "uJ"), (1e3, "nJ"), (1.0, "pJ")];
    pj.map_or_else(|| "unknown".to_owned(), |pj| scaled(pj, &units))
}

pub(crate) fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}

/// A rate, or a dash where there is none.
pub(crate) fn or_dash(value: Option<f64>) -> String {
    value.map_or_else(|| "-".to_owned(), digits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_grow_with_values() {
        assert_eq!(time(14_555.443_2), "14.56 us");
        assert_eq!(time(0.0), "0 ns");
        assert_eq!(time(0.25), "0.250 ns");
        assert_eq!(energy(Some(1_356_857_344.0)), "1.357 mJ");
        assert_eq!(energy(None), "unknown");
        assert_eq!(digits(523_012.55), "523013");
    }
}
