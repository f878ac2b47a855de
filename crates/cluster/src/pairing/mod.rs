//! Which threads are the two ends of a link.

mod assign;
mod completed;
mod first;
mod looks;
mod stated;
mod usual;

use std::collections::BTreeSet;

use rayon::prelude::*;

use crate::alignment::Alignment;
use crate::commands::Moments;
use crate::part::ThreadCommands;
use crate::rank::Rank;
use assign::assign;
pub(crate) use completed::complete;
use looks::{Cost, Slack, bursts, candidates};
use stated::check_given;
use usual::{leave_unusual, refuse_unusual, usual};

/// A thread of a rank's port.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct ThreadId {
    /// Index of the rank's part.
    pub(crate) rank: usize,
    /// Index of the thread in it.
    pub(crate) thread: usize,
}

/// How a link is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum How {
    Given,
    Data,
}

/// Two threads whose commands belong together.
#[derive(Debug, Clone)]
pub(crate) struct Link {
    pub(crate) from: ThreadId,
    pub(crate) to: ThreadId,
    pub(crate) alignment: Alignment,
    /// Times of data decided; else ends.
    pub(crate) has_moments: bool,
    pub(crate) how: How,
    /// Pairs whose bytes are known on both sides and differ.
    pub(crate) other_bytes: u64,
    /// The sender's bytes are those of its commands' shapes.
    pub(crate) has_shapes: bool,
}

impl Link {
    /// Bytes of a pair: those of the send's shape; where it is not known the greater of what the two records name.
    pub(crate) fn bytes(&self, sent: u64, received: u64) -> u64 {
        if self.has_shapes { sent } else { sent.max(received) }
    }

    /// The last moments of a pair at both ends, in ns of each rank: of its data, else of the commands.
    pub(crate) fn last_moments(&self, send: &Moments, receive: &Moments) -> (i64, i64) {
        if self.has_moments { (send.last, receive.last) } else { (send.end, receive.end) }
    }
}

/// A thread of the ranks.
pub(crate) fn thread_of(ranks: &[Rank], id: ThreadId) -> Option<&ThreadCommands> {
    ranks.get(id.rank)?.part.threads.get(id.thread)
}

/// Whether a thread's port is on its device's clock.
pub(crate) fn anchored(ranks: &[Rank], id: ThreadId) -> bool {
    thread_of(ranks, id).is_some_and(|thread| thread.is_anchored)
}

/// A thread whose partner is not clear.
#[derive(Debug, Clone)]
pub(crate) struct Ambiguous {
    pub(crate) thread: ThreadId,
    pub(crate) why: &'static str,
    /// The best candidates and their residuals in ns.
    pub(crate) candidates: Vec<(ThreadId, f64)>,
}

/// What was found.
#[derive(Debug, Clone, Default)]
pub(crate) struct Pairing {
    pub(crate) links: Vec<Link>,
    pub(crate) ambiguous: Vec<Ambiguous>,
    /// Given links that the data contradict.
    pub(crate) contradicted: Vec<(ThreadId, ThreadId)>,
}

/// Why a thread is open that nothing fits.
const NO_PARTNER: &str = "cluster-no-candidate";

impl Pairing {
    /// Refuses a link, and says why.
    pub(crate) fn refuse(&mut self, link: usize, why: &'static str) {
        let link = self.links.remove(link);
        for (thread, partner) in [(link.from, link.to), (link.to, link.from)] {
            let candidates = vec![(partner, link.alignment.score)];
            self.ambiguous.push(Ambiguous { thread, why, candidates });
        }
        self.ambiguous.sort_by_key(|a| a.thread);
    }

    /// Lists the threads that have neither a partner nor a reason yet: what is not paired is told.
    pub(crate) fn name_the_rest(&mut self, ranks: &[Rank]) {
        let linked = self.links.iter().flat_map(|link| [link.from, link.to]);
        let known: BTreeSet<ThreadId> =
            linked.chain(self.ambiguous.iter().map(|a| a.thread)).collect();
        let rest = all_threads(ranks).map(|(thread, _)| thread).filter(|id| !known.contains(id));
        let row = |thread| Ambiguous { thread, why: NO_PARTNER, candidates: Vec::new() };
        self.ambiguous.extend(rest.map(row));
        self.ambiguous.sort_by_key(|a| a.thread);
    }
}

/// Fewest commands of a link.
const LEAST: usize = 8;
/// Fewest bursts: through less points any straight line goes nearly.
const LEAST_BURSTS: usize = 4;
/// Resolution of residuals in ns.
const RESOLUTION: f64 = 1.0;
/// A candidate with its score.
struct Candidate {
    from: ThreadId,
    to: ThreadId,
    score: f64,
    /// Commands of the shorter thread.
    shorter: usize,
    /// Bursts of the sender's commands.
    bursts: usize,
    alignment: Alignment,
    has_moments: bool,
}

impl Candidate {
    /// The link that it is.
    fn link(self, ranks: &[Rank]) -> Option<Link> {
        let (send, receive) = (thread_of(ranks, self.from)?, thread_of(ranks, self.to)?);
        Some(Link {
            from: self.from,
            to: self.to,
            other_bytes: self.alignment.other_bytes(&send.commands, &receive.commands),
            alignment: self.alignment,
            has_moments: self.has_moments,
            how: How::Data,
            has_shapes: send.has_shapes,
        })
    }
}

/// Bursts of a link's sends.
pub(crate) fn bursts_of(ranks: &[Rank], link: &Link) -> usize {
    thread_of(ranks, link.from).map_or(0, bursts)
}

/// ns; the residual that links have whose records have moments of data, or have none.
pub(crate) fn usual_residual(links: &[Link], has_moments: bool) -> Option<f64> {
    let own = links.iter().filter(|link| link.has_moments == has_moments);
    usual(own.map(|link| link.alignment.noise))
}

type Of<'t> = (ThreadId, &'t ThreadCommands);

/// The threads of all ranks that moved data.
fn all_threads(ranks: &[Rank]) -> impl Iterator<Item = Of<'_>> {
    let of_rank = ranks.iter().enumerate().flat_map(|(rank, of)| {
        let threads = of.part.threads.iter().enumerate();
        threads.map(move |(thread, of)| (ThreadId { rank, thread }, of))
    });
    of_rank.filter(|(_, thread)| !thread.commands.is_empty())
}

/// Finds links, those with the least slack first, and whether every thread has one.
fn linked(
    ranks: &[Rank],
    (sends, receives): (&[Of<'_>], &[Of<'_>]),
    slacks: &[Slack],
) -> (Pairing, bool) {
    let mut pairing = Pairing::default();
    let mut open = (sends.to_vec(), receives.to_vec());
    for &slack in slacks {
        let candidates = candidates(&open.0, &open.1, slack);
        let mut found = assign(
            candidates,
            LEAST_BURSTS,
            (slack == Slack::Wide).then_some(&mut pairing.ambiguous),
        );
        if slack != Slack::Wide {
            leave_unusual(&mut found, &pairing.links);
        }
        pairing
            .links
            .par_extend(found.into_par_iter().filter_map(|candidate| candidate.link(ranks)));
        let taken: BTreeSet<ThreadId> =
            pairing.links.iter().flat_map(|link| [link.from, link.to]).collect();
        open.0.retain(|(id, _)| !taken.contains(id));
        open.1.retain(|(id, _)| !taken.contains(id));
        if open.0.is_empty() || open.1.is_empty() {
            break;
        }
    }
    let is_whole = open.0.is_empty() && open.1.is_empty();
    (pairing, is_whole)
}

/// Finds the links of the ranks. `given`: links that the user states.
pub(crate) fn pair(ranks: &[Rank], given: &[(ThreadId, ThreadId)]) -> Pairing {
    let threads: Vec<Of<'_>> = all_threads(ranks).collect();
    let sends: Vec<_> = threads.iter().filter(|(_, t)| !t.receives).copied().collect();
    let receives: Vec<_> = threads.iter().filter(|(_, t)| t.receives).copied().collect();
    let all = (&sends[..], &receives[..]);
    let mut pairing = match Cost::of_threads(&sends, &receives) {
        Cost::Cheap => linked(ranks, all, &[Slack::Wide]).0,
        // Few comparisons find all links of most runs. A link that they do not find may be one whose captures begin at different
        // operations, and its place may have been given to a neighbour.
        Cost::Affordable => match linked(ranks, all, &[Slack::Exact, Slack::Narrow]) {
            (pairing, true) => pairing,
            (_, false) => linked(ranks, all, &[Slack::Wide]).0,
        },
        Cost::High => linked(ranks, all, &Slack::ALL).0,
    };
    refuse_unusual(ranks, &mut pairing);
    check_given(&sends, &receives, given, &mut pairing);
    pairing.links.sort_by_key(|l| (l.from, l.to));
    pairing.ambiguous.sort_by_key(|a| a.thread);
    pairing
}
