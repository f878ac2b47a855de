//! Reads numbers, texts and columns, and refuses what cannot be one.

use bigtpu_messages::{Message, error_message};
use bigtpu_output::plain_line;

use super::PartError;

/// Reads what [`super::writer::Writer`] writes.
pub(super) struct Reader<'b> {
    body: &'b [u8],
    at: usize,
}

impl<'b> Reader<'b> {
    /// Reader of the bytes of all columns, at their start.
    pub(super) fn new(body: &'b [u8]) -> Self {
        Self { body, at: 0 }
    }

    pub(super) fn damaged(&self, what: Message) -> PartError {
        PartError::Damaged { offset: self.at as u64, what }
    }

    pub(super) fn number(&mut self) -> Result<i64, PartError> {
        let mut n = 0u64;
        for shift in (0..64).step_by(7) {
            let Some(&byte) = self.body.get(self.at) else {
                return Err(self.damaged(error_message!("problem-part-ends")));
            };
            self.at += 1;
            n |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok((n >> 1) as i64 ^ -((n & 1) as i64));
            }
        }
        Err(self.damaged(error_message!("problem-part-number")))
    }

    pub(super) fn unsigned<T: TryFrom<i64>>(&mut self) -> Result<T, PartError> {
        let number = self.number()?;
        T::try_from(number).map_err(|_| self.damaged(error_message!("problem-part-range")))
    }

    /// A count of things that take at least one byte each.
    pub(super) fn count(&mut self) -> Result<usize, PartError> {
        let count: usize = self.unsigned()?;
        if count > self.body.len() {
            return Err(self.damaged(error_message!("problem-part-count")));
        }
        Ok(count)
    }

    pub(super) fn text(&mut self) -> Result<String, PartError> {
        let length = self.count()?;
        let text = self.body.get(self.at..self.at.saturating_add(length));
        let text = text.and_then(|bytes| std::str::from_utf8(bytes).ok());
        let text = text.ok_or_else(|| self.damaged(error_message!("problem-part-text")))?;
        self.at += length;
        Ok(text.to_owned())
    }

    /// A name, as every output shows it: the program that wrote the part may be an older one, or no program of ours.
    pub(super) fn name(&mut self) -> Result<String, PartError> {
        Ok(plain_line(&self.text()?).into_owned())
    }

    pub(super) fn plain(&mut self, count: usize) -> Result<Vec<i64>, PartError> {
        (0..count).map(|_| self.number()).collect()
    }

    pub(super) fn column(&mut self, count: usize) -> Result<Vec<i64>, PartError> {
        let mut last = 0i64;
        let mut next = || {
            last = last.wrapping_add(self.number()?);
            Ok(last)
        };
        (0..count).map(|_| next()).collect()
    }

    pub(super) fn optional(&mut self) -> Result<Option<i64>, PartError> {
        let is_known = self.number()? != 0;
        Ok(Some(self.number()?).filter(|_| is_known))
    }
}
