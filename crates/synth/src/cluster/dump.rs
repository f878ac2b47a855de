//! A rank's dump: core 0 computes, the chip's last core drives the ports.

use bigtpu_format::{BlockKind, DmaRecord, GLOBAL_PROFILE, TiuRecord, U32, record_bytes};

use super::commands::{PortCommand, SYSTEM_NS, port_commands};
use super::devices::Devices;
use super::host::TAIL_NS;
use super::options::ClusterOptions;
use super::simulation::Simulation;
use super::words::Words;
use crate::rng::Chance;

/// ns of the device's clock from the start of the preamble to its first record.
const PREAMBLE_NS: f64 = 40_000.0;
/// Bytes that the link moves with a beat.
pub(super) const BEAT_BYTES: u32 = 128;
/// Distance of the preamble's commands, in ns.
const OWN_NS: f64 = 1000.0;

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
    // The firmware's barrier leaves records of every core: a core without a file would be one that was lost.
    let idle = (0..anchor).map(|core| (core, writer.core(core, begin, &[], &[])));
    let anchored = (anchor, writer.core(anchor, begin, &ports, &commands));
    let mut files: Vec<(String, Vec<u8>)> = idle
        .chain([anchored])
        .map(|(core, bytes)| (format!("cdmlib0_{core}.profile"), bytes))
        .collect();
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

/// Writes the files of a rank.
pub(super) struct Writer<'a> {
    pub(super) options: &'a ClusterOptions,
    simulation: &'a Simulation<'a>,
    pub(super) devices: &'a Devices,
    pub(super) rank: u32,
}

impl Writer<'_> {
    /// Cycles of a counter, at 1 GHz, at a moment of the device's clock.
    pub(super) fn cycles(&self, counter: u64, local: f64) -> U32 {
        let cycles = self.base(counter) + local.round() as i64;
        U32::new(cycles.rem_euclid(1 << 32) as u32)
    }

    /// What a counter showed when the device's clock was 0.
    fn base(&self, counter: u64) -> i64 {
        if self.options.wraps {
            return -self.local(self.simulation.end() / 2.0) as i64;
        }
        Chance::seeded(self.options.seed, [self.rank.into(), counter, 25]).next_below(1 << 32)
            as i64
    }

    pub(super) fn local(&self, time: f64) -> f64 {
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

/// When the sync of a port begins, in ns of the device's clock.
pub(super) fn anchor_start(begin: f64, nth: usize) -> f64 {
    begin + (4.0 + nth as f64) * OWN_NS
}
