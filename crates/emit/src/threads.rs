//! Threads that the system lets a process have.

use std::sync::Mutex;
use std::thread::Builder;

/// How many further threads the system lets this process have now, at most so many: a container may have a limit.
#[must_use]
pub fn startable_threads(most: usize) -> usize {
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
