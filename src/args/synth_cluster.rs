//! Arguments of `bigtpuprofile synth --cluster`.

use crate::exit::failed;
use anyhow::Result;
use bigtpu_messages::message;
use bigtpu_synth::{ClusterOptions, ClusterPlant, ClusterTraffic, Moments, Topology};
use clap::ValueEnum;

/// What a cluster is like; only with --cluster.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Options of --cluster")]
pub(crate) struct ClusterArgs {
    /// Write the dumps of N connected devices, and what really happened as truth.json
    #[arg(long, value_name = "N")]
    pub(crate) cluster: Option<u32>,

    /// Links: pair, ring, two-plane, pipeline, pipeline-backward, alltoall, grid:TPxPPxDP (default: pair for 2 devices,
    /// else ring)
    #[arg(long, value_name = "HOW", requires = "cluster")]
    topology: Option<Topology>,

    /// What is communicated (default: all-reduce; microbatches in pipelines and grids; alltoall where all are linked)
    #[arg(long, value_name = "WHAT", requires = "cluster")]
    program: Option<ProgramArg>,

    /// Operations, or steps of a pipeline
    #[arg(long, value_name = "N", requires = "cluster")]
    operations: Option<u32>,

    /// Microbatches of a pipeline's step
    #[arg(long, value_name = "N", requires = "cluster")]
    microbatches: Option<u32>,

    /// Chunks of a collective
    #[arg(long, value_name = "N", requires = "cluster")]
    chunks: Option<u32>,

    /// Bytes of a command of a port
    #[arg(long, value_name = "N", requires = "cluster")]
    bytes: Option<u32>,

    /// Own work before each operation, in us
    #[arg(long = "compute-us", value_name = "US", requires = "cluster")]
    compute_us: Option<f64>,

    /// Moments of buses in the records
    #[arg(long, value_name = "WHICH", requires = "cluster")]
    moments: Option<MomentsArg>,

    /// Receives have no bytes
    #[arg(long = "no-receive-bytes", requires = "cluster")]
    no_receive_bytes: bool,

    /// Communication has no kernel names
    #[arg(long, requires = "cluster")]
    unnamed: bool,

    /// Ids of ports do not restart with each operation
    #[arg(long = "no-resets", requires = "cluster")]
    no_resets: bool,

    /// The two directions of a link are on two ports
    #[arg(long = "split-ports", requires = "cluster")]
    split_ports: bool,

    /// Links between two neighbours: 1 or 2
    #[arg(long, value_name = "N", requires = "cluster")]
    links: Option<u32>,

    /// Ranks are permuted over devices
    #[arg(long, requires = "cluster")]
    permute: bool,

    /// Captures begin and end at different operations
    #[arg(long = "shift-windows", requires = "cluster")]
    shift_windows: bool,

    /// Clocks start apart by up to this, in ms
    #[arg(long = "offset-ms", value_name = "MS", requires = "cluster")]
    offset_ms: Option<f64>,

    /// Clocks drift by up to this, in ppm
    #[arg(long = "drift-ppm", value_name = "PPM", requires = "cluster")]
    drift_ppm: Option<f64>,

    /// Standard deviation of latencies, in ns
    #[arg(long = "jitter-ns", value_name = "NS", requires = "cluster")]
    jitter_ns: Option<f64>,

    /// Pauses between two commands of a port are shorter than 40 ns by up to this, at random
    #[arg(long = "pause-spread-ns", value_name = "NS", requires = "cluster")]
    pause_spread_ns: Option<f64>,

    /// Latency of a link, in ns
    #[arg(long = "latency-ns", value_name = "NS", requires = "cluster")]
    latency_ns: Option<f64>,

    /// Latencies of links differ by up to this share
    #[arg(long, value_name = "SHARE", requires = "cluster")]
    asymmetry: Option<f64>,

    /// Share of a kernel's time in which its operands are loaded before it computes
    #[arg(long = "load-share", value_name = "SHARE", requires = "cluster")]
    load_share: Option<f64>,

    /// Records count data in units of so many bytes
    #[arg(long = "byte-unit", value_name = "BYTES", requires = "cluster")]
    byte_unit: Option<u32>,

    /// Behind each operation senders write a flag to their receivers, one-sided
    #[arg(long = "flag-writes", requires = "cluster")]
    flag_writes: bool,

    /// Ports wait for messages before each operation
    #[arg(long, requires = "cluster")]
    messages: bool,

    /// Write the traces of the ranks' hosts too, as traces/rank{R}.json
    #[arg(long = "host-traces", requires = "cluster")]
    host_traces: bool,

    /// Drifts change by up to this in the middle of the run, in ppm
    #[arg(long = "knot-ppm", value_name = "PPM", requires = "cluster")]
    knot_ppm: Option<f64>,

    /// Devices of a host
    #[arg(long = "devices-per-host", value_name = "N", requires = "cluster")]
    devices_per_host: Option<u32>,
}

/// `--program`.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum ProgramArg {
    AllReduce,
    AllGather,
    Broadcast,
    Microbatches,
    #[value(name = "alltoall")]
    AllToAll,
    Mixed,
}

/// `--moments`.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum MomentsArg {
    /// Starts and ends only
    None,
    /// The memory bus's, as on PCIe
    M0,
    /// The link's, as on Ethernet
    Ati,
}

impl ClusterArgs {
    /// What the cluster is to be like; `None` without `--cluster`.
    pub(crate) fn options(
        &self,
        chip: Option<&str>,
        mode: Option<u8>,
        seed: u64,
        link_gbps: Option<f64>,
        wraps: bool,
        plants: Vec<ClusterPlant>,
    ) -> Result<Option<ClusterOptions>> {
        let Some(devices) = self.cluster else {
            if let Some(plant) = plants.first() {
                let fault = format!("{plant:?}");
                return Err(failed(message!("error-plant-of-cluster", fault = fault)));
            }
            return Ok(None);
        };
        let defaults = ClusterOptions::for_devices(devices)?;
        let topology = self.topology.unwrap_or(defaults.topology);
        let program = match (self.program, topology) {
            (Some(ProgramArg::AllReduce), _) => ClusterTraffic::AllReduce,
            (Some(ProgramArg::AllGather), _) => ClusterTraffic::AllGather,
            (Some(ProgramArg::Broadcast), _) => ClusterTraffic::Broadcast,
            (Some(ProgramArg::Microbatches), _)
            | (None, Topology::Pipeline | Topology::PipelineBackward | Topology::Grid(..)) => {
                ClusterTraffic::Microbatches
            }
            (Some(ProgramArg::AllToAll), _) | (None, Topology::AllToAll) => {
                ClusterTraffic::AllToAll
            }
            (Some(ProgramArg::Mixed), _) => ClusterTraffic::Mixed,
            (None, _) => defaults.program,
        };
        Ok(Some(ClusterOptions {
            chip: bigtpu_synth::Options::of_chip(chip.unwrap_or("aks"))?.chip,
            topology,
            program,
            operations: self.operations.unwrap_or(defaults.operations),
            microbatches: self.microbatches.unwrap_or(defaults.microbatches),
            chunks: self.chunks.unwrap_or(defaults.chunks),
            bytes: self.bytes.unwrap_or(defaults.bytes),
            mode: mode.unwrap_or(defaults.mode),
            is_named: !self.unnamed,
            has_resets: !self.no_resets,
            moments: match self.moments {
                None => defaults.moments,
                Some(MomentsArg::None) => Moments::None,
                Some(MomentsArg::M0) => Moments::Memory,
                Some(MomentsArg::Ati) => Moments::Link,
            },
            has_receive_bytes: !self.no_receive_bytes,
            splits_ports: self.split_ports,
            links: self.links.unwrap_or(defaults.links),
            is_permuted: self.permute,
            shifts_windows: self.shift_windows,
            offset_ms: self.offset_ms.unwrap_or(defaults.offset_ms),
            drift_ppm: self.drift_ppm.unwrap_or(defaults.drift_ppm),
            jitter_ns: self.jitter_ns.unwrap_or(defaults.jitter_ns),
            pause_spread_ns: self.pause_spread_ns.unwrap_or(defaults.pause_spread_ns),
            latency_ns: self.latency_ns.unwrap_or(defaults.latency_ns),
            asymmetry: self.asymmetry.unwrap_or(defaults.asymmetry),
            link_gbps: link_gbps.unwrap_or(defaults.link_gbps),
            compute_us: self.compute_us.unwrap_or(defaults.compute_us),
            load_share: self.load_share.unwrap_or(defaults.load_share),
            byte_unit: self.byte_unit.unwrap_or(defaults.byte_unit),
            has_writes: self.flag_writes,
            has_messages: self.messages,
            wraps,
            has_host_traces: self.host_traces,
            knot_ppm: self.knot_ppm.unwrap_or(defaults.knot_ppm),
            devices_per_host: self.devices_per_host.unwrap_or(defaults.devices_per_host),
            seed,
            plants,
            ..defaults
        }))
    }
}
