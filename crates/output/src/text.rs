//! Texts of outputs, by sink.

use std::fmt::{self, Display, Formatter, Write};
use std::marker::PhantomData;
use std::ops::Range;

use crate::four_places::FourPlaces;
use crate::{Lines, Show, Sink, encode};

/// What a column is filled with.
const BLANKS: &str = "                                ";

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
    pub fn literal(text: &'static str) -> Self {
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
        if let Some(places) = FourPlaces::round(number) {
            places.append(&mut self.text);
            return self;
        }
        // Writing to a text never fails.
        let _ = write!(self.text, "{number:?}");
        self
    }

    /// Appends a value at the right end of a column of this width; a longer one sticks out.
    pub fn column(&mut self, value: &(impl Show<S> + ?Sized), width: usize) -> &mut Self {
        let from = self.text.len();
        value.append(&mut self.text);
        let shown = self.text.get(from..).unwrap_or_default();
        // The bytes of a line of ASCII are its characters, and are counted at once.
        let shown = if shown.is_ascii() { shown.len() } else { shown.chars().count() };
        let mut missing = width.saturating_sub(shown);
        while missing > 0 {
            let blanks = BLANKS.get(..missing).unwrap_or(BLANKS);
            self.text.insert_str(from, blanks);
            missing -= blanks.len();
        }
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
    pub fn piece<'a, T: Show<S> + ?Sized>(&self, value: &'a T) -> TextPiece<'a, S, T> {
        TextPiece(value, PhantomData)
    }
}

#[doc(hidden)]
pub struct TextPiece<'a, S, T: ?Sized>(pub(crate) &'a T, pub(crate) PhantomData<S>);

impl<S, T: Show<S> + ?Sized> Display for TextPiece<'_, S, T> {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        self.0.show(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_what_they_show() {
        let text: Text<Lines> = text!("[{:>9}|{:<4}|{:.1}]", "\u{1b}", "ab", 1.25);
        assert_eq!(text.as_str(), "[   \\u{1b}|ab  |1.2]");
        let mut text = Text::<Lines>::literal("[");
        text.column("\u{1b}", 9).own("|").column("é名", 4).own("|").column("long", 2).own("|");
        text.column(&1.25, 6);
        assert_eq!(text.as_str(), "[   \\u{1b}|  é名|long|  1.25");
        let mut wide = Text::<Lines>::new();
        assert_eq!(wide.column("a", 100).as_str(), format!("{:>100}", "a"));
    }
}
