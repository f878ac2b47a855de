//! What is around an engine's rows in the XML of its sheet. The workbook's library writes it, with one row in place of the
//! engine's: a number in each format, which tells how a cell names its format.

use std::io;

use rust_xlsxwriter::XlsxError;

use crate::number::Shape;
use crate::row_xml::StyleMarks;
use crate::sheet::{Result, Sheet};

/// A sheet's XML but for the rows of its engine.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Frame {
    /// All that is before them: the layout, and the rows above.
    pub(crate) head: String,
    /// How their cells name their formats.
    pub(crate) marks: StyleMarks,
    /// All that is behind them.
    pub(crate) tail: String,
}

/// Writes the row that stands for the engine's.
pub(crate) fn write_style_row(sheet: &mut Sheet<'_>, row: u32) -> Result {
    (0..).zip(Shape::ALL).try_for_each(|(col, shape)| sheet.number(row, col, (0.0, shape)))
}

impl Frame {
    /// Parts the XML of a sheet whose [style row](write_style_row) is the last one; the rows in its place go up to `last_row`.
    /// Rows are counted from 0.
    ///
    /// # Errors
    /// When the XML is not of the form that is expected.
    pub(crate) fn parse(xml: &str, style_row: u32, last_row: u32) -> Result<Self> {
        Self::parts(xml, style_row, last_row).ok_or_else(|| {
            let text = "the library for workbooks wrote a sheet in a form that is not known";
            XlsxError::IoError(io::Error::other(text))
        })
    }

    fn parts(xml: &str, style_row: u32, last_row: u32) -> Option<Self> {
        let (head, rest) = xml.rsplit_once(&format!("<row r=\"{}\">", style_row + 1))?;
        let (cells, tail) = rest.split_once("</row>")?;
        let mut marks = StyleMarks::default();
        let cells: Vec<&str> = cells.split_terminator("</c>").collect();
        if cells.len() != marks.len() {
            return None;
        }
        for (mark, cell) in marks.iter_mut().zip(cells) {
            // `<c r="B7" s="1"><v>0</v>`
            let (attributes, _) = cell.strip_prefix("<c r=\"")?.split_once('>')?;
            let (_, style) = attributes.split_once('"')?;
            style.clone_into(mark);
        }
        let head = reaching(head, style_row, last_row)?;
        Some(Self { head, marks, tail: tail.to_owned() })
    }
}

/// The head, with a dimension that ends at another row.
fn reaching(head: &str, style_row: u32, last_row: u32) -> Option<String> {
    let (before, rest) = head.split_once("<dimension ref=\"")?;
    let (range, after) = rest.split_once('"')?;
    let range = range.strip_suffix(&(style_row + 1).to_string())?;
    Some(format!("{before}<dimension ref=\"{range}{}\"{after}", last_row + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sheet_of_another_form_is_an_error() {
        let xml = |cells: &str| {
            format!("<dimension ref=\"A1:K2\"/><row r=\"2\">{cells}</row></sheetData>")
        };
        let cells: String = Shape::ALL
            .map(|shape| format!("<c r=\"X2\" s=\"{}\"><v>0</v></c>", shape as u8))
            .concat();
        let frame = Frame::parse(&xml(&cells), 1, 41).unwrap();
        assert_eq!((&*frame.head, &*frame.tail), ("<dimension ref=\"A1:K42\"/>", "</sheetData>"));
        assert_eq!(frame.marks.last().unwrap(), " s=\"9\"");
        assert!(Frame::parse(&xml("<c r=\"A2\"><v>0</v></c>"), 1, 41).is_err());
        assert!(Frame::parse(&xml(&cells), 2, 41).is_err());
        assert!(Frame::parse("", 1, 41).is_err());
    }
}
