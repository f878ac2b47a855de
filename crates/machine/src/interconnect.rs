//! Machines: devices, and the links that a message takes between two of them.

mod network;
mod paths_file;

use crate::interconnect_error::InterconnectError;

/// 1024 x 1024 bytes a millisecond: the unit of the published models.
const MIB: f64 = 1_048_576.0;

/// Devices that a machine may have.
pub const MOST_DEVICES: u32 = 256;

/// A step of a message: it takes a link for its latency and its bytes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hop {
    /// The link; a link carries one message at a time.
    pub link: u32,
    /// ps before the first byte.
    pub latency_ps: u64,
    /// Bandwidth.
    pub bytes_per_ms: f64,
}

impl Hop {
    /// Time that the link is taken, in ps.
    #[must_use]
    pub fn time(&self, bytes: u64) -> u64 {
        let ps = bytes as f64 / self.bytes_per_ms * 1e9;
        // `f64::round` is a call of a library, and this is the search's innermost step.
        let whole = ps as u64;
        let rounded = whole.saturating_add(u64::from(ps - whole as f64 >= 0.5));
        self.latency_ps.saturating_add(rounded)
    }
}

/// How a machine finds its links.
#[derive(Debug, Clone, PartialEq)]
enum Routes {
    /// The simple model, version 0.
    Simple { cross_bytes_per_ms: f64, intra_bytes_per_ms: f64, pci_bytes_per_ms: f64 },
    /// Any two devices have a link of their own.
    Direct { bytes_per_ms: f64, latency_ps: u64 },
    /// Bandwidths by the 2018 simulator's rules, which has one link for each pair of part numbers.
    Simulator2018 { cross_bytes_per_ms: f64, intra_bytes_per_ms: f64 },
    /// Paths of a machine file.
    Paths(paths_file::Paths),
    /// Shortest paths through a network.
    Network(network::Network),
}

/// Reads a machine file: `key = value` lines with paths, or a network in JSON.
///
/// # Errors
/// A line, key or number that can't be, and what is missing.
pub fn read_machine_file(text: &str) -> Result<Interconnect, InterconnectError> {
    if text.trim_start().starts_with('{') { network::read(text) } else { paths_file::read(text) }
}

/// A machine.
#[derive(Debug, Clone, PartialEq)]
pub struct Interconnect {
    /// Nodes.
    pub nodes: u32,
    /// Devices of each node.
    pub devices_per_node: u32,
    /// Bytes that each device holds, if that is limited.
    pub memory_bytes: Option<u64>,
    routes: Routes,
}

impl Interconnect {
    /// The simple model: 20 MiB/ms between the devices of a node, 12 MiB/ms shared by the nodes between them, 16 MiB/ms
    /// between a device and its host.
    #[must_use]
    pub fn simple(nodes: u32, devices_per_node: u32) -> Self {
        let cross = 12.0 * MIB / f64::from(nodes.max(1));
        Self {
            nodes,
            devices_per_node,
            memory_bytes: None,
            routes: Routes::Simple {
                intra_bytes_per_ms: 20.0 * MIB,
                cross_bytes_per_ms: cross,
                pci_bytes_per_ms: 16.0 * MIB,
            },
        }
    }

    /// The machine of an operator graph, with the links of the simple model at the graph's bandwidths.
    #[must_use]
    pub fn with_bandwidths(nodes: u32, devices_per_node: u32, intra: f64, cross: f64) -> Self {
        let routes = Routes::Simple {
            intra_bytes_per_ms: intra,
            cross_bytes_per_ms: cross,
            pci_bytes_per_ms: intra.max(cross),
        };
        Self { nodes, devices_per_node, memory_bytes: None, routes }
    }

    /// Devices of which any two are joined by a link of that bandwidth in GB/s and latency in ns.
    #[must_use]
    pub fn uniform(nodes: u32, devices_per_node: u32, gbps: f64, latency_ns: f64) -> Self {
        let bytes_per_ms = gbps * 1e6;
        let latency_ps = (latency_ns * 1e3).round().min(1e18) as u64;
        let routes = Routes::Direct { bytes_per_ms, latency_ps };
        Self { nodes, devices_per_node, memory_bytes: None, routes }
    }

    /// The machine of the 2018 simulator.
    #[must_use]
    pub fn simulator_2018(nodes: u32, devices_per_node: u32, intra: f64, cross: f64) -> Self {
        let routes = Routes::Simulator2018 { intra_bytes_per_ms: intra, cross_bytes_per_ms: cross };
        Self { nodes, devices_per_node, memory_bytes: None, routes }
    }

    /// Number of devices.
    #[must_use]
    pub const fn devices(&self) -> u32 {
        self.nodes * self.devices_per_node
    }

    /// Links that a message takes at most.
    #[must_use]
    pub fn most_hops(&self) -> u32 {
        match &self.routes {
            Routes::Simple { .. } => {
                if self.nodes > 1 {
                    3
                } else {
                    1
                }
            }
            Routes::Direct { .. } | Routes::Simulator2018 { .. } => 1,
            Routes::Paths(paths) => paths.most_hops(),
            Routes::Network(network) => network.most_hops(),
        }
    }

    /// Whether links are those of part numbers.
    #[must_use]
    pub const fn links_parts(&self) -> bool {
        matches!(self.routes, Routes::Simulator2018 { .. })
    }

    /// Whether any two devices have the same link, so that no device differs from another one.
    #[must_use]
    pub const fn is_uniform(&self) -> bool {
        matches!(self.routes, Routes::Direct { .. })
    }

    /// Number of links.
    #[must_use]
    pub fn links(&self) -> u32 {
        let devices = self.devices();
        match &self.routes {
            Routes::Simple { .. } => devices * devices + self.nodes * self.nodes + 2 * devices,
            Routes::Direct { .. } => devices * devices,
            Routes::Simulator2018 { .. } => 64 * 66,
            Routes::Paths(paths) => paths.links(self),
            Routes::Network(network) => network.links(devices),
        }
    }

    /// The node of a device.
    #[must_use]
    pub const fn node(&self, device: u32) -> u32 {
        device / self.devices_per_node
    }

    /// Appends the links from part `from.1` on device `from.0` to part `to.1` on device `to.0`.
    pub fn route(&self, from: (u32, u32), to: (u32, u32), out: &mut Vec<Hop>) {
        let hop = |link, bytes_per_ms| Hop { link, latency_ps: 0, bytes_per_ms };
        match &self.routes {
            Routes::Direct { bytes_per_ms, latency_ps } => {
                let link = from.0 * self.devices() + to.0;
                out.push(Hop { link, latency_ps: *latency_ps, bytes_per_ms: *bytes_per_ms });
            }
            Routes::Simple { cross_bytes_per_ms, intra_bytes_per_ms, pci_bytes_per_ms } => {
                let devices = self.devices();
                let (a, b) = (self.node(from.0), self.node(to.0));
                if a == b {
                    out.push(hop(from.0 * devices + to.0, *intra_bytes_per_ms));
                } else {
                    let nodes = devices * devices;
                    let ports = nodes + self.nodes * self.nodes;
                    out.push(hop(ports + from.0, *pci_bytes_per_ms));
                    out.push(hop(nodes + a * self.nodes + b, *cross_bytes_per_ms));
                    out.push(hop(ports + devices + to.0, *pci_bytes_per_ms));
                }
            }
            Routes::Simulator2018 { cross_bytes_per_ms, intra_bytes_per_ms } => {
                // The 2018 simulator takes `worker % devices_per_node` for the node here; the figures depend on it.
                let same = from.0 % self.devices_per_node == to.0 % self.devices_per_node;
                let speed = if same { *intra_bytes_per_ms } else { *cross_bytes_per_ms };
                out.push(hop((from.1 + 1) * 64 + to.1, speed));
            }
            Routes::Paths(paths) => paths.route(self, from.0, to.0, out),
            Routes::Network(network) => network.route(self, from.0, to.0, out),
        }
    }

    /// Bandwidth between the devices of a node and between nodes, for the synchronisation of weights.
    #[must_use]
    pub fn sync_bytes_per_ms(&self) -> (f64, f64) {
        match &self.routes {
            Routes::Simple { cross_bytes_per_ms, intra_bytes_per_ms, .. }
            | Routes::Simulator2018 { cross_bytes_per_ms, intra_bytes_per_ms } => {
                (*intra_bytes_per_ms, *cross_bytes_per_ms)
            }
            Routes::Direct { bytes_per_ms, .. } => (*bytes_per_ms, *bytes_per_ms),
            Routes::Paths(paths) => paths.sync_bytes_per_ms(self),
            Routes::Network(network) => network.sync_bytes_per_ms(),
        }
    }

    /// A message between two devices: its bandwidth in bytes a ns, its links one after the other, and the ns before its
    /// first byte; `None` for a device with itself.
    #[must_use]
    pub fn message(&self, from: u32, to: u32) -> Option<(f64, f64)> {
        if from == to {
            return None;
        }
        let mut hops = Vec::new();
        self.route((from, 0), (to, 0), &mut hops);
        let bytes_per_ms = match hops.as_slice() {
            [only] => only.bytes_per_ms,
            all => 1.0 / all.iter().map(|hop| 1.0 / hop.bytes_per_ms).sum::<f64>(),
        };
        let latency_ns = hops.iter().map(|hop| hop.latency_ps).sum::<u64>() as f64 / 1e3;
        Some((bytes_per_ms / 1e6, latency_ns))
    }

    /// The slowest message between two devices: the least bandwidth, and the most ns before its first byte; `None` for one
    /// device.
    #[must_use]
    pub fn slowest_message(&self) -> Option<(f64, f64)> {
        let devices = || 0..self.devices();
        let pairs = devices().flat_map(|from| devices().map(move |to| (from, to)));
        pairs.filter_map(|(from, to)| self.message(from, to)).reduce(
            |(least, most), (bytes_per_ns, latency_ns)| {
                (f64::min(least, bytes_per_ns), f64::max(most, latency_ns))
            },
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_two_devices_have_a_link() {
        let machine = Interconnect::uniform(2, 2, 50.0, 1500.0);
        assert_eq!(machine.slowest_message(), Some((50.0, 1500.0)));
        let mut hops = Vec::new();
        machine.route((0, 0), (3, 0), &mut hops);
        assert_eq!(hops.len(), 1);
        assert_eq!(hops[0].time(100), 1_502_000);
        assert_eq!(Interconnect::uniform(1, 1, 50.0, 0.0).slowest_message(), None);
    }

    #[test]
    fn links_of_a_path_follow_one_another() {
        // Between nodes: 16, 6 and 16 MiB/ms.
        let (bytes_per_ns, latency_ns) = Interconnect::simple(2, 1).slowest_message().unwrap();
        let expected = MIB / 1e6 / (1.0 / 16.0 + 1.0 / 6.0 + 1.0 / 16.0);
        assert!((bytes_per_ns / expected - 1.0).abs() < 1e-12);
        assert_eq!(latency_ns, 0.0);
    }
}
