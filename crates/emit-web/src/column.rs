//! Columns of whole numbers as bytes: differences or values, as varints.

use serde::Serialize;

use crate::strings::Strings;

/// How a column's numbers are in their chunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
pub(crate) enum Encoding {
    /// Differences to the number before, zigzag varints.
    #[serde(rename = "d")]
    Differences,
    /// As they are, varints; none is negative.
    #[serde(rename = "v")]
    Plain,
    /// As they are, zigzag varints.
    #[serde(rename = "z")]
    Signed,
    /// All the same: nothing is in the chunk.
    #[serde(rename = "c")]
    Constant,
}

/// A column that is being written.
#[derive(Debug)]
pub(crate) struct Column {
    pub(crate) key: String,
    pub(crate) encoding: Encoding,
    /// What the page divides the numbers by.
    pub(crate) scale: u32,
    pub(crate) bytes: Vec<u8>,
    pub(crate) rows: usize,
    /// The texts that the numbers are indices into.
    pub(crate) texts: Option<Strings>,
    /// Texts of the program, and their numbers.
    own: Vec<(&'static str, u32)>,
    last: i64,
    /// Rows with the last number that have no bytes yet.
    repeats: usize,
    is_constant: bool,
}

impl Column {
    fn new(key: &str, encoding: Encoding) -> Self {
        Self {
            key: key.to_owned(),
            encoding,
            scale: 1,
            bytes: Vec::new(),
            rows: 0,
            texts: None,
            own: Vec::new(),
            last: 0,
            repeats: 0,
            is_constant: true,
        }
    }

    /// Numbers that change little from one to the next.
    pub(crate) fn differences(key: &str) -> Self {
        Self::new(key, Encoding::Differences)
    }

    /// Numbers that are never negative.
    pub(crate) fn plain(key: &str) -> Self {
        Self::new(key, Encoding::Plain)
    }

    /// Any numbers.
    pub(crate) fn signed(key: &str) -> Self {
        Self::new(key, Encoding::Signed)
    }

    /// Texts.
    pub(crate) fn text(key: &str) -> Self {
        Self { texts: Some(Strings::default()), ..Self::plain(key) }
    }

    /// The page divides the numbers by `scale`.
    pub(crate) fn scaled(self, scale: u32) -> Self {
        Self { scale, ..self }
    }

    /// Appends a number. Many are those of the row before: they are counted, and get their bytes together.
    #[inline]
    pub(crate) fn push(&mut self, n: i64) {
        self.rows += 1;
        if n == self.last && self.rows > 1 {
            self.repeats += 1;
            return;
        }
        self.change(n);
    }

    /// Puts a number into a row, from 0. Rows before it that were left out have the number of the row before them.
    #[inline]
    pub(crate) fn put(&mut self, row: usize, n: i64) {
        self.fill(row);
        self.push(n);
    }

    /// Rows up to this number that were left out have the number of the row before them.
    #[inline]
    pub(crate) fn fill(&mut self, rows: usize) {
        self.repeats += rows - self.rows;
        self.rows = rows;
    }

    /// Appends a number that is not that of the row before.
    fn change(&mut self, n: i64) {
        if self.repeats > 0 {
            self.put_repeats();
        }
        self.is_constant = self.rows == 1;
        let bits = match self.encoding {
            // The first number is the difference to 0.
            Encoding::Differences => zigzag(n.wrapping_sub(self.last)),
            _ => self.bits(n),
        };
        varint(&mut self.bytes, bits);
        self.last = n;
    }

    /// The bits of a number as it is.
    #[inline]
    fn bits(&self, n: i64) -> u64 {
        match self.encoding {
            Encoding::Differences | Encoding::Signed => zigzag(n),
            Encoding::Plain | Encoding::Constant => n.max(0) as u64,
        }
    }

    /// Appends the bytes of the rows that repeat the last number.
    fn put_repeats(&mut self) {
        let bits = match self.encoding {
            Encoding::Differences => 0,
            _ => self.bits(self.last),
        };
        let repeats = std::mem::take(&mut self.repeats);
        match bits {
            ..0x80 if repeats == 1 => self.bytes.push(bits as u8),
            ..0x80 => self.bytes.resize(self.bytes.len() + repeats, bits as u8),
            _ => (0..repeats).for_each(|_| varint(&mut self.bytes, bits)),
        }
    }

    /// Appends a number that may be greater than a page's numbers can be.
    pub(crate) fn push_wide(&mut self, n: impl TryInto<i64>) {
        self.push(n.try_into().unwrap_or(i64::MAX));
    }

    /// Appends a text.
    pub(crate) fn push_text(&mut self, text: &str) {
        let number = self.text_number(text);
        self.push(number.into());
    }

    /// Appends a text of the program: where it is in memory says more quickly than its letters which one it is.
    pub(crate) fn push_own(&mut self, text: &'static str) {
        let known = self.own.iter().find(|(own, _)| std::ptr::eq(*own, text));
        let number = known.map(|(_, number)| *number).unwrap_or_else(|| {
            let number = self.text_number(text);
            self.own.push((text, number));
            number
        });
        self.push(number.into());
    }

    /// The number of a text, for those who push the same text again and again.
    pub(crate) fn text_number(&mut self, text: &str) -> u32 {
        self.texts.get_or_insert_default().index(text)
    }

    /// Ends the column: its bytes are complete. Returns the number of all rows, where they are all the same; there are no bytes
    /// then.
    pub(crate) fn settle(&mut self) -> Option<i64> {
        if !self.is_constant || self.rows == 0 {
            self.put_repeats();
            return None;
        }
        self.repeats = 0;
        self.encoding = Encoding::Constant;
        self.bytes = Vec::new();
        Some(self.last)
    }
}

fn zigzag(n: i64) -> u64 {
    (n << 1 ^ n >> 63) as u64
}

/// Appends a number in groups of 7 bits, lowest first; the highest bit of a byte says that another follows.
#[inline]
fn varint(out: &mut Vec<u8>, bits: u64) {
    /// Smaller numbers have at most eight groups: these are put into the bytes of a word at once.
    const EIGHT_GROUPS: u64 = 1 << 56;
    /// Highest bits of all groups but the last, by the number of groups.
    const OTHERS: [u64; 9] = {
        let mut others = [0; 9];
        let mut groups = 2;
        while groups < others.len() {
            others[groups] = others[groups - 1] << 8 | 0x80;
            groups += 1;
        }
        others
    };
    if bits >= EIGHT_GROUPS || out.capacity() - out.len() < 8 {
        return varint_slowly(out, bits);
    }
    if bits < 0x80 {
        out.push(bits as u8);
        return;
    }
    // Of the highest bit's place a seventh, and 1: exact for all 64 places.
    let groups = ((bits.ilog2() * 9 + 73) / 64) as usize;
    let halves = bits & 0x0fff_ffff | (bits & 0x0fff_ffff << 28) << 4;
    let quarters = halves & 0x3fff_0000_3fff | (halves & 0x3fff_0000_3fff << 14) << 2;
    let single = 0x007f_007f_007f_007f;
    let bytes = quarters & single | (quarters & single << 7) << 1;
    let others = OTHERS.get(groups).copied().unwrap_or_default();
    let len = out.len() + groups;
    out.extend_from_slice(&(bytes | others).to_le_bytes());
    out.truncate(len);
}

/// Appends a number group by group: for the greatest numbers, and where there is little room.
#[cold]
#[inline(never)]
fn varint_slowly(out: &mut Vec<u8>, mut bits: u64) {
    out.reserve(16);
    while bits >= 0x80 {
        out.push(bits as u8 | 0x80);
        bits >>= 7;
    }
    out.push(bits as u8);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(mut column: Column, numbers: &[i64]) -> Vec<u8> {
        numbers.iter().for_each(|&n| column.push(n));
        column.put_repeats();
        column.bytes
    }

    #[test]
    fn numbers_become_varints() {
        assert_eq!(bytes(Column::plain("a"), &[0, 127, 128, 300]), [0, 0x7f, 0x80, 1, 0xac, 2]);
        assert_eq!(bytes(Column::signed("a"), &[0, -1, 1, -64]), [0, 1, 2, 127]);
        assert_eq!(bytes(Column::differences("a"), &[10, 12, 11, 11]), [20, 4, 1, 0]);
        assert_eq!(bytes(Column::signed("a"), &[i64::MIN]).len(), 10);
        assert_eq!(
            bytes(Column::plain("a"), &[i64::MAX]),
            [[0xff; 8].as_slice(), &[0x7f]].concat()
        );
        assert_eq!(bytes(Column::plain("a"), &[300, 300, 1, 1]), [0xac, 2, 0xac, 2, 1, 1]);
        assert_eq!(bytes(Column::differences("a"), &[0, 0, 3, 3]), [0, 0, 6, 0]);
    }

    /// At the edges of each number of bytes, in a row: some where there is room for a word, and some where there is none.
    #[test]
    fn varints_have_as_many_groups_as_their_numbers_need() {
        let edges = |exponent: u32| [(1_i64 << exponent) - 1, 1 << exponent, (1 << exponent) + 1];
        let mut numbers: Vec<i64> = (1..63).flat_map(edges).collect();
        numbers.dedup();
        let groups = |n: &i64| {
            let mut groups: Vec<u8> = (0..9).map(|i| (n >> (7 * i) & 0x7f) as u8 | 0x80).collect();
            let last = groups.iter().rposition(|&group| group > 0x80).unwrap_or(0);
            groups.truncate(last + 1);
            groups.last_mut().into_iter().for_each(|group| *group &= 0x7f);
            groups
        };
        let expected: Vec<u8> = numbers.iter().flat_map(groups).collect();
        assert_eq!(bytes(Column::plain("a"), &numbers), expected);
    }

    #[test]
    fn rows_that_are_left_out_repeat_the_number_before() {
        for column in [Column::plain, Column::differences, Column::signed].map(|of| of("a")) {
            let mut whole = Column::new("a", column.encoding);
            [7, 7, 7, 300, 300, 1, 1].iter().for_each(|&n| whole.push(n));
            let mut sparse = column;
            [(0, 7), (2, 7), (3, 300), (5, 1)].iter().for_each(|&(row, n)| sparse.put(row, n));
            sparse.fill(7);
            assert_eq!((whole.settle(), whole.rows), (sparse.settle(), sparse.rows));
            assert_eq!(whole.bytes, sparse.bytes);
        }
    }

    #[test]
    fn equal_numbers_take_no_bytes() {
        let mut column = Column::differences("a");
        (0..5).for_each(|_| column.push(7));
        assert_eq!((column.settle(), column.bytes.len()), (Some(7), 0));
        let mut column = Column::differences("a");
        [1, 2, 1].iter().for_each(|&n| column.push(n));
        assert_eq!(column.settle(), None);
    }
}
