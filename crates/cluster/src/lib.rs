//! Many devices as one run.
//!
//! [`Part`] holds what the join needs of one dump. The join pairs sends with receives, finds the clocks of all devices
//! with bounds, the operations that ranks take part in, and where each rank's time went. See `docs/cluster.md`.
#![forbid(unsafe_code)]

mod agreement;
mod alignment;
mod alike;
mod bounds;
mod build;
mod causes;
mod chains;
mod clocks;
mod column;
mod commands;
mod facts;
mod file;
mod gains;
mod groups;
mod host;
mod join;
mod kernel_times;
mod kinds;
mod launches;
mod ledger;
mod linear;
mod link_rows;
mod operations;
mod pairing;
mod part;
mod partners;
mod path_rows;
mod phases;
mod rank;
mod replay;
pub mod report;
mod rows;
mod runs;
mod scale;
mod sections;
mod settle;
mod slow_ranks;
mod speeds;
mod stages;
mod state_times;
mod states;
mod steps;
mod verdict;
mod views;
mod work;

pub use alike::{Alike, Likeness};
pub use commands::Commands;
pub use file::PartError;
pub use host::{HostSide, HostSpan, is_communication};
pub use join::{JoinError, JoinOptions, join};
pub use launches::LaunchList;
pub use part::{Command, CoreState, Identity, Launch, OneSided, Part, Run, Thread};
pub use phases::Phases;
pub use rank::Rank;
pub use runs::Runs;
pub use scale::{Scale, What};
pub use state_times::States;
pub use views::{AllStates, Clock, Joined, LinkView, PairView, PathView, RankView, Side, StateRun};
