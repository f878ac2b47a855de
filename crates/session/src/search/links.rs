//! Links of a plan, and who says what they are.

use bigtpu_machine::Interconnect;
use bigtpu_messages::{Message, message};
use serde::Serialize;

use super::SearchRequest;

/// Who says what a link is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum LinkSource {
    /// `--link-gbps`, `--link-latency`.
    Option,
    /// The records of the dump.
    Measured,
    /// The description of the device.
    Published,
    /// The machine file: the slowest message between two of its devices.
    MachineFile,
    /// Nobody: no latency is charged.
    Assumed,
}

impl LinkSource {
    /// In a sentence.
    #[must_use]
    pub fn word(self) -> Message {
        match self {
            Self::Option => message!("search-as-given"),
            Self::Measured => message!("search-as-measured"),
            Self::Published => message!("search-as-published"),
            Self::MachineFile => message!("search-slowest"),
            Self::Assumed => message!("search-assumed"),
        }
    }
}

/// The links that were charged.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct ChargedLinks {
    /// Bandwidth in one direction, in GB/s.
    pub gbps: f64,
    /// Who says it.
    pub gbps_from: LinkSource,
    /// ns before the first byte of a message.
    pub latency_ns: f64,
    /// Who says it.
    pub latency_from: LinkSource,
}

/// A machine, and its links where one number describes them.
pub(super) struct Planned {
    pub(super) machine: Interconnect,
    pub(super) links: Option<ChargedLinks>,
}

/// What a dump or the description of the device says of the links between devices.
pub(super) struct Known<'a> {
    /// Their bandwidth, in GB/s.
    pub(super) gbps: Option<f64>,
    /// ns before the first byte of a message; 0: nothing is said.
    pub(super) latency_ns: f64,
    /// Whose links they are.
    pub(super) of: &'a str,
    /// Who says it.
    pub(super) source: LinkSource,
}

impl ChargedLinks {
    /// Links with the sources of both numbers.
    pub(super) fn new(request: &SearchRequest, known: LinkSource, gbps: f64, latency: f64) -> Self {
        let latency_from = match request.link_latency {
            Some(_) => LinkSource::Option,
            None if latency > 0.0 => known,
            None => LinkSource::Assumed,
        };
        let gbps_from = if request.link_gbps.is_some() { LinkSource::Option } else { known };
        Self { gbps, gbps_from, latency_ns: latency, latency_from }
    }

    /// The slowest message between two devices of a machine file; `None` for one device.
    pub(super) fn of_file(machine: &Interconnect) -> Option<Self> {
        let (bytes_per_ns, latency_ns) = machine.slowest_message()?;
        let from = LinkSource::MachineFile;
        Some(Self { gbps: bytes_per_ns, gbps_from: from, latency_ns, latency_from: from })
    }
}
