//! The answers as texts and tables: for the console and for `summary.txt`.

mod advice;
mod balance;
mod expected;
mod gaps;
mod host;
mod intervals;
mod kernels;
mod layers;
mod path;
mod steps;

pub use advice::{advice_besides, advice_brief, advice_full, advice_together};
pub use balance::barriers_text;
pub use host::host_text;
pub use intervals::intervals_text;
pub use kernels::kernels_table;
pub use path::path_text;
pub use steps::steps_text;

pub(crate) use layers::layers_table;
pub(crate) use path::path_table;

use balance::imbalance_table;
use expected::slower_table;
use gaps::{causes_table, gaps_table, launches_table};
use host::{communication_table, operators_table};
use intervals::{engines_table, intervals_table};
use kernels::{rooflines_table, roofs_table};
use steps::steps_table;

use bigtpu_answers::Report;
use bigtpu_measure::{percent, quotient};
use bigtpu_output::Table;

/// Rows of the longer tables.
const MANY: usize = 20;

/// Every table that has rows, in the order of the questions: where, what, why.
#[must_use]
pub fn answer_tables(report: &Report) -> Vec<Table> {
    let all = [
        intervals_table(report),
        path_table(report, MANY),
        engines_table(report),
        communication_table(report),
        steps_table(report, MANY),
        operators_table(report, MANY),
        kernels_table(report, MANY),
        rooflines_table(report, MANY),
        roofs_table(report),
        causes_table(report),
        gaps_table(report, MANY),
        launches_table(report),
        imbalance_table(report, MANY),
        slower_table(report, MANY),
        layers_table(report, MANY),
    ];
    all.into_iter().filter(|table| !table.is_empty()).collect()
}

/// ns as microseconds with 3 decimals.
pub(crate) fn us(ns: i64) -> String {
    format!("{:.3}", ns as f64 / 1000.0)
}

/// A share of a whole as a percentage with 1 decimal.
pub(crate) fn share(part: i64, whole: i64) -> String {
    percent(quotient(part.into(), whole.into()), 1)
}

pub(crate) fn table(title: &str, header: &[&str], rows: Vec<Vec<String>>) -> Table {
    Table::new(title.to_owned(), header.iter().map(|head| (*head).to_owned()), rows)
}

/// A title, and how much a table shows of what there is if that is not all.
pub(crate) fn first_of(title: &str, most: usize, all: usize) -> String {
    if all > most { format!("{title}: the first {most} of {all}") } else { title.to_owned() }
}

/// A longer name is cut in its middle, where kernels differ least.
pub(crate) fn short(name: &str) -> String {
    const MOST: usize = 40;
    let length = name.chars().count();
    if length <= MOST {
        return name.to_owned();
    }
    let head: String = name.chars().take(MOST / 2 - 1).collect();
    let tail: String = name.chars().skip(length - (MOST / 2 - 1)).collect();
    format!("{head}..{tail}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_keep_both_ends() {
        let name = "a".repeat(30) + &"z".repeat(30);
        assert_eq!(short(&name), "a".repeat(19) + ".." + &"z".repeat(19));
        assert_eq!(short("kernel"), "kernel");
    }
}
