//! What texts are written for.

use std::fmt::{self, Formatter};

use crate::encode;

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
    Csv: encode::csv, encode::is_csv_cell;
    /// Literals of Python and JavaScript: text between single quotes.
    Literal: encode::literal;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Text;

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
            line("a\u{2028}\u{feff}\u{e0041}\u{200b}\u{ffff}\u{fe0f}\u{2800}\u{1d173}z"),
            "a\\u{2028}\\u{feff}\\u{e0041}\\u{200b}\\u{ffff}\\u{fe0f}\\u{2800}\\u{1d173}z"
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
        assert_eq!(markdown("GH-12 gh-7 agh-1 GH-x"), "GH-<!-- -->12 gh-<!-- -->7 agh-1 GH-x");
        assert_eq!(markdown("https://a www.b"), "https:<!-- -->//a www<!-- -->.b");
    }

    #[test]
    fn a_label_ends_at_its_quote() {
        assert_eq!(shown::<Dot>("a\"];b[\\N\n"), "a\\\"];b[\\\\N\\\\u{a}");
        assert_eq!(shown::<Literal>("a'+b\\\n\u{e0041}"), "a\\'+b\\\\\\u000a\\udb40\\udc41");
    }

    /// A text is encoded by its characters only where one of them needs it: both ways show the same.
    #[test]
    fn cells_of_csv_that_are_taken_as_they_are_would_be_encoded_so() {
        let texts =
            (' '..='\u{ff}').flat_map(|c| [format!("{c}"), format!("{c}a"), format!("a{c}")]);
        let texts = texts.chain(["", "\t", "a\n", "\r=", "名,"].map(str::to_owned));
        let mut plain = 0;
        for text in texts {
            let encoded = crate::show::encoded::<Csv>(&text);
            assert_eq!(shown::<Csv>(&text), encoded);
            plain += usize::from(Csv::is_plain(&text));
        }
        // 95 visible characters without 3 separators, and of those 5 marks of formulas only behind another.
        assert_eq!(plain, 3 * 92 - 2 * 5 + 1);
    }

    #[test]
    fn cells_of_csv_are_no_formulas_and_can_be_read_back() {
        let csv = shown::<Csv>;
        assert_eq!(csv("=cmd|' /C calc'!A0"), "'=cmd|' /C calc'!A0");
        assert_eq!(csv("'=1"), "''=1");
        assert_eq!(csv("a,\"b\"\n"), "\"a,\"\"b\"\"\n\"");
        assert_eq!(csv("a;=1"), "\"a;=1\"");
        assert_eq!(csv("a\u{200b}\u{e0041}b"), "a\\u{200b}\\u{e0041}b");
        assert_eq!(csv("\t=1"), "\"'\t=1\"");
        assert_eq!([csv("DDR->LMEM"), csv("add"), csv("")], ["DDR->LMEM", "add", ""]);
    }
}
