//! Commands without a known partner in an alltoall: of a late rank's links jitter alone tells which is which.
//!
//! Such a command waits for its own rank and for whichever rank arrives last, as the operation as a whole does.

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::found::Found;
use crate::kinds::Kind;
use crate::numbers::lower_median;
use crate::operation::Operation;
use crate::pairing::{ThreadId, thread_of};

/// ns by which a rank's thread may begin before those of its threads whose partners are known.
const TOGETHER_NS: i64 = 2000;

/// Which commands wait for which operation.
#[derive(Default)]
pub(super) struct Common {
    /// Operation to which a rank comes at an own moment, by rank and moment.
    arrivals: HashMap<(usize, i64), usize>,
    /// Operation for which each command waits, for the threads without partner.
    waiting: HashMap<ThreadId, Vec<Option<usize>>>,
    /// ns of the shortest command, by direction (`true`: receives) and bytes.
    least: BTreeMap<(bool, u64), i64>,
    /// Every command without partner waits for an operation.
    is_complete: bool,
}

/// How a command without partner follows, in ns.
pub(super) struct Wait {
    /// From its own start to its end at least.
    pub(super) own: f64,
    /// From the last arrival to its end at least.
    pub(super) others: f64,
}

impl Wait {
    /// Lags of a command that lasted from `start` to `end` and whose others had arrived at `arrival`, in ns of the
    /// reference. What did not bind takes the shortest time.
    pub(super) fn new(start: f64, end: f64, arrival: f64, least: f64) -> Self {
        let least = |whole: f64| least.min(whole);
        match arrival > start {
            true => Self { own: least(end - start), others: end - arrival },
            false => Self { own: end - start, others: least(end - arrival) },
        }
    }
}

impl Common {
    /// Finds for which operation each command without partner of an island waits.
    pub(super) fn compute(found: &Found, island: usize, members: &[usize]) -> Self {
        let open: Vec<ThreadId> = found.pairing.ambiguous.iter().map(|a| a.thread).collect();
        let mut common = Self { is_complete: true, ..Self::default() };
        if open.is_empty() {
            return common;
        }
        // By rank: its parts of operations, by their start.
        let mut parts: HashMap<usize, Vec<(i64, i64, usize)>> = HashMap::new();
        let all = found.operations.iter().enumerate();
        // In a ring a command waits for a neighbor only.
        let is_common = |o: &Operation| o.island == island && o.kind == Kind::AllToAll;
        for (number, operation) in all.filter(|(_, o)| is_common(o)) {
            for member in operation.members.iter().filter(|m| m.is_placed) {
                let (start, end) = member.own;
                common.arrivals.insert((member.rank, start), number);
                parts.entry(member.rank).or_default().push((start, end, number));
            }
        }
        parts.values_mut().for_each(|own| own.sort_unstable());
        for id in open {
            let Some(thread) = thread_of(&found.ranks, id) else { continue };
            let own = parts.get(&id.rank).filter(|_| thread.is_anchored);
            let own = own.map(Vec::as_slice).unwrap_or_default();
            let of = |start: i64| {
                let before = own.partition_point(|(from, ..)| *from <= start + TOGETHER_NS);
                let (_, to, number) = own.get(before.checked_sub(1)?)?;
                (start <= *to).then_some(*number)
            };
            let waits: Vec<Option<usize>> = thread.commands.starts().map(of).collect();
            common.is_complete &= waits.iter().all(Option::is_some);
            common.waiting.insert(id, waits);
        }
        common.find_least(found, members);
        common
    }

    fn find_least(&mut self, found: &Found, members: &[usize]) {
        let members: HashSet<usize> = members.iter().copied().collect();
        let ranks = found.ranks.iter().enumerate().filter(|(rank, _)| members.contains(rank));
        for thread in ranks.flat_map(|(_, rank)| &rank.part.threads) {
            let commands = (0..thread.commands.len()).filter_map(|at| thread.commands.get(at));
            for command in commands {
                let least = self.least.entry((thread.receives, command.bytes)).or_insert(i64::MAX);
                *least = (*least).min(command.end - command.start);
            }
        }
    }

    /// When the median rank began, if all captures begin with the same operation: the first command of each thread is the
    /// partner of another's first one. What a rank did before is not in its dump, but it came that much later.
    pub(super) fn begin(&self, found: &Found, island: usize, members: &[usize]) -> Option<f64> {
        let links = &found.pairing.links;
        let first = found.operations.iter().position(|o| o.island == island);
        let is_first = |id: ThreadId| match found.partners.find(links, id, 0) {
            Some((_, place)) => place == 0,
            None => first.is_some() && self.waits_for(id, 0) == first,
        };
        let begin = |&rank: &usize| {
            let (of, clock) = (found.ranks.get(rank)?, found.clocks.ranks.get(rank)?);
            let mut threads = (0..of.part.threads.len()).map(|thread| ThreadId { rank, thread });
            threads.all(is_first).then(|| clock.reference(of.part.window.0 as f64))
        };
        let mut begins: Vec<f64> = members.iter().map(begin).collect::<Option<_>>()?;
        begins.sort_by(f64::total_cmp);
        lower_median(&begins)
    }

    /// Whether what every command waited for is known.
    pub(super) fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// The operation to which a rank comes at an own moment.
    pub(super) fn arrival(&self, rank: usize, own: i64) -> Option<usize> {
        self.arrivals.get(&(rank, own)).copied()
    }

    /// The operation for which a command without partner waits.
    pub(super) fn waits_for(&self, id: ThreadId, place: usize) -> Option<usize> {
        *self.waiting.get(&id)?.get(place)?
    }

    /// ns; the shortest command of a direction and size.
    pub(super) fn least(&self, receives: bool, bytes: u64) -> f64 {
        self.least.get(&(receives, bytes)).copied().unwrap_or(0) as f64
    }
}
