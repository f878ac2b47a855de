//! Descriptor streams of a core: where each command's bits are in the core's file.

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};

use bigtpu_chip::{
    Chip, Engine, Family, Op, OpCode, Stream, StreamCommand, StreamEnd, UnusedBits, walk,
    walk_groups,
};
use bigtpu_format::KvHeader;
use bigtpu_messages::{Arg, message};

use crate::ledger::Notes;
use crate::torn_stream::{Decoded, DecodedCommand, MendedStream, StreamFault, mend_stream};

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
    let kinds = Kinds::of_engine(chip, engine);
    let decode = |bytes: &[u8]| kinds.decoded([&walk(chip, engine, bytes)], bytes);
    // The count of BM1688's transfers may have the end of their chain, which is no command.
    let may_count_end = chip.family == Family::Bm1688 && engine != Engine::Tiu;
    let expected = usize::try_from(count).ok().filter(|_| !may_count_end);
    match mend_stream(stream, decode, expected) {
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

/// Says what commands of an engine are: their operation; of the DMA engines also their first word, which is the same for all
/// transfers of a kind.
struct Kinds {
    engine: Engine,
    /// Unused bits of each operation, once one of its commands was met.
    unused: Vec<OnceCell<UnusedBits>>,
    ops: &'static [Op],
}

impl Kinds {
    fn of_engine(chip: &Chip, engine: Engine) -> Self {
        let ops = chip.ops(engine).ops();
        Self { engine, unused: vec![OnceCell::new(); ops.len()], ops }
    }

    fn decoded<'a>(&self, groups: impl IntoIterator<Item = &'a Stream>, stream: &[u8]) -> Decoded {
        let command = |command: &StreamCommand| {
            let (at, bits) = (command.offset, stream.get(command.offset..).unwrap_or_default());
            let Ok(OpCode { op, variant }) = command.code else {
                return DecodedCommand { at, kind: None, is_odd: false };
            };
            let head = bits.first_chunk::<4>().filter(|_| self.engine != Engine::Tiu);
            let head = head.map_or(0, |head| u32::from_le_bytes(*head));
            let operation = u64::from(op) << 8 | u64::from(variant);
            let kind = Some(operation << 32 | u64::from(head));
            let unused = self.unused.get(usize::from(op)).zip(self.ops.get(usize::from(op)));
            let is_odd = unused.is_some_and(|(unused, op)| {
                unused.get_or_init(|| UnusedBits::in_op(op)).has_any(bits)
            });
            DecodedCommand { at, kind, is_odd }
        };
        groups.into_iter().flat_map(|group| &group.commands).map(command).collect()
    }
}

fn tell_mended(mended: &MendedStream, engine: Engine, offset: u64, notes: &mut Notes) {
    let (at, bytes) = mended.damage();
    let engine = engine.name();
    let message = match mended.fault {
        StreamFault::Moved => message!("note-stream-moved", engine = engine),
        StreamFault::Changed => message!("note-stream-changed", engine = engine),
        StreamFault::Longer => message!("note-stream-longer", engine = engine),
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

/// Where more than one of so many commands does not decode, these are of operations that are not known.
const COMMANDS_PER_BAD: usize = 24;

/// More commands than this are not taken by one that is read as a longer one.
const MOST_TAKEN: u64 = 8;

/// How many commands a static model's groups have, as the `recorded` sections of records without a gap say: one of the groups has no
/// section of its length, and one of the sections is a little longer than it.
fn commands_by_records(walked: &[Stream], recorded: &[u64]) -> Option<usize> {
    let lengths: Vec<u64> = walked.iter().map(|group| group.commands.len() as u64).collect();
    let mut unmatched = lengths.iter().filter(|length| !recorded.contains(length));
    let (Some(length), None) = (unmatched.next(), unmatched.next()) else { return None };
    let is_longer = |span: &&u64| {
        (*length + 1..=*length + MOST_TAKEN).contains(*span) && !lengths.contains(*span)
    };
    let span = recorded.iter().find(is_longer)?;
    usize::try_from(lengths.iter().sum::<u64>() + span - length).ok()
}

/// Walks a static model's block that starts at `offset` of the file: its command groups. `recorded`: the lengths of the sections of
/// records that have no gap.
pub(crate) fn group_descriptors(
    chip: &Chip,
    engine: Engine,
    (stream, offset): (&[u8], u64),
    recorded: &[u64],
    notes: &mut Notes,
) -> Vec<Vec<Descriptor>> {
    let kinds = Kinds::of_engine(chip, engine);
    let decode = |bytes: &[u8]| kinds.decoded(&walk_groups(chip, engine, bytes).groups, bytes);
    let walked = walk_groups(chip, engine, stream);
    let expected = commands_by_records(&walked.groups, recorded);
    if let Some(mended) = mend_stream(stream, decode, expected) {
        tell_mended(&mended, engine, offset, notes);
        let walked = walk_groups(chip, engine, &mended.bytes);
        let groups = walked.groups.iter().map(|group| found(group, engine, offset, notes));
        let mut groups: Vec<Vec<Descriptor>> = groups.collect();
        let read: usize = groups.iter().map(Vec::len).sum();
        // Bytes that are lost across the border of two commands damage both.
        let lost = match commands_by_records(&walked.groups, recorded) {
            Some(all) => all.saturating_sub(read),
            None => usize::from(mended.damage().1 >= FEWEST_BYTES),
        };
        to_file(&mended, offset, lost, &mut groups);
        return groups;
    }
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
    }
    let mut unknown =
        walked.commands.iter().filter_map(|c| Some((c.offset, c.code.as_ref().err()?)));
    if let (StreamEnd::Sound, Some((at, error))) = (&walked.end, unknown.next()) {
        let (engine, why) = (engine.name(), error.message());
        let message = message!("note-descriptors-unknown", engine = engine, why = why);
        // Operations that are not known are in more commands than damage.
        match (1 + unknown.count()) * COMMANDS_PER_BAD <= walked.commands.len() {
            true => notes.loss_anywhere(Some(offset + at as u64), message),
            false => notes.warn(Some(offset + at as u64), message),
        }
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
