//! Lines of a table as CSV.

use bigtpu_output::{Csv, Text};

/// The line of a table's columns.
pub(crate) fn head(columns: &[&'static str]) -> Text<Csv> {
    let mut text = Text::<Csv>::joined(columns.iter().copied(), ",");
    text.own("\n");
    text
}

/// A line, cell by cell.
pub(crate) struct Line<'t> {
    text: &'t mut Text<Csv>,
    is_first: bool,
}

impl Line<'_> {
    pub(crate) fn begin(text: &mut Text<Csv>) -> Line<'_> {
        Line { text, is_first: true }
    }

    fn next(&mut self) -> &mut Text<Csv> {
        self.text.own(if std::mem::replace(&mut self.is_first, false) { "" } else { "," });
        self.text
    }

    /// An empty text is an unknown one.
    pub(crate) fn text(&mut self, text: &str) -> &mut Self {
        self.next().show(&text);
        self
    }

    pub(crate) fn int(&mut self, n: impl TryInto<i64>) -> &mut Self {
        self.next().int(n.try_into().unwrap_or(i64::MAX));
        self
    }

    /// A count, or nothing where it is not known.
    pub(crate) fn known(&mut self, n: Option<impl TryInto<i64>>) -> &mut Self {
        match n {
            Some(n) => self.int(n),
            None => self.text(""),
        }
    }

    pub(crate) fn float(&mut self, x: Option<f64>) -> &mut Self {
        let text = self.next();
        if let Some(x) = x {
            text.float(x);
        }
        self
    }

    pub(crate) fn end(&mut self) {
        self.text.own("\n");
    }
}
