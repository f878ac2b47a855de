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

use std::collections::{BTreeMap, BTreeSet};

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
const COST_OF_ODD: i64 = 3;
const GAIN_OF_SOUND_END: i64 = 16;
/// Less is no proof of damage.
const FEWEST_GAINED: i64 = 8;

/// A command as a stream has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct DecodedCommand {
    /// Where it starts, in bytes.
    pub(crate) at: usize,
    /// What it is; `None` where it does not decode.
    pub(crate) kind: Option<u64>,
    /// Whether the command has bits that its operation does not use.
    pub(crate) is_odd: bool,
}

/// The commands of a stream.
pub(crate) type Decoded = Vec<DecodedCommand>;

/// A stream without its damaged commands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct MendedStream {
    pub(crate) bytes: Vec<u8>,
    /// Where the damaged commands were.
    at: usize,
    /// Bytes of them.
    gap: usize,
    pub(crate) fault: StreamFault,
}

/// What is wrong with a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StreamFault {
    /// The stream lacks bytes, or has some more than once.
    Moved,
    /// A command does not decode.
    Changed,
    /// All decodes, but to fewer commands than there are.
    Longer,
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
}

/// Mends a stream. `None` where it is whole, or where nothing decodes better. `expected`: its commands, where something else says how
/// many they are: a damaged one that is read as a longer one takes those behind it with it, and all that is left decodes.
pub(crate) fn mend_stream(
    stream: &[u8],
    decode: impl Fn(&[u8]) -> Decoded,
    expected: Option<usize>,
) -> Option<MendedStream> {
    let rest = stream.len() % UNIT;
    let decoded = decode(stream);
    let first_wrong = decoded.iter().position(|command| command.kind.is_none());
    let ends_early = decoded.last().is_none_or(|last| last.at + 128 * UNIT < stream.len());
    let decodes = rest == 0 && first_wrong.is_none() && !ends_early;
    let expected = expected.filter(|expected| *expected > decoded.len());
    let is_of_number = |found: &Decoded| expected.is_some_and(|all| found.len() + 1 == all);
    let longer = expected.filter(|_| decodes);
    if decodes && longer.is_none() {
        return None;
    }
    let fault = match (rest > 0, longer) {
        (true, _) => StreamFault::Moved,
        (false, None) => StreamFault::Changed,
        (false, Some(_)) => StreamFault::Longer,
    };
    let before = score(&decoded);
    let gaps = LONGEST_GAP / UNIT;
    let most = COMMANDS_BACK.max(MOST_DECODED / (gaps * decoded.len()).max(1));
    let suspects = match longer {
        Some(_) => rarest(&decoded, most),
        None => {
            let wrong = first_wrong.unwrap_or(decoded.len());
            let near = wrong.saturating_sub(most)..(wrong + 1).min(decoded.len());
            decoded.get(near).unwrap_or_default().iter().map(|command| command.at).collect()
        }
    };
    let mut best: Option<(i64, MendedStream)> = None;
    for at in suspects {
        // What is behind the gap ends with the stream, at a multiple of a descriptor.
        let first = (stream.len() - at) % UNIT;
        for gap in (first..=LONGEST_GAP).step_by(UNIT).filter(|gap| *gap > 0) {
            let (Some(front), Some(behind)) = (stream.get(..at), stream.get(at + gap..)) else {
                break;
            };
            let bytes = [front, behind].concat();
            let found = decode(&bytes);
            if longer.is_some() && !is_of_number(&found) {
                continue;
            }
            // As many as there are is proof enough.
            let proof = if is_of_number(&found) { FEWEST_GAINED } else { 0 };
            let found = score(&found) + proof;
            if best.as_ref().is_none_or(|(most, _)| found > *most) {
                best = Some((found, MendedStream { bytes, at, gap, fault }));
            }
        }
    }
    best.filter(|(found, _)| *found >= before + FEWEST_GAINED).map(|(_, mended)| mended)
}

/// Where the commands start that are most likely no commands: those of the rarest kinds. At most so many, of equals the first.
fn rarest(decoded: &Decoded, most: usize) -> Vec<usize> {
    let mut times: BTreeMap<Option<u64>, usize> = BTreeMap::new();
    for command in decoded {
        *times.entry(command.kind).or_default() += 1;
    }
    let mut suspects = decoded.clone();
    suspects.sort_by_key(|command| (!command.is_odd, times.get(&command.kind).copied()));
    suspects.truncate(most);
    suspects.into_iter().map(|command| command.at).collect()
}

/// How well a stream decodes.
fn score(decoded: &Decoded) -> i64 {
    let kinds: BTreeSet<u64> = decoded.iter().filter_map(|command| command.kind).collect();
    let known = decoded.iter().filter(|command| command.kind.is_some()).count();
    let odd = decoded.iter().filter(|command| command.is_odd).count();
    let unknown = decoded.len() - known;
    let is_sound = decoded.last().is_some_and(|command| command.kind.is_some());
    let end = if is_sound { GAIN_OF_SOUND_END } else { 0 };
    let cost = COST_OF_UNKNOWN * unknown as i64
        + COST_OF_KIND * kinds.len() as i64
        + COST_OF_ODD * odd as i64;
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
            let kind = is_known.then_some(u64::from(*units));
            found.push(DecodedCommand { at, kind, is_odd: false });
            at += if is_known { usize::from(*units) * UNIT } else { UNIT };
        }
        found
    }

    #[test]
    fn commands_behind_lost_bytes_are_found() {
        let whole = stream();
        assert!(mend_stream(&whole, decode, None).is_none());
        let starts: Vec<usize> = decode(&whole).iter().map(|command| command.at).collect();
        for at in (40..whole.len() - 400).step_by(20) {
            for lost in [3, 4, 40] {
                let mut damaged = whole.clone();
                damaged.drain(at..at + lost);
                let Some(mended) = mend_stream(&damaged, decode, None) else { panic!("{at}") };
                let found = decode(&mended.bytes);
                let known = found.iter().filter(|command| command.kind.is_some());
                let places: Vec<usize> = known.map(|c| mended.place(c.at) + lost).collect();
                let missing = starts.iter().filter(|s| **s > at + 64 && !places.contains(s));
                assert_eq!(missing.count(), 0, "{lost} bytes at {at}");
            }
        }
    }

    /// The head of a command and the last word before it are exchanged: what is read of it takes the next command with it.
    #[test]
    fn commands_behind_a_wrong_head_are_as_many_as_there_are() {
        // What does not decode is skipped up to the next unit that does, which may be one too far.
        let skips = |stream: &[u8]| {
            let mut found = decode(stream);
            let wrong = found.iter().position(|command| command.kind.is_none());
            if let Some(wrong) = wrong.filter(|wrong| wrong + 1 < found.len()) {
                found.remove(wrong + 1);
            }
            found
        };
        let whole = stream();
        let all = decode(&whole);
        for nth in (6..all.len() - 4).filter(|nth| nth % 4 == 0) {
            let at = all[nth].at;
            let mut damaged = whole.clone();
            damaged[at - 4..at + 4].rotate_left(4);
            let Some(mended) = mend_stream(&damaged, skips, Some(all.len())) else {
                panic!("{nth}");
            };
            assert_eq!(decode(&mended.bytes).len() + 1, all.len(), "{nth}");
        }
    }

    /// All decodes, but a command is read as a longer one and takes those behind it with it: their number says so.
    #[test]
    fn commands_behind_one_that_is_read_as_a_longer_one_are_found() {
        let whole = stream();
        let all = decode(&whole);
        assert!(mend_stream(&whole, decode, Some(all.len())).is_none());
        for nth in (1..all.len() - 4).filter(|nth| nth % 4 == 0) {
            // One unit is read as three: those of the next command, of two units, with it.
            let at = all[nth].at;
            let mut damaged = whole.clone();
            (damaged[at], damaged[at + 1]) = (3, !3);
            assert!(mend_stream(&damaged, decode, None).is_none(), "{nth}");
            let Some(mended) = mend_stream(&damaged, decode, Some(all.len())) else {
                panic!("{nth}");
            };
            let places: Vec<usize> =
                decode(&mended.bytes).iter().map(|command| mended.place(command.at)).collect();
            let others: Vec<usize> =
                all.iter().map(|command| command.at).filter(|place| *place != at).collect();
            assert_eq!(places, others, "{nth}");
        }
    }
}
