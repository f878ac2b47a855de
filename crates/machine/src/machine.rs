//! A whole machine: all its cores and chips together.

use std::collections::BTreeMap;

use bigtpu_chip::Chip;
use bigtpu_messages::Message;

use crate::array::Array;
use crate::data_type::DataType;
use crate::roofs::Hardware;

/// A way for data: bandwidth, energy and latency. What is `None` is not known.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Link {
    /// Bandwidth in GB/s (1e9 bytes a second, so bytes a nanosecond).
    pub gbps: Option<f64>,
    /// Energy in pJ a bit.
    pub pj_per_bit: Option<f64>,
    /// Latency of a transfer in ns.
    pub latency_ns: f64,
}

/// Time of one element in functions that some machines compute element by element, in ns.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ElementTimes {
    /// Softmax.
    pub softmax: Option<f64>,
    /// SiLU.
    pub silu: Option<f64>,
    /// RMS normalization.
    pub rms_norm: Option<f64>,
}

/// A machine that models are estimated on. Rates are those of the whole machine.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Machine {
    /// Name, in the form that mappings use: `PIM-AI-4chip`.
    pub name: String,
    /// Cores of a chip.
    pub cores: u32,
    /// Chips.
    pub chips: u32,
    /// Peak at half precision in tera-operations a second.
    pub tflops: f64,
    /// Peaks of single data types in tera-operations a second.
    pub peaks: BTreeMap<DataType, f64>,
    /// Energy of 1e12 operations in pJ.
    pub pj_per_tflop: Option<f64>,
    /// Main memory.
    pub memory: Link,
    /// Size of the main memory in bytes.
    pub memory_bytes: Option<u64>,
    /// On-chip memory that all cores share.
    pub l2: Link,
    /// Size of that memory in bytes.
    pub l2_bytes: Option<u64>,
    /// From the host to the device.
    pub host_to_device: Link,
    /// From the device to the host.
    pub device_to_host: Link,
    /// From one chip to another.
    pub chip_to_chip: Link,
    /// Power of the idle machine in W.
    pub idle_w: Option<f64>,
    /// Time between operators in ns: dispatch, launch.
    pub launch_ns: f64,
    /// Functions that the machine computes element by element.
    pub element_ns: ElementTimes,
    /// Where numbers come from, by key; the key `*` represents all others.
    pub sources: BTreeMap<String, Message>,
    /// Units of a core; `None` of machines whose units are not known.
    pub array: Option<Array>,
}

/// Where a peak comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PeakSource {
    /// The description gives it for this data type.
    Given,
    /// Another type of the same width runs at this peak.
    SameWidth(DataType),
    /// No type of this width is described: the peak of half precision, in proportion to the width.
    ByWidth,
}

impl Machine {
    /// Peak of a data type in tera-operations a second, and where it comes from.
    #[must_use]
    pub fn peak(&self, data_type: DataType) -> (f64, PeakSource) {
        if let Some(&peak) = self.peaks.get(&data_type) {
            return (peak, PeakSource::Given);
        }
        if data_type == DataType::Fp16 {
            return (self.tflops, PeakSource::Given);
        }
        if data_type == DataType::Bf16 {
            return (self.tflops, PeakSource::SameWidth(DataType::Fp16));
        }
        // FP32 and TF32 run at very different peaks, so no 32-bit type represents another.
        let alike = self
            .peaks
            .iter()
            .find(|(other, _)| other.bits() == data_type.bits() && data_type.bits() < 32);
        match alike {
            Some((&other, &peak)) => (peak, PeakSource::SameWidth(other)),
            None => (self.tflops * 16.0 / f64::from(data_type.bits()), PeakSource::ByWidth),
        }
    }

    /// Whether every energy that a run needs is known.
    #[must_use]
    pub fn energy_is_known(&self) -> bool {
        self.pj_per_tflop.is_some() && self.memory.pj_per_bit.is_some()
    }

    /// The form of a name in mappings: `_` becomes `-`.
    #[must_use]
    pub fn mapping_name(name: &str) -> String {
        name.replace('_', "-")
    }

    /// Whether a text names this machine; case, `_` and `-` do not matter.
    #[must_use]
    pub fn is_named(&self, name: &str) -> bool {
        Self::mapping_name(name).eq_ignore_ascii_case(&self.name)
    }
}

impl Machine {
    /// So many cores of a chip, with what they were measured to move: what a run of these cores is compared with. A chip
    /// with fewer cores gives all it has.
    #[must_use]
    pub fn of_cores(hardware: &Hardware, cores: u32) -> Self {
        let active = cores.clamp(1, hardware.cores.max(1));
        let of_chip = Self::from(hardware);
        let share = f64::from(active) / f64::from(hardware.cores.max(1));
        Self {
            cores: active,
            tflops: of_chip.tflops * share,
            peaks: of_chip.peaks.iter().map(|(kind, peak)| (*kind, peak * share)).collect(),
            memory: Link { gbps: hardware.reached_ddr_gbps(active), ..of_chip.memory },
            l2: Link { gbps: hardware.reached_l2m_gbps(active), ..of_chip.l2 },
            chip_to_chip: Link { gbps: hardware.link_gbps, ..of_chip.chip_to_chip },
            ..of_chip
        }
    }
}

/// Bandwidth of a chip's memory in GB/s, reads and writes together, where it is more than its bus moves in one
/// direction.
fn memory_both_ways(chip: &str) -> Option<f64> {
    // 4266 million transfers of 128 bits a second.
    (chip == "BM1684X").then_some(68.256)
}

impl From<&Hardware> for Machine {
    /// All cores of the chip together. The chip facts show no energies and no links.
    fn from(hardware: &Hardware) -> Self {
        let cores = f64::from(hardware.cores);
        let known = |rate: Option<f64>| rate.map(|rate| rate * cores);
        let peaks = hardware.peak_tops.iter();
        let peaks: BTreeMap<DataType, f64> =
            peaks.filter_map(|(name, tops)| Some((name.parse().ok()?, tops * cores))).collect();
        let both_ways = hardware.has_own_ddr().then(|| memory_both_ways(&hardware.chip)).flatten();
        Self {
            name: Self::mapping_name(&hardware.chip),
            cores: hardware.cores,
            chips: 1,
            tflops: peaks.get(&DataType::Fp16).copied().unwrap_or(0.0),
            peaks,
            // Where the chip facts have no bandwidth, what was measured counts.
            memory: Link {
                gbps: both_ways
                    .or_else(|| known(hardware.ddr_gbps))
                    .or_else(|| hardware.reached_ddr_gbps(hardware.cores)),
                ..Link::default()
            },
            l2: Link { gbps: known(hardware.l2m_gbps), ..Link::default() },
            l2_bytes: hardware.l2m_bytes,
            array: Chip::find(&hardware.chip)
                .ok()
                .map(|chip| Array::of_chip(chip, hardware.tiu_mhz)),
            sources: BTreeMap::from([
                ("*".to_owned(), Message::new("source-whole-chip")),
                (
                    "mem_bw_GBs".to_owned(),
                    match both_ways {
                        Some(_) => Message::new("source-both-ways"),
                        None => hardware.ddr_source(),
                    },
                ),
                ("l2_bytes".to_owned(), Message::new("source-l2-size")),
            ]),
            ..Self::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use bigtpu_chip::Chip;

    use super::*;

    #[test]
    fn peaks_by_data_type() {
        let chip = Hardware::at_own_clock(Chip::find("AKS").unwrap());
        let machine = Machine::from(&chip);
        assert_eq!(machine.peak(DataType::Int8), (262.144, PeakSource::Given));
        assert_eq!(machine.peak(DataType::Bf16), (131.072, PeakSource::Given));
        assert_eq!(machine.peak(DataType::Tf32), (65.536, PeakSource::Given));
        assert_eq!(machine.memory.gbps, Some(68.264 * 8.0));
        let plain = Machine { tflops: 100.0, ..Machine::default() };
        assert_eq!(plain.peak(DataType::Bf16), (100.0, PeakSource::SameWidth(DataType::Fp16)));
        assert_eq!(plain.peak(DataType::Int8), (200.0, PeakSource::ByWidth));
        assert_eq!(plain.peak(DataType::Fp32), (50.0, PeakSource::ByWidth));
    }

    #[test]
    fn a_run_of_one_core_is_compared_with_one_core() {
        let chip = |name: &str| Hardware::at_own_clock(Chip::find(name).unwrap());
        let one = Machine::of_cores(&chip("AKS"), 1);
        assert_eq!((one.tflops, one.memory.gbps, one.l2.gbps), (16.384, Some(104.8), Some(111.0)));
        // All cores share the memory; a chip has no more cores than it has.
        assert_eq!(Machine::of_cores(&chip("AKS"), 8).memory.gbps, Some(68.264 * 8.0));
        let two = Machine::of_cores(&chip("BM1688"), 8);
        assert_eq!((two.cores, two.memory.gbps), (2, Some(30.0)));
        for name in ["BM1684X", "CV184X"] {
            assert!(Machine::from(&chip(name)).memory.gbps.is_some(), "{name}");
        }
    }

    #[test]
    fn names() {
        let machine = Machine { name: "PIM-AI-4chip".to_owned(), ..Machine::default() };
        assert!(machine.is_named("pim_ai_4CHIP"));
        assert!(!machine.is_named("PIM-AI"));
    }
}
