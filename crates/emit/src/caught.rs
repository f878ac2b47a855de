//! Panics of libraries that are errors here.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

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

/// Calls a library that panics where the system refuses what it needs. The call must not hand work to other threads of ours,
/// or take any from them: a panic in it is not shown, see [`is_caught`].
///
/// # Errors
/// It panicked.
pub fn catch_library<T>(call: impl FnOnce() -> T) -> Result<T, Panic> {
    let outer = IS_CAUGHT.replace(true);
    let result = catch_unwind(AssertUnwindSafe(call));
    IS_CAUGHT.set(outer);
    result.map_err(|payload| {
        let text = payload.downcast_ref::<String>().map_or("", String::as_str);
        if text.starts_with("failed to spawn thread") { Panic::Thread } else { Panic::Other }
    })
}

/// Whether a panic of this thread becomes an error, and is no text for anyone.
#[must_use]
pub fn is_caught() -> bool {
    IS_CAUGHT.get()
}

#[cfg(test)]
#[allow(clippy::panic, reason = "a library that panics")]
mod tests {
    use super::*;

    #[test]
    fn a_panic_of_a_library_is_an_error() {
        assert_eq!(catch_library(is_caught), Ok(true));
        let panics = |text: &str| -> Result<(), Panic> { catch_library(|| panic!("{text}")) };
        assert_eq!(panics("failed to spawn thread: refused"), Err(Panic::Thread));
        assert_eq!(panics("refused"), Err(Panic::Other));
        assert!(!is_caught());
    }
}
