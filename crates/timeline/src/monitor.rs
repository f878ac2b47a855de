//! A monitor's records become clean events (section 5): rotated, ids lifted, times unwrapped,
//! disorder undone, cycles turned into ns.

use bigtpu_chip::{Chip, Engine, Family, Pmu};
use bigtpu_format::{
    Block, Bm1684xDmaRecord, CdmaRecord, Cv184xTiuRecord, DmaRecord, DmaWideRecord, PortThread,
    TiuRecord, TiuWideRecord, bytes_before_zero_record, records,
};

use crate::clock;
use crate::ids::{self, Disorder};
use crate::label::label;
use crate::ledger::{Counts, Notes};
use crate::port_repair::CDMA_DISORDER;
use crate::reorder;
use crate::ring;
use crate::wide_events::WideEvents;

/// An engine's PMU records as they are in the file.
#[derive(Debug, Clone)]
pub enum Monitor<'d> {
    /// AKS, AKSV, CV84X6.
    Tiu(&'d [TiuRecord]),
    /// CV184X.
    TiuCv184x(&'d [Cv184xTiuRecord]),
    /// BM1688, BM1684X.
    TiuWide(&'d [TiuWideRecord]),
    /// AKS, AKSV, CV184X, CV84X6.
    Dma(&'d [DmaRecord]),
    /// BM1688.
    DmaWide(&'d [DmaWideRecord]),
    /// BM1684X.
    DmaBm1684x(&'d [Bm1684xDmaRecord]),
    /// The blocks of a CDMA port, each with the index of its first record.
    Cdma(Vec<(u32, &'d [CdmaRecord])>),
}

impl<'d> Monitor<'d> {
    /// No records.
    #[must_use]
    pub(crate) fn empty(engine: Engine) -> Self {
        match engine {
            Engine::Tiu => Self::Tiu(&[]),
            Engine::Gdma | Engine::Sdma => Self::Dma(&[]),
            Engine::Cdma => Self::Cdma(Vec::new()),
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
        let Self::Cdma(blocks) = self else { return None };
        let block = blocks.partition_point(|(first, _)| *first <= record).checked_sub(1)?;
        let (first, records) = blocks.get(block)?;
        records.get((record - first) as usize)
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
            Self::Tiu(_) => chip.family == Family::Aks && self.tiu_flags(record) == Some(2),
            Self::TiuCv184x(_) | Self::TiuWide(_) => false,
            _ => self.pmu(chip, record).is_some_and(|p| p.is_idle()),
        }
    }
}

impl Monitor<'_> {
    /// Labels the unbound records that look like those of system commands; see [`label`].
    pub(crate) fn label(&self, chip: &Chip, events: &mut WideEvents) {
        match self {
            Self::TiuCv184x(_) | Self::TiuWide(_) => {}
            Self::Tiu(_) if chip.family != Family::Aks => {}
            // The same as below, decided once.
            Self::Dma(records) => {
                label(events, |record| {
                    records.get(record as usize).is_some_and(DmaRecord::is_idle)
                });
            }
            _ => label(events, |record| self.looks_like_system(chip, record)),
        }
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
    fn of<T>(records: &[T], times: impl Fn(&T) -> (u32, u32), id: impl Fn(&T) -> u32) -> Self {
        Self { times: records.iter().map(times).collect(), ids: records.iter().map(id).collect() }
    }
}

/// A clean monitor.
pub(crate) struct Clean<'d> {
    pub(crate) monitor: Monitor<'d>,
    pub(crate) events: WideEvents,
}

impl Clean<'_> {
    pub(crate) fn empty(engine: Engine) -> Self {
        Self { monitor: Monitor::empty(engine), events: WideEvents::default() }
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
    let block = &without_zero_records(block, bytes, notes);
    let (monitor, mut raw, tail) = match (is_tiu, bytes) {
        (true, 16) if chip.family == Family::Cv184x => {
            let (r, tail) = records::<Cv184xTiuRecord>(block.content);
            let raw = Raw::of(r, |r| (r.start.get(), r.end.get()), |r| r.id.get() & 0xf_ffff);
            (Monitor::TiuCv184x(r), raw, tail)
        }
        (true, 16) => {
            let (r, tail) = records::<TiuRecord>(block.content);
            let raw = Raw::of(r, |r| (r.start.get(), r.end.get()), |r| r.id.get());
            (Monitor::Tiu(r), raw, tail)
        }
        (true, _) => {
            let (r, tail) = records::<TiuWideRecord>(block.content);
            let raw = Raw::of(r, |r| (r.start.get(), r.end.get()), |r| r.id.get().into());
            (Monitor::TiuWide(r), raw, tail)
        }
        (false, 64) => {
            let (r, tail) = records::<DmaRecord>(block.content);
            let raw = Raw::of(r, |r| (r.start.get(), r.end.get()), |r| r.id.get());
            (Monitor::Dma(r), raw, tail)
        }
        (false, 192) => {
            let (r, tail) = records::<Bm1684xDmaRecord>(block.content);
            let raw = Raw::of(r, |r| (r.start.get(), r.end.get()), |r| r.id.get() & 0xf_ffff);
            (Monitor::DmaBm1684x(r), raw, tail)
        }
        (false, _) => {
            let (r, tail) = records::<DmaWideRecord>(block.content);
            let raw = Raw::of(r, |r| (r.start.get(), r.end.get()), |r| r.id.get() & 0xf_ffff);
            (Monitor::DmaWide(r), raw, tail)
        }
    };
    ragged(block, tail, bytes, counts, notes);
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
    Clean { monitor, events: WideEvents::new(start, end, id, record) }
}

/// Reads and cleans the monitor blocks of a CDMA port: each by itself, then joined.
pub(crate) fn clean_port<'d>(
    blocks: &[Block<'d>],
    mhz: f64,
    counts: &mut Counts,
    notes: &mut Notes,
) -> Clean<'d> {
    let mut parts = Vec::new();
    let (mut start, mut end, mut id) = (Vec::new(), Vec::new(), Vec::new());
    for block in blocks {
        let block = &without_zero_records(block, size_of::<CdmaRecord>(), notes);
        let (r, tail) = records::<CdmaRecord>(block.content);
        ragged(block, tail, size_of::<CdmaRecord>(), counts, notes);
        let (ids, id_overs) = port_ids(r);
        let mut starts: Vec<i64> = r.iter().map(|r| r.start.get().into()).collect();
        let mut ends: Vec<i64> = r.iter().map(|r| r.end.get().into()).collect();
        counts.wrapped += id_overs + clock::unwrap_cdma(&mut starts, &mut ends);
        parts.push((start.len() as u32, r));
        start.extend(starts);
        end.extend(ends);
        id.extend(ids);
    }
    counts.read += id.len() as u64;
    let record = (0..id.len() as u32).collect();
    let mut events = WideEvents::new(start, end, id, record);
    in_ns(&mut events, mhz);
    Clean { monitor: Monitor::Cdma(parts), events }
}

/// The ids of a port's records, and how often they ran over: each thread has a counter of its own.
fn port_ids(records: &[CdmaRecord]) -> (Vec<i64>, u64) {
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

/// The block up to its first record that is all zero. What is behind it and not zero is reported.
fn without_zero_records<'d>(block: &Block<'d>, record: usize, notes: &mut Notes) -> Block<'d> {
    let valid = bytes_before_zero_record(block.content, record);
    let (content, rest) = block.content.split_at_checked(valid).unwrap_or((block.content, &[]));
    let behind = rest.chunks(record).filter(|r| r.iter().any(|&b| b != 0)).count();
    if behind > 0 {
        let text = format!(
            "{}: {behind} records after an all-zero record, which ends a monitor, are left out",
            block.kind.name()
        );
        notes.loss(block.offset + valid as u64, (behind * record) as u64, text);
    }
    Block { content, ..*block }
}

fn ragged(block: &Block<'_>, tail: usize, record: usize, counts: &mut Counts, notes: &mut Notes) {
    if tail > 0 {
        counts.lost += 1;
        let at = block.offset + (block.content.len() - tail) as u64;
        let name = block.kind.name();
        let text =
            format!("{name} ends with an incomplete record ({tail} of {record} bytes); left out");
        notes.loss(at, tail as u64, text);
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
        0 => "an unknown number of older ones was overwritten".to_owned(),
        _ => format!("at least {lost} older ones were overwritten"),
    };
    notes.loss_anywhere(
        at,
        format!(
            "{} PMU ring overflowed: only the last {kept} records are left, {older}; profile again with \
             max_record_num={enough} or more (docs/capture.md)",
            engine.name()
        ),
    );
}
