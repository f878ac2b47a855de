//! What every view of a profile has in common: the [`Emitter`] trait and its [`Registry`], an output
//! directory whose files are whole or absent, progress, and plain tables.
#![forbid(unsafe_code)]

mod emitter;
mod error;
mod manifest;
mod out_dir;
mod progress;
mod table;
mod unfinished;

pub use emitter::{Emitter, Input, Registry, SceneProvider};
pub use error::EmitError;
pub use manifest::MANIFEST_FILE;
pub use out_dir::{OutDir, OutFile, Written};
pub use progress::{Progress, Quiet, Task};
pub use table::Table;
pub use unfinished::abandon;
