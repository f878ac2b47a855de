//! Text from outside.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::fmt::{self, Display, Formatter};
use std::path::Path;

use crate::encode;

/// Text from outside: a name in a dump, trace, model or plan, the name of a file, a key that is quoted in an error.
///
/// It can be written only through the encoder of a sink. There is no `Display`, no `Deref` and no `AsRef<str>`, so that a
/// sink that was forgotten does not compile:
///
/// ```compile_fail
/// let name = bigtpu_output::Untrusted::from("\u{1b}[2J");
/// println!("{name}");
/// ```
///
/// ```compile_fail
/// let name = bigtpu_output::Untrusted::from("<script>");
/// let mut page = String::from("<p>");
/// page.push_str(&name);
/// ```
///
/// ```
/// let name = bigtpu_output::Untrusted::from("<b>\n");
/// assert_eq!(name.line().to_string(), "<b>\\u{a}");
/// assert_eq!(name.html().to_string(), "&lt;b&gt;\\u{a}");
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Untrusted<'a>(Cow<'a, str>);

/// A text as an encoder writes it.
struct Encoded<'a>(&'a str, fn(&str, &mut Formatter<'_>) -> fmt::Result);

impl Display for Encoded<'_> {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        (self.1)(self.0, out)
    }
}

impl<'a> Untrusted<'a> {
    /// One line of plain text, for terminals, lines of `summary.txt`, and errors: control characters, line breaks, and
    /// characters that turn the direction of text or can't be seen become escapes such as `\u{1b}`.
    pub fn line(&self) -> impl Display + '_ {
        Encoded(&self.0, encode::line)
    }

    /// Text or a value of an attribute in HTML.
    pub fn html(&self) -> impl Display + '_ {
        Encoded(&self.0, encode::markup)
    }

    /// Text or a value of an attribute in SVG.
    pub fn svg(&self) -> impl Display + '_ {
        Encoded(&self.0, encode::markup)
    }

    /// Text or a value of an attribute in JUnit XML.
    pub fn xml(&self) -> impl Display + '_ {
        Encoded(&self.0, encode::markup)
    }

    /// Text in Markdown, also in a cell of a table.
    pub fn markdown(&self) -> impl Display + '_ {
        Encoded(&self.0, encode::markdown)
    }

    /// Text between double quotes in DOT.
    pub fn dot(&self) -> impl Display + '_ {
        Encoded(&self.0, encode::dot)
    }

    /// A cell of CSV, see `docs/events.md`.
    pub fn csv(&self) -> impl Display + '_ {
        Encoded(&self.0, encode::csv)
    }

    /// The text itself, for a library that encodes it: JSON, Parquet, workbooks, traces. Never for a text of our own.
    #[must_use]
    pub fn for_library(&self) -> &str {
        &self.0
    }

    /// The text with its own memory.
    #[must_use]
    pub fn into_owned(self) -> Untrusted<'static> {
        Untrusted(Cow::Owned(self.0.into_owned()))
    }

    /// The text of this one.
    #[must_use]
    pub fn borrowed(&self) -> Untrusted<'_> {
        Untrusted(Cow::Borrowed(&self.0))
    }

    /// Whether there is no text.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// As an escaped literal.
impl fmt::Debug for Untrusted<'_> {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        write!(out, "\"{}\"", self.line())
    }
}

impl<'a> From<&'a str> for Untrusted<'a> {
    fn from(text: &'a str) -> Self {
        Self(Cow::Borrowed(text))
    }
}

impl<'a> From<&'a String> for Untrusted<'a> {
    fn from(text: &'a String) -> Self {
        Self(Cow::Borrowed(text))
    }
}

impl From<String> for Untrusted<'_> {
    fn from(text: String) -> Self {
        Self(Cow::Owned(text))
    }
}

impl<'a> From<Cow<'a, str>> for Untrusted<'a> {
    fn from(text: Cow<'a, str>) -> Self {
        Self(text)
    }
}

impl<'a> From<&'a Path> for Untrusted<'a> {
    fn from(path: &'a Path) -> Self {
        Self(path.to_string_lossy())
    }
}

impl<'a> From<&'a OsStr> for Untrusted<'a> {
    fn from(name: &'a OsStr) -> Self {
        Self(name.to_string_lossy())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_one_line_of_visible_characters() {
        let line = |text: &str| Untrusted::from(text).line().to_string();
        assert_eq!(line("=é<b>\t\u{7f}\u{202e}\n"), "=é<b>\\u{9}\\u{7f}\\u{202e}\\u{a}");
        assert_eq!(line("\u{1b}[2J\u{9b}m"), "\\u{1b}[2J\\u{9b}m");
        assert_eq!(
            line("a\u{2028}\u{feff}\u{e0041}\u{200b}\u{ffff}z"),
            "a\\u{2028}\\u{feff}\\u{e0041}\\u{200b}\\u{ffff}z"
        );
        assert_eq!(line("plain 名 \u{200d}"), "plain 名 \u{200d}");
    }

    #[test]
    fn markup_is_text() {
        let name = Untrusted::from("</svg><script>'\"&\n");
        assert_eq!(name.html().to_string(), "&lt;/svg&gt;&lt;script&gt;&#39;&quot;&amp;\\u{a}");
        assert_eq!(name.svg().to_string(), name.xml().to_string());
    }

    #[test]
    fn markdown_stays_in_its_cell_and_links_nothing() {
        let markdown = |text: &str| Untrusted::from(text).markdown().to_string();
        assert_eq!(markdown("a|b\n<img>*"), "a\\|b\\\\u{a}&lt;img&gt;\\*");
        assert_eq!(markdown("@user #12 a#b x@ y"), "@<!-- -->user \\#<!-- -->12 a\\#b x@ y");
        assert_eq!(markdown("https://a www.b"), "https:<!-- -->//a www<!-- -->.b");
    }

    #[test]
    fn a_label_ends_at_its_quote() {
        let name = Untrusted::from("a\"];b[\\N\n");
        assert_eq!(name.dot().to_string(), "a\\\"];b[\\\\N\\\\u{a}");
    }

    #[test]
    fn cells_of_csv_are_no_formulas_and_can_be_read_back() {
        let csv = |text: &str| Untrusted::from(text).csv().to_string();
        assert_eq!(csv("=cmd|' /C calc'!A0"), "'=cmd|' /C calc'!A0");
        assert_eq!(csv("'=1"), "''=1");
        assert_eq!(csv("a,\"b\"\n"), "\"a,\"\"b\"\"\n\"");
        assert_eq!(csv("a;=1"), "\"a;=1\"");
        assert_eq!(csv("\t=1"), "\"'\t=1\"");
        assert_eq!([csv("DDR->LMEM"), csv("add"), csv("")], ["DDR->LMEM", "add", ""]);
    }

    #[test]
    fn json_keeps_its_meaning() {
        assert_eq!(encode::plain_json("\"\u{9b}\u{e0041}\"\n"), "\"\\u009b\\udb40\\udc41\"\n");
        assert_eq!(encode::plain_lines("a\u{1b}\nb"), "a\\u{1b}\nb");
    }
}
