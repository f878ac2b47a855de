//! Patterns of names of kernels, layers, host events and files: one language for all options.

use std::fmt;

use wildmatch::WildMatch;

/// A name in which `*` is any text, also none, and `?` is any one letter. All other letters are themselves.
#[derive(Debug, Clone, PartialEq)]
pub struct NamePattern(WildMatch);

impl NamePattern {
    /// As written on the command line.
    #[must_use]
    pub fn new(text: &str) -> Self {
        Self(WildMatch::new(text))
    }

    /// Whether the whole of a name is as the pattern says.
    #[must_use]
    pub fn matches(&self, name: &str) -> bool {
        self.0.matches(name)
    }
}

impl fmt::Display for NamePattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_are_any_text_and_question_marks_any_letter() {
        for (pattern, name, is) in [
            ("rope", "rope", true),
            ("rop?", "rope", true),
            ("rop?", "rop", false),
            ("rop?", "ropes", false),
            ("?n", "\u{6838}n", true),
            ("matmul", "matmul2", false),
            ("mat*", "matmul", true),
            ("*_o", "matmul_o", true),
            ("m*t*l", "matmul", true),
            ("m*x*l", "matmul", false),
            ("m?tm*", "matmul", true),
            ("*", "", true),
            ("", "", true),
            ("", "a", false),
            ("ab*ba", "aba", false),
            ("a.c", "abc", false),
        ] {
            assert_eq!(NamePattern::new(pattern).matches(name), is, "{pattern} {name}");
        }
        assert_eq!(NamePattern::new("m?t*").to_string(), "m?t*");
    }
}
