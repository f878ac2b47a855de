//! Where the records of a block are: gaps and torn records divide it into pieces.

use bigtpu_chip::Engine;
use bigtpu_format::{Block, PmuRecord, bytes_before_zero_record, records};
use bigtpu_messages::{Arg, message};

use super::RecordFault;
use crate::ledger::{Counts, Notes};
use crate::sound::{Hole, Piece, Records, pieces};

/// Where the records of a block are.
pub(super) struct FoundRecords {
    pub(super) pieces: Vec<Piece>,
    holes: Vec<Hole>,
}

impl FoundRecords {
    /// `has_id_first`: the id is in front of the times.
    pub(super) fn find(
        block: &Block<'_>,
        size: usize,
        has_id_first: bool,
        notes: &mut Notes,
    ) -> Self {
        let content = block.content;
        let valid = bytes_before_zero_record(content, size);
        let is_sound = valid.is_multiple_of(size)
            && content.len().is_multiple_of(size)
            && content.get(valid..).unwrap_or_default().iter().all(|&b| b == 0);
        let whole = |bytes: usize| vec![Piece { at: 0, count: bytes / size.max(1) }];
        if is_sound {
            return Self { pieces: whole(valid), holes: Vec::new() };
        }
        let head = |bytes: &[u8]| {
            let word = |i: usize| Some(u32::from_le_bytes(bytes.get(i..i + 4)?.try_into().ok()?));
            let id_mask = if size > 64 && size != 128 { 0xf_ffff } else { 0xff_ffff };
            Some(match has_id_first {
                true => (word(8)?, word(12)?, word(0)? & 0xf_ffff),
                // Ids have 16 bits in records of 32 bytes, 20 in those of 192 and 256, 24 on ports.
                false if size == 32 => (word(0)?, word(4)?, word(8)? & 0xffff),
                false if size == 64 || size == 16 => (word(0)?, word(4)?, word(8)?),
                false => (word(0)?, word(4)?, word(8)? & id_mask),
            })
        };
        let (pieces, holes) = pieces(content, size, head);
        let end = pieces.last().map_or(0, |piece| piece.at + piece.count * size);
        let rest = content.get(end..).unwrap_or_default();
        let is_zero = |bytes: &[u8]| bytes.iter().all(|&b| b == 0);
        let behind = rest.chunks_exact(size.max(1)).filter(|record| !is_zero(record)).count();
        let tail = rest.len() % size.max(1);
        let name = block.kind.name();
        if behind > 0 {
            let message = message!("note-zero-record", block = name, records = behind);
            notes.loss(block.offset + end as u64, (behind * size) as u64, message);
        } else if tail > 0 && !is_zero(rest) {
            let at = block.offset + (content.len() - tail) as u64;
            let message = message!(
                "note-ragged",
                block = name,
                bytes = Arg::Bytes(tail as u64),
                record = Arg::Bytes(size as u64),
            );
            notes.loss(at, tail as u64, message);
        }
        Self { pieces, holes }
    }

    pub(super) fn records<'d, T: PmuRecord>(&self, block: &Block<'d>) -> Records<'d, T> {
        let size = size_of::<T>();
        let piece = |piece: &Piece| block.content.get(piece.at..piece.at + piece.count * size);
        Records::new(self.pieces.iter().filter_map(piece).map(|bytes| records::<T>(bytes).0))
    }

    /// What is between the pieces.
    pub(super) fn faults(
        &self,
        engine: Engine,
        block: &Block<'_>,
        size: usize,
        counts: &mut Counts,
    ) -> Vec<RecordFault> {
        let name = engine.name();
        let fault = |hole: &Hole| {
            let Hole { at, bytes, is_zero } = *hole;
            let before = self.pieces.iter().filter(|piece| piece.at < at);
            let behind: usize = before.map(|piece| piece.count).sum();
            let n = (bytes / size.max(1)).max(1);
            counts.lost += n as u64;
            let message = match is_zero {
                true => message!("note-records-zeroed", engine = name, records = n),
                false => message!(
                    "note-record-torn",
                    engine = name,
                    bytes = Arg::Bytes(bytes as u64),
                    size = Arg::Bytes(size as u64),
                ),
            };
            let record = u32::try_from(behind).unwrap_or(u32::MAX);
            RecordFault { record, at: Some(block.offset + at as u64), message }
        };
        self.holes.iter().map(fault).collect()
    }
}
