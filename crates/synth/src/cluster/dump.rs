//! A rank's dump: core 0 computes, the chip's last core drives the ports.

use bigtpu_format::{
    BlockKind, CdmaRecord, DmaRecord, GLOBAL_PROFILE, TiuRecord, U32, record_bytes,
};

use super::devices::{Devices, is_lost};
use super::options::{ClusterOptions, Moments};
use super::simulation::{Pair, Simulation};
use super::words::Words;
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

/// A command of a port.
pub(super) struct PortCommand<'p> {
    pub(super) operation: u32,
    pub(super) port: u8,
    id: u32,
    /// The pair and whether this is its receive; `None` for a nop.
    pub(super) data: Option<(&'p Pair, bool)>,
    number: usize,
    start: f64,
    end: f64,
}

/// Earliest moment of a rank's records, in ns of its clock.
pub(super) fn first_record(
    options: &ClusterOptions,
    simulation: &Simulation<'_>,
    devices: &Devices,
    rank: u32,
) -> f64 {
    let clock = devices.clock(rank);
    let work = simulation
        .work
        .iter()
        .filter(|w| w.rank == rank && devices.captures(rank, w.operation))
        .map(|w| clock.local(w.start));
    let ports = port_commands(options, simulation, devices, rank);
    let ports = ports.iter().map(|c| clock.local(c.start));
    work.chain(ports).fold(f64::INFINITY, f64::min).round()
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
    let begin = first_record(options, simulation, devices, rank) - PREAMBLE_NS;
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
    let global = format!(
        "arch={}\ncore_num={}\nmax_record_num={slots}\n",
        options.chip.name, options.chip.core_num
    );
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
    let mut commands: Vec<PortCommand<'s>> = Vec::new();
    // By port: the operation that its ids count for, and the next id.
    let mut next = [(u32::MAX, 0u32); 256];
    for (number, pair) in simulation.pairs.iter().enumerate() {
        if !devices.captures(rank, pair.operation) {
            continue;
        }
        let Some(link) = simulation.links.all.get(pair.link) else { continue };
        let sides = [(link.from, link.from_port, false), (link.to, link.to_port, true)];
        for (_, port, receives) in sides.into_iter().filter(|(of, ..)| *of == rank) {
            let times = if receives { pair.receive } else { pair.send };
            let place = &mut next[usize::from(port)];
            let is_new = place.0 != pair.operation;
            if is_new && (options.has_resets || place.0 == u32::MAX) {
                *place = (pair.operation, 1);
                let start = times[0] - NOP_NS;
                let end = start + SYSTEM_NS;
                let operation = pair.operation;
                let nop = PortCommand { operation, port, id: 0, data: None, number, start, end };
                commands.push(nop);
            }
            place.0 = pair.operation;
            let id = place.1;
            place.1 += 1;
            commands.push(PortCommand {
                operation: pair.operation,
                port,
                id,
                data: Some((pair, receives)),
                number,
                start: times[0],
                end: times[3],
            });
        }
    }
    commands
}

struct Writer<'a> {
    options: &'a ClusterOptions,
    simulation: &'a Simulation<'a>,
    devices: &'a Devices,
    rank: u32,
}

/// What a counter showed when the device's clock was 0.
fn base(seed: u64, rank: u32, counter: u64) -> i64 {
    Chance::of(seed, [rank.into(), counter, 25]).below(1 << 32) as i64
}

const PORT_COUNTERS: u64 = 1000;

impl Writer<'_> {
    /// Cycles of a counter, at 1 GHz, at a moment of the device's clock.
    fn cycles(&self, counter: u64, local: f64) -> U32 {
        let cycles = base(self.options.seed, self.rank, counter) + local.round() as i64;
        U32::new(cycles.rem_euclid(1 << 32) as u32)
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
                tiu.extend_from_slice(record_bytes(&tiu_record(start, end, 0, 12)));
                words.kernel(work.kernel);
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
        let mut file = BlockKind::MonitorCdma.head(records.len() as u32).to_vec();
        file.extend_from_slice(&records);
        file
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
        let bytes = U32::new(pair.bytes);
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

fn anchor_start(begin: f64, nth: usize) -> f64 {
    begin + (4.0 + nth as f64) * OWN_NS
}
