//! Layers of a static model as a table.

use std::cmp::Reverse;

use bigtpu_answers::{LayerRow, Report};
use bigtpu_measure::percent;
use bigtpu_messages::{Language, Message, message};
use bigtpu_output::Table;

use super::{share, short, table, us};

/// The layers that took longest; no rows where none are known.
pub(crate) fn layers_table(report: &Report, most: usize, language: Language) -> Table {
    let mut longest: Vec<&LayerRow> = report.layers.iter().collect();
    longest.sort_by_key(|layer| (Reverse(layer.total_ns), layer.id));
    let rows = longest.into_iter().take(most).map(|layer| {
        let [tiu, gdma, sdma] = layer.busy_ns;
        vec![
            layer.id.to_string(),
            layer.operation.clone(),
            short(layer.label().as_str()),
            layer.core.to_string(),
            layer.runs.to_string(),
            layer.events.to_string(),
            us(layer.start_ns),
            us(layer.total_ns),
            percent(layer.wall_share, 1),
            us(layer.path_ns),
            share(tiu, layer.total_ns),
            share(gdma + sdma, layer.total_ns),
            // Without operations nothing is known of the rate.
            match layer.uarch_ops {
                0 => "-".to_owned(),
                _ => percent(layer.uarch_rate, 1),
            },
            (layer.ddr_bytes + layer.other_bytes).to_string(),
        ]
    });
    let header = [
        "Layer",
        "Operation",
        "Name",
        "Core",
        "Runs",
        "Events",
        "Start(us)",
        "Total(us)",
        "OfWall",
        "Path(us)",
        "TIU",
        "DMA",
        "uArch",
        "Bytes",
    ];
    let title = match report.layers.len() {
        all if all > most => message!("report-table-layers-first", shown = most, all = all),
        _ => Message::new("report-table-layers"),
    };
    table(title.text(language), &header, rows.collect())
}
