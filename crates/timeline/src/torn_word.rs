//! A DYN_DATA block of which a word is torn: all behind it is moved by a part of a word.

use bigtpu_chip::Chip;
use bigtpu_format::{Word, WordKind, is_old_dyn_data};

/// More words of no known kind in a row than a tear leaves.
const MOST_UNKNOWN: u64 = 3;

/// Where a word is torn, how many of its bytes are left, and the words without it. `None` where the block is whole, or is
/// cut at its end.
pub(crate) fn mend(chip: &Chip, content: &[u8]) -> Option<(usize, usize, Vec<u8>)> {
    let left = content.len() % 4;
    if left == 0 || is_old_dyn_data(content) {
        return None;
    }
    // Words before the tear count from the start, those behind it from the end.
    let unknown = |bytes: &[u8]| -> Vec<u64> {
        let mut sum = 0;
        let words = bytes.chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]));
        let sums = words.map(|word| {
            sum += u64::from(!is_plausible(chip, Word(word)));
            sum
        });
        std::iter::once(0).chain(sums).collect()
    };
    let (before, behind) = (unknown(content), unknown(content.get(left..)?));
    let all = behind.last().copied()?;
    let wrong = |words: usize| Some(before.get(words)? + all - behind.get(words)?);
    let words = content.len() / 4;
    let at = (0..words).min_by_key(|&words| wrong(words).unwrap_or(u64::MAX))?;
    let is_cut_at_end = before.last()?.saturating_sub(wrong(at)?) < MOST_UNKNOWN;
    if is_cut_at_end {
        return None;
    }
    let mut mended = content.get(..4 * at)?.to_vec();
    mended.extend(content.get(4 * at + left..)?);
    Some((4 * at, left, mended))
}

/// Whether a word may be one of the runtime's, as far as it says itself.
pub(crate) fn is_plausible(chip: &Chip, word: Word) -> bool {
    match word.kind() {
        WordKind::NodeSet | WordKind::RvtNodeSet => {
            word.engine() == 2 || chip.engine(word.engine()).is_some()
        }
        WordKind::IdReset => word.0 >> 10 & 0x3ff == 0,
        WordKind::FuncEnd => word.payload() == 0,
        WordKind::Func => (1..256).contains(&word.payload()),
        WordKind::Des(_) | WordKind::BatchIdx => true,
        WordKind::Skipped | WordKind::Unknown => false,
    }
}

#[cfg(test)]
mod tests {
    use bigtpu_chip::chips;

    use super::*;

    fn words() -> Vec<u8> {
        let mut words: Vec<u32> = Vec::new();
        for launch in 0..12u32 {
            words.extend([
                9 << 7,
                u32::from_le_bytes(*b"matm"),
                u32::from_le_bytes(*b"ul_a"),
                0x62,
            ]);
            words.extend([12, 12 | 1 << 7]);
            words.extend((0..9 + launch % 3).map(|i| 1 | (i & 1) << 7 | (i % 5) << 10 | 33 << 20));
            words.push(15);
        }
        words.into_iter().flat_map(u32::to_le_bytes).collect()
    }

    #[test]
    fn words_behind_a_torn_one_are_found() {
        let Some(chip) = chips().iter().find(|chip| chip.name == "AKS") else { panic!("no AKS") };
        let whole = words();
        assert!(mend(chip, &whole).is_none());
        for at in 40..whole.len() / 4 - 8 {
            for left in 1..4 {
                let mut torn = whole.clone();
                torn.drain(4 * at + left..4 * at + 4);
                let Some((place, bytes, mended)) = mend(chip, &torn) else {
                    panic!("{at}: {left} bytes left");
                };
                assert!(place.abs_diff(4 * at) <= 16, "{at}: {place}");
                assert_eq!((bytes, mended.len()), (left, whole.len() - 4));
            }
        }
        let mut cut = whole.clone();
        cut.truncate(whole.len() - 2);
        assert!(mend(chip, &cut).is_none());
    }
}
