//! Where each roof comes from.

use serde::{Deserialize, Serialize};

use crate::roofs::Hardware;

/// How well a roof is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum RoofSource {
    /// Hardware reached it.
    Measured,
    /// The vendor, or a public description of the chip, says so.
    Published,
    /// It is taken from another chip, or no other source confirms it.
    Assumed,
    /// `--hw` gives it.
    Given,
}

impl RoofSource {
    /// As printed.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Measured => "measured",
            Self::Published => "published",
            Self::Assumed => "assumed",
            Self::Given => "given",
        }
    }
}

/// A roof of a core and where it comes from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
pub struct Roof {
    /// What it bounds, such as `DDR, one core`.
    pub name: String,
    /// Its value.
    pub value: f64,
    /// Its unit.
    pub unit: String,
    /// How well it is known.
    pub source: RoofSource,
    /// Who says so.
    pub text: String,
}

impl Roof {
    /// The roof in a few words, such as `DDR, one core 128 GB/s (measured)`.
    #[must_use]
    pub fn brief(&self) -> String {
        format!("{} {} {} ({})", self.name, self.value, self.unit, self.source.name())
    }
}

/// Source and text of the roofs of DDR with one core and with all cores, of the L2M, and of the matrix unit.
type Sources = [(RoofSource, &'static str); 4];

const CHIP_FACTS: &str = "chip facts";
const SHARED_DDR: (RoofSource, &str) =
    (RoofSource::Published, "chip facts: DDR Max BW of a core, while all use it");
const CUBE: (RoofSource, &str) =
    (RoofSource::Published, "chip facts: lanes, input channels a cycle, clock");

fn sources(chip: &str) -> Sources {
    let facts = (RoofSource::Published, CHIP_FACTS);
    match chip {
        "AKS" => [
            (RoofSource::Measured, "a bus of 128 bytes a cycle; a core read 104.8 GB/s at most"),
            SHARED_DDR,
            (RoofSource::Published, "chip facts; a core read 111 GB/s at most"),
            CUBE,
        ],
        "AKSV" => {
            let as_aks = (RoofSource::Assumed, "as AKS, which has the same cores");
            [as_aks, SHARED_DDR, facts, CUBE]
        }
        "BM1688" => [
            (RoofSource::Measured, "the GDMA's bus moves 32 bytes a cycle at 750 MHz"),
            (RoofSource::Published, "public models of the chip: 15 GB/s for each of two cores"),
            facts,
            CUBE,
        ],
        "BM1684X" => {
            let bus = (RoofSource::Measured, "the GDMA's bus moves 64 bytes a cycle");
            [bus, bus, facts, CUBE]
        }
        "CV184X" => {
            let bus = (RoofSource::Measured, "the GDMA's bus moves 8 bytes a cycle");
            [bus, bus, facts, CUBE]
        }
        _ => {
            let alone = (RoofSource::Assumed, "chip facts; no other public source confirms it");
            [alone, alone, alone, CUBE]
        }
    }
}

impl Hardware {
    /// Where the DDR ceiling with all cores comes from.
    #[must_use]
    pub fn ddr_source(&self) -> &'static str {
        let [_, (_, all), ..] = sources(&self.chip);
        all
    }

    /// The roofs of a core while so many cores run, each with its source; those that are not known are left out.
    #[must_use]
    pub fn roofs(&self, active: u32) -> Vec<Roof> {
        let facts = self.of_facts();
        let [one, all, l2m, cube] = sources(&self.chip);
        let mut roofs = Vec::new();
        let mut add =
            |name: String, value: f64, unit: &str, is_own: bool, source: (RoofSource, &str)| {
                let (source, text) = if is_own { source } else { (RoofSource::Given, "--hw") };
                if value > 0.0 {
                    roofs.push(Roof { name, value, unit: unit.into(), source, text: text.into() });
                }
            };
        let same = |of: fn(&Self) -> f64| facts.as_ref().is_none_or(|facts| of(facts) == of(self));
        let is_own = self.has_own_ddr();
        let rounded = |value: f64| (value * 1e4).round() / 1e4;
        let alone = rounded(self.ddr_gbps_of_core(1));
        add("DDR, one core".into(), alone, "GB/s", is_own, one);
        let both_ways = rounded(self.ddr_gbps_both_ways());
        if both_ways != alone {
            let copies = (RoofSource::Published, "chip facts; a copy reached 30.4 GB/s");
            add("DDR, one core, copies".into(), both_ways, "GB/s", is_own, copies);
        }
        // Fewer cores than share the memory have the roof of their own ports.
        let shared: std::collections::BTreeSet<u32> = [active, self.cores].into();
        for cores in shared.into_iter().filter(|cores| *cores > 1) {
            let value = rounded(self.ddr_gbps_of_core(cores));
            if value != alone {
                add(format!("DDR, each of {cores} cores"), value, "GB/s", is_own, all);
            }
        }
        add("L2M".into(), self.l2m_gbps, "GB/s", same(|h| h.l2m_gbps), l2m);
        add("link".into(), self.link_gbps.unwrap_or(0.0), "GB/s", false, cube);
        for (name, tops) in &self.peak_tops {
            let own = facts.as_ref().is_none_or(|facts| facts.peak_tops.get(name) == Some(tops));
            let source = match name.as_str() {
                "TF32" => (RoofSource::Published, "the vendor's data of the card SC11, two AKS"),
                _ => cube,
            };
            add(format!("TIU {name}"), *tops, "TOPS", own, source);
        }
        roofs
    }
}

#[cfg(test)]
mod tests {
    use bigtpu_chip::Chip;

    use super::*;
    use crate::Overrides;

    fn briefs(chip: &str, active: u32) -> Vec<String> {
        let hardware = Hardware::at_own_clock(Chip::find(chip).unwrap());
        let roofs = hardware.roofs(active);
        roofs.iter().filter(|roof| roof.unit == "GB/s").map(Roof::brief).collect()
    }

    #[test]
    fn each_roof_names_its_source() {
        assert_eq!(
            briefs("AKS", 8),
            [
                "DDR, one core 128 GB/s (measured)",
                "DDR, each of 8 cores 68.264 GB/s (published)",
                "L2M 128 GB/s (published)"
            ]
        );
        assert_eq!(
            briefs("BM1688", 1),
            [
                "DDR, one core 24 GB/s (measured)",
                "DDR, one core, copies 32 GB/s (published)",
                "DDR, each of 2 cores 15 GB/s (published)"
            ]
        );
        assert_eq!(briefs("BM1684X", 1), ["DDR, one core 64 GB/s (measured)"]);
        assert_eq!(briefs("CV184X", 1), ["DDR, one core 8 GB/s (measured)"]);
        let given = Overrides::parse(r#"{"ddr_gbps": 50}"#).unwrap();
        let hardware = Hardware::at_own_clock(Chip::find("AKS").unwrap()).with(&given);
        assert_eq!(hardware.roofs(8)[0].brief(), "DDR, one core 50 GB/s (given)");
    }
}
