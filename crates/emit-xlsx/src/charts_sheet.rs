//! `Charts`: how busy each core's engines were, and which kernels took longest.

use bigtpu_chip::Engine;
use bigtpu_compat::EngineSummary;
use rust_xlsxwriter::{Chart, ChartType};

use crate::chart_values::ChartCells;
use crate::kernels_sheet;
use crate::number::Shape;
use crate::sheet::{Result, Sheet};
use crate::styles::engine_color;

/// Name of the sheet.
pub(crate) const NAME: &str = "Charts";

/// Engines of a core.
const ENGINES: [Engine; 3] = [Engine::Tiu, Engine::Gdma, Engine::Sdma];

/// Kernels in the chart.
pub(crate) const KERNELS: u32 = 15;

/// Size of the charts in pixels, and the rows that one takes.
const SIZE: (u32, u32) = (860, 400);
const ROWS: u32 = 22;

/// First column of the charts.
const COLUMN: u16 = 5;

/// Writes the sheet.
pub(crate) fn write(sheet: &mut Sheet<'_>, summary: &EngineSummary, kernels: usize) -> Result {
    let styles = sheet.styles;
    sheet.charted = ChartCells::new(2..u32::MAX, &[0, 1, 2, 3]);
    sheet.inner.set_column_range_width(0, 3, 12)?;
    sheet.styled(0, 0, "Busy share of the total time", styles.title)?;
    sheet.headers(2, 0, ["Core"], styles.head)?;
    for (col, engine) in (1..).zip(ENGINES) {
        sheet.styled(2, col, engine.name(), styles.head_of(engine))?;
    }
    let mut row = 2;
    for core in &summary.cores {
        row += 1;
        sheet.text(row, 0, &format!("Core {}", core.core))?;
        for (col, share) in (1..).zip(summary.busy_shares(core)) {
            sheet.number(row, col, (share, Shape::Percent2))?;
        }
    }
    let mut at = 1;
    if row > 2 {
        sheet.inner.insert_chart(at, COLUMN, &busy_chart(row))?;
        at += ROWS;
    }
    if kernels > 0 {
        let shown = u32::try_from(kernels).unwrap_or(KERNELS).min(KERNELS);
        sheet.inner.insert_chart(at, COLUMN, &kernel_chart(shown))?;
    }
    Ok(())
}

/// Columns side by side, one group a core.
fn busy_chart(last_row: u32) -> Chart {
    let mut chart = Chart::new(ChartType::Column);
    for (col, engine) in (1..).zip(ENGINES) {
        chart
            .add_series()
            .set_name((NAME, 2, col))
            .set_categories((NAME, 3, 0, last_row, 0))
            .set_values((NAME, 3, col, last_row, col))
            .set_format(rust_xlsxwriter::ChartFormat::new().set_solid_fill(
                rust_xlsxwriter::ChartSolidFill::new().set_color(engine_color(engine)),
            ));
    }
    chart.title().set_name("Engine busy share by core");
    chart.y_axis().set_num_format("0%").set_min(0);
    chart.legend().set_position(rust_xlsxwriter::ChartLegendPosition::Bottom);
    chart.set_width(SIZE.0).set_height(SIZE.1);
    chart
}

/// Bars, the longest on top.
fn kernel_chart(shown: u32) -> Chart {
    let (first, last) = (kernels_sheet::HEADER_ROW + 1, kernels_sheet::HEADER_ROW + shown);
    let (sheet, kernel, total) = (kernels_sheet::NAME, kernels_sheet::KERNEL, kernels_sheet::TOTAL);
    let mut chart = Chart::new(ChartType::Bar);
    chart
        .add_series()
        .set_name("Total(us)")
        .set_categories((sheet, first, kernel, last, kernel))
        .set_values((sheet, first, total, last, total))
        .set_gap(40)
        .set_format(rust_xlsxwriter::ChartFormat::new().set_solid_fill(
            rust_xlsxwriter::ChartSolidFill::new().set_color(engine_color(Engine::Tiu)),
        ));
    chart.title().set_name("Kernels that took longest, in us");
    chart.legend().set_hidden();
    chart.y_axis().set_reverse();
    chart.x_axis().set_min(0);
    chart.set_width(SIZE.0).set_height(SIZE.1);
    chart
}
