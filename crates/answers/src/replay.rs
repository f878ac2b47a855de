//! The replay of a profile: the one place that hands the profile and its certain syncs over.

use bigtpu_measure::CommandTable;
use bigtpu_replay::{Refusal, Replay, SyncPair};
use bigtpu_timeline::Profile;

use bigtpu_measure::Flow;

/// The task graph of a profile, or why there is none.
pub(crate) fn replay(
    profile: &Profile<'_>,
    table: &CommandTable,
    flows: &[Flow],
) -> Result<Replay, Refusal> {
    let pairs: Vec<SyncPair> =
        flows.iter().map(|flow| SyncPair { send: flow.send, wait: flow.wait }).collect();
    Replay::of(profile, table, &pairs)
}
