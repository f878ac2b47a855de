//! Reads and cleans the monitor of a CDMA port, whose threads each count their own ids.

use bigtpu_chip::Engine;
use bigtpu_format::{Block, CdmaRecord, PortThread, records};

use super::found_records::FoundRecords;
use super::{Clean, Monitor, in_ns, tell_times};
use crate::clock;
use crate::ids::{self, Disorder};
use crate::ledger::{Counts, Notes};
use crate::port_repair::CDMA_DISORDER;
use crate::sound::{Piece, Places, Records, TimeFault, repair_port_times};
use crate::wide_events::WideEvents;

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
