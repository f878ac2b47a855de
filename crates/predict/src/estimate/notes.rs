//! What an estimate assumes, in sentences.

use bigtpu_machine::{DataType, Link, Machine, PeakSource};

use crate::estimate::cost::Cost;
use crate::estimate::workload::Workload;
use bigtpu_model::HOST;
use bigtpu_model::Semantics;

/// Whether all energies that the run needed are known for a machine.
pub(crate) fn energy_is_known(machine: &Machine, phases: &[Cost; 2]) -> bool {
    machine.energy_is_known() && links_know(machine, phases, |link| link.pj_per_bit.is_some())
}

/// Whether the bandwidths of the links that the run used are known for a machine.
pub(crate) fn transfers_are_known(machine: &Machine, phases: &[Cost; 2]) -> bool {
    links_know(machine, phases, |link| link.gbps.is_some())
}

/// Whether something is known of each link that carried data. The host has no links of its own.
fn links_know(machine: &Machine, phases: &[Cost; 2], known: impl Fn(&Link) -> bool) -> bool {
    let carried = |bytes: fn(&Cost) -> Option<f64>| {
        phases.iter().any(|totals| bytes(totals).is_some_and(|bytes| bytes > 0.0))
    };
    machine.name == HOST
        || ((!carried(|totals| totals.transfers.host_to_device) || known(&machine.host_to_device))
            && (!carried(|totals| totals.transfers.device_to_host)
                || known(&machine.device_to_host)))
}

/// Sentences for the machines that a run used.
pub(crate) fn notes(used: &[&Machine], workload: &Workload<'_>, phases: &[Cost; 2]) -> Vec<String> {
    if workload.settings.semantics == Semantics::Upmem {
        return vec!["UPMEM's formulas: Linear counts in_features twice, activations are free, devices run at their peak".to_owned()];
    }
    let data_type = workload.settings.data_type.unwrap_or(DataType::Bf16);
    let mut all = Vec::new();
    let needed = workload.weights * data_type.bytes();
    for machine in used {
        let name = &machine.name;
        if name == HOST {
            all.push(format!("some operators run on {HOST}, a slow placeholder of 1 TFLOPS and 1 GB/s; map them to a machine"));
            continue;
        }
        all.extend(peak(machine, data_type));
        if !energy_is_known(machine, phases) {
            all.push(format!("{name}: energy is unknown, because pj_per_tflop, mem_pj_per_bit or a link's pj_per_bit is missing in its description"));
        }
        if !transfers_are_known(machine, phases) {
            all.push(format!("{name}: the bandwidth to and from the host is unknown; the time of these transfers is left out"));
        }
        if let Some(size) = machine.memory_bytes.filter(|&size| needed > size as f64) {
            let (needed, size) = (needed / 1e9, size as f64 / 1e9);
            all.push(format!("{name}: weights take {needed:.1} GB, and its memory holds {size:.1} GB; the model does not fit"));
        }
    }
    all
}

/// Where the peak of a data type comes from, if the description does not give it.
pub(crate) fn peak(machine: &Machine, data_type: DataType) -> Option<String> {
    let name = &machine.name;
    let (peak, source) = machine.peak(data_type);
    match source {
        PeakSource::Given => None,
        // Both are half precision; descriptions list only one of them.
        PeakSource::SameWidth(DataType::Fp16) if data_type == DataType::Bf16 => None,
        PeakSource::SameWidth(other) => Some(format!(
            "{name}: the {data_type} peak is missing; the {other} peak of {peak} TOPS is used"
        )),
        PeakSource::ByWidth => Some(format!(
            "{name}: the {data_type} peak is missing; {peak} TOPS is assumed, the fp16 peak in proportion to the width"
        )),
    }
}
