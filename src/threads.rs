//! The threads that all work shares.

use anyhow::{Result, anyhow};

/// Starts `jobs` threads; 0 starts one per processor.
pub(crate) fn start(jobs: u16) -> Result<()> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(jobs.into());
    pool.build_global()
        .map_err(|error| anyhow!("{jobs} threads can't be started ({error}); try --jobs 1"))
}
