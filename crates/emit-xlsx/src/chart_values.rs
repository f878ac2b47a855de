//! The copies of cells' values that charts have, for programs that do not look the cells up.
//!
//! The workbook's library does not know the [cells](crate::cells), so the values are put into its charts here.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::ops::Range;

use crate::xml::{put_chart_text, unusual};

/// The cells of a sheet that charts show.
#[derive(Debug, Default)]
pub(crate) struct ChartCells {
    rows: Range<u32>,
    columns: &'static [u16],
    values: BTreeMap<(u32, u16), ChartValue>,
}

/// What a cell has.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum ChartValue {
    Text(String),
    Number(f64),
}

impl ChartCells {
    /// For charts of these rows and columns, from 0.
    pub(crate) fn new(rows: Range<u32>, columns: &'static [u16]) -> Self {
        Self { rows, columns, values: BTreeMap::new() }
    }

    /// Takes note of a cell, if a chart may show it.
    pub(crate) fn note(&mut self, row: u32, col: u16, value: impl FnOnce() -> ChartValue) {
        if self.rows.contains(&row) && self.columns.contains(&col) {
            self.values.insert((row, col), value());
        }
    }
}

/// The XML of a chart with the values of the cells that it refers to. `cells`: those of a sheet, by its name.
pub(crate) fn filled<'c>(xml: &str, cells: impl Fn(&str) -> Option<&'c ChartCells>) -> String {
    let mut out = String::with_capacity(2 * xml.len());
    let mut rest = xml;
    while let Some((before, after)) = rest.split_once("<c:f>") {
        let found = reference(before, after).and_then(|found| Some((cells(&found.sheet)?, found)));
        if let Some((cells, found)) = found {
            out.push_str(before.strip_suffix(found.tag).unwrap_or(before));
            put_reference(&mut out, &found, cells);
            rest = found.behind;
        } else {
            out.push_str(before);
            out.push_str("<c:f>");
            rest = after;
        }
    }
    out.push_str(rest);
    out
}

/// A chart's reference to cells of one column, or to one cell.
struct Reference<'x> {
    /// The tag that begins it.
    tag: &'static str,
    /// Whether it takes numbers only.
    is_numeric: bool,
    formula: &'x str,
    sheet: String,
    rows: Range<u32>,
    col: u16,
    /// The XML behind it.
    behind: &'x str,
}

/// The reference that `<c:f>` between these is in.
fn reference<'x>(before: &str, after: &'x str) -> Option<Reference<'x>> {
    let (formula, rest) = after.split_once("</c:f>")?;
    let tags = [("<c:numRef>", "</c:numRef>"), ("<c:strRef>", "</c:strRef>")];
    let (tag, end) = tags.into_iter().find(|(tag, _)| before.ends_with(tag))?;
    let (_, behind) = rest.split_once(end)?;
    let above = before.strip_suffix(tag)?;
    let is_numeric = above.ends_with("<c:val>") || above.ends_with("<c:yVal>");
    let (sheet, range) = formula.rsplit_once('!')?;
    let bare = sheet.strip_prefix('\'').and_then(|sheet| sheet.strip_suffix('\''));
    let sheet = bare.map_or_else(|| sheet.to_owned(), |sheet| sheet.replace("''", "'"));
    let (first, last) = range.split_once(':').unwrap_or((range, range));
    let ((from, col), (to, last_col)) = (place(first)?, place(last)?);
    let rows = from..to.checked_add(1)?;
    (col == last_col).then_some(Reference { tag, is_numeric, formula, sheet, rows, col, behind })
}

/// Row and column, from 0, of a place such as `$B$3`.
fn place(text: &str) -> Option<(u32, u16)> {
    let (letters, row) = text.strip_prefix('$')?.split_once('$')?;
    let digit = |letter: u8| letter.is_ascii_uppercase().then(|| u16::from(letter - b'A') + 1);
    let col = letters
        .bytes()
        .try_fold(0_u16, |col, letter| col.checked_mul(26)?.checked_add(digit(letter)?))?;
    Some((row.parse::<u32>().ok()?.checked_sub(1)?, col.checked_sub(1)?))
}

fn put_reference(out: &mut String, of: &Reference<'_>, cells: &ChartCells) {
    let values: Vec<(String, bool)> = of
        .rows
        .clone()
        .map(|row| match cells.values.get(&(row, of.col)) {
            Some(ChartValue::Text(text)) => (text.clone(), true),
            Some(ChartValue::Number(x)) => match unusual(*x) {
                Some(text) => (text.to_owned(), true),
                None => (x.to_string(), false),
            },
            None => (String::new(), false),
        })
        .collect();
    let has_texts = values.iter().any(|(_, is_text)| *is_text);
    let is_title = of.tag == "<c:strRef>";
    let (kind, format) = match (has_texts || is_title) && !of.is_numeric {
        true => ("str", ""),
        false => ("num", "<c:formatCode>General</c:formatCode>"),
    };
    // Writing to a text never fails.
    let _ = write!(
        out,
        "<c:{kind}Ref><c:f>{}</c:f><c:{kind}Cache>{format}<c:ptCount val=\"{}\"/>",
        of.formula,
        values.len()
    );
    let is_there = |value: &str| kind == "str" || !value.is_empty();
    for (number, (value, _)) in values.iter().enumerate().filter(|(_, (v, _))| is_there(v)) {
        // A text is no number, and counts as 0 among them.
        let is_zero = kind == "num" && value.parse::<f64>().is_err();
        let mut text = Vec::new();
        put_chart_text(&mut text, if is_zero { "0" } else { value });
        let text = String::from_utf8_lossy(&text);
        let _ = write!(out, "<c:pt idx=\"{number}\"><c:v>{text}</c:v></c:pt>");
    }
    let _ = write!(out, "</c:{kind}Cache></c:{kind}Ref>");
}

#[cfg(test)]
mod tests {
    use rust_xlsxwriter::{Chart, ChartDataLabel, ChartType, Workbook};

    use super::*;
    use crate::package::Skeleton;

    const NAME: &str = "It's a sheet";

    fn chart(kind: ChartType) -> Chart {
        let mut chart = Chart::new(kind);
        let label = ChartDataLabel::new().set_value((NAME, 2, 0)).to_custom();
        for values in [1, 2] {
            chart
                .add_series()
                .set_name((NAME, 0, values))
                .set_categories((NAME, 1, 0, 9, 0))
                .set_values((NAME, 1, values, 9, values))
                .set_data_label(ChartDataLabel::new().show_value())
                .set_custom_data_labels(std::slice::from_ref(&label));
        }
        chart.title().set_name((NAME, 0, 0));
        chart
    }

    /// Some cells with their places.
    fn given() -> Vec<(u32, u16, ChartValue)> {
        let text = |text: &str| ChartValue::Text(text.to_owned());
        let heads = (0..).zip(["<Title>", "_x000A_", "=b&c"]);
        let mut cells: Vec<_> = heads.map(|(col, head)| (0, col, text(head))).collect();
        for (row, x) in (1..).zip([1.5, 0.0, -3e22, f64::NAN, 1.0 / 3.0]) {
            if row != 3 {
                cells.push((row, 0, text(&format!("k<{row}>日"))));
            }
            cells.push((row, 1, ChartValue::Number(x)));
            if row > 1 {
                cells.push((row, 2, if row == 4 { text("none") } else { ChartValue::Number(7.0) }));
            }
        }
        cells
    }

    /// The XML of charts over these cells, with or without the cells themselves.
    fn charts(with_cells: bool) -> Vec<String> {
        let mut book = Workbook::new();
        let sheet = book.add_worksheet().set_name(NAME).unwrap();
        for (row, col, value) in given().into_iter().filter(|_| with_cells) {
            match value {
                ChartValue::Text(text) => sheet.write_string(row, col, text),
                ChartValue::Number(x) => sheet.write_number(row, col, x),
            }
            .unwrap();
        }
        for (row, kind) in
            [(1, ChartType::Column), (30, ChartType::ScatterStraight), (60, ChartType::Bar)]
        {
            sheet.insert_chart(row, 5, &chart(kind)).unwrap();
        }
        let mut skeleton = Skeleton::new(book.save_to_buffer().unwrap()).unwrap();
        let charts = skeleton.charts();
        assert_eq!(charts.len(), 3);
        charts.iter().map(|chart| skeleton.text(chart).unwrap()).collect()
    }

    #[test]
    fn charts_have_the_values_that_the_library_would_give_them() {
        let (expected, ours) = (charts(true), charts(false));
        let mut cells = ChartCells::new(0..20, &[0, 1, 2]);
        for (row, col, value) in given() {
            cells.note(row, col, || value);
        }
        for (expected, ours) in expected.iter().zip(&ours) {
            assert_ne!(ours, expected);
            assert_eq!(&filled(ours, |sheet| (sheet == NAME).then_some(&cells)), expected);
        }
        // A sheet that nobody knows stays as it is.
        assert_eq!(filled(&ours[0], |_| None), ours[0]);
    }
}
