//! One pass over the starts and ends of all commands, by measured time, with all changes at once.

use std::cmp::Reverse;
use std::collections::binary_heap::PeekMut;
use std::collections::{BTreeMap, BinaryHeap, HashMap};

use bigtpu_messages::{Arg, Message, message};

use super::changes::Factors;
use super::common::Wait;
use super::thread::{Cursor, Moment};
use super::transfer::transfer;
use super::{Lag, PORT_LAG_NS, Replay};
use crate::pairing::{Link, ThreadId};

/// The next moment of a thread: by time, ends before starts, and by thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Next {
    /// A number that is in the order of times.
    time: i64,
    is_start: bool,
    cursor: usize,
}

impl Next {
    fn new(time: f64, is_start: bool, cursor: usize) -> Self {
        // As `f64::total_cmp` compares: of negative ones the greater bits are the smaller number.
        let bits = time.to_bits() as i64;
        Self { time: bits ^ ((bits >> 63) as u64 >> 1) as i64, is_start, cursor }
    }
}

/// A rank in the pass.
struct Member {
    /// The last command that ended: thread, place, own end.
    last: Option<(usize, usize, i64)>,
    /// When it ended, with each change.
    last_end: Vec<f64>,
    /// The latest end of all, with each change.
    latest: Vec<f64>,
}

/// The ranks that have come to an operation.
struct Arrivals {
    /// ns of the reference; the last one.
    measured: f64,
    /// The last one, with each change.
    times: Vec<f64>,
}

struct Pass<'r, 'a> {
    replay: &'r Replay<'a>,
    factors: &'r Factors,
    cursors: Vec<Cursor<'a>>,
    members: Vec<Member>,
    /// Ranks that have come to each operation for which commands without partner wait.
    arrivals: HashMap<usize, Arrivals>,
    /// Times of the command at hand, with each change.
    times: Vec<f64>,
    /// What the cores did before it, by what changes are of.
    work: Vec<f64>,
}

/// ns of the reference; the end with each change but the first, which is none and must give the measured times.
pub(super) fn ends(replay: &Replay<'_>, factors: &Factors) -> Result<Vec<f64>, Message> {
    let mut pass = Pass::new(replay, factors);
    let mut queue: BinaryHeap<Reverse<Next>> =
        (0..pass.cursors.len()).filter_map(|cursor| pass.next(cursor)).map(Reverse).collect();
    while let Some(mut top) = queue.peek_mut() {
        let number = top.0.cursor;
        pass.step(number)?;
        match pass.next(number) {
            Some(later) => top.0 = later,
            None => {
                PeekMut::pop(top);
            }
        }
    }
    Ok(pass.totals())
}

impl<'r, 'a> Pass<'r, 'a> {
    fn new(replay: &'r Replay<'a>, factors: &'r Factors) -> Self {
        let (mut cursors, mut members) = (Vec::new(), Vec::new());
        for ((member, &rank), local) in replay.members.iter().enumerate().zip(&replay.locals) {
            let found = replay.found.ranks.get(rank).zip(replay.found.clocks.ranks.get(rank));
            let Some((of, clock)) = found else { continue };
            for (thread, of) in of.part.threads.iter().enumerate() {
                let id = ThreadId { rank, thread };
                cursors.push(Cursor::new(id, member, clock, of));
            }
            let last_end = vec![0.0; factors.count];
            members.push(Member { last: None, last_end, latest: vec![local.begin; factors.count] });
        }
        let places: BTreeMap<ThreadId, usize> =
            cursors.iter().enumerate().map(|(at, cursor)| (cursor.id, at)).collect();
        for (number, link) in replay.found.pairing.links.iter().enumerate() {
            let ends = places.get(&link.from).zip(places.get(&link.to));
            for (own, peer) in ends.into_iter().flat_map(|(a, b)| [(*a, *b), (*b, *a)]) {
                if let Some(cursor) = cursors.get_mut(own) {
                    cursor.link = Some((number, peer));
                }
            }
        }
        let (times, work) = (Vec::new(), Vec::new());
        let arrivals = HashMap::new();
        Self { replay, factors, cursors, members, arrivals, times, work }
    }

    /// The next moment of a thread.
    fn next(&self, number: usize) -> Option<Next> {
        let cursor = self.cursors.get(number)?;
        let (moment, own) = cursor.next()?;
        let is_start = matches!(moment, Moment::Start(_));
        Some(Next::new(cursor.reference(own), is_start, number))
    }

    /// The next start or end of a thread.
    fn step(&mut self, number: usize) -> Result<(), Message> {
        let moment = self.cursors.get(number).and_then(Cursor::next);
        let done = match moment {
            Some((Moment::Start(place), own)) => self.start(number, place, own),
            Some((Moment::End(place), own)) => self.end(number, place, own),
            None => return Ok(()),
        };
        let (Some(false), Some((_, own))) = (done, moment) else { return Ok(()) };
        let cursor = self.cursors.get(number);
        let at = cursor.map_or(0.0, |cursor| cursor.reference(own));
        Err(message!(
            "cluster-not-reproduced",
            rank = Arg::Number(cursor.map_or(0, |cursor| cursor.id.rank) as i64),
            time = Arg::Value(at, 0)
        ))
    }

    /// A command starts; `Some(false)`: not when it did. `None` does not happen.
    fn start(&mut self, number: usize, place: usize, own: i64) -> Option<bool> {
        let (replay, factors, times) = (self.replay, self.factors, &mut self.times);
        let work = &mut self.work;
        let cursor = self.cursors.get_mut(number)?;
        let rank = cursor.member;
        let (member, local) = (self.members.get(rank)?, replay.locals.get(rank)?);
        let start = cursor.reference(own);
        let speed = 1.0 + cursor.clock.drift_ppm * 1e-6;
        let window = replay.found.ranks.get(cursor.id.rank)?.part.window;
        let before = place.checked_sub(1).and_then(|before| Some((before, cursor.open(before)?)));
        let before = before.filter(|(_, open)| open.own_end <= own);
        let by_thread = before
            .filter(|(_, open)| local.is_bound_by_thread(cursor.id.thread, own - open.own_end));
        // What it waited for: its own end, and its end with each change.
        let thread_end = by_thread.map(|(_, open)| (open.own_end, open.times.as_slice()));
        let last_end = member.last.map(|(.., end)| (end, member.last_end.as_slice()));
        let cause = thread_end.or(last_end);
        let from = cause.map_or(window.0, |(end, _)| end);
        let all = match cause {
            Some(_) => (own - from) as f64 * speed,
            None => start - local.begin,
        };
        factors.work(rank, (from, own), speed, work);
        let mut lag = Lag { all, median: None };
        if all > PORT_LAG_NS {
            lag.median = replay.medians.get(&(cursor.id.rank, own)).copied();
        }
        times.clear();
        match cause {
            Some((_, ends)) => {
                let ends = ends.iter().zip(factors.lags(rank, lag, work));
                times.extend(ends.map(|(end, lag)| end + lag));
            }
            None => times.extend(factors.lags(rank, lag, work).map(|lag| local.begin + lag)),
        }
        // Its own thread is free.
        let before = before.filter(|(before, _)| {
            let is_last = (cursor.id.thread, *before);
            by_thread.is_none() && member.last.is_some_and(|(t, p, _)| (t, p) != is_last)
        });
        if let Some((_, open)) = before {
            let pause = local.pauses.get(cursor.id.thread).map_or(0, |pauses| pauses.least);
            let free = Lag { all: pause as f64 * speed, ..Lag::default() };
            let ends = open.times.iter().zip(factors.lags(rank, free, &[]));
            times.iter_mut().zip(ends).for_each(|(time, (end, lag))| *time = time.max(end + lag));
        }
        cursor.begin(times);
        if let Some(operation) = replay.common.arrival(cursor.id.rank, own) {
            let arrived = self.arrivals.entry(operation).or_insert_with(|| Arrivals {
                measured: f64::NEG_INFINITY,
                times: vec![f64::NEG_INFINITY; times.len()],
            });
            arrived.measured = arrived.measured.max(start);
            arrived.times.iter_mut().zip(&*times).for_each(|(all, own)| *all = all.max(*own));
        }
        let is_measured = times.first().is_some_and(|time| (time - start).abs() <= 0.5);
        Some(is_measured && self.data(number, place)?)
    }

    /// The data of a command move, if its partner has begun too: the ends of both are known then.
    fn data(&mut self, number: usize, place: usize) -> Option<bool> {
        let (replay, times) = (self.replay, &mut self.times);
        let cursor = self.cursors.get(number)?;
        let links = &replay.found.pairing.links;
        let is_receive = |link: &Link| link.to == cursor.id;
        let partner = cursor.link.and_then(|(number, peer)| {
            let link = links.get(number)?;
            Some((number, peer, link.alignment.partner(place, is_receive(link))?))
        });
        // By clocks that are known to some ns only, the partner may be over already.
        let partner = partner.filter(|(_, peer, other)| {
            self.cursors.get(*peer).is_some_and(|peer| !peer.is_over(*other))
        });
        let Some((link, peer, other)) = partner else {
            // Whether others come before its end is not known yet.
            if replay.common.waits_for(cursor.id, place).is_some() {
                return Some(true);
            }
            return self.cursors.get_mut(number)?.run_alone(place).map(|()| true);
        };
        let ((sender, send), (receiver, receive)) = match is_receive(links.get(link)?) {
            false => ((number, place), (peer, other)),
            true => ((peer, other), (number, place)),
        };
        let starts = [(sender, send), (receiver, receive)]
            .map(|(cursor, place)| self.cursors.get(cursor).and_then(|c| c.open(place)));
        let [Some(sent), Some(received)] = starts else { return Some(true) };
        let t = transfer(replay.found, &replay.least, link, send, receive)?;
        let (factors, latency) = (self.factors.link(link), &self.factors.latency);
        times.clear();
        for ((s, r), (factor, latency)) in
            sent.times.iter().zip(&received.times).zip(factors.iter().zip(latency))
        {
            let first = (s + t.start_up).max(r + t.credit * latency);
            times.push(first + t.moving * factor);
        }
        for (cursor, place, lag) in [(sender, send, t.completion), (receiver, receive, t.arrival)] {
            let open = self.cursors.get_mut(cursor)?.open_mut(place)?;
            let lasts = self.times.iter().zip(&self.factors.latency);
            let ends = lasts.map(|(last, latency)| last + lag * latency);
            open.times.iter_mut().zip(ends).for_each(|(time, end)| *time = end);
            open.has_end = true;
        }
        Some(true)
    }

    /// A command ends; `Some(false)`: not when it did.
    fn end(&mut self, number: usize, place: usize, own: i64) -> Option<bool> {
        let cursor = self.cursors.get_mut(number)?;
        let end = cursor.reference(own);
        let (thread, member) = (cursor.id.thread, self.members.get_mut(cursor.member)?);
        if cursor.open(place).is_some_and(|open| !open.has_end) {
            let common = &self.replay.common;
            let operation = common.waits_for(cursor.id, place);
            match operation.and_then(|operation| self.arrivals.get(&operation)) {
                Some(arrived) => {
                    let command = cursor.commands.get(place)?;
                    let least = common.least(cursor.receives, command.bytes);
                    let start = cursor.reference(command.start);
                    let wait = Wait::new(start, end, arrived.measured, least);
                    let open = cursor.open_mut(place)?;
                    for (time, others) in open.times.iter_mut().zip(&arrived.times) {
                        *time = (*time + wait.own).max(others + wait.others);
                    }
                    open.has_end = true;
                }
                None => cursor.run_alone(place)?,
            }
        }
        let open = cursor.end(place)?;
        let is_measured = open.times.first().is_some_and(|time| (time - end).abs() <= 0.5);
        member.last = Some((thread, place, own));
        member.last_end.clone_from(&open.times);
        let latest = member.latest.iter_mut().zip(&open.times);
        latest.for_each(|(latest, end)| *latest = latest.max(*end));
        Some(open.has_end && is_measured)
    }

    /// The end of all ranks with each change but the first.
    fn totals(&self) -> Vec<f64> {
        let mut work = Vec::new();
        let mut totals = vec![f64::NEG_INFINITY; self.factors.count];
        let locals = self.replay.members.iter().zip(&self.replay.locals);
        for ((number, member), (&rank, local)) in self.members.iter().enumerate().zip(locals) {
            let found = &self.replay.found;
            let known = found.ranks.get(rank).zip(found.clocks.ranks.get(rank));
            let Some((of, clock)) = known else { continue };
            let speed = 1.0 + clock.drift_ppm * 1e-6;
            self.factors.work(number, local.tail_of(of), speed, &mut work);
            let lags = self.factors.lags(number, local.tail, &work);
            for (total, (latest, lag)) in totals.iter_mut().zip(member.latest.iter().zip(lags)) {
                *total = total.max(latest + lag);
            }
        }
        totals.split_off(1)
    }
}
