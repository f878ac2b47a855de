//! The workbook `PerfDoc/PerfAI_output.xlsx`: a front sheet, a summary, every command of every engine, kernels, charts,
//! and what became of the data.
//!
//! The sheets `Engine Summary`, `TIU_n`, `GDMA_n`, `SDMA_n` and `CDMA_n` have fixed cells that other
//! programs read; what is new is on sheets of its own or after them.
#![forbid(unsafe_code)]

mod advice_sheet;
mod array_block;
mod book;
mod cells;
mod chart_values;
mod charts_sheet;
mod column_names;
mod columns;
mod companion;
mod deflate;
mod engine_sheet;
mod frame;
mod gains;
mod gaps_sheet;
mod headers;
mod kernels_sheet;
mod layer_rows;
mod layer_sheet;
mod model_sheet;
mod number;
mod open_part;
mod package;
mod part;
mod path_sheet;
mod port_columns;
mod quality_sheet;
mod repeated;
mod roofline_chart;
mod roofline_sheet;
mod row_xml;
mod rows;
mod sheet;
mod start_sheet;
mod steps_sheet;
mod styles;
mod summary_below;
mod summary_sheet;
mod time_sheet;
mod tree_sheet;
mod unit_row;
mod workbook;
mod xml;

pub use workbook::{NAME, Workbook, WorkbookName, is_workbook};
