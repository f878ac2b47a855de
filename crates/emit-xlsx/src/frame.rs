//! What is around the cells in the XML of a sheet: the workbook's library writes it.

use std::io;

use rust_xlsxwriter::XlsxError;

use crate::cells::Cells;
use crate::sheet::Result;

/// A sheet's XML but for what cells need in it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Frame<'x> {
    /// Up to the range of the cells.
    top: &'x str,
    /// Between their range and their rows: the layout.
    layout: &'x str,
    /// The filter behind the rows, if there is one.
    filter: &'x str,
    /// Between merged cells and links.
    formats: &'x str,
    /// All that is behind the links.
    tail: &'x str,
}

impl<'x> Frame<'x> {
    /// Parts the XML of a sheet.
    ///
    /// # Errors
    /// When the XML is not of the form that is expected.
    pub(crate) fn parse(xml: &'x str) -> Result<Self> {
        Self::parts(xml).ok_or_else(|| {
            let text = "the library for workbooks wrote a sheet in a form that is not known";
            XlsxError::IoError(io::Error::other(text))
        })
    }

    fn parts(xml: &'x str) -> Option<Self> {
        let (top, rest) = xml.split_once("<dimension ref=\"")?;
        let (_, rest) = rest.split_once("\"/>")?;
        let (layout, rest) = rest.split_once("<sheetData")?;
        // The library has rows only for what is no cell, such as a note.
        let behind = match rest.strip_prefix("/>") {
            Some(behind) => behind,
            None => rest.split_once("</sheetData>")?.1,
        };
        let end_of_filter = match behind.starts_with("<autoFilter ") {
            true => behind.find("/>")? + "/>".len(),
            false => 0,
        };
        let (filter, behind) = behind.split_at_checked(end_of_filter)?;
        let margins = ["<printOptions", "<pageMargins"].iter().filter_map(|tag| behind.find(tag));
        let (formats, tail) = behind.split_at_checked(margins.min()?)?;
        let has_cells = ["<mergeCells", "<hyperlinks"].iter().any(|tag| formats.contains(tag));
        (!has_cells).then_some(Self { top, layout, filter, formats, tail })
    }

    /// What is before the rows of cells. `below`: the last row and column of further rows below these.
    pub(crate) fn head(&self, cells: &Cells, below: Option<(u32, u16)>) -> Vec<u8> {
        let (top, range, layout) = (self.top, cells.range(below), self.layout);
        format!("{top}<dimension ref=\"{range}\"/>{layout}<sheetData>").into_bytes()
    }

    /// What is behind the rows.
    pub(crate) fn tail(&self, cells: &Cells) -> Vec<u8> {
        let (merged, links) = (cells.merged_xml(), cells.links_xml());
        let [filter, formats, tail] = [self.filter, self.formats, self.tail].map(str::as_bytes);
        [b"</sheetData>", filter, &merged, formats, &links, tail].concat()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sheet_of_another_form_is_an_error() {
        let xml = |rows: &str| {
            format!(
                "<a/><dimension ref=\"A1:K2\"/><cols/>{rows}<autoFilter ref=\"A1:B2\"/><f/><pageMargins/>"
            )
        };
        for rows in ["<sheetData/>", "<sheetData><row r=\"2\"/></sheetData>"] {
            let xml = xml(rows);
            let frame = Frame::parse(&xml).unwrap();
            assert_eq!((frame.top, frame.layout, frame.formats), ("<a/>", "<cols/>", "<f/>"));
            assert_eq!(
                (frame.filter, frame.tail),
                ("<autoFilter ref=\"A1:B2\"/>", "<pageMargins/>")
            );
        }
        for other in ["", "<dimension ref=\"A1\"/><sheetData/>", "<sheetData/><pageMargins/>"] {
            assert!(Frame::parse(other).is_err(), "{other}");
        }
        assert!(Frame::parse(&xml("<sheetData/><mergeCells/>")).is_err());
    }
}
