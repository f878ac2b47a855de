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
mod units;

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
use gaps::{causes_table, engine_gaps_table, gaps_table, launches_table};
use host::{communication_table, ddr_bandwidth_table, operators_table};
use intervals::{engines_table, intervals_table};
use kernels::{rooflines_table, roofs_table};
use layers::blocks_table;
use steps::steps_table;

use bigtpu_answers::Report;
use bigtpu_measure::layers::numbered_layer;
use bigtpu_measure::{percent, quotient};
use bigtpu_messages::{Language, Message, message};
use bigtpu_output::Table;

/// Rows of the longer tables.
const MANY: usize = 20;

/// Every table that has rows, in the order of the questions: where, what, why. `language` is that of titles and words in cells;
/// headers are the same in all languages.
#[must_use]
pub fn answer_tables(report: &Report, language: Language) -> Vec<Table> {
    let all = [
        ddr_bandwidth_table(report, language),
        intervals_table(report, language),
        path_table(report, MANY, language),
        engines_table(report, language),
        communication_table(report, language),
        steps_table(report, MANY, language),
        operators_table(report, MANY, language),
        kernels_table(report, MANY, language),
        rooflines_table(report, MANY, language),
        roofs_table(report, language),
        engine_gaps_table(report, language),
        causes_table(report, language),
        gaps_table(report, MANY, language),
        launches_table(report, language),
        imbalance_table(report, MANY, language),
        slower_table(report, MANY, language),
        layers_table(report, MANY, language),
        blocks_table(report, MANY, language),
    ];
    all.into_iter().filter(|table| !table.is_empty()).collect()
}

/// A layer in a cell: `layer 5 81_Conv (Conv2D)`.
fn layer_text(id: u64, label: &str, language: Language) -> String {
    message!("place-layer", layer = numbered_layer(id, label)).text(language)
}

/// ns as microseconds with 3 decimals.
pub(crate) fn us(ns: i64) -> String {
    format!("{:.3}", ns as f64 / 1000.0)
}

/// A share of a whole as a percentage with 1 decimal.
pub(crate) fn share(part: i64, whole: i64) -> String {
    percent(quotient(part.into(), whole.into()), 1)
}

pub(crate) fn table(
    title: impl Into<String>,
    header: &[impl AsRef<str>],
    rows: Vec<Vec<String>>,
) -> Table {
    Table::new(title.into(), header.iter().map(|head| head.as_ref().to_owned()), rows)
}

/// A title, and how much a table shows of what there is if that is not all.
pub(crate) fn first_of(title: Message, most: usize, all: usize) -> Message {
    match all > most {
        true => message!("report-first-of", title = title, shown = most, all = all),
        false => title,
    }
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
