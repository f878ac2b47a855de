//! Values of rows and their types.

use std::fmt::{self, Display, Formatter};

use bigtpu_output::Untrusted;

/// Type of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Type {
    /// 64-bit whole number.
    Int,
    /// Double.
    Float,
    /// Text.
    Text,
    /// Yes or no.
    Bool,
}

/// A value of a row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Cell<'a> {
    /// Not known, or the event has none.
    Null,
    Int(i64),
    Float(f64),
    Text(&'a str),
    Bool(bool),
}

impl Cell<'static> {
    /// A count as the column's type holds it.
    pub(crate) fn count(n: impl TryInto<i64>) -> Self {
        Self::Int(n.try_into().unwrap_or(i64::MAX))
    }

    pub(crate) fn int(n: Option<u32>) -> Self {
        n.map_or(Self::Null, |n| Self::Int(n.into()))
    }
}

impl<'a> Cell<'a> {
    /// An empty text is an unknown one.
    pub(crate) fn text(text: &'a str) -> Self {
        if text.is_empty() { Self::Null } else { Self::Text(text) }
    }
}

/// A value as CSV has it.
pub(crate) struct Csv<'a>(pub(crate) Cell<'a>);

impl Display for Csv<'_> {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            Cell::Null => Ok(()),
            Cell::Int(n) => write!(out, "{n}"),
            Cell::Float(x) => write!(out, "{x:?}"),
            Cell::Text(text) => write!(out, "{}", Untrusted::from(text).csv()),
            Cell::Bool(yes) => write!(out, "{yes}"),
        }
    }
}
