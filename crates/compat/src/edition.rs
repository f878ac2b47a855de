//! The versions of bigTpuProfile whose files differ.

use bigtpu_chip::{ArchEntry, Chip};
use bigtpu_timeline::Clocks;

/// A version of bigTpuProfile.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Edition {
    /// 0.3.0.
    V030,
    /// 0.3.7, the newest.
    #[default]
    V037,
}

impl Edition {
    /// All, the oldest first.
    pub const ALL: [Self; 2] = [Self::V030, Self::V037];

    /// Its number.
    #[must_use]
    pub fn version(self) -> &'static str {
        match self {
            Self::V030 => "0.3.0",
            Self::V037 => "0.3.7",
        }
    }

    /// What it calls a value that 0.3.7 gives this name. 0.3.0 calls ns cycles, also where a clock is not of 1 GHz.
    #[must_use]
    pub fn title(self, name: &'static str) -> &'static str {
        match (self, name) {
            (Self::V030, "Start Time(ns)") => "Start Cycle",
            (Self::V030, "End Time(ns)") => "End Cycle",
            _ => name,
        }
    }

    /// A line of the chip's description. 0.3.0 has bytes of local memory under the name of MiB, and MHz of the DDR under that
    /// of GHz.
    #[must_use]
    pub fn described(
        self,
        chip: &Chip,
        entry: &ArchEntry,
        clocks: Clocks,
    ) -> (&'static str, String) {
        match (self, entry.key) {
            (Self::V030, "TPU Lmem Size(MiB)") => {
                let bytes = chip.arch_number(entry.key).unwrap_or(0.0) * f64::from(1 << 20);
                (entry.key, bytes.to_string())
            }
            (Self::V030, "DDR Frequency(MHz)") => ("DDR Frequency(GHz)", entry.value.to_owned()),
            _ => (entry.key, clocks.described(entry)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_0_3_0_has_other_names() {
        assert_eq!(Edition::V037.title("Start Time(ns)"), "Start Time(ns)");
        assert_eq!(Edition::V030.title("End Time(ns)"), "End Cycle");
        assert_eq!(Edition::V030.title("Cmd Id"), "Cmd Id");
    }
}
