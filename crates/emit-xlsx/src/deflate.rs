//! Deflate (RFC 1951) for a writer that knows what it repeats: rows name the bytes that were there before, and nothing is searched. One
//! block with the fixed codes; each run of equal bytes of one distance is as few codes as possible.

use std::ops::Range;

/// Bytes back to which a code may refer.
const MOST_DISTANCE: u64 = 32_768;

/// Fewer bytes than these take no fewer bits as a distance than as they are.
const SHORTEST: usize = 4;

/// The most bytes of one code.
const LONGEST: usize = 258;

/// Places that [`Deflate::text`] remembers, as a power of two.
const PLACES_LOG2: u32 = 12;

/// A code with the bits behind it, the first bit lowest, and how many they are.
type Code = (u32, u32);

/// What is compressed, as far as it is made.
pub(crate) struct Deflate {
    out: Vec<u8>,
    /// Bits that are no whole word so far, and how many.
    bits: u64,
    count: u32,
    /// What was appended since it was last [taken](Self::take_text).
    text: Vec<u8>,
    /// How many of its last bytes are the same as those so far before them, and have no code yet.
    length: usize,
    distance: u64,
    /// The last place of four bytes, by a hash of them, from 1.
    places: Vec<u32>,
}

impl Deflate {
    /// No stream so far.
    pub(crate) fn new() -> Self {
        let (out, text, places) = (Vec::new(), Vec::new(), vec![0; 1 << PLACES_LOG2]);
        Self { out, bits: 0, count: 0, text, length: 0, distance: 0, places }
    }

    /// Begins a stream, which forgets the one before: its last and only block, with fixed codes.
    pub(crate) fn begin(&mut self) {
        self.clear();
        self.text.clear();
        (self.bits, self.count, self.length, self.distance) = (0, 0, 0, 0);
        self.put((0b011, 3));
    }

    /// Whole bytes of what is compressed so far.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.out
    }

    /// Forgets these bytes: they are written.
    pub(crate) fn clear(&mut self) {
        self.out.clear();
    }

    /// How many bytes were appended since they were last taken.
    pub(crate) fn text_length(&self) -> usize {
        self.text.len()
    }

    /// Takes what was appended, to look at.
    pub(crate) fn take_text(&mut self, look: impl FnOnce(&[u8])) {
        self.tell_same(0);
        look(&self.text);
        self.text.clear();
    }

    /// Ends the stream: its last bytes are [there](Self::bytes).
    pub(crate) fn end(&mut self) {
        self.tell_same(0);
        self.put((0, 7));
        let rest = self.count.div_ceil(8) as usize;
        self.out.extend_from_slice(self.bits.to_le_bytes().get(..rest).unwrap_or_default());
        (self.bits, self.count) = (0, 0);
    }

    /// Appends bytes as they are.
    pub(crate) fn literals(&mut self, bytes: &[u8]) {
        self.text.extend_from_slice(bytes);
        self.tell_same(bytes.len());
        self.put_literals(bytes);
    }

    /// Appends bytes that are the same as those so far before them in the stream; where that is too far, they are written as they are.
    pub(crate) fn same(&mut self, distance: u64, bytes: &[u8]) {
        self.repeat(distance, bytes, bytes.len()..bytes.len());
    }

    /// As [`Deflate::same`], but for the bytes of a range.
    #[inline]
    pub(crate) fn repeat(&mut self, distance: u64, bytes: &[u8], other: Range<usize>) {
        if !(1..=MOST_DISTANCE).contains(&distance) {
            return self.literals(bytes);
        }
        self.text.extend_from_slice(bytes);
        if self.distance != distance {
            self.tell_same(bytes.len());
            self.distance = distance;
        }
        self.length += other.start;
        if !other.is_empty() {
            self.tell_same(bytes.len() - other.start);
            self.put_literals(bytes.get(other.clone()).unwrap_or_default());
            self.distance = distance;
        }
        self.length += bytes.len() - other.end;
    }

    /// Appends a text; what repeats within it is found.
    pub(crate) fn text(&mut self, text: &[u8]) {
        self.places.fill(0);
        let mut at = 0;
        while let Some(four) = text.get(at..).and_then(|rest| rest.first_chunk::<4>()) {
            let key = u32::from_le_bytes(*four).wrapping_mul(0x9e37_79b1) >> (32 - PLACES_LOG2);
            let Some(place) = self.places.get_mut(key as usize) else { break };
            let before = std::mem::replace(place, at as u32 + 1).checked_sub(1);
            let equal = before.map_or(0, |before| common(text, before as usize, at));
            let distance = before.map_or(0, |before| (at - before as usize) as u64);
            if equal >= SHORTEST && distance <= MOST_DISTANCE {
                self.same(distance, text.get(at..at + equal).unwrap_or_default());
                at += equal;
            } else {
                self.literals(text.get(at..=at).unwrap_or_default());
                at += 1;
            }
        }
        self.literals(text.get(at..).unwrap_or_default());
    }

    /// Makes the codes of the bytes that are the same as others; `behind`: bytes of the text behind them.
    #[inline]
    fn tell_same(&mut self, behind: usize) {
        if self.length > 0 {
            self.tell_some(behind);
        }
        self.distance = 0;
    }

    fn tell_some(&mut self, behind: usize) {
        let (length, distance) = (std::mem::take(&mut self.length), self.distance);
        if length < SHORTEST {
            let end = self.text.len() - behind;
            // At most three bytes, copied as what is appended to is borrowed, too.
            let mut few = [0; SHORTEST - 1];
            let few = few.get_mut(..length).unwrap_or_default();
            few.copy_from_slice(self.text.get(end - length..end).unwrap_or_default());
            return self.put_literals(few);
        }
        let far = distance_code(distance as u32);
        let mut left = length;
        while left > LONGEST {
            // What is left over is a code, too.
            let some = LONGEST.min(left - SHORTEST);
            self.put_same(some, far);
            left -= some;
        }
        self.put_same(left, far);
    }

    #[inline]
    fn put_same(&mut self, length: usize, (far, far_bits): Code) {
        let (code, bits) = LENGTHS.get(length).copied().unwrap_or_default();
        self.put((code | far << bits, bits + far_bits));
    }

    #[inline]
    fn put_literals(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.put(LITERALS[usize::from(*byte)]);
        }
    }

    /// Appends at most 32 bits.
    #[inline]
    fn put(&mut self, (bits, count): Code) {
        self.bits |= u64::from(bits) << self.count;
        self.count += count;
        if self.count >= 32 {
            self.out.extend_from_slice(&(self.bits as u32).to_le_bytes());
            self.bits >>= 32;
            self.count -= 32;
        }
    }
}

/// How many bytes of a text are the same from two places on.
fn common(text: &[u8], before: usize, at: usize) -> usize {
    let of = |at: usize| text.get(at..).unwrap_or_default();
    common_start(of(before), of(at))
}

/// How many bytes two texts have in common at their starts.
#[inline]
pub(crate) fn common_start(one: &[u8], other: &[u8]) -> usize {
    let (one_words, other_words) = (one.as_chunks::<8>().0, other.as_chunks::<8>().0);
    let mut equal = 0;
    for (one, other) in one_words.iter().zip(other_words) {
        let differ = u64::from_le_bytes(*one) ^ u64::from_le_bytes(*other);
        if differ != 0 {
            return equal + differ.trailing_zeros() as usize / 8;
        }
        equal += 8;
    }
    let rests = one.iter().zip(other).skip(equal);
    equal + rests.take_while(|(one, other)| one == other).count()
}

/// How many bytes two texts have in common at their ends.
#[inline]
pub(crate) fn common_end(one: &[u8], other: &[u8]) -> usize {
    let (one_words, other_words) = (one.as_rchunks::<8>().1, other.as_rchunks::<8>().1);
    let mut equal = 0;
    for (one, other) in one_words.iter().rev().zip(other_words.iter().rev()) {
        let differ = u64::from_le_bytes(*one) ^ u64::from_le_bytes(*other);
        if differ != 0 {
            return equal + differ.leading_zeros() as usize / 8;
        }
        equal += 8;
    }
    let rests = one.iter().rev().zip(other.iter().rev()).skip(equal);
    equal + rests.take_while(|(one, other)| one == other).count()
}

/// The fixed code of a literal or length symbol: its bits come highest first.
const fn symbol(symbol: u32) -> Code {
    let (code, bits) = match symbol {
        ..144 => (0x30 + symbol, 8),
        144..256 => (0x190 + symbol - 144, 9),
        256..280 => (symbol - 256, 7),
        _ => (0xc0 + symbol - 280, 8),
    };
    (code.reverse_bits() >> (32 - bits), bits)
}

/// The codes of bytes.
const LITERALS: [Code; 256] = {
    let mut all = [(0, 0); 256];
    let mut byte = 0;
    while byte < 256 {
        all[byte] = symbol(byte as u32);
        byte += 1;
    }
    all
};

/// The codes of lengths, by the length; none of less than 3.
const LENGTHS: [Code; LONGEST + 1] = {
    let mut all = [(0, 0); LONGEST + 1];
    let mut length = 3;
    while length < LONGEST {
        // Lengths from 3 on: eight symbols of their own, then four for each number of further bits.
        let from_three = length as u32 - 3;
        let (own, extra, extra_bits) = if from_three < 8 {
            (from_three, 0, 0)
        } else {
            let extra_bits = from_three.ilog2() - 2;
            let place = from_three >> extra_bits;
            (4 * extra_bits + place, from_three & ((1 << extra_bits) - 1), extra_bits)
        };
        let (code, bits) = symbol(257 + own);
        all[length] = (code | extra << bits, bits + extra_bits);
        length += 1;
    }
    all[LONGEST] = symbol(285);
    all
};

/// The code of a distance.
#[inline]
fn distance_code(distance: u32) -> Code {
    let from_one = distance.wrapping_sub(1);
    // Distances from 1 on: four symbols of their own, then two for each number of further bits.
    let (own, extra_bits) = match from_one {
        ..4 => (from_one, 0),
        _ => {
            let extra_bits = from_one.ilog2() - 1;
            (2 * extra_bits + (from_one >> extra_bits), extra_bits)
        }
    };
    let extra = from_one & ((1 << extra_bits) - 1);
    ((own.reverse_bits() >> 27) | extra << 5, 5 + extra_bits)
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use flate2::read::DeflateDecoder;

    use super::*;

    fn read(deflate: &mut Deflate) -> Vec<u8> {
        deflate.end();
        let mut text = Vec::new();
        DeflateDecoder::new(deflate.bytes()).read_to_end(&mut text).unwrap();
        text
    }

    #[test]
    fn what_texts_have_in_common_is_counted() {
        let text = |n: usize| format!("{:040}", 7u128.pow(n as u32 + 1)).into_bytes();
        for (n, m) in (0..40).flat_map(|n| (0..40).map(move |m| (n, m))) {
            let (one, other) = (text(n), text(m));
            let (one, other) = (&one[n % 9..], &other[n % 9..40 - m % 5]);
            let start = one.iter().zip(other).take_while(|(a, b)| a == b).count();
            let end = one.iter().rev().zip(other.iter().rev()).take_while(|(a, b)| a == b).count();
            assert_eq!((common_start(one, other), common_end(one, other)), (start, end));
        }
    }

    /// Every length with every distance at which the codes change.
    #[test]
    fn all_lengths_and_distances_are_read_back() {
        let start: Vec<u8> =
            (0..40_000u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
        let changes =
            (0..15).flat_map(|bit| [1u64 << bit, (1 << bit) + 1, 3 << bit, (3 << bit) + 1]);
        let distances: Vec<u64> =
            changes.filter(|d| *d <= MOST_DISTANCE).chain([MOST_DISTANCE]).collect();
        let mut deflate = Deflate::new();
        deflate.begin();
        deflate.literals(&start);
        let mut expected = start;
        for (at, length) in (1..700).chain([5000]).enumerate() {
            let distance = distances[at % distances.len()];
            let from = expected.len();
            for at in from..from + length {
                expected.push(expected[at - distance as usize]);
            }
            deflate.same(distance, &expected[from..]);
        }
        assert!(read(&mut deflate) == expected);
    }

    #[test]
    fn texts_are_read_back_and_what_repeats_is_short() {
        let mut deflate = Deflate::new();
        for text in [
            "",
            "a",
            "aaa",
            "\u{7f}\u{80}ÿ日本語",
            &"ab".repeat(70_000),
            &"<c r=\"A1\"><v>7</v></c>".repeat(300),
        ] {
            deflate.begin();
            deflate.text(text.as_bytes());
            let found = read(&mut deflate);
            assert!(found == text.as_bytes(), "{text:.20}");
            assert!(deflate.bytes().len() < 60 + text.len() / 100, "{text:.20}");
        }
    }

    /// What is too far is written as it is.
    #[test]
    fn wrong_distances_cost_bytes_only() {
        let mut deflate = Deflate::new();
        deflate.begin();
        for distance in [0, MOST_DISTANCE + 1, u64::MAX] {
            deflate.same(distance, b"abcdef");
        }
        assert_eq!(read(&mut deflate), b"abcdefabcdefabcdef");
    }
}
