//! What the parts of a command's time are: waiting for its peer, start-up, transfer, completion.

use rayon::prelude::*;

use crate::clocks::Clocks;
use crate::commands::DataCommand;
use crate::pairing::{Link, ThreadId, thread_of};
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
    fn divide(command: &DataCommand, peer: Option<f64>, moving: Option<f64>) -> Self {
        let whole = command.end - command.start;
        let (first, last) = match moving {
            None => (command.first, command.last),
            Some(ns) => (command.end - (ns.round() as i64).clamp(0, whole), command.end),
        };
        let late = peer.map_or(0, |peer| (peer.round() as i64).saturating_sub(command.start));
        let waiting = late.clamp(0, first - command.start);
        Self {
            waiting,
            start_up: first - command.start - waiting,
            transfer: last - first,
            completion: command.end - last,
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

impl PhaseFinder<'_> {
    /// The phases of a command of a thread, and the index of its peer's rank.
    pub(crate) fn phases(&self, id: ThreadId, i: usize) -> Option<(Phases, Option<usize>)> {
        let thread = thread_of(self.ranks, id)?;
        let command = thread.commands.get(i)?;
        let partner = self.partners.find(self.links, id, i);
        let peer = partner.and_then(|(link, other)| {
            let link = self.links.get(link)?;
            let id_there = if thread.receives { link.from } else { link.to };
            let start = thread_of(self.ranks, id_there)?.commands.start.value_at(other);
            let time = self.clocks.ranks.get(id_there.rank)?.reference(start as f64);
            Some((id_there.rank, self.clocks.ranks.get(id.rank)?.own(time)))
        });
        let moving = match (thread.has_moments, partner) {
            (false, Some((link, other))) => {
                let rate = self.rates.get(link).copied().flatten();
                let bytes = self.bytes(link, thread.receives, &command, other);
                rate.map(|rate| bytes as f64 / rate).or(Some(0.0))
            }
            _ => None,
        };
        let phases = Phases::divide(&command, peer.map(|(_, start)| start), moving);
        Some((phases, peer.map(|(rank, _)| rank)))
    }
}

impl PhaseFinder<'_> {
    /// Bytes of a command and its partner at the place `other` of the link's other thread.
    fn bytes(&self, link: usize, receives: bool, command: &DataCommand, other: usize) -> u64 {
        let pair = self.links.get(link).and_then(|link| {
            let there = if receives { link.from } else { link.to };
            Some((link, thread_of(self.ranks, there)?.commands.get(other)?))
        });
        match pair {
            Some((link, send)) if receives => link.bytes(&send, command),
            Some((link, receive)) => link.bytes(command, &receive),
            None => command.bytes,
        }
    }
}

/// Bytes a ns of a link's median transfer, where only starts and ends are known.
fn median_rate(ranks: &[Rank], link: &Link, clocks: &Clocks) -> Option<f64> {
    let (a, b) = (clocks.ranks.get(link.from.rank)?, clocks.ranks.get(link.to.rank)?);
    let mut rates: Vec<f64> = crate::facts::commands(ranks, link)
        .filter_map(|(send, receive)| {
            let begin = a.reference(send.start as f64).max(b.reference(receive.start as f64));
            let ns = b.reference(receive.end as f64) - begin;
            let bytes = link.bytes(&send, &receive);
            (bytes > 0 && ns > 0.0).then(|| bytes as f64 / ns)
        })
        .collect();
    rates.sort_by(f64::total_cmp);
    rates.get(rates.len() / 2).copied()
}
