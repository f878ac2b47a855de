//! What an engine's pause is.

use bigtpu_measure::EnginePause;

use super::Cause;

/// A time in which an engine did no work, compact until its names are needed.
#[derive(Debug, Clone)]
pub(super) struct Bubble {
    /// ns.
    pub(super) start: i64,
    /// ns.
    pub(super) end: i64,
    pub(super) sync_ns: i64,
    pub(super) other_engine_ns: i64,
    pub(super) cost_ns: i64,
    pub(super) cause: Cause,
}

impl Bubble {
    /// Length in ns.
    pub(super) fn ns(&self) -> i64 {
        self.end - self.start
    }

    #[inline]
    pub(super) fn from_pause(pause: &EnginePause) -> Self {
        let EnginePause { start, end, sync_ns, others_ns, .. } = *pause;
        let other_engine_ns = others_ns - pause.others_in_sync_ns;
        let idle_ns = end - start - sync_ns - other_engine_ns;
        // An engine that never worked has one pause: it is before no command and behind none.
        let is_whole = pause.is_first && pause.is_last;
        let cause = if pause.is_first && !is_whole {
            Cause::Start
        } else if pause.is_last && !is_whole {
            Cause::End
        } else if sync_ns >= other_engine_ns.max(idle_ns) {
            Cause::Sync
        } else if other_engine_ns >= idle_ns {
            Cause::OtherEngine
        } else if pause.begins_launch {
            Cause::Launch
        } else {
            Cause::Idle
        };
        Self { start, end, sync_ns, other_engine_ns, cost_ns: end - start - others_ns, cause }
    }
}
