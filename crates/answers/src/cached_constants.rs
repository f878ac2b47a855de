//! What a cache of constants would change: its loads take the cache's bandwidth instead of that of DDR.

use bigtpu_measure::ConstantCache;
use bigtpu_timeline::{EngineId, Profile};

use crate::Analysis;
use crate::advice::ddr_reuse::LoadRates;

/// Loads that a cache of constants serves, and how long they take from it.
#[derive(Debug, Clone, PartialEq)]
pub struct CachedConstants {
    /// What the cache serves.
    pub cache: ConstantCache,
    /// Bandwidth of the cache in GB/s.
    pub gbps: f64,
    /// Engine, event, and what its duration is multiplied by.
    pub factors: Vec<(EngineId, usize, f64)>,
}

impl Analysis {
    /// What a cache of `bytes` serves, at `gbps` or the bandwidth of the chip's L2M; `None` where neither is known. A load
    /// from the cache starts as late as one from DDR: the chip's shortest pause before the first byte.
    #[must_use]
    pub fn cached_constants(
        &self,
        profile: &Profile<'_>,
        bytes: u64,
        gbps: Option<f64>,
    ) -> Option<CachedConstants> {
        let hardware = &self.report(profile).roofline.hardware;
        let gbps = gbps.or(hardware.l2m_gbps).filter(|gbps| *gbps > 0.0)?;
        let rates = LoadRates { ddr: hardware.ddr_gbps?, other: gbps };
        let cache = ConstantCache::compute(profile, &self.table, bytes);
        let start_ns = rates.start_ns(&self.model(profile));
        let factor = |&(engine_id, event, _): &(EngineId, usize, u64)| {
            let track = profile.tracks().find(|track| track.engine_id == engine_id)?;
            let (start, end) = (track.events.start.get(event)?, track.events.end.get(event)?);
            let ns = (end - start).max(1) as f64;
            let saved = rates.saved_ns(ns, start_ns);
            Some((engine_id, event, 1.0 - saved / ns))
        };
        let factors = cache.hits.iter().filter_map(factor).collect();
        Some(CachedConstants { cache, gbps, factors })
    }
}
