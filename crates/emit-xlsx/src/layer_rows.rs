//! Layers of a static model below the kernels: what a launch is of other dumps.

use bigtpu_answers::LayerRow;

use crate::number::{Shape, microseconds, whole};
use crate::sheet::{Result, Sheet};

const COLUMNS: [&str; 19] = [
    "Layer",
    "Layer Id",
    "Operation",
    "Core",
    "Runs",
    "Commands",
    "Start(ns)",
    "Total(us)",
    "Of the wall time",
    "On the path(us)",
    "TIU Busy(us)",
    "GDMA Busy(us)",
    "SDMA Busy(us)",
    "Alg Ops",
    "uArch Rate",
    "MAC Utilization",
    "DDR Bytes",
    "Other Bytes",
    "Expected(us)",
];

const NOTE: &str = "From the first to the last command of each layer; layers may overlap. Busy: the engine's commands, without system commands. MAC Utilization: ideal cycles / cycles of the TIU. Expected: what the bits of its commands explain.";

/// Writes the layers from a row on; nothing where none are known.
pub(crate) fn write(sheet: &mut Sheet<'_>, first: u32, layers: &[LayerRow]) -> Result {
    if layers.is_empty() {
        return Ok(());
    }
    let styles = sheet.styles;
    sheet.styled(first, 0, "Layers", styles.title)?;
    sheet.text(first + 1, 0, NOTE)?;
    sheet.headers(first + 2, 0, COLUMNS, styles.head)?;
    (first + 3..).zip(layers).try_for_each(|(row, layer)| line(sheet, row, layer))
}

fn line(sheet: &mut Sheet<'_>, row: u32, layer: &LayerRow) -> Result {
    sheet.text(row, 0, layer.label().as_str())?;
    sheet.number(row, 1, whole(layer.id.into()))?;
    sheet.text(row, 2, &layer.operation)?;
    let [tiu, gdma, sdma] = layer.busy_ns.map(microseconds);
    let numbers = [
        whole(layer.core.into()),
        whole(layer.runs.into()),
        whole(layer.events.into()),
        whole(layer.start_ns.into()),
        microseconds(layer.total_ns),
        (layer.wall_share, Shape::Percent1),
        microseconds(layer.path_ns),
        tiu,
        gdma,
        sdma,
        whole(layer.ops.into()),
    ];
    (3..).zip(numbers).try_for_each(|(col, number)| sheet.number(row, col, number))?;
    if layer.uarch_ops > 0 {
        sheet.number(row, 14, (layer.uarch_rate, Shape::Percent1))?;
    }
    if let Some(utilization) = layer.mac_utilization {
        sheet.number(row, 15, (utilization, Shape::Percent1))?;
    }
    sheet.number(row, 16, whole(layer.ddr_bytes.into()))?;
    sheet.number(row, 17, whole(layer.other_bytes.into()))?;
    match layer.explained_ns {
        0 => Ok(()),
        _ => sheet.number(row, 18, microseconds(layer.expected_ns)),
    }
}
