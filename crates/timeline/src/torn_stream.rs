//! A descriptor stream of which bytes are missing, exchanged or there twice: all behind them may be moved.
//!
//! The damage is within a command or a few, and the next whole one is found by what decodes from there on:
//!
//! ```text
//!   damaged   A │ B │ C..  ..E │ F │ G
//!   mended    A │ B │ (gap)    │ F │ G
//! ```
//!
//! Descriptors are multiples of 16 bytes long, which says where a whole one may start. Most of what decodes by chance is
//! of operations that the stream does not have otherwise: the right place leaves the fewest kinds of commands.

use std::collections::BTreeSet;

/// Descriptors are multiples of so many bytes.
const UNIT: usize = 16;
/// So many bytes behind the start of a damaged command the next whole one starts at the latest.
const LONGEST_GAP: usize = 384;
/// So many commands before the first that does not decode may have been decoded of moved bytes.
const COMMANDS_BACK: usize = 24;
/// In short streams more of them are looked at: so many commands are decoded at most, or those of [`COMMANDS_BACK`].
const MOST_DECODED: usize = 1_000_000;

const GAIN_OF_KNOWN: i64 = 2;
const COST_OF_UNKNOWN: i64 = 4;
const COST_OF_KIND: i64 = 3;
const GAIN_OF_SOUND_END: i64 = 16;
/// Less is no proof of damage.
const FEWEST_GAINED: i64 = 8;

/// Where each command starts, and what it is; `None` where it does not decode.
pub(crate) type Decoded = Vec<(usize, Option<u64>)>;

/// A stream without its damaged commands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct MendedStream {
    pub(crate) bytes: Vec<u8>,
    /// Where the damaged commands were.
    at: usize,
    /// Bytes of them.
    gap: usize,
    /// The stream lacks bytes, or has some more than once.
    is_moved: bool,
}

impl MendedStream {
    /// Where the command that a damaged one was before is in the mended stream.
    pub(crate) fn gap_at(&self) -> usize {
        self.at
    }

    /// Where a byte of the mended stream is in the damaged one.
    pub(crate) fn place(&self, at: usize) -> usize {
        if at < self.at { at } else { at + self.gap }
    }

    /// Where the damage is, and its bytes.
    pub(crate) fn damage(&self) -> (u64, u64) {
        (self.at as u64, self.gap as u64)
    }

    /// Whether bytes are missing or are there twice, rather than changed.
    pub(crate) fn is_moved(&self) -> bool {
        self.is_moved
    }
}

/// Mends a stream. `None` where it is whole, or where nothing decodes better.
pub(crate) fn mend_stream(
    stream: &[u8],
    decode: impl Fn(&[u8]) -> Decoded,
) -> Option<MendedStream> {
    let rest = stream.len() % UNIT;
    let decoded = decode(stream);
    let first_wrong = decoded.iter().position(|(_, kind)| kind.is_none());
    let ends_early = decoded.last().is_none_or(|(at, _)| at + 128 * UNIT < stream.len());
    if rest == 0 && first_wrong.is_none() && !ends_early {
        return None;
    }
    let before = score(&decoded);
    let wrong = first_wrong.unwrap_or(decoded.len());
    let gaps = LONGEST_GAP / UNIT;
    let back = COMMANDS_BACK.max(MOST_DECODED / (gaps * decoded.len()).max(1));
    let near = decoded.get(wrong.saturating_sub(back)..(wrong + 1).min(decoded.len()));
    let mut best: Option<(i64, MendedStream)> = None;
    for &(at, _) in near.unwrap_or_default() {
        // What is behind the gap ends with the stream, at a multiple of a descriptor.
        let first = (stream.len() - at) % UNIT;
        for gap in (first..=LONGEST_GAP).step_by(UNIT).filter(|gap| *gap > 0) {
            let (Some(front), Some(behind)) = (stream.get(..at), stream.get(at + gap..)) else {
                break;
            };
            let bytes = [front, behind].concat();
            let found = score(&decode(&bytes));
            if best.as_ref().is_none_or(|(most, _)| found > *most) {
                best = Some((found, MendedStream { bytes, at, gap, is_moved: rest > 0 }));
            }
        }
    }
    best.filter(|(found, _)| *found >= before + FEWEST_GAINED).map(|(_, mended)| mended)
}

/// How well a stream decodes.
fn score(decoded: &Decoded) -> i64 {
    let known = decoded.iter().filter_map(|(_, kind)| *kind);
    let kinds: BTreeSet<u64> = known.clone().collect();
    let known = known.count();
    let unknown = decoded.len() - known;
    let is_sound = decoded.last().is_some_and(|(_, kind)| kind.is_some());
    let end = if is_sound { GAIN_OF_SOUND_END } else { 0 };
    let cost = COST_OF_UNKNOWN * unknown as i64 + COST_OF_KIND * kinds.len() as i64;
    GAIN_OF_KNOWN * known as i64 - cost + end
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Commands of 1 to 4 units: their first byte says how long they are, their second is a check of it.
    fn stream() -> Vec<u8> {
        let command = |i: usize| {
            let units = 1 + i % 4;
            let mut bytes = vec![0xa0 + i as u8 % 7; units * UNIT];
            (bytes[0], bytes[1]) = (units as u8, !(units as u8));
            bytes
        };
        (0..60).flat_map(command).collect()
    }

    fn decode(stream: &[u8]) -> Decoded {
        let mut at = 0;
        let mut found = Decoded::new();
        while let (Some(units), Some(check)) = (stream.get(at), stream.get(at + 1)) {
            let is_known = (1..5).contains(units) && !units == *check;
            found.push((at, is_known.then_some(u64::from(*units))));
            at += if is_known { usize::from(*units) * UNIT } else { UNIT };
        }
        found
    }

    #[test]
    fn commands_behind_lost_bytes_are_found() {
        let whole = stream();
        assert!(mend_stream(&whole, decode).is_none());
        let starts: Vec<usize> = decode(&whole).iter().map(|(at, _)| *at).collect();
        for at in (40..whole.len() - 400).step_by(20) {
            for lost in [3, 4, 40] {
                let mut damaged = whole.clone();
                damaged.drain(at..at + lost);
                let Some(mended) = mend_stream(&damaged, decode) else { panic!("{at}") };
                let found = decode(&mended.bytes);
                let known = found.iter().filter(|(_, kind)| kind.is_some());
                let places: Vec<usize> = known.map(|(at, _)| mended.place(*at) + lost).collect();
                let missing = starts.iter().filter(|s| **s > at + 64 && !places.contains(s));
                assert_eq!(missing.count(), 0, "{lost} bytes at {at}");
            }
        }
    }
}
