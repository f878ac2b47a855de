//! The five phases of a moment.

use serde::{Deserialize, Serialize};

/// The activity at a moment. Work has priority over sync, sync over idle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum MomentActivity {
    /// A TIU computed, nothing was transferred.
    Compute,
    /// Data was transferred, no TIU computed: transfer time that nothing hides.
    Transfer,
    /// Both.
    Overlap,
    /// Neither; some engine was in a system command, as a rule waiting.
    Sync,
    /// No engine ran anything.
    Idle,
}

impl MomentActivity {
    /// As a view says it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Compute => "compute only",
            Self::Transfer => "exposed transfer",
            Self::Overlap => "compute and transfer",
            Self::Sync => "sync",
            Self::Idle => "idle",
        }
    }
}
