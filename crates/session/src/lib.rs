//! One run over a dump: open it, decode and align its events, answer, write the views.
//!
//! Everything that analyzes a dump starts here: one dump, several side by side, a batch, comparisons, predictions, the
//! checks of fuzzing. [`Settings`] are plain data that all dumps of a run have in common; the command line makes them
//! from its options once. A [`Session`] opens dumps with them, a [`Run`] is one analyzed dump and writes its views.
#![forbid(unsafe_code)]

mod archive;
mod dump_name;
mod dump_place;
mod host;
mod outputs;
mod run;
mod settings;
pub mod views;

pub use archive::{ArchiveError, Unpacked, is_archive};
pub use bigtpu_scene::Cut;
pub use dump_name::{device_and_call, short_name, source_name};
pub use dump_place::{host, occasion, repetition};
pub use host::Host;
pub use outputs::{is_output, is_table, output_directory, write_file};
pub use run::Run;
pub use settings::{Session, Settings};
