//! The cells of a sheet as XML, in the form of the workbook's library: rows, merged cells, links.
//!
//! The library writes a sheet's layout, its charts and notes. It would put cells into a temporary file, or keep them in memory
//! and start a thread for each sheet.

use std::collections::BTreeMap;
use std::io::Write;

use crate::styles::{Style, put_mark};
use crate::xml::{column_letters, put_attribute, put_number, put_text_value, unusual};

/// Most points that a row can be high.
const HIGHEST: f64 = 409.0;

/// Height of a row in points unless it is given.
pub(crate) const LINE_HEIGHT: f64 = 15.0;

/// The cells of a sheet. Rows and columns are counted from 0.
#[derive(Debug, Default)]
pub(crate) struct Cells {
    rows: BTreeMap<u32, Row>,
    /// Row, first and last column.
    merged: Vec<(u32, u16, u16)>,
    links: BTreeMap<(u32, u16), Link>,
}

#[derive(Debug, Default)]
struct Row {
    height: Option<f64>,
    outline: Outline,
    cells: BTreeMap<u16, Cell>,
}

/// How a row is grouped with others.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Outline {
    /// How deep it is; 0 of a row outside of groups.
    pub(crate) level: u8,
    /// Whether it is folded away.
    pub(crate) is_hidden: bool,
    /// Whether the rows of its group, below it, are folded away.
    pub(crate) is_folded: bool,
}

#[derive(Debug)]
struct Cell {
    style: Style,
    /// The XML behind its format, with its end.
    value: Vec<u8>,
}

#[derive(Debug)]
struct Link {
    sheet: String,
    text: String,
}

impl Cells {
    /// A text, which a cell must have room for. An empty one is a cell only if it has a format.
    pub(crate) fn text(&mut self, row: u32, col: u16, text: &str, style: Style) {
        let mut value = Vec::new();
        match text.is_empty() {
            true if style == Style::default() => return,
            true => value.extend_from_slice(b"/>"),
            false => put_text_value(&mut value, text),
        }
        self.put(row, col, Cell { style, value });
    }

    /// A number.
    pub(crate) fn number(&mut self, row: u32, col: u16, x: f64, style: Style) {
        let mut value = Vec::new();
        match unusual(x) {
            Some(text) => put_text_value(&mut value, text),
            None => {
                value.extend_from_slice(b"><v>");
                put_number(&mut value, x);
                value.extend_from_slice(b"</v></c>");
            }
        }
        self.put(row, col, Cell { style, value });
    }

    fn put(&mut self, row: u32, col: u16, cell: Cell) {
        self.rows.entry(row).or_default().cells.insert(col, cell);
    }

    /// Gives a cell that is there another format.
    pub(crate) fn restyle(&mut self, row: u32, col: u16, style: Style) {
        if let Some(cell) = self.rows.get_mut(&row).and_then(|row| row.cells.get_mut(&col)) {
            cell.style = style;
        }
    }

    /// Makes a row so many points high.
    pub(crate) fn set_height(&mut self, row: u32, height: f64) {
        self.rows.entry(row).or_default().height = Some(height.min(HIGHEST));
    }

    /// Groups a row with those around it.
    pub(crate) fn set_outline(&mut self, row: u32, outline: Outline) {
        self.rows.entry(row).or_default().outline = outline;
    }

    /// Makes one cell of several side by side.
    pub(crate) fn merge(&mut self, row: u32, (first, last): (u16, u16)) {
        self.merged.push((row, first, last));
    }

    /// A cell leads to another sheet. `text`: what it shows.
    pub(crate) fn link(&mut self, row: u32, col: u16, sheet: &str, text: &str) {
        let link = Link { sheet: sheet.to_owned(), text: text.to_owned() };
        self.links.insert((row, col), link);
    }

    /// The range that cells are in, such as `A1:K42`, with a block of further rows below them: its last row and column.
    pub(crate) fn range(&self, below: Option<(u32, u16)>) -> String {
        let with_cells = || self.rows.iter().filter(|(_, row)| !row.cells.is_empty());
        let columns = || with_cells().flat_map(|(_, row)| row.cells.keys().copied());
        let Some((top, _)) = with_cells().next() else { return "A1".to_owned() };
        let bottom = with_cells().next_back().map_or(top, |(row, _)| row);
        let last = columns().max().unwrap_or_default();
        let (bottom, last) = below.map_or((*bottom, last), |(row, col)| (row, last.max(col)));
        let first = place(*top, columns().min().unwrap_or_default());
        let last = place(bottom, last);
        if first == last { first } else { format!("{first}:{last}") }
    }

    /// The rows.
    pub(crate) fn rows_xml(&self) -> Vec<u8> {
        let mut out = Vec::new();
        for (number, row) in &self.rows {
            put(&mut out, format_args!("<row r=\"{}\"", number + 1));
            if let Some(height) = row.height.filter(|height| *height != LINE_HEIGHT) {
                put(&mut out, format_args!(" ht=\"{height}\" customHeight=\"1\""));
            }
            let Outline { level, is_hidden, is_folded } = row.outline;
            if is_hidden {
                out.extend_from_slice(b" hidden=\"1\"");
            }
            if level > 0 {
                put(&mut out, format_args!(" outlineLevel=\"{level}\""));
            }
            if is_folded {
                out.extend_from_slice(b" collapsed=\"1\"");
            }
            if row.cells.is_empty() {
                out.extend_from_slice(b"/>");
                continue;
            }
            out.push(b'>');
            for (col, cell) in &row.cells {
                put(&mut out, format_args!("<c r=\"{}\"", place(*number, *col)));
                put_mark(&mut out, cell.style);
                out.extend_from_slice(&cell.value);
            }
            out.extend_from_slice(b"</row>");
        }
        out
    }

    /// The list of merged cells; nothing without one.
    pub(crate) fn merged_xml(&self) -> Vec<u8> {
        let mut out = Vec::new();
        if !self.merged.is_empty() {
            put(&mut out, format_args!("<mergeCells count=\"{}\">", self.merged.len()));
            for (row, first, last) in &self.merged {
                let (first, last) = (place(*row, *first), place(*row, *last));
                put(&mut out, format_args!("<mergeCell ref=\"{first}:{last}\"/>"));
            }
            out.extend_from_slice(b"</mergeCells>");
        }
        out
    }

    /// The list of links; nothing without one.
    pub(crate) fn links_xml(&self) -> Vec<u8> {
        let mut out = Vec::new();
        if !self.links.is_empty() {
            out.extend_from_slice(b"<hyperlinks>");
            for ((row, col), link) in &self.links {
                out.extend_from_slice(b"<hyperlink");
                put_attribute(&mut out, "ref", &place(*row, *col));
                put_attribute(&mut out, "location", &format!("'{}'!A1", link.sheet));
                put_attribute(&mut out, "tooltip", &format!("Go to {}", link.sheet));
                put_attribute(&mut out, "display", &link.text);
                out.extend_from_slice(b"/>");
            }
            out.extend_from_slice(b"</hyperlinks>");
        }
        out
    }
}

/// The name of a cell, such as `B7`.
fn place(row: u32, col: u16) -> String {
    format!("{}{}", column_letters(col), row + 1)
}

fn put(out: &mut Vec<u8>, text: std::fmt::Arguments<'_>) {
    // Writing to memory never fails.
    let _ = out.write_fmt(text);
}

#[cfg(test)]
mod tests {
    use rust_xlsxwriter::{Url, Workbook, Worksheet};

    use super::*;
    use crate::frame::Frame;
    use crate::number::Shape;
    use crate::package::Skeleton;
    use crate::sheet::Sheet;
    use crate::styles::Styles;

    const LAST: u32 = 8;

    /// The XML of a sheet with a filter and colours, and what more `write` makes of it.
    fn library_xml(in_memory: bool, write: impl FnOnce(&mut Worksheet)) -> String {
        let styles = Styles::default();
        let mut book = Workbook::new();
        styles.register(&mut book);
        let sheet = match in_memory {
            true => book.add_worksheet(),
            false => book.add_worksheet_with_constant_memory().unwrap(),
        };
        sheet.set_name("One").unwrap().set_freeze_panes(2, 1).unwrap();
        sheet.autofilter(1, 0, LAST, 3).unwrap();
        let scale = rust_xlsxwriter::ConditionalFormat2ColorScale::new();
        sheet.add_conditional_format(1, 0, LAST, 3, &scale).unwrap();
        sheet.set_landscape().set_print_fit_to_pages(1, 0);
        write(sheet);
        let mut skeleton = Skeleton::new(book.save_to_buffer().unwrap()).unwrap();
        skeleton.text(&Skeleton::sheet(0)).unwrap()
    }

    /// What the library writes of the cells in [`ours`].
    fn expected(styles: &Styles, sheet: &mut Worksheet) {
        let format = |style: Style| &styles.formats()[style.0];
        sheet.write_string(0, 1, "a<b>&\"c").unwrap();
        sheet.write_string_with_format(1, 0, " head ", format(styles.head)).unwrap();
        sheet.write_string_with_format(1, 1, "", format(styles.loss)).unwrap();
        let shape = format(styles.number(Shape::Percent1));
        sheet.write_number_with_format(2, 3, 0.125, shape).unwrap();
        sheet.write_number(2, 2, f64::INFINITY).unwrap();
        let url = Url::new("internal:'Two \"&\"'!A1").set_text("to <2>").set_tip("Go to Two \"&\"");
        sheet.write_url_with_format(3, 0, url, format(styles.link)).unwrap();
        sheet.write_number_with_format(4, 1, -7.0, format(styles.warning)).unwrap();
        sheet.set_row_height(LAST, 45).unwrap();
        sheet.merge_range(LAST, 1, LAST, 3, "long text", format(styles.paragraph)).unwrap();
        // The library repeats a last row that has a height.
        sheet.write_number(LAST + 1, 0, 1.0).unwrap();
    }

    fn ours(sheet: &mut Sheet<'_>) {
        let styles = sheet.styles;
        sheet.text(0, 1, "a<b>&\"c").unwrap();
        sheet.text(0, 2, "").unwrap();
        sheet.styled(1, 0, " head ", styles.head).unwrap();
        sheet.styled(1, 1, "", styles.loss).unwrap();
        sheet.paragraph(LAST, (1, 3), "long text", 4).unwrap();
        sheet.number(2, 3, (0.125, Shape::Percent1)).unwrap();
        sheet.number(2, 2, (f64::INFINITY, Shape::General)).unwrap();
        sheet.link(3, 0, "to <2>", "Two \"&\"").unwrap();
        sheet.number(4, 1, (-7.0, Shape::General)).unwrap();
        sheet.cells.restyle(4, 1, styles.warning);
        sheet.cells.restyle(5, 5, styles.warning);
        sheet.number(LAST + 1, 0, (1.0, Shape::General)).unwrap();
    }

    #[test]
    fn a_sheet_has_the_bytes_of_the_library() {
        let styles = Styles::default();
        let whole = library_xml(false, |sheet| expected(&styles, sheet));
        let mut inner = Worksheet::new();
        let mut sheet = Sheet::new(&mut inner, &styles);
        ours(&mut sheet);
        let cells = sheet.end().cells;
        for in_memory in [false, true] {
            // Rows of what is no cell go.
            let frame = library_xml(in_memory, |sheet| {
                sheet.set_row_height(3, 80).unwrap();
            });
            let frame = Frame::parse(&frame).unwrap();
            let (head, tail) = (frame.head(&cells, None), frame.tail(&cells));
            let made = [head, cells.rows_xml(), tail].concat();
            assert_eq!(String::from_utf8(made).unwrap(), whole, "{in_memory}");
        }
    }

    #[test]
    fn rows_that_fold_have_the_bytes_of_the_library() {
        let styles = Styles::default();
        // With rows in temporary files the library leaves levels out.
        let grouped = library_xml(true, |sheet| {
            sheet.group_symbols_above(true);
            sheet.group_rows(1, 3).unwrap().group_rows_collapsed(2, 3).unwrap();
            for row in 0..4 {
                sheet.write_number(row, 0, f64::from(row)).unwrap();
            }
        });
        let grouped = grouped.replace(" spans=\"1:1\"", "");
        let mut inner = Worksheet::new();
        let mut sheet = Sheet::new(&mut inner, &styles);
        for row in 0..4 {
            sheet.number(row, 0, (f64::from(row), Shape::General)).unwrap();
        }
        let outline = |level, is_hidden| Outline { level, is_hidden, is_folded: false };
        sheet.cells.set_outline(1, outline(1, false));
        sheet.cells.set_outline(2, outline(2, true));
        sheet.cells.set_outline(3, outline(2, true));
        let rows = |cells: &Cells| String::from_utf8(cells.rows_xml()).unwrap();
        let plain = rows(&sheet.cells);
        assert!(grouped.contains(&plain), "{plain} in {grouped}");
        // Where signs are above, the row above is the folded one; the library marks the row below.
        sheet.cells.set_outline(1, Outline { is_folded: true, ..outline(1, false) });
        let folded = rows(&sheet.cells);
        assert!(folded.contains("<row r=\"2\" outlineLevel=\"1\" collapsed=\"1\">"), "{folded}");
        // The deepest level and the place of the signs are in what the library writes around the rows.
        assert!(grouped.contains("outlineLevelRow=\"2\""), "{grouped}");
        assert!(grouped.contains("summaryBelow=\"0\""), "{grouped}");
    }

    #[test]
    fn the_range_covers_cells_and_rows_below_them() {
        let mut cells = Cells::default();
        assert_eq!(cells.range(None), "A1");
        cells.text(2, 1, "x", Style::default());
        assert_eq!(cells.range(None), "B3");
        cells.text(4, 0, "x", Style::default());
        assert_eq!(cells.range(None), "A3:B5");
        assert_eq!(cells.range(Some((41, 28))), "A3:AC42");
    }
}
