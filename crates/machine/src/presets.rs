//! Machines that the tool knows: our chips, and public accelerators (`presets/*.yaml`).

use bigtpu_chip::chips;

use crate::cores::{named_parts, part};
use crate::machine::Machine;
use crate::roofs::Hardware;

const PUBLIC: &str = include_str!("../presets/public.yaml");
const UPMEM: &str = include_str!("../presets/upmem.yaml");

/// Which set of presets a name is looked up in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PresetSet {
    /// Our chips, public accelerators, and what only the UPMEM LLM framework describes.
    All,
    /// The machines that the UPMEM LLM framework ships, with its numbers.
    Upmem,
}

/// Another name of a preset.
const ALIASES: [(&str, &str); 2] = [("a100", "A100-SXM-80GB"), ("sg2260", "AKS")];

/// All machines of a set, in the order in which they are listed.
#[must_use]
pub fn presets(set: PresetSet) -> Vec<Machine> {
    let read = |text: &str| Machine::parse(text, "").unwrap_or_default();
    let upmem = read(UPMEM);
    if set == PresetSet::Upmem {
        return upmem;
    }
    let mut all: Vec<Machine> =
        chips().iter().map(|chip| Machine::from(&Hardware::at_own_clock(chip))).collect();
    all.extend(named_parts());
    all.extend(read(PUBLIC));
    all.extend(upmem);
    all
}

/// The machine of that name; case, `_` and `-` do not matter, and chips have all their names.
#[must_use]
pub fn preset(name: &str, set: PresetSet) -> Option<Machine> {
    let all = presets(set);
    if set == PresetSet::All
        && let Ok(chip) = bigtpu_chip::Chip::find(name)
    {
        return Some(Machine::from(&Hardware::at_own_clock(chip)));
    }
    if set == PresetSet::All
        && let Some(part) = part(name)
    {
        return part.ok();
    }
    let alias =
        ALIASES.iter().find(|(short, _)| set == PresetSet::All && short.eq_ignore_ascii_case(name));
    let named = |name: &str| all.iter().find(|machine| machine.is_named(name)).cloned();
    named(name).or_else(|| named(alias?.1))
}

/// The preset name that looks most like a text.
#[must_use]
pub fn nearest_preset(name: &str, set: PresetSet) -> String {
    let lower = Machine::mapping_name(name).to_lowercase();
    let names = presets(set).into_iter().map(|machine| machine.name);
    let far = |other: &String| strsim::damerau_levenshtein(&lower, &other.to_lowercase());
    names.min_by_key(far).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use bigtpu_messages::Language;

    use super::*;

    #[test]
    fn every_preset_is_found_by_its_name_and_has_sources() {
        assert!(presets(PresetSet::Upmem).len() >= 29);
        for set in [PresetSet::All, PresetSet::Upmem] {
            for machine in presets(set) {
                assert!(preset(&machine.name, set).is_some(), "{}", machine.name);
                // What has no source of its own has that of the whole description.
                assert!(
                    machine.sources.contains_key("*"),
                    "{}: numbers without source",
                    machine.name
                );
                for source in machine.sources.values().map(|source| source.text(Language::English))
                {
                    assert!(source.len() > 10 && !source.starts_with("source-"), "{source}");
                }
            }
        }
    }

    #[test]
    fn what_the_maker_of_an_accelerator_does_not_publish_has_another_source() {
        for machine in Machine::parse(PUBLIC, "").unwrap() {
            let has = |key: &str| machine.sources.contains_key(key);
            let energies = [machine.pj_per_tflop, machine.memory.pj_per_bit];
            if energies.iter().any(Option::is_some) {
                assert!(has("pj_per_tflop") && has("mem_pj_per_bit"), "{}", machine.name);
            }
            if machine.host_to_device.gbps.is_some() {
                assert!(has("host_to_device_bw_GBs"), "{}", machine.name);
            }
        }
    }

    #[test]
    fn short_names() {
        let of = |name: &str| preset(name, PresetSet::All).map(|machine| machine.name);
        // A name is that of the machine of this name, whatever others are like it.
        assert_eq!(of("h100").as_deref(), Some("H100"));
        assert_eq!(of("h100-sxm").as_deref(), Some("H100-SXM"));
        assert_eq!(of("a100").as_deref(), Some("A100-SXM-80GB"));
        assert_eq!(of("aks").as_deref(), Some("AKS"));
        assert_eq!(of("bm1684x2").as_deref(), Some("CV84X6"));
        assert_eq!(of("pim_ai_4chip").as_deref(), Some("PIM-AI-4chip"));
        assert_eq!(of("nothing"), None);
        assert_eq!(nearest_preset("H1O0-SXM", PresetSet::All), "H100-SXM");
        // The framework's H100 is the PCIe card.
        assert_eq!(preset("H100", PresetSet::Upmem).map(|machine| machine.tflops), Some(756.5));
    }
}
