//! Sums of what a query found.

use bigtpu_query::{QueryField, QueryRecord as _};

use super::item::Item;

/// Sums of commands or gaps.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Totals {
    /// How many there are.
    pub count: u64,
    /// ns of all.
    pub ns: i64,
    /// Bytes of all; `None` where none has any.
    pub bytes: Option<u64>,
}

impl Totals {
    #[inline]
    pub(super) fn add(&mut self, item: &Item<'_, '_>) {
        self.join(Self {
            count: 1,
            ns: item.number(QueryField::Duration).unwrap_or(0.0) as i64,
            bytes: item.number(QueryField::Bytes).map(|bytes| bytes as u64),
        });
    }

    #[inline]
    pub(super) fn join(&mut self, other: Self) {
        self.count += other.count;
        self.ns += other.ns;
        self.bytes = match (self.bytes, other.bytes) {
            (Some(own), Some(more)) => Some(own + more),
            (own, more) => own.or(more),
        };
    }
}
