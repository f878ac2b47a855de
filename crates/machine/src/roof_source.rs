//! The peaks and clocks of a run: each has one value, with its scope and its source. Every output takes them from here.

use bigtpu_messages::{Language, LocalizedText, Message, message};
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
    /// It follows from the width of a bus and its clock; what hardware reached is below it.
    Derived,
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
    /// As shown: a word of the catalogue.
    #[must_use]
    pub fn message(self) -> Message {
        Message::new(match self {
            Self::Measured => "roof-is-measured",
            Self::Published => "roof-is-published",
            Self::Derived => "roof-is-derived",
            Self::Assumed => "roof-is-assumed",
            Self::Given => "roof-is-given",
            Self::Dump => "roof-is-of-the-dump",
            Self::Unknown => "roof-is-unknown",
        })
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
    /// What it bounds, such as `DDR, one core alone`.
    pub name: String,
    /// What it bounds, in Chinese.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name_zh: String,
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
    #[serde(flatten)]
    pub origin: LocalizedText,
}

impl Roof {
    /// The roof in a few words, such as `DDR, one core alone 128 GB/s (derived)`.
    #[must_use]
    pub fn brief(&self) -> String {
        let amount = self.amount(Language::English);
        match self.value {
            Some(_) => format!("{} {amount} ({})", self.name, self.source.message()),
            None => format!("{} {amount}", self.name),
        }
    }

    /// What it bounds, in a language; in English where a file of an older version has no other.
    #[must_use]
    pub fn name(&self, language: Language) -> &str {
        language
            .choose(&self.name, if self.name_zh.is_empty() { &self.name } else { &self.name_zh })
    }

    /// The value with its unit, or that it is not known.
    #[must_use]
    pub fn amount(&self, language: Language) -> String {
        let unknown = || RoofSource::Unknown.message().text(language);
        self.value.map_or_else(unknown, |value| format!("{value} {}", self.unit))
    }

    fn new(id: &str, name: &Message, unit: &str, found: Found) -> Self {
        let (value, source, origin) = found;
        let (source, origin) = match value {
            Some(_) => (source, origin),
            None => (RoofSource::Unknown, Message::new("source-none")),
        };
        let [name, name_zh] = name.in_both();
        Self {
            id: id.to_owned(),
            name_zh: if name_zh == name { String::new() } else { name_zh },
            name,
            scope: None,
            access: None,
            value: value.map(|value| (value * 1e4).round() / 1e4),
            unit: unit.to_owned(),
            source,
            origin: origin.into(),
        }
    }

    /// A peak of a memory in GB/s.
    fn of_memory(
        id: &str,
        name: &Message,
        scope: RoofScope,
        access: RoofAccess,
        found: Found,
    ) -> Self {
        Self { scope: Some(scope), access: Some(access), ..Self::new(id, name, "GB/s", found) }
    }

    /// A clock in MHz.
    #[must_use]
    pub fn of_clock(engine: &'static str, mhz: f64, source: RoofSource, origin: Message) -> Self {
        let id = format!("clock.{}", engine.to_ascii_lowercase());
        let name = message!("roof-clock", engine = engine);
        let scope = Some(RoofScope::Chip);
        Self { scope, ..Self::new(&id, &name, "MHz", (Some(mhz), source, origin)) }
    }
}

/// A value where it is known, its source, and who says so.
type Found = (Option<f64>, RoofSource, Message);

/// How well a roof is known, and who says so: an id of the catalogue.
type Source = (RoofSource, &'static str);

const CHIP_FACTS: Source = (RoofSource::Published, "source-chip-facts");
const SHARED_DDR: Source = (RoofSource::Published, "source-shared-ddr");
const CUBE: Source = (RoofSource::Published, "source-cube");

/// Sources of the roofs of DDR with one core and with all cores, of the L2M, and of the matrix unit.
fn sources(chip: &str) -> [Source; 4] {
    match chip {
        "AKS" => [
            (RoofSource::Derived, "source-bus-128"),
            SHARED_DDR,
            (RoofSource::Published, "source-l2m-read"),
            CUBE,
        ],
        "AKSV" => [(RoofSource::Assumed, "source-as-aks"), SHARED_DDR, CHIP_FACTS, CUBE],
        "BM1688" => [
            (RoofSource::Derived, "source-bus-32"),
            (RoofSource::Published, "source-two-cores"),
            CHIP_FACTS,
            CUBE,
        ],
        "BM1684X" => {
            let bus = (RoofSource::Derived, "source-bus-64");
            [bus, bus, CHIP_FACTS, CUBE]
        }
        "CV184X" => {
            let bus = (RoofSource::Derived, "source-bus-8");
            [bus, bus, CHIP_FACTS, CUBE]
        }
        _ => {
            let alone = (RoofSource::Assumed, "source-alone");
            [alone, alone, alone, CUBE]
        }
    }
}

impl Hardware {
    /// Where the DDR ceiling with all cores comes from.
    #[must_use]
    pub fn ddr_source(&self) -> Message {
        let [_, (_, all), ..] = sources(&self.chip);
        Message::new(all)
    }

    /// The peaks of a core of a run in which so many cores run commands.
    #[must_use]
    pub fn roofs(&self, active: u32) -> Vec<Roof> {
        use RoofAccess::{Any, BothWays, OneWay};
        use RoofScope::{ActiveCores, Core, Port};
        let facts = self.of_facts();
        let [one, all, l2m, cube] = sources(&self.chip);
        let found = |value: Option<f64>, is_own: bool, (source, text): Source| match is_own {
            true => (value, source, Message::new(text)),
            false => (value, RoofSource::Given, Message::verbatim("--hw")),
        };
        let is_own = self.has_own_ddr();
        let alone = self.ddr_gbps_of_core(1);
        let ddr = |id, name: Message, scope, access, value, source| {
            Roof::of_memory(id, &name, scope, access, found(value, is_own, source))
        };
        let name = Message::new("roof-ddr-core");
        let mut roofs = vec![ddr("ddr.core.one_way", name, Core, OneWay, alone, one)];
        let copies = match self.chip.as_str() {
            "CV184X" => (RoofSource::Measured, "source-copies-cv184x"),
            _ => (RoofSource::Published, "source-copies"),
        };
        let both_ways = self.ddr_gbps_both_ways(1);
        if both_ways != alone {
            let name = Message::new("roof-ddr-core-copies");
            roofs.push(ddr("ddr.core.both_ways", name, Core, BothWays, both_ways, copies));
        }
        // Fewer cores than share the memory have the roof of their own ports.
        let shared = self.ddr_gbps_of_core(active);
        if shared != alone {
            let name = message!("roof-ddr-active", cores = active);
            roofs.push(ddr("ddr.active.one_way", name, ActiveCores, OneWay, shared, all));
            let both_ways = self.ddr_gbps_both_ways(active);
            if both_ways != shared {
                let name = message!("roof-ddr-active-copies", cores = active);
                let id = "ddr.active.both_ways";
                roofs.push(ddr(id, name, ActiveCores, BothWays, both_ways, copies));
            }
        }
        let is_own = facts.as_ref().is_none_or(|facts| facts.l2m_gbps == self.l2m_gbps);
        // Of a chip without such a memory nothing is unknown.
        if self.l2m_gbps.is_some() || self.l2m_bytes.is_some() {
            let found = found(self.l2m_gbps, is_own, l2m);
            let name = Message::verbatim("L2M");
            roofs.push(Roof::of_memory("l2m.core", &name, Core, Any, found));
        }
        if self.link_gbps.is_some() {
            let given = found(self.link_gbps, false, cube);
            let name = Message::new("roof-link");
            roofs.push(Roof::of_memory("link.port", &name, Port, OneWay, given));
        }
        for (name, tops) in &self.peak_tops {
            let own = facts.as_ref().is_none_or(|facts| facts.peak_tops.get(name) == Some(tops));
            let source = match name.as_str() {
                "TF32" => (RoofSource::Published, "source-card"),
                _ => cube,
            };
            let known = Some(*tops).filter(|tops| *tops > 0.0);
            let id = format!("tiu.{}", name.to_ascii_lowercase());
            let title = Message::verbatim(format!("TIU {name}"));
            let roof = Roof::new(&id, &title, "TOPS", found(known, own, source));
            roofs.push(Roof { scope: Some(Core), ..roof });
        }
        roofs
    }
}

#[cfg(test)]
mod tests {
    use bigtpu_chip::{Chip, chips};

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
                "DDR, one core alone 128 GB/s (derived)",
                "DDR, each of 8 cores 68.264 GB/s (published)",
                "L2M 128 GB/s (published)"
            ]
        );
        assert_eq!(
            briefs("BM1688", 1),
            [
                "DDR, one core alone 24 GB/s (derived)",
                "DDR, one core alone, copies 32 GB/s (published)"
            ]
        );
        assert_eq!(
            briefs("BM1688", 2)[2..],
            [
                "DDR, each of 2 cores 15 GB/s (published)",
                "DDR, each of 2 cores, copies 16 GB/s (published)"
            ]
        );
        assert_eq!(briefs("BM1684X", 1), ["DDR, one core alone 64 GB/s (derived)"]);
        assert_eq!(
            briefs("CV184X", 1),
            [
                "DDR, one core alone 8 GB/s (derived)",
                "DDR, one core alone, copies 8.4 GB/s (measured)"
            ]
        );
        let given = Overrides::parse(r#"{"ddr_gbps": 50}"#).unwrap();
        let hardware = Hardware::at_own_clock(Chip::find("AKS").unwrap()).with(&given);
        assert_eq!(hardware.roofs(8)[0].brief(), "DDR, one core alone 50 GB/s (given)");
    }

    #[test]
    fn sources_are_in_both_languages_and_citations_stay() {
        let mut all: Vec<Message> = Vec::new();
        for chip in chips() {
            all.extend(Machine::from(&Hardware::at_own_clock(chip)).sources.into_values());
        }
        let machines = presets(PresetSet::All);
        all.extend(machines.iter().flat_map(|machine| machine.sources.values()).cloned());
        let (sentences, citations): (Vec<_>, Vec<_>) =
            all.iter().partition(|source| source.id.starts_with("source-"));
        assert!(sentences.len() > 30 && citations.len() > 30, "{all:?}");
        for source in sentences {
            assert!(!source.text(Language::Chinese).is_ascii(), "{source}");
        }
        for source in citations {
            let [english, chinese] = Language::ALL.map(|language| source.text(language));
            assert_eq!(english, chinese);
            // A citation is a name, in which nothing is said.
            assert!(!english.contains(" of it ") && !english.contains("; "), "{english}");
        }
    }
}
