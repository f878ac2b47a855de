//! Texts of outputs, by sink.

use std::borrow::Cow;
use std::fmt::{self, Display, Formatter, Write};
use std::marker::PhantomData;
use std::ops::Range;
use std::path::{Path, PathBuf};

use crate::four_places::FourPlaces;
use crate::{Untrusted, encode};

mod sealed {
    pub trait Sealed {}
}

/// What a text is written for. A sink says how a text from outside is encoded in it.
pub trait Sink: sealed::Sealed {
    /// Writes a text from outside so that it is nothing but text.
    #[doc(hidden)]
    fn encode(text: &str, out: &mut Formatter<'_>) -> fmt::Result;

    /// Whether a text is shown as it is; one that is may be taken for one that is not.
    #[doc(hidden)]
    #[inline]
    fn is_plain(_text: &str) -> bool {
        false
    }
}

macro_rules! sinks {
    ($($(#[$docs:meta])* $name:ident: $encode:path $(, $is_plain:path)?;)*) => {$(
        $(#[$docs])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum $name {}

        impl sealed::Sealed for $name {}

        impl Sink for $name {
            fn encode(text: &str, out: &mut Formatter<'_>) -> fmt::Result {
                $encode(text, out)
            }

            $(#[inline]
            fn is_plain(text: &str) -> bool {
                $is_plain(text)
            })?
        }
    )*};
}

sinks! {
    /// Lines of plain text: a text from outside is a part of one line.
    Lines: encode::line, encode::is_ascii_line;
    /// HTML, SVG and XML: text, and values of attributes in quotes.
    Markup: encode::markup;
    /// Markdown: text, also in a cell of a table.
    Markdown: encode::markdown;
    /// DOT: text between double quotes.
    Dot: encode::dot;
    /// CSV: whole cells, see `docs/events.md`.
    Csv: encode::csv;
    /// Literals of Python and JavaScript: text between single quotes.
    Literal: encode::literal;
}

/// A text that is written for a sink. Files take no other ([`OutDir::write`](crate::OutDir::write)), and it has two sources
/// only: texts of our own, which are in the program ([`own`](Text::own), and the first argument of [`put!`](crate::put)),
/// and values, which the sink encodes ([`show`](Text::show), and all other arguments). So a writer that forgets to encode a
/// name does not compile:
///
/// ```
/// use bigtpu_output::{Markup, Text, put};
/// let name = String::from("<script>");
/// let mut page = Text::<Markup>::new();
/// put!(page, "<p>{}, {:.2} us</p>", name, 1.5);
/// assert_eq!(page.as_str(), "<p>&lt;script&gt;, 1.50 us</p>");
/// ```
///
/// ```compile_fail
/// use bigtpu_output::{Markup, Text, put};
/// let name = String::from("<script>");
/// let mut page = Text::<Markup>::new();
/// put!(page, "<p>{name}, {:.2} us</p>", 1.5); // a captured name would pass the encoder
/// ```
///
/// ```compile_fail
/// use bigtpu_output::{Markup, Text};
/// let name = String::from("<script>");
/// let mut page = Text::<Markup>::new();
/// page.own(&name); // not a text of the program
/// ```
///
/// ```compile_fail
/// use bigtpu_output::{Lines, Markup, Text, put};
/// let line = Text::<Lines>::new();
/// let mut page = Text::<Markup>::new();
/// put!(page, "<p>{}</p>", line); // encoded, but for another sink
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Text<S> {
    text: String,
    sink: PhantomData<S>,
}

impl<S> Default for Text<S> {
    fn default() -> Self {
        Self { text: String::new(), sink: PhantomData }
    }
}

impl<S: Sink> Text<S> {
    /// An empty text.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A text of our own.
    #[must_use]
    pub fn of(text: &'static str) -> Self {
        Self { text: text.to_owned(), sink: PhantomData }
    }

    /// Appends a text of our own.
    #[inline]
    pub fn own(&mut self, text: &'static str) -> &mut Self {
        self.text.push_str(text);
        self
    }

    /// Appends a value, encoded.
    pub fn show(&mut self, value: &(impl Show<S> + ?Sized)) -> &mut Self {
        value.append(&mut self.text);
        self
    }

    /// Appends a part of a text for the same sink, from a byte up to another; nothing where these are no bounds of characters.
    pub fn part(&mut self, of: &Self, bytes: Range<usize>) -> &mut Self {
        self.text.push_str(of.text.get(bytes).unwrap_or_default());
        self
    }

    /// Appends a whole number, faster than [`show`](Text::show).
    pub fn int(&mut self, number: impl itoa::Integer) -> &mut Self {
        self.text.push_str(itoa::Buffer::new().format(number));
        self
    }

    /// Appends a number with as many digits as it needs to be read back as itself.
    pub fn float(&mut self, number: f64) -> &mut Self {
        if let Some(places) = FourPlaces::of(number) {
            places.append(&mut self.text);
            return self;
        }
        // Writing to a text never fails.
        let _ = write!(self.text, "{number:?}");
        self
    }

    /// Appends a value at the right end of a column of this width; a longer one sticks out.
    pub fn column(&mut self, value: &(impl Show<S> + ?Sized), width: usize) -> &mut Self {
        // Writing to a text never fails.
        let _ = write!(self.text, "{:>width$}", Piece(value, PhantomData));
        self
    }

    /// Values with a text of our own between them.
    #[must_use]
    pub fn joined(values: impl IntoIterator<Item: Show<S>>, between: &'static str) -> Self {
        let mut text = Self::new();
        for (number, value) in values.into_iter().enumerate() {
            text.own(if number > 0 { between } else { "" }).show(&value);
        }
        text
    }

    /// The text as it is written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Its length in bytes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.text.len()
    }

    /// Whether there is nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Removes all of it and keeps its memory.
    pub fn clear(&mut self) {
        self.text.clear();
    }

    /// Removes blanks and line breaks from its end.
    pub fn trim_end(&mut self) {
        self.text.truncate(self.text.trim_end().len());
    }

    #[doc(hidden)]
    #[must_use]
    pub fn sink(&self) -> Pieces<S> {
        Pieces(PhantomData)
    }

    /// For [`put!`](crate::put) only: it makes pieces of all arguments.
    #[doc(hidden)]
    pub fn put_pieces(&mut self, pieces: fmt::Arguments<'_>) {
        // Writing to a text never fails.
        let _ = self.text.write_fmt(pieces);
    }
}

impl Text<Lines> {
    /// Lines that were laid out in columns, or wrapped, from parts that are single lines already: their line breaks stay.
    /// Never for a text with names that no sink has encoded, which could forge lines; a test names all files that use it.
    #[must_use]
    pub fn laid_out(lines: &str) -> Self {
        Self { text: encode::plain_lines(lines), sink: PhantomData }
    }
}

/// Appends to a [`Text`]: a format of our own, as `format!` takes it, and values that the sink encodes. The format can't
/// name variables: each value is an argument.
#[macro_export]
macro_rules! put {
    ($out:expr, $format:literal $(, $value:expr)* $(,)?) => {{
        let sink = $out.sink();
        // A format that comes from `concat!` captures no variables.
        $out.put_pieces(::core::format_args!(::core::concat!($format) $(, sink.piece(&$value))*))
    }};
}

/// A new [`Text`] with a format and values, see [`put!`](crate::put).
#[macro_export]
macro_rules! text {
    ($($all:tt)*) => {{
        let mut text = $crate::Text::new();
        $crate::put!(text, $($all)*);
        text
    }};
}

/// Makes pieces of arguments.
#[doc(hidden)]
#[derive(Debug)]
pub struct Pieces<S>(PhantomData<S>);

impl<S: Sink> Pieces<S> {
    pub fn piece<'a, T: Show<S> + ?Sized>(&self, value: &'a T) -> Piece<'a, S, T> {
        Piece(value, PhantomData)
    }
}

#[doc(hidden)]
pub struct Piece<'a, S, T: ?Sized>(&'a T, PhantomData<S>);

impl<S, T: Show<S> + ?Sized> Display for Piece<'_, S, T> {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        self.0.show(out)
    }
}

/// A value that can be shown in a sink: a text, which the sink encodes, a number, or a text that is written for this sink.
pub trait Show<S> {
    #[doc(hidden)]
    fn show(&self, out: &mut Formatter<'_>) -> fmt::Result;

    /// Appends what [`show`](Show::show) writes.
    #[doc(hidden)]
    fn append(&self, out: &mut String) {
        // Writing to a text never fails.
        let _ = write!(out, "{}", Piece(self, PhantomData::<S>));
    }
}

/// A text as its sink encodes it.
struct Encoded<'a, S>(&'a str, PhantomData<S>);

impl<S: Sink> Display for Encoded<'_, S> {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        S::encode(self.0, out)
    }
}

impl<S: Sink> Show<S> for str {
    fn show(&self, out: &mut Formatter<'_>) -> fmt::Result {
        match out.width() {
            None => S::encode(self, out),
            // A column: as wide as what is shown.
            Some(_) => out.pad(&Encoded(self, PhantomData::<S>).to_string()),
        }
    }

    fn append(&self, out: &mut String) {
        if S::is_plain(self) {
            out.push_str(self);
            return;
        }
        let _ = write!(out, "{}", Encoded(self, PhantomData::<S>));
    }
}

impl<S: Sink> Show<S> for Text<S> {
    fn show(&self, out: &mut Formatter<'_>) -> fmt::Result {
        out.pad(&self.text)
    }

    fn append(&self, out: &mut String) {
        out.push_str(&self.text);
    }
}

/// Markdown may hold HTML.
impl Show<Markdown> for Text<Markup> {
    fn show(&self, out: &mut Formatter<'_>) -> fmt::Result {
        out.write_str(&self.text)
    }
}

impl<S, T: Show<S> + ?Sized> Show<S> for &T {
    fn show(&self, out: &mut Formatter<'_>) -> fmt::Result {
        (**self).show(out)
    }

    fn append(&self, out: &mut String) {
        (**self).append(out);
    }
}

macro_rules! texts {
    ($($kind:ty: $text:ident;)*) => {$(
        impl<S: Sink> Show<S> for $kind {
            fn show(&self, out: &mut Formatter<'_>) -> fmt::Result {
                let text: &str = self.$text();
                Show::<S>::show(text, out)
            }

            fn append(&self, out: &mut String) {
                let text: &str = self.$text();
                Show::<S>::append(text, out);
            }
        }
    )*};
}

impl<S: Sink> Show<S> for Path {
    fn show(&self, out: &mut Formatter<'_>) -> fmt::Result {
        Show::<S>::show(&*self.to_string_lossy(), out)
    }
}

impl<S: Sink> Show<S> for PathBuf {
    fn show(&self, out: &mut Formatter<'_>) -> fmt::Result {
        Show::<S>::show(self.as_path(), out)
    }
}

texts! {
    String: as_str;
    Cow<'_, str>: as_ref;
    Untrusted<'_>: for_library;
}

macro_rules! numbers {
    ($($kind:ty)*) => {$(
        impl<S: Sink> Show<S> for $kind {
            fn show(&self, out: &mut Formatter<'_>) -> fmt::Result {
                Display::fmt(self, out)
            }
        }
    )*};
}

numbers! { u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize f32 f64 bool }

#[cfg(test)]
mod tests {
    use super::*;

    /// What a sink makes of a text.
    fn shown<S: Sink>(text: &str) -> String {
        Text::<S>::joined([text], "").as_str().to_owned()
    }

    #[test]
    fn a_line_is_one_line_of_visible_characters() {
        let line = shown::<Lines>;
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
        assert_eq!(
            shown::<Markup>("</svg><script>'\"&\n"),
            "&lt;/svg&gt;&lt;script&gt;&#39;&quot;&amp;\\u{a}"
        );
    }

    #[test]
    fn markdown_stays_in_its_cell_and_links_nothing() {
        let markdown = shown::<Markdown>;
        assert_eq!(markdown("a|b\n<img>*"), "a\\|b\\\\u{a}&lt;img&gt;\\*");
        assert_eq!(markdown("@user #12 a#b x@ y"), "@<!-- -->user \\#<!-- -->12 a\\#b x@ y");
        assert_eq!(markdown("https://a www.b"), "https:<!-- -->//a www<!-- -->.b");
    }

    #[test]
    fn a_label_ends_at_its_quote() {
        assert_eq!(shown::<Dot>("a\"];b[\\N\n"), "a\\\"];b[\\\\N\\\\u{a}");
        assert_eq!(shown::<Literal>("a'+b\\\n\u{e0041}"), "a\\'+b\\\\\\u000a\\udb40\\udc41");
    }

    #[test]
    fn cells_of_csv_are_no_formulas_and_can_be_read_back() {
        let csv = shown::<Csv>;
        assert_eq!(csv("=cmd|' /C calc'!A0"), "'=cmd|' /C calc'!A0");
        assert_eq!(csv("'=1"), "''=1");
        assert_eq!(csv("a,\"b\"\n"), "\"a,\"\"b\"\"\n\"");
        assert_eq!(csv("a;=1"), "\"a;=1\"");
        assert_eq!(csv("\t=1"), "\"'\t=1\"");
        assert_eq!([csv("DDR->LMEM"), csv("add"), csv("")], ["DDR->LMEM", "add", ""]);
    }

    #[test]
    fn columns_are_as_wide_as_what_they_show() {
        let text: Text<Lines> = text!("[{:>9}|{:<4}|{:.1}]", "\u{1b}", "ab", 1.25);
        assert_eq!(text.as_str(), "[   \\u{1b}|ab  |1.2]");
    }
}
