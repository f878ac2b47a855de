//! Values of rows and their types.

use bigtpu_output::{Csv, Text};

/// Type of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Type {
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
pub enum EventCell<'a> {
    /// Not known, or the event has none.
    Null,
    /// A whole number.
    Int(i64),
    /// A double.
    Float(f64),
    /// A text.
    Text(&'a str),
    /// Yes or no.
    Bool(bool),
}

impl EventCell<'static> {
    /// A count as the column's type holds it.
    pub(crate) fn count(n: impl TryInto<i64>) -> Self {
        Self::Int(n.try_into().unwrap_or(i64::MAX))
    }

    pub(crate) fn int(n: Option<u32>) -> Self {
        n.map_or(Self::Null, |n| Self::Int(n.into()))
    }
}

impl<'a> EventCell<'a> {
    /// An empty text is an unknown one.
    pub(crate) fn text(text: &'a str) -> Self {
        if text.is_empty() { Self::Null } else { Self::Text(text) }
    }

    /// A whole number.
    pub(crate) fn as_int(self) -> Option<i64> {
        if let Self::Int(n) = self { Some(n) } else { None }
    }

    /// A double.
    pub(crate) fn as_float(self) -> Option<f64> {
        if let Self::Float(x) = self { Some(x) } else { None }
    }

    /// A text.
    #[must_use]
    pub fn as_text(self) -> Option<&'a str> {
        if let Self::Text(text) = self { Some(text) } else { None }
    }

    /// Yes or no.
    pub(crate) fn as_bool(self) -> Option<bool> {
        if let Self::Bool(yes) = self { Some(yes) } else { None }
    }

    /// Appends it as CSV has it.
    pub fn put(self, out: &mut Text<Csv>) {
        match self {
            EventCell::Null => {}
            EventCell::Int(n) => _ = out.int(n),
            EventCell::Float(x) => _ = out.float(x),
            EventCell::Text(text) => _ = out.show(text),
            EventCell::Bool(yes) => _ = out.show(&yes),
        }
    }
}
