//! The words of a damaged DYN_DATA block, as the block of another core has them.
//!
//! Cores that run the same kernels are sent the same words, but for the ports that their CDMA commands go to. Where the words of
//! two cores differ in one short stretch only, and one of them is damaged, the other says what was there:
//!
//! ```text
//!   own     FUNC a  1 2 3  END │             │ FUNC c  1 2  END
//!   other   FUNC a  1 2 3  END │ FUNC b  1 2 │ FUNC c  1 2  END
//! ```
//!
//! Whether it does is decided by the records: see [`mend_words`].

use std::ops::Range;

use bigtpu_chip::{Chip, Engine};
use bigtpu_format::{Block, BlockKind, DynNode, Word, WordKind, Words, is_old_dyn_data};
use bigtpu_messages::{Arg, message};
use foldhash::HashSet;

use crate::borrowed_words::BorrowedWords;
use crate::join::Cores;
use crate::join::JoinedCore;
use crate::ledger::{Counts, Notes};
use crate::printable::{printable, short_name};
use crate::quality::{Quality, mark};
use crate::source_file::SourceFile;

/// Blocks that have fewer words in common say nothing about each other.
const FEWEST_EQUAL: usize = 24;
/// A longer stretch is no damage, but another program.
const MOST_WORDS: usize = 64;
const WORD_BYTES: usize = 4;

/// Where a word has the port that its launch sends over.
const PORT_SHIFT: u32 = 28;
const WITHOUT_PORT: u32 = (1 << PORT_SHIFT) - 1;

/// Whether two words are the same, whatever port their launch sends over: it is in the commands of all engines.
fn is_same(own: u32, other: u32) -> bool {
    own == other
        || (own & WITHOUT_PORT == other & WITHOUT_PORT
            && may_have_port(own)
            && may_have_port(other))
}

fn may_have_port(word: u32) -> bool {
    matches!(Word(word).kind(), WordKind::NodeSet | WordKind::IdReset)
}

/// The port that a word is for.
fn port_of(chip: &Chip, word: u32) -> Option<u32> {
    let is_of_port = may_have_port(word) && chip.engine(Word(word).engine()) == Some(Engine::Cdma);
    is_of_port.then_some(word >> PORT_SHIFT)
}

/// The ports that two cores' words are for, of those words before a place that are the same but for the port.
struct Ports {
    /// Port of the core for the words of CDMA commands, as far as they say it.
    of_cdma: Option<u32>,
    /// Port in the last words of other engines, by whether the other core's word has no port bits.
    last: [Option<u32>; 2],
}

impl Ports {
    fn read(chip: &Chip, pairs: impl Iterator<Item = (u32, u32)>) -> Self {
        let mut ports = Self { of_cdma: None, last: [None; 2] };
        for (own, other) in pairs.filter(|(own, _)| may_have_port(*own)) {
            match port_of(chip, own) {
                Some(port) => ports.of_cdma = Some(port),
                None => ports.last[usize::from(other >> PORT_SHIFT == 0)] = Some(own >> PORT_SHIFT),
            }
        }
        ports
    }

    /// A word of the other core for this core's port.
    fn word(&self, chip: &Chip, other: u32) -> u32 {
        let port = match port_of(chip, other) {
            _ if !may_have_port(other) => None,
            Some(_) => self.of_cdma,
            None => self.last[usize::from(other >> PORT_SHIFT == 0)],
        };
        port.map_or(other, |port| other & WITHOUT_PORT | port << PORT_SHIFT)
    }
}

fn words(content: &[u8]) -> impl DoubleEndedIterator<Item = u32> + ExactSizeIterator {
    content.as_chunks::<WORD_BYTES>().0.iter().map(|bytes| u32::from_le_bytes(*bytes))
}

impl BorrowedWords {
    /// `own` with what `other` has where the two differ; `None` where they differ in more than a stretch, or not at all.
    pub(crate) fn find(chip: &Chip, own: &[u8], (core, other): (u32, &[u8])) -> Option<Self> {
        if is_old_dyn_data(own) || is_old_dyn_data(other) || !other.len().is_multiple_of(WORD_BYTES)
        {
            return None;
        }
        // Bytes behind a torn word count from the end.
        let from_end = own.get(own.len() % WORD_BYTES..)?;
        let same = |pair: &(u32, u32)| is_same(pair.0, pair.1);
        let front = words(own).zip(words(other)).take_while(same).count();
        let shorter = own.len().min(other.len()) / WORD_BYTES;
        let behind = words(from_end).rev().zip(words(other).rev());
        let back = behind.take(shorter - front).take_while(same).count();
        let (start, end) = (front * WORD_BYTES, other.len() - back * WORD_BYTES);
        let own_end = own.len() - back * WORD_BYTES;
        let most = MOST_WORDS * WORD_BYTES;
        if front + back < FEWEST_EQUAL || end - start > most || own_end - start > most {
            return None;
        }
        if own_end == start && end == start {
            return None;
        }
        let pairs = words(own.get(..start)?).zip(words(other));
        let behind = words(own.get(own_end..)?).zip(words(other.get(end..)?));
        let mut ports = Ports::read(chip, pairs);
        ports.of_cdma = ports.of_cdma.or_else(|| Ports::read(chip, behind).of_cdma);
        let mut content = own.get(..start)?.to_vec();
        let stretch = words(other.get(start..end)?);
        content.extend(stretch.flat_map(|word| ports.word(chip, word).to_le_bytes()));
        content.extend(own.get(own_end..)?);
        let scopes = scopes(&content, &(start..end));
        let names = name_around(own, &(start..own_end)).zip(name_around(&content, &(start..end)));
        let (stretch, own_bytes) = (start..end, own_end - start);
        Some(Self { content, core, stretch, own_bytes, scopes, names: names.map(Into::into) })
    }

    /// Notes what was taken from the other core. `offset`: where the block's content starts in the file.
    pub(crate) fn tell(&self, offset: u64, notes: &mut Notes) {
        let words = self.stretch.len().max(self.own_bytes).div_ceil(WORD_BYTES);
        let core = Arg::Number(self.core.into());
        let message = match &self.names {
            Some([own, other]) => {
                message!(
                    "note-name-borrowed",
                    own = own.as_str(),
                    other = other.as_str(),
                    core = core
                )
            }
            None => message!("note-words-borrowed", words = words, core = core),
        };
        notes.loss(offset + self.stretch.start as u64, self.own_bytes as u64, message);
    }
}

/// The name of the kernel that a stretch of a block is part of, as notes show it.
fn name_around(content: &[u8], stretch: &Range<usize>) -> Option<String> {
    let mut nodes = Words::new(content).peekable();
    while let Some((at, node)) = nodes.next() {
        let end = nodes.peek().map_or(content.len(), |(next, _)| *next);
        if end < stretch.end {
            continue;
        }
        return match node {
            DynNode::Func(name) | DynNode::OddFunc { text: name, .. } if at < stretch.start => {
                Some(printable(short_name(&name)).into_owned())
            }
            _ => None,
        };
    }
    None
}

/// Whether two cores were sent the same words, whatever their ports are.
pub(crate) fn are_same_words(own: &[u8], other: &[u8]) -> bool {
    own.len() == other.len() && words(own).zip(words(other)).all(|(a, b)| is_same(a, b))
}

/// The launches that a stretch of a block touches.
fn scopes(content: &[u8], stretch: &Range<usize>) -> HashSet<u32> {
    let mut scopes = HashSet::default();
    let mut begun = 0_u32;
    let mut nodes = Words::new(content).peekable();
    while let Some((at, node)) = nodes.next() {
        begun += u32::from(matches!(node, DynNode::Func(_) | DynNode::OddFunc { .. }));
        let end = nodes.peek().map_or(content.len(), |(next, _)| *next);
        // A kernel's end that was lost concerns the kernel as well.
        if at <= stretch.end && end > stretch.start {
            scopes.extend(begun.checked_sub(1));
        }
    }
    scopes
}

/// The only DYN_DATA block of a file.
pub(crate) fn block_of(file: &SourceFile) -> Option<Block<'_>> {
    let mut notes = Notes::new(&file.path, file.bytes().len());
    let blocks = file.blocks(&mut notes);
    let mut own = blocks.into_iter().filter(|block| block.kind == BlockKind::DynData);
    own.next().filter(|_| own.next().is_none())
}

impl JoinedCore<'_> {
    /// Records without a command or a kernel, those that are left out, and commands without a record.
    fn unexplained(&self) -> u64 {
        let has_kernels = self.tags.tags.iter().any(|tag| tag.kernel.is_some());
        let of_engine = |clean: &crate::monitor::Clean<'_>| {
            let events = &clean.events;
            let is_open = |(binding, tag): (&crate::binding::Binding, &u32)| {
                let tag = self.tags.tags.get(*tag as usize);
                let has_no_kernel = has_kernels && tag.is_none_or(|tag| tag.kernel.is_none());
                !binding.is_bound() || binding.is_undecodable() || has_no_kernel
            };
            events.binding.iter().zip(&events.tag).filter(|pair| is_open(*pair)).count() as u64
        };
        let events: u64 = self.monitors.iter().map(of_engine).sum();
        let marked: usize = self.monitors.iter().map(|clean| clean.events.marks.len()).sum();
        let of_counts = |counts: &Counts| counts.unseen + counts.lost + counts.trimmed;
        events + marked as u64 + self.counts.iter().map(of_counts).sum::<u64>()
    }

    /// Marks the records of launches.
    pub(crate) fn mark_launches(&mut self, scopes: &HashSet<u32>, quality: Quality) {
        let tags = &self.tags;
        for clean in &mut self.monitors {
            let events = &mut clean.events;
            for (tag, record) in events.tag.iter().zip(&events.record) {
                if tags.scope(*tag).is_some_and(|scope| scopes.contains(&scope)) {
                    mark(&mut events.marks, *record, quality);
                }
            }
        }
    }
}

/// Joins the cores whose words are damaged once more, with those of another core in the place of the damage, and keeps what explains
/// more of their records. `join`: of a file, with other words than its own. Returns which of the cores that are.
pub(crate) fn mend_words<'d>(
    chip: &Chip,
    files: &'d [SourceFile],
    cores: &mut Cores<'d>,
    join: impl Fn(&'d SourceFile, &BorrowedWords) -> JoinedCore<'d>,
) -> HashSet<usize> {
    let mut mended = HashSet::default();
    let is_odd = |core: &JoinedCore<'_>| core.notes.has_loss() || core.unexplained() > 0;
    if cores.len() < 2 || !cores.iter().any(|(_, core)| is_odd(core)) {
        return mended;
    }
    let blocks: Vec<Option<Block<'_>>> = files.iter().map(block_of).collect();
    for at in 0..cores.len() {
        let (Some((_, core)), Some(Some(own))) = (cores.get(at), blocks.get(at)) else { continue };
        if !is_odd(core) {
            continue;
        }
        let others = files.iter().zip(&blocks).enumerate().filter(|(other, _)| *other != at);
        let found = others.filter_map(|(_, (file, block))| {
            let other = (file.index, block.as_ref()?.content);
            BorrowedWords::find(chip, own.content, other)
        });
        let Some(borrowed) = found.min_by_key(|found| found.stretch.len() + found.own_bytes) else {
            continue;
        };
        let Some(file) = files.get(at) else { continue };
        let mut again = join(file, &borrowed);
        if again.unexplained() < core.unexplained() {
            again.mark_launches(&borrowed.scopes, Quality::Repaired);
            mended.insert(at);
            if let Some((_, core)) = cores.get_mut(at) {
                *core = again;
            }
        }
    }
    mended
}

#[cfg(test)]
mod tests {
    use bigtpu_chip::chips;

    use super::*;

    fn aks() -> &'static Chip {
        chips().iter().find(|chip| chip.name == "AKS").unwrap()
    }

    /// Launches of a few commands each; every third one sends over a port.
    fn block(port: u32) -> Vec<u8> {
        let mut words: Vec<u32> = Vec::new();
        for launch in 0..12u32 {
            words.extend([4 << 7, u32::from_le_bytes(*b"norm"), 12, 12 | 1 << 7]);
            words.extend((0..6 + launch % 4).map(|i| 1 | (i & 1) << 7 | (launch % 5) << 10));
            if launch % 3 == 0 {
                words.push(1 | 4 << 7 | 7 << 10 | port << 28);
            }
            words.push(15);
        }
        words.into_iter().flat_map(u32::to_le_bytes).collect()
    }

    #[test]
    fn equal_words_and_those_of_another_port_need_no_mending() {
        assert_eq!(BorrowedWords::find(aks(), &block(0), (1, &block(0))), None);
        assert_eq!(BorrowedWords::find(aks(), &block(0), (1, &block(3))), None);
    }

    #[test]
    fn lost_changed_and_torn_words_come_back_with_the_own_port() {
        let (whole, other) = (block(2), block(5));
        for at in (40..whole.len() - 80).step_by(4) {
            for bytes in [1, 3, 4, 8, 40] {
                let mut damaged = whole.clone();
                damaged.drain(at..at + bytes);
                let mended = BorrowedWords::find(aks(), &damaged, (1, &other)).unwrap();
                assert_eq!(mended.content, whole, "{bytes} bytes at {at}");
                assert!(!mended.scopes.is_empty() && mended.scopes.len() <= 3);
            }
            let mut damaged = whole.clone();
            damaged[at] ^= 0x40;
            let mended = BorrowedWords::find(aks(), &damaged, (1, &other)).unwrap();
            assert_eq!((mended.content, mended.own_bytes), (whole.clone(), 4), "{at}");
        }
    }

    #[test]
    fn another_program_says_nothing() {
        let own = block(0);
        let mut other = own.clone();
        for at in (0..other.len()).step_by(400) {
            other[at + 1] ^= 0x10;
        }
        assert_eq!(BorrowedWords::find(aks(), &own, (1, &other)), None);
        assert_eq!(BorrowedWords::find(aks(), &own, (1, &own[..64])), None);
    }
}
