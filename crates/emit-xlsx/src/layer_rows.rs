//! Layers of a static model, below kernels where there are any: what a launch is of other dumps.

use bigtpu_answers::Report;
use bigtpu_answers::tables::{WorkUnit, unit_columns};

use crate::number::Shape;
use crate::sheet::{Result, Sheet};
use crate::unit_row;

/// Columns before [`unit_row::WORK`]; behind it is the block, where one is known.
const NAMES: [&str; 6] = ["layer", "layer_id", "operation", "core", "runs", "events"];

const NOTE: &str = "From the first to the last command of each layer; layers may overlap. Busy: the engine's commands, without system commands. MAC Utilization: ideal cycles / cycles of the TIU commands whose ideal cycles are known. Expected: what the bits of its commands explain.";

/// Writes the layers from a row on; nothing where none are known.
pub(crate) fn write(sheet: &mut Sheet<'_>, first: u32, report: &Report) -> Result {
    if report.layers.is_empty() {
        return Ok(());
    }
    let styles = sheet.styles;
    sheet.styled(first, 0, "Layers", styles.title)?;
    sheet.text(first + 1, 0, NOTE)?;
    let has_blocks = report.layers.iter().any(|layer| layer.block.is_some());
    let blocks: &[&str] = if has_blocks { &["block"] } else { &[] };
    let columns = unit_columns(&[&NAMES[..], &unit_row::WORK, blocks].concat());
    for (col, column) in (0..).zip(&columns) {
        // All events of a layer have been its commands since this table is there.
        let title = match column.id {
            "events" => "Commands".to_owned(),
            _ => column.title_with_unit(),
        };
        sheet.styled(first + 2, col, &title, styles.head)?;
    }
    (first + 3..).zip(WorkUnit::layers(report)).try_for_each(|(row, layer)| {
        unit_row::write(sheet, (row, 0), &columns, &layer, Shape::Percent1)
    })
}
