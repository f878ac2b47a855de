//! Panics of libraries that are errors here.

use std::cell::Cell;

thread_local! {
    static IS_CAUGHT: Cell<bool> = const { Cell::new(false) };
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
    fn a_panic_of_a_library_has_no_text() {
        assert!(without_text(is_caught));
        let caught = catch_unwind(|| without_text(|| panic!("refused")));
        assert!(caught.is_err());
        assert!(!is_caught());
    }
}
