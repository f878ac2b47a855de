//! What an estimate assumes, in sentences.

use bigtpu_machine::{DataType, Link, Machine, PeakSource};

use crate::estimate::cost::Cost;
use crate::estimate::workload::Workload;
use bigtpu_messages::{Arg, Message, Notes, message};
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
pub(crate) fn notes(used: &[&Machine], workload: &Workload<'_>, phases: &[Cost; 2]) -> Notes {
    if workload.settings.semantics == Semantics::Upmem {
        return Notes::from_iter([message!("predict-upmem-formulas")]);
    }
    let data_type = workload.settings.data_type.unwrap_or(DataType::Bf16);
    let mut all = Notes::default();
    let needed = workload.weights * data_type.bytes();
    for machine in used {
        let name = &machine.name;
        if name == HOST {
            all.push(message!("predict-on-host", host = HOST));
            continue;
        }
        all.extend(peak(machine, data_type));
        if !energy_is_known(machine, phases) {
            all.push(message!("predict-energy-unknown", machine = name));
        }
        if !transfers_are_known(machine, phases) {
            all.push(message!("predict-host-link-unknown", machine = name));
        }
        if let Some(size) = machine.memory_bytes.filter(|&size| needed > size as f64) {
            let [needed, size] = [needed, size as f64].map(gigabytes);
            all.push(message!("predict-no-fit", machine = name, needed = needed, size = size));
        }
    }
    all
}

/// Bytes in GB, with one decimal.
pub(crate) fn gigabytes(bytes: f64) -> Arg {
    Arg::Value(bytes / 1e9, 1)
}

/// Where the peak of a data type comes from, if the description does not give it.
pub(crate) fn peak(machine: &Machine, data_type: DataType) -> Option<Message> {
    let name = &machine.name;
    let (peak, source) = machine.peak(data_type);
    match source {
        PeakSource::Given => None,
        // Both are half precision; descriptions list only one of them.
        PeakSource::SameWidth(DataType::Fp16) if data_type == DataType::Bf16 => None,
        PeakSource::SameWidth(other) => Some(message!(
            "predict-peak-of-width",
            machine = name,
            kind = data_type.name(),
            other = other.name(),
            peak = peak.to_string()
        )),
        PeakSource::ByWidth => Some(message!(
            "predict-peak-in-proportion",
            machine = name,
            kind = data_type.name(),
            peak = peak.to_string()
        )),
    }
}
