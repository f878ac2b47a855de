//! The file of a part: a head, then its columns as differences, deflated.
//!
//! ```text
//!  0         8          12        20        24
//!  +---------+----------+---------+---------+------------------+
//!  | BTPUPART| version  | length  | crc32   | deflated columns |   integers little-endian; length and crc32
//!  +---------+----------+---------+---------+------------------+   are of the columns before deflation
//! ```
//!
//! A column is its length, then the differences of its values as zigzag varints.

mod columns;
mod part;
mod reader;
mod writer;

use bigtpu_messages::{Message, error_message};
use std::io::{Read, Write};

use flate2::Compression;
use flate2::Crc;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;

use crate::part::DumpPart;
use reader::Reader;

const MAGIC: &[u8; 8] = b"BTPUPART";
const VERSION: u32 = 4;
const HEAD: usize = 24;
/// A part is never larger than this, whatever its head says.
const MOST_BYTES: u64 = 1 << 32;
/// Columns of so many bytes may be deflated to any size; longer ones are at most so many times as long as the file. Real ones are
/// three times as long, data that are made to fill the memory a thousand times.
const FREE_BYTES: u64 = 16 << 20;
const MOST_FOLD: u64 = 100;
/// ns; no capture is longer (13 days), whatever a part says.
const MOST_NS: u64 = 1 << 50;

/// Why bytes are no part.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PartError {
    /// The bytes do not begin like a part.
    #[error("{}", error_message!("error-cluster-file-no-part"))]
    NoPart,
    /// Another version of the program wrote it.
    #[error("{}", error_message!("error-cluster-file-version", found, version = VERSION))]
    Version {
        /// Its version.
        found: u32,
    },
    /// The part is damaged.
    #[error("{}", error_message!("error-cluster-file-damaged", offset, what))]
    Damaged {
        /// Where, in bytes of its columns.
        offset: u64,
        /// What was found.
        what: Message,
    },
}

impl DumpPart {
    /// The bytes of a part's file.
    ///
    /// # Errors
    /// When the compressor refuses, which it does not in memory.
    pub fn encode(&self) -> std::io::Result<Vec<u8>> {
        let body = self.columns();
        let mut crc = Crc::new();
        crc.update(&body);
        let mut bytes = MAGIC.to_vec();
        bytes.extend_from_slice(&VERSION.to_le_bytes());
        bytes.extend_from_slice(&(body.len() as u64).to_le_bytes());
        bytes.extend_from_slice(&crc.sum().to_le_bytes());
        let mut encoder = ZlibEncoder::new(bytes, Compression::default());
        encoder.write_all(&body)?;
        encoder.finish()
    }

    /// A part from the bytes of its file.
    ///
    /// # Errors
    /// [`PartError`] when they are no part, of another version, or damaged.
    pub fn decode(bytes: &[u8]) -> Result<Self, PartError> {
        let damaged = |what| PartError::Damaged { offset: 0, what };
        let (head, rest) = bytes.split_at_checked(HEAD).ok_or(PartError::NoPart)?;
        if !head.starts_with(MAGIC) {
            return Err(PartError::NoPart);
        }
        let word = |at: usize| {
            head.get(at..at + 4).and_then(|b| b.try_into().ok()).map_or(0, u32::from_le_bytes)
        };
        let version = word(8);
        if version != VERSION {
            return Err(PartError::Version { found: version });
        }
        let length = u64::from(word(12)) | u64::from(word(16)) << 32;
        let is_folded = length > FREE_BYTES && length / MOST_FOLD > rest.len() as u64;
        if length > MOST_BYTES || is_folded {
            return Err(damaged(error_message!("problem-part-length")));
        }
        let mut body = Vec::new();
        // One byte more than said shows that there is more.
        let mut decoder = ZlibDecoder::new(rest).take(length + 1);
        decoder
            .read_to_end(&mut body)
            .map_err(|_| damaged(error_message!("problem-part-inflate")))?;
        let mut crc = Crc::new();
        crc.update(&body);
        if body.len() as u64 != length || crc.sum() != word(20) {
            return Err(damaged(error_message!("problem-part-checksum")));
        }
        Reader::new(&body).part()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::alike::{Alike, Likeness};
    use crate::commands::DataCommand;
    use crate::host_side::{HostSide, HostSpan};
    use crate::launches::Launch;
    use crate::part::{Identity, OneSided, ThreadCommands};
    use crate::runs::{CoreState, CoreStretch};

    fn part() -> DumpPart {
        let command = DataCommand {
            start: 5,
            first: 7,
            last: 90,
            end: 95,
            bytes: 4096,
            ..DataCommand::default()
        };
        let next =
            DataCommand { start: 100, first: 101, last: 180, end: 186, section: 1, ..command };
        DumpPart {
            identity: Identity { host: "a".into(), device: 3, ..Identity::default() },
            window: (0, 200),
            kernels: vec!["matmul".into()],
            threads: vec![ThreadCommands {
                port: 2,
                commands: [command, next].into_iter().collect(),
                ..ThreadCommands::default()
            }],
            one_sided: vec![OneSided { port: 2, peer: Some(3), commands: 4, bytes: 256, ns: 90 }],
            runs: [
                CoreStretch { state: CoreState::Compute, ns: 150 },
                CoreStretch { state: CoreState::Idle, ns: 50 },
            ]
            .into_iter()
            .collect(),
            alike: vec![Alike {
                what: Likeness { kind: 18, amount: 4096, cycles: 7 },
                count: 3,
                ns: 120,
            }],
            launches: [Launch { kernel: 0, start: 0, end: 150 }].into_iter().collect(),
            steps: vec![(0, 90), (90, 150)],
            tail_offset_ns: Some(-3),
            latest_end: 170,
            host: Some(HostSide {
                offset_ns: Some(1 << 50),
                calls: vec![HostSpan { name: "c10d::allreduce_".into(), start: -4, end: 9 }],
                steps: Vec::new(),
            }),
            ..DumpPart::default()
        }
    }

    #[test]
    fn a_part_comes_back_from_its_file() {
        let bytes = part().encode().unwrap();
        assert_eq!(DumpPart::decode(&bytes).unwrap(), part());
    }

    /// A few bytes that stand for gigabytes are refused by what the head says.
    #[test]
    fn few_bytes_do_not_become_many() {
        let body = vec![0; 17 << 20];
        let mut bytes = MAGIC.to_vec();
        bytes.extend_from_slice(&VERSION.to_le_bytes());
        bytes.extend_from_slice(&(body.len() as u64).to_le_bytes());
        let mut crc = Crc::new();
        crc.update(&body);
        bytes.extend_from_slice(&crc.sum().to_le_bytes());
        let mut encoder = ZlibEncoder::new(bytes, Compression::default());
        encoder.write_all(&body).unwrap();
        let error = DumpPart::decode(&encoder.finish().unwrap()).unwrap_err();
        assert!(error.to_string().contains("its length is not possible"), "{error}");
    }

    /// Names in a part that another program wrote are those that this one would have written; the path stays.
    #[test]
    fn names_that_cannot_be_seen_are_escapes_wherever_the_part_is_from() {
        let mut part = part();
        let hidden = "a\u{200b}".to_owned();
        part.identity.host.clone_from(&hidden);
        part.identity.dump.clone_from(&hidden);
        part.kernels = vec![hidden.clone()];
        part.host.as_mut().unwrap().calls[0].name.clone_from(&hidden);
        let read = DumpPart::decode(&part.encode().unwrap()).unwrap();
        let shown = "a\\u{200b}";
        assert_eq!((read.identity.host.as_str(), read.kernels[0].as_str()), (shown, shown));
        assert_eq!(read.host.unwrap().calls[0].name, shown);
        assert_eq!(read.identity.dump, hidden);
    }

    #[test]
    fn damage_is_refused_and_never_a_panic() {
        let bytes = part().encode().unwrap();
        assert_eq!(DumpPart::decode(b"hello"), Err(PartError::NoPart));
        let mut other = bytes.clone();
        other[8] = 9;
        assert_eq!(DumpPart::decode(&other), Err(PartError::Version { found: 9 }));
        for at in 0..bytes.len() {
            let mut mutant = bytes.clone();
            mutant[at] ^= 0x41;
            assert!(DumpPart::decode(&mutant).is_err() || at >= 24, "byte {at}");
            assert!(DumpPart::decode(&bytes[..at]).is_err());
        }
    }
}
