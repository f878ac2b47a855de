//! A table of findings.

use bigtpu_messages::{Message, message};
use bigtpu_output::{Markup, Text, put};

use super::both;

/// A table: what it is, and what its columns are.
pub(super) struct List {
    /// Its heading's id.
    pub(super) id: &'static str,
    /// Heading: an id of the catalogue.
    pub(super) title: &'static str,
    /// What its numbers are: an id of the catalogue, where there is something to say.
    pub(super) definition: Option<&'static str>,
    /// Heads of the columns: ids of the catalogue.
    pub(super) columns: &'static [&'static str],
    /// Which columns hold texts beside the first, counted from 1: the style of the page has 2 to 6 and 8 to 10.
    pub(super) texts: &'static [u8],
    /// Rows at most.
    pub(super) most: usize,
}

impl List {
    /// Writes the first rows by `row`, and how many are left out; without rows a word.
    pub(super) fn write<T>(
        &self,
        body: &mut Text<Markup>,
        rows: &[T],
        row: impl Fn(&mut Text<Markup>, &T),
    ) {
        self.begin(body, rows.len());
        if rows.is_empty() {
            return;
        }
        for one in rows.iter().take(self.most) {
            row(body, one);
        }
        body.own("</table></div>\n");
        if rows.len() > self.most {
            let first = message!("fleet-first", shown = self.most, all = rows.len());
            put!(body, "<p class=\"muted\">{}</p>\n", both(&first));
        }
        body.own("</section>\n");
    }

    /// As [`Self::write`]; nothing where it could not be looked at, for which the page's first paragraph has the reason.
    pub(super) fn write_if_checked<T>(
        &self,
        body: &mut Text<Markup>,
        rows: &[T],
        is_unchecked: bool,
        row: impl Fn(&mut Text<Markup>, &T),
    ) {
        if !(rows.is_empty() && is_unchecked) {
            self.write(body, rows, row);
        }
    }

    /// Heading, definition and heads of the columns; without rows a word, and the panel is complete.
    fn begin(&self, body: &mut Text<Markup>, rows: usize) {
        put!(
            body,
            "<section class=\"panel\">\n<h2 id=\"{}\">{} <span class=\"muted\">{}</span></h2>\n",
            self.id,
            both(&Message::new(self.title)),
            rows
        );
        if rows == 0 {
            put!(body, "<p class=\"muted\">{}</p>\n</section>\n", both(&message!("fleet-none")));
            return;
        }
        let definition = self.definition.map(|id| both(&Message::new(id))).unwrap_or_default();
        put!(
            body,
            "<p class=\"muted\">{}</p>\n<div class=\"scroll\" tabindex=\"0\"><table class=\"data numbers ",
            definition
        );
        for column in self.texts {
            put!(body, "t{} ", *column);
        }
        body.own("\">\n<tr>");
        for name in self.columns {
            put!(body, "<th>{}</th>", both(&Message::new(name)));
        }
        body.own("</tr>\n");
    }
}
