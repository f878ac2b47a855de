//! Cells of one sheet: texts that are never formulas, numbers with their formats, links.

use std::borrow::Cow;

use bigtpu_output::{plain_line, plain_lines};
use rust_xlsxwriter::{Worksheet, XlsxError};

use crate::cells::{Cells, LINE_HEIGHT};
use crate::chart_values::{ChartCells, ChartValue};
use crate::number::{Shape, of_text};
use crate::styles::{Style, Styles};

/// What writing a cell gives.
pub(crate) type Result<T = ()> = std::result::Result<T, XlsxError>;

/// Longest text of a cell, in UTF-16 units.
pub(crate) const LONGEST: usize = 32_767;

/// A cell whose text was too long.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Cut {
    /// Name of the sheet.
    pub(crate) sheet: String,
    /// Row and column, from 0.
    pub(crate) place: (u32, u16),
    /// Length of the whole text in UTF-16 units.
    pub(crate) length: usize,
}

/// A text as a cell shows it: a cell would take it as it is, but its reader could not see all of it.
pub(crate) fn shown(text: &str) -> Cow<'_, str> {
    if text.contains('\n') { plain_lines(text).into() } else { plain_line(text) }
}

/// As much of a text as a cell has room for, and the length of the whole text in UTF-16 units where that is more.
pub(crate) fn fitting(text: &str) -> (&str, Option<usize>) {
    // A text has at most as many UTF-16 units as bytes.
    if text.len() <= LONGEST {
        return (text, None);
    }
    let (mut units, mut end) = (0, text.len());
    for (at, c) in text.char_indices() {
        if units + c.len_utf16() > LONGEST && end == text.len() {
            end = at;
        }
        units += c.len_utf16();
    }
    if units <= LONGEST {
        return (text, None);
    }
    (text.get(..end).unwrap_or_default(), Some(units))
}

/// A sheet that is being written.
pub(crate) struct Sheet<'a> {
    /// Its layout, charts and notes.
    pub(crate) inner: &'a mut Worksheet,
    pub(crate) cells: Cells,
    pub(crate) styles: &'a Styles,
    /// Cells that were cut.
    pub(crate) cuts: Vec<Cut>,
    /// Cells that charts show.
    pub(crate) charted: ChartCells,
}

/// What was written of a sheet besides its layout.
#[derive(Debug)]
pub(crate) struct WrittenSheet {
    pub(crate) name: String,
    pub(crate) cells: Cells,
    pub(crate) charted: ChartCells,
}

impl<'a> Sheet<'a> {
    pub(crate) fn new(inner: &'a mut Worksheet, styles: &'a Styles) -> Self {
        Self {
            inner,
            cells: Cells::default(),
            styles,
            cuts: Vec::new(),
            charted: ChartCells::default(),
        }
    }

    /// Ends it.
    pub(crate) fn end(self) -> WrittenSheet {
        WrittenSheet { name: self.inner.name(), cells: self.cells, charted: self.charted }
    }

    /// A text; what is too long for a cell is cut.
    pub(crate) fn text(&mut self, row: u32, col: u16, text: &str) -> Result {
        self.styled(row, col, text, Style::default())
    }

    /// A text with a format.
    pub(crate) fn styled(&mut self, row: u32, col: u16, text: &str, style: Style) -> Result {
        let text = shown(text);
        let text = self.noted(row, col, &text);
        self.cells.text(row, col, text, style);
        Ok(())
    }

    /// A text over several columns, as many lines high as it needs. `letters`: that have room in a line.
    pub(crate) fn paragraph(
        &mut self,
        row: u32,
        (first, last): (u16, u16),
        text: &str,
        letters: usize,
    ) -> Result {
        let text = shown(text);
        let text = self.noted(row, first, &text);
        let lines = text.chars().count().div_ceil(letters.max(1)).max(1);
        let style = self.styles.paragraph;
        self.cells.set_height(row, LINE_HEIGHT * lines as f64);
        (first..=last).for_each(|col| self.cells.text(row, col, "", style));
        self.cells.text(row, first, text, style);
        self.cells.merge(row, (first, last));
        Ok(())
    }

    /// The text of a cell, of which is noted what others need to know.
    fn noted<'t>(&mut self, row: u32, col: u16, text: &'t str) -> &'t str {
        let (text, length) = fitting(text);
        if let Some(length) = length {
            self.cuts.push(Cut { sheet: self.inner.name(), place: (row, col), length });
        }
        self.charted.note(row, col, || ChartValue::Text(text.to_owned()));
        text
    }

    /// A number.
    pub(crate) fn number(&mut self, row: u32, col: u16, (x, shape): (f64, Shape)) -> Result {
        self.charted.note(row, col, || ChartValue::Number(x));
        self.cells.number(row, col, x, self.styles.number(shape));
        Ok(())
    }

    /// A text as the number that it is, if it is one.
    pub(crate) fn value(&mut self, row: u32, col: u16, text: &str) -> Result {
        match of_text(text) {
            Some(number) => self.number(row, col, number),
            None => self.text(row, col, text),
        }
    }

    /// As [`Sheet::value`], and it leads to another sheet.
    pub(crate) fn link(&mut self, row: u32, col: u16, text: &str, sheet: &str) -> Result {
        let text = shown(text);
        match of_text(&text) {
            Some((x, shape)) => self.cells.number(row, col, x, self.styles.linked(shape)),
            None => self.cells.text(row, col, &text, self.styles.link),
        }
        self.cells.link(row, col, sheet, &text);
        Ok(())
    }

    /// Texts side by side, with a format.
    pub(crate) fn headers<'t>(
        &mut self,
        row: u32,
        col: u16,
        texts: impl IntoIterator<Item = &'t str>,
        style: Style,
    ) -> Result {
        (col..).zip(texts).try_for_each(|(col, text)| self.styled(row, col, text, style))
    }

    /// Values side by side.
    pub(crate) fn values<'t>(
        &mut self,
        row: u32,
        col: u16,
        texts: impl IntoIterator<Item = &'t str>,
    ) -> Result {
        (col..).zip(texts).try_for_each(|(col, text)| self.value(row, col, text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_cut_with_a_note() {
        let styles = Styles::default();
        let mut inner = Worksheet::new();
        let mut sheet = Sheet::new(&mut inner, &styles);
        sheet.text(0, 0, &"x".repeat(LONGEST)).unwrap();
        sheet.text(1, 0, &"日".repeat(LONGEST)).unwrap();
        assert_eq!(sheet.cuts, []);
        sheet.text(2, 1, &format!("{}😀", "x".repeat(LONGEST - 1))).unwrap();
        let lengths: Vec<_> = sheet.cuts.iter().map(|c| (c.place, c.length)).collect();
        assert_eq!(lengths, [((2, 1), LONGEST + 1)]);
    }
}
