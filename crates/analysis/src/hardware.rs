//! What the chip can do at best, by core: the roofs of the roofline.

use std::collections::BTreeMap;

use bigtpu_chip::{Precision, cube_ops_per_cycle};
use bigtpu_timeline::Profile;
use serde::{Deserialize, Serialize};

/// Greatest rates. All but `cores` are those of one core.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Hardware {
    /// Chip.
    pub chip: String,
    /// Cores of the chip.
    pub cores: u32,
    /// TIU clock in MHz.
    pub tiu_mhz: f64,
    /// DDR ceiling in GB/s; 0 where it is not known.
    pub ddr_gbps: f64,
    /// L2M ceiling in GB/s; 0 where the chip has none or it is not known.
    pub l2m_gbps: f64,
    /// Size of the L2M in bytes, if known. The chip facts do not tell it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub l2m_bytes: Option<u64>,
    /// Peak of the matrix unit in tera-operations a second, by data type.
    pub peak_tops: BTreeMap<String, f64>,
}

/// Values that replace those of the chip facts; what is absent stays.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Overrides {
    /// DDR ceiling of a core in GB/s.
    pub ddr_gbps: Option<f64>,
    /// L2M ceiling of a core in GB/s.
    pub l2m_gbps: Option<f64>,
    /// Size of the L2M in bytes.
    pub l2m_bytes: Option<u64>,
    /// Peaks of a core by data type, in tera-operations a second.
    #[serde(default)]
    pub peak_tops: BTreeMap<String, f64>,
}

impl Hardware {
    /// Of a profile's chip at the clock in use.
    #[must_use]
    pub fn of(profile: &Profile<'_>) -> Self {
        let chip = profile.chip;
        let tiu_mhz = profile.clocks.tiu_mhz as f64;
        let number = |key: &str| chip.arch_number(key).unwrap_or(0.0);
        // The codes that have a size.
        let peaks = (0..8u8).filter_map(|code| {
            let name = chip.data_type(code.into())?;
            let tops = cube_ops_per_cycle(chip, Precision(code)) * tiu_mhz / 1e6;
            Some((name.to_owned(), bigtpu_measure::round4(tops)))
        });
        Self {
            chip: chip.name.to_owned(),
            cores: chip.core_num,
            tiu_mhz,
            ddr_gbps: number("DDR Max BW(GB/s/Core)"),
            l2m_gbps: number("L2 Max BW(GB/s)"),
            l2m_bytes: None,
            peak_tops: peaks.collect(),
        }
    }

    /// The same with some values replaced.
    #[must_use]
    pub fn with(mut self, overrides: &Overrides) -> Self {
        self.ddr_gbps = overrides.ddr_gbps.unwrap_or(self.ddr_gbps);
        self.l2m_gbps = overrides.l2m_gbps.unwrap_or(self.l2m_gbps);
        self.l2m_bytes = overrides.l2m_bytes.or(self.l2m_bytes);
        self.peak_tops.extend(overrides.peak_tops.clone());
        self
    }
}
