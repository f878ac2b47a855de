//! Panics of libraries that are errors here.

use std::any::Any;
use std::cell::Cell;

thread_local! {
    static IS_CAUGHT: Cell<bool> = const { Cell::new(false) };
}

/// Why a library panicked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Panic {
    /// It could not start a thread.
    Thread,
    /// Anything else.
    Other,
}

impl Panic {
    /// The reason of a panic that was caught.
    #[must_use]
    pub fn from_payload(payload: &(dyn Any + Send)) -> Self {
        let text = payload.downcast_ref::<String>().map_or("", String::as_str);
        if text.starts_with("failed to spawn thread") { Self::Thread } else { Self::Other }
    }
}

/// Calls a library that panics where the system refuses what it needs, and shows no text of it: whoever calls this catches the
/// panic. The call must not hand work to other threads of ours, or take any from them.
pub fn without_text<T>(call: impl FnOnce() -> T) -> T {
    /// Resets it also when the call panics.
    struct Reset(bool);
    impl Drop for Reset {
        fn drop(&mut self) {
            IS_CAUGHT.set(self.0);
        }
    }
    let _reset = Reset(IS_CAUGHT.replace(true));
    call()
}

/// Whether a panic of this thread becomes an error, and is no text for anyone.
#[must_use]
pub fn is_caught() -> bool {
    IS_CAUGHT.get()
}

#[cfg(test)]
#[allow(clippy::panic, reason = "a library that panics")]
mod tests {
    use std::panic::catch_unwind;

    use super::*;

    #[test]
    fn a_panic_of_a_library_has_a_reason_and_no_text() {
        assert!(without_text(is_caught));
        let reason = |text: &str| {
            let caught = catch_unwind(|| without_text(|| panic!("{text}")));
            Panic::from_payload(&*caught.err().unwrap())
        };
        assert_eq!(reason("failed to spawn thread: refused"), Panic::Thread);
        assert_eq!(reason("refused"), Panic::Other);
        assert!(!is_caught());
    }
}
