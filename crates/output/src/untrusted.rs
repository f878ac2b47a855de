//! Text from outside.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::fmt::{self, Display, Formatter};
use std::path::Path;

use crate::encode;

/// Text from outside: a name in a dump, trace, model or plan, the name of a file, a key that is quoted in an error.
///
/// Such a text can be written only through the encoder of a sink: as a value of a [`Text`](crate::Text). There is no
/// `Display`, no `Deref` and no `AsRef<str>`, so that a sink that was forgotten does not compile:
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
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Untrusted<'a>(Cow<'a, str>);

/// One line of plain text.
struct Line<'a>(&'a str);

impl Display for Line<'_> {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        encode::line(self.0, out)
    }
}

impl<'a> Untrusted<'a> {
    /// One line of plain text, for terminals, lines of `summary.txt`, and errors: control characters, line breaks, and
    /// characters that turn the direction of text or can't be seen become escapes such as `\u{1b}`.
    pub fn line(&self) -> impl Display + '_ {
        Line(&self.0)
    }

    /// Characters of [`line`](Untrusted::line).
    pub(crate) fn line_width(&self) -> usize {
        if encode::is_ascii_line(&self.0) {
            return self.0.len();
        }
        self.line().to_string().chars().count()
    }

    /// The text itself, for a library that encodes it, or where a text depends on it. Never for a text of our own.
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
    fn no_text_ends_the_element_of_a_page_or_hides_in_it() {
        // As a library writes `</script>\u001b`, two control characters, a line break, a quote, and what can't be seen.
        let json = concat!(r#"["</script>\\u001b \u001b\b\n\"\\"#, "\u{200b}\u{7f}\"]");
        let shown = r#"["\u003c/script>\\u001b \\u{1b}\\u{8}\n\"\\\\u{200b}\\u{7f}"]"#;
        assert_eq!(encode::page_json(json), shown);
    }

    #[test]
    fn json_keeps_its_meaning() {
        assert_eq!(encode::plain_json("\"\u{9b}\u{e0041}\"\n"), "\"\\u009b\\udb40\\udc41\"\n");
        assert_eq!(encode::plain_lines("a\u{1b}\nb"), "a\\u{1b}\nb");
        assert_eq!(encode::plain_paragraph("a\u{1b}\r\n\t\u{feff}b"), "a\\u{1b}\r\n\t\\u{feff}b");
    }
}
