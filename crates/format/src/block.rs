//! The container of every `.profile` file (section 2): a run of tagged blocks.
//!
//! ```text
//!  0       4         8            8 + length
//!  +-------+---------+--------------+
//!  | type  | length  | content      |   all integers little-endian
//!  +-------+---------+--------------+
//! ```
//!
//! A block of a type that is not known is data like any other: it is returned as such.

use bigtpu_messages::{Arg, Message, message};

use nom::bytes::complete::take;
use nom::number::complete::le_u32;
use nom::{IResult, Parser};

/// What a block holds, by its type number (section 2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BlockKind {
    /// 3: PMU records of the TIU.
    MonitorTiu,
    /// 4: PMU records of the GDMA.
    MonitorGdma,
    /// 11: PMU records of the SDMA.
    MonitorSdma,
    /// 12: PMU records of a CDMA port.
    MonitorCdma,
    /// 5: the commands as the firmware dispatched them.
    DynData,
    /// 6: the full bits of the commands of [`BlockKind::DynData`].
    DynExtra,
    /// 13: a static model's TIU descriptors.
    DesTiu,
    /// 14: a static model's GDMA descriptors.
    DesGdma,
    /// 15: a static model's SDMA descriptors.
    DesSdma,
    /// 16: a static model's CDMA descriptors.
    DesCdma,
    /// 17: a cached descriptor stream.
    DesKv,
    /// 1, 2, 7-10, 100: logs and summaries, not needed for timing.
    NotNeeded(u32),
    /// Any other number.
    Unknown(u32),
}

impl BlockKind {
    /// The kind of a type number.
    #[must_use]
    pub fn from_number(number: u32) -> Self {
        match number {
            3 => Self::MonitorTiu,
            4 => Self::MonitorGdma,
            11 => Self::MonitorSdma,
            12 => Self::MonitorCdma,
            5 => Self::DynData,
            6 => Self::DynExtra,
            13 => Self::DesTiu,
            14 => Self::DesGdma,
            15 => Self::DesSdma,
            16 => Self::DesCdma,
            17 => Self::DesKv,
            1 | 2 | 7..=10 | 100 => Self::NotNeeded(number),
            _ => Self::Unknown(number),
        }
    }

    /// The type number of a kind.
    #[must_use]
    pub fn number(self) -> u32 {
        match self {
            Self::MonitorTiu => 3,
            Self::MonitorGdma => 4,
            Self::MonitorSdma => 11,
            Self::MonitorCdma => 12,
            Self::DynData => 5,
            Self::DynExtra => 6,
            Self::DesTiu => 13,
            Self::DesGdma => 14,
            Self::DesSdma => 15,
            Self::DesCdma => 16,
            Self::DesKv => 17,
            Self::NotNeeded(number) | Self::Unknown(number) => number,
        }
    }

    /// The head of a block of this kind, for `length` bytes of content.
    #[must_use]
    pub fn head(self, length: u32) -> [u8; 8] {
        let mut head = [0; 8];
        head[..4].copy_from_slice(&self.number().to_le_bytes());
        head[4..].copy_from_slice(&length.to_le_bytes());
        head
    }

    /// The block's name in the runtime's sources.
    #[must_use]
    pub fn name(self) -> String {
        match self {
            Self::MonitorTiu => "MONITOR_BD".into(),
            Self::MonitorGdma => "MONITOR_GDMA".into(),
            Self::MonitorSdma => "MONITOR_SDMA".into(),
            Self::MonitorCdma => "MONITOR_CDMA".into(),
            Self::DynData => "DYN_DATA".into(),
            Self::DynExtra => "DYN_EXTRA".into(),
            Self::DesTiu => "DES_BDC".into(),
            Self::DesGdma => "DES_GDMA".into(),
            Self::DesSdma => "DES_SDMA".into(),
            Self::DesCdma => "DES_CDMA".into(),
            Self::DesKv => "DES_KV".into(),
            Self::NotNeeded(n) => format!("block type {n}"),
            Self::Unknown(n) => format!("unknown block type {n}"),
        }
    }

    /// The block's name within a sentence.
    #[must_use]
    pub fn message(self) -> Message {
        match self {
            Self::NotNeeded(n) => message!("note-block-type", number = Arg::Number(n.into())),
            Self::Unknown(n) => message!("note-unknown-block", number = Arg::Number(n.into())),
            _ => Message::verbatim(self.name()),
        }
    }
}

/// One block: its kind, where its content starts in the file, and the content.
#[derive(Debug, Clone, Copy)]
pub struct Block<'a> {
    /// What it holds.
    pub kind: BlockKind,
    /// Offset of `content` in the file, in bytes.
    pub offset: u64,
    /// The bytes after the head.
    pub content: &'a [u8],
}

/// Blocks of types that are not known, one directly behind another: a file that was not written to its end may have
/// millions of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnknownBlocks {
    /// Type number of the first.
    pub first: u32,
    /// Offset of the first one's content in the file, in bytes.
    pub offset: u64,
    /// How many there are.
    pub count: u64,
    /// Bytes of their contents, and of the headers between them.
    pub bytes: u64,
}

/// The end of a file that is no whole block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DamagedTail {
    /// Offset in the file where the last sound block ended, in bytes.
    pub offset: u64,
    /// Bytes of the file from there on.
    pub bytes: u64,
    /// What is wrong there.
    pub what: Message,
}

/// All blocks of a file, and what is wrong with its end.
#[derive(Debug, Default)]
pub struct Blocks<'a> {
    /// The blocks of known types, in file order. The last one may be cut short, see `damage`.
    pub blocks: Vec<Block<'a>>,
    /// The others, in file order.
    pub unknown: Vec<UnknownBlocks>,
    /// Set when the file ends inside a block's header or content.
    pub damage: Option<DamagedTail>,
}

impl<'a> Blocks<'a> {
    fn add(&mut self, block: Block<'a>) {
        let BlockKind::Unknown(first) = block.kind else {
            self.blocks.push(block);
            return;
        };
        let (offset, bytes) = (block.offset, block.content.len() as u64);
        match self.unknown.last_mut() {
            Some(run) if run.offset + run.bytes + HEAD == offset => {
                run.count += 1;
                run.bytes += HEAD + bytes;
            }
            _ => self.unknown.push(UnknownBlocks { first, offset, count: 1, bytes }),
        }
    }
}

/// Bytes of a block's header.
const HEAD: u64 = 8;

fn head(input: &[u8]) -> IResult<&[u8], (u32, u32)> {
    (le_u32, le_u32).parse(input)
}

fn content(input: &[u8], length: u32) -> IResult<&[u8], &[u8]> {
    take(length).parse(input)
}

/// Splits a file into blocks.
///
/// A last block whose length passes the end of the file is kept with the bytes that are there: its
/// whole records are sound. Sizes come from the bytes at hand, never from the length field.
#[must_use]
pub fn blocks(file: &[u8]) -> Blocks<'_> {
    let mut found = Blocks::default();
    let mut rest = file;
    while !rest.is_empty() {
        let start = (file.len() - rest.len()) as u64;
        let Ok((after_head, (number, length))) = head(rest) else {
            found.damage = Some(DamagedTail {
                offset: start,
                bytes: rest.len() as u64,
                what: message!("note-head-cut", left = Arg::Bytes(rest.len() as u64)),
            });
            break;
        };
        let kind = BlockKind::from_number(number);
        match content(after_head, length) {
            Ok((after, content)) => {
                found.add(Block { kind, offset: start + HEAD, content });
                rest = after;
            }
            Err(_) => {
                found.damage = Some(DamagedTail {
                    offset: start,
                    bytes: rest.len() as u64,
                    what: message!(
                        "note-block-cut",
                        block = kind.message(),
                        length = Arg::Bytes(length.into()),
                        left = Arg::Bytes(after_head.len() as u64),
                    ),
                });
                found.add(Block { kind, offset: start + HEAD, content: after_head });
                break;
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use bigtpu_messages::Language;

    use super::*;

    fn block(kind: u32, content: &[u8]) -> Vec<u8> {
        let mut out = kind.to_le_bytes().to_vec();
        out.extend((content.len() as u32).to_le_bytes());
        out.extend(content);
        out
    }

    #[test]
    fn numbers_and_kinds_are_one_to_one() {
        for number in 0..=u32::from(u8::MAX) {
            assert_eq!(BlockKind::from_number(number).number(), number);
        }
        let head = BlockKind::DesKv.head(0);
        assert_eq!(blocks(&head).blocks[0].kind, BlockKind::DesKv);
    }

    #[test]
    fn splits_known_and_unknown_blocks() {
        let mut file = block(3, &[1; 16]);
        file.extend(block(77, &[2; 3]));
        file.extend(block(5, &[]));
        let found = blocks(&file);
        assert_eq!(found.damage, None);
        let kinds: Vec<_> = found.blocks.iter().map(|b| (b.kind, b.offset)).collect();
        assert_eq!(kinds, [(BlockKind::MonitorTiu, 8), (BlockKind::DynData, 43)]);
        assert_eq!(found.unknown, [UnknownBlocks { first: 77, offset: 32, count: 1, bytes: 3 }]);
    }

    #[test]
    fn a_tail_of_zeros_is_one_run() {
        let mut file = block(3, &[1; 16]);
        file.extend([0; 8000]);
        let found = blocks(&file);
        assert_eq!((found.blocks.len(), &found.damage), (1, &None));
        assert_eq!(
            found.unknown,
            [UnknownBlocks { first: 0, offset: 32, count: 1000, bytes: 7992 }]
        );
    }

    #[test]
    fn keeps_what_a_cut_block_has() {
        let mut file = block(3, &[1; 40]);
        file.truncate(8 + 33);
        let found = blocks(&file);
        assert_eq!(found.blocks[0].content.len(), 33);
        let damage = found.damage.unwrap();
        assert_eq!((damage.offset, damage.bytes), (0, 41));
        let what = damage.what.text(Language::English);
        assert!(what.contains("has a length of 40 bytes, but the file has 33 left"), "{what}");
    }

    #[test]
    fn names_a_ragged_end() {
        let mut file = block(4, &[0; 4]);
        file.extend([1, 2, 3]);
        let damage = blocks(&file).damage.unwrap();
        assert_eq!((damage.offset, damage.bytes), (12, 3));
    }
}
