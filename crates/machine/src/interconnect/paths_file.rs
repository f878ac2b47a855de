//! Interconnect files, version 1: `key = value` lines that give links and the path of each kind of message.

use std::collections::BTreeMap;

use bigtpu_messages::error_message;

use super::{Hop, Interconnect, MIB, MOST_DEVICES, Routes};
use crate::interconnect_error::InterconnectError;

/// A kind of link.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Membus,
    Upi,
    Nic,
    PciToHost,
    PciToDevice,
    NvLink,
}

/// Latency and bandwidth of a kind of link.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Rate {
    latency_ms: f64,
    bytes_per_ms: f64,
}

/// Paths between the memories of devices.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Paths {
    devices_per_socket: u32,
    nic_per_socket: bool,
    rates: BTreeMap<Kind, Rate>,
    intra_socket: Vec<Kind>,
    inter_socket: Vec<Kind>,
    inter_node: Vec<Kind>,
}

const NAMES: [(&str, Kind); 6] = [
    ("membus", Kind::Membus),
    ("upi", Kind::Upi),
    ("nic", Kind::Nic),
    ("pci_to_host", Kind::PciToHost),
    ("pci_to_dev", Kind::PciToDevice),
    ("nvlink", Kind::NvLink),
];

/// Reads a machine file. GB/s are taken as 1024 x 1024 bytes a millisecond, as the published simulator does.
///
/// # Errors
/// A line that is no `key = value`, an unknown key or link, or a key that is missing.
pub(super) fn read(text: &str) -> Result<Interconnect, InterconnectError> {
    let mut values: BTreeMap<String, (usize, String)> = BTreeMap::new();
    for (line, content) in (1..).zip(text.lines()) {
        let content = content.split('#').next().unwrap_or_default().trim();
        if content.is_empty() {
            continue;
        }
        let (key, value) = content
            .split_once('=')
            .ok_or_else(|| InterconnectError::line(line, error_message!("problem-paths-line")))?;
        values.insert(key.trim().to_owned(), (line, value.trim().to_owned()));
    }
    let get = |key: &str| {
        values
            .get(key)
            .ok_or_else(|| InterconnectError::whole(error_message!("problem-paths-missing", key)))
    };
    let number = |key: &str| {
        let (line, text) = get(key)?;
        let number: f64 = text.parse().map_err(|_| {
            InterconnectError::line(*line, error_message!("problem-paths-number", key, text))
        })?;
        if number.is_finite() && number >= 0.0 {
            Ok(number)
        } else {
            Err(InterconnectError::line(*line, error_message!("problem-paths-least", key, text)))
        }
    };
    let count = |key: &str| {
        let (line, text) = get(key)?;
        let count = text.parse::<u32>().ok().filter(|&n| n > 0 && n <= MOST_DEVICES);
        count.ok_or_else(|| {
            InterconnectError::line(
                *line,
                error_message!("problem-paths-count", key, most = MOST_DEVICES, text),
            )
        })
    };
    let path = |key: &str| -> Result<Vec<Kind>, InterconnectError> {
        let (line, text) = get(key)?;
        let kinds = text.split_whitespace().map(|name| {
            let known = NAMES.iter().find(|(known, _)| *known == name).map(|(_, kind)| *kind);
            known.ok_or_else(|| {
                InterconnectError::line(*line, error_message!("problem-paths-link", name))
            })
        });
        kinds.collect()
    };
    let mut rates = BTreeMap::new();
    for (name, kinds) in [
        ("membus", &[Kind::Membus][..]),
        ("upi", &[Kind::Upi]),
        ("nic", &[Kind::Nic]),
        ("pci", &[Kind::PciToHost, Kind::PciToDevice]),
        ("nvlink", &[Kind::NvLink]),
    ] {
        let latency_ms = number(&format!("{name}_latency"))?;
        let speed = number(&format!("{name}_bandwidth"))?;
        if speed <= 0.0 {
            return Err(InterconnectError::whole(error_message!("problem-paths-bandwidth", name)));
        }
        // A message takes an outgoing and an incoming port of these, each with half of the latency.
        let ports = if matches!(name, "upi" | "nic") { 2.0 } else { 1.0 };
        let rate = Rate { latency_ms: latency_ms / ports, bytes_per_ms: speed * MIB * ports };
        rates.extend(kinds.iter().map(|&kind| (kind, rate)));
    }
    let (nodes, sockets) = (count("num_nodes")?, count("num_sockets_per_node")?);
    let devices_per_socket = count("num_gpus_per_socket")?;
    let devices_per_node = sockets.saturating_mul(devices_per_socket);
    if nodes.saturating_mul(devices_per_node) > MOST_DEVICES {
        return Err(InterconnectError::whole(error_message!(
            "problem-paths-devices",
            most = MOST_DEVICES
        )));
    }
    let paths = Paths {
        devices_per_socket,
        nic_per_socket: values.get("nic_persocket").is_some_and(|(_, text)| text != "0"),
        rates,
        intra_socket: path("intra_socket_gpu_fb_mem_to_gpu_fb_mem")?,
        inter_socket: path("inter_socket_gpu_fb_mem_to_gpu_fb_mem")?,
        inter_node: path("inter_node_gpu_fb_mem_to_gpu_fb_mem")?,
    };
    Ok(Interconnect { nodes, devices_per_node, memory_bytes: None, routes: Routes::Paths(paths) })
}

/// Links of each kind and direction are numbered by where they are; this many kinds and directions.
const DIRECTIONS: u32 = 8;

impl Paths {
    pub(super) fn most_hops(&self) -> u32 {
        let hops = |path: &[Kind]| {
            path.iter().map(|kind| if matches!(kind, Kind::Upi | Kind::Nic) { 2 } else { 1 }).sum()
        };
        [&self.intra_socket, &self.inter_socket, &self.inter_node]
            .map(|path| hops(path))
            .into_iter()
            .max()
            .unwrap_or(1)
    }

    pub(super) fn links(&self, machine: &Interconnect) -> u32 {
        DIRECTIONS * machine.devices() + machine.devices() * machine.devices()
    }

    fn path(&self, machine: &Interconnect, from: u32, to: u32) -> &[Kind] {
        if machine.node(from) != machine.node(to) {
            &self.inter_node
        } else if from / self.devices_per_socket != to / self.devices_per_socket {
            &self.inter_socket
        } else {
            &self.intra_socket
        }
    }

    pub(super) fn route(&self, machine: &Interconnect, from: u32, to: u32, out: &mut Vec<Hop>) {
        let devices = machine.devices();
        let socket = |device: u32| device / self.devices_per_socket;
        let port =
            |device: u32| if self.nic_per_socket { socket(device) } else { machine.node(device) };
        for kind in self.path(machine, from, to) {
            let rate = self
                .rates
                .get(kind)
                .copied()
                .unwrap_or(Rate { latency_ms: 0.0, bytes_per_ms: MIB });
            let links: &[u32] = match kind {
                Kind::NvLink => &[DIRECTIONS * devices + from * devices + to],
                Kind::Membus => &[socket(from)],
                Kind::PciToHost => &[devices + from],
                Kind::PciToDevice => &[2 * devices + to],
                Kind::Upi => &[3 * devices + socket(from), 4 * devices + socket(to)],
                Kind::Nic => &[5 * devices + port(from), 6 * devices + port(to)],
            };
            let latency_ps = (rate.latency_ms * 1e9).round() as u64;
            out.extend(links.iter().map(|&link| Hop {
                link,
                latency_ps,
                bytes_per_ms: rate.bytes_per_ms,
            }));
        }
    }

    /// The narrowest link of the paths within a node and between nodes.
    pub(super) fn sync_bytes_per_ms(&self, machine: &Interconnect) -> (f64, f64) {
        let narrowest = |path: &[Kind]| {
            let speeds =
                path.iter().filter_map(|kind| self.rates.get(kind)).map(|rate| rate.bytes_per_ms);
            speeds.fold(f64::INFINITY, f64::min)
        };
        let within = if machine.devices_per_node > self.devices_per_socket {
            narrowest(&self.inter_socket)
        } else {
            narrowest(&self.intra_socket)
        };
        (within, narrowest(&self.inter_node))
    }
}
