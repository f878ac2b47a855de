//! Monitors and commands become one aligned stream.
//!
//! [`Dump::open`] maps a dump's files; [`Profile::build`] cleans each monitor, joins its records to
//! the commands that caused them, aligns the cores on one time line, and keeps a [`Ledger`] of all that
//! was corrected, left out or lost. Section numbers in the docs refer to `docs/format.md`.
#![forbid(unsafe_code)]

mod align;
mod binding;
mod bound;
mod by_ids;
mod capture;
mod cdma;
mod clock;
mod clock_turns;
mod clocks;
mod completeness;
mod container;
mod core_tracks;
mod cycles;
mod dump;
mod edges;
mod engine_clocks;
mod events;
mod evidence;
mod extras;
mod extras_fit;
mod fitted;
mod ids;
mod incomplete;
mod join;
mod join_ends;
mod join_settle;
mod label;
mod launch_spans;
mod ledger;
mod lost_nodes;
mod merged;
mod model_streams;
mod monitor;
mod nodes;
mod packed;
mod pair;
mod port_hand_overs;
mod port_messages;
mod port_place;
mod port_repair;
mod printable;
mod profile;
mod quality;
mod reorder;
mod ring;
mod role;
mod runtime;
mod sections;
mod sound;
mod source;
mod static_model;
mod streams;
mod survey;
mod tags;
mod time_line;
mod timed;
mod torn_stream;
mod torn_word;
mod totals_check;
mod turns;
mod wide_events;

pub use binding::Binding;
pub use cdma::Owner;
pub use clocks::{ClockSource, Clocks};
pub use completeness::{Completeness, Verdict};
pub use container::{is_summary_only, iterations};
pub use cycles::Cycles;
pub use dump::{Dump, OpenError, OpenOptions, SourceFile};
pub use events::Events;
pub use ledger::{Counts, EngineId, Extent, Ledger, Line, Note, Severity};
pub use model_streams::{ModelStream, StreamPlace, model_streams};
pub use monitor::Monitor;
pub use packed::{Narrow, Near, Number, Packed};
pub use profile::{Core, Options, Profile, Track};
pub use quality::{Qualities, Quality};
pub use runtime::{RuntimeEvent, RuntimeKind};
pub use sound::Records;
pub use survey::{BlockSum, FileSurvey, Survey};
pub use tags::{Mode, Tag};
pub use timed::{TimedCommand, TimedCore, TimedRun};
