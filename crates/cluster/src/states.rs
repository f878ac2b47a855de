//! Where each rank's time went: every nanosecond of the island's window is in exactly one state.

use std::collections::BTreeMap;

use crate::clocks::Clocks;
use crate::operations::Operation;
use crate::pairing::{Link, ThreadId};
use crate::part::{CoreState, Part};
use crate::phases::PhaseFinder;
use crate::rank::Rank;
use crate::views::StateRun;

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
    pub(crate) runs: Vec<StateRun>,
}

/// The partner of each paired command: link, and index of the other's command.
pub(crate) type Partners = BTreeMap<ThreadId, Vec<Option<(usize, u32)>>>;

/// The partners of all commands.
pub(crate) fn partners(ranks: &[Rank], links: &[Link]) -> Partners {
    let mut partners = Partners::new();
    for (rank, of) in ranks.iter().enumerate() {
        for (thread, of) in of.part.threads.iter().enumerate() {
            partners.insert(ThreadId { rank, thread }, vec![None; of.commands.len()]);
        }
    }
    for (number, link) in links.iter().enumerate() {
        for &(i, j) in &link.alignment.pairs {
            for (own, at, other) in [(link.from, i, j), (link.to, j, i)] {
                let place = partners.get_mut(&own).and_then(|all| all.get_mut(at as usize));
                if let Some(place) = place {
                    *place = Some((number, other));
                }
            }
        }
    }
    partners
}

/// The states of all ranks.
pub(crate) fn states(
    ranks: &[Rank],
    links: &[Link],
    clocks: &Clocks,
    operations: &[Operation],
    partners: &Partners,
) -> Vec<RankStates> {
    let mut windows: BTreeMap<usize, (f64, f64)> = BTreeMap::new();
    for (rank, clock) in ranks.iter().zip(&clocks.ranks) {
        let (start, end) = rank.part.window;
        let (start, end) = (clock.reference(start as f64), clock.reference(end as f64));
        let window = windows.entry(clock.island).or_insert((start, end));
        *window = (window.0.min(start), window.1.max(end));
    }
    let finder = PhaseFinder::of(ranks, links, clocks, partners);
    let mut of_rank: Vec<Vec<(i64, i64)>> = vec![Vec::new(); ranks.len()];
    for operation in operations.iter().filter(|o| o.kind.is_all_to_all()) {
        for member in &operation.members {
            let clock = clocks.ranks.get(member.rank);
            let until = clock.map_or(0.0, |c| c.own(operation.last_arrival)).round() as i64;
            if let Some(list) = of_rank.get_mut(member.rank) {
                list.push((member.own.0, until.min(member.own.1)));
            }
        }
    }
    let mut found = Vec::new();
    for (number, rank) in ranks.iter().enumerate() {
        let mut layers = Layers::default();
        let mut caused_by: BTreeMap<usize, u64> = BTreeMap::new();
        for (at, thread) in rank.part.threads.iter().enumerate() {
            let id = ThreadId { rank: number, thread: at };
            for (i, command) in thread.commands.iter().enumerate() {
                let Some((p, peer)) = finder.phases(id, i) else { continue };
                let late = if thread.receives { LATE_SENDER } else { LATE_RECEIVER };
                let mut from = command.start;
                for (state, ns) in [
                    (late, p.waiting),
                    (OVERHEAD, p.start_up),
                    (LINK, p.transfer),
                    (OVERHEAD, p.completion),
                ] {
                    layers.add(state, from, from + ns);
                    from += ns;
                }
                if let Some(peer) = peer {
                    *caused_by.entry(peer).or_default() += p.waiting as u64;
                }
            }
        }
        for (start, end) in of_rank.get(number).into_iter().flatten() {
            layers.add(COLLECTIVE, *start, *end);
        }
        let mut states = layers.states(&rank.part);
        states.caused_by = caused_by;
        let window = clocks.ranks.get(number).and_then(|c| windows.get(&c.island));
        let window = window.map_or(0.0, |(start, end)| end - start).round() as u64;
        let own: u64 = states.ns.iter().sum();
        // Drift may make a rank's own ns a few more than the reference's.
        states.window = window.max(own);
        states.ns[NOT_CAPTURED] = states.window - own;
        found.push(states);
    }
    // One window for all ranks of an island.
    for (island, _) in windows {
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

/// When the states of ports begin and end.
#[derive(Default)]
struct Layers {
    changes: BTreeMap<i64, [i32; OVERHEAD + 1]>,
}

impl Layers {
    fn add(&mut self, state: usize, start: i64, end: i64) {
        if end > start {
            for (moment, change) in [(start, 1), (end, -1)] {
                if let Some(count) = self.changes.entry(moment).or_default().get_mut(state) {
                    *count += change;
                }
            }
        }
    }

    /// The rank's states: what its cores do, and below computation and memory what its ports do.
    fn states(self, part: &Part) -> RankStates {
        let mut states = RankStates::default();
        let mut now = [0i32; OVERHEAD + 1];
        let mut changes = self.changes.into_iter().peekable();
        let mut at = part.window.0;
        for run in &part.runs {
            let end = at.saturating_add(i64::try_from(run.ns).unwrap_or(i64::MAX));
            while at < end {
                while let Some((moment, change)) = changes.peek() {
                    if *moment > at {
                        break;
                    }
                    now.iter_mut().zip(change).for_each(|(now, change)| *now += change);
                    changes.next();
                }
                let until = changes.peek().map_or(end, |(moment, _)| (*moment).min(end));
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
                match states.runs.last_mut() {
                    _ if ns == 0 => {}
                    Some(last) if usize::from(last.state) == state => last.ns += ns,
                    _ => states.runs.push(StateRun { state: state as u8, ns }),
                }
                at = until;
            }
        }
        states
    }
}
