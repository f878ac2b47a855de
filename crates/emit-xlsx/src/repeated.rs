//! A piece of XML that each row has, with the row's number in it: most of it is the same as in the row before.

use crate::deflate::{Deflate, common_end, common_start};

/// A row's number as it is written; the default has no digits.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct RowNumber {
    digits: [u8; 10],
    count: u8,
}

impl RowNumber {
    pub(crate) fn new(row: u32) -> Self {
        let mut new = Self::default();
        let mut buffer = itoa::Buffer::new();
        for (to, digit) in new.digits.iter_mut().zip(buffer.format(row).bytes()) {
            *to = digit;
            new.count += 1;
        }
        new
    }

    fn digits(&self) -> &[u8] {
        self.digits.get(..usize::from(self.count)).unwrap_or_default()
    }
}

/// A piece of each row: a start, the row's number, and a rest that can be another one in each row.
#[derive(Debug)]
pub(crate) struct Repeated {
    start: Vec<u8>,
    /// Where it was written last, as bytes of the part before it, and how.
    place: Option<u64>,
    number: RowNumber,
    rest: Vec<u8>,
}

/// Where pieces go.
pub(crate) struct Put<'o> {
    /// The XML of the row so far.
    pub(crate) xml: &'o mut Vec<u8>,
    pub(crate) deflate: &'o mut Deflate,
    /// Bytes of the part before the row.
    pub(crate) place: u64,
}

impl Repeated {
    pub(crate) fn new(start: impl Into<Vec<u8>>) -> Self {
        let (start, number) = (start.into(), RowNumber::default());
        Self { start, place: None, number, rest: Vec::new() }
    }

    /// Appends the piece. `is_new`: whether the rest may be another one than the last time.
    pub(crate) fn put(&mut self, number: &RowNumber, rest: &[u8], is_new: bool, put: &mut Put<'_>) {
        let Put { xml, deflate, place } = put;
        let digits = number.digits();
        let place = *place + xml.len() as u64;
        xml.extend_from_slice(&self.start);
        xml.extend_from_slice(digits);
        xml.extend_from_slice(rest);
        match self.place {
            None => {
                deflate.literals(&self.start);
                deflate.literals(digits);
                deflate.literals(rest);
            }
            Some(last) => {
                let (distance, old) = (place - last, self.number.digits());
                let equal = common_start(old, digits);
                let (same, other) = digits.split_at(equal);
                deflate.same(distance, &self.start);
                deflate.same(distance, same);
                deflate.literals(other);
                // Row numbers get longer only.
                let distance = distance + digits.len().saturating_sub(old.len()) as u64;
                match is_new {
                    true => put_changed(deflate, distance, &self.rest, rest),
                    false => deflate.same(distance, rest),
                }
            }
        }
        self.place = Some(place);
        self.number = *number;
        if is_new {
            self.rest.clear();
            self.rest.extend_from_slice(rest);
        }
        debug_assert_eq!(&*self.rest, rest);
    }
}

/// Appends a rest that may be another one than the last, which begins so far before it: what both have in common at their starts and ends is the same.
fn put_changed(deflate: &mut Deflate, distance: u64, last: &[u8], rest: &[u8]) {
    let equal = common_start(last, rest);
    let (start, rest) = rest.split_at(equal);
    let last = last.get(equal..).unwrap_or_default();
    let (middle, end) = rest.split_at(rest.len() - common_end(last, rest));
    deflate.same(distance, start);
    deflate.literals(middle);
    // By as much as the rest is longer, its end is farther from the last.
    deflate.same((distance + rest.len() as u64).saturating_sub(last.len() as u64), end);
}
