//! Where each rank's time went: every nanosecond of the island's window is in exactly one state.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;

use crate::operation::Operation;
use crate::pairing::ThreadId;
use crate::part::DumpPart;
use crate::phases::PhaseFinder;
use crate::runs::CoreState;

/// A stretch of one state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StateRun {
    /// Number of the state, as [`States`](crate::States) has them.
    pub state: u8,
    /// ns of the rank's own clock.
    pub ns: u64,
}

/// Number of states.
pub(crate) const STATES: usize = 12;
const LINK: usize = 2;
const LATE_SENDER: usize = 3;
const LATE_RECEIVER: usize = 4;
const COLLECTIVE: usize = 5;
const OVERHEAD: usize = 6;
const NOT_CAPTURED: usize = 10;

/// A rank's time by state, in ns.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct RankStates {
    pub(crate) window: u64,
    pub(crate) ns: [u64; STATES],
    /// ns that the ports moved data while something above them ran.
    pub(crate) hidden: u64,
    /// ns in which a rank's sends and receives waited for its peers, by peer.
    pub(crate) caused_by: BTreeMap<usize, u64>,
    /// The states one after the other, on the rank's own clock.
    pub(crate) runs: StateRuns,
}

/// Stretches of states one after the other, four bytes each: the number of the state, and ns.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct StateRuns(Vec<u32>);

/// Bits of a stretch's length; the others are its state.
const BITS: u32 = 28;
const MOST: u64 = (1 << BITS) - 1;

impl StateRuns {
    /// A stretch follows; one of more than a quarter of a second is stored in pieces.
    fn push(&mut self, run: StateRun) {
        let mut rest = run.ns;
        while rest > 0 {
            let ns = rest.min(MOST);
            self.0.push(u32::from(run.state) << BITS | ns as u32);
            rest -= ns;
        }
    }

    /// There is none.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The stretches; of two that follow each other the states differ.
    pub(crate) fn stretches(&self) -> Vec<StateRun> {
        let mut runs: Vec<StateRun> = Vec::with_capacity(self.0.len());
        for word in &self.0 {
            let (state, ns) = ((word >> BITS) as u8, u64::from(*word) & MOST);
            match runs.last_mut() {
                Some(last) if last.state == state => last.ns += ns,
                _ => runs.push(StateRun { state, ns }),
            }
        }
        runs
    }
}

/// What the states of the ranks follow from.
pub(crate) struct StateFinder<'a> {
    finder: PhaseFinder<'a>,
    /// ns of the window of each rank's island.
    windows: Vec<f64>,
    /// Waits of each rank in operations, from its arrival to the last rank's, on its own clock.
    waits: Vec<Vec<(i64, i64)>>,
}

impl<'a> StateFinder<'a> {
    pub(crate) fn new(finder: PhaseFinder<'a>, operations: &[Operation]) -> Self {
        let (ranks, clocks) = (finder.ranks, finder.clocks);
        let mut windows: BTreeMap<usize, (f64, f64)> = BTreeMap::new();
        for (rank, clock) in ranks.iter().zip(&clocks.ranks) {
            let (start, end) = rank.part.window;
            let (start, end) = (clock.reference(start as f64), clock.reference(end as f64));
            let window = windows.entry(clock.island).or_insert((start, end));
            *window = (window.0.min(start), window.1.max(end));
        }
        let of_island = |island| windows.get(&island).map_or(0.0, |(start, end)| end - start);
        let windows = clocks.ranks.iter().map(|clock| of_island(clock.island)).collect();
        let mut waits: Vec<Vec<(i64, i64)>> = vec![Vec::new(); ranks.len()];
        for operation in operations.iter().filter(|o| o.kind.is_all_to_all()) {
            for member in &operation.members {
                let clock = clocks.ranks.get(member.rank);
                let until = clock.map_or(0.0, |c| c.own(operation.last_arrival)).round() as i64;
                if let Some(list) = waits.get_mut(member.rank) {
                    list.push((member.own.0, until.min(member.own.1)));
                }
            }
        }
        Self { finder, windows, waits }
    }

    /// The states of a rank.
    pub(crate) fn states(&self, number: usize) -> RankStates {
        let Some(rank) = self.finder.ranks.get(number) else { return RankStates::default() };
        let mut layers = Layers::default();
        let mut caused_by: BTreeMap<usize, u64> = BTreeMap::new();
        for (at, thread) in rank.part.threads.iter().enumerate() {
            let id = ThreadId { rank: number, thread: at };
            let Some(finder) = self.finder.of_thread(id) else { continue };
            let late = if thread.receives { LATE_SENDER } else { LATE_RECEIVER };
            for (i, partner) in finder.partners().enumerate() {
                let (p, peer) = finder.phases(i, partner);
                let parts = [
                    (late, p.waiting),
                    (OVERHEAD, p.start_up),
                    (LINK, p.transfer),
                    (OVERHEAD, p.completion),
                ];
                layers.add(thread.commands.start.value_at(i), parts);
                if let Some(peer) = peer {
                    *caused_by.entry(peer).or_default() += p.waiting as u64;
                }
            }
        }
        for (start, end) in self.waits.get(number).into_iter().flatten() {
            layers.add(*start, [(COLLECTIVE, *end - *start)]);
        }
        let mut states = layers.states(&rank.part);
        states.caused_by = caused_by;
        let window = self.windows.get(number).copied().unwrap_or(0.0).round() as u64;
        let own: u64 = states.ns.iter().sum();
        // Drift may make a rank's own ns a few more than the reference's.
        states.window = window.max(own);
        states.ns[NOT_CAPTURED] = states.window - own;
        states
    }
}

/// Commands and stretches of cores up to which the stretches of states are kept: they take about 16 bytes a command.
const KEPT: usize = 8 << 20;

/// The states of all ranks; in large clusters without the stretches one after the other, which would take more than all commands.
pub(crate) fn states(finder: &StateFinder<'_>) -> Vec<RankStates> {
    let clocks = finder.finder.clocks;
    let parts = finder.finder.ranks.iter().map(|rank| &rank.part);
    let are_kept = parts.map(|part| part.command_count() + part.runs.len()).sum::<usize>() <= KEPT;
    let of_rank = |number| match finder.states(number) {
        states if are_kept => states,
        states => RankStates { runs: StateRuns::default(), ..states },
    };
    let mut found: Vec<RankStates> =
        (0..finder.finder.ranks.len()).into_par_iter().map(of_rank).collect();
    let islands: BTreeSet<usize> = clocks.ranks.iter().map(|clock| clock.island).collect();
    // One window for all ranks of an island.
    for island in islands {
        let of = |states: &[RankStates]| {
            let all = states.iter().zip(&clocks.ranks).filter(|(_, c)| c.island == island);
            all.map(|(s, _)| s.window).max().unwrap_or(0)
        };
        let window = of(&found);
        for (states, clock) in found.iter_mut().zip(&clocks.ranks) {
            if clock.island == island {
                states.ns[NOT_CAPTURED] += window - states.window;
                states.window = window;
            }
        }
    }
    found
}

/// When the states of ports change.
#[derive(Default)]
struct Layers {
    changes: Vec<Change>,
}

/// A state ends, or another begins, or both.
struct Change {
    moment: i64,
    ends: Option<u8>,
    begins: Option<u8>,
}

impl Layers {
    /// States that follow each other from a moment on, each with its ns.
    fn add<const N: usize>(&mut self, start: i64, states: [(usize, i64); N]) {
        let (mut moment, mut ends) = (start, None);
        for (state, ns) in states.into_iter().filter(|(_, ns)| *ns > 0) {
            let begins = Some(state as u8);
            self.changes.push(Change { moment, ends, begins });
            (moment, ends) = (moment + ns, begins);
        }
        if ends.is_some() {
            self.changes.push(Change { moment, ends, begins: None });
        }
    }

    /// The rank's states: what its cores do, and below computation and memory what its ports do.
    fn states(mut self, part: &DumpPart) -> RankStates {
        let mut states = RankStates::default();
        let mut now = [0i32; OVERHEAD + 1];
        // Those of a thread are in order already; changes of one moment count together.
        self.changes.sort_by_key(|change| change.moment);
        let mut changes = self.changes.into_iter().peekable();
        let mut at = part.window.0;
        let mut last: Option<StateRun> = None;
        for run in part.runs.iter() {
            let end = at.saturating_add(i64::try_from(run.ns).unwrap_or(i64::MAX));
            while at < end {
                while let Some(change) = changes.next_if(|change| change.moment <= at) {
                    for (state, more) in [(change.ends, -1), (change.begins, 1)] {
                        let of = state.and_then(|state| now.get_mut(usize::from(state)));
                        of.into_iter().for_each(|now| *now += more);
                    }
                }
                let until = changes.peek().map_or(end, |change| change.moment.min(end));
                let ns = until.abs_diff(at);
                let active = (LINK..=OVERHEAD).find(|&s| now.get(s).is_some_and(|n| *n > 0));
                let state = match (run.state, active) {
                    (CoreState::Compute, _) => 0,
                    (CoreState::Memory, _) => 1,
                    (_, Some(state)) => state,
                    (CoreState::Sync, None) => 7,
                    (CoreState::Launch, None) => 8,
                    (CoreState::Idle, None) => 9,
                };
                if state < LINK && active == Some(LINK) {
                    states.hidden += ns;
                }
                if let Some(total) = states.ns.get_mut(state) {
                    *total += ns;
                }
                match &mut last {
                    Some(last) if usize::from(last.state) == state => last.ns += ns,
                    _ if ns == 0 => {}
                    last => {
                        let ended = last.replace(StateRun { state: state as u8, ns });
                        ended.into_iter().for_each(|run| states.runs.push(run));
                    }
                }
                at = until;
            }
        }
        last.into_iter().for_each(|run| states.runs.push(run));
        states.runs.0.shrink_to_fit();
        states
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stretches_come_back_also_those_that_are_stored_in_pieces() {
        let all = [(0, 7), (11, MOST), (3, MOST + 1), (9, 3 * MOST), (0, 1)];
        let all = all.map(|(state, ns)| StateRun { state, ns });
        let mut runs = StateRuns::default();
        all.iter().for_each(|run| runs.push(*run));
        assert_eq!(runs.0.len(), 8);
        assert_eq!(runs.stretches(), all);
    }
}
