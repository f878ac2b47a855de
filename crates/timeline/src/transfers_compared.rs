//! Transfers whose counters contradict their commands.
//!
//! A plain copy moves as many bytes as its command's sizes and data type say, and its record counts them. Where nearly all records of an
//! operation do, one that does not shows that its command, or the record, is damaged. Where more do not, the operation is no plain
//! copy, or the chip counts in another way.

use bigtpu_chip::{Chip, Command, Direction, Engine, Memory, OpCode, Precision, Slot};
use bigtpu_messages::{Arg, Message, message};
use foldhash::HashMap;

use crate::by_ids::RECORDS_PER_BREAK;
use crate::core_engines::CORE_ENGINES;
use crate::join::JoinedCore;
use crate::monitor::{Clean, RecordFault};
use crate::quality::{Quality, mark};
use crate::shown_bits::ShownBits;

/// Fewer transfers of an operation say too little.
const FEWEST_EQUAL: usize = 24;

/// A transfer whose command and record are at odds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Transfer {
    event: usize,
    /// Bytes, as the command says.
    expected: u64,
    counted: u64,
}

/// The transfers of an operation.
#[derive(Debug, Default)]
struct Tally {
    all: usize,
    /// Transfers that count other bytes than their commands move, as far as they may be few.
    other_bytes: Vec<Transfer>,
    /// Transfers that count as many, written to another memory.
    elsewhere: Vec<Transfer>,
}

impl Tally {
    /// `is_elsewhere`: the counters say which memory was written, and it is not the command's; `most`: how many may be at odds.
    fn add(&mut self, transfer: Transfer, is_elsewhere: bool, most: usize) {
        self.all += 1;
        let odd = match transfer.counted == transfer.expected {
            false => &mut self.other_bytes,
            true if is_elsewhere => &mut self.elsewhere,
            true => return,
        };
        if odd.len() <= most {
            odd.push(transfer);
        }
    }

    /// The few that are at odds with their commands.
    fn contradictory(self) -> impl Iterator<Item = Transfer> {
        let all = self.all;
        let is_rare = move |odd: &Vec<Transfer>| {
            all.saturating_sub(odd.len()) >= FEWEST_EQUAL && odd.len() * RECORDS_PER_BREAK <= all
        };
        [self.other_bytes, self.elsewhere].into_iter().filter(is_rare).flatten()
    }
}

impl JoinedCore<'_> {
    /// Tells the transfers whose counters contradict their commands. `file`: the bytes that commands are in.
    pub(crate) fn compare_transfers(&mut self, chip: &'static Chip, file: &[u8]) {
        for (clean, engine) in self.monitors.iter_mut().zip(CORE_ENGINES).skip(1) {
            let tallies = tallies(chip, engine, clean, file).into_values();
            let mut odd: Vec<Transfer> = tallies.flat_map(Tally::contradictory).collect();
            odd.sort_by_key(|transfer| transfer.event);
            for transfer in odd {
                let Some(&record) = clean.events.record.get(transfer.event) else { continue };
                mark(&mut clean.events.marks, record, Quality::Doubtful);
                let at = clean.places.byte(record);
                clean.faults.push(RecordFault { record, at, message: told(engine, transfer) });
            }
        }
    }
}

fn told(engine: Engine, transfer: Transfer) -> Message {
    let engine = engine.name();
    match transfer.counted == transfer.expected {
        true => message!("note-transfer-elsewhere", engine = engine),
        false => message!(
            "note-transfer-bytes",
            engine = engine,
            counted = Arg::Bytes(transfer.counted),
            expected = Arg::Bytes(transfer.expected),
        ),
    }
}

/// So many commands of an operation are remembered: launches load and store tiles of few shapes in turn.
const MOST_KNOWN: usize = 4;

/// What a command moves: of those with the same shown bits it is the same.
#[derive(Clone, Copy)]
struct Moved {
    code: OpCode,
    /// Where the command's bits are.
    at: usize,
    /// Bytes, and from where to where; `None` of what is no plain copy.
    plain: Option<(u64, Direction)>,
}

/// The commands of an engine, with the last of each operation.
struct Moves<'a> {
    chip: &'static Chip,
    engine: Engine,
    file: &'a [u8],
    shown: ShownBits,
    /// Bytes that the last commands of each operation move.
    known: Vec<Vec<Moved>>,
}

impl<'a> Moves<'a> {
    fn new(chip: &'static Chip, engine: Engine, file: &'a [u8]) -> Self {
        let known = vec![Vec::new(); chip.ops(engine).ops().len()];
        Self { chip, engine, file, shown: ShownBits::of_engine(chip, engine), known }
    }

    /// Bytes that the command with a code and a place moves, and from where to where; `None` where it is no plain copy.
    fn plain(&mut self, code: OpCode, at: usize) -> Option<(u64, Direction)> {
        let bits = self.file.get(at..)?;
        let known = self.known.get_mut(usize::from(code.op))?;
        let is_same = |moved: &&Moved| {
            let other = self.file.get(moved.at..);
            moved.code == code && other.is_some_and(|other| self.shown.are_same(code, bits, other))
        };
        if let Some(moved) = known.iter().find(is_same) {
            return moved.plain;
        }
        let command = self.chip.ops(self.engine).command(code, bits)?;
        let plain = plain_bytes(self.chip, self.engine, &command)
            .map(|bytes| (bytes, Direction::of_command(self.chip, &command)));
        if known.len() == MOST_KNOWN {
            known.rotate_left(1);
            known.pop();
        }
        known.push(Moved { code, at, plain });
        plain
    }
}

/// Bytes that a command moves, 0 where its sizes are other fields; `None` where it is no plain copy.
pub(crate) fn plain_bytes(chip: &Chip, engine: Engine, command: &Command<'_>) -> Option<u64> {
    if chip.is_system(engine, command.op.task()) || !command.register.has(Slot::DataFormat) {
        return None;
    }
    let sizes = [Slot::SrcN, Slot::SrcC, Slot::SrcH, Slot::SrcW].map(|slot| command.get(slot));
    let bytes = Precision(command.get(Slot::DataFormat) as u8).whole_bytes();
    Some(sizes.into_iter().fold(u64::from(bytes), u64::saturating_mul))
}

/// The transfers of an engine whose commands have full bits, by operation.
fn tallies(
    chip: &'static Chip,
    engine: Engine,
    clean: &Clean<'_>,
    file: &[u8],
) -> HashMap<OpCode, Tally> {
    let mut tallies: HashMap<OpCode, Tally> = HashMap::default();
    let mut moves = Moves::new(chip, engine, file);
    let events = &clean.events;
    let most = events.len() / RECORDS_PER_BREAK;
    let columns = events.binding.iter().zip(&events.bits).zip(&events.code).zip(&events.record);
    for (event, (((binding, bits), code), record)) in columns.enumerate() {
        let place = usize::try_from(*bits).ok().filter(|_| binding.has_bits());
        // A size of 0 stands for a form whose sizes are other fields.
        let plain = place.and_then(|at| moves.plain(*code, at)).filter(|(bytes, _)| *bytes > 0);
        let Some((expected, direction)) = plain else { continue };
        let Some(pmu) = clean.monitor.pmu(chip, *record) else { continue };
        let counted = pmu.traffic(true, direction).bytes;
        let is_elsewhere =
            pmu.writes_local().is_some_and(|is_local| is_local != (direction.to == Memory::Lmem));
        let transfer = Transfer { event, expected, counted };
        tallies.entry(*code).or_default().add(transfer, is_elsewhere, most);
    }
    tallies
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The events that are told of so many transfers, of which some count other bytes or another memory.
    fn told(all: usize, other_bytes: &[usize], elsewhere: &[usize]) -> Vec<usize> {
        let mut tally = Tally::default();
        for event in 0..all {
            let counted = if other_bytes.contains(&event) { 4160 } else { 4096 };
            let transfer = Transfer { event, expected: 4096, counted };
            tally.add(transfer, elsewhere.contains(&event), all / RECORDS_PER_BREAK);
        }
        tally.contradictory().map(|transfer| transfer.event).collect()
    }

    #[test]
    fn a_transfer_that_counts_other_bytes_than_all_others_is_told() {
        assert!(told(40, &[], &[]).is_empty());
        assert_eq!(told(40, &[7, 30], &[]), [7, 30]);
        assert_eq!(told(40, &[], &[9]), [9]);
    }

    #[test]
    fn another_way_of_counting_is_left_alone() {
        assert!(told(40, &[1, 9, 17, 33], &[]).is_empty());
        assert!(told(40, &[1, 9, 17, 25, 33, 35], &[]).is_empty());
        assert!(told(20, &[3], &[]).is_empty());
    }
}
