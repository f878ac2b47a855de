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
    let words = content.len() / 4;
    // Words before the tear count from the start, those behind it from the end.
    let (before, behind) =
        (WordsBefore::read(chip, content), WordsBehind::read(chip, content.get(left..)?));
    let wrong = |at: usize| Some(before.wrong.get(at)? + behind.wrong(at, *before.open.get(at)?)?);
    let at = (0..words).min_by_key(|&at| wrong(at).unwrap_or(u64::MAX))?;
    let is_cut_at_end = before.wrong.last()?.saturating_sub(wrong(at)?) < MOST_UNKNOWN;
    if is_cut_at_end {
        return None;
    }
    let mut mended = content.get(..4 * at)?.to_vec();
    mended.extend(content.get(4 * at + left..)?);
    Some((4 * at, left, mended))
}

/// A word, and of how many words the name behind it is.
fn read_word(chip: &Chip, bytes: &[u8; 4]) -> (bool, usize) {
    let word = Word(u32::from_le_bytes(*bytes));
    let is_plausible = is_plausible(chip, word);
    let is_name = is_plausible && word.kind() == WordKind::Func;
    (is_plausible, if is_name { (word.payload() as usize).div_ceil(4) } else { 0 })
}

/// Whether a word may be letters of a name.
fn is_text(word: [u8; 4]) -> bool {
    word.iter().all(|byte| byte.is_ascii_graphic() || matches!(byte, 0 | b' '))
}

/// The words of a block, read from its start.
struct WordsBefore {
    /// Words that mean nothing before each word, and before the end.
    wrong: Vec<u64>,
    /// Words of a name that are still to come at each word.
    open: Vec<usize>,
}

impl WordsBefore {
    fn read(chip: &Chip, bytes: &[u8]) -> Self {
        let (mut sum, mut of_name) = (0, 0);
        let (mut wrong, mut open) = (vec![0], vec![0]);
        for word in bytes.as_chunks::<4>().0 {
            let means = if of_name > 0 {
                of_name -= 1;
                is_text(*word)
            } else {
                let (is_plausible, name) = read_word(chip, word);
                of_name = name;
                is_plausible
            };
            sum += u64::from(!means);
            wrong.push(sum);
            open.push(of_name);
        }
        Self { wrong, open }
    }
}

/// The words of the end of a block.
struct WordsBehind {
    /// Words that mean nothing from each word on, if a word begins there.
    wrong: Vec<u64>,
    /// Words before each one that are no letters.
    no_text: Vec<u64>,
}

impl WordsBehind {
    fn read(chip: &Chip, bytes: &[u8]) -> Self {
        let words = bytes.as_chunks::<4>().0;
        let mut no_text = vec![0; words.len() + 1];
        for (at, word) in words.iter().enumerate() {
            no_text[at + 1] = no_text[at] + u64::from(!is_text(*word));
        }
        let mut wrong = vec![0; words.len() + 1];
        for (at, word) in words.iter().enumerate().rev() {
            let (is_plausible, name) = read_word(chip, word);
            let end = (at + 1 + name).min(words.len());
            let of_name = no_text[end] - no_text[at + 1];
            wrong[at] = u64::from(!is_plausible) + of_name + wrong[end];
        }
        Self { wrong, no_text }
    }

    /// Words that mean nothing from one on, if the first ones are letters of a name.
    fn wrong(&self, at: usize, of_name: usize) -> Option<u64> {
        let end = (at + of_name).min(self.wrong.len().checked_sub(1)?);
        Some(self.no_text.get(end)?.checked_sub(*self.no_text.get(at)?)? + self.wrong.get(end)?)
    }
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
        // A name before the torn word keeps its letters.
        let names = |bytes: &[u8]| bytes.windows(8).filter(|name| name == b"matmul_a").count();
        for at in
            (0..whole.len() / 4 - 16).filter(|at| *at > 40 && whole[4 * at..][..4] == [12, 0, 0, 0])
        {
            for left in 1..4 {
                let mut torn = whole.clone();
                torn.drain(4 * at + left..4 * at + 4);
                let mended = mend(chip, &torn).map(|(_, _, mended)| names(&mended));
                assert_eq!(mended, Some(names(&whole)), "{at}: {left} bytes left");
            }
        }
        let mut cut = whole.clone();
        cut.truncate(whole.len() - 2);
        assert!(mend(chip, &cut).is_none());
    }
}
