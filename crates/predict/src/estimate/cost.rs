//! Time, energy and bytes of one operator, part by part.

use serde::Serialize;

/// One value for each part of an execution; `None` where the operator has no such part.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct TimeParts {
    /// Arithmetic, in ns.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compute: Option<f64>,
    /// From the device to the host, in ns.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub device_to_host: Option<f64>,
    /// From the host to the device, in ns.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub host_to_device: Option<f64>,
    /// Loading the cache of keys and values, in ns.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kv_load: Option<f64>,
    /// Dispatch of the operator, in ns.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub launch: Option<f64>,
    /// Links between devices, in ns.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub link: Option<f64>,
    /// Main memory, in ns.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mem_transfer: Option<f64>,
}

/// Energy by part, in pJ.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct EnergyParts {
    /// Arithmetic.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compute: Option<f64>,
    /// From the device to the host.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub device_to_host: Option<f64>,
    /// From the host to the device.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub host_to_device: Option<f64>,
    /// The idle machine during the operator's time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub idle: Option<f64>,
    /// Links between devices.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub link: Option<f64>,
    /// Main memory.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub main_mem: Option<f64>,
}

/// Bytes between host and device.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct TransferBytes {
    /// From the device to the host.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub device_to_host: Option<f64>,
    /// From the host to the device.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub host_to_device: Option<f64>,
}

/// Adds to a part that may be absent so far.
pub(crate) fn add(part: &mut Option<f64>, value: f64) {
    *part = Some(part.unwrap_or(0.0) + value);
}

fn add_part(part: &mut Option<f64>, other: Option<f64>) {
    if let Some(value) = other {
        add(part, value);
    }
}

impl TimeParts {
    /// Adds the parts of another execution.
    pub fn add(&mut self, other: &Self) {
        add_part(&mut self.compute, other.compute);
        add_part(&mut self.device_to_host, other.device_to_host);
        add_part(&mut self.host_to_device, other.host_to_device);
        add_part(&mut self.kv_load, other.kv_load);
        add_part(&mut self.launch, other.launch);
        add_part(&mut self.link, other.link);
        add_part(&mut self.mem_transfer, other.mem_transfer);
    }

    /// Returns each part of the time multiplied by `count`.
    #[must_use]
    pub fn times(self, count: f64) -> Self {
        let times = |part: Option<f64>| part.map(|ns| ns * count);
        Self {
            compute: times(self.compute),
            device_to_host: times(self.device_to_host),
            host_to_device: times(self.host_to_device),
            kv_load: times(self.kv_load),
            launch: times(self.launch),
            link: times(self.link),
            mem_transfer: times(self.mem_transfer),
        }
    }

    /// Names and values, absent parts as 0.
    #[must_use]
    pub fn named(&self) -> [(&'static str, f64); 7] {
        [
            ("compute", self.compute),
            ("mem_transfer", self.mem_transfer),
            ("kv_load", self.kv_load),
            ("host_to_device", self.host_to_device),
            ("device_to_host", self.device_to_host),
            ("launch", self.launch),
            ("link", self.link),
        ]
        .map(|(name, value)| (name, value.unwrap_or(0.0)))
    }
}

impl EnergyParts {
    /// Adds the parts of another execution.
    pub fn add(&mut self, other: &Self) {
        add_part(&mut self.compute, other.compute);
        add_part(&mut self.device_to_host, other.device_to_host);
        add_part(&mut self.host_to_device, other.host_to_device);
        add_part(&mut self.idle, other.idle);
        add_part(&mut self.link, other.link);
        add_part(&mut self.main_mem, other.main_mem);
    }

    /// Returns each part of the energy multiplied by `count`.
    #[must_use]
    pub fn times(self, count: f64) -> Self {
        let times = |part: Option<f64>| part.map(|pj| pj * count);
        Self {
            compute: times(self.compute),
            device_to_host: times(self.device_to_host),
            host_to_device: times(self.host_to_device),
            idle: times(self.idle),
            link: times(self.link),
            main_mem: times(self.main_mem),
        }
    }

    /// Names and values, absent parts as 0.
    #[must_use]
    pub fn named(&self) -> [(&'static str, f64); 6] {
        [
            ("compute", self.compute),
            ("main_mem", self.main_mem),
            ("host_to_device", self.host_to_device),
            ("device_to_host", self.device_to_host),
            ("idle", self.idle),
            ("link", self.link),
        ]
        .map(|(name, value)| (name, value.unwrap_or(0.0)))
    }

    /// All parts together, in pJ.
    #[must_use]
    pub fn sum(&self) -> f64 {
        self.named().iter().map(|(_, value)| value).sum()
    }
}

impl TransferBytes {
    /// Adds the bytes of another execution.
    pub fn add(&mut self, other: &Self) {
        add_part(&mut self.device_to_host, other.device_to_host);
        add_part(&mut self.host_to_device, other.host_to_device);
    }
}

/// Cost of one execution, or of several together.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Cost {
    /// Time in ns. Parts overlap, so they may sum to more.
    pub time_ns: f64,
    /// Time by part.
    pub time: TimeParts,
    /// Energy by part.
    pub energy: EnergyParts,
    /// Bytes between host and device.
    pub transfers: TransferBytes,
    /// Operations.
    pub operations: f64,
    /// Bytes of main memory.
    pub memory_bytes: f64,
}

impl Cost {
    /// Adds another execution.
    pub fn add(&mut self, other: &Self) {
        self.time_ns += other.time_ns;
        self.time.add(&other.time);
        self.energy.add(&other.energy);
        self.transfers.add(&other.transfers);
        self.operations += other.operations;
        self.memory_bytes += other.memory_bytes;
    }

    /// So many executions, one after the other, each on so many devices at once: they take their time once, their work and
    /// energy as often as there are devices.
    #[must_use]
    pub fn repeated(mut self, executions: f64, devices: f64) -> Self {
        let all = executions * devices;
        self.time_ns *= executions;
        self.time = self.time.times(executions);
        self.energy = self.energy.times(all);
        self.operations *= all;
        self.memory_bytes *= all;
        self
    }
}
