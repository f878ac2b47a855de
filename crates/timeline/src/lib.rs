//! Monitors and commands become one aligned stream.
//!
//! [`Dump::open`] maps a dump's files; [`Profile::build`] cleans each monitor, joins its records to
//! the commands that caused them, aligns the cores on one time line, and keeps a [`Ledger`] of all that
//! was corrected, left out or lost. Section numbers in the docs refer to `docs/format.md`.
#![forbid(unsafe_code)]

mod align;
mod binding;
mod cdma;
mod clock;
mod clocks;
mod container;
mod dump;
mod edges;
mod engine_clocks;
mod events;
mod ids;
mod incomplete;
mod join;
mod label;
mod ledger;
mod monitor;
mod nodes;
mod packed;
mod pair;
mod printable;
mod profile;
mod reorder;
mod ring;
mod runtime;
mod sections;
mod source;
mod static_model;
mod streams;
mod survey;
mod tags;
mod time_line;
mod totals_check;
mod turns;
mod wide_events;

pub use binding::Binding;
pub use cdma::Owner;
pub use clocks::Clocks;
pub use container::{is_summary_only, iterations};
pub use dump::{Dump, OpenError, SourceFile};
pub use events::Events;
pub use ledger::{Counts, EngineId, Extent, Ledger, Line, Note, Severity};
pub use monitor::Monitor;
pub use packed::{Narrow, Near, Number, Packed};
pub use profile::{Core, Options, Profile, Track};
pub use runtime::{RuntimeEvent, RuntimeKind};
pub use survey::{BlockSum, FileSurvey, Survey};
pub use tags::{Mode, Tag};
