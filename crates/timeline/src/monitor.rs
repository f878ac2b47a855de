//! A monitor's records become clean events (section 5): rotated, ids lifted, times unwrapped,
//! disorder undone, cycles turned into ns.

use bigtpu_chip::{Chip, Direction, Engine, Family, Pmu};
use bigtpu_format::{
    Block, Bm1684xDmaRecord, CdmaRecord, Cv184xTiuRecord, DmaRecord, DmaWideRecord, PmuRecord,
    PortThread, TiuRecord, TiuWideRecord, bytes_before_zero_record, records,
};
use bigtpu_messages::{Arg, Message, message};

use crate::clock;
use crate::ids::{self, Disorder};
use crate::label::label;
use crate::ledger::{Counts, Notes};
use crate::port_repair::CDMA_DISORDER;
use crate::quality::{Quality, mark};
use crate::reorder;
use crate::ring;
use crate::sound::{
    Hole, OrderFault, Piece, Places, Records, TimeFault, pieces, repair_order, repair_port_times,
    repair_times,
};
use crate::wide_events::WideEvents;

/// [`Monitor::tiu_flags`] of a system command of AKS.
const SYSTEM_FLAGS: u32 = 2;

/// An engine's PMU records as they are in the file.
#[derive(Debug, Clone)]
pub enum Monitor<'d> {
    /// AKS, AKSV, CV84X6.
    Tiu(Records<'d, TiuRecord>),
    /// CV184X.
    TiuCv184x(Records<'d, Cv184xTiuRecord>),
    /// BM1688, BM1684X.
    TiuWide(Records<'d, TiuWideRecord>),
    /// AKS, AKSV, CV184X, CV84X6.
    Dma(Records<'d, DmaRecord>),
    /// BM1688.
    DmaWide(Records<'d, DmaWideRecord>),
    /// BM1684X.
    DmaBm1684x(Records<'d, Bm1684xDmaRecord>),
    /// The blocks of a CDMA port, one behind the other.
    Cdma(Records<'d, CdmaRecord>),
}

impl<'d> Monitor<'d> {
    /// No records.
    #[must_use]
    pub(crate) fn empty(engine: Engine) -> Self {
        match engine {
            Engine::Tiu => Self::Tiu(Records::new([])),
            Engine::Gdma | Engine::Sdma => Self::Dma(Records::new([])),
            Engine::Cdma => Self::Cdma(Records::new([])),
        }
    }

    /// A DMA record's counters; `None` for the TIU and for an index out of range.
    #[must_use]
    #[inline]
    pub fn pmu(&self, chip: &Chip, record: u32) -> Option<Pmu<'d>> {
        let at = record as usize;
        match self {
            Self::Tiu(_) | Self::TiuCv184x(_) | Self::TiuWide(_) => None,
            Self::Dma(records) => {
                let counters = match chip.family {
                    Family::Cv184x => Pmu::Cv184x,
                    Family::Cv84x6 => Pmu::Cv84x6,
                    Family::Aks | Family::Bm1684x | Family::Bm1688 => Pmu::Aks,
                };
                records.get(at).map(counters)
            }
            Self::DmaWide(records) => records.get(at).map(Pmu::Bm1688),
            Self::DmaBm1684x(records) => records.get(at).map(Pmu::Bm1684x),
            Self::Cdma(_) => self.port_record(record).map(Pmu::Cdma),
        }
    }

    /// A record of a CDMA port; `None` for other engines and for an index out of range.
    pub(crate) fn port_record(&self, record: u32) -> Option<&'d CdmaRecord> {
        let Self::Cdma(records) = self else { return None };
        records.get(record as usize)
    }

    /// Thread id and bank conflicts: the word of a 16-byte TIU record that is neither id nor time.
    #[must_use]
    pub fn tiu_flags(&self, record: u32) -> Option<u32> {
        match self {
            Self::Tiu(records) => records.get(record as usize).map(|r| r.flags.get()),
            Self::TiuCv184x(records) => records.get(record as usize).map(|r| r.flags.get()),
            _ => None,
        }
    }

    /// Whether a record looks like a system command's: nothing moved, or the TIU's mark of one.
    pub(crate) fn looks_like_system(&self, chip: &Chip, record: u32) -> bool {
        match self {
            Self::Tiu(_) => {
                chip.family == Family::Aks && self.tiu_flags(record) == Some(SYSTEM_FLAGS)
            }
            Self::TiuCv184x(_) | Self::TiuWide(_) => false,
            _ => self.pmu(chip, record).is_some_and(|p| p.is_idle()),
        }
    }
}

impl Monitor<'_> {
    /// Labels the unbound records that look like those of system commands; see [`label`]. `puts_right`: also what is marked wrongly.
    /// Returns the events of those records.
    pub(crate) fn label(
        &self,
        chip: &Chip,
        events: &mut WideEvents,
        puts_right: bool,
    ) -> Vec<usize> {
        let is_nearly = |record: u32| self.is_bit_from_system(chip, record);
        let is_nearly = puts_right.then_some(&is_nearly as &dyn Fn(u32) -> bool);
        match self {
            Self::TiuCv184x(_) | Self::TiuWide(_) => Vec::new(),
            Self::Tiu(_) if chip.family != Family::Aks => Vec::new(),
            // The same as below, decided once.
            Self::Dma(records) => {
                let is_idle =
                    |record: u32| records.get(record as usize).is_some_and(DmaRecord::is_idle);
                label(events, is_idle, is_nearly)
            }
            _ => label(events, |record| self.looks_like_system(chip, record), is_nearly),
        }
    }

    /// Whether a record would look like a system command's if one bit were another.
    fn is_bit_from_system(&self, chip: &Chip, record: u32) -> bool {
        let bits = match self {
            Self::Tiu(_) if chip.family == Family::Aks => {
                self.tiu_flags(record).map(|flags| (flags ^ SYSTEM_FLAGS).count_ones())
            }
            Self::Dma(records) => records.get(record as usize).map(|record| {
                let valid = [&record.axi_d0_wr_valid, &record.axi_d0_rd_valid];
                valid.into_iter().map(|word| word.get().count_ones()).sum()
            }),
            _ => None,
        };
        bits == Some(1)
    }

    /// Whether a record is certainly not that of a system command: its counters would say so.
    pub(crate) fn shows_work(&self, chip: &Chip, record: u32) -> bool {
        let can_say = match self {
            Self::Tiu(_) => chip.family == Family::Aks,
            Self::Dma(_) | Self::Cdma(_) => true,
            Self::TiuCv184x(_) | Self::TiuWide(_) | Self::DmaWide(_) | Self::DmaBm1684x(_) => false,
        };
        can_say && !self.looks_like_system(chip, record)
    }
}

/// Raw columns of a monitor.
struct Raw {
    times: Vec<(u32, u32)>,
    ids: Vec<u32>,
}

impl Raw {
    fn new<T>(
        records: &Records<'_, T>,
        times: impl Fn(&T) -> (u32, u32),
        id: impl Fn(&T) -> u32,
    ) -> Self {
        Self { times: records.iter().map(times).collect(), ids: records.iter().map(id).collect() }
    }
}

/// A clean monitor.
pub(crate) struct Clean<'d> {
    pub(crate) monitor: Monitor<'d>,
    pub(crate) events: WideEvents,
    /// Where its records are in the file.
    pub(crate) places: Places,
    /// What was wrong with its records, to be told with the launches that they are of.
    pub(crate) faults: Vec<RecordFault>,
}

/// Something that was wrong with a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RecordFault {
    /// The record, or the one behind it where it is left out.
    pub(crate) record: u32,
    /// Offset in the file, in bytes.
    pub(crate) at: Option<u64>,
    pub(crate) message: Message,
}

impl Clean<'_> {
    /// Labels the unbound records that look like those of system commands. `puts_right`: also what is marked wrongly, and tells it.
    pub(crate) fn label(&mut self, chip: &Chip, engine: Engine, puts_right: bool) {
        for event in self.monitor.label(chip, &mut self.events, puts_right) {
            let Some(&record) = self.events.record.get(event) else { continue };
            mark(&mut self.events.marks, record, Quality::Repaired);
            let message = message!("note-wrong-mark", engine = engine.name());
            self.faults.push(RecordFault { record, at: self.places.byte(record), message });
        }
    }

    pub(crate) fn empty(engine: Engine) -> Self {
        Self {
            monitor: Monitor::empty(engine),
            events: WideEvents::default(),
            places: Places::default(),
            faults: Vec::new(),
        }
    }
}

/// Reads and cleans a TIU, GDMA or SDMA monitor block; its times stay in cycles. `ring`: slots of the PMU's ring,
/// where the dump says.
pub(crate) fn clean<'d>(
    chip: &Chip,
    engine: Engine,
    block: &Block<'d>,
    ring: Option<u64>,
    counts: &mut Counts,
    notes: &mut Notes,
) -> Clean<'d> {
    let is_tiu = engine == Engine::Tiu;
    let bytes = if is_tiu { chip.record_bytes.0 } else { chip.record_bytes.1 };
    let found = FoundRecords::find(block, bytes, chip.family == Family::Cv184x && is_tiu, notes);
    let (monitor, mut raw) = match (is_tiu, bytes) {
        (true, 16) if chip.family == Family::Cv184x => {
            let r: Records<'d, Cv184xTiuRecord> = found.records(block);
            let raw = Raw::new(&r, |r| (r.start.get(), r.end.get()), |r| r.id.get() & 0xf_ffff);
            (Monitor::TiuCv184x(r), raw)
        }
        (true, 16) => {
            let r: Records<'d, TiuRecord> = found.records(block);
            let raw = Raw::new(&r, |r| (r.start.get(), r.end.get()), |r| r.id.get());
            (Monitor::Tiu(r), raw)
        }
        (true, _) => {
            let r: Records<'d, TiuWideRecord> = found.records(block);
            let raw = Raw::new(&r, |r| (r.start.get(), r.end.get()), |r| r.id.get().into());
            (Monitor::TiuWide(r), raw)
        }
        (false, 64) => {
            let r: Records<'d, DmaRecord> = found.records(block);
            let raw = Raw::new(&r, |r| (r.start.get(), r.end.get()), |r| r.id.get());
            (Monitor::Dma(r), raw)
        }
        (false, 192) => {
            let r: Records<'d, Bm1684xDmaRecord> = found.records(block);
            let raw = Raw::new(&r, |r| (r.start.get(), r.end.get()), |r| r.id.get() & 0xf_ffff);
            (Monitor::DmaBm1684x(r), raw)
        }
        (false, _) => {
            let r: Records<'d, DmaWideRecord> = found.records(block);
            let raw = Raw::new(&r, |r| (r.start.get(), r.end.get()), |r| r.id.get() & 0xf_ffff);
            (Monitor::DmaWide(r), raw)
        }
    };
    let places = Places::new(bytes, block.offset, &found.pieces);
    let mut faults = found.faults(engine, block, bytes, counts);
    let moved = |i: usize| {
        let pmu = monitor.pmu(chip, u32::try_from(i).ok()?)?;
        Some(pmu.traffic(true, Direction::DDR_TO_DDR).bytes).filter(|bytes| *bytes > 0)
    };
    let wrong_times = repair_times(&mut raw.times, moved);
    counts.read += raw.ids.len() as u64;
    let mut record: Vec<u32> = (0..raw.ids.len() as u32).collect();
    let oldest = ring::oldest_slot(&raw.times, &raw.ids);
    if oldest > 0 {
        raw.times.rotate_left(oldest);
        raw.ids.rotate_left(oldest);
        record.rotate_left(oldest);
        counts.rotated += record.len() as u64;
        let first = raw.ids.first().copied().unwrap_or(0);
        note_lapped(engine, first, raw.ids.len(), ring, Some(block.offset), counts, notes);
    }
    let disorder = if engine == Engine::Sdma { Disorder::Neighbours } else { Disorder::None };
    let (mut id, id_overs) = ids::lift(&raw.ids, disorder);
    let mut start: Vec<i64> = raw.times.iter().map(|t| t.0.into()).collect();
    let mut end: Vec<i64> = raw.times.iter().map(|t| t.1.into()).collect();
    drop(raw);
    if engine == Engine::Sdma {
        let swaps = reorder::swap_by_time(&mut start, &mut end, |i| {
            id.swap(i, i + 1);
            record.swap(i, i + 1);
        });
        counts.reordered += 2 * swaps;
    }
    counts.wrapped += id_overs + clock::unwrap(&mut start, &mut end);
    if engine == Engine::Sdma {
        let swaps = reorder::swap_by_id(&mut id, |i| {
            start.swap(i, i + 1);
            end.swap(i, i + 1);
            record.swap(i, i + 1);
        });
        counts.reordered += 2 * swaps;
    }
    let mut events = WideEvents::new(start, end, id, record);
    tell_times(engine, &wrong_times, &places, &mut events, &mut faults);
    if engine != Engine::Sdma {
        settle_order(engine, &places, &mut events, &mut faults, counts);
    }
    Clean { monitor, events, places, faults }
}

/// Marks the records whose times were put right or are not known, and tells of them.
fn tell_times(
    engine: Engine,
    found: &[TimeFault],
    places: &Places,
    events: &mut WideEvents,
    faults: &mut Vec<RecordFault>,
) {
    let name = engine.name();
    for TimeFault { record, was: (start, end), is_repaired } in found {
        let record = *record as u32;
        let [start, end] = [*start, *end].map(|cycles| Arg::Name(cycles.to_string()));
        let message = match is_repaired {
            true => message!("note-wrong-bit", engine = name, start = start, end = end),
            false => message!("note-wrong-time", engine = name, start = start, end = end),
        };
        let quality = if *is_repaired { Quality::Repaired } else { Quality::Doubtful };
        mark(&mut events.marks, record, quality);
        faults.push(RecordFault { record, at: places.byte(record), message });
    }
}

/// Puts exchanged records in order and leaves out doubled ones.
fn settle_order(
    engine: Engine,
    places: &Places,
    events: &mut WideEvents,
    faults: &mut Vec<RecordFault>,
    counts: &mut Counts,
) {
    let name = engine.name();
    for fault in repair_order(events) {
        let (record, message) = match fault {
            OrderFault::Doubled(record) => {
                counts.trimmed += 1;
                (record, message!("note-record-twice", engine = name))
            }
            OrderFault::Exchanged(first, second) => {
                counts.reordered += 2;
                mark(&mut events.marks, first, Quality::Repaired);
                mark(&mut events.marks, second, Quality::Repaired);
                (second, message!("note-records-exchanged", engine = name))
            }
        };
        faults.push(RecordFault { record, at: places.byte(record), message });
    }
}

/// Where the records of a block are.
struct FoundRecords {
    pieces: Vec<Piece>,
    holes: Vec<Hole>,
}

impl FoundRecords {
    /// `has_id_first`: the id is in front of the times.
    fn find(block: &Block<'_>, size: usize, has_id_first: bool, notes: &mut Notes) -> Self {
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

    fn records<'d, T: PmuRecord>(&self, block: &Block<'d>) -> Records<'d, T> {
        let size = size_of::<T>();
        let piece = |piece: &Piece| block.content.get(piece.at..piece.at + piece.count * size);
        Records::new(self.pieces.iter().filter_map(piece).map(|bytes| records::<T>(bytes).0))
    }

    /// What is between the pieces.
    fn faults(
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

/// Reads and cleans the monitor blocks of a CDMA port: each by itself, then joined.
pub(crate) fn clean_port<'d>(
    blocks: &[Block<'d>],
    mhz: f64,
    counts: &mut Counts,
    notes: &mut Notes,
) -> Clean<'d> {
    const SIZE: usize = size_of::<CdmaRecord>();
    let (mut all, mut places, mut faults) = (Vec::new(), Vec::new(), Vec::new());
    let (mut start, mut end, mut id) = (Vec::new(), Vec::new(), Vec::new());
    let mut wrong_times: Vec<TimeFault> = Vec::new();
    for block in blocks {
        let found = FoundRecords::find(block, SIZE, false, notes);
        for mut fault in found.faults(Engine::Cdma, block, SIZE, counts) {
            fault.record = fault.record.saturating_add(id.len() as u32);
            faults.push(fault);
        }
        let origin = block.offset as usize;
        places.extend(found.pieces.iter().map(|piece| Piece { at: origin + piece.at, ..*piece }));
        let piece = |piece: &Piece| block.content.get(piece.at..piece.at + piece.count * SIZE);
        let pieces = found.pieces.iter().filter_map(piece);
        let pieces: Vec<&'d [CdmaRecord]> = pieces.map(|b| records::<CdmaRecord>(b).0).collect();
        let r: Vec<&CdmaRecord> = pieces.iter().copied().flatten().collect();
        all.extend(pieces);
        let (ids, id_overs) = port_ids(&r);
        let mut times: Vec<(u32, u32)> = r.iter().map(|r| (r.start.get(), r.end.get())).collect();
        let is_receiving = |i: usize| r[i].thread() == PortThread::Receive;
        let wrong = repair_port_times(&mut times, is_receiving).into_iter();
        wrong_times.extend(wrong.map(|w| TimeFault { record: id.len() + w.record, ..w }));
        let mut starts: Vec<i64> = times.iter().map(|t| t.0.into()).collect();
        let mut ends: Vec<i64> = times.iter().map(|t| t.1.into()).collect();
        counts.wrapped += id_overs + clock::unwrap_cdma(&mut starts, &mut ends);
        start.extend(starts);
        end.extend(ends);
        id.extend(ids);
    }
    counts.read += id.len() as u64;
    let record = (0..id.len() as u32).collect();
    let mut events = WideEvents::new(start, end, id, record);
    in_ns(&mut events, mhz);
    let places = Places::new(SIZE, 0, &places);
    tell_times(Engine::Cdma, &wrong_times, &places, &mut events, &mut faults);
    Clean { monitor: Monitor::Cdma(Records::new(all)), events, places, faults }
}

/// The ids of a port's records, and how often they ran over: each thread has a counter of its own.
fn port_ids(records: &[&CdmaRecord]) -> (Vec<i64>, u64) {
    let mut ids = vec![0; records.len()];
    let mut overs = 0;
    for thread in [PortThread::Transmit, PortThread::Receive] {
        let own = || records.iter().enumerate().filter(|(_, record)| record.thread() == thread);
        let raw: Vec<u32> = own().map(|(_, record)| record.command_id()).collect();
        let (lifted, of_thread) = ids::lift(&raw, Disorder::Within(CDMA_DISORDER));
        own().zip(lifted).for_each(|((i, _), id)| ids[i] = id);
        overs += of_thread;
    }
    (ids, overs)
}

/// Turns cycles of a clock of `mhz` into ns.
pub(crate) fn in_ns(events: &mut WideEvents, mhz: f64) {
    events.mhz = mhz;
    for times in [&mut events.start, &mut events.end] {
        clock::all_to_ns(times, mhz);
    }
}

/// Notes a ring whose oldest record has the id `oldest`, with `kept` records in it.
pub(crate) fn note_lapped(
    engine: Engine,
    oldest: u32,
    kept: usize,
    ring: Option<u64>,
    at: Option<u64>,
    counts: &mut Counts,
    notes: &mut Notes,
) {
    let lost = u64::from(oldest);
    counts.lost += lost;
    let kept = kept as u64;
    let doubled = ring.unwrap_or(0).saturating_mul(2);
    let enough = (kept + lost + 1).next_power_of_two().max(doubled);
    let older = match lost {
        0 => Message::new("note-older-unknown"),
        _ => message!("note-older", records = lost),
    };
    let message = message!(
        "note-lapped",
        engine = engine.name(),
        records = kept,
        older = older,
        enough = enough,
    );
    notes.loss_anywhere(at, message);
}
