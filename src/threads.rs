//! The threads that all work shares.

use std::sync::Mutex;
use std::thread::{Builder, available_parallelism};

use anyhow::Result;
use bigtpu_messages::{Message, message};
use bigtpu_session::remark;

use crate::console::note;
use crate::exit::failed;

/// What the thread that starts the others does from then on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Caller {
    /// Runs as one of the threads, so that it hands no work over and waits for no other thread.
    Works,
    /// Waits for the threads, and is none of them.
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
        note(remark(message!("error-few-threads", possible = possible, wanted = wanted)));
    }
    let mut pool = rayon::ThreadPoolBuilder::new().num_threads(possible);
    if caller == Caller::Works || possible == 1 {
        pool = pool.use_current_thread();
    }
    pool.build_global().map_err(|error| {
        let reason = Message::displayed(&error);
        failed(message!("error-no-threads", possible = possible, reason = reason))
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
