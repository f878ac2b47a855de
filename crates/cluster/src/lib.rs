//! Many devices as one run.
//!
//! [`DumpPart`] holds what the join needs of one dump. The join pairs sends with receives, finds the clocks of all devices
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
mod found;
mod gains;
mod groups;
mod host;
mod host_side;
mod join;
mod join_options;
mod kernel_times;
mod kinds;
mod launches;
mod ledger;
mod linear;
mod link_rows;
mod numbers;
mod operation;
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
mod tried;
mod verdict;
mod views;
mod work;

pub use alike::{Alike, Likeness};
pub use commands::{DataCommand, DataCommands};
pub use file::PartError;
pub use host::is_communication;
pub use host_side::{HostSide, HostSpan};
pub use join::{JoinError, join};
pub use join_options::JoinOptions;
pub use launches::{Launch, LaunchList};
pub use part::{DumpPart, Identity, OneSided, ThreadCommands};
pub use phases::Phases;
pub use rank::Rank;
pub use runs::{CoreState, CoreStretch, Runs};
pub use scale::{Scale, ScaledPart};
pub use state_times::States;
pub use states::StateRun;
pub use views::{AllStates, Clock, Joined, LinkView, PairSide, PairView, PathView, RankView};
