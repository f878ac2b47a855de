//! The work of each command, without its arguments and its console: open dumps, decode and align their events, answer,
//! write the views.
//!
//! [`Settings`] are plain data that all dumps of a run have in common; the command line makes them from its options once.
//! A [`Session`] opens dumps with them, a [`Run`] is one analyzed dump and writes its views, as a [`Choice`] says. The
//! modules are what is done with more than one dump: [`dumps`] side by side, a [`batch`], a [`cluster`], a [`diff`];
//! and what is done without analyzing one, such as [`info`] and [`synthetic`].
//!
//! Nothing here prints: what is to be said is returned, or goes to a [`Say`] while the work goes on. Each error is a
//! sentence that says what to do.
#![forbid(unsafe_code)]

mod archive;
pub mod batch;
mod choice;
pub mod cluster;
pub mod costs;
mod cut;
mod detail;
pub mod diff;
mod dump_name;
pub mod dumps;
pub mod estimate;
mod gzip;
mod held;
mod host;
pub mod info;
mod inputs;
mod kept;
mod note;
pub mod open;
mod outputs;
pub mod pipeline;
pub mod query;
pub mod record;
mod run;
pub mod search;
mod settings;
pub mod simulate;
mod size;
mod sizes;
pub mod synthetic;
mod two_runs;
mod unreadable;
mod unused;
pub mod views;
pub mod whatif;

pub use archive::{ArchiveError, Unpacked, is_archive};
pub use bigtpu_answers::device_and_call;
pub use bigtpu_compat::Edition;
pub use bigtpu_emit_perfetto::TraceDetail;
pub use bigtpu_emit_xlsx::WorkbookName;
pub use bigtpu_scene::Cut;
pub use choice::{Choice, Documents, MANY_EVENTS, OutputExtent, Selection};
pub use cut::{CutError, CutRequest, NoWindow, TimeWindow};
pub use dump_name::{short_name, source_name};
pub use held::{HeldError, HeldInputs, HeldRequest, HeldResults};
pub use host::Host;
pub use inputs::{InputError, Inputs};
pub use kept::ResultsOf;
pub use note::{Say, remark};
pub use outputs::{file_or_in_directory, is_output, is_table, output_directory, write_file};
pub use run::Run;
pub use settings::{Session, Settings};
pub use size::size;
pub use sizes::{SizeError, Sizes};
pub use unreadable::Unreadable;
pub use unused::Unused;
