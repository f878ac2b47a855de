//! Kernel functions: how often each was launched, how long it took, and what its commands did.

use bigtpu_chip::Engine;
use bigtpu_timeline::{Profile, Track};

use crate::dma::dma;
use crate::kernels::{KernelSlice, kernel_slices};
use crate::percentile::Durations;
use crate::tiu::tiu;

/// Totals of a kernel function over all its launches.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct KernelTotals {
    /// Index into [`Profile::kernels`].
    pub kernel: u32,
    /// Launches, each core's counted; those on CDMA ports only where no core ran it.
    pub launches: Durations,
    /// Cores that ran it.
    pub cores: u32,
    /// Start of the first launch in ns.
    pub first_start: i64,
    /// Events that belong to it.
    pub events: u64,
    /// ns in which commands other than system commands ran, by engine: TIU, GDMA, SDMA, CDMA.
    pub busy_ns: [i64; 4],
    /// Bytes moved from or to DDR.
    pub ddr_bytes: u64,
    /// Bytes moved otherwise.
    pub other_bytes: u64,
}

impl KernelTotals {
    /// Bytes moved over the time of all launches, in GB/s.
    #[must_use]
    pub fn gbps(&self) -> f64 {
        let bytes = self.ddr_bytes as f64 + self.other_bytes as f64;
        let ns = self.launches.total();
        if ns > 0 { bytes / ns as f64 } else { 0.0 }
    }
}

/// Totals of all kernel functions that were launched, those that took longest first.
#[must_use]
pub fn kernel_totals(profile: &Profile<'_>) -> Vec<KernelTotals> {
    let mut totals: Vec<KernelTotals> = (0..profile.kernels.len() as u32)
        .map(|kernel| KernelTotals { kernel, first_start: i64::MAX, ..KernelTotals::default() })
        .collect();
    let mut seen_on: Vec<Option<usize>> = vec![None; totals.len()];
    for (number, core) in profile.cores.iter().enumerate() {
        let tracks: Vec<&Track<'_>> = core.tracks.iter().collect();
        for slice in kernel_slices(profile, &tracks) {
            let k = slice.kernel as usize;
            let (Some(kernel), Some(seen)) = (totals.get_mut(k), seen_on.get_mut(k)) else {
                continue;
            };
            kernel.launch(&slice);
            if seen.replace(number) != Some(number) {
                kernel.cores += 1;
            }
        }
    }
    for port in &profile.ports {
        for slice in kernel_slices(profile, &[port]) {
            let kernel = totals.get_mut(slice.kernel as usize);
            if let Some(kernel) = kernel.filter(|k| k.cores == 0) {
                kernel.launch(&slice);
            }
        }
    }
    for track in profile.tracks() {
        for i in 0..track.events.len() {
            let kernel = profile.tag(track, i).kernel.and_then(|k| totals.get_mut(k as usize));
            if let Some(kernel) = kernel {
                kernel.event(profile, track, i);
            }
        }
    }
    totals.retain(|k| k.launches.count() > 0);
    totals.iter_mut().for_each(|k| k.launches.sort());
    totals.sort_by_key(|k| (std::cmp::Reverse(k.launches.total()), k.kernel));
    totals
}

impl KernelTotals {
    fn launch(&mut self, slice: &KernelSlice) {
        self.launches.add(slice.end - slice.start);
        self.first_start = self.first_start.min(slice.start);
    }

    fn event(&mut self, profile: &Profile<'_>, track: &Track<'_>, i: usize) {
        let engine = track.place.engine;
        self.events += 1;
        let ns = match (track.events.start.get(i), track.events.end.get(i)) {
            (Some(start), Some(end)) => end - start,
            _ => 0,
        };
        let is_system = if engine == Engine::Tiu {
            tiu(profile, track, i).is_system(profile)
        } else {
            let view = dma(profile, track, i);
            let is_system = view.is_system(profile, engine);
            if !is_system {
                let has_ddr = view.direction.has_ddr();
                let side = if has_ddr { &mut self.ddr_bytes } else { &mut self.other_bytes };
                *side += view.traffic.bytes;
            }
            is_system
        };
        if !is_system {
            self.busy_ns[engine as usize] += ns;
        }
    }
}
