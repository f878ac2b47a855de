//! The file of a port: its records.

use bigtpu_format::{BlockKind, CdmaRecord, U32, record_bytes};

use super::commands::{PortCommand, SYSTEM_NS};
use super::devices::is_lost;
use super::dump::{BEAT_BYTES, Writer, anchor_start};
use super::options::Moments;
use super::plant::ClusterPlant;
use super::simulation::Pair;

/// First id of the firmware's own commands on a port.
const OWN_ID: u32 = 300;
/// Number of the first port's counter.
const PORT_COUNTERS: u64 = 1000;

impl Writer<'_> {
    /// The file of a port, the `nth` of the rank, of all commands of the rank.
    pub(super) fn port(
        &self,
        port: u8,
        nth: usize,
        begin: f64,
        all: &[PortCommand<'_>],
    ) -> Vec<u8> {
        let counter = PORT_COUNTERS + u64::from(port);
        let plain = |start: f64, end: f64, id: u32| CdmaRecord {
            start: self.cycles(counter, start),
            end: self.cycles(counter, end),
            id: id.into(),
            ..CdmaRecord::default()
        };
        // The first ends with the send of the sync.
        let start = anchor_start(begin, nth);
        let mut records = record_bytes(&plain(start, start + SYSTEM_NS, OWN_ID)).to_vec();
        let next = start + 2.0 * SYSTEM_NS;
        records.extend_from_slice(record_bytes(&plain(next, next + SYSTEM_NS, OWN_ID + 1)));
        let mut commands: Vec<&PortCommand<'_>> = all.iter().filter(|c| c.port == port).collect();
        // Records come in the order of their ends.
        commands.sort_by(|a, b| a.end.total_cmp(&b.end));
        for command in commands {
            let (start, end) = (self.local(command.start), self.local(command.end));
            let record = plain(start, end, command.id + 1);
            let record = match command.data {
                None if command.bytes > 0 => self.written(record, counter, command),
                None => record,
                Some((_, receives))
                    if is_lost(self.options, self.rank, command.number, receives) =>
                {
                    continue;
                }
                Some((pair, receives)) => self.data(record, counter, pair, receives),
            };
            records.extend_from_slice(record_bytes(&record));
        }
        let is_full = self.options.plants.contains(&ClusterPlant::RingFull { rank: self.rank });
        if is_full {
            records = ring(&records);
        }
        let mut file = BlockKind::MonitorCdma.head(records.len() as u32).to_vec();
        file.extend_from_slice(&records);
        file
    }

    /// The record of a one-sided write.
    fn written(
        &self,
        mut record: CdmaRecord,
        counter: u64,
        command: &PortCommand<'_>,
    ) -> CdmaRecord {
        let (start, end) = (command.start, command.end);
        let moments = [start + 0.4 * (end - start), start + 0.6 * (end - start)];
        let moments = moments.map(|time| self.cycles(counter, self.local(time)));
        (record.m0_data_aw, record.m0_data_ar) = (command.bytes.into(), command.bytes.into());
        (record.m0_data_rd_valid, record.ati_data_valid) = (1.into(), 1.into());
        match self.options.moments {
            Moments::None => {}
            Moments::Memory => (record.m0_wr, record.m0_b) = (moments, moments),
            Moments::Link => (record.ati_data, record.m0_rd) = (moments, moments),
        }
        record
    }

    fn data(
        &self,
        mut record: CdmaRecord,
        counter: u64,
        pair: &Pair,
        receives: bool,
    ) -> CdmaRecord {
        let times = if receives { pair.receive } else { pair.send };
        let moments = [times[1], times[2]].map(|time| self.cycles(counter, self.local(time)));
        let beats = U32::new(pair.bytes / BEAT_BYTES);
        let bytes = U32::new(pair.bytes / self.options.byte_unit);
        if receives {
            record.id = (record.id.get() | 1 << 24).into();
            if self.options.has_receive_bytes {
                (record.m0_data_aw, record.m0_data_wr) = (bytes, bytes);
                (record.m0_data_wr_valid, record.ari_data_valid) = (beats, beats);
            }
        } else {
            (record.m0_data_aw, record.m0_data_ar) = (bytes, bytes);
            (record.m0_data_rd_valid, record.ati_data_valid) = (beats, beats);
            record.replay_number = pair.replays.into();
        }
        match (self.options.moments, receives) {
            (Moments::None, _) => {}
            (Moments::Memory, _) => (record.m0_wr, record.m0_b) = (moments, moments),
            (Moments::Link, false) => (record.ati_data, record.m0_rd) = (moments, moments),
            (Moments::Link, true) => (record.ari_data, record.m0_wr) = (moments, moments),
        }
        record
    }
}

/// The slots of a ring that has room for three quarters of the records.
fn ring(records: &[u8]) -> Vec<u8> {
    let size = size_of::<CdmaRecord>();
    let count = records.len() / size;
    let slots = (count * 3 / 4).max(1);
    // Where the next record would go: the oldest is there.
    let oldest = count % slots;
    let kept = records.get((count - slots) * size..).unwrap_or_default();
    let (early, late) = kept.split_at_checked((slots - oldest) * size).unwrap_or((kept, &[]));
    [late, early].concat()
}
