//! Writes numbers as zigzag varints, and columns as the differences of their values.

use crate::host_side::HostSpan;

/// Writes numbers, texts and columns.
#[derive(Default)]
pub(super) struct Writer(Vec<u8>);

impl Writer {
    /// What was written.
    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.0
    }

    pub(super) fn number(&mut self, n: i64) {
        let mut rest = (n << 1 ^ n >> 63) as u64;
        while rest > 0x7f {
            self.0.push(rest as u8 | 0x80);
            rest >>= 7;
        }
        self.0.push(rest as u8);
    }

    pub(super) fn text(&mut self, text: &str) {
        self.number(text.len() as i64);
        self.0.extend_from_slice(text.as_bytes());
    }

    pub(super) fn optional(&mut self, n: Option<i64>) {
        self.number(n.is_some().into());
        self.number(n.unwrap_or(0));
    }

    pub(super) fn spans(&mut self, spans: &[HostSpan]) {
        self.number(spans.len() as i64);
        spans.iter().for_each(|span| self.text(&span.name));
        self.column(spans.iter().map(|span| span.start));
        self.plain(spans.iter().map(|span| span.end.saturating_sub(span.start)));
    }

    pub(super) fn plain(&mut self, values: impl Iterator<Item = i64>) {
        values.for_each(|value| self.number(value));
    }

    pub(super) fn column(&mut self, values: impl Iterator<Item = i64>) {
        let mut last = 0i64;
        for value in values {
            self.number(value.wrapping_sub(last));
            last = value;
        }
    }
}
