//! Nodes, sockets and devices of a machine, and the ways between their memories.

use std::collections::BTreeMap;

use serde::Deserialize;

/// A kind of way between memories.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Hop {
    /// Memory bus of a socket.
    Membus,
    /// Between the sockets of a node.
    Upi,
    /// Between nodes.
    Nic,
    /// PCIe from a device to its host.
    PciToHost,
    /// PCIe from the host to a device.
    PciToDev,
    /// Between the devices of a node.
    Nvlink,
}

/// How many of what, how quick each way is, and over which ways a transfer goes.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Topology {
    /// Nodes.
    pub num_nodes: u32,
    /// Sockets of a node.
    pub num_sockets_per_node: u32,
    /// Processors of a socket.
    pub num_cpus_per_socket: u32,
    /// Devices of a socket.
    pub num_gpus_per_socket: u32,
    /// Latencies in ms and bandwidths in GB/s, by kind of way: `membus`, `upi`, `nic`, `pci`,
    /// `nvlink`.
    pub links: BTreeMap<String, LinkRate>,
    /// Ways of a transfer, by places: `inter_node_gpu_fb_mem_to_gpu_fb_mem`.
    pub paths: BTreeMap<String, Vec<Hop>>,
}

/// Rate of one kind of way.
#[derive(Debug, Clone, Copy, PartialEq, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LinkRate {
    /// Latency in ms.
    #[serde(default)]
    pub latency_ms: f64,
    /// Bandwidth in GB/s.
    #[serde(rename = "bandwidth_GBs")]
    pub bandwidth_gbps: f64,
}

impl Topology {
    /// Devices of the machine.
    #[must_use]
    pub fn devices(&self) -> u32 {
        self.num_nodes * self.num_sockets_per_node * self.num_gpus_per_socket
    }
}
