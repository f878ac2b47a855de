//! A cache of constants in front of the DDR.

use bigtpu_messages::error_message;
use std::str::FromStr;

use bigtpu_timeline::EngineId;
use serde::Serialize;

use super::error::WhatifError;
use crate::run::Run;

/// Its size, and its bandwidth where it is not that of the L2M.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cache {
    mib: f64,
    gbps: Option<f64>,
}

/// A text that describes no cache.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", error_message!("error-no-cache", value = .0))]
pub struct NoCache(String);

impl FromStr for Cache {
    type Err = NoCache;

    fn from_str(text: &str) -> Result<Self, NoCache> {
        let (mib, gbps) = match text.split_once('@') {
            Some((mib, gbps)) => (mib, Some(gbps)),
            None => (text, None),
        };
        let number = |text: &str| {
            let number: f64 = text.trim().parse().ok()?;
            (number > 0.0 && number <= 1e9).then_some(number)
        };
        let parsed = || {
            let gbps = match gbps {
                Some(gbps) => Some(number(gbps)?),
                None => None,
            };
            Some(Self { mib: number(mib)?, gbps })
        };
        parsed().ok_or_else(|| NoCache(text.to_owned()))
    }
}

/// What the cache serves, in `whatif.json`.
#[derive(Debug, Serialize)]
pub struct Served {
    /// Size in bytes.
    pub bytes: u64,
    /// Bandwidth in GB/s.
    pub gbps: f64,
    /// Loads from DDR with full bits.
    pub loads: u64,
    /// Bytes of these.
    pub load_bytes: u64,
    /// Different data that no command of the run writes.
    pub constants: u64,
    /// Bytes of it.
    pub constant_bytes: u64,
    /// Loads that the cache serves.
    pub hits: u64,
    /// Bytes of these.
    pub hit_bytes: u64,
}

/// A run with the cache.
pub(super) struct Cached {
    /// Engine, event, and what its duration is multiplied by.
    pub(super) factors: Vec<(EngineId, usize, f64)>,
    /// As the arguments ask for it.
    pub(super) label: String,
    pub(super) served: Served,
}

/// What the cache serves, and how long that takes.
pub(super) fn simulate_cache(cache: Cache, run: &Run<'_>) -> Result<Cached, WhatifError> {
    let bytes = (cache.mib * 1024.0 * 1024.0) as u64;
    let found = run.analysis.cached_constants(&run.profile, bytes, cache.gbps);
    let chip = run.profile.chip.name;
    let found = found.ok_or(WhatifError::NoL2m { mib: cache.mib, chip })?;
    let counts = &found.cache;
    if counts.loads == 0 {
        return Err(WhatifError::NoLoads(run.source.clone()));
    }
    let served = Served {
        bytes,
        gbps: found.gbps,
        loads: counts.loads,
        load_bytes: counts.bytes,
        constants: counts.constants,
        constant_bytes: counts.constant_bytes,
        hits: counts.hits.len() as u64,
        hit_bytes: counts.hit_bytes(),
    };
    let label = format!("cache={}MiB@{}", cache.mib, found.gbps);
    Ok(Cached { factors: found.factors, label, served })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_may_have_a_bandwidth() {
        let cache = |text: &str| text.parse::<Cache>();
        assert_eq!(cache("16"), Ok(Cache { mib: 16.0, gbps: None }));
        assert_eq!(cache("0.5@400"), Ok(Cache { mib: 0.5, gbps: Some(400.0) }));
        for text in ["", "0", "-1", "16@", "16@0", "x", "nan", "16@400@1"] {
            assert!(cache(text).unwrap_err().to_string().contains("16@400"), "{text}");
        }
    }
}
