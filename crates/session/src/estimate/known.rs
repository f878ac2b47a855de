//! Machines that the tool knows.

use bigtpu_machine::{DataType, Machine, PresetSet, presets};
use bigtpu_messages::Language;
use bigtpu_model::Semantics;
use bigtpu_output::Table;

/// The machines with their peaks and the source of the numbers, which is said in the language.
#[must_use]
pub fn known_machines(semantics: Semantics, language: Language) -> Table {
    let set = if semantics == Semantics::Upmem { PresetSet::Upmem } else { PresetSet::All };
    let known = presets(set);
    let number =
        |value: Option<f64>| value.map_or_else(|| "-".to_owned(), |value| format!("{value:.1}"));
    let row = |machine: &Machine| {
        let peak = |data_type: DataType| number(machine.peaks.get(&data_type).copied());
        vec![
            machine.name.clone(),
            number(Some(machine.tflops)),
            peak(DataType::Int8),
            number(machine.memory.gbps),
            number(machine.host_to_device.gbps),
            if machine.energy_is_known() { "known" } else { "unknown" }.to_owned(),
            machine
                .sources
                .get("*")
                .or_else(|| machine.sources.values().next())
                .map(|source| source.text(language))
                .unwrap_or_default(),
        ]
    };
    let header =
        ["Machine", "FP16 TFLOPS", "INT8 TOPS", "Memory GB/s", "Host GB/s", "Energy", "Source"];
    Table::new("Known machines", header, known.iter().map(row))
}
