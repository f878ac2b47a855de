//! Numbers with units that a reader can compare.

use bigtpu_messages::{Language, message};
use bigtpu_output::amount::Micro;

use crate::words::word;

/// Units of time, of ns.
const TIMES: [(f64, &str); 4] = [(1e9, "s"), (1e6, "ms"), (1e3, "µs"), (1.0, "ns")];
/// Units of energy, of pJ.
const ENERGIES: [(f64, &str); 5] =
    [(1e12, "J"), (1e9, "mJ"), (1e6, "µJ"), (1e3, "nJ"), (1.0, "pJ")];

/// A column of a table: all its numbers have one unit, which its header names.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Column {
    size: f64,
    unit: &'static str,
}

impl Column {
    /// Column of times in ns.
    pub(crate) fn of_times(values: impl IntoIterator<Item = f64>) -> Self {
        Self::fitting(values, &TIMES, 1e3)
    }

    /// Column of energies in pJ.
    pub(crate) fn of_energies(values: impl IntoIterator<Item = f64>) -> Self {
        Self::fitting(values, &ENERGIES, 1e9)
    }

    /// The greatest unit in which the least value has a digit before the point; `usual` where there is no value.
    fn fitting(
        values: impl IntoIterator<Item = f64>,
        units: &[(f64, &'static str)],
        usual: f64,
    ) -> Self {
        let least = values.into_iter().filter(|value| *value > 0.0).reduce(f64::min);
        let least = least.unwrap_or(usual);
        let fits = units.iter().find(|(size, _)| least >= *size).or(units.last());
        let (size, unit) = fits.copied().unwrap_or((1.0, ""));
        Self { size, unit }
    }

    /// Its header; terminals write a millionth with a letter, pages with the sign.
    pub(crate) fn head(self, name: &str, micro: Micro) -> String {
        let unit = match micro {
            Micro::Sign => self.unit.to_owned(),
            Micro::Letter => self.unit.replace('µ', "u"),
        };
        format!("{name} ({unit})")
    }

    /// A number in it.
    pub(crate) fn cell(self, value: f64) -> String {
        digits(value / self.size)
    }

    /// A round number with its unit, for an axis.
    pub(crate) fn tick(self, value: f64) -> String {
        format!("{} {}", value / self.size, self.unit)
    }

    /// A number in it, or the word for an unknown one.
    pub(crate) fn known(self, value: Option<f64>, language: Language) -> String {
        value.map_or_else(|| word("predict-unknown", language), |value| self.cell(value))
    }

    /// A range of numbers in it.
    pub(crate) fn range(self, [least, most]: [f64; 2], language: Language) -> String {
        let [least, most] = [least, most].map(|end| self.cell(end));
        message!("predict-from-to", least = least, most = most).text(language)
    }
}

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
    scaled(ns, &TIMES)
}

pub(crate) fn energy(pj: f64) -> String {
    scaled(pj, &ENERGIES)
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
        assert_eq!(time(14_555.443_2), "14.56 µs");
        assert_eq!(time(0.0), "0 ns");
        assert_eq!(time(0.25), "0.250 ns");
        assert_eq!(energy(1_356_857_344.0), "1.357 mJ");
        assert_eq!(digits(523_012.55), "523013");
    }

    #[test]
    fn a_column_has_one_unit() {
        let column = Column::of_times([2_256_000.0, 0.0, 442_500.0]);
        assert_eq!(column.head("Time", Micro::Letter), "Time (us)");
        let cells = [2_256_000.0, 442_500.0, 0.0].map(|ns| column.cell(ns));
        assert_eq!(cells, ["2256", "442.5", "0"]);
        assert_eq!(column.tick(200_000.0), "200 µs");
        assert_eq!(Column::of_times([0.0]).head("Transfers", Micro::Sign), "Transfers (µs)");
        let energies = Column::of_energies([21.26e9, 3e12]);
        let known = |pj| energies.known(pj, Language::English);
        assert_eq!((known(Some(3e12)), known(None)), ("3000".into(), "unknown".into()));
        assert_eq!(energies.head("Energy", Micro::Letter), "Energy (mJ)");
    }
}
