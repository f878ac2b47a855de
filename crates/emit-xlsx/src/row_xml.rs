//! The rows of an engine's sheet as XML: the same bytes as the workbook's library writes, with less work.
//!
//! Rows that follow one another have mostly the same values in most columns. What is behind a cell's place,
//! `" s="3"><v>17</v></c>`, is therefore kept for each column and made anew only where the value is another one. What compresses the rows is
//! told which bytes are those of the column's last cell.

use std::convert::Infallible;

use bigtpu_compat::RecordValue;

use crate::number::{Shape, bandwidth, of_text, whole};
use crate::package::PartWriter;
use crate::repeated::{Repeated, RowNumber};
use crate::rows::RowCells;
use crate::sheet::{Result as Done, fitting, shown};
use crate::styles::StyleMarks;
use crate::xml::{column_letters, put_number, put_text_value, put_whole, unusual};

/// Whole numbers below it have the same digits as floating-point numbers, and more of them keep all.
const EXACT: i128 = 1 << 53;

/// Digits from which on a whole number has a format that shows all of them.
const WIDE: i128 = 100_000_000_000;

/// Makes rows of XML, one after the other.
pub(crate) struct RowXml<'s> {
    marks: &'s StyleMarks,
    columns: Vec<ColumnCell>,
    /// The number of the row that is being made, from 1.
    row: u32,
    /// The number of the last row with cells.
    number: RowNumber,
    /// The tags around its cells.
    begin: Repeated,
    end: Repeated,
}

/// What is known of a column.
#[derive(Debug)]
struct ColumnCell {
    /// The row that it has a cell in.
    row: u32,
    shown: Shown,
    /// What is behind the row's number.
    rest: Vec<u8>,
    /// Whether `rest` may be another one than that of the last cell.
    is_new: bool,
    last: Repeated,
}

/// The value that the kept XML shows.
#[derive(Debug, Clone, PartialEq)]
enum Shown {
    Nothing,
    Whole(i128),
    /// The bits of a bandwidth.
    Gbps(Option<u64>),
    Address(i128),
    /// A ratio such as `12.5%` is a number in it.
    Value(String),
    Text(String),
}

impl<'s> RowXml<'s> {
    /// For a sheet of so many columns.
    pub(crate) fn new(columns: u16, marks: &'s StyleMarks) -> Self {
        let cell = |col| ColumnCell {
            row: 0,
            shown: Shown::Nothing,
            rest: Vec::new(),
            is_new: true,
            last: Repeated::new(format!("<c r=\"{}", column_letters(col))),
        };
        let (begin, end) = (Repeated::new("<row r=\""), Repeated::new("</row>"));
        let columns = (0..columns).map(cell).collect();
        Self { marks, columns, row: 0, number: RowNumber::default(), begin, end }
    }

    /// Begins a row; `row`: its number, from 0.
    pub(crate) fn begin(&mut self, row: u32) {
        self.row = row + 1;
    }

    /// Ends the row: appends its XML to the part, if it has a cell.
    pub(crate) fn end(&mut self, out: &mut PartWriter<'_>) -> Done {
        let Self { columns, row, number, begin, end, .. } = self;
        let mut cells = columns.iter_mut().filter(|cell| cell.row == *row).peekable();
        if cells.peek().is_none() {
            return Ok(());
        }
        let is_first = begin.is_unused();
        *number = number.next(*row);
        let (deflate, place) = out.deflate();
        begin.put(number, is_first.then_some(b"\">"), place, deflate);
        for cell in cells {
            let place = place + deflate.text_length() as u64;
            let rest = std::mem::take(&mut cell.is_new).then_some(&*cell.rest);
            cell.last.put(number, rest, place, deflate);
        }
        let place = place + deflate.text_length() as u64;
        end.put(&RowNumber::default(), None, place, deflate);
        out.count()
    }

    /// Gives a column of the row its cell. `is_shown`: whether the kept XML shows this value; `shown`: the value, to keep; `put`
    /// makes the XML.
    fn set(
        &mut self,
        col: u16,
        is_shown: impl FnOnce(&Shown) -> bool,
        shown: impl FnOnce() -> Shown,
        put: impl FnOnce(&mut Vec<u8>, &StyleMarks),
    ) {
        let Some(cell) = self.columns.get_mut(usize::from(col)) else { return };
        cell.row = self.row;
        if !is_shown(&cell.shown) {
            cell.shown = shown();
            cell.rest.clear();
            cell.is_new = true;
            put(&mut cell.rest, self.marks);
        }
    }
}

impl RowCells for RowXml<'_> {
    type Error = Infallible;

    fn address(&mut self, col: u16, value: &RecordValue<'_>) -> Result<(), Infallible> {
        if let RecordValue::Int(n) = value {
            let is_shown = |shown: &Shown| matches!(shown, Shown::Address(m) if m == n);
            let put = |rest: &mut Vec<u8>, _: &_| put_text_cell(rest, b"", hex(*n, &mut [0; 34]));
            self.set(col, is_shown, || Shown::Address(*n), put);
        }
        Ok(())
    }

    fn whole(&mut self, col: u16, n: i128) -> Result<(), Infallible> {
        let is_shown = |shown: &Shown| matches!(shown, Shown::Whole(m) if *m == n);
        self.set(col, is_shown, || Shown::Whole(n), |rest, marks| put_whole_cell(rest, marks, n));
        Ok(())
    }

    fn gbps(&mut self, col: u16, x: Option<f64>) -> Result<(), Infallible> {
        let bits = x.map(f64::to_bits);
        let is_shown = |shown: &Shown| matches!(shown, Shown::Gbps(m) if *m == bits);
        let put = |rest: &mut Vec<u8>, marks: &_| put_number_cell(rest, marks, bandwidth(x));
        self.set(col, is_shown, || Shown::Gbps(bits), put);
        Ok(())
    }

    fn value(&mut self, col: u16, text: &str) -> Result<(), Infallible> {
        if text.is_empty() {
            return Ok(());
        }
        let is_shown = |shown: &Shown| matches!(shown, Shown::Value(kept) if kept == text);
        let ratio = || of_text(text).filter(|_| text.ends_with('%'));
        let put = |rest: &mut Vec<u8>, marks: &_| match ratio() {
            Some(number) => put_number_cell(rest, marks, number),
            None => put_text_cell(rest, b"", text),
        };
        self.set(col, is_shown, || Shown::Value(text.to_owned()), put);
        Ok(())
    }

    fn text(&mut self, col: u16, text: &str) -> Result<(), Infallible> {
        // A text without a letter is no cell.
        if text.is_empty() {
            return Ok(());
        }
        let is_shown = |shown: &Shown| matches!(shown, Shown::Text(kept) if kept == text);
        let put = |rest: &mut Vec<u8>, _: &_| put_text_cell(rest, b"", text);
        self.set(col, is_shown, || Shown::Text(text.to_owned()), put);
        Ok(())
    }
}

/// A whole number as `{:#x}` writes it. The standard formatting takes several times as long, and most commands have two addresses.
fn hex(n: i128, text: &mut [u8; 34]) -> &str {
    let (mut left, mut at) = (n.cast_unsigned(), text.len());
    for digit in text.iter_mut().rev() {
        *digit = b"0123456789abcdef"[(left & 15) as usize];
        (left, at) = (left >> 4, at - 1);
        if left == 0 {
            break;
        }
    }
    // Two more places are there than the greatest number has digits.
    if let Some(prefix) = text.get_mut(at.saturating_sub(2)..at) {
        prefix.copy_from_slice(b"0x");
    }
    text.get(at.saturating_sub(2)..).and_then(|text| str::from_utf8(text).ok()).unwrap_or_default()
}

/// The rest of a whole number's cell.
fn put_whole_cell(rest: &mut Vec<u8>, marks: &StyleMarks, n: i128) {
    match i64::try_from(n) {
        Ok(whole) if n.abs() < EXACT => {
            let shape = if n.abs() < WIDE { Shape::General } else { Shape::Whole };
            rest.push(b'"');
            rest.extend_from_slice(mark(marks, shape));
            rest.extend_from_slice(b"><v>");
            put_whole(rest, whole);
            rest.extend_from_slice(b"</v></c>");
        }
        _ => put_number_cell(rest, marks, whole(n)),
    }
}

/// The rest of a number's cell.
fn put_number_cell(rest: &mut Vec<u8>, marks: &StyleMarks, (x, shape): (f64, Shape)) {
    if let Some(text) = unusual(x) {
        return put_text_cell(rest, mark(marks, shape), text);
    }
    rest.push(b'"');
    rest.extend_from_slice(mark(marks, shape));
    rest.extend_from_slice(b"><v>");
    put_number(rest, x);
    rest.extend_from_slice(b"</v></c>");
}

/// The rest of a text's cell; what is too long for a cell is cut.
fn put_text_cell(rest: &mut Vec<u8>, mark: &[u8], text: &str) {
    let text = shown(text);
    let (text, _) = fitting(&text);
    rest.push(b'"');
    rest.extend_from_slice(mark);
    put_text_value(rest, text);
}

fn mark(marks: &StyleMarks, shape: Shape) -> &[u8] {
    marks.get(shape as usize).map_or(b"", Vec::as_slice)
}

#[cfg(test)]
mod tests {
    use rust_xlsxwriter::{Format, Workbook, Worksheet};

    use super::*;
    use crate::package::Skeleton;
    use crate::styles::Styles;

    /// Columns of the test's sheet, and rows above its rows.
    const COLUMNS: u16 = 30;
    const ABOVE: u32 = 3;

    /// What a cell of the test is given.
    #[derive(Debug, Clone)]
    enum Given {
        Address(i128),
        Whole(i128),
        Gbps(Option<f64>),
        Value(String),
        Text(String),
    }

    fn texts() -> Vec<String> {
        let long = |c: char| std::iter::repeat_n(c, 33_000).collect();
        let plain = [
            "",
            "plain",
            "=1+1",
            "+cmd|' /C calc'!A0",
            "-2",
            "@SUM(A1)",
            " leading",
            "trailing ",
            "\t",
            "two\nlines",
            "a\u{1}b\u{0}\u{1f}",
            "a\u{200b}\u{feff}\u{e0041}",
            "_x000A_",
            "_x0041_x0042_",
            "_x00G1_",
            "_x004",
            "<&>\"'",
            "]]>",
            "日本語",
            "\u{fffe}\u{ffff}",
            "12",
            "12.5%",
            "-3.25%",
            "0%",
            "1.2345%",
            "nan%",
            "12.5%%",
            "7.949(us)",
        ];
        plain.into_iter().map(str::to_owned).chain([long('k'), long('&'), long('😀')]).collect()
    }

    fn cells() -> Vec<Given> {
        let edges =
            [0, 1, -1, 17, EXACT - 1, EXACT, EXACT + 1, WIDE - 1, WIDE, WIDE + 1, -WIDE, 1 - WIDE];
        let wholes =
            edges.into_iter().chain([i128::MAX, i128::MIN, u64::MAX.into(), i64::MIN.into()]);
        let wholes: Vec<i128> = wholes.collect();
        let numbers = [
            0.0,
            -0.0,
            1.0,
            0.1,
            62.5,
            1e-7,
            1e16,
            123_456_789_012.345,
            5e-324,
            f64::MAX,
            f64::NAN,
            f64::INFINITY,
            f64::NEG_INFINITY,
            1.0 / 3.0,
        ];
        let texts = texts();
        wholes
            .iter()
            .flat_map(|&n| [Given::Whole(n), Given::Address(n)])
            .chain(numbers.map(|x| Given::Gbps(Some(x))))
            .chain([Given::Gbps(None)])
            .chain(texts.iter().cloned().map(Given::Value))
            .chain(texts.iter().cloned().map(Given::Text))
            .collect()
    }

    /// Each value in each place, after itself and after each other.
    fn rows() -> Vec<Vec<Given>> {
        let cells = cells();
        let row = |n: usize, step: usize| -> Vec<Given> {
            (0..usize::from(COLUMNS))
                .map(|col| cells[(n * step + 7 * col) % cells.len()].clone())
                .collect()
        };
        [1, 5, 11]
            .into_iter()
            .flat_map(|step| (0..cells.len()).map(move |n| row(n, step)))
            .collect()
    }

    /// Lets the library write a cell.
    fn put_in_sheet(sheet: &mut Worksheet, row: u32, col: u16, given: &Given, formats: &[Format]) {
        let number = |sheet: &mut Worksheet, (x, shape): (f64, Shape)| {
            let format = &formats[shape as usize];
            sheet.write_number_with_format(row, col, x, format).map(drop)
        };
        let text = |sheet: &mut Worksheet, text: &str| {
            let text = shown(text);
            sheet.write_string(row, col, fitting(&text).0).map(drop)
        };
        match given {
            Given::Address(n) => text(sheet, &format!("{n:#x}")),
            Given::Whole(n) => number(sheet, whole(*n)),
            Given::Gbps(x) => number(sheet, bandwidth(*x)),
            Given::Value(value) => match of_text(value).filter(|_| value.ends_with('%')) {
                Some(ratio) => number(sheet, ratio),
                None => text(sheet, value),
            },
            Given::Text(value) => text(sheet, value),
        }
        .unwrap();
    }

    /// The rows that `write` lets the library write.
    fn library_rows(write: impl FnOnce(&mut Worksheet, &[Format])) -> String {
        let styles = Styles::default();
        let mut book = Workbook::new();
        styles.register(&mut book);
        write(book.add_worksheet_with_constant_memory().unwrap(), styles.formats());
        let mut skeleton = Skeleton::new(book.save_to_buffer().unwrap()).unwrap();
        let xml = skeleton.text(&Skeleton::sheet(0)).unwrap();
        let (_, rest) = xml.split_once("<sheetData>").unwrap();
        rest.split_once("</sheetData>").unwrap().0.to_owned()
    }

    #[test]
    fn rows_have_the_bytes_of_the_library() {
        let rows = rows();
        let expected = library_rows(|sheet, formats| {
            for (row, cells) in (ABOVE..).zip(&rows) {
                for (col, cell) in (0..).zip(cells) {
                    put_in_sheet(sheet, row, col, cell, formats);
                }
            }
        });
        let marks = Styles::default().number_marks();
        let mut line = RowXml::new(COLUMNS, &marks);
        let mut out = PartWriter::new(None);
        out.start("rows").unwrap();
        for (row, cells) in (ABOVE..).zip(&rows) {
            line.begin(row);
            // Columns come in any order.
            for (col, cell) in (0..COLUMNS).zip(cells).rev() {
                let Ok(()) = match cell {
                    Given::Address(n) => line.address(col, &RecordValue::Int(*n)),
                    Given::Whole(n) => line.whole(col, *n),
                    Given::Gbps(x) => line.gbps(col, *x),
                    Given::Value(text) => line.value(col, text),
                    Given::Text(text) => line.text(col, text),
                };
            }
            line.end(&mut out).unwrap();
        }
        let ours = out.end().unwrap().text("rows");
        let differs = ours.bytes().zip(expected.bytes()).position(|(a, b)| a != b);
        let around = differs.map(|at| {
            (ours.get(at.saturating_sub(60)..at + 60), expected.get(at.saturating_sub(60)..at + 60))
        });
        assert!(ours == expected, "{around:?}");
        assert!(
            ours.contains(">NAN<") && ours.contains("xml:space") && ours.contains("_x005F_x000A_")
        );
    }

    #[test]
    fn hex_numbers_are_those_of_the_standard_formatting() {
        let bits = (0..127).flat_map(|bit| [1i128 << bit, (1i128 << bit) - 1, -(1i128 << bit)]);
        for n in bits.chain([0, i128::MIN, i128::MAX, 0x1234_5678_9abc_def0]) {
            assert_eq!(hex(n, &mut [0; 34]), format!("{n:#x}"));
        }
    }

    #[test]
    fn a_row_without_cells_is_none_and_the_last_value_counts() {
        let marks = StyleMarks::default();
        let mut line = RowXml::new(2, &marks);
        let mut out = PartWriter::new(None);
        out.start("rows").unwrap();
        line.begin(0);
        let Ok(()) = line.text(0, "");
        line.end(&mut out).unwrap();
        line.begin(1);
        let Ok(()) = line.whole(1, 5);
        let Ok(()) = line.whole(1, 6);
        let Ok(()) = line.whole(9, 7);
        line.end(&mut out).unwrap();
        assert_eq!(out.end().unwrap().text("rows"), "<row r=\"2\"><c r=\"B2\"><v>6</v></c></row>");
    }
}
