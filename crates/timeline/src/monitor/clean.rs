//! Reads and cleans the monitor of an engine of a core.

use bigtpu_chip::{Chip, Direction, Engine, Family};
use bigtpu_format::{
    Block, Bm1684xDmaRecord, Cv184xTiuRecord, DmaRecord, DmaWideRecord, TiuRecord, TiuWideRecord,
};
use bigtpu_messages::message;

use super::found_records::FoundRecords;
use super::{Clean, Monitor, RecordFault, note_lapped, tell_times};
use crate::clock;
use crate::ids::{self, Disorder};
use crate::ledger::{Counts, Notes};
use crate::quality::{Quality, mark};
use crate::reorder;
use crate::ring;
use crate::sound::{OrderFault, Places, Records, repair_order, repair_times};
use crate::wide_events::WideEvents;

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
