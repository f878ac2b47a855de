//! Launches as the host sees them: what several cores run together is one.

use std::collections::HashMap;

use bigtpu_measure::{DumpModel, KernelSlice};

/// A launch of a kernel on all cores that run it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Round {
    /// Kernel.
    pub(super) kernel: u32,
    /// Start on the first core, ns.
    pub(super) start_ns: i64,
    /// End on the last core, ns.
    pub(super) end_ns: i64,
}

/// The launches in the order of their starts. If all cores that run a kernel launch it equally often, the n-th launches
/// belong together; else launches of a kernel that overlap on different cores do.
pub(super) fn rounds(model: &DumpModel<'_>) -> Vec<Round> {
    let mut by_kernel: HashMap<u32, Vec<Vec<&KernelSlice>>> = HashMap::new();
    for (core, slices) in model.core_launches.iter().enumerate() {
        for slice in slices {
            let cores = by_kernel.entry(slice.kernel).or_default();
            cores.resize(cores.len().max(core + 1), Vec::new());
            if let Some(launches) = cores.get_mut(core) {
                launches.push(slice);
            }
        }
    }
    let mut rounds: Vec<Round> = Vec::new();
    for (kernel, mut cores) in by_kernel {
        cores.retain(|launches| !launches.is_empty());
        let most = cores.iter().map(Vec::len).max().unwrap_or(0);
        let whole = |slices: &mut dyn Iterator<Item = &KernelSlice>| {
            let (mut start_ns, mut end_ns) = (i64::MAX, i64::MIN);
            for slice in slices {
                start_ns = start_ns.min(slice.start);
                end_ns = end_ns.max(slice.end);
            }
            Round { kernel, start_ns, end_ns }
        };
        if cores.iter().all(|launches| launches.len() == most) {
            let nth =
                |n: usize| whole(&mut cores.iter().filter_map(|launches| launches.get(n).copied()));
            rounds.extend((0..most).map(nth));
            continue;
        }
        let mut all: Vec<(usize, &KernelSlice)> = cores
            .iter()
            .enumerate()
            .flat_map(|(core, launches)| launches.iter().map(move |slice| (core, *slice)))
            .collect();
        all.sort_by_key(|(core, slice)| (slice.start, *core));
        let mut members: Vec<usize> = Vec::new();
        let mut last: Option<Round> = None;
        for (core, slice) in all {
            match &mut last {
                Some(round) if slice.start < round.end_ns && !members.contains(&core) => {
                    round.end_ns = round.end_ns.max(slice.end);
                    members.push(core);
                }
                _ => {
                    rounds.extend(last);
                    last = Some(whole(&mut std::iter::once(slice)));
                    members = vec![core];
                }
            }
        }
        rounds.extend(last);
    }
    rounds.sort_by_key(|round| (round.start_ns, round.end_ns, round.kernel));
    rounds
}
