//! In which order found items and groups are shown.

use std::cmp::Ordering;

use bigtpu_query::NamedField;

/// What the order is by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    /// A value: numbers from the greatest, texts in their own order.
    Value(NamedField),
    /// How many items a group has.
    Count,
    /// The time of a group.
    Time,
    /// The bytes of a group.
    Bytes,
}

impl Order {
    /// Order of groups by one of their sums; `None` for a name that is none of them.
    pub(super) fn of_groups(name: &str) -> Option<Self> {
        match name {
            "count" => Some(Self::Count),
            "time" => Some(Self::Time),
            "bytes" => Some(Self::Bytes),
            _ => None,
        }
    }
}

/// A value as a group has it, and an order compares it.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Value {
    Number(f64),
    Text(String),
    /// Not known, or there is none.
    None,
}

impl Value {
    /// Numbers from the greatest, then texts in their own order, then what has no value.
    pub(super) fn compare(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Number(a), Self::Number(b)) => b.total_cmp(a),
            (Self::Text(a), Self::Text(b)) => a.cmp(b),
            _ => self.rank().cmp(&other.rank()),
        }
    }

    fn rank(&self) -> u8 {
        match self {
            Self::Number(_) => 0,
            Self::Text(_) => 1,
            Self::None => 2,
        }
    }
}

/// A number without decimals that say nothing.
impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Number(n) => write!(f, "{n}"),
            Self::Text(text) => f.write_str(text),
            Self::None => Ok(()),
        }
    }
}
