//! Every command of a [`bigtpu_timeline::Profile`], decoded once: the [`CommandTable`].
//!
//! A run has few distinct commands and many events. What equal commands share is in a [`CommandKind`]: operation,
//! names, data type, shape, cost, direction, whether it is work or a system command. What differs from event to event
//! is in [`Columns`]: kind, bytes, stalls, sync message, dependence; times, ids and tags are in the profile's own
//! [`bigtpu_timeline::Events`], row by row the same. Two commands are of one kind when their full bits differ in
//! addresses, ids and messages only; commands that are known by their dispatch word are of one kind when the words
//! are the same.
//!
//! Then what is measured on it: kernel launches, intervals, sync flows, totals by kernel or group, bandwidth over time;
//! and the [`layers`] of a static model, of which its compiler says which commands are theirs.
//!
//! This is the place where bits become fields. Readers iterate over columns and look kinds up; a reader that needs an
//! address or the other fields of a register text asks for the event's command and reads it there.
#![forbid(unsafe_code)]

mod activity;
mod addresses;
mod bandwidth;
mod by_end;
mod cell_blocks;
mod cells;
mod columns;
mod command_waits;
mod common_starts;
mod constant_cache;
mod coverage;
mod demand;
mod dependence;
mod distribution;
mod engine_spans;
mod engine_track;
mod flows;
mod groups;
mod growing;
mod intern;
mod intervals;
mod kernel_runs;
mod kernel_totals;
mod kernels;
mod kind;
mod lane_sweep;
mod launches;
pub mod layers;
mod live_bytes;
mod local_memory;
mod margins;
mod model;
mod name_pattern;
mod number;
mod part;
mod pattern;
mod pauses;
mod percentile;
mod phases;
// Not behind a feature: a build with it and one without share nothing.
#[doc(hidden)]
pub mod planted;
mod port_bits;
mod port_commands;
mod port_roles;
mod readiness;
mod residency;
mod reuse;
mod sides;
mod span_list;
mod spans;
mod sweep;
mod table;
mod times;
mod track_commands;
mod transfer;
mod transfers;

pub use activity::Activity;
pub use addresses::{AddressReader, Addresses};
pub use bandwidth::{Bandwidth, BandwidthStep, SerialTransfers, added_gbps};
pub use bigtpu_chip::SyncMessage;
pub use cell_blocks::size_bits;
pub use cells::{Cells, TotalsCell};
pub use columns::Columns;
pub use command_waits::{CommandWaits, TrackWaits, clock_tolerance_ns};
pub use common_starts::{CommonStart, EngineTimes, common_starts};
pub use constant_cache::ConstantCache;
pub use coverage::Coverage;
pub use demand::CoreDemand;
pub use dependence::Dependence;
pub use distribution::Distribution;
pub use engine_track::EngineTrack;
pub use flows::{Flows, Round, SyncFlow, sync_flows};
pub use groups::{AlikeCommands, Key, gbps, groups_of, tops, whole};
pub use intervals::{CoreMean, EngineTime, Intervals};
pub use kernel_runs::kernel_slices;
pub use kernel_totals::{KernelTotals, kernel_totals};
pub use kernels::{KernelSlice, Launches};
pub use kind::{CommandKind, TransferKind};
pub use launches::{CoreLaunches, LaunchGap, Stall, core_launches};
pub use live_bytes::{LiveBytes, LiveTotal, TimedAccess};
pub use local_memory::{Access, Accesses, LocalMemory};
pub use model::{DumpModel, LeftOut, MeasuredEvent, TrackEvents};
pub use name_pattern::NamePattern;
pub use number::{counted, float_text, percent, percent_number, quotient, ratio, round4};
pub use pauses::{EnginePause, EnginePauses};
pub use percentile::Durations;
pub use phases::MomentActivity;
pub use port_bits::PortBits;
pub use port_commands::{PortCommand, PortCommands, PortTimes};
pub use port_roles::PortRole;
pub use readiness::free_overlap_ns;
pub use residency::{Residency, Spilled, Touch, residencies};
pub use reuse::Reuse;
pub use sides::{Side, Sides};
pub use span_list::SpanIter;
pub use spans::Spans;
pub use table::CommandTable;
pub use times::{CoreTime, Times, TrackTime};
pub use track_commands::{TrackCommand, TrackCommands};
pub use transfer::{ByteCounts, Shown, Transfer};
