//! The greatest rates of a core of a chip: the roofs of the roofline.

use std::collections::BTreeMap;

use bigtpu_chip::{Chip, Precision, cube_ops_per_cycle};
use bigtpu_messages::ForeignReason as _;
use serde::{Deserialize, Serialize};

use crate::file::FileError;

/// Codes of data types that have a size (`docs/format.md`, section 4.1).
const SIZED_TYPES: std::ops::Range<u8> = 0..8;

/// Greatest rates of a chip. All but `cores` are those of one core.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
pub struct Hardware {
    /// Chip.
    pub chip: String,
    /// Cores of the chip.
    pub cores: u32,
    /// TIU clock in MHz.
    pub tiu_mhz: f64,
    /// DDR ceiling in GB/s of one direction while all cores of the chip share it, if known. In a report: of each of the cores
    /// that run commands.
    pub ddr_gbps: Option<f64>,
    /// Ceiling in GB/s of a core's own port, which it reaches while few cores use the DDR, if known: else a core alone
    /// reaches what it does together with the others.
    pub ddr_port_gbps: Option<f64>,
    /// DDR ceiling in GB/s of a core alone that reads and writes at the same time, as copies from DDR to DDR do, where they
    /// were seen to be faster than one direction: buses have a channel for each.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ddr_both_ways_gbps: Option<f64>,
    /// L2M ceiling in GB/s; null where the chip has none or it is not known.
    pub l2m_gbps: Option<f64>,
    /// Ceiling of a CDMA port's link in GB/s, one way, if known: no public source has it, `--hw` gives it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub link_gbps: Option<f64>,
    /// Size of the L2M in bytes, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub l2m_bytes: Option<u64>,
    /// Peak of the matrix unit in tera-operations a second, by data type as the chip names it.
    pub peak_tops: BTreeMap<String, f64>,
}

/// Values that replace those of the chip facts (`--hw FILE`); what is absent stays.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Overrides {
    /// DDR ceiling of a core in GB/s while all cores share it.
    pub ddr_gbps: Option<f64>,
    /// Ceiling of a core's own port to the DDR in GB/s; that of `ddr_gbps` where only that is given.
    pub ddr_port_gbps: Option<f64>,
    /// Ceiling of a CDMA port's link in GB/s, one way.
    pub link_gbps: Option<f64>,
    /// L2M ceiling of a core in GB/s.
    pub l2m_gbps: Option<f64>,
    /// Size of the L2M in bytes.
    pub l2m_bytes: Option<u64>,
    /// Peaks of a core by data type, in tera-operations a second.
    #[serde(default)]
    pub peak_tops: BTreeMap<String, f64>,
}

impl Overrides {
    /// From the text of a `--hw` file, JSON or YAML.
    ///
    /// # Errors
    ///
    /// The text is no such file; the error says what is wrong where.
    pub fn parse(text: &str) -> Result<Self, FileError> {
        // JSON first: its errors name line and column.
        let read = if text.trim_start().starts_with('{') {
            serde_json::from_str(text)
        } else {
            serde_json::from_value(crate::yaml::parse(text)?)
        };
        read.map_err(|error| FileError::Shape(error.reason()))
    }
}

/// Facts about the chip's memories that the chip facts lack or have wrong, with sources.
#[derive(Debug, Clone, Copy, Default)]
struct MemoryFacts {
    ddr_gbps: Option<f64>,
    ddr_port_gbps: Option<f64>,
    /// DDR ceiling in GB/s of a core alone that reads and writes at the same time, where copies were seen to be faster
    /// than one direction.
    ddr_both_ways_gbps: Option<f64>,
    l2m_bytes: Option<u64>,
}

/// What one core moved at most in GB/s on real hardware (docs/prediction/across.md): DDR, L2M.
fn measured_gbps(chip: &str) -> (Option<f64>, Option<f64>) {
    match chip {
        "AKS" => (Some(104.8), Some(111.0)),
        "BM1684X" => (Some(64.0), None),
        "BM1688" => (Some(24.0), None),
        "CV184X" => (Some(8.0), None),
        _ => (None, None),
    }
}

impl MemoryFacts {
    fn read(chip: &Chip) -> Self {
        let none = Self::default();
        match chip.name {
            // L2M and the core's bus: the chip's architecture tables (128 MiB shared; GDMA 128 GB/s of a core).
            "AKS" => Self { ddr_port_gbps: Some(128.0), l2m_bytes: Some(128 << 20), ..none },
            // The same core; 16 MiB of L2M.
            "AKSV" => Self { ddr_port_gbps: Some(128.0), l2m_bytes: Some(16 << 20), ..none },
            // Public performance models of the chip: 24 GB/s for one core, 15 each for two. The chip facts' 32 are
            // beyond one direction of its bus; copies reached 30.4 on hardware.
            "BM1688" => Self {
                ddr_gbps: Some(15.0),
                ddr_port_gbps: Some(24.0),
                ddr_both_ways_gbps: Some(32.0),
                ..none
            },
            // No chip file names a bandwidth. The bus of the GDMA, on hardware: bytes a cycle of 1 GHz.
            "BM1684X" => Self { ddr_gbps: Some(64.0), ..none },
            // Copies moved 4.19 bytes a cycle each way.
            "CV184X" => Self { ddr_gbps: Some(8.0), ddr_both_ways_gbps: Some(8.4), ..none },
            // The chip's memory map: 1 MiB of L2.
            "CV84X6" => Self { l2m_bytes: Some(1 << 20), ..none },
            _ => none,
        }
    }
}

impl Hardware {
    /// A chip at a TIU clock in MHz, from the chip facts.
    #[must_use]
    pub fn of_chip(chip: &Chip, tiu_mhz: f64) -> Self {
        let memory = MemoryFacts::read(chip);
        let rate = |key: &str| chip.arch_number(key).filter(|gbps| *gbps > 0.0);
        let tops = |code| cube_ops_per_cycle(chip, Precision(code)) * tiu_mhz / 1e6;
        let sized = SIZED_TYPES.filter_map(|code| {
            let name = chip.data_type(code.into())?;
            Some((name.to_owned(), round4(tops(code))))
        });
        // The vendor's data of the card SC11, two AKS: over 200 TFLOPS in FP16, over 100 in TF32. AKSV has the same cores.
        let tf32 = matches!(chip.name, "AKS" | "AKSV")
            .then(|| ("TF32".to_owned(), round4(tops(Precision::FP16.0) / 2.0)));
        Self {
            chip: chip.name.to_string(),
            cores: chip.core_num,
            tiu_mhz,
            ddr_gbps: memory.ddr_gbps.or_else(|| rate("DDR Max BW(GB/s/Core)")),
            ddr_port_gbps: memory.ddr_port_gbps,
            ddr_both_ways_gbps: memory.ddr_both_ways_gbps,
            l2m_gbps: rate("L2 Max BW(GB/s)"),
            link_gbps: None,
            l2m_bytes: memory.l2m_bytes,
            peak_tops: sized.chain(tf32).collect(),
        }
    }

    /// A chip at the TIU clock of the chip facts.
    #[must_use]
    pub fn at_own_clock(chip: &Chip) -> Self {
        Self::of_chip(chip, chip.arch_number("TIU Frequency(MHz)").unwrap_or(1000.0))
    }

    /// DDR ceiling in one direction of each of `active` cores in GB/s: its port's, or its share of the chip's memory. `None`
    /// where it is not known.
    #[must_use]
    pub fn ddr_gbps_of_core(&self, active: u32) -> Option<f64> {
        let of_all = self.ddr_gbps?;
        let share = of_all * f64::from(self.cores.max(1)) / f64::from(active.max(1));
        Some(share.min(self.ddr_port_gbps.unwrap_or(of_all).max(of_all)))
    }

    /// DDR ceiling in both directions together of each of `active` cores in GB/s. `None` where it is not known.
    #[must_use]
    pub fn ddr_gbps_both_ways(&self, active: u32) -> Option<f64> {
        let one_way = self.ddr_gbps_of_core(active)?;
        let share = self.ddr_both_ways_gbps.map(|both| both / f64::from(active.max(1)));
        Some(share.unwrap_or(one_way).max(one_way))
    }

    /// ns that each of `active` cores needs to read and write so many bytes of DDR: the slower of either direction alone and
    /// of both together. `None` where the ceilings are not known.
    #[must_use]
    pub fn ddr_ns(&self, read: u64, written: u64, active: u32) -> Option<f64> {
        if read == 0 && written == 0 {
            return Some(0.0);
        }
        let one_way = read.max(written) as f64 / self.ddr_gbps_of_core(active)?;
        let both_ways = (read as f64 + written as f64) / self.ddr_gbps_both_ways(active)?;
        Some(one_way.max(both_ways))
    }

    /// ns that a core needs to move so many bytes from or to L2M. `None` where its ceiling is not known.
    #[must_use]
    pub fn l2m_ns(&self, bytes: u64) -> Option<f64> {
        if bytes == 0 { Some(0.0) } else { self.l2m_gbps.map(|gbps| bytes as f64 / gbps) }
    }

    /// Whether the DDR ceilings are those of the chip: none was given.
    pub(crate) fn has_own_ddr(&self) -> bool {
        let rates = |h: &Self| (h.ddr_gbps, h.ddr_port_gbps, h.ddr_both_ways_gbps);
        self.of_facts().is_none_or(|facts| rates(&facts) == rates(self))
    }

    /// The chip as its facts describe it; `None` of a chip without facts.
    pub(crate) fn of_facts(&self) -> Option<Self> {
        Chip::find(&self.chip).ok().map(|chip| Self::of_chip(chip, self.tiu_mhz))
    }

    /// What `active` cores read from DDR together in GB/s: what a core was measured at where that is known, else the
    /// ceilings of the chip facts; never more than the chip's memory. `None` where nothing is known.
    #[must_use]
    pub fn reached_ddr_gbps(&self, active: u32) -> Option<f64> {
        let one = self.measured().0;
        let share = self.ddr_gbps_of_core(active);
        let of_core = match (one, share) {
            (Some(measured), Some(share)) => Some(measured.min(share)),
            (one, share) => one.or(share),
        };
        of_core.map(|gbps| gbps * f64::from(active.max(1)))
    }

    /// What was measured on hardware, unless other bandwidths than those of the chip were given.
    fn measured(&self) -> (Option<f64>, Option<f64>) {
        match self.of_facts() {
            Some(facts) if facts.l2m_gbps == self.l2m_gbps && self.has_own_ddr() => {
                measured_gbps(&self.chip)
            }
            _ => (None, None),
        }
    }

    /// What `active` cores read from the L2M together in GB/s; `None` where the chip has no L2M or its bandwidth is not
    /// known.
    #[must_use]
    pub fn reached_l2m_gbps(&self, active: u32) -> Option<f64> {
        let of_core = self.measured().1.or(self.l2m_gbps);
        of_core.map(|gbps| gbps * f64::from(active.max(1)))
    }

    /// Returns this hardware with the values that `overrides` gives in place of its own.
    #[must_use]
    pub fn with(mut self, overrides: &Overrides) -> Self {
        let port = overrides.ddr_port_gbps.or(overrides.ddr_gbps);
        // Of other memory nobody saw copies.
        self.ddr_both_ways_gbps = self.ddr_both_ways_gbps.filter(|_| port.is_none());
        self.ddr_gbps = overrides.ddr_gbps.or(self.ddr_gbps);
        self.ddr_port_gbps = port.or(self.ddr_port_gbps);
        self.l2m_gbps = overrides.l2m_gbps.or(self.l2m_gbps);
        self.link_gbps = overrides.link_gbps.or(self.link_gbps);
        self.l2m_bytes = overrides.l2m_bytes.or(self.l2m_bytes);
        self.peak_tops.extend(overrides.peak_tops.clone());
        self
    }
}

/// Four decimals, by way of the decimal text: peaks are printed.
fn round4(value: f64) -> f64 {
    format!("{value:.4}").parse().unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chip_and_its_overrides() {
        let chip = Chip::find("AKS").unwrap();
        let hardware = Hardware::at_own_clock(chip);
        assert_eq!(
            (hardware.cores, hardware.ddr_gbps, hardware.l2m_gbps),
            (8, Some(68.264), Some(128.0))
        );
        assert_eq!(hardware.peak_tops["INT8"], 32.768);
        assert_eq!((hardware.peak_tops["FP16"], hardware.peak_tops["TF32"]), (16.384, 8.192));
        let json = r#"{"ddr_gbps": 100, "peak_tops": {"INT8": 64}}"#;
        let yaml = "ddr_gbps: 100\npeak_tops: {INT8: 64}\n";
        assert_eq!(Overrides::parse(json).unwrap(), Overrides::parse(yaml).unwrap());
        let other = hardware.clone().with(&Overrides::parse(json).unwrap());
        assert_eq!((other.ddr_gbps, other.peak_tops["INT8"]), (Some(100.0), 64.0));
        assert_eq!(other.peak_tops["FP16"], hardware.peak_tops["FP16"]);
    }

    #[test]
    fn few_cores_reach_their_ports_and_many_share_the_memory() {
        let chip = Hardware::at_own_clock(Chip::find("AKS").unwrap());
        let reached = [1, 4, 5, 8].map(|active| chip.ddr_gbps_of_core(active));
        assert_eq!(reached, [128.0, 128.0, 68.264 * 8.0 / 5.0, 68.264].map(Some));
        let unknown = Hardware { ddr_port_gbps: None, ..chip };
        assert_eq!(unknown.ddr_gbps_of_core(1), Some(68.264));
    }

    #[test]
    fn a_copy_has_the_roof_of_both_directions() {
        let chip = Hardware::at_own_clock(Chip::find("BM1688").unwrap());
        // 24 GB/s in one direction, 32 in both: a copy of 196608 bytes took 13.4 us on hardware.
        assert_eq!(chip.ddr_ns(240, 0, 1), Some(10.0));
        assert_eq!(chip.ddr_ns(0, 240, 1), Some(10.0));
        assert_eq!(chip.ddr_ns(160, 160, 1), Some(10.0));
        assert_eq!(chip.ddr_ns(196_608, 196_608, 1), Some(12_288.0));
        // Both cores: 15 GB/s each in one direction, half of the chip's 32 in both.
        assert_eq!((chip.ddr_ns(150, 0, 2), chip.ddr_ns(80, 80, 2)), (Some(10.0), Some(10.0)));
        let given = chip.clone().with(&Overrides { ddr_gbps: Some(50.0), ..Overrides::default() });
        assert_eq!(given.ddr_ns(100, 100, 1), Some(4.0));
        let unknown = Hardware { ddr_gbps: None, l2m_gbps: None, ..chip };
        assert_eq!((unknown.ddr_ns(1, 0, 1), unknown.ddr_ns(0, 0, 1)), (None, Some(0.0)));
        assert_eq!((unknown.l2m_ns(1), unknown.l2m_ns(0)), (None, Some(0.0)));
    }

    #[test]
    fn unknown_keys_are_refused() {
        for text in [r#"{"ddr_gbs": 1}"#, "ddr_gbs: 1"] {
            let error = Overrides::parse(text).unwrap_err().to_string();
            assert!(error.contains("unknown field `ddr_gbs`"), "{error}");
        }
    }
}
