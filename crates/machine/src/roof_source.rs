//! The peaks and clocks of a run: each has one value, with its scope and its source. Every output takes them from here.

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
    /// An option gives it: `--hw`, `--tiu_freq`.
    Given,
    /// The dump says so.
    Dump,
    /// Nobody says.
    Unknown,
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
            Self::Dump => "dump",
            Self::Unknown => "unknown",
        }
    }
}

/// What a peak or a clock is that of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum RoofScope {
    /// A core while no other one uses what is shared.
    Core,
    /// Each of the cores that run commands, while all of these do.
    ActiveCores,
    /// A port to other devices.
    Port,
    /// All of the chip.
    Chip,
}

/// Which transfers a peak of a memory bounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum RoofAccess {
    /// Reads, or writes.
    OneWay,
    /// Reads and writes together, as copies within the memory are.
    BothWays,
    /// All.
    Any,
}

/// A peak or a clock of a run, and where it comes from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
pub struct Roof {
    /// Its key, such as `ddr.core.one_way`; absent in reports of older versions.
    #[serde(default)]
    pub id: String,
    /// What it bounds, such as `DDR, one core`.
    pub name: String,
    /// What it is that of; absent in reports of older versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope: Option<RoofScope>,
    /// Which transfers it bounds; absent of all but memories.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub access: Option<RoofAccess>,
    /// Its value; null where it is not known.
    pub value: Option<f64>,
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
        match self.value {
            Some(_) => format!("{} {} ({})", self.name, self.amount(), self.source.name()),
            None => format!("{} {}", self.name, self.amount()),
        }
    }

    /// The value with its unit, or that it is not known.
    #[must_use]
    pub fn amount(&self) -> String {
        self.value.map_or_else(|| "unknown".to_owned(), |value| format!("{value} {}", self.unit))
    }

    fn new(id: &str, name: &str, unit: &str, found: Found<'_>) -> Self {
        let (value, source, text) = found;
        let (source, text) = match value {
            Some(_) => (source, text),
            None => (RoofSource::Unknown, "no public source has it; --hw gives it"),
        };
        Self {
            id: id.to_owned(),
            name: name.to_owned(),
            scope: None,
            access: None,
            value: value.map(|value| (value * 1e4).round() / 1e4),
            unit: unit.to_owned(),
            source,
            text: text.to_owned(),
        }
    }

    /// A peak of a memory in GB/s.
    fn of_memory(
        id: &str,
        name: &str,
        scope: RoofScope,
        access: RoofAccess,
        found: Found<'_>,
    ) -> Self {
        Self { scope: Some(scope), access: Some(access), ..Self::new(id, name, "GB/s", found) }
    }

    /// A clock in MHz.
    #[must_use]
    pub fn of_clock(engine: &str, mhz: f64, source: RoofSource, text: &str) -> Self {
        let id = format!("clock.{}", engine.to_ascii_lowercase());
        let name = format!("{engine} clock");
        let scope = Some(RoofScope::Chip);
        Self { scope, ..Self::new(&id, &name, "MHz", (Some(mhz), source, text)) }
    }
}

/// A value where it is known, its source, and who says so.
type Found<'a> = (Option<f64>, RoofSource, &'a str);

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

    /// The peaks of a core of a run in which so many cores run commands.
    #[must_use]
    pub fn roofs(&self, active: u32) -> Vec<Roof> {
        use RoofAccess::{Any, BothWays, OneWay};
        use RoofScope::{ActiveCores, Core, Port};
        let facts = self.of_facts();
        let [one, all, l2m, cube] = sources(&self.chip);
        let found =
            |value: Option<f64>, is_own: bool, (source, text): (RoofSource, &'static str)| {
                if is_own { (value, source, text) } else { (value, RoofSource::Given, "--hw") }
            };
        let is_own = self.has_own_ddr();
        let alone = self.ddr_gbps_of_core(1);
        let ddr = |id, name: &str, scope, access, value, source| {
            Roof::of_memory(id, name, scope, access, found(value, is_own, source))
        };
        let mut roofs = vec![ddr("ddr.core.one_way", "DDR, one core", Core, OneWay, alone, one)];
        let copies = match self.chip.as_str() {
            "CV184X" => (RoofSource::Measured, "copies moved 4.19 bytes a cycle each way"),
            _ => (RoofSource::Published, "chip facts; a copy reached 30.4 GB/s"),
        };
        let both_ways = self.ddr_gbps_both_ways(1);
        if both_ways != alone {
            let name = "DDR, one core, copies";
            roofs.push(ddr("ddr.core.both_ways", name, Core, BothWays, both_ways, copies));
        }
        // Fewer cores than share the memory have the roof of their own ports.
        let shared = self.ddr_gbps_of_core(active);
        if shared != alone {
            let name = format!("DDR, each of {active} cores");
            roofs.push(ddr("ddr.active.one_way", &name, ActiveCores, OneWay, shared, all));
            let both_ways = self.ddr_gbps_both_ways(active);
            if both_ways != shared {
                let (name, id) = (format!("{name}, copies"), "ddr.active.both_ways");
                roofs.push(ddr(id, &name, ActiveCores, BothWays, both_ways, copies));
            }
        }
        let is_own = facts.as_ref().is_none_or(|facts| facts.l2m_gbps == self.l2m_gbps);
        // Of a chip without such a memory nothing is unknown.
        if self.l2m_gbps.is_some() || self.l2m_bytes.is_some() {
            let found = found(self.l2m_gbps, is_own, l2m);
            roofs.push(Roof::of_memory("l2m.core", "L2M", Core, Any, found));
        }
        if self.link_gbps.is_some() {
            let given = found(self.link_gbps, false, cube);
            roofs.push(Roof::of_memory("link.port", "link", Port, OneWay, given));
        }
        for (name, tops) in &self.peak_tops {
            let own = facts.as_ref().is_none_or(|facts| facts.peak_tops.get(name) == Some(tops));
            let source = match name.as_str() {
                "TF32" => (RoofSource::Published, "the vendor's data of the card SC11, two AKS"),
                _ => cube,
            };
            let known = Some(*tops).filter(|tops| *tops > 0.0);
            let (id, title) = (format!("tiu.{}", name.to_ascii_lowercase()), format!("TIU {name}"));
            let roof = Roof::new(&id, &title, "TOPS", found(known, own, source));
            roofs.push(Roof { scope: Some(Core), ..roof });
        }
        roofs
    }
}

#[cfg(test)]
mod tests {
    use bigtpu_chip::{Chip, chips};
    use bigtpu_messages::{Language, Message};

    use super::*;
    use crate::{Machine, Overrides, PresetSet, presets};

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
            ["DDR, one core 24 GB/s (measured)", "DDR, one core, copies 32 GB/s (published)"]
        );
        assert_eq!(
            briefs("BM1688", 2)[2..],
            [
                "DDR, each of 2 cores 15 GB/s (published)",
                "DDR, each of 2 cores, copies 16 GB/s (published)"
            ]
        );
        assert_eq!(briefs("BM1684X", 1), ["DDR, one core 64 GB/s (measured)"]);
        assert_eq!(
            briefs("CV184X", 1),
            ["DDR, one core 8 GB/s (measured)", "DDR, one core, copies 8.4 GB/s (measured)"]
        );
        let given = Overrides::parse(r#"{"ddr_gbps": 50}"#).unwrap();
        let hardware = Hardware::at_own_clock(Chip::find("AKS").unwrap()).with(&given);
        assert_eq!(hardware.roofs(8)[0].brief(), "DDR, one core 50 GB/s (given)");
    }

    #[test]
    fn sources_are_in_both_languages_and_citations_stay() {
        let mut all: Vec<String> = Vec::new();
        for chip in chips() {
            let hardware = Hardware::at_own_clock(chip);
            for active in [1, chip.core_num] {
                all.extend(hardware.roofs(active).into_iter().map(|roof| roof.text));
            }
            all.extend(Machine::from(&hardware).sources.into_values());
        }
        let machines = presets(PresetSet::All);
        let of_machines = machines.iter().flat_map(|machine| machine.sources.values());
        // A citation is a name, in which nothing is said.
        all.extend(of_machines.filter(|text| text.contains(" of it ")).cloned());
        all.extend(machines.iter().filter(|m| m.name == "CV186X").map(|m| m.sources["*"].clone()));
        assert!(all.len() > 30, "{all:?}");
        for text in all {
            let [english, chinese] = Language::ALL.map(|l| Message::source(&text).text(l));
            assert_eq!(english, text);
            assert!(!chinese.is_ascii(), "{text}");
        }
        let citation = "NVIDIA A100 data sheet (A100 80GB SXM)";
        assert_eq!(Message::source(citation).text(Language::Chinese), citation);
    }
}
