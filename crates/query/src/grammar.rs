//! The grammar of a query. Nothing here knows which fields there are.
//!
//! ```text
//! query    = clause { blank clause }            all must hold
//! clause   = [ "not:" ] ( word | field operator value )
//! operator = ":" | "=" | "!=" | "<" | "<=" | ">" | ">="
//! ```
//!
//! Quotes keep blanks and operators in a word, a field or a value. There may be blanks around all operators but the colon, and
//! before a unit.

use crate::units::is_unit;

/// How a value is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Operator {
    Holds,
    Equal,
    Unequal,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

/// The longer ones first.
const OPERATORS: [(&str, Operator); 7] = [
    ("!=", Operator::Unequal),
    ("<=", Operator::LessOrEqual),
    (">=", Operator::GreaterOrEqual),
    ("<", Operator::Less),
    (">", Operator::Greater),
    ("=", Operator::Equal),
    (":", Operator::Holds),
];

impl Operator {
    /// As it is written.
    pub(crate) fn text(self) -> &'static str {
        OPERATORS.iter().find(|(_, operator)| *operator == self).map_or("", |(text, _)| text)
    }

    /// Whether it asks for an order, which texts do not have.
    pub(crate) fn is_order(self) -> bool {
        matches!(self, Self::Less | Self::LessOrEqual | Self::Greater | Self::GreaterOrEqual)
    }
}

/// A part of a query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Clause {
    /// As it is written; of a word without quotes.
    pub(crate) text: String,
    pub(crate) is_not: bool,
    /// Empty for a word.
    pub(crate) field: String,
    pub(crate) operator: Operator,
    pub(crate) value: String,
    /// The value stood in quotes: `*` and `?` are letters.
    pub(crate) is_quoted: bool,
}

impl Clause {
    /// The clauses of a query.
    pub(crate) fn read_all(query: &str) -> Vec<Self> {
        let mut reader = Reader { text: query, at: 0 };
        let mut clauses = Vec::new();
        loop {
            reader.skip_blanks();
            if reader.rest().is_empty() {
                return clauses;
            }
            clauses.push(reader.clause());
        }
    }

    /// Whether nothing stands where a value should.
    pub(crate) fn lacks_value(&self) -> bool {
        self.value.is_empty() && !self.is_quoted
    }
}

struct Reader<'q> {
    text: &'q str,
    /// In bytes.
    at: usize,
}

impl<'q> Reader<'q> {
    fn rest(&self) -> &'q str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn skip_blanks(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
    }

    fn clause(&mut self) -> Clause {
        let is_not = self.take_not();
        let start = self.at;
        let (first, is_quoted) = self.part(true);
        let is_name = !first.is_empty() && (is_quoted || is_identifier(&first));
        let Some(operator) = is_name.then(|| self.take_operator()).flatten() else {
            self.at = start;
            let (value, is_quoted) = self.part(false);
            let (text, field, operator) = (value.clone(), String::new(), Operator::Holds);
            return Clause { text, is_not, field, operator, value, is_quoted };
        };
        if operator != Operator::Holds {
            self.skip_blanks();
        }
        let (mut value, is_quoted) = self.part(false);
        if operator != Operator::Holds {
            self.take_unit(&mut value);
        }
        let text = self.text.get(start..self.at).unwrap_or_default().to_owned();
        Clause { text, is_not, field: first, operator, value, is_quoted }
    }

    fn take_not(&mut self) -> bool {
        const NOT: &str = "not:";
        let rest = self.rest();
        let is_not = rest.get(..NOT.len()).is_some_and(|start| start.eq_ignore_ascii_case(NOT))
            && !rest.get(NOT.len()..).is_some_and(|rest| rest.starts_with(':'));
        if is_not {
            self.at += NOT.len();
            self.skip_blanks();
        }
        is_not
    }

    /// Up to a blank, or to an operator where these `stop`; quotes are taken off.
    fn part(&mut self, stop: bool) -> (String, bool) {
        let (mut text, mut is_quoted) = (String::new(), false);
        while let Some(letter) = self.rest().chars().next() {
            if letter.is_whitespace() || stop && self.operator_at(self.at).is_some() {
                break;
            }
            self.at += letter.len_utf8();
            if letter != '"' {
                text.push(letter);
                continue;
            }
            is_quoted = true;
            let rest = self.rest();
            let end = rest.find('"');
            text.push_str(rest.get(..end.unwrap_or(rest.len())).unwrap_or_default());
            self.at += end.map_or(rest.len(), |end| end + 1);
        }
        (text, is_quoted)
    }

    /// The operator at a place, with its letters; `::` is a part of a name.
    fn operator_at(&self, at: usize) -> Option<(&'static str, Operator)> {
        let rest = self.text.get(at..)?;
        let is_second =
            at > 0 && self.text.get(at - 1..).is_some_and(|rest| rest.starts_with("::"));
        if rest.starts_with("::") || is_second {
            return None;
        }
        OPERATORS.into_iter().find(|(text, _)| rest.starts_with(text))
    }

    /// The operator here or after blanks; the reader stands behind it, or stays.
    fn take_operator(&mut self) -> Option<Operator> {
        let rest = self.rest();
        let at = self.at + (rest.len() - rest.trim_start().len());
        let (text, operator) = self.operator_at(at)?;
        if operator == Operator::Holds && at != self.at {
            return None;
        }
        self.at = at + text.len();
        // As in many languages.
        if operator == Operator::Equal && self.rest().starts_with('=') {
            self.at += 1;
        }
        Some(operator)
    }

    /// A unit after blanks belongs to the number before it.
    fn take_unit(&mut self, value: &mut String) {
        let is_number = !value.is_empty() && value.bytes().all(|b| b.is_ascii_digit() || b == b'.');
        let rest = self.rest();
        let Some(unit) = rest.split_whitespace().next() else { return };
        if is_number && rest.starts_with(char::is_whitespace) && is_unit(unit) {
            value.push_str(unit);
            self.skip_blanks();
            self.at += unit.len();
        }
    }
}

/// Whether a word may be the name of a field without quotes.
fn is_identifier(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && word.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(query: &str) -> Vec<(bool, String, &'static str, String)> {
        let clauses = Clause::read_all(query).into_iter();
        clauses.map(|c| (c.is_not, c.field, c.operator.text(), c.value)).collect()
    }

    #[test]
    fn clauses_stand_one_after_another() {
        let clause = |is_not, field: &str, operator, value: &str| {
            (is_not, field.to_owned(), operator, value.to_owned())
        };
        assert_eq!(
            read(r#"bytes > 1 MiB not:wait ns::conv "a b" name:"x*" "Engine Id"==0"#),
            [
                clause(false, "bytes", ">", "1MiB"),
                clause(true, "", ":", "wait"),
                clause(false, "", ":", "ns::conv"),
                clause(false, "", ":", "a b"),
                clause(false, "name", ":", "x*"),
                clause(false, "Engine Id", "=", "0"),
            ]
        );
    }

    #[test]
    fn no_text_is_a_panic() {
        for text in ["\"", "not:", "not::a", "é:ü", "a=\"", ":", "=", "a = = b", "µ>1 µs"] {
            read(text);
        }
        assert_eq!(read("not::a").len(), 1);
    }
}
