//! A communication of several ranks: its members, what moved over its links, and its bandwidths.

use std::collections::BTreeMap;

use crate::alignment::PairRun;
use crate::kinds::Kind;

/// A rank's part of an operation, in ns of its island's reference.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Member {
    pub(crate) rank: usize,
    pub(crate) arrival: f64,
    pub(crate) end: f64,
    pub(crate) wait: f64,
    pub(crate) sent: u64,
    /// Arrival and end in ns of the rank's own clock.
    pub(crate) own: (i64, i64),
    /// Whether its own times are on its device's clock: a port without sync pair has a time of its own.
    pub(crate) is_placed: bool,
    /// Whether the time of its island is known of it: by its device's clock, or by what its partners saw.
    pub(crate) is_known: bool,
}

/// A communication of several ranks.
#[derive(Debug, Clone)]
pub(crate) struct Operation {
    pub(crate) island: usize,
    pub(crate) kind: Kind,
    pub(crate) source: &'static str,
    /// Rank that the others wait for, or that waits for them, by the pattern.
    pub(crate) root: Option<usize>,
    pub(crate) members: Vec<Member>,
    /// Index of the rank that arrived last.
    pub(crate) late: usize,
    pub(crate) first_arrival: f64,
    pub(crate) last_arrival: f64,
    pub(crate) end: f64,
    /// What moved over each link.
    pub(crate) links: BTreeMap<usize, Moved>,
    pub(crate) slow_link: Option<usize>,
    /// Ranks moved data whose partner is not known, so that its bytes are not known.
    pub(crate) is_part: bool,
    /// Its pairs.
    pub(crate) runs: Vec<OperationRun>,
}

/// What moved over a link in an operation.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Moved {
    pub(crate) commands: u64,
    pub(crate) bytes: u64,
    /// ns of the transfers.
    pub(crate) ns: f64,
}

impl Moved {
    /// Bytes a ns.
    pub(crate) fn rate(self) -> Option<f64> {
        (self.bytes > 0 && self.ns > 0.0).then(|| self.bytes as f64 / self.ns)
    }
}

/// Pairs of a link in a row that are of one operation.
#[derive(Debug, Clone, Copy)]
pub(crate) struct OperationRun {
    pub(crate) link: u32,
    /// Place of the first pair in the link's alignment.
    pub(crate) at: u32,
    /// The pairs.
    pub(crate) pairs: PairRun,
}

/// Source of kinds that kernels' names say.
pub(crate) const KERNEL: &str = "kernel";

impl Operation {
    /// What its hosts say of it goes before its pattern.
    pub(crate) fn name_by_host(&mut self, kind: Option<Kind>) {
        if let Some(kind) = kind.filter(|_| self.source != KERNEL) {
            (self.kind, self.source) = (kind, "host");
        }
    }

    /// How long each rank waited for the last one, or for the root.
    pub(crate) fn find_waits(&mut self) {
        let root = self.root.filter(|_| !self.kind.is_all_to_all());
        let arrival =
            root.and_then(|root| self.members.iter().find(|m| m.rank == root && m.is_known));
        let arrival = arrival.map(|member| member.arrival);
        for member in self.members.iter_mut().filter(|m| m.is_known) {
            let until = match arrival {
                Some(arrival) if Some(member.rank) != root => arrival,
                _ => self.last_arrival,
            };
            member.wait = (until.min(member.end) - member.arrival).max(0.0);
        }
    }

    /// ns; from the last arrival to the last end, and whether it is one: not below 0.
    pub(crate) fn transfer(&self) -> f64 {
        (self.end - self.last_arrival).max(0.0)
    }

    /// ns.
    pub(crate) fn skew(&self) -> f64 {
        self.last_arrival - self.first_arrival
    }

    /// Bytes that crossed links; `None` where some of its ranks' data have no known partner.
    pub(crate) fn wire_bytes(&self) -> Option<u64> {
        (!self.is_part).then(|| self.members.iter().map(|m| m.sent).sum())
    }

    /// GB/s of the algorithm and of the bus, where they are defined.
    pub(crate) fn bandwidths(&self) -> (Option<f64>, Option<f64>) {
        let n = self.members.len() as f64;
        let most = self.members.iter().map(|m| m.sent).max().unwrap_or(0) as f64;
        let transfer = self.transfer();
        if self.is_part || transfer <= 0.0 || most <= 0.0 {
            return (None, None);
        }
        let (size, factor) = match self.kind {
            Kind::AllReduce => (most * n / (2.0 * (n - 1.0)), 2.0 * (n - 1.0) / n),
            Kind::AllGather | Kind::ReduceScatter | Kind::AllToAll => {
                (most * n / (n - 1.0), (n - 1.0) / n)
            }
            Kind::Gather | Kind::Scatter => (most, (n - 1.0) / n),
            Kind::Broadcast | Kind::Reduce | Kind::P2p => (most, 1.0),
            Kind::Ring => return (None, Some(most / transfer)),
            Kind::Barrier | Kind::Unknown => return (None, None),
        };
        (Some(size / transfer), Some(size * factor / transfer))
    }
}
