//! The threads that all work shares.

use std::sync::Mutex;
use std::thread::{Builder, available_parallelism};

use anyhow::{Result, anyhow};
use bigtpu_emit_text::console::standard;
use bigtpu_output::text;

/// What the thread that starts the others does from then on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Caller {
    /// It is one of them, so that it hands no work over and waits for no other thread.
    Works,
    /// It waits for threads that are none of them.
    Waits,
}

/// Starts `jobs` threads; 0 starts one per processor. Where a limit allows fewer, as many as it does: 1 is the thread that is
/// there already.
pub(crate) fn start(jobs: u16, caller: Caller) -> Result<()> {
    let wanted = match jobs {
        0 => available_parallelism().map_or(1, usize::from),
        jobs => jobs.into(),
    };
    let possible = 1 + startable_threads(wanted.saturating_sub(1));
    if possible < wanted {
        let note = format!(
            "note: only {possible} of {wanted} threads can be started here (a limit of processes or of memory); the run takes longer"
        );
        standard::note(&text!("{}", note));
    }
    let mut pool = rayon::ThreadPoolBuilder::new().num_threads(possible);
    if caller == Caller::Works || possible == 1 {
        pool = pool.use_current_thread();
    }
    pool.build_global().map_err(|error| {
        anyhow!("{possible} threads can't be started ({error}); raise the limit of processes, or try --jobs 1")
    })
}

/// How many further threads the system lets this process have now, at most so many: a container may have a limit.
fn startable_threads(most: usize) -> usize {
    let gate = Mutex::new(());
    let closed = gate.lock();
    std::thread::scope(|scope| {
        // Each of them lives until the last one has been started.
        let wait = || drop(gate.lock());
        let started =
            (0..most).map_while(|_| Builder::new().spawn_scoped(scope, wait).ok()).count();
        drop(closed);
        started
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_can_be_started_here() {
        assert_eq!(startable_threads(3), 3);
        assert_eq!(startable_threads(0), 0);
    }
}
