//! What the time of a port's sends and receives is made of.

use bigtpu_measure::{PortRole, PortTimes, TrackCommands};
use serde::{Deserialize, Serialize};

/// Which way commands of a port move data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PortTraffic {
    /// To the peer.
    Send,
    /// From the peer.
    Receive,
}

/// The commands of a port that move data one way, and what their time is made of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PortPhases {
    /// Which way.
    pub direction: PortTraffic,
    /// Commands.
    pub commands: u64,
    /// ns from start to end, of all of them.
    pub total_ns: i64,
    /// The parts of this time; absent where the records have no moments of data: ends only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parts: Option<PortTimes>,
    /// Packets that the link sent again.
    pub retries: u64,
}

impl PortPhases {
    /// Returns the phases of a port's track: sends, then receives, where there are any.
    pub(super) fn all(port: TrackCommands<'_, '_>) -> Vec<Self> {
        let Some(found) = port.port else { return Vec::new() };
        let roles =
            [(PortRole::Send, PortTraffic::Send), (PortRole::Receive, PortTraffic::Receive)];
        let phases = roles.into_iter().filter_map(|(role, direction)| {
            let has_moments = found.has_moments(role);
            let mut all = Self { direction, commands: 0, total_ns: 0, parts: None, retries: 0 };
            let mut parts = PortTimes::default();
            for command in found.commands.iter().filter(|command| command.role == role) {
                let events = &port.track.events;
                let (start, end) =
                    (*events.start.get(command.event)?, *events.end.get(command.event)?);
                all.commands += 1;
                all.total_ns += end.max(start) - start;
                all.retries += u64::from(command.replays);
                let own = command.times(start, end).unwrap_or_default();
                parts.waiting_ns += own.waiting_ns;
                parts.transfer_ns += own.transfer_ns;
                parts.completion_ns += own.completion_ns;
            }
            all.parts = has_moments.then_some(parts);
            (all.commands > 0).then_some(all)
        });
        phases.collect()
    }
}
