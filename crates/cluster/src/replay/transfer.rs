//! How a send's data follow.

use std::collections::BTreeMap;

use crate::clocks::RankClock;
use crate::join::Found;
use crate::pairing::{Link, thread_of};
use crate::part::Command;

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

impl Transfer {
    /// As measured.
    fn measured(
        has_moments: bool,
        (send, from): (&Command, &RankClock),
        (receive, to): (&Command, &RankClock),
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
    pub(super) fn of(
        least: &Least,
        has_moments: bool,
        send: (&Command, &RankClock),
        receive: (&Command, &RankClock),
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

impl Least {
    /// Of all pairs of a link.
    pub(super) fn of(found: &Found, link: &Link) -> Self {
        let mut least = Self { start_up: f64::INFINITY, credit: f64::INFINITY };
        let clock = |rank: usize| found.clocks.ranks.get(rank);
        let (Some(from), Some(to)) = (clock(link.from.rank), clock(link.to.rank)) else {
            return least;
        };
        for (send, receive) in crate::facts::commands(&found.ranks, link) {
            let transfer = Transfer::measured(link.has_moments, (&send, from), (&receive, to));
            least.start_up = least.start_up.min(transfer.start_up);
            least.credit = least.credit.min(transfer.credit);
        }
        least
    }
}

impl Least {
    /// By link: the smallest of its island's links between one host's ranks, or between those of two. A link all of whose
    /// sends wait for one side does not show by itself how soon data follow that side.
    pub(super) fn of_kinds(found: &Found, mut links: Vec<Self>) -> Vec<Self> {
        let kind = |link: &Link| {
            let host = |rank: usize| found.ranks.get(rank).map(|rank| &rank.part.identity.host);
            let island = found.clocks.ranks.get(link.from.rank).map(|clock| clock.island);
            (island, host(link.from.rank) == host(link.to.rank))
        };
        let mut of_kinds: BTreeMap<_, Self> = BTreeMap::new();
        for (link, own) in found.pairing.links.iter().zip(&links) {
            let least = of_kinds.entry(kind(link)).or_insert(*own);
            least.start_up = least.start_up.min(own.start_up);
            least.credit = least.credit.min(own.credit);
        }
        for (link, own) in found.pairing.links.iter().zip(&mut links) {
            *own = of_kinds.get(&kind(link)).copied().unwrap_or(*own);
        }
        links
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
    let command = |id, place| thread_of(&found.ranks, id)?.commands.get(place);
    let clock = |rank: usize| found.clocks.ranks.get(rank);
    let send = (&command(link.from, send)?, clock(link.from.rank)?);
    let receive = (&command(link.to, receive)?, clock(link.to.rank)?);
    Some(Transfer::of(least.get(number)?, link.has_moments, send, receive))
}
