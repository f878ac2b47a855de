//! A descriptor stream that lacks bytes, or has some twice: all behind them is moved.
//!
//! Descriptors are multiples of 16 bytes long, so that the length of a block says by how many bytes it is moved; where,
//! is found by what decodes behind each place.

/// Descriptors are multiples of so many bytes.
const UNIT: usize = 16;
/// So many commands before the first that does not decode may have been decoded of moved bytes.
const COMMANDS_BACK: usize = 24;
/// In short streams more of them are looked at: so many commands are decoded again at most, for each way to mend one.
const MOST_DECODED: usize = 200_000;
/// A command's head, which says how long it is.
const HEAD_BYTES: usize = 8;
/// So many more commands must decode.
const FEWEST_GAINED: i64 = 3;

/// Where each command starts, and whether it decodes.
pub(crate) type Decoded = Vec<(usize, bool)>;

/// A stream whose descriptors are where they were.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct MendedStream {
    pub(crate) bytes: Vec<u8>,
    /// Where bytes were put in or taken out.
    at: usize,
    /// Bytes that were put in; negative: taken out.
    moved: i64,
}

impl MendedStream {
    /// Where a byte of the mended stream is in the damaged one.
    pub(crate) fn place(&self, at: usize) -> usize {
        if at <= self.at { at } else { at.saturating_add_signed(-self.moved as isize) }
    }

    /// Where the damage is, and its bytes.
    pub(crate) fn damage(&self) -> (u64, u64) {
        (self.at as u64, self.moved.unsigned_abs())
    }
}

/// Mends a stream. `None` where its length is that of whole descriptors, or where nothing decodes better.
pub(crate) fn mend_stream(
    stream: &[u8],
    decode: impl Fn(&[u8]) -> Decoded,
) -> Option<MendedStream> {
    let rest = stream.len() % UNIT;
    let decoded = decode(stream);
    let first_wrong = decoded.iter().position(|(_, is_known)| !is_known);
    let ends_early = decoded.last().is_none_or(|(at, _)| at + 128 * UNIT < stream.len());
    if rest == 0 || first_wrong.is_none() && !ends_early {
        return None;
    }
    let score = |decoded: &Decoded| -> i64 {
        decoded.iter().map(|(_, is_known)| if *is_known { 1 } else { -2 }).sum()
    };
    let before = score(&decoded);
    let wrong = first_wrong.unwrap_or(decoded.len());
    let back = COMMANDS_BACK.max(MOST_DECODED / decoded.len().max(1));
    let near = decoded.get(wrong.saturating_sub(back)..(wrong + 1).min(decoded.len()));
    let mut best: Option<(i64, MendedStream)> = None;
    for &(start, _) in near.unwrap_or_default() {
        for at in [start + HEAD_BYTES, start] {
            for moved in [(UNIT - rest) as i64, -(rest as i64)] {
                let Some(mended) = moved_at(stream, at, moved) else { continue };
                let gained = score(&decode(&mended.bytes));
                if best.as_ref().is_none_or(|(most, _)| gained > *most) {
                    best = Some((gained, mended));
                }
            }
        }
    }
    best.filter(|(gained, _)| *gained >= before + FEWEST_GAINED).map(|(_, mended)| mended)
}

fn moved_at(stream: &[u8], at: usize, moved: i64) -> Option<MendedStream> {
    let mut bytes = stream.get(..at)?.to_vec();
    if moved > 0 {
        bytes.resize(at + moved as usize, 0);
        bytes.extend(stream.get(at..)?);
    } else {
        bytes.extend(stream.get(at + moved.unsigned_abs() as usize..)?);
    }
    Some(MendedStream { bytes, at, moved })
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
            found.push((at, is_known));
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
            for lost in [3, 4] {
                let mut damaged = whole.clone();
                damaged.drain(at..at + lost);
                let Some(mended) = mend_stream(&damaged, decode) else { panic!("{at}") };
                let found = decode(&mended.bytes);
                let known = found.iter().filter(|(_, is_known)| *is_known);
                let places: Vec<usize> = known.map(|(at, _)| mended.place(*at) + lost).collect();
                let missing = starts.iter().filter(|s| **s > at + 64 && !places.contains(s));
                assert_eq!(missing.count(), 0, "{lost} bytes at {at}");
            }
        }
    }
}
