//! The workbook that was written, read back.

use std::path::Path;

use calamine::{Data, Reader, Xlsx, open_workbook};

/// The name under which the workbook is written.
pub(crate) const WORKBOOK: &str = "PerfDoc/PerfAI_output.xlsx";

/// The names of all sheets.
pub(crate) fn names(out: &Path) -> Vec<String> {
    let book: Xlsx<_> = open_workbook(out.join(WORKBOOK)).unwrap();
    book.sheet_names()
}

/// Rows of a sheet: the texts of their cells. Reading all sheets shows that the workbook opens.
#[track_caller]
pub(crate) fn rows(out: &Path, sheet: &str) -> Vec<Vec<String>> {
    let mut book: Xlsx<_> = open_workbook(out.join(WORKBOOK)).unwrap();
    let names = book.sheet_names();
    let mut sheets = names.iter().map(|name| (name, book.worksheet_range(name).unwrap()));
    let (_, range) = sheets.find(|(name, _)| *name == sheet).unwrap();
    let text = |cell: &Data| match cell {
        Data::String(text) => text.clone(),
        other => other.to_string(),
    };
    range.rows().map(|row| row.iter().map(text).collect()).collect()
}
