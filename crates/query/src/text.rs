//! Texts that match a text of a query. Letters are the same whether capital or small.

use crate::grammar::{Clause, Operator};

/// Which texts match, without regard to `!=`.
#[derive(Debug, Clone)]
pub(crate) enum TextTest {
    /// Texts that hold this one.
    Part(String),
    /// Texts that are equal to this one.
    Whole(String),
    /// Texts that the pattern describes from end to end.
    Pattern(Vec<char>),
}

impl TextTest {
    /// With `*` and `?` a pattern, else a part of the text (`:`) or all of it (`=`, `!=`).
    pub(crate) fn new(clause: &Clause) -> Self {
        let wanted = clause.value.to_lowercase();
        if !clause.is_quoted && wanted.contains(['*', '?']) {
            return Self::Pattern(wanted.chars().collect());
        }
        match clause.operator {
            Operator::Holds => Self::Part(wanted),
            _ => Self::Whole(wanted),
        }
    }

    pub(crate) fn matches(&self, text: &str) -> bool {
        let text = text.to_lowercase();
        match self {
            Self::Part(wanted) => text.contains(wanted.as_str()),
            Self::Whole(wanted) => text == *wanted,
            Self::Pattern(pattern) => fits(pattern, &text.chars().collect::<Vec<_>>()),
        }
    }
}

/// Whether a text fits a pattern. After a letter that does not fit, the last star takes one more.
fn fits(pattern: &[char], text: &[char]) -> bool {
    let (mut p, mut t) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while t < text.len() {
        match pattern.get(p) {
            Some('*') => {
                star = Some((p, t));
                p += 1;
                continue;
            }
            Some(letter) if *letter == '?' || text.get(t) == Some(letter) => {
                (p, t) = (p + 1, t + 1);
                continue;
            }
            _ => {}
        }
        let Some((at, taken)) = star else { return false };
        star = Some((at, taken + 1));
        (p, t) = (at + 1, taken + 1);
    }
    pattern.get(p..).is_some_and(|rest| rest.iter().all(|letter| *letter == '*'))
}

#[cfg(test)]
mod tests {
    use super::fits;

    #[test]
    fn patterns_describe_whole_texts() {
        let fits = |pattern: &str, text: &str| {
            fits(&pattern.chars().collect::<Vec<_>>(), &text.chars().collect::<Vec<_>>())
        };
        assert!(fits("a*b*c", "a--b-bb-c") && fits("*", "") && fits("a?c", "abc"));
        assert!(!fits("a*b", "a-b-c") && !fits("?", "") && !fits("a", "ab"));
    }
}
