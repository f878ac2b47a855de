//! Units of work as rows of text: kernels, steps, layers and blocks have the same columns.

use bigtpu_answers::tables::{Datum, Unit, WorkUnit, unit_columns};
use bigtpu_measure::percent;
use bigtpu_messages::Language;

use super::short;

/// The titles of columns.
pub(super) fn header_of(ids: &[&str]) -> Vec<String> {
    unit_columns(ids).iter().map(|column| column.short_with_unit()).collect()
}

/// The values of columns.
pub(super) fn row_of(ids: &[&str], unit: &WorkUnit<'_>, language: Language) -> Vec<String> {
    let columns = unit_columns(ids);
    columns.iter().map(|column| cell(column.unit, (column.value)(unit), language)).collect()
}

/// A value of a column as text.
fn cell(unit: Unit, value: Datum<'_>, language: Language) -> String {
    let number = |shown: &dyn Fn(f64) -> String| known(value.number(), shown);
    match (unit, value) {
        (_, Datum::Bound(bound)) => bound.message().text(language),
        (Unit::Text, Datum::Text(text)) => short(text),
        (Unit::Text, _) => number(&|number| format!("{number:.0}")),
        (Unit::Duration | Unit::Moment, _) => number(&|ns| format!("{:.3}", ns / 1000.0)),
        (Unit::Count | Unit::Bytes, _) => number(&|count| format!("{count:.0}")),
        (Unit::Share, _) => number(&|share| percent(share, 1)),
        (Unit::Gbps | Unit::Number, _) => number(&|gbps| format!("{gbps:.2}")),
        (Unit::Tops, _) => number(&|tops| format!("{tops:.3}")),
    }
}

/// A value, or `-` where it is not known.
pub(super) fn known<T>(value: Option<T>, shown: impl Fn(T) -> String) -> String {
    value.map_or_else(|| "-".to_owned(), shown)
}
