//! Reads the host side of a profile: a Chrome JSON trace of torch profiler or tpudnn.
//!
//! ```text
//! file ─► source ─► feed ─► scan, splitter ─► fields ─► build ─► HostTrace ─► anchor, nesting
//!         gunzip    window  one event's text  serde     records  compact      what a view needs
//! ```
//!
//! The text passes through one bounded buffer and is never held whole. Times are exact: decimal
//! text to integer nanoseconds, without a double in between. What is wrong with one event costs
//! that event only, and [`Stats`] says so. Section numbers refer to `docs/format.md`.
//!
//! ```no_run
//! use bigtpu_host_trace::{HostTrace, ReadOptions, Span, nest};
//!
//! let trace = HostTrace::open("trace.json.gz".as_ref(), &ReadOptions::default())?;
//! for (thread, places) in trace.threads.iter().zip(trace.kept_by_thread()) {
//!     let spans: Vec<Span> = places.iter().map(|&place| Span::from(&trace.slices[place])).collect();
//!     println!("thread {}: {} lanes", trace.strings.get(thread.tid), nest(&spans).len());
//! }
//! # Ok::<(), bigtpu_host_trace::TraceError>(())
//! ```

#![forbid(unsafe_code)]

mod align;
mod anchor;
mod arg_seed;
mod arg_value;
mod args;
mod arrows;
mod build;
mod bulk;
mod counters;
mod decimal;
mod decimal_parse;
mod error;
mod feed;
mod fields;
mod members;
mod memory;
mod metadata;
mod model;
mod nesting;
mod outline;
mod pairs;
mod places;
mod read;
mod record;
mod repair;
mod resync;
mod scan;
mod shift;
mod source;
mod splitter;
mod stats;
mod strings;
mod tally;
mod zip_member;

pub use align::{HostAlign, MOST_OFFSET};
pub use anchor::{Anchors, DISABLE_PROFILE, DROPPED_NAMES, TPUDNN};
pub use arg_value::{ArgList, ArgMap, ArgValue};
pub use args::{Args, ArgsRef};
pub use arrows::Arrow;
pub use bulk::{Bulk, Outliers};
pub use counters::{Counter, CounterSample, CounterValue};
pub use decimal::ExactNs;
pub use decimal_parse::DecimalError;
pub use error::{EventError, TraceError};
pub use model::{
    ArrowPoint, AsyncInstant, AsyncSlice, AsyncTrack, EventId, FileClock, FlowPhase, HostFile,
    HostSlice, HostTrace, Instant, InstantKind, Process, Scope, Thread,
};
pub use nesting::{SliceEdge, Span, keep_outermost, nest};
pub use read::ReadOptions;
pub use source::{FREE_BYTES, MOST_FOLD};
pub use stats::{BadEvent, Stats, Warning};
pub use strings::{StrId, Strings};
pub use tally::{Hidden, Tally};
