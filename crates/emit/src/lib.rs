//! What every view of a profile has in common: the [`Emitter`] trait, its [`Registry`], and progress.
#![forbid(unsafe_code)]

mod caught;
mod emitter;
mod progress;
pub mod report;
mod threads;

pub use caught::{Panic, catch_library, is_caught};
pub use emitter::{Emitter, Input, Registry, SceneProvider};
pub use progress::{Progress, Quiet, Task};
pub use threads::startable_threads;
