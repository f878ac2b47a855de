//! What a word is part of: the name of a kernel, a batch, or the operation of a command; and which of two such parts is right.

use bigtpu_chip::{Chip, Engine, Family};
use bigtpu_format::{DynNode, Word, Words};
use foldhash::HashSet;

use super::right::Right;
use crate::kernel_words::letters_of_known_words;

/// What a word is part of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Part {
    Name(String),
    /// A batch's number, and those before and behind it.
    Batch {
        number: u32,
        before: Option<u32>,
        behind: Option<u32>,
    },
    Operation,
}

/// Bits of a command's word above the operation: what they say differs between cores.
const INFO_SHIFT: u32 = 20;
/// On CV84X6 they say the operation of a command of the tensor front end.
const RVT_BITS: u32 = 31;

/// Bits of a command's word that are its operation.
fn operation_bits(chip: &Chip, rvt: bool) -> u32 {
    if rvt && chip.family == Family::Cv84x6 { RVT_BITS } else { INFO_SHIFT }
}

impl Part {
    /// Returns what the word at `place`, of which a bit differs, is part of; `None` where cores may differ.
    pub(super) fn find(chip: &Chip, content: &[u8], place: usize, bit: u32) -> Option<Self> {
        let (mut before, mut found) = (None, None);
        // Where the last kernel's name ends, as its length says: a changed letter may make a word of its last ones.
        let mut name_end = 0;
        for (at, node) in Words::new(content) {
            if at > place {
                let Some(Self::Batch { behind, .. }) = &mut found else { break };
                if let DynNode::Batch(number) = node {
                    *behind = Some(number);
                    break;
                }
                continue;
            }
            if at < name_end {
                continue;
            }
            found = match node {
                DynNode::Func(name) | DynNode::OddFunc { text: name, .. } if at < place => {
                    name_end = at + 4 + length_of_name(content, at);
                    Some(Self::Name(name.into_owned()))
                }
                DynNode::Batch(number) => {
                    let batch = Self::Batch { number, before, behind: None };
                    before = Some(number);
                    Some(batch)
                }
                DynNode::Command { rvt, word } if bit < operation_bits(chip, rvt) => {
                    let engine = chip.engine(word.engine()).unwrap_or(Engine::Tiu);
                    (!chip.is_system(engine, word.task())).then_some(Self::Operation)
                }
                _ => None,
            };
        }
        found
    }

    /// Whether a block of so many words may have this batch between its neighbours.
    pub(super) fn may_be_batch(&self, words: usize) -> bool {
        let Self::Batch { number, before, behind } = self else { return false };
        // Each batch takes a word at least.
        let most = before.unwrap_or(0).saturating_add(u32::try_from(words).unwrap_or(u32::MAX));
        (before.unwrap_or(0)..=behind.unwrap_or(most).min(most)).contains(number)
    }

    /// Which of two parts is right, as far as the words around them say.
    pub(super) fn compare(&self, other: &Self, own_words: &[u8], other_words: &[u8]) -> Right {
        let (own, other) = match (self, other) {
            (Self::Name(own), Self::Name(other)) => {
                let all = || Words::new(own_words).chain(Words::new(other_words));
                let is_known = |name: &str| {
                    all().filter(|(_, node)| matches!(node, DynNode::Func(n) if n == name)).count()
                        > 1
                };
                let others: HashSet<_> = all()
                    .filter_map(|(_, node)| match node {
                        DynNode::Func(name) if name != *own && name != *other => Some(name),
                        _ => None,
                    })
                    .collect();
                // A changed letter makes pairs of letters that the run's other names do not have, or is one that none of them has, or
                // a capital or a digit where none of them has any.
                let pairs: HashSet<[u8; 2]> =
                    others.iter().flat_map(|name| letter_pairs(name)).collect();
                let letters: HashSet<u8> =
                    others.iter().flat_map(|name| name.bytes()).map(small).collect();
                let shapes: HashSet<[Letter; 2]> =
                    others.iter().flat_map(|name| letter_shapes(name)).collect();
                let likeness = |name: &str| {
                    let familiar = letter_pairs(name).filter(|pair| pairs.contains(pair)).count();
                    let known = name.bytes().filter(|byte| letters.contains(&small(*byte))).count();
                    let usual = letter_shapes(name).filter(|shape| shapes.contains(shape)).count();
                    (familiar, known, usual)
                };
                let rank = |name: &str| {
                    let is_text = name.chars().all(|c| c.is_ascii_graphic());
                    let is_identifier = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
                    let words = letters_of_known_words(name);
                    (is_text, is_identifier, is_known(name), words, likeness(name))
                };
                let ranks = [rank(own), rank(other)];
                (ranks[0] >= ranks[1], ranks[1] >= ranks[0])
            }
            (own @ Self::Batch { .. }, other @ Self::Batch { .. }) => {
                let words = own_words.len() / 4;
                (own.may_be_batch(words), other.may_be_batch(words))
            }
            _ => (true, true),
        };
        match (own, other) {
            (true, false) => Right::Own,
            (false, true) => Right::Other,
            _ => Right::Unknown,
        }
    }
}

/// Bytes of the name of the kernel whose word is at `place`, as this word says.
fn length_of_name(content: &[u8], place: usize) -> usize {
    let word = content.get(place..).and_then(|rest| rest.first_chunk::<4>());
    word.map_or(0, |word| Word(u32::from_le_bytes(*word)).payload() as usize)
}

/// What a letter of a name is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Letter {
    Small,
    Capital,
    Digit,
    Other,
}

impl Letter {
    fn of_byte(byte: u8) -> Self {
        match byte {
            b'a'..=b'z' => Self::Small,
            b'A'..=b'Z' => Self::Capital,
            b'0'..=b'9' => Self::Digit,
            _ => Self::Other,
        }
    }
}

/// Each letter of a name with the next one, whether or not they are capitals.
fn letter_pairs(name: &str) -> impl Iterator<Item = [u8; 2]> + '_ {
    name.as_bytes().windows(2).filter_map(|pair| Some(<[u8; 2]>::try_from(pair).ok()?.map(small)))
}

/// What each letter of a name and the one before it are.
fn letter_shapes(name: &str) -> impl Iterator<Item = [Letter; 2]> + '_ {
    let before = std::iter::once(b'_').chain(name.bytes());
    before.zip(name.bytes()).map(|(before, letter)| [before, letter].map(Letter::of_byte))
}

fn small(letter: u8) -> u8 {
    letter.to_ascii_lowercase()
}
