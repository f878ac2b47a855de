//! How much is in work at a time.

use std::sync::{Condvar, Mutex, PoisonError};

/// Bytes of dumps in work: memory follows them.
#[derive(Debug, Default)]
pub(crate) struct Budget {
    in_work: Mutex<u64>,
    freed: Condvar,
}

/// Dumps of this many bytes together are in work at a time; a larger one is alone.
const LIMIT: u64 = 1 << 30;

impl Budget {
    /// Waits until there is room for a dump of `bytes`, and takes it until the answer is dropped.
    pub(crate) fn take(&self, bytes: u64) -> Taken<'_> {
        let in_work = self.in_work.lock().unwrap_or_else(PoisonError::into_inner);
        let is_full = |in_work: &mut u64| *in_work > 0 && *in_work + bytes > LIMIT;
        let waited = self.freed.wait_while(in_work, is_full);
        // Nothing counts as something: an empty dump is in work as well.
        let bytes = bytes.max(1);
        *waited.unwrap_or_else(PoisonError::into_inner) += bytes;
        Taken { budget: self, bytes }
    }
}

/// A part of the budget.
#[derive(Debug)]
pub(crate) struct Taken<'a> {
    budget: &'a Budget,
    bytes: u64,
}

impl Drop for Taken<'_> {
    fn drop(&mut self) {
        *self.budget.in_work.lock().unwrap_or_else(PoisonError::into_inner) -= self.bytes;
        self.budget.freed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;

    #[test]
    fn a_large_dump_is_alone_and_small_ones_share() {
        let budget = Budget::default();
        let (in_work, most) = (AtomicU64::new(0), AtomicU64::new(0));
        std::thread::scope(|scope| {
            for bytes in [LIMIT * 3, 0, LIMIT / 2, LIMIT / 2, LIMIT * 2, 1, LIMIT / 3] {
                let (budget, in_work, most) = (&budget, &in_work, &most);
                scope.spawn(move || {
                    let _taken = budget.take(bytes);
                    let now = in_work.fetch_add(bytes, Ordering::SeqCst) + bytes;
                    assert!(now <= LIMIT || now == bytes, "{now} bytes at a time");
                    most.fetch_max(now, Ordering::SeqCst);
                    in_work.fetch_sub(bytes, Ordering::SeqCst);
                });
            }
        });
        assert_eq!(most.into_inner(), LIMIT * 3);
    }
}
