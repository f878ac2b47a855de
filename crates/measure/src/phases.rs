//! The five phases of a moment, and a window cut into them.

use serde::{Deserialize, Serialize};

use crate::spans::Spans;

/// The activity at a moment. Work has priority over sync, sync over idle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Phase {
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

impl Phase {
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

/// A stretch of one phase.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Segment {
    /// ns.
    pub start: i64,
    /// ns.
    pub end: i64,
    /// What was going on.
    pub phase: Phase,
}

/// Cuts a window into its phases: the segments are in order, touch each other, and fill the window.
#[must_use]
pub fn segments(
    window: (i64, i64),
    compute: &Spans,
    transfer: &Spans,
    sync: &Spans,
) -> Vec<Segment> {
    let sets = [compute.spans(), transfer.spans(), sync.spans()];
    let mut next = [0usize; 3];
    let mut out: Vec<Segment> = Vec::new();
    let (mut now, until) = window;
    while now < until {
        let mut change = until;
        let mut on = [false; 3];
        for ((spans, next), on) in sets.iter().zip(&mut next).zip(&mut on) {
            while spans.get(*next).is_some_and(|s| s.1 <= now) {
                *next += 1;
            }
            if let Some(&(start, end)) = spans.get(*next) {
                *on = start <= now;
                change = change.min(if *on { end } else { start });
            }
        }
        let phase = match on {
            [true, true, _] => Phase::Overlap,
            [true, false, _] => Phase::Compute,
            [false, true, _] => Phase::Transfer,
            [false, false, true] => Phase::Sync,
            [false, false, false] => Phase::Idle,
        };
        match out.last_mut() {
            Some(last) if last.phase == phase => last.end = change,
            _ => out.push(Segment { start: now, end: change, phase }),
        }
        now = change;
    }
    out
}
