//! A rank's dump: core 0 computes, the chip's last core drives the ports.

use std::collections::BTreeMap;

use bigtpu_format::{
    BlockKind, CdmaRecord, DmaRecord, GLOBAL_PROFILE, TiuRecord, U32, record_bytes,
};

use super::devices::{Devices, is_lost};
use super::host::TAIL_NS;
use super::options::{ClusterOptions, Moments};
use super::plant::ClusterPlant;
use super::simulation::{Pair, Simulation};
use super::words::{NOP, RECEIVE, RX_WAIT, SEND, SYSTEM, TX_WAIT, WRITE, Words};
use crate::rng::Chance;

/// ns of the device's clock from the start of the preamble to its first record.
const PREAMBLE_NS: f64 = 40_000.0;
/// Distance of the preamble's commands, in ns.
const OWN_NS: f64 = 1000.0;
/// ns that a system command takes.
const SYSTEM_NS: f64 = 11.0;
/// ns before an operation's first command at which its port is reset.
const NOP_NS: f64 = 600.0;
/// Bytes that the link moves with a beat.
const BEAT_BYTES: u32 = 128;
/// First id of the firmware's own commands on a port.
const OWN_ID: u32 = 300;

/// ns from an operation's last command to the one-sided write behind it, and the time that it takes.
const WRITE_NS: (f64, f64) = (200.0, 120.0);
/// Bytes of a one-sided write.
const WRITE_BYTES: u32 = 64;

/// A command of a port.
pub(super) struct PortCommand<'p> {
    pub(super) operation: u32,
    pub(super) port: u8,
    /// Type and sub-type.
    pub(super) code: (u8, u8),
    id: u32,
    /// The pair and whether this is its receive; `None` for commands without a partner.
    pub(super) data: Option<(&'p Pair, bool)>,
    /// Bytes that it moves.
    pub(super) bytes: u32,
    /// Chips of source and destination of a one-sided command.
    pub(super) chips: Option<(u8, u8)>,
    number: usize,
    start: f64,
    end: f64,
}

/// Earliest and latest moment of a rank's records, in ns of its clock.
pub(super) fn records_span(
    options: &ClusterOptions,
    simulation: &Simulation<'_>,
    devices: &Devices,
    rank: u32,
) -> (f64, f64) {
    let clock = devices.clock(rank);
    let is_captured = |operation| devices.captures(rank, operation);
    let work = simulation.work.iter().filter(|w| w.rank == rank && is_captured(w.operation));
    let ports = port_commands(options, simulation, devices, rank);
    let moments = work.map(|w| (w.start, w.end)).chain(ports.iter().map(|c| (c.start, c.end)));
    let (first, last) = moments
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(first, last), (start, end)| {
            (first.min(clock.local(start)), last.max(clock.local(end)))
        });
    (first.round(), last.round())
}

/// The files of a rank's dump.
pub(super) fn files(
    options: &ClusterOptions,
    simulation: &Simulation<'_>,
    devices: &Devices,
    rank: u32,
) -> Vec<(String, Vec<u8>)> {
    let writer = Writer { options, simulation, devices, rank };
    let anchor = options.chip.core_num.saturating_sub(1);
    let commands = port_commands(options, simulation, devices, rank);
    let mut ports: Vec<u8> = commands.iter().map(|c| c.port).collect();
    ports.sort_unstable();
    ports.dedup();
    let begin = records_span(options, simulation, devices, rank).0 - PREAMBLE_NS;
    let mut files = vec![
        ("cdmlib0_0.profile".to_owned(), writer.core(0, begin, &[], &[])),
        (format!("cdmlib0_{anchor}.profile"), writer.core(anchor, begin, &ports, &commands)),
    ];
    for (nth, &port) in ports.iter().enumerate() {
        let (_, device) = devices.place(rank);
        let name = format!("cdma{device}_{port}.profile");
        files.push((name, writer.port(port, nth, begin, &commands)));
    }
    let slots = 1 << 20;
    let mut global = format!(
        "arch={}\ncore_num={}\nmax_record_num={slots}\n",
        options.chip.name, options.chip.core_num
    );
    if options.has_host_traces {
        global += &format!("tail_offset_ns={TAIL_NS}\n");
    }
    files.push((GLOBAL_PROFILE.to_owned(), global.into_bytes()));
    files
}

/// All commands of a rank's ports in the order of their dispatch.
fn port_commands<'s>(
    options: &ClusterOptions,
    simulation: &'s Simulation<'_>,
    devices: &Devices,
    rank: u32,
) -> Vec<PortCommand<'s>> {
    let mut queue = PortQueue {
        commands: Vec::new(),
        next: [(u32::MAX, 0); 256],
        sent: BTreeMap::new(),
        devices,
        rank,
    };
    for (number, pair) in simulation.pairs.iter().enumerate() {
        if !devices.captures(rank, pair.operation) {
            continue;
        }
        let Some(link) = simulation.links.all.get(pair.link) else { continue };
        let sides = [(link.from, link.from_port, false), (link.to, link.to_port, true)];
        for (_, port, receives) in sides.into_iter().filter(|(of, ..)| *of == rank) {
            let operation = pair.operation;
            if options.has_writes && queue.sent.values().any(|(of, ..)| *of != operation) {
                queue.write_flags();
            }
            let times = if receives { pair.receive } else { pair.send };
            let place = queue.place(port);
            let is_new = place.0 != operation;
            if is_new && (options.has_resets || place.0 == u32::MAX) {
                *place = (operation, 0);
                let start = times[0] - NOP_NS;
                queue.system(operation, port, NOP, number, start);
                if options.has_messages {
                    let wait = if receives { RX_WAIT } else { TX_WAIT };
                    queue.system(operation, port, wait, number, start + 2.0 * SYSTEM_NS);
                }
            }
            queue.place(port).0 = operation;
            queue.push(PortCommand {
                operation,
                port,
                code: (if receives { RECEIVE } else { SEND }, 0),
                id: 0,
                data: Some((pair, receives)),
                bytes: pair.bytes,
                chips: None,
                number,
                start: times[0],
                end: times[3],
            });
            if !receives {
                queue.sent.insert(port, (operation, link.to));
            }
        }
    }
    if options.has_writes {
        queue.write_flags();
    }
    queue.commands
}

/// A rank's port commands in the making.
struct PortQueue<'p, 'd> {
    commands: Vec<PortCommand<'p>>,
    /// By port: the operation that its ids count for, and the next id.
    next: [(u32, u32); 256],
    /// By port that sent in the operation at hand: the operation and the receiver.
    sent: BTreeMap<u8, (u32, u32)>,
    devices: &'d Devices,
    rank: u32,
}

impl<'p> PortQueue<'p, '_> {
    fn place(&mut self, port: u8) -> &mut (u32, u32) {
        &mut self.next[usize::from(port)]
    }

    fn push(&mut self, command: PortCommand<'p>) {
        let place = self.place(command.port);
        let id = place.1;
        place.1 += 1;
        self.commands.push(PortCommand { id, ..command });
    }

    /// A command that moves nothing.
    fn system(&mut self, operation: u32, port: u8, what: u8, number: usize, start: f64) {
        let (data, chips, bytes, id) = (None, None, 0, 0);
        let (code, end) = ((SYSTEM, what), start + SYSTEM_NS);
        self.push(PortCommand {
            operation,
            port,
            code,
            id,
            data,
            bytes,
            chips,
            number,
            start,
            end,
        });
    }

    /// A one-sided write to each receiver of the operation that is done.
    fn write_flags(&mut self) {
        let sent = std::mem::take(&mut self.sent);
        for (port, (operation, to)) in sent {
            let own = self.commands.iter().filter(|c| c.operation == operation);
            let (number, done) = own.fold((0, 0.0f64), |(_, end), c| (c.number, end.max(c.end)));
            let chip = |rank: u32| self.devices.place(rank).1 as u8;
            let start = done + WRITE_NS.0;
            self.push(PortCommand {
                operation,
                port,
                code: (WRITE, 0),
                id: 0,
                data: None,
                bytes: WRITE_BYTES,
                chips: Some((chip(self.rank), chip(to))),
                number,
                start,
                end: start + WRITE_NS.1,
            });
        }
    }
}

struct Writer<'a> {
    options: &'a ClusterOptions,
    simulation: &'a Simulation<'a>,
    devices: &'a Devices,
    rank: u32,
}

const PORT_COUNTERS: u64 = 1000;

impl Writer<'_> {
    /// Cycles of a counter, at 1 GHz, at a moment of the device's clock.
    fn cycles(&self, counter: u64, local: f64) -> U32 {
        let cycles = self.base(counter) + local.round() as i64;
        U32::new(cycles.rem_euclid(1 << 32) as u32)
    }

    /// What a counter showed when the device's clock was 0.
    fn base(&self, counter: u64) -> i64 {
        if self.options.wraps {
            return -self.local(self.simulation.end() / 2.0) as i64;
        }
        Chance::of(self.options.seed, [self.rank.into(), counter, 25]).below(1 << 32) as i64
    }

    fn local(&self, time: f64) -> f64 {
        self.devices.clock(self.rank).local(time)
    }

    fn core(&self, core: u32, begin: f64, ports: &[u8], commands: &[PortCommand<'_>]) -> Vec<u8> {
        let counter = u64::from(core);
        let (mut tiu, mut gdma, mut sdma) = (Vec::new(), Vec::new(), Vec::new());
        let tiu_record = |start: f64, end: f64, id: u32, flags: u32| TiuRecord {
            start: self.cycles(counter, start),
            end: self.cycles(counter, end),
            id: id.into(),
            flags: flags.into(),
        };
        let dma_record = |start: f64, id: u32| DmaRecord {
            start: self.cycles(counter, start),
            end: self.cycles(counter, start + SYSTEM_NS),
            id: id.into(),
            ..DmaRecord::default()
        };
        let preamble = self.options.chip.preamble as u32;
        for id in 0..preamble {
            let start = begin + f64::from(id) * OWN_NS;
            tiu.extend_from_slice(record_bytes(&tiu_record(start, start + SYSTEM_NS, id, 2)));
            gdma.extend_from_slice(record_bytes(&dma_record(start, id)));
            sdma.extend_from_slice(record_bytes(&dma_record(start, id)));
        }
        for (nth, _) in ports.iter().enumerate() {
            let record = dma_record(anchor_start(begin, nth), preamble + nth as u32);
            sdma.extend_from_slice(record_bytes(&record));
        }
        let mut words = Words::new(self.options, ports);
        if core == 0 {
            let own = self.simulation.work.iter().filter(|w| w.rank == self.rank);
            for work in own.filter(|w| self.devices.captures(self.rank, w.operation)) {
                let (start, end) = (self.local(work.start), self.local(work.end));
                let loaded = self.local(work.loaded);
                let has_load = work.loaded > work.start;
                if has_load {
                    let record =
                        DmaRecord { end: self.cycles(counter, loaded), ..load(start, loaded) };
                    let record = DmaRecord { start: self.cycles(counter, start), ..record };
                    gdma.extend_from_slice(record_bytes(&record));
                }
                tiu.extend_from_slice(record_bytes(&tiu_record(loaded, end, 0, 12)));
                words.kernel(work.kernel, has_load);
            }
        } else {
            let mut operation = None;
            for command in commands {
                if operation != Some(command.operation) {
                    words.close(operation);
                    operation = Some(command.operation);
                    words.open(self.name(command.operation));
                    words.reset_ports(commands, command.operation);
                }
                words.port_command(command);
            }
            words.close(operation);
        }
        let mut file = Vec::new();
        let mut block = |kind: BlockKind, content: &[u8]| {
            file.extend_from_slice(&kind.head(content.len() as u32));
            file.extend_from_slice(content);
        };
        block(BlockKind::MonitorTiu, &tiu);
        block(BlockKind::MonitorGdma, &gdma);
        block(BlockKind::MonitorSdma, &sdma);
        if self.options.mode > 0 {
            if self.options.mode == 2 {
                block(BlockKind::DynExtra, &words.extras);
            }
            block(BlockKind::DynData, &words.bytes);
        }
        file
    }

    /// The kernel's name of an operation.
    fn name(&self, operation: u32) -> Option<&'static str> {
        let kind = self.simulation.operations.get(operation as usize)?.kind;
        let name = match kind {
            "all_reduce" => "sg_api_c2c_all_reduce",
            "all_gather" => "sg_api_c2c_all_gather",
            "broadcast" => "sg_api_c2c_broadcast",
            "alltoall" => "sg_api_c2c_alltoall",
            _ => "sg_api_c2c_p2p",
        };
        self.options.is_named.then_some(name)
    }

    fn port(&self, port: u8, nth: usize, begin: f64, all: &[PortCommand<'_>]) -> Vec<u8> {
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

/// Bytes that memory gives in a ns to the loads of kernels.
const LOAD_GBPS: f64 = 68.0;

/// Counters of a load of kernel operands that takes from `start` to `end`.
fn load(start: f64, end: f64) -> DmaRecord {
    let bytes = ((end - start) * LOAD_GBPS) as u32;
    let beats = U32::new(bytes.div_ceil(BEAT_BYTES));
    DmaRecord {
        axi_d0_ar: beats,
        axi_d0_rd_valid: beats,
        gif_mem_w: bytes.into(),
        gif_wr_valid: beats,
        ..DmaRecord::default()
    }
}

fn anchor_start(begin: f64, nth: usize) -> f64 {
    begin + (4.0 + nth as f64) * OWN_NS
}
