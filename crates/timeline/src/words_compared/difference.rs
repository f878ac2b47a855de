//! Where the words of two cores differ, and which of the two is right.

use std::cmp::Ordering;

use bigtpu_chip::Chip;
use bigtpu_format::{DynNode, Word, Words};
use foldhash::HashSet;

use super::part::Part;
use super::right::Right;
use crate::borrowed_words::BorrowedWords;
use crate::torn_word::is_plausible;
use crate::words_of_others::are_same_words;

/// Two cores whose words differ by a bit, or by a word.
pub(super) struct Difference {
    /// The second core's words in the place of the first one's.
    pub(super) borrowed: BorrowedWords,
    pub(super) right: Right,
}

impl Difference {
    /// `None` where they do not, or where cores may differ there. `others`: the words of all other cores.
    pub(super) fn find<'a>(
        chip: &Chip,
        (own_core, own): (u32, &[u8]),
        (core, other): (u32, &[u8]),
        others: impl Iterator<Item = &'a [u8]>,
    ) -> Option<Self> {
        let mut borrowed = BorrowedWords::find(chip, own, (core, other))?;
        let by_words = right_by_words(chip, (own_core, own), other, &borrowed)?;
        let whole = if by_words == Right::Other { &borrowed.content } else { own };
        borrowed.scopes.extend(launches_of_batch(whole, borrowed.stretch.start));
        let right = Right::by_others(own, other, others).unwrap_or(by_words);
        Some(Self { borrowed, right })
    }
}

/// Which of two cores has the right word, as far as their own words say; `None` where the difference is no damage that is known.
fn right_by_words(
    chip: &Chip,
    (own_core, own): (u32, &[u8]),
    other: &[u8],
    borrowed: &BorrowedWords,
) -> Option<Right> {
    if let Some(right) = batch_that_one_has(own, borrowed) {
        return Some(right);
    }
    if are_exchanged(own, borrowed) {
        return Some(Right::Unknown);
    }
    let place = borrowed.stretch.start;
    let word =
        |content: &[u8]| Some(u32::from_le_bytes(content.get(place..place + 4)?.try_into().ok()?));
    let changed = word(own)? ^ word(&borrowed.content)?;
    let is_one_word = borrowed.stretch.len() == 4 && own.len() == borrowed.content.len();
    if !is_one_word || changed.count_ones() != 1 {
        return None;
    }
    let bit = changed.trailing_zeros();
    let parts = [own, &borrowed.content].map(|content| Part::find(chip, content, place, bit));
    let (own_part, other_part) = match parts {
        // A bit made another word of one that begins a batch, or the other way round.
        [None, Some(batch @ Part::Batch { .. })] => {
            let is_word = is_plausible(chip, Word(word(own)?));
            return Some(Right::of_batch(&batch, own.len() / 4, is_word).swapped());
        }
        [Some(batch @ Part::Batch { .. }), None] => {
            let is_word = is_plausible(chip, Word(word(&borrowed.content)?));
            return Some(Right::of_batch(&batch, own.len() / 4, is_word));
        }
        [Some(own_part), Some(other_part)] => (own_part, other_part),
        _ => return right_by_kinds([own, &borrowed.content], place),
    };
    if let (Part::Name(_), byte) = (&own_part, place + bit as usize / 8) {
        let letters = own.get(byte).zip(borrowed.content.get(byte));
        if letters.is_some_and(|letters| are_numbers_of_cores(letters, (own_core, borrowed.core))) {
            return None;
        }
    }
    Some(own_part.compare(&other_part, own, other))
}

/// Whether the digits by which two cores' names of a kernel differ are the cores' numbers, from 0 or from 1: names may have them.
fn are_numbers_of_cores((own, other): (&u8, &u8), (own_core, other_core): (u32, u32)) -> bool {
    let is_number = |digit: &u8, core: u32| u32::from(*digit) == u32::from(b'0') + core % 10;
    [0, 1]
        .iter()
        .any(|first| is_number(own, own_core + first) && is_number(other, other_core + first))
}

/// Which of two cores' words are in order, where one word is of different kinds: the end of a kernel that is none takes the next kernel's
/// name with it. `None` where it is of one kind.
fn right_by_kinds<'a>(contents: [&'a [u8]; 2], place: usize) -> Option<Right> {
    let kind = |content: &'a [u8]| {
        let (_, node) = Words::new(content).find(|(at, _)| *at == place)?;
        Some(std::mem::discriminant(&node))
    };
    let [own, other] = contents.map(kind);
    if own? == other? {
        return None;
    }
    let [own, other] = contents.map(count_oddities);
    Some(match own.cmp(&other) {
        Ordering::Less => Right::Own,
        Ordering::Greater => Right::Other,
        Ordering::Equal => Right::Unknown,
    })
}

/// Words that mean nothing, and kernels without their end or begin.
fn count_oddities(content: &[u8]) -> usize {
    let mut is_open = false;
    let is_odd = |(_, node): &(usize, DynNode<'_>)| match node {
        DynNode::Func(_) => std::mem::replace(&mut is_open, true),
        DynNode::OddFunc { .. } | DynNode::Unknown(_) | DynNode::Cut(_) => true,
        DynNode::FuncEnd => !std::mem::take(&mut is_open),
        _ => false,
    };
    Words::new(content).filter(is_odd).count()
}

impl Right {
    /// Tells which core is right if a core's word begins a batch and the other core has another word. `is_word`:
    /// whether that one may be right.
    fn of_batch(batch: &Part, words: usize, is_word: bool) -> Self {
        let Part::Batch { number, before, behind } = batch else { return Self::Unknown };
        // A number that its neighbour has as well is no new batch.
        let is_new = ![*before, *behind].contains(&Some(*number));
        let is_next = before.map_or(0, |before| before.saturating_add(1)) == *number;
        match (batch.may_be_batch(words) && is_new, is_word) {
            (true, false) => Self::Own,
            (false, _) => Self::Other,
            (true, true) if is_next => Self::Own,
            (true, true) => Self::Unknown,
        }
    }

    fn swapped(self) -> Self {
        match self {
            Self::Own => Self::Other,
            Self::Other => Self::Own,
            Self::Unknown => Self::Unknown,
        }
    }

    /// The one that most other cores have; `None` where as many have the other one.
    fn by_others<'a>(
        own: &[u8],
        other: &[u8],
        others: impl Iterator<Item = &'a [u8]>,
    ) -> Option<Self> {
        let (mut for_own, mut for_other) = (0, 0);
        for content in others {
            for_own += usize::from(are_same_words(content, own));
            for_other += usize::from(are_same_words(content, other));
        }
        match for_own.cmp(&for_other) {
            Ordering::Greater => Some(Self::Own),
            Ordering::Less => Some(Self::Other),
            Ordering::Equal => None,
        }
    }
}

/// Whether two neighbouring words are in the other order.
pub(super) fn are_exchanged(own: &[u8], borrowed: &BorrowedWords) -> bool {
    let stretch = borrowed.stretch.clone();
    let words = own.get(stretch.clone()).zip(borrowed.content.get(stretch));
    words.is_some_and(|(own, other)| {
        let is_two = borrowed.own_bytes == 8 && own.len() == 8;
        is_two && own.split_at(4) == (other.split_at(4).1, other.split_at(4).0)
    })
}

/// Where the only difference is a word that begins a batch and that one of the two has: which of them is right. Such a word is lost more
/// easily than made; one that repeats the word before it is a copy.
fn batch_that_one_has(own: &[u8], borrowed: &BorrowedWords) -> Option<Right> {
    let (whole, has, has_not) = match (borrowed.own_bytes, borrowed.stretch.len()) {
        // Lost, or torn.
        (0..4, 4) => (&borrowed.content[..], Right::Other, Right::Own),
        (4, 0) => (own, Right::Own, Right::Other),
        _ => return None,
    };
    let mut before = None;
    for (at, node) in Words::new(whole) {
        let number = if let DynNode::Batch(number) = node { Some(number) } else { None };
        if at == borrowed.stretch.start {
            return number.map(|number| if before == Some(number) { has_not } else { has });
        }
        before = number;
    }
    None
}

/// The launches of the batch whose word is at `place`.
fn launches_of_batch(content: &[u8], place: usize) -> HashSet<u32> {
    let mut scopes = HashSet::default();
    let (mut begun, mut is_inside) = (0_u32, false);
    for (at, node) in Words::new(content) {
        match node {
            DynNode::Batch(_) => is_inside = at == place,
            DynNode::Func(_) | DynNode::OddFunc { .. } => {
                if is_inside {
                    scopes.insert(begun);
                }
                begun += 1;
            }
            _ => {}
        }
    }
    scopes
}
