//! Options of a synthetic cluster.

use bigtpu_messages::{Message, error_message};
use std::str::FromStr;

use bigtpu_chip::Chip;

use super::plant::ClusterPlant;
use crate::{Error, Result};

/// How devices are connected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Topology {
    /// Two devices.
    Pair,
    /// Each device with its two neighbours.
    Ring,
    /// Two rings of half the devices, and a link between peers.
    TwoPlane,
    /// A chain of stages; microbatches go forward only.
    Pipeline,
    /// A chain of stages; microbatches go forward, then gradients go backward.
    PipelineBackward,
    /// Tensor, pipeline and data parallel groups of these sizes.
    Grid(u32, u32, u32),
    /// Each device with each other.
    AllToAll,
}

/// What is communicated in each operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClusterTraffic {
    /// Ring all-reduce.
    AllReduce,
    /// Ring all-gather.
    AllGather,
    /// A chain from rank 0.
    Broadcast,
    /// Microbatches along a pipeline, a tensor parallel and a data parallel group: what the topology says.
    Microbatches,
    /// Every ordered pair.
    AllToAll,
    /// All-reduce, all-gather and broadcast in turn.
    Mixed,
}

/// Which moments of buses the records have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moments {
    /// None: starts and ends only.
    None,
    /// The memory bus's, as on PCIe.
    Memory,
    /// The link's, as on Ethernet.
    Link,
}

/// Options of a synthetic cluster. The same options give the same bytes.
#[derive(Debug, Clone)]
pub struct ClusterOptions {
    /// The chip: one with CDMA ports.
    pub chip: &'static Chip,
    /// Devices.
    pub devices: u32,
    /// How they are connected.
    pub topology: Topology,
    /// What they communicate.
    pub program: ClusterTraffic,
    /// Operations, or steps of a pipeline.
    pub operations: u32,
    /// Microbatches of a pipeline's step.
    pub microbatches: u32,
    /// Chunks of a collective.
    pub chunks: u32,
    /// Bytes of a command.
    pub bytes: u32,
    /// Capture mode, 0 to 2.
    pub mode: u8,
    /// Communication has kernel names.
    pub is_named: bool,
    /// Ids of ports restart with each operation.
    pub has_resets: bool,
    /// Which moments records have.
    pub moments: Moments,
    /// Receives have bytes.
    pub has_receive_bytes: bool,
    /// The two directions of a link are on two ports.
    pub splits_ports: bool,
    /// Links between two neighbours: 1 or 2.
    pub links: u32,
    /// Ranks are permuted over devices.
    pub is_permuted: bool,
    /// Captures begin and end at different operations.
    pub shifts_windows: bool,
    /// ms; clocks start apart by up to this.
    pub offset_ms: f64,
    /// Clocks drift by up to this.
    pub drift_ppm: f64,
    /// ns; standard deviation of the latency.
    pub jitter_ns: f64,
    /// ns by which the pauses between two commands of a port's thread are shorter than the longest, at random.
    pub pause_spread_ns: f64,
    /// ns; latency of a link.
    pub latency_ns: f64,
    /// Latencies of links differ by up to this share.
    pub asymmetry: f64,
    /// Bandwidth of a link.
    pub link_gbps: f64,
    /// us; own work of a rank before each operation.
    pub compute_us: f64,
    /// Devices of a host.
    pub devices_per_host: u32,
    /// Share of a kernel's time in which its operands are loaded before it computes.
    pub load_share: f64,
    /// Records count data in units of so many bytes; what they count is not certain.
    pub byte_unit: u32,
    /// Each rank that sent in an operation writes a flag to its receivers behind it: one-sided, without a partner.
    pub has_writes: bool,
    /// Ports wait for messages before each operation.
    pub has_messages: bool,
    /// The 32-bit counters of all engines wrap in the middle of the run.
    pub wraps: bool,
    /// The traces of the ranks' hosts are written too, as `traces/rank{R}.json`.
    pub has_host_traces: bool,
    /// Drifts change by up to this in the middle of the run.
    pub knot_ppm: f64,
    /// Seed of the random numbers.
    pub seed: u64,
    /// What is wrong.
    pub plants: Vec<ClusterPlant>,
}

impl ClusterOptions {
    /// The defaults for a number of devices.
    ///
    /// # Errors
    /// When the chip is not known.
    pub fn for_devices(devices: u32) -> Result<Self> {
        Ok(Self {
            chip: Chip::find("AKS")?,
            devices,
            topology: if devices == 2 { Topology::Pair } else { Topology::Ring },
            program: ClusterTraffic::AllReduce,
            operations: 20,
            microbatches: 8,
            chunks: 2,
            bytes: 65_536,
            mode: 1,
            is_named: true,
            has_resets: true,
            moments: Moments::Link,
            has_receive_bytes: true,
            splits_ports: false,
            links: 1,
            is_permuted: false,
            shifts_windows: false,
            offset_ms: 5.0,
            drift_ppm: 50.0,
            jitter_ns: 20.0,
            pause_spread_ns: 0.0,
            latency_ns: 300.0,
            asymmetry: 0.0,
            link_gbps: 11.2,
            compute_us: 200.0,
            devices_per_host: 8,
            load_share: 0.0,
            byte_unit: 1,
            has_writes: false,
            has_messages: false,
            wraps: false,
            has_host_traces: false,
            knot_ppm: 0.0,
            seed: 0,
            plants: Vec::new(),
        })
    }

    /// Checks that such a cluster is possible.
    ///
    /// # Errors
    /// [`Error::Options`] says which option is not possible and what is.
    pub fn check(&self) -> Result<()> {
        let n = self.devices;
        let known = |rank: u32| rank < n;
        let what = if self.chip.cdma_ports == 0 {
            error_message!("problem-cluster-chip", chip = self.chip.name)
        } else if !(2..=1024).contains(&n) {
            error_message!("problem-cluster-devices", n)
        } else if self.mode > 2 {
            error_message!("problem-cluster-mode")
        } else if self.mode == 2 && !self.bytes.is_multiple_of(2) {
            error_message!("problem-cluster-even")
        } else if self.has_writes
            && (self.mode == 0 || self.program == ClusterTraffic::Microbatches)
        {
            error_message!("problem-cluster-writes")
        } else if !(0.0..1.0).contains(&self.load_share) || self.byte_unit == 0 {
            error_message!("problem-cluster-loads")
        } else if !(1..=2).contains(&self.links) {
            error_message!("problem-cluster-links")
        } else if self.devices_per_host == 0 {
            error_message!("problem-cluster-host")
        } else if self.operations == 0 || self.operations > 1_000_000 {
            error_message!("problem-cluster-operations")
        } else if self.chunks == 0 || self.microbatches == 0 || self.bytes == 0 {
            error_message!("problem-cluster-chunks")
        } else if !(self.link_gbps > 0.0
            && self.compute_us >= 0.0
            && self.jitter_ns >= 0.0
            && self.pause_spread_ns >= 0.0)
        {
            error_message!("problem-cluster-times")
        } else if let Some(what) = self.topology.objection(n, self.chip) {
            what
        } else if !self.plants.iter().all(|p| p.ranks().iter().all(|&rank| known(rank))) {
            error_message!("problem-cluster-plant", n)
        } else {
            return Ok(());
        };
        Err(Error::Options { what })
    }
}

impl Topology {
    fn objection(self, n: u32, chip: &Chip) -> Option<Message> {
        match self {
            Self::Pair if n != 2 => Some(error_message!("problem-topology-pair")),
            Self::TwoPlane if !n.is_multiple_of(2) || n < 4 => {
                Some(error_message!("problem-topology-two-plane"))
            }
            Self::AllToAll if n > chip.cdma_ports + 1 => Some(error_message!(
                "problem-topology-alltoall",
                most = chip.cdma_ports + 1,
                name = chip.name,
                ports = chip.cdma_ports
            )),
            Self::Grid(tp, pp, dp) => {
                let product = u64::from(tp) * u64::from(pp) * u64::from(dp);
                let what = error_message!("problem-topology-grid", tp, pp, dp, product, n);
                (product != u64::from(n)).then_some(what)
            }
            _ => None,
        }
    }
}

impl FromStr for Topology {
    type Err = Message;

    fn from_str(text: &str) -> std::result::Result<Self, Message> {
        Ok(match text {
            "pair" => Self::Pair,
            "ring" => Self::Ring,
            "two-plane" => Self::TwoPlane,
            "pipeline" => Self::Pipeline,
            "pipeline-backward" => Self::PipelineBackward,
            "alltoall" => Self::AllToAll,
            _ => {
                let sizes = text.strip_prefix("grid:").map(|sizes| {
                    sizes.split('x').filter_map(|n| n.parse().ok()).collect::<Vec<u32>>()
                });
                match sizes.as_deref() {
                    Some(&[tp, pp, dp]) => Self::Grid(tp, pp, dp),
                    _ => {
                        return Err(error_message!("problem-topology"));
                    }
                }
            }
        })
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    /// As many devices as a device has ports, and itself.
    #[test]
    fn all_devices_are_linked_as_far_as_ports_go() {
        let of = |devices| {
            let options = ClusterOptions::for_devices(devices).unwrap();
            ClusterOptions { topology: Topology::AllToAll, ..options }.check()
        };
        assert!(of(12).is_ok());
        let said = of(13).map_err(|error| error.to_string()).unwrap_err();
        assert!(said.contains("2 to 12 devices") && said.contains("AKS has 11"), "{said}");
    }
}
