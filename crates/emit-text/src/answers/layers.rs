//! Layers of a static model as a table, and its blocks.

use std::cmp::Reverse;

use bigtpu_answers::Report;
use bigtpu_answers::tables::WorkUnit;
use bigtpu_messages::{Language, Message, message};
use bigtpu_output::Table;

use super::table;
use super::units::{header_of, row_of};

/// Columns of the table of layers.
const LAYERS: [&str; 14] = [
    "layer_id",
    "operation",
    "layer",
    "core",
    "runs",
    "events",
    "start_ns",
    "total_ns",
    "wall_share",
    "path_ns",
    "tiu_busy",
    "dma_busy",
    "uarch_rate",
    "bytes",
];

/// Columns of the table of blocks.
const BLOCKS: [&str; 10] = [
    "block",
    "layers",
    "events",
    "total_ns",
    "wall_share",
    "path_ns",
    "tiu_ns",
    "dma_ns",
    "uarch_rate",
    "bytes",
];

/// The layers that took longest; no rows where none are known.
pub(crate) fn layers_table(report: &Report, most: usize, language: Language) -> Table {
    let mut longest: Vec<WorkUnit<'_>> = WorkUnit::layers(report).collect();
    longest.sort_by_key(|layer| Reverse(layer.work.total_ns));
    let rows = longest.iter().take(most).map(|layer| row_of(&LAYERS, layer, language));
    let title = match report.layers.len() {
        all if all > most => message!("report-table-layers-first", shown = most, all = all),
        _ => Message::new("report-table-layers"),
    };
    table(title.text(language), &header_of(&LAYERS), rows.collect())
}

/// The blocks in the order of the model, those in a block behind it; no rows of a model without blocks.
pub(crate) fn blocks_table(report: &Report, most: usize, language: Language) -> Table {
    let blocks = || WorkUnit::blocks(report).skip(1);
    let mut ranks: Vec<i64> = blocks().map(|block| block.work.total_ns).collect();
    ranks.sort_unstable_by_key(|ns| Reverse(*ns));
    // The longest, though in the model's order.
    let least = ranks.get(most.saturating_sub(1)).copied().unwrap_or(i64::MIN);
    let rows = blocks().filter(|block| block.work.total_ns >= least).take(most);
    let rows = rows.map(|block| row_of(&BLOCKS, &block, language));
    let title = match ranks.len() {
        all if all > most => message!("report-table-blocks-first", shown = most, all = all),
        _ => Message::new("report-table-blocks"),
    };
    table(title.text(language), &header_of(&BLOCKS), rows.collect())
}
