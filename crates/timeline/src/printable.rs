//! Texts of a dump for display.

/// A text on one line that no terminal takes for a command: control characters, marks that turn the direction of what
/// follows, and characters that can't be seen become escapes such as `\u{1b}`.
pub(crate) use bigtpu_output::plain_line as printable;

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
        assert_eq!(printable("a\u{200b}\u{2028}"), "a\\u{200b}\\u{2028}");
        assert!(matches!(printable("plain 名"), std::borrow::Cow::Borrowed("plain 名")));
    }

    #[test]
    fn names_are_cut_between_characters() {
        assert_eq!(short_name("kernel"), "kernel");
        assert_eq!(short_name(&"é".repeat(5000)), "é".repeat(LONGEST_NAME));
    }
}
