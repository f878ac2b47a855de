//! Descriptor streams of a core: where each command's bits are in the core's file.

use std::collections::{HashMap, HashSet};

use bigtpu_chip::{
    Chip, Engine, Family, OpCode, Stream, StreamCommand, StreamEnd, walk, walk_groups,
};
use bigtpu_format::KvHeader;
use bigtpu_messages::{Arg, message};

use crate::ledger::Notes;
use crate::torn_stream::{Decoded, MendedStream, mend_stream};

/// A command of a stream: where its bits start in the file, and which operation they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Descriptor {
    pub(crate) offset: u64,
    /// `None` where they do not decode.
    pub(crate) code: Option<OpCode>,
    /// The PMU may leave it out.
    pub(crate) may_lack_record: bool,
}

/// Walks a stream of `count` commands that starts at `offset` of the file.
fn descriptors(
    chip: &Chip,
    engine: Engine,
    (stream, offset): (&[u8], u64),
    count: u32,
    notes: &mut Notes,
) -> Vec<Descriptor> {
    let decode = |bytes: &[u8]| decoded([&walk(chip, engine, bytes)], engine, bytes);
    match mend_stream(stream, decode) {
        Some(mended) => {
            tell_mended(&mended, engine, offset, notes);
            let mut all = [found(&walk(chip, engine, &mended.bytes), engine, offset, notes)];
            let lost = usize::try_from(count).unwrap_or(0).saturating_sub(all[0].len());
            let lost = lost.min(most_lost(chip, engine, &mended));
            to_file(&mended, offset, lost, &mut all);
            let [all] = all;
            all
        }
        None => found(&walk(chip, engine, stream), engine, offset, notes),
    }
}

/// Where commands start, and of which kind each is: its operation; of the DMA engines also its first word, which is the same for
/// all transfers of a kind.
fn decoded<'a>(
    groups: impl IntoIterator<Item = &'a Stream>,
    engine: Engine,
    stream: &[u8],
) -> Decoded {
    let head = |at: usize| {
        let head = stream.get(at..).and_then(|rest| rest.first_chunk::<4>());
        head.filter(|_| engine != Engine::Tiu).map_or(0, |head| u32::from_le_bytes(*head))
    };
    let kind = |command: &StreamCommand| {
        let OpCode { op, variant } = command.code.as_ref().ok()?;
        let operation = u64::from(*op) << 8 | u64::from(*variant);
        Some(operation << 32 | u64::from(head(command.offset)))
    };
    let commands = groups.into_iter().flat_map(|group| &group.commands);
    commands.map(|command| (command.offset, kind(command))).collect()
}

fn tell_mended(mended: &MendedStream, engine: Engine, offset: u64, notes: &mut Notes) {
    let (at, bytes) = mended.damage();
    let engine = engine.name();
    let message = match mended.is_moved() {
        true => message!("note-stream-moved", engine = engine),
        false => message!("note-stream-changed", engine = engine),
    };
    notes.loss(offset + at, bytes, message);
}

/// A gap of fewer bytes holds no command: bytes are there twice, or the command behind it is read from a wrong place.
const FEWEST_BYTES: u64 = 16;
/// A gap has so many commands at most.
const MOST_LOST: usize = 24;

/// How many commands a gap may hold. The count of BM1688's transfers may have the end of their chain, which is no command.
fn most_lost(chip: &Chip, engine: Engine, mended: &MendedStream) -> usize {
    match chip.family == Family::Bm1688 && engine != Engine::Tiu {
        true => usize::from(mended.damage().1 >= FEWEST_BYTES),
        false => MOST_LOST,
    }
}

/// From places in a mended stream to those in the file. Unknown commands stand for the `lost` ones.
fn to_file(mended: &MendedStream, offset: u64, lost: usize, groups: &mut [Vec<Descriptor>]) {
    let gap_at = offset + mended.gap_at() as u64;
    let is_before = |descriptor: &Descriptor| descriptor.offset < gap_at;
    // The first group that does not end before the gap.
    let of_gap = groups.iter().position(|group| !group.iter().all(is_before));
    let of_gap = of_gap.unwrap_or(groups.len().saturating_sub(1));
    let at = groups.get(of_gap).map_or(0, |group| group.partition_point(is_before));
    for descriptor in groups.iter_mut().flatten() {
        let at = usize::try_from(descriptor.offset - offset).unwrap_or(usize::MAX);
        descriptor.offset = offset + mended.place(at) as u64;
    }
    if let Some(group) = groups.get_mut(of_gap) {
        let damaged = Descriptor { offset: gap_at, code: None, may_lack_record: false };
        group.splice(at..at, std::iter::repeat_n(damaged, lost));
    }
}

/// Walks a static model's block that starts at `offset` of the file: its command groups.
pub(crate) fn group_descriptors(
    chip: &Chip,
    engine: Engine,
    stream: &[u8],
    offset: u64,
    notes: &mut Notes,
) -> Vec<Vec<Descriptor>> {
    let decode = |bytes: &[u8]| decoded(&walk_groups(chip, engine, bytes).groups, engine, bytes);
    if let Some(mended) = mend_stream(stream, decode) {
        tell_mended(&mended, engine, offset, notes);
        let walked = walk_groups(chip, engine, &mended.bytes);
        let groups = walked.groups.iter().map(|group| found(group, engine, offset, notes));
        let mut groups: Vec<Vec<Descriptor>> = groups.collect();
        let lost = usize::from(mended.damage().1 >= FEWEST_BYTES);
        to_file(&mended, offset, lost, &mut groups);
        return groups;
    }
    let walked = walk_groups(chip, engine, stream);
    if let Some(at) = walked.unread {
        let bytes = (stream.len() - at) as u64;
        let (engine, size) = (engine.name(), Arg::Bytes(bytes));
        let message = message!("note-not-padding", engine = engine, bytes = size);
        notes.loss(offset + at as u64, bytes, message);
    }
    walked.groups.iter().map(|group| found(group, engine, offset, notes)).collect()
}

/// The commands of a walked stream, with notes of what does not decode.
fn found(walked: &Stream, engine: Engine, offset: u64, notes: &mut Notes) -> Vec<Descriptor> {
    if let StreamEnd::Lost { offset: at, bytes, error } = &walked.end {
        let bytes = *bytes as u64;
        let message = message!(
            "note-descriptors-lost",
            engine = engine.name(),
            why = error.message(),
            bytes = Arg::Bytes(bytes),
        );
        notes.loss(offset + *at as u64, bytes, message);
    } else if let Some((at, error)) =
        walked.commands.iter().find_map(|c| c.code.as_ref().err().map(|e| (c.offset, e)))
    {
        let (engine, why) = (engine.name(), error.message());
        let message = message!("note-descriptors-unknown", engine = engine, why = why);
        notes.warn(Some(offset + at as u64), message);
    }
    walked
        .commands
        .iter()
        .map(|c| Descriptor {
            offset: offset + c.offset as u64,
            code: c.code.as_ref().ok().copied(),
            may_lack_record: c.may_lack_record,
        })
        .collect()
}

/// The DES_KV blocks of a core, walked when first asked for.
#[derive(Debug, Default)]
pub(crate) struct Cache<'d> {
    blocks: HashMap<KvHeader, (&'d [u8], u64)>,
    walked: HashMap<(KvHeader, bool, bool), Vec<Descriptor>>,
    missing: HashSet<KvHeader>,
}

impl<'d> Cache<'d> {
    /// Adds a block whose descriptors start at `offset` of the file; the last of a name wins.
    pub(crate) fn add(&mut self, header: KvHeader, stream: &'d [u8], offset: u64) {
        self.blocks.insert(header, (stream, offset));
    }

    /// The commands of a stream; `None` when the dump lacks it.
    pub(crate) fn get(
        &mut self,
        chip: &Chip,
        engine: Engine,
        header: KvHeader,
        notes: &mut Notes,
    ) -> Option<&[Descriptor]> {
        let Some(&(stream, offset)) = self.blocks.get(&header) else {
            if self.missing.insert(header) {
                let KvHeader { key, count } = header;
                let message = message!(
                    "note-no-stream",
                    engine = engine.name(),
                    commands = u64::from(count),
                    key = Arg::Number(key.into()),
                );
                notes.loss_anywhere(None, message);
            }
            return None;
        };
        let key = (header, engine == Engine::Tiu, engine == Engine::Cdma);
        let walked = self
            .walked
            .entry(key)
            .or_insert_with(|| descriptors(chip, engine, (stream, offset), header.count, notes));
        Some(walked)
    }
}
