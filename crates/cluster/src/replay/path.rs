//! The critical path: from the last end backwards over what bound each command.

use super::Replay;
use super::local::Place;
use super::transfer::transfer;
use crate::clocks::RankClock;
use crate::commands::DataCommand;
use crate::pairing::{ThreadId, thread_of};
use crate::rank::Rank;

/// A piece of the critical path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum PathPiece {
    /// A rank's own time.
    Own(usize),
    /// Time of a link, from one rank to another.
    Link(usize, usize),
}

/// A stretch of the critical path, in ns of the reference.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct PathStep {
    pub(crate) piece: PathPiece,
    pub(crate) from: f64,
    pub(crate) to: f64,
}

/// A command of the path.
#[derive(Debug, Clone, Copy)]
struct Step {
    /// Index of its rank among the island's.
    member: usize,
    id: ThreadId,
    place: usize,
    command: DataCommand,
}

/// The path on its way back.
struct Way<'r, 'a> {
    replay: &'r Replay<'a>,
    /// Whether the commands of each member's threads end in order.
    ordered: Vec<Vec<bool>>,
    steps: Vec<PathStep>,
}

impl Replay<'_> {
    /// The critical path by time.
    pub(crate) fn critical_path(&self) -> Vec<PathStep> {
        let is_ordered = |rank: &usize| -> Vec<bool> {
            let threads = self.found.ranks.get(*rank).map(|rank| rank.part.threads.as_slice());
            let ordered = |commands: &crate::commands::DataCommands| {
                (1..commands.len()).all(|at| commands.end(at - 1) <= commands.end(at))
            };
            threads.unwrap_or_default().iter().map(|thread| ordered(&thread.commands)).collect()
        };
        let ordered = self.members.iter().map(is_ordered).collect();
        let mut way = Way { replay: self, ordered, steps: Vec::new() };
        // Cut short only by a part whose times are out of order.
        let _ = way.back();
        way.steps.reverse();
        way.steps
    }
}

impl Way<'_, '_> {
    fn add(&mut self, piece: PathPiece, from: f64, to: f64) {
        if to > from {
            self.steps.push(PathStep { piece, from, to });
        }
    }

    fn clock(&self, rank: usize) -> Option<&RankClock> {
        self.replay.found.clocks.ranks.get(rank)
    }

    /// ns of the reference at own ns of a rank.
    fn reference_ns(&self, rank: usize, own: i64) -> f64 {
        self.clock(rank).map_or(0.0, |clock| clock.reference(own as f64))
    }

    fn step(&self, id: ThreadId, place: usize) -> Option<Step> {
        let member = self.replay.members.binary_search(&id.rank).ok()?;
        let command = thread_of(&self.replay.found.ranks, id)?.commands.get(place)?;
        Some(Step { member, id, place, command })
    }

    /// From the last end of all to the begin of a rank.
    fn back(&mut self) -> Option<()> {
        let found = self.replay.found;
        let last =
            self.replay.members.iter().zip(&self.replay.locals).filter_map(|(rank, local)| {
                let (thread, place) = local.last?;
                let own =
                    thread_of(&found.ranks, ThreadId { rank: *rank, thread })?.commands.end(place);
                let tail = local.tail.all;
                Some((
                    self.reference_ns(*rank, own) + tail,
                    ThreadId { rank: *rank, thread },
                    place,
                    tail,
                ))
            });
        let (end, id, place, tail) = last.max_by(|a, b| a.0.total_cmp(&b.0))?;
        self.add(PathPiece::Own(id.rank), end - tail, end);
        let mut at = self.step(id, place)?;
        let all: usize = found.ranks.iter().map(|rank| rank.part.command_count()).sum();
        for _ in 0..4 * all {
            let bound = self.bound(&at)?;
            let rank = bound.id.rank;
            let speed = 1.0 + self.clock(rank)?.drift_ppm * 1e-6;
            let start = bound.command.start;
            let Some((before, end)) = self.cause(&bound) else {
                let begin = self.replay.locals.get(bound.member)?.begin;
                self.add(PathPiece::Own(rank), begin, self.reference_ns(rank, start));
                break;
            };
            let from = self.reference_ns(rank, end);
            let mut lag = (start - end) as f64 * speed;
            let mut next = before;
            // Its own thread may have been free later.
            if let Some((other, other_lag)) = self.thread_before(&bound, before, speed) {
                let other_end = self.reference_ns(rank, self.end(rank, other)?);
                if (other_end + other_lag).total_cmp(&(from + lag)).is_ge() {
                    (next, lag) = (other, other_lag);
                }
            }
            let from = self.reference_ns(rank, self.end(rank, next)?);
            self.add(PathPiece::Own(rank), from, from + lag);
            at = self.step(ThreadId { rank, thread: next.0 }, next.1)?;
        }
        Some(())
    }

    fn end(&self, rank: usize, (thread, place): Place) -> Option<i64> {
        Some(thread_of(&self.replay.found.ranks, ThreadId { rank, thread })?.commands.end(place))
    }

    /// The command whose start bound the end of a command: itself, or its partner.
    fn bound(&mut self, at: &Step) -> Option<Step> {
        let found = self.replay.found;
        let links = &found.pairing.links;
        let (rank, end) = (at.id.rank, self.reference_ns(at.id.rank, at.command.end));
        let Some((number, other)) = found.partners.find(links, at.id, at.place) else {
            if let Some(late) = self.late(at) {
                let start = self.reference_ns(late.id.rank, late.command.start);
                self.add(PathPiece::Link(late.id.rank, rank), start, end);
                return Some(late);
            }
            self.add(PathPiece::Own(rank), self.reference_ns(rank, at.command.start), end);
            return Some(*at);
        };
        let link = links.get(number)?;
        let (send, receive) = if link.to == at.id { (other, at.place) } else { (at.place, other) };
        let t = transfer(found, &self.replay.least, number, send, receive)?;
        let bound = match t.is_by_send {
            true => self.step(link.from, send)?,
            false => self.step(link.to, receive)?,
        };
        let start = self.reference_ns(bound.id.rank, bound.command.start);
        self.add(PathPiece::Link(link.from.rank, link.to.rank), start, end);
        Some(bound)
    }

    /// The first command of the rank for which a command without partner waited.
    fn late(&self, at: &Step) -> Option<Step> {
        let found = self.replay.found;
        let operation = found.operations.get(self.replay.common.waits_for(at.id, at.place)?)?;
        let (start, end) = (
            self.reference_ns(at.id.rank, at.command.start),
            self.reference_ns(at.id.rank, at.command.end),
        );
        let arrived = operation.members.iter().filter(|m| m.arrival > start && m.arrival < end);
        let late = arrived.max_by(|a, b| a.arrival.total_cmp(&b.arrival))?;
        let threads = &found.ranks.get(late.rank)?.part.threads;
        threads.iter().enumerate().find_map(|(thread, of)| {
            let place = of.commands.start.count_up_to(late.own.0).checked_sub(1)?;
            let id = ThreadId { rank: late.rank, thread };
            (of.commands.start.value_at(place) == late.own.0)
                .then(|| self.step(id, place))
                .flatten()
        })
    }

    /// The last command of the rank that had ended when a command started, and its own end.
    fn cause(&self, of: &Step) -> Option<(Place, i64)> {
        let rank: &Rank = self.replay.found.ranks.get(of.id.rank)?;
        let ordered = self.ordered.get(of.member)?;
        if let Some(before) = of.place.checked_sub(1) {
            let (own, place) = (of.id.thread, (of.id.thread, before));
            let end = self.end(of.id.rank, place)?;
            let local = self.replay.locals.get(of.member)?;
            if local.is_bound_by_thread(own, of.command.start - end) {
                return Some((place, end));
            }
        }
        let mut best: Option<(i64, Place)> = None;
        for ((thread, own), ordered) in rank.part.threads.iter().enumerate().zip(ordered) {
            let commands = &own.commands;
            let count = commands.len();
            let is_before = |place: usize| commands.end(place) <= of.command.start;
            let is_own = |place: &usize| (thread, *place) == (of.id.thread, of.place);
            let last = if *ordered {
                let (mut low, mut high) = (0, count);
                while low < high {
                    let middle = low + (high - low) / 2;
                    (low, high) =
                        if is_before(middle) { (middle + 1, high) } else { (low, middle) };
                }
                (0..low).rev().find(|place| !is_own(place))
            } else {
                let before = (0..count).filter(|place| is_before(*place) && !is_own(place));
                before.max_by_key(|place| (commands.end(*place), *place))
            };
            let last = last.map(|place| (commands.end(place), (thread, place)));
            best = best.max(last);
        }
        best.map(|(end, place)| (place, end))
    }

    /// The command before it on its thread, where that is another one, and the least pause behind it in ns.
    fn thread_before(&self, of: &Step, cause: Place, speed: f64) -> Option<(Place, f64)> {
        let before = (of.id.thread, of.place.checked_sub(1)?);
        let has_ended = self.end(of.id.rank, before)? <= of.command.start;
        let pause = self.replay.locals.get(of.member)?.pauses.get(of.id.thread)?.least;
        (before != cause && has_ended).then_some((before, pause as f64 * speed))
    }
}
