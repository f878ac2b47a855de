//! What every view of a profile has in common: the [`Emitter`] trait, its [`Registry`], and progress.
#![forbid(unsafe_code)]

mod caught;
mod emitter;
mod progress;
pub mod report;

pub use caught::{is_caught, without_text};
pub use emitter::{Emitter, EmitterInput, Registry, SceneProvider};
pub use progress::{Progress, ProgressTask, Quiet};
