//! Where a run goes from prefill to decode.

use std::str::FromStr;

use bigtpu_measure::NamePattern;

use crate::costs::execution::Execution;
use bigtpu_model::costs::CostsPhase;

/// A slice of the host's trace on the profile's time line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostEvent {
    /// Its name.
    pub name: String,
    /// ns.
    pub start: i64,
}

/// What decode begins with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PhaseMarker {
    /// The execution of that number, from 0.
    Index(u64),
    /// The first part whose name matches, with `*` and `?`.
    Part(String),
    /// What follows the first part whose name matches.
    AfterPart(String),
    /// The first host event whose name matches.
    Host(String),
}

impl FromStr for PhaseMarker {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if let Ok(index) = text.parse() {
            return Ok(Self::Index(index));
        }
        let (kind, rest) = text.split_once(':').unwrap_or_default();
        Ok(match kind {
            "kernel" | "part" => Self::Part(rest.to_owned()),
            "after" => Self::AfterPart(rest.to_owned()),
            "host" => Self::Host(rest.to_owned()),
            _ => Self::Part(text.to_owned()),
        })
    }
}

impl PhaseMarker {
    /// When decode begins, in ns; `None` where nothing matches. A name that no part has may be that of a host event.
    pub(crate) fn time(
        &self,
        names: &[String],
        executions: &[Execution],
        host: &[HostEvent],
    ) -> Option<i64> {
        let part = |pattern: &str| {
            let pattern = NamePattern::new(pattern);
            let matches: Vec<bool> = names.iter().map(|name| pattern.matches(name)).collect();
            executions.iter().find(|e| matches.get(e.name as usize) == Some(&true))
        };
        let event = |pattern: &str| {
            let pattern = NamePattern::new(pattern);
            host.iter().filter(|e| pattern.matches(&e.name)).map(|e| e.start).min()
        };
        match self {
            Self::Index(index) => {
                executions.get(usize::try_from(*index).ok()?).map(|execution| execution.start)
            }
            Self::Part(pattern) => part(pattern).map(|e| e.start).or_else(|| event(pattern)),
            Self::AfterPart(pattern) => part(pattern).map(|e| e.end),
            Self::Host(pattern) => event(pattern),
        }
    }
}

/// Gives every execution its phase.
pub(crate) fn split(executions: &mut [Execution], decode_begins: i64) {
    for execution in executions {
        let is_decode = execution.start >= decode_begins;
        execution.phase = Some(if is_decode { CostsPhase::Decode } else { CostsPhase::Prefill });
    }
}
