//! DYN_DATA words (section 3): the commands as the firmware dispatched them.
//!
//! ```text
//!   31        20 19    15 14    10 9    7 6     0
//!  +------------+--------+--------+------+-------+
//!  |    info    |  sub   |  type  |engine| kind  |   NODE_SET, RVT_NODE_SET, ID_RESET
//!  +------------+--------+--------+------+-------+
//!  |            payload (25 bits)        | kind  |   FUNC: bytes of the name that follows
//!  +-------------------------------------+-------+   BATCH_IDX: number    DES_*: key
//! ```

use std::borrow::Cow;

/// [`WordKind::NodeSet`]
const NODE_SET: u8 = 1;
/// [`WordKind::RvtNodeSet`]
const RVT_NODE_SET: u8 = 13;

/// Shorter names say too little of whether they are text.
const FEWEST_NAME_BYTES: usize = 32;
/// Where more than one of so many bytes is a control character, they are words: in these, half of the bytes are.
const BYTES_PER_CONTROL: usize = 4;

/// Kinds of words, by bits 0-6.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WordKind {
    /// 0: a kernel's name follows.
    Func,
    /// 1: a command sent through the register interface (PIO), mode tag TDI.
    NodeSet,
    /// 8-11: a cached descriptor stream is dispatched; the engine by number 0 TIU, 1 GDMA, 2 SDMA, 3 CDMA.
    Des(u8),
    /// 12: an engine's ids restart.
    IdReset,
    /// 13: a command of the RISC-V tensor front end, mode tag RVT.
    RvtNodeSet,
    /// 14: number of the batch that follows.
    BatchIdx,
    /// 15: end of the kernel.
    FuncEnd,
    /// 2-7, 100, 127: known and of no use here.
    Skipped,
    /// Any other number.
    Unknown,
}

impl WordKind {
    /// Bits 0-6 of a word of this kind; `None` for those that represent several numbers.
    #[must_use]
    pub fn number(self) -> Option<u8> {
        Some(match self {
            Self::Func => 0,
            Self::NodeSet => NODE_SET,
            Self::Des(engine) => 8 + (engine & 3),
            Self::IdReset => 12,
            Self::RvtNodeSet => RVT_NODE_SET,
            Self::BatchIdx => 14,
            Self::FuncEnd => 15,
            Self::Skipped | Self::Unknown => return None,
        })
    }
}

/// One 32-bit word of DYN_DATA.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Word(pub u32);

impl Word {
    /// A word from its fields, each cut to its width.
    #[must_use]
    pub fn new(kind: u8, engine: u8, task: u8, sub: u8, info: u16) -> Self {
        Self(
            u32::from(kind & 0x7f)
                | u32::from(engine & 7) << 7
                | u32::from(task & 31) << 10
                | u32::from(sub & 31) << 15
                | u32::from(info & 0xfff) << 20,
        )
    }

    /// A word of bits 0-6 and bits 7-31.
    #[must_use]
    pub fn with_payload(kind: u8, payload: u32) -> Self {
        Self(u32::from(kind & 0x7f) | payload << 7)
    }

    /// Bits 0-6 as a number.
    #[must_use]
    #[inline]
    pub fn kind_number(self) -> u8 {
        (self.0 & 0x7f) as u8
    }

    /// Bits 0-6.
    #[must_use]
    #[inline]
    pub fn kind(self) -> WordKind {
        match self.kind_number() {
            0 => WordKind::Func,
            NODE_SET => WordKind::NodeSet,
            n @ 8..=11 => WordKind::Des(n - 8),
            12 => WordKind::IdReset,
            RVT_NODE_SET => WordKind::RvtNodeSet,
            14 => WordKind::BatchIdx,
            15 => WordKind::FuncEnd,
            2..=7 | 100 | 127 => WordKind::Skipped,
            _ => WordKind::Unknown,
        }
    }

    /// Bits 7-9: the engine, numbered by the chip.
    #[must_use]
    #[inline]
    pub fn engine(self) -> u8 {
        (self.0 >> 7 & 7) as u8
    }

    /// Bits 10-14: the command's type.
    #[must_use]
    #[inline]
    pub fn task(self) -> u8 {
        (self.0 >> 10 & 31) as u8
    }

    /// Bits 15-19: the command's sub-type.
    #[must_use]
    #[inline]
    pub fn sub(self) -> u8 {
        (self.0 >> 15 & 31) as u8
    }

    /// Bits 20-31: data type and memories, or port and more.
    #[must_use]
    #[inline]
    pub fn info(self) -> u16 {
        (self.0 >> 20) as u16
    }

    /// Bits 7-31.
    #[must_use]
    #[inline]
    pub fn payload(self) -> u32 {
        self.0 >> 7
    }
}

/// What one or more words say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DynNode<'a> {
    /// NODE_SET or RVT_NODE_SET.
    Command {
        /// An RVT node: it takes no DYN_EXTRA item.
        rvt: bool,
        /// The word.
        word: Word,
    },
    /// A kernel opens, replacing an open one.
    Func(Cow<'a, str>),
    /// A kernel opens, but the length of its name is not that of its text.
    OddFunc {
        /// The name as its text says: up to the first zero, or to the end of its last word.
        text: Cow<'a, str>,
        /// The name as its length says, where both end in the same word: some writers may count the padding, or not clear it.
        counted: Option<Cow<'a, str>>,
    },
    /// The kernel closes.
    FuncEnd,
    /// Batch number of what follows.
    Batch(u32),
    /// The ids of the word's engine restart (CDMA: of the port `info >> 8`).
    IdReset(Word),
    /// A DES_KV stream is dispatched.
    Des {
        /// 0 TIU, 1 GDMA, 2 SDMA, 3 CDMA.
        engine: u8,
        /// Key of the stream.
        key: u32,
        /// Commands of the stream (CDMA: low 28 bits, the port in the top 4).
        count: u32,
    },
    /// A word of a known kind that says nothing about time.
    Skipped,
    /// A word of a kind that is not known.
    Unknown(Word),
    /// The block ends inside a kernel's name or before a DES node's second word.
    Cut(NodeCut),
}

/// Where a block ends inside a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NodeCut {
    /// Inside a kernel's name.
    Name,
    /// Before a DES node's second word.
    Node,
}

impl NodeCut {
    /// What the ledger says of it, as an id of the catalogue.
    #[must_use]
    pub fn id(self) -> &'static str {
        match self {
            Self::Name => "note-name-cut",
            Self::Node => "note-node-cut",
        }
    }
}

/// Iterator over a DYN_DATA block: each node with its offset in the block, in bytes.
#[derive(Debug, Clone)]
pub struct Words<'a> {
    content: &'a [u8],
    at: usize,
}

impl<'a> Words<'a> {
    /// Walks a block's content. Bytes after the last whole word are left to the caller
    /// (`content.len() % 4`).
    #[must_use]
    pub fn new(content: &'a [u8]) -> Self {
        Self { content, at: 0 }
    }

    #[inline]
    fn word(&mut self) -> Option<Word> {
        let bytes = self.content.get(self.at..self.at + 4)?;
        self.at += 4;
        Some(Word(u32::from_le_bytes(bytes.try_into().ok()?)))
    }

    /// The next word with its offset in bytes, if it is one of a command; most words are. Else nothing is read.
    #[inline]
    pub fn next_command(&mut self) -> Option<(usize, Word)> {
        let offset = self.at;
        let bytes = self.content.get(offset..)?.first_chunk::<4>()?;
        let word = Word(u32::from_le_bytes(*bytes));
        if !matches!(word.kind_number(), NODE_SET | RVT_NODE_SET) {
            return None;
        }
        self.at = offset + 4;
        Some((offset, word))
    }

    /// A name whose length is not that of its text; `None` where it is, or where this can't be known.
    ///
    /// ```text
    ///   counted  r o p e 0 0        the padding is a part of the name
    ///   counted  r o p              the name goes on behind its end
    ///   counted  r o p e 0C 0 0 0   the words behind the name are a part of it
    /// ```
    #[cold]
    fn odd_name(&mut self, length: usize) -> Option<DynNode<'a>> {
        let rest = self.content.get(self.at..)?;
        let name = rest.get(..length).unwrap_or(rest);
        let letters = rest.iter().take_while(|byte| matches!(byte, 0x20..0x7f)).count();
        let is_sound = name.len() == length
            && std::str::from_utf8(name)
                .is_ok_and(|name| !name.contains(|c| char::is_ascii_control(&c)));
        let kind_at = |at: usize| {
            let bytes = rest.get(at..).and_then(|rest| rest.first_chunk::<4>());
            bytes.map(|bytes| Word(u32::from_le_bytes(*bytes)).kind())
        };
        // One letter behind a name that fills its words may be the kind of the next word.
        let is_kind = letters == length + 1
            && length.is_multiple_of(4)
            && kind_at(length) != Some(WordKind::Unknown);
        let end = letters.next_multiple_of(4);
        let is_padded = rest.get(letters..end)?.iter().all(|&byte| byte == 0);
        // A name that fills its words is followed by a word; else it is one of its letters that is changed.
        let is_followed = letters < end || kind_at(end) != Some(WordKind::Unknown);
        let is_cut = name.len() < length && end == rest.len();
        if is_sound && (letters <= length || is_kind)
            || letters == 0
            || !is_padded
            || !is_followed
            || is_cut
        {
            return None;
        }
        if self.has_one_bad_letter(length) {
            self.at += length.next_multiple_of(4).min(rest.len());
            return Some(DynNode::OddFunc { text: String::from_utf8_lossy(name), counted: None });
        }
        let has_same_end = end == length.next_multiple_of(4);
        let counted = has_same_end.then(|| String::from_utf8_lossy(name));
        self.at += end;
        Some(DynNode::OddFunc { text: String::from_utf8_lossy(rest.get(..letters)?), counted })
    }

    /// Whether a name of this length is text but for a letter before its last one. Of words that a wrong length makes letters of, more
    /// bytes are none.
    fn has_one_bad_letter(&self, length: usize) -> bool {
        let rest = self.content.get(self.at..).unwrap_or(&[]);
        let Some(name) = rest.get(..length) else { return false };
        let mut bad = name.iter().enumerate().filter(|(_, byte)| !matches!(byte, 0x20..0x7f));
        let is_letter = |(at, byte): (usize, &u8)| *byte != 0 && at + 1 < length;
        let is_one = bad.next().is_some_and(is_letter) && bad.next().is_none();
        let end = length.next_multiple_of(4);
        let is_padded = rest.get(length..end).is_some_and(|bytes| bytes.iter().all(|&b| b == 0));
        let next = rest.get(end..).and_then(|rest| rest.first_chunk::<4>());
        let is_word =
            |bytes: &[u8; 4]| Word(u32::from_le_bytes(*bytes)).kind() != WordKind::Unknown;
        is_one && is_padded && next.is_none_or(is_word)
    }

    /// A kernel's name, or no known word where what follows is no text: a damaged word of another kind.
    #[cold]
    fn name(&mut self, word: Word) -> DynNode<'a> {
        let rest = self.content.get(self.at..).unwrap_or(&[]);
        let length = usize::try_from(word.payload()).unwrap_or(usize::MAX);
        let is_control = |byte: &&u8| byte.is_ascii_control();
        let name = rest.get(..length).unwrap_or(rest);
        if let Some(node) = self.odd_name(length) {
            return node;
        }
        let controls = name.iter().filter(is_control).count();
        if name.len() >= FEWEST_NAME_BYTES && controls * BYTES_PER_CONTROL > name.len() {
            return DynNode::Unknown(word);
        }
        match rest.get(..length) {
            Some(name) => {
                self.at += length.next_multiple_of(4).min(rest.len());
                DynNode::Func(String::from_utf8_lossy(name))
            }
            None => {
                self.at = self.content.len();
                DynNode::Cut(NodeCut::Name)
            }
        }
    }
}

impl<'a> Iterator for Words<'a> {
    type Item = (usize, DynNode<'a>);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let offset = self.at;
        let word = self.word()?;
        let node = match word.kind() {
            WordKind::Func => self.name(word),
            WordKind::NodeSet => DynNode::Command { rvt: false, word },
            WordKind::RvtNodeSet => DynNode::Command { rvt: true, word },
            WordKind::Des(engine) => match self.word() {
                Some(count) => DynNode::Des { engine, key: word.payload(), count: count.0 },
                None => DynNode::Cut(NodeCut::Node),
            },
            WordKind::IdReset => DynNode::IdReset(word),
            WordKind::BatchIdx => DynNode::Batch(word.payload()),
            WordKind::FuncEnd => DynNode::FuncEnd,
            WordKind::Skipped => DynNode::Skipped,
            WordKind::Unknown => DynNode::Unknown(word),
        };
        Some((offset, node))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_have_the_documented_bit_positions() {
        let word = Word::new(1, 3, 6, 4, 0xabc);
        assert_eq!(
            (word.kind(), word.engine(), word.task(), word.sub(), word.info()),
            (WordKind::NodeSet, 3, 6, 4, 0xabc)
        );
    }

    #[test]
    fn kinds_and_numbers_agree() {
        for number in 0..=0x7f {
            let kind = Word::with_payload(number, 0x1ff_ffff).kind();
            assert!(kind.number().is_none_or(|n| n == number), "{kind:?}");
        }
        assert_eq!(Word::with_payload(14, 77).payload(), 77);
    }

    #[test]
    fn names_and_des_words_have_following_words() {
        let mut block = Vec::new();
        block.extend((5u32 << 7).to_le_bytes());
        block.extend(b"hello\0\0\0");
        block.extend((9 | 77u32 << 7).to_le_bytes());
        block.extend(12u32.to_le_bytes());
        block.extend((14 | 3u32 << 7).to_le_bytes());
        block.extend(99u32.to_le_bytes());
        block.extend([1, 2]);
        let nodes: Vec<_> = Words::new(&block).collect();
        assert_eq!(
            nodes,
            [
                (0, DynNode::Func("hello".into())),
                (12, DynNode::Des { engine: 1, key: 77, count: 12 }),
                (20, DynNode::Batch(3)),
                (24, DynNode::Unknown(Word(99))),
            ]
        );
    }

    /// A bit makes a name of a command: the words that follow are no text, and are read.
    #[test]
    fn words_are_no_name() {
        let command = |i: u32| Word::new(1, (i & 1) as u8, 3, 2, 33);
        let mut words: Vec<Word> = (0..40).map(command).collect();
        for length in [60 << 7, 9_000 << 7] {
            words[5] = Word(length);
            let block: Vec<u8> = words.iter().flat_map(|word| word.0.to_le_bytes()).collect();
            let nodes: Vec<_> = Words::new(&block).map(|(_, node)| node).collect();
            assert_eq!(nodes.len(), 40);
            assert_eq!(nodes[5], DynNode::Unknown(words[5]));
        }
    }

    /// Whatever bit of its length is wrong, a kernel's name is its text, and the words behind it are read.
    #[test]
    fn a_name_is_its_text() {
        for name in ["rope", "gelu_", "matmul", "softmax", "rms_norm"] {
            for bit in 0..9 {
                let length = name.len() ^ 1 << bit;
                let mut block = (u32::try_from(length).unwrap() << 7).to_le_bytes().to_vec();
                block.extend(name.bytes());
                block.resize(block.len().next_multiple_of(4), 0);
                let words = [12 | 1 << 7, 1 | 33 << 20, 15];
                block.extend(
                    words.iter().cycle().take(300).flat_map(|word: &u32| word.to_le_bytes()),
                );
                let mut nodes = Words::new(&block);
                let (_, first) = nodes.next().unwrap();
                let DynNode::OddFunc { text, counted } = &first else {
                    panic!("{name}: {first:?}")
                };
                assert_eq!((text.as_ref(), nodes.count()), (name, 300), "bit {bit}");
                let has_same_end = length.div_ceil(4) == name.len().div_ceil(4);
                assert_eq!(counted.is_some(), has_same_end, "{name}, bit {bit}");
            }
        }
    }

    /// A letter that became a control character ends no name.
    #[test]
    fn a_changed_letter_ends_no_name() {
        for at in 0..8 {
            let mut name = *b"silu_mul";
            name[at] = 0x1f;
            let mut block = (8u32 << 7).to_le_bytes().to_vec();
            block.extend(name);
            block.extend(15u32.to_le_bytes());
            let nodes: Vec<_> = Words::new(&block).map(|(_, node)| node).collect();
            assert_eq!(nodes.len(), 2);
            assert!(matches!(&nodes[0], DynNode::Func(name) if name.len() == 8), "letter {at}");
        }
    }

    /// A changed letter may be the kind of a word: the name goes on behind it all the same.
    #[test]
    fn a_changed_letter_is_no_word() {
        for (at, letter) in [(8, 0x7f), (8, 0xe4), (4, 0x0c), (4, 0x8f)] {
            let mut block = (11u32 << 7).to_le_bytes().to_vec();
            block.extend(b"matmul_down\0");
            block[4 + at] = letter;
            block.extend((8 | 64u32 << 7).to_le_bytes());
            block.extend(26u32.to_le_bytes());
            let nodes: Vec<_> = Words::new(&block).map(|(_, node)| node).collect();
            assert_eq!(nodes.len(), 2, "letter {at} {letter:x}");
            let DynNode::OddFunc { text, counted: None } = &nodes[0] else { panic!("{nodes:?}") };
            assert!(text.starts_with("matm") && text.ends_with("wn"), "{text}");
        }
    }

    #[test]
    fn a_cut_name_ends_the_block() {
        let mut block = (400u32 << 7).to_le_bytes().to_vec();
        block.extend(b"abcd");
        let nodes: Vec<_> = Words::new(&block).map(|(_, n)| n).collect();
        assert_eq!(nodes, [DynNode::Cut(NodeCut::Name)]);
    }
}
