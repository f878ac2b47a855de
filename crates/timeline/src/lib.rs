//! Monitors and commands become one aligned stream.
//!
//! [`Dump::open`] maps a dump's files; [`Profile::build`] cleans each monitor, joins its records to
//! the commands that caused them, aligns the cores on one time line, and keeps a [`Ledger`] of all that
//! was corrected, left out or lost. Section numbers in the docs refer to `docs/format.md`.
#![forbid(unsafe_code)]

mod align;
mod cdma;
mod clock;
mod dump;
mod edges;
mod events;
mod ids;
mod join;
mod label;
mod ledger;
mod monitor;
mod nodes;
mod pair;
mod printable;
mod profile;
mod reorder;
mod ring;
mod sections;
mod source;
mod streams;
mod survey;
mod tags;
mod time_line;
mod totals_check;
mod turns;

pub use cdma::Owner;
pub use dump::{Dump, OpenError, SourceFile};
pub use events::{Binding, Events};
pub use ledger::{Counts, Extent, Ledger, Line, Note, Place, Severity};
pub use monitor::Monitor;
pub use profile::{Clocks, Core, Options, Profile, Track};
pub use survey::{BlockSum, FileSurvey, Survey};
pub use tags::{Mode, Tag};
