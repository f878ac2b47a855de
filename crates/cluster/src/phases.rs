//! What the parts of a command's time are: waiting for its peer, start-up, transfer, completion.

use rayon::prelude::*;

use crate::clocks::{Clocks, RankClock};
use crate::commands::Moments;
use crate::pairing::{Link, ThreadId, thread_of};
use crate::part::ThreadCommands;
use crate::partners::Partners;
use crate::rank::Rank;

/// The parts of a command's time, in ns of its own clock; they are in order and add up to its duration.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Phases {
    /// Waiting for the peer: a send for its receiver, a receive for its sender.
    pub waiting: i64,
    /// The rest before the first data.
    pub start_up: i64,
    /// From the first data to the last.
    pub transfer: i64,
    /// From the last data to the end.
    pub completion: i64,
    /// The records have no moments of data: the transfer is the bytes over the link's median rate.
    pub is_estimated: bool,
}

impl Phases {
    /// The phases of a command whose peer began at `peer` of its own clock. `moving`: ns of the transfer where only
    /// ends are known.
    fn divide(moments: Moments, peer: Option<f64>, moving: Option<f64>) -> Self {
        let Moments { start, first, last, end } = moments;
        let (first, last) = match moving {
            None => (first, last),
            Some(ns) => (end - (ns.round() as i64).clamp(0, end - start), end),
        };
        let late = peer.map_or(0, |peer| (peer.round() as i64).saturating_sub(start));
        let waiting = late.clamp(0, first - start);
        Self {
            waiting,
            start_up: first - start - waiting,
            transfer: last - first,
            completion: end - last,
            is_estimated: moving.is_some(),
        }
    }
}

/// Finds the phases of commands.
#[derive(Clone, Copy)]
pub(crate) struct PhaseFinder<'a> {
    pub(crate) ranks: &'a [Rank],
    pub(crate) links: &'a [Link],
    pub(crate) clocks: &'a Clocks,
    pub(crate) partners: &'a Partners,
    /// Bytes a ns, by link: [`rates`].
    pub(crate) rates: &'a [Option<f64>],
}

/// Bytes a ns of each link, where only ends are known.
pub(crate) fn rates(ranks: &[Rank], links: &[Link], clocks: &Clocks) -> Vec<Option<f64>> {
    let rate = |link: &Link| {
        let has_moments = |id| thread_of(ranks, id).is_some_and(|thread| thread.has_moments);
        let is_known = has_moments(link.from) && has_moments(link.to);
        if is_known { None } else { median_rate(ranks, link, clocks) }
    };
    links.par_iter().map(rate).collect()
}

impl<'a> PhaseFinder<'a> {
    /// Finds the phases of the commands of one thread.
    pub(crate) fn of_thread(&self, id: ThreadId) -> Option<ThreadPhases<'a>> {
        let thread = thread_of(self.ranks, id)?;
        let peer = self.partners.link(id).and_then(|number| self.peer(id, number));
        Some(ThreadPhases { thread, peer })
    }

    /// The other end of a thread's link.
    fn peer(&self, id: ThreadId, number: usize) -> Option<Peer<'a>> {
        let link = self.links.get(number)?;
        let is_receive = link.to == id;
        let there = if is_receive { link.from } else { link.to };
        Some(Peer {
            rank: there.rank,
            link,
            is_receive,
            thread: thread_of(self.ranks, there)?,
            clocks: self.clocks.ranks.get(there.rank).zip(self.clocks.ranks.get(id.rank)),
            rate: self.rates.get(number).copied().flatten(),
        })
    }
}

/// Finds the phases of the commands of one thread.
pub(crate) struct ThreadPhases<'a> {
    thread: &'a ThreadCommands,
    peer: Option<Peer<'a>>,
}

/// The thread at the other end of a thread's link.
struct Peer<'a> {
    /// Index of its rank.
    rank: usize,
    link: &'a Link,
    /// The thread whose peer it is receives.
    is_receive: bool,
    thread: &'a ThreadCommands,
    /// Its clock, and that of the thread whose peer it is.
    clocks: Option<(&'a RankClock, &'a RankClock)>,
    /// Bytes a ns of the link.
    rate: Option<f64>,
}

impl ThreadPhases<'_> {
    /// The places of the partners of all commands, one after the other.
    pub(crate) fn partners(&self) -> impl Iterator<Item = Option<usize>> {
        let count = self.thread.commands.len();
        let paired = self
            .peer
            .iter()
            .flat_map(move |peer| peer.link.alignment.partners(peer.is_receive, count).map(Some));
        paired.chain(std::iter::repeat(None)).take(count).map(Option::flatten)
    }

    /// The phases of the command at a place, and the index of its peer's rank. `partner`: the place of its partner.
    pub(crate) fn phases(&self, place: usize, partner: Option<usize>) -> (Phases, Option<usize>) {
        let moments = self.thread.commands.moments(place);
        let partner = self.peer.as_ref().zip(partner);
        let peer = partner.and_then(|(peer, other)| {
            let (there, own) = peer.clocks?;
            let start = peer.thread.commands.start.value_at(other);
            Some((peer.rank, own.own(there.reference(start as f64))))
        });
        let moving = partner.filter(|_| !self.thread.has_moments).map(|(peer, other)| {
            let bytes = |of: &ThreadCommands, place| of.commands.bytes.value_at(place) as u64;
            let (here, there) = (bytes(self.thread, place), bytes(peer.thread, other));
            let (sent, received) = if peer.is_receive { (there, here) } else { (here, there) };
            peer.rate.map_or(0.0, |rate| peer.link.bytes(sent, received) as f64 / rate)
        });
        let phases = Phases::divide(moments, peer.map(|(_, start)| start), moving);
        (phases, peer.map(|(rank, _)| rank))
    }
}

/// Bytes a ns of a link's median transfer, where only starts and ends are known.
fn median_rate(ranks: &[Rank], link: &Link, clocks: &Clocks) -> Option<f64> {
    let (a, b) = (clocks.ranks.get(link.from.rank)?, clocks.ranks.get(link.to.rank)?);
    let mut rates: Vec<f64> = crate::facts::commands(ranks, link)
        .filter_map(|(send, receive)| {
            let begin = a.reference(send.start as f64).max(b.reference(receive.start as f64));
            let ns = b.reference(receive.end as f64) - begin;
            let bytes = link.bytes(send.bytes, receive.bytes);
            (bytes > 0 && ns > 0.0).then(|| bytes as f64 / ns)
        })
        .collect();
    rates.sort_by(f64::total_cmp);
    rates.get(rates.len() / 2).copied()
}
