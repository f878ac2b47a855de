//! `bigtpuprofile estimate --list`: machines that the tool knows.

use std::io::Write;

use anyhow::Result;
use bigtpu_emit::Table;
use bigtpu_estimate::Semantics;
use bigtpu_hardware::{DataType, Machine, PresetSet, presets};

use crate::console::render;

/// Prints the machines with their peaks and the source of the numbers.
pub(crate) fn print(semantics: Semantics) -> Result<()> {
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
                .cloned()
                .unwrap_or_default(),
        ]
    };
    let header =
        ["Machine", "FP16 TFLOPS", "INT8 TOPS", "Memory GB/s", "Host GB/s", "Energy", "Source"];
    let table = Table {
        title: "Known machines".to_owned(),
        header: header.map(str::to_owned).to_vec(),
        rows: known.iter().map(row).collect(),
        footer: Vec::new(),
    };
    writeln!(std::io::stdout().lock(), "{}", render(&table))?;
    Ok(())
}
