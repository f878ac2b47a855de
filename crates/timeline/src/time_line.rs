//! One time line (section 7): cores aligned, the earliest record at 0, sync pairs trimmed.

use std::collections::{BTreeMap, HashMap};

use bigtpu_chip::Engine;
use rayon::prelude::*;

use crate::cdma::Port;
use crate::core_engines::CORE_ENGINES;
use crate::dump::Dump;
use crate::edges;
use crate::join::Cores;
use crate::monitor::Clean;
use crate::owner::CdmaOwner;
use crate::role::role;
use crate::wide_events::WideEvents;

/// The events of all engines but of ports that count alone.
fn joint_events<'a, 'd>(
    cores: &'a mut Cores<'d>,
    ports: &'a mut [Port<'d>],
) -> impl Iterator<Item = &'a mut WideEvents> {
    cores
        .iter_mut()
        .flat_map(|(_, c)| &mut c.monitors)
        .map(|m| &mut m.events)
        .chain(ports.iter_mut().filter(|p| !p.counts_alone()).map(|p| &mut p.clean.events))
}

/// Shifts every core by its sync point against that of the first core that has one (section 7).
pub(crate) fn align_cores(cores: &mut Cores<'_>, ports: &mut [Port<'_>]) {
    let Some(base) = cores.iter().find_map(|(_, c)| c.sync_point) else { return };
    for (index, core) in cores {
        let Some(sync_point) = core.sync_point else { continue };
        let shift = base - sync_point;
        let anchored = ports.iter_mut().filter(|p| p.anchor == Some(*index));
        let own = core.monitors.iter_mut().map(|m| &mut m.events);
        own.chain(anchored.map(|p| &mut p.clean.events)).for_each(|e| e.shift(shift));
        core.shift_runtime(shift);
    }
}

/// Shifts all so that the earliest record starts at 0. Returns the latest end.
///
/// The counter of a port that lost its sync pair says nothing of the others: its earliest record starts at 0 as well.
pub(crate) fn shift_to_zero<'d>(cores: &mut Cores<'d>, ports: &mut [Port<'d>]) -> i64 {
    let first = |events: &WideEvents| events.start.iter().min().copied();
    for port in ports.iter_mut().filter(|port| port.counts_alone()) {
        let events = &mut port.clean.events;
        first(events).into_iter().for_each(|start| events.shift(-start));
    }
    let mut joint: Vec<&mut WideEvents> = joint_events(cores, ports).collect();
    let earliest = joint.par_iter().filter_map(|events| first(events)).min().unwrap_or(0);
    let shifted = joint.par_iter_mut().map(|events| {
        events.shift(-earliest);
        events.end.iter().copied().fold(0, i64::max)
    });
    let latest = shifted.max().unwrap_or(0);
    cores.iter_mut().for_each(|(_, core)| core.shift_runtime(-earliest));
    latest
}

/// Drops system records around id resets (section 7): CDMA first, since the rest depends on whether any
/// of it remains.
pub(crate) fn trim(dump: &Dump, cores: &mut Cores<'_>, ports: &mut [Port<'_>]) {
    let chip = dump.chip;
    let files: BTreeMap<u32, &[u8]> =
        dump.cores.iter().map(|f| (f.index, f.command_bytes())).collect();
    let mut cdma_remains = false;
    for port in ports {
        let owner = std::mem::take(&mut port.owner);
        let record_owner: HashMap<u32, CdmaOwner> = owner
            .iter()
            .zip(&port.clean.events.record)
            .filter_map(|(owner, record)| Some((*record, (*owner)?)))
            .collect();
        let Clean { monitor, events, .. } = &mut port.clean;
        port.counts.trimmed += edges::trim_system(events, false, |events, i| {
            let core = record_owner.get(&events.record[i]).map(|o| o.core);
            let file = core.and_then(|c| files.get(&c)).copied().unwrap_or(&[]);
            role(chip, Engine::Cdma, file, (&*monitor, events), i)
        });
        port.owner = events.record.iter().map(|r| record_owner.get(r).copied()).collect();
        cdma_remains |= !events.is_empty();
    }
    for (index, core) in cores {
        let file = files.get(index).copied().unwrap_or(&[]);
        for ((clean, counts), engine) in
            core.monitors.iter_mut().zip(&mut core.counts).zip(CORE_ENGINES)
        {
            let Clean { monitor, events, .. } = clean;
            counts.trimmed += edges::trim_system(events, cdma_remains, |events, i| {
                role(chip, engine, file, (&*monitor, events), i)
            });
        }
    }
}
