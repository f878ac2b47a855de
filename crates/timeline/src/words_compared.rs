//! Cores that were sent the same words but for one bit, or for the word that begins a batch.
//!
//! Records show whether a command was lost or is another one. They do not show a wrong kernel's name, batch or, where a word is all
//! that is known of a command, operation. The words of other cores do: where two cores were sent the same words but for a bit of one
//! of these, it is damaged in one of the two. More cores, or the rest of the words, may say in which; else both are doubtful.

mod part;

use std::cmp::Ordering;

use bigtpu_chip::Chip;
use bigtpu_format::{Block, DynNode, Word, Words};
use bigtpu_messages::{Arg, Message, message};
use foldhash::HashSet;

use crate::borrowed_words::BorrowedWords;
use crate::join::Cores;
use crate::join::JoinedCore;
use crate::quality::Quality;
use crate::source_file::SourceFile;
use crate::torn_word::is_plausible;
use crate::words_of_others::{are_same_words, block_of};
use part::Part;

/// Which of two cores has the right word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Right {
    Own,
    Other,
    Unknown,
}

/// Two cores whose words differ by a bit, or by a word.
struct Difference {
    /// The second core's words in the place of the first one's.
    borrowed: BorrowedWords,
    right: Right,
}

impl Difference {
    /// `None` where they do not, or where cores may differ there. `others`: the words of all other cores.
    fn find<'a>(
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
fn are_exchanged(own: &[u8], borrowed: &BorrowedWords) -> bool {
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

/// Compares the words of each core with those of the next one, but for `mended` ones: a bit that is wrong is put right, and told where it
/// is not known which of the two it is. `join`: of a file, with other words than its own.
pub(crate) fn compare_words<'d>(
    chip: &Chip,
    files: &'d [SourceFile],
    cores: &mut Cores<'d>,
    mended: &HashSet<usize>,
    join: impl Fn(&'d SourceFile, &BorrowedWords) -> JoinedCore<'d>,
) {
    if cores.len() < 2 {
        return;
    }
    let blocks: Vec<Option<Block<'_>>> = files.iter().map(block_of).collect();
    let content = |at: usize| Some(blocks.get(at)?.as_ref()?.content);
    let pairs = match cores.len() {
        2 => 1,
        n => n,
    };
    let mut settled = mended.clone();
    for at in 0..pairs {
        let is_torn = |at: usize| content(at).is_some_and(|words| !words.len().is_multiple_of(4));
        let (at, next) = match (at, (at + 1) % cores.len()) {
            (at, next) if is_torn(next) => (next, at),
            pair => pair,
        };
        let (Some(own), Some(other)) = (content(at), content(next)) else { continue };
        if mended.contains(&at) || mended.contains(&next) || own == other {
            continue;
        }
        let others = || (0..cores.len()).filter(|i| *i != at && *i != next).filter_map(content);
        let number = |at: usize| files.get(at).map_or(0, |file| file.index);
        let Some(found) =
            Difference::find(chip, (number(at), own), (number(next), other), others())
        else {
            continue;
        };
        let (wrong, borrowed) = match found.right {
            Right::Other => (at, Some(found.borrowed)),
            Right::Own => (next, BorrowedWords::find(chip, other, (number(at), own))),
            Right::Unknown => {
                let message = message_of_open(own, &found.borrowed);
                tell_open(cores, (at, next), message, &blocks, &found.borrowed);
                continue;
            }
        };
        let (Some(borrowed), Some(file)) = (borrowed, files.get(wrong)) else { continue };
        if let (true, Some((_, core))) = (settled.insert(wrong), cores.get_mut(wrong)) {
            *core = join(file, &borrowed);
            core.mark_launches(&borrowed.scopes, Quality::Repaired);
        }
    }
}

/// What is told of a difference of which it is not known in which of two cores it is wrong.
fn message_of_open(own: &[u8], borrowed: &BorrowedWords) -> Message {
    let core = Arg::Number(borrowed.core.into());
    match &borrowed.names {
        Some([own, other]) => {
            message!("note-names-differ", own = own.as_str(), other = other.as_str(), core = core)
        }
        None if are_exchanged(own, borrowed) => message!("note-words-exchanged", core = core),
        None => message!("note-words-differ", core = core),
    }
}

/// Tells a difference of which it is not known in which of two cores it is wrong.
fn tell_open(
    cores: &mut Cores<'_>,
    (at, next): (usize, usize),
    message: Message,
    blocks: &[Option<Block<'_>>],
    borrowed: &BorrowedWords,
) {
    let offset = blocks.get(at).and_then(|block| block.as_ref().map(|block| block.offset));
    let byte = offset.map(|offset| offset + borrowed.stretch.start as u64);
    if let Some((_, core)) = cores.get_mut(at) {
        core.notes.loss_anywhere(byte, message);
    }
    for core in [at, next] {
        if let Some((_, core)) = cores.get_mut(core) {
            core.mark_launches(&borrowed.scopes, Quality::Doubtful);
        }
    }
}

#[cfg(test)]
mod tests {
    use bigtpu_chip::chips;

    use super::*;

    fn aks() -> &'static Chip {
        chips().iter().find(|chip| chip.name == "AKS").unwrap()
    }

    /// Launches of two kernels in turn, in four batches.
    fn block() -> Vec<u8> {
        let mut words: Vec<u32> = Vec::new();
        for launch in 0..12u32 {
            if launch % 3 == 0 {
                words.push(14 | (launch / 3) << 7);
            }
            let name = [*b"norm", *b"silu"][launch as usize % 2];
            words.extend([4 << 7, u32::from_le_bytes(name), 12, 12 | 1 << 7]);
            words.extend((0..6).map(|i| 1 | (i & 1) << 7 | (launch % 5) << 10));
            words.push(15);
        }
        words.into_iter().flat_map(u32::to_le_bytes).collect()
    }

    /// What is right where the first core's bit is changed.
    fn right(word: usize, bit: usize, others: &[Vec<u8>]) -> Option<Right> {
        let (whole, mut own) = (block(), block());
        own[4 * word + bit / 8] ^= 1 << (bit % 8);
        let others = others.iter().map(Vec::as_slice);
        Difference::find(aks(), (0, &own), (1, &whole), others).map(|found| found.right)
    }

    #[test]
    fn equal_words_do_not_differ() {
        assert!(
            Difference::find(aks(), (0, &block()), (1, &block()), std::iter::empty()).is_none()
        );
    }

    #[test]
    fn a_bit_of_a_name_or_a_batch_is_that_of_the_others() {
        // The second word is the first batch's kernel, whose name stands elsewhere as well.
        assert_eq!(right(2, 0, &[]), Some(Right::Other));
        assert_eq!(right(2, 0, &[block()]), Some(Right::Other));
        // A batch with a number that no block has so many words for.
        assert_eq!(right(0, 30, &[]), Some(Right::Other));
        // The word that begins the first batch becomes one that means nothing.
        assert_eq!(right(0, 4, &[]), Some(Right::Other));
    }

    /// A bit makes a batch's word of the word that restarts the transfers' ids: no batch has such a number.
    #[test]
    fn a_restart_of_ids_is_no_batch() {
        // The words of the second launch: its kernel, its name, both restarts.
        let restart = 1 + 4 + 6 + 1 + 3;
        assert_eq!(right(restart, 1, &[]), Some(Right::Other));
        let mut own = block();
        own[4 * restart] ^= 2;
        let found = Difference::find(aks(), (0, &block()), (1, &own), std::iter::empty());
        assert_eq!(found.map(|found| found.right), Some(Right::Own));
    }

    #[test]
    fn a_name_of_known_words_is_right() {
        let compare = |own: &str, other: &str| {
            Part::Name(own.into()).compare(&Part::Name(other.into()), &[], &[])
        };
        assert_eq!(compare("conv_relu", "cofv_relu"), Right::Own);
        assert_eq!(compare("flash_attenvion", "flash_attention"), Right::Other);
        assert_eq!(compare("all_reduce", "a|l_reduce"), Right::Own);
        assert_eq!(compare("silu_mul", "siluWmul"), Right::Own);
        assert_eq!(compare("matmul]down", "matmul_down"), Right::Other);
        assert_eq!(compare("frobnicate", "frobnicade"), Right::Unknown);
    }

    #[test]
    fn a_name_with_the_letters_of_the_other_names_is_right() {
        // Launches of the kernels `norm` and `silu`.
        let words = block();
        let compare = |own: &str, other: &str| {
            Part::Name(own.into()).compare(&Part::Name(other.into()), &words, &words)
        };
        assert_eq!(compare("dorm", "Dorm"), Right::Own);
        assert_eq!(compare("rough", "rouGh"), Right::Own);
        assert_eq!(compare("norm_fad", "norm_fag"), Right::Unknown);
        assert_eq!(compare("snor", "sNor"), Right::Own);
        assert_eq!(compare("simu", "silu_"), Right::Other);
    }

    #[test]
    fn a_lost_word_of_a_batch_is_that_of_the_others() {
        let whole = block();
        let mut own = whole.clone();
        own.drain(..4);
        let compare = |own: &[u8], other: &[u8]| {
            let found = Difference::find(aks(), (0, own), (1, other), std::iter::empty()).unwrap();
            (found.right, found.borrowed.scopes)
        };
        let of_batch = HashSet::from_iter([0, 1, 2]);
        assert_eq!(compare(&own, &whole), (Right::Other, of_batch.clone()));
        assert_eq!(compare(&whole, &own), (Right::Own, of_batch));
        let mut torn = whole.clone();
        torn.drain(1..4);
        assert_eq!(compare(&torn, &whole), (Right::Other, HashSet::from_iter([0, 1, 2])));
        let mut doubled = whole.clone();
        doubled.splice(0..0, whole[..4].to_vec());
        assert_eq!(compare(&doubled, &whole).0, Right::Other);
    }

    #[test]
    fn exchanged_words_are_those_of_most_cores() {
        let (whole, mut own) = (block(), block());
        own[4 * 7..4 * 9].rotate_left(4);
        let find = |others: &[Vec<u8>]| {
            let others = others.iter().map(Vec::as_slice);
            Difference::find(aks(), (0, &own), (1, &whole), others).map(|found| found.right)
        };
        assert_eq!(find(&[]), Some(Right::Unknown));
        assert_eq!(find(&[block()]), Some(Right::Other));
    }

    #[test]
    fn an_operation_is_that_of_most_cores() {
        assert_eq!(right(7, 10, &[]), Some(Right::Unknown));
        assert_eq!(right(7, 10, &[block()]), Some(Right::Other));
    }

    /// The run's other names say which of capitals and small letters is right; the note has both names.
    #[test]
    fn a_capital_that_no_other_name_has_is_wrong() {
        let names = [*b"matmul_down\0", *b"all_reduce\0\0", *b"add_rms_norm"];
        let words = (0..12).flat_map(|launch| {
            let name: &[u8] = if launch == 5 { &names[0] } else { &names[1 + launch % 2] };
            let name = name.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word));
            std::iter::once(12 << 7).chain(name).chain([12, 1, 1, 15])
        });
        let whole: Vec<u8> = words.flat_map(u32::to_le_bytes).collect();
        let mut own = whole.clone();
        let place = whole.windows(6).position(|window| window == b"l_down").unwrap() + 2;
        own[place] ^= 0x20;
        let found = Difference::find(aks(), (0, &own), (1, &whole), std::iter::empty()).unwrap();
        assert_eq!(found.right, Right::Other);
        let names = ["matmul_Down", "matmul_down"].map(str::to_owned);
        assert_eq!(found.borrowed.names, Some(names));
    }

    /// Wherever a bit of a letter is wrong, the name is that of the other core; only two that are both made of usual words are not known.
    #[test]
    fn a_bit_of_any_letter_is_that_of_the_others() {
        const STYLES: [&[&str]; 3] = [
            &[
                "rms_norm",
                "matmul_qkv",
                "rope",
                "flash_attention",
                "matmul_o",
                "all_reduce",
                "add_rms_norm",
                "matmul_gate_up",
                "silu_mul",
                "matmul_down",
                "conv_relu",
            ],
            &[
                "matmul_multi_core",
                "rmsnorm_forward_multi_core",
                "softmax_forward_multi_core",
                "conv2d_forward_multi_core",
                "embedding_multi_core",
                "c2c_all_reduce",
            ],
            &[
                "tpu_kernel_api_rmsNorm",
                "tpu_kernel_api_matMul",
                "tpu_kernel_api_ropeFast",
                "tpu_kernel_api_addBias",
                "tpu_kernel_api_softMax",
                "tpu_kernel_api_layerNorm",
            ],
        ];
        for names in STYLES {
            let mut words: Vec<u32> = Vec::new();
            let mut letters = Vec::new();
            for name in names {
                words.push((name.len() as u32) << 7);
                letters.extend((0..name.len()).map(|letter| 4 * words.len() + letter));
                let mut bytes = name.as_bytes().to_vec();
                bytes.resize(name.len().next_multiple_of(4), 0);
                words.extend(bytes.as_chunks::<4>().0.iter().map(|b| u32::from_le_bytes(*b)));
                words.extend([12, 12 | 1 << 7, 1, 1, 1 | 1 << 7, 15]);
            }
            let whole: Vec<u8> = words.into_iter().flat_map(u32::to_le_bytes).collect();
            let mut unknown = 0;
            for (byte, bit) in letters.iter().flat_map(|byte| (0..7).map(move |bit| (*byte, bit))) {
                let mut own = whole.clone();
                own[byte] ^= 1 << bit;
                let found =
                    Difference::find(aks(), (0, &own), (1, &whole), std::iter::empty()).unwrap();
                let names = found.borrowed.names;
                assert_ne!(found.right, Right::Own, "{names:?}");
                unknown += usize::from(found.right == Right::Unknown);
            }
            assert!(unknown * 100 <= 7 * letters.len(), "{unknown} are not known");
        }
    }

    /// A long name is several words: whichever of them has a wrong bit, the launch is that of the name.
    #[test]
    fn a_bit_of_a_long_name_is_of_its_launch() {
        let first: [u32; 5] = [12 << 7, 0x5f64_6461, 0x5f73_6d72, 0x6d72_6f6e, 12];
        let launches = std::iter::repeat_n([4 << 7, 0x6d72_6f6e, 12, 1, 1, 15], 12).flatten();
        let words = first.into_iter().chain([1, 1, 15]).chain(launches);
        let whole: Vec<u8> = words.flat_map(u32::to_le_bytes).collect();
        for byte in 4..16 {
            let mut own = whole.clone();
            own[byte] ^= 4;
            let found = Difference::find(aks(), (0, &own), (1, &whole), std::iter::empty());
            let scopes = found.map(|found| found.borrowed.scopes);
            assert_eq!(scopes, Some(HashSet::from_iter([0])), "byte {byte}");
        }
    }

    /// The end of a kernel becomes a word that takes the next kernel's with it, or one that means nothing.
    #[test]
    fn a_wrong_end_of_a_kernel_is_that_of_the_others() {
        // The first batch, its kernel of a word and a name, both restarts, six commands.
        let end = 1 + 2 + 2 + 6;
        for bit in [0, 1, 2, 3, 4, 5, 6] {
            assert_eq!(right(end, bit, &[]), Some(Right::Other), "bit {bit}");
        }
    }

    /// A bit may end a name, or make a word of its last letters: it is that of the other core.
    #[test]
    fn a_bit_that_makes_a_word_of_letters_is_that_of_the_others() {
        let first: [u32; 5] = [11 << 7, 0x6d74_616d, 0x645f_6c75, 0x006e_776f, 12];
        let launches = std::iter::repeat_n([4 << 7, 0x6d72_6f6e, 12, 1, 1, 15], 12).flatten();
        let words = first.into_iter().chain([1, 1, 15]).chain(launches);
        let whole: Vec<u8> = words.flat_map(u32::to_le_bytes).collect();
        for (byte, bit) in (4..15).flat_map(|byte| (0..8).map(move |bit| (byte, bit))) {
            let mut own = whole.clone();
            own[byte] ^= 1 << bit;
            let found = Difference::find(aks(), (0, &own), (1, &whole), std::iter::empty());
            assert!(found.is_some(), "byte {byte}, bit {bit}");
            let letter = own[byte];
            if !letter.is_ascii_alphanumeric() && letter != b'_' {
                let right = found.map(|found| found.right);
                assert_eq!(right, Some(Right::Other), "byte {byte}, bit {bit}");
            }
        }
    }

    #[test]
    fn numbers_in_names_and_what_a_command_tells_may_differ() {
        let numbered = |core: u8| {
            let mut words = block();
            words[8..12].copy_from_slice(&[b'n', b'o', b'0' + core, b'm']);
            words
        };
        let (own, other) = (numbered(0), numbered(1));
        assert!(Difference::find(aks(), (0, &own), (1, &other), std::iter::empty()).is_none());
        assert_eq!(right(7, 22, &[]), None);
    }
}
