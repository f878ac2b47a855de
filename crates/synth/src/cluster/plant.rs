//! Faults that an analysis of many devices should find.

use bigtpu_messages::error_message;
use std::str::FromStr;

/// A fault of a cluster.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ClusterPlant {
    /// The own work of a rank takes longer by a factor.
    LateRank {
        /// The rank.
        rank: u32,
        /// What its own work is multiplied by.
        factor: f64,
    },
    /// Transfers over a link take longer by a factor.
    SlowLink {
        /// The sending rank.
        from: u32,
        /// The receiving rank.
        to: u32,
        /// What its transfer times are multiplied by.
        factor: f64,
    },
    /// The host launches a rank's work later.
    LateLaunch {
        /// The rank.
        rank: u32,
        /// us before each operation's work.
        us: f64,
    },
    /// A link sends packets again.
    Retries {
        /// The sending rank.
        from: u32,
        /// The receiving rank.
        to: u32,
    },
    /// A rank without a dump.
    LostDump {
        /// The rank.
        rank: u32,
    },
    /// A rank whose ports lost records.
    LostRecords {
        /// The rank.
        rank: u32,
        /// Share of its ports' data records that are lost.
        share: f64,
    },
    /// A rank's ports have rings for three quarters of their records: the oldest are overwritten.
    RingFull {
        /// The rank.
        rank: u32,
    },
    /// The two halves of the ranks do not communicate.
    TwoIslands,
    /// The rank table names the first two devices the other way round.
    SwappedRanks,
    /// `topology.json` names wrong ports.
    WrongTopology,
}

/// The text is no fault of a cluster.
#[derive(Debug, thiserror::Error)]
#[error("{}", error_message!("error-no-cluster-plant", text))]
pub struct NoClusterPlant {
    text: String,
}

impl FromStr for ClusterPlant {
    type Err = NoClusterPlant;

    fn from_str(text: &str) -> Result<Self, NoClusterPlant> {
        Self::parse(text).ok_or_else(|| NoClusterPlant { text: text.to_owned() })
    }
}

impl ClusterPlant {
    fn parse(text: &str) -> Option<Self> {
        let (name, value) = text.split_once('=').unwrap_or((text, ""));
        let ranked = || {
            let (rank, number) = value.split_once(':')?;
            Some((rank.parse().ok()?, number.parse::<f64>().ok().filter(|n| *n >= 0.0)?))
        };
        let link = |ends: &str| {
            let (from, to) = ends.split_once('>')?;
            Some((from.parse().ok()?, to.parse().ok()?))
        };
        Some(match name {
            "late-rank" => ranked().map(|(rank, factor)| Self::LateRank { rank, factor })?,
            "late-launch" => ranked().map(|(rank, us)| Self::LateLaunch { rank, us })?,
            "lost-records" => ranked().map(|(rank, share)| Self::LostRecords { rank, share })?,
            "slow-link" => {
                let (ends, factor) = value.split_once(':')?;
                let (from, to) = link(ends)?;
                Self::SlowLink { from, to, factor: factor.parse().ok().filter(|f| *f > 0.0)? }
            }
            "retries" => link(value).map(|(from, to)| Self::Retries { from, to })?,
            "lost-dump" => Self::LostDump { rank: value.parse().ok()? },
            "ring-full" => Self::RingFull { rank: value.parse().ok()? },
            "two-islands" => Self::TwoIslands,
            "swapped-ranks" => Self::SwappedRanks,
            "wrong-topology" => Self::WrongTopology,
            _ => return None,
        })
    }

    /// The ranks that it names.
    pub(crate) fn ranks(&self) -> Vec<u32> {
        match *self {
            Self::LateRank { rank, .. }
            | Self::LateLaunch { rank, .. }
            | Self::LostDump { rank }
            | Self::RingFull { rank }
            | Self::LostRecords { rank, .. } => vec![rank],
            Self::SlowLink { from, to, .. } | Self::Retries { from, to } => vec![from, to],
            Self::TwoIslands | Self::SwappedRanks | Self::WrongTopology => Vec::new(),
        }
    }
}
