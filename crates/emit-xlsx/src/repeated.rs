//! A piece of XML that each row has, with the row's number in it: most of it is the same as in the row before.

use crate::deflate::{Deflate, common_end, common_start};

/// A row's number as it is written; the default has no digits.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct RowNumber {
    row: u32,
    digits: [u8; 10],
    count: usize,
    /// The row before it that has cells, and how many digits both begin with.
    before: u32,
    equal: usize,
}

impl RowNumber {
    /// The number of a row behind this one.
    pub(crate) fn next(&self, row: u32) -> Self {
        let mut next = Self { row, before: self.row, ..Self::default() };
        let mut buffer = itoa::Buffer::new();
        for (to, digit) in next.digits.iter_mut().zip(buffer.format(row).bytes()) {
            *to = digit;
            next.count += 1;
        }
        next.equal = common_start(self.digits(), next.digits());
        next
    }

    fn digits(&self) -> &[u8] {
        self.digits.get(..self.count).unwrap_or_default()
    }
}

/// A piece of each row: a start, the row's number, and a rest that can be another one in each row.
#[derive(Debug)]
pub(crate) struct Repeated {
    /// As it was written last, and where its parts begin.
    xml: Vec<u8>,
    number_at: usize,
    rest_at: usize,
    /// In which row that was.
    row: u32,
    /// Bytes of the part before it.
    place: Option<u64>,
}

impl Repeated {
    pub(crate) fn new(start: impl Into<Vec<u8>>) -> Self {
        let xml = start.into();
        let at = xml.len();
        Self { xml, number_at: at, rest_at: at, row: 0, place: None }
    }

    /// Whether it was never written.
    pub(crate) fn is_unused(&self) -> bool {
        self.place.is_none()
    }

    /// Appends the piece, which has this place in the part. `rest`: the rest, where it may be another one than the last time.
    #[inline]
    pub(crate) fn put(
        &mut self,
        number: &RowNumber,
        rest: Option<&[u8]>,
        place: u64,
        out: &mut Deflate,
    ) {
        let distance = self.place.replace(place).map_or(0, |last| place - last);
        let is_as_before =
            self.row == number.before && self.rest_at - self.number_at == number.count;
        self.row = number.row;
        if !is_as_before {
            return self.put_anew(number, rest, distance, out);
        }
        let other = self.number_at + number.equal..self.rest_at;
        let digits = self.xml.get_mut(other.clone()).zip(number.digits().get(number.equal..));
        if let Some((to, digits)) = digits {
            to.copy_from_slice(digits);
        }
        let Some(rest) = rest else { return out.repeat(distance, &self.xml, other) };
        let (start, last) = self.xml.split_at(self.rest_at);
        out.repeat(distance, start, other);
        put_other(out, distance, last, rest);
        self.xml.truncate(self.rest_at);
        self.xml.extend_from_slice(rest);
    }

    /// Appends the piece where the last one is not that of the row before, or the number has another length.
    #[cold]
    fn put_anew(
        &mut self,
        number: &RowNumber,
        rest: Option<&[u8]>,
        distance: u64,
        out: &mut Deflate,
    ) {
        let (start, last) = self.xml.split_at(self.number_at);
        let (last_digits, last) = last.split_at(self.rest_at - self.number_at);
        let (digits, rest) = (number.digits(), rest.unwrap_or(last));
        out.same(distance, start);
        let distance = put_other(out, distance, last_digits, digits);
        put_other(out, distance, last, rest);
        self.rest_at = self.number_at + digits.len();
        self.xml = [start, digits, rest].concat();
    }
}

/// Appends a text where another one was, which begins so far before it. Returns how far what is behind it is from what was behind the other.
fn put_other(out: &mut Deflate, distance: u64, last: &[u8], text: &[u8]) -> u64 {
    let equal = common_start(last, text);
    let last_rest = last.get(equal..).unwrap_or_default();
    let end = text.len() - common_end(last_rest, text.get(equal..).unwrap_or_default());
    if last.len() == text.len() {
        out.repeat(distance, text, equal..end);
        return distance;
    }
    // By as much as the text is longer, what is behind it is farther. Without one before, all is new.
    let behind = (distance + text.len() as u64).saturating_sub(last.len() as u64);
    let behind = if distance == 0 { 0 } else { behind };
    out.repeat(distance, text.get(..end).unwrap_or_default(), equal..end);
    out.same(behind, text.get(end..).unwrap_or_default());
    behind
}
