//! A table of findings.

use bigtpu_output::{Markup, Text, put};

/// A table: what it is, and what its columns are.
pub(super) struct List {
    /// Its heading's id.
    pub(super) id: &'static str,
    /// Heading, in both languages.
    pub(super) title: &'static str,
    /// What its numbers are, in both languages.
    pub(super) definition: &'static str,
    /// Heads of the columns.
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
            put!(
                body,
                "<p class=\"faint\">The first {} of {}. 仅列出前 {} 项。</p>\n",
                self.most,
                rows.len(),
                self.most
            );
        }
    }

    /// Writes why there are no rows, if nothing could be looked at; `reason` in English and Chinese.
    pub(super) fn is_unchecked<T>(
        &self,
        body: &mut Text<Markup>,
        rows: &[T],
        reason: Option<[&str; 2]>,
    ) -> bool {
        let Some([english, chinese]) = reason.filter(|_| rows.is_empty()) else { return false };
        put!(body, "<h2 id=\"{}\">{}</h2>\n", self.id, Text::<Markup>::of(self.title));
        put!(body, "<p class=\"faint\">Not looked at: {}. 未检查：{}。</p>\n", english, chinese);
        true
    }

    /// Heading, definition and heads of the columns; without rows a word.
    pub(super) fn begin(&self, body: &mut Text<Markup>, rows: usize) {
        put!(
            body,
            "<h2 id=\"{}\">{} <span class=\"faint\">{}</span></h2>\n",
            self.id,
            Text::<Markup>::of(self.title),
            rows
        );
        if rows == 0 {
            body.own("<p class=\"faint\">None. 无。</p>\n");
            return;
        }
        put!(
            body,
            "<p class=\"faint\">{}</p>\n<div class=\"wide\"><table class=\"",
            self.definition
        );
        for column in self.texts {
            put!(body, "t{} ", *column);
        }
        body.own("\">\n<tr>");
        for name in self.columns {
            put!(body, "<th>{}</th>", *name);
        }
        body.own("</tr>\n");
    }
}
