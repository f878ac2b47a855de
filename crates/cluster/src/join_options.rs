//! What the caller of the join gives.

use bigtpu_messages::Message;

use crate::report::End;
use crate::scale::Scale;

/// What the join is asked for.
#[derive(Debug, Clone, Default)]
pub struct JoinOptions {
    /// Version of the program.
    pub version: String,
    /// Ranks that are named and have no dump.
    pub missing: Vec<u32>,
    /// Dumps or parts that could not be read.
    pub left_out: usize,
    /// Rank numbers are device numbers.
    pub are_devices: bool,
    /// Links that the user states.
    pub given: Vec<(End, End)>,
    /// Names of groups.
    pub groups: Vec<(String, Vec<u32>)>,
    /// Changes to predict.
    pub scales: Vec<Scale>,
    /// What was refused before the join, in words.
    pub notes: Vec<Message>,
    /// ns; how well the clocks of the hosts agree, where it is stated.
    pub host_sync_ns: Option<f64>,
}
