//! Machines whose nodes are joined by a network: which nodes and switches have links, as a matrix (JSON).
//!
//! Rows and columns are the nodes, then the switches; an entry is the number of parallel links from the row to the
//! column. A message takes a shortest path. Of several shortest ones each pair of devices takes one, in turn (ECMP).

use bigtpu_messages::{ForeignReason as _, error_message};
use serde::Deserialize;

use super::{Hop, Interconnect, MIB, MOST_DEVICES, Routes};
use crate::interconnect_error::InterconnectError;

/// Nodes and switches.
const MOST_PLACES: usize = 512;
/// Equally short paths between two nodes that are used.
const MOST_PATHS: usize = 16;

/// The file. Bandwidths in GB/s are taken as 1024 x 1024 bytes a millisecond, latencies are in ms.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    num_nodes: u32,
    num_gpus_per_node: u32,
    #[serde(default)]
    num_switches: u32,
    /// Bandwidth of one link.
    link_bandwidth: f64,
    #[serde(default)]
    link_latency: f64,
    /// Between the devices of a node.
    #[serde(default = "twenty")]
    intra_node_bandwidth: f64,
    /// Between a device and its node's network port.
    #[serde(default = "thirty_two")]
    pci_bandwidth: f64,
    topology: Vec<Vec<u32>>,
}

fn twenty() -> f64 {
    20.0
}

fn thirty_two() -> f64 {
    32.0
}

/// Paths through the network.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Network {
    places: usize,
    nodes: usize,
    intra_bytes_per_ms: f64,
    pci_bytes_per_ms: f64,
    link_latency_ps: u64,
    /// Bandwidth from each place to each other one.
    bytes_per_ms: Vec<f64>,
    /// The places of each shortest path, by ordered pair of nodes.
    paths: Vec<Vec<Vec<u16>>>,
}

/// Reads a machine with a network.
///
/// # Errors
/// No such JSON, a matrix of another size, numbers that can't be, nodes without a path between them.
pub(super) fn read(text: &str) -> Result<Interconnect, InterconnectError> {
    let file: File = serde_json::from_str(text).map_err(|error| {
        InterconnectError::whole(error_message!("problem-network-file", reason = error.reason()))
    })?;
    let devices = file.num_nodes.saturating_mul(file.num_gpus_per_node);
    if devices == 0 || devices > MOST_DEVICES {
        return Err(InterconnectError::whole(error_message!(
            "problem-devices",
            devices,
            most = MOST_DEVICES
        )));
    }
    let places = (file.num_nodes as usize).saturating_add(file.num_switches as usize);
    let is_square =
        file.topology.len() == places && file.topology.iter().all(|r| r.len() == places);
    if !is_square || places > MOST_PLACES {
        return Err(InterconnectError::whole(error_message!(
            "problem-network-rows",
            rows = places,
            most = MOST_PLACES
        )));
    }
    for (name, value, least) in [
        ("link_bandwidth", file.link_bandwidth, f64::MIN_POSITIVE),
        ("intra_node_bandwidth", file.intra_node_bandwidth, f64::MIN_POSITIVE),
        ("pci_bandwidth", file.pci_bandwidth, f64::MIN_POSITIVE),
        ("link_latency", file.link_latency, 0.0),
    ] {
        if !value.is_finite() || value < least || value > 1e9 {
            return Err(InterconnectError::whole(match least > 0.0 {
                true => error_message!("problem-network-above", name, value),
                false => error_message!("problem-network-least", name, value),
            }));
        }
    }
    let network = Network {
        places,
        nodes: file.num_nodes as usize,
        intra_bytes_per_ms: file.intra_node_bandwidth * MIB,
        pci_bytes_per_ms: file.pci_bandwidth * MIB,
        link_latency_ps: (file.link_latency * 1e9).round() as u64,
        bytes_per_ms: file
            .topology
            .iter()
            .flatten()
            .map(|&links| f64::from(links) * file.link_bandwidth * MIB)
            .collect(),
        paths: shortest_paths(&file.topology, file.num_nodes as usize)?,
    };
    Ok(Interconnect {
        nodes: file.num_nodes,
        devices_per_node: file.num_gpus_per_node,
        memory_bytes: None,
        routes: Routes::Network(network),
    })
}

/// The shortest paths from each node to each other one, in the order of their places.
fn shortest_paths(
    topology: &[Vec<u32>],
    nodes: usize,
) -> Result<Vec<Vec<Vec<u16>>>, InterconnectError> {
    let mut paths = vec![Vec::new(); nodes * nodes];
    for to in 0..nodes {
        let far = distances(topology, to);
        for from in (0..nodes).filter(|&from| from != to) {
            if far[from] == usize::MAX {
                return Err(InterconnectError::whole(error_message!(
                    "problem-network-path",
                    from,
                    to
                )));
            }
            let found = &mut paths[from * nodes + to];
            extend(topology, &far, &mut vec![from as u16], found);
        }
    }
    Ok(paths)
}

/// Links from each place to one of them.
fn distances(topology: &[Vec<u32>], to: usize) -> Vec<usize> {
    let mut far = vec![usize::MAX; topology.len()];
    far[to] = 0;
    let mut reached = std::collections::VecDeque::from([to]);
    while let Some(at) = reached.pop_front() {
        for (place, row) in topology.iter().enumerate() {
            if row[at] > 0 && far[place] == usize::MAX {
                far[place] = far[at] + 1;
                reached.push_back(place);
            }
        }
    }
    far
}

/// Follows each way on which every link leads nearer to the end.
fn extend(topology: &[Vec<u32>], far: &[usize], way: &mut Vec<u16>, found: &mut Vec<Vec<u16>>) {
    let at = way.last().map_or(0, |&at| usize::from(at));
    if far[at] == 0 {
        found.push(way.clone());
        return;
    }
    for (next, &links) in topology[at].iter().enumerate() {
        if found.len() == MOST_PATHS {
            return;
        }
        if links > 0 && far[next] != usize::MAX && far[next] + 1 == far[at] {
            way.push(next as u16);
            extend(topology, far, way, found);
            way.pop();
        }
    }
}

impl Network {
    pub(super) fn most_hops(&self) -> u32 {
        let longest = self.paths.iter().flatten().map(Vec::len).max();
        // A path of n places has n - 1 links; a port at each end.
        longest.map_or(1, |places| places as u32 + 1)
    }

    pub(super) fn links(&self, devices: u32) -> u32 {
        devices * devices + 2 * devices + (self.places * self.places) as u32
    }

    pub(super) fn route(&self, machine: &Interconnect, from: u32, to: u32, out: &mut Vec<Hop>) {
        let devices = machine.devices();
        let (a, b) = (machine.node(from) as usize, machine.node(to) as usize);
        let hop = |link, bytes_per_ms| Hop { link, latency_ps: 0, bytes_per_ms };
        if a == b {
            out.push(hop(from * devices + to, self.intra_bytes_per_ms));
            return;
        }
        let ports = devices * devices;
        let network = ports + 2 * devices;
        out.push(hop(ports + from, self.pci_bytes_per_ms));
        let paths = &self.paths[a * self.nodes + b];
        // All pairs of devices of two nodes take turns, so that the paths share the load.
        let turn = (from % machine.devices_per_node) * machine.devices_per_node
            + to % machine.devices_per_node;
        if let Some(path) = paths.get(turn as usize % paths.len().max(1)) {
            for pair in path.windows(2) {
                let link = usize::from(pair[0]) * self.places + usize::from(pair[1]);
                out.push(Hop {
                    link: network + link as u32,
                    latency_ps: self.link_latency_ps,
                    bytes_per_ms: self.bytes_per_ms[link],
                });
            }
        }
        out.push(hop(ports + devices + to, self.pci_bytes_per_ms));
    }

    /// Between the devices of a node; between nodes the narrowest link of any path.
    pub(super) fn sync_bytes_per_ms(&self) -> (f64, f64) {
        let links = self.paths.iter().flatten().flat_map(|path| path.windows(2));
        let speeds = links.map(|pair| {
            self.bytes_per_ms[usize::from(pair[0]) * self.places + usize::from(pair[1])]
        });
        (self.intra_bytes_per_ms, speeds.fold(self.pci_bytes_per_ms, f64::min))
    }
}
