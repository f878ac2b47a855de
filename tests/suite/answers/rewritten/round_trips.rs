//! Results that go out and come back: which transfers these are is found byte by byte.

use std::collections::{BTreeSet, HashMap};

use bigtpu_chip::{Memory, Precision, Slot};
use bigtpu_measure::{CommandTable, LocalMemory, Side, TrackCommand};
use bigtpu_timeline::Profile;

use super::{Changes, Place, QUEUES, said, saved_by};

/// A transfer between local memory and a memory outside.
pub(super) struct Transfer {
    pub(super) place: Place,
    start: i64,
    /// Bytes outside that it reads, and that it writes.
    pub(super) reads: Vec<u64>,
    pub(super) writes: Vec<u64>,
    /// Writes to local memory.
    is_load: bool,
    is_fill: bool,
    /// Home lane of each byte outside; empty where this is not known.
    lanes: Vec<u32>,
}

/// Bytes that are looked up at once.
const PAGE: u64 = 4096;

/// Who wrote a byte outside, as which of its bytes, and which lane had it; none where it is not of a lane of this core.
type Writer = (usize, usize, Option<u32>);

/// Who wrote each byte outside, in pages: tests are not optimized, and a look into a table for each byte takes a minute.
#[derive(Default)]
struct Written(HashMap<u64, Vec<Option<Writer>>>);

impl Written {
    /// The writers of bytes, which mostly follow each other.
    fn writers(&self, bytes: &[u64]) -> Vec<Option<Writer>> {
        let mut writers = Vec::with_capacity(bytes.len());
        for within in bytes.chunk_by(|a, b| a / PAGE == b / PAGE) {
            let page = self.0.get(&(within[0] / PAGE));
            match page {
                Some(page) => {
                    writers.extend(within.iter().map(|byte| page[(byte % PAGE) as usize]));
                }
                None => writers.resize(writers.len() + within.len(), None),
            }
        }
        writers
    }

    /// The page of bytes that are all on one.
    fn page(&mut self, within: &[u64]) -> &mut [Option<Writer>] {
        self.0.entry(within[0] / PAGE).or_insert_with(|| vec![None; PAGE as usize])
    }
}

/// The lane of a constant: any has it.
const ANY: u32 = u32::MAX;

/// Addresses of all bytes of a side, and the channel of each, where it is a tensor.
fn bytes_of(
    command: &TrackCommand<'_, '_>,
    sides: [&Side; 2],
    address: u64,
) -> (Vec<u64>, Option<Vec<u64>>) {
    let sizes = sides.map(|side| side.sizes.map(|size| size.unwrap_or(0)));
    let sizes = if sizes[0] == [0; 4] { sizes[1] } else { sizes[0] };
    let is_tensor = (command.kind.task, command.kind.function) == (0, 0) && sizes != [0; 4];
    let format = command.kind.transfer.and_then(|transfer| transfer.data_format);
    let ([Some(n), Some(c), Some(h), Some(w)], true) = (sides[0].strides, is_tensor) else {
        return ((address..address + command.kind.moved_bytes(command.bytes())).collect(), None);
    };
    let element = u64::from(Precision(format.unwrap()).whole_bytes());
    let (mut all, mut channels) = (Vec::new(), Vec::new());
    let [of_n, of_c, of_h, of_w] = sizes.map(|size| size.max(1));
    for (at_n, at_c) in (0..of_n).flat_map(|n| (0..of_c).map(move |c| (n, c))) {
        for (at_h, at_w) in (0..of_h).flat_map(|h| (0..of_w).map(move |w| (h, w))) {
            let at = address + (at_n * n + at_c * c + at_h * h + at_w * w) * element;
            all.extend(at..at + element);
            channels.extend((0..element).map(|_| at_c));
        }
    }
    (all, Some(channels))
}

pub(super) fn transfers(profile: &Profile<'_>, table: &CommandTable) -> Vec<Transfer> {
    let memory = LocalMemory::for_chip(profile.chip).unwrap();
    let mut all = Vec::new();
    for commands in table.all_commands(profile) {
        let id = commands.track.engine_id;
        let Some(queue) = QUEUES.iter().position(|engine| *engine == id.engine) else { continue };
        for command in commands.iter().filter(|command| command.kind.activity.is_work()) {
            let (Some(way), Some(bits)) = (command.kind.direction(), command.bits()) else {
                continue;
            };
            let is_outside = |memory| matches!(memory, Memory::Ddr | Memory::L2m | Memory::L2);
            let is_fill = bits.register.has(Slot::SrcW) && bits.get(Slot::SrcW) == 0;
            let (sides, [source, destination]) = (command.sides(), command.known_addresses());
            let area = |sides: [&Side; 2], address: Option<u64>, is: bool| match address {
                Some(address) if is => bytes_of(&command, sides, address),
                _ => (Vec::new(), None),
            };
            let (from, to) = (&sides.source, &sides.destination);
            let (reads, of_read) = area([from, to], source, is_outside(way.from) && !is_fill);
            let (writes, of_written) = area([to, from], destination, is_outside(way.to));
            let local = memory.accesses(&command).first().map(|access| access.lane);
            let channels = of_read.or(of_written).filter(|_| reads.is_empty() || writes.is_empty());
            let lanes = channels.zip(local).map(|(channels, first)| {
                channels.iter().map(|c| (first + *c as u32) % memory.lanes).collect()
            });
            all.push(Transfer {
                place: (id.index as usize, queue, command.index),
                start: command.start(),
                lanes: if is_fill { vec![ANY; writes.len()] } else { lanes.unwrap_or_default() },
                reads,
                writes,
                is_load: !is_outside(way.to),
                is_fill,
            });
        }
    }
    all.sort_by_key(|transfer| transfer.start);
    all
}

/// Transfers that are not needed if results stay in local memory: loads of bytes that the same core stored, from the lanes that load
/// them, perhaps by way of copies; and the stores and copies that only such loads read.
fn round_trips(all: &[Transfer]) -> BTreeSet<Place> {
    let mut written = Written::default();
    let mut readers: Vec<Vec<usize>> = vec![Vec::new(); all.len()];
    // Of each byte that a transfer writes, whether another reads it, or the transfer itself writes it once more.
    let mut is_used: Vec<Vec<bool>> = all.iter().map(|of| vec![false; of.writes.len()]).collect();
    let mut comes_back = vec![false; all.len()];
    for (at, transfer) in all.iter().enumerate() {
        let mut lanes: Vec<Option<u32>> = Vec::new();
        for writer in written.writers(&transfer.reads) {
            let Some((writer, i, lane)) = writer else {
                lanes.push(None);
                continue;
            };
            if readers[writer].last() != Some(&at) {
                readers[writer].push(at);
            }
            is_used[writer][i] = true;
            lanes.push(lane.filter(|_| all[writer].place.0 == transfer.place.0));
        }
        let stays = |(had, loads): (&Option<u32>, &u32)| *had == Some(ANY) || *had == Some(*loads);
        comes_back[at] = transfer.is_load
            && !lanes.is_empty()
            && lanes.len() == transfer.lanes.len()
            && lanes.iter().any(|lane| *lane != Some(ANY))
            && lanes.iter().zip(&transfer.lanes).all(stays);
        let is_copy = !transfer.reads.is_empty();
        let mut i = 0;
        for within in transfer.writes.chunk_by(|a, b| a / PAGE == b / PAGE) {
            let page = written.page(within);
            for byte in within {
                let from = if is_copy { lanes.get(i).copied().flatten() } else { None };
                let lane = from.or(transfer.lanes.get(i).copied().filter(|_| !is_copy));
                let before = page[(byte % PAGE) as usize].replace((at, i, lane));
                if let Some((writer, earlier, _)) = before
                    && writer == at
                {
                    is_used[at][earlier] = true;
                }
                i += 1;
            }
        }
    }
    let mut removed = vec![false; all.len()];
    for (at, transfer) in all.iter().enumerate().rev() {
        let is_read = is_used[at].iter().all(|is| *is);
        let is_only_for_them = is_read && readers[at].iter().all(|reader| removed[*reader]);
        removed[at] = match transfer.is_load {
            true => comes_back[at],
            false => is_only_for_them && !transfer.is_fill && !transfer.writes.is_empty(),
        };
    }
    all.iter().zip(removed).filter(|(_, is)| *is).map(|(transfer, _)| transfer.place).collect()
}

#[test]
fn round_trips_gain_what_the_simulation_without_them_gives() {
    for (name, count, us) in [
        ("cdm_profile_data_dev0_bm1690", 51, 31.2),
        ("bmprofile_data-1_bm1684x", 51, 75.4),
        ("bmprofile_data-1_bm1688", 49, 133.3),
        ("bmprofile_data_bm1688_2core", 18, 101.2),
        ("bmprofile_data-1_cv184x", 74, 427.2),
    ] {
        let saved = saved_by(name, |profile, table| {
            let removed = round_trips(&transfers(profile, table));
            assert_eq!(removed.len(), count, "{name}");
            Changes { removed, ..Changes::default() }
        });
        assert!((saved / us - 1.0).abs() < 0.002, "{name}: {saved} us");
        let (said, text) = said(name, "round-trips");
        assert!((said / us - 1.0).abs() < 0.02, "{name}: {said} of {us} us");
        assert!(text.contains(&format!(": {count} transfers of ")), "{name}: {text}");
    }
}
