//! Texts of a dump without control characters, for display.

use std::borrow::Cow;

/// A text on one line that no terminal takes for a command: control characters, and marks that turn the direction of
/// what follows, become escapes such as `\u{1b}`.
pub(crate) fn printable(text: &str) -> Cow<'_, str> {
    if text.chars().all(is_harmless) {
        return text.into();
    }
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        match is_harmless(c) {
            true => shown.push(c),
            false => shown.extend(c.escape_unicode()),
        }
    }
    shown.into()
}

fn is_harmless(c: char) -> bool {
    let turns =
        matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    !c.is_control() && !turns
}

/// Characters of a kernel's name beyond this many are not shown: each of its commands repeats it.
pub(crate) const LONGEST_NAME: usize = 1000;

/// The start of a name that may be of any length.
pub(crate) fn short_name(name: &str) -> &str {
    name.char_indices().nth(LONGEST_NAME).map_or(name, |(end, _)| name.get(..end).unwrap_or(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_what_is_no_letter() {
        assert_eq!(printable("=é<b>\t\u{7f}\u{202e}\n"), "=é<b>\\u{9}\\u{7f}\\u{202e}\\u{a}");
        assert!(matches!(printable("plain 名"), Cow::Borrowed("plain 名")));
    }

    #[test]
    fn names_are_cut_between_characters() {
        assert_eq!(short_name("kernel"), "kernel");
        assert_eq!(short_name(&"é".repeat(5000)), "é".repeat(LONGEST_NAME));
    }
}
