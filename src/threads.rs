//! The threads that all work shares.

use anyhow::{Result, anyhow};

/// What the thread that starts the others does from then on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Caller {
    /// It is one of them, so that it hands no work over and waits for no other thread.
    Works,
    /// It waits for threads that are none of them.
    Waits,
}

/// Starts `jobs` threads; 0 starts one per processor.
pub(crate) fn start(jobs: u16, caller: Caller) -> Result<()> {
    let mut pool = rayon::ThreadPoolBuilder::new().num_threads(jobs.into());
    if caller == Caller::Works {
        pool = pool.use_current_thread();
    }
    pool.build_global()
        .map_err(|error| anyhow!("{jobs} threads can't be started ({error}); try --jobs 1"))
}
