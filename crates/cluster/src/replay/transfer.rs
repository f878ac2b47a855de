//! How a send's data follow.

use std::collections::BTreeMap;

use crate::chains::LinkKind;
use crate::clocks::RankClock;
use crate::commands::Moments;
use crate::found::Found;
use crate::pairing::{Link, thread_of};

/// How a send's data follow, in ns.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Transfer {
    pub(super) start_up: f64,
    pub(super) credit: f64,
    pub(super) moving: f64,
    pub(super) completion: f64,
    /// From the send's last data to the receive's end.
    pub(super) arrival: f64,
    /// The start-up bound; else the credit.
    pub(super) is_by_send: bool,
}

/// The smallest start-up and credit, in ns.
#[derive(Debug, Clone, Copy)]
pub(super) struct Least {
    start_up: f64,
    credit: f64,
}

/// The range of what was measured, in ns.
#[derive(Debug, Clone, Copy)]
struct Range {
    least: f64,
    most: f64,
}

/// Start-ups and credits of pairs.
#[derive(Debug, Clone, Copy)]
pub(super) struct Measured {
    start_up: Range,
    credit: Range,
}

/// ns by which a start-up, or a credit, is longer than the smallest only if the other one bound.
const BOUND_NS: f64 = 1000.0;

impl Transfer {
    /// As measured.
    fn measured(
        has_moments: bool,
        (send, from): (&Moments, &RankClock),
        (receive, to): (&Moments, &RankClock),
    ) -> Self {
        let (send_start, receive_start) =
            (from.reference(send.start as f64), to.reference(receive.start as f64));
        let (send_end, receive_end) =
            (from.reference(send.end as f64), to.reference(receive.end as f64));
        // Where only ends are known, the data move until the receive ends.
        let first = if has_moments {
            from.reference(send.first as f64)
        } else {
            send_start.max(receive_start)
        };
        let last =
            if has_moments { from.reference(send.last as f64) } else { receive_end.max(first) };
        Self {
            start_up: first - send_start,
            credit: first - receive_start,
            moving: (last - first).max(0.0),
            completion: send_end - last,
            arrival: receive_end - last,
            is_by_send: false,
        }
    }

    /// With the smallest lag for what did not bind.
    pub(super) fn new(
        least: &Least,
        has_moments: bool,
        send: (&Moments, &RankClock),
        receive: (&Moments, &RankClock),
    ) -> Self {
        let mut transfer = Self::measured(has_moments, send, receive);
        let (send_start, receive_start) =
            (send.1.reference(send.0.start as f64), receive.1.reference(receive.0.start as f64));
        // The later of the two bound: the other one's lag is the smallest.
        if send_start + least.start_up >= receive_start + least.credit {
            transfer.credit = least.credit;
        } else {
            transfer.start_up = least.start_up;
        }
        transfer.is_by_send = send_start + transfer.start_up >= receive_start + transfer.credit;
        transfer
    }
}

impl Range {
    const NONE: Self = Self { least: f64::INFINITY, most: f64::NEG_INFINITY };

    fn join(&mut self, other: Self) {
        self.least = self.least.min(other.least);
        self.most = self.most.max(other.most);
    }

    fn add(&mut self, ns: f64) {
        self.join(Self { least: ns, most: ns });
    }

    /// Whether the other one bound at least once.
    fn is_wide(self) -> bool {
        self.most > self.least + BOUND_NS
    }
}

impl Measured {
    const NONE: Self = Self { start_up: Range::NONE, credit: Range::NONE };

    /// Start-ups and credits of all pairs of a link.
    pub(super) fn from_link(found: &Found, link: &Link) -> Self {
        let mut measured = Self::NONE;
        let clock = |rank: usize| found.clocks.ranks.get(rank);
        let (Some(from), Some(to)) = (clock(link.from.rank), clock(link.to.rank)) else {
            return measured;
        };
        for (send, receive) in crate::facts::moments(&found.ranks, link) {
            let transfer = Transfer::measured(link.has_moments, (&send, from), (&receive, to));
            measured.start_up.add(transfer.start_up);
            measured.credit.add(transfer.credit);
        }
        measured
    }

    fn join(&mut self, other: Self) {
        self.start_up.join(other.start_up);
        self.credit.join(other.credit);
    }

    /// The smallest of both. `latency`: ns that a credit takes longer than a start-up, as it comes over the link. Where one
    /// of both never bound, what was measured of it is how long it waited for the other: it follows from that one.
    fn least(self, latency: f64) -> Least {
        let (mut start_up, mut credit) = (self.start_up.least, self.credit.least);
        match (self.start_up.is_wide(), self.credit.is_wide()) {
            (false, true) => credit = credit.min(start_up + latency),
            (true, false) => start_up = start_up.min((credit - latency).max(0.0)),
            _ => {}
        }
        Least { start_up, credit }
    }
}

impl Least {
    /// Smallest lags of each link: those of all links of its island between ranks of one host, or of all between two
    /// hosts. A link all of whose sends wait for one side does not show by itself how soon data follow that side.
    pub(super) fn of_kinds(found: &Found, links: &[Measured]) -> Vec<Self> {
        let kind = |link: &Link| {
            let host = |rank: usize| found.ranks.get(rank).map(|rank| &rank.part.identity.host);
            let island = found.clocks.ranks.get(link.from.rank).map_or(0, |clock| clock.island);
            let crosses_hosts = host(link.from.rank) != host(link.to.rank);
            LinkKind { island, crosses_hosts, has_moments: link.has_moments }
        };
        let mut of_kinds: BTreeMap<LinkKind, Measured> = BTreeMap::new();
        for (link, own) in found.pairing.links.iter().zip(links) {
            of_kinds.entry(kind(link)).or_insert(Measured::NONE).join(*own);
        }
        let least = |link: &Link| {
            let kind = kind(link);
            // Where only ends are known, data move as soon as both sides have begun.
            let latency = found.clocks.latency.get(&kind).filter(|_| kind.has_moments);
            of_kinds.get(&kind).unwrap_or(&Measured::NONE).least(latency.copied().unwrap_or(0.0))
        };
        found.pairing.links.iter().map(least).collect()
    }
}

/// The transfer of a pair of a link, by the places of its commands.
pub(super) fn transfer(
    found: &Found,
    least: &[Least],
    number: usize,
    send: usize,
    receive: usize,
) -> Option<Transfer> {
    let link = found.pairing.links.get(number)?;
    let command = |id, place| {
        let commands = &thread_of(&found.ranks, id)?.commands;
        (place < commands.len()).then(|| commands.moments(place))
    };
    let clock = |rank: usize| found.clocks.ranks.get(rank);
    let send = (&command(link.from, send)?, clock(link.from.rank)?);
    let receive = (&command(link.to, receive)?, clock(link.to.rank)?);
    Some(Transfer::new(least.get(number)?, link.has_moments, send, receive))
}
