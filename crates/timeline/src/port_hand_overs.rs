//! Where a port's clock stands by what it takes from the SDMA of its core and gives to it, and to the core's other ports.
//!
//! An engine that was idle goes on right after the one that it works with has ended a transfer. Of all distances of the two clocks
//! that the launches allow, the right one makes many ends and starts meet; a wrong one few, unless all tiles take the same time.

use crate::cdma::Port;
use crate::core_engines::CORE_ENGINES;
use crate::join::Cores;
use bigtpu_chip::Engine;
use std::collections::BTreeMap;

/// Longest time from an end to the start that waited for it, in ns.
const HAND_OVER_NS: i64 = 100;
/// What an engine that goes on later than that after its own last command waited for is another engine.
const IDLE_NS: i64 = 200;
/// Usual time of a hand-over on hardware, in ns.
const USUAL_NS: i64 = 9;
/// Least number of ends and starts that meet.
const LEAST: usize = 6;
/// Most pairs of an end and a start that are looked at.
const MOST_PAIRS: usize = 1 << 21;

/// First start and last end, in ns.
pub(crate) type Span = (i64, i64);
/// A core's kernel launch: the core's number and the scope.
pub(crate) type Launch = (u32, u32);

/// Commands of a launch on one engine, by time.
pub(crate) type ByLaunch = BTreeMap<Launch, Vec<Span>>;

/// Where the clock stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Met {
    /// To add to the port's times, in ns.
    pub(crate) ns: i64,
    /// The true distance differs by no more than this, in ns.
    pub(crate) doubt_ns: i64,
    /// Ends and starts that meet.
    pub(crate) count: usize,
}

/// An end and a start that meet at this distance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Vote {
    ns: i64,
    /// The command that goes on: number of its engine and place there. Engine 0 is the port (the distance is this or more), the others
    /// are those that it works with (this or less).
    of: (usize, usize),
}

/// The distance between `low` and `high` at which most ends and starts of a port and of what it works with meet: the SDMAs of its cores,
/// and `others`, ports whose place is known. `None` where another distance is nearly as good.
pub(crate) fn met(
    cores: &Cores<'_>,
    port: &Port<'_>,
    others: &[&Port<'_>],
    (low, high): Span,
) -> Option<Met> {
    let others = others.iter().map(|other| of_port(cores, other, other));
    let others: Vec<ByLaunch> = std::iter::once(sdma(cores)).chain(others).collect();
    best(&votes(&others, &of_port(cores, port, port), (low, high)))
}

/// Commands of the launches that a port and the SDMA worked for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Meetings {
    /// They go on after idle time, within the time of a hand-over of an end of the other side.
    pub(crate) met: usize,
    /// They go on after idle time.
    pub(crate) all: usize,
}

/// How many commands of a port go on right after what the SDMA of their core ended, and the other way round, at the times that the
/// clocks have. `launched`: the port whose commands, and whose sync pair, the records are taken for.
pub(crate) fn meetings(
    sdma: &ByLaunch,
    cores: &Cores<'_>,
    of: &Port<'_>,
    launched: &Port<'_>,
) -> Meetings {
    let mut found = Meetings::default();
    for (launch, own) in of_port(cores, of, launched) {
        let Some(other) = sdma.get(&launch) else { continue };
        for (starts, ends) in [(&own, other), (other, &own)] {
            let mut ends: Vec<i64> = ends.iter().map(|(_, end)| *end).collect();
            ends.sort_unstable();
            for (_, start) in idle_starts(starts) {
                let before = ends.partition_point(|end| *end <= start);
                let last = before.checked_sub(1).and_then(|at| ends.get(at));
                found.met += usize::from(last.is_some_and(|end| start - end <= HAND_OVER_NS));
                found.all += 1;
            }
        }
    }
    found
}

/// The SDMA's commands of all cores.
pub(crate) fn sdma(cores: &Cores<'_>) -> ByLaunch {
    let mut launches = ByLaunch::new();
    for (index, core) in cores {
        let tracks = core.monitors.iter().zip(CORE_ENGINES);
        for (clean, _) in tracks.filter(|(_, engine)| *engine == Engine::Sdma) {
            let events = &clean.events;
            for ((&start, &end), &tag) in events.start.iter().zip(&events.end).zip(&events.tag) {
                if let Some(scope) = core.tags.scope(tag) {
                    launches.entry((*index, scope)).or_default().push((start, end));
                }
            }
        }
    }
    launches
}

/// A port's records, by the launches of the port's commands that they are taken for, and at the times by that port's sync pair.
fn of_port(cores: &Cores<'_>, port: &Port<'_>, launched: &Port<'_>) -> ByLaunch {
    let mut launches = ByLaunch::new();
    let events = &port.clean.events;
    let ns = launched.sync_ns - port.sync_ns;
    let times = events.start.iter().zip(&events.end).map(|(start, end)| (start + ns, end + ns));
    for ((start, end), launched) in times.zip(&launched.launched_by) {
        let Some((index, tag)) = *launched else { continue };
        let core = cores.iter().find(|(core, _)| *core == index);
        if let Some(scope) = core.and_then(|(_, core)| core.tags.scope(tag)) {
            launches.entry((index, scope)).or_default().push((start, end));
        }
    }
    launches
}

/// Starts after idle time, with the place of the command.
fn idle_starts(commands: &[Span]) -> impl Iterator<Item = (usize, i64)> + '_ {
    let pairs = commands.iter().zip(commands.iter().skip(1)).zip(1..);
    let idle = pairs.filter(|((before, after), _)| after.0 - before.1 > IDLE_NS);
    idle.map(|((_, after), at)| (at, after.0))
}

fn votes(others: &[ByLaunch], port: &ByLaunch, (low, high): Span) -> Vec<Vote> {
    let allowed = low - HAND_OVER_NS..=high + HAND_OVER_NS;
    let mut votes = Vec::new();
    let (mut pairs, mut before) = (0, 0);
    for (launch, own) in port {
        let others = || (1..).zip(others).filter_map(|(n, other)| Some((n, other.get(launch)?)));
        pairs += own.len() * others().map(|(_, other)| other.len()).sum::<usize>();
        if pairs > MOST_PAIRS {
            break;
        }
        let mut longest = own.len();
        for (number, other) in others() {
            longest = longest.max(other.len());
            for (at, start) in idle_starts(other) {
                let ns = own.iter().map(|(_, end)| start - end).filter(|ns| allowed.contains(ns));
                votes.extend(ns.map(|ns| Vote { ns, of: (number, before + at) }));
            }
            for (at, start) in idle_starts(own) {
                let ns = other.iter().map(|(_, end)| end - start);
                let ns = ns.filter(|ns| allowed.contains(ns));
                votes.extend(ns.map(|ns| Vote { ns, of: (0, before + at) }));
            }
        }
        before += longest;
    }
    votes.sort_unstable();
    votes
}

/// How many commands go on within the time of a hand-over from each vote on; votes are sorted.
fn counts(votes: &[Vote]) -> Vec<usize> {
    let mut until = 0;
    let mut within: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    let count = |first: &Vote| {
        while let Some(next) = votes.get(until).filter(|vote| vote.ns <= first.ns + HAND_OVER_NS) {
            *within.entry(next.of).or_default() += 1;
            until += 1;
        }
        let count = within.len();
        if let Some(times) = within.get_mut(&first.of) {
            *times -= 1;
            if *times == 0 {
                within.remove(&first.of);
            }
        }
        count
    };
    votes.iter().map(count).collect()
}

fn best(votes: &[Vote]) -> Option<Met> {
    let counts = counts(votes);
    let (at, count) = counts.iter().enumerate().rev().max_by_key(|(_, count)| **count)?;
    let first = votes.get(at)?.ns;
    let elsewhere = votes.iter().zip(&counts).filter(|(vote, _)| {
        vote.ns < first - 2 * HAND_OVER_NS || vote.ns > first + 2 * HAND_OVER_NS
    });
    let second = elsewhere.map(|(_, count)| *count).max().unwrap_or(0);
    if *count < LEAST || second * 3 > *count * 2 {
        return None;
    }
    let near = || votes.iter().filter(|v| (first..=first + HAND_OVER_NS).contains(&v.ns));
    let most = near().filter(|vote| vote.of.0 > 0).map(|vote| vote.ns).min();
    let least = near().filter(|vote| vote.of.0 == 0).map(|vote| vote.ns).max();
    let ns = match (least, most) {
        (Some(least), Some(most)) => least + (most - least) / 2,
        (Some(least), None) => least + USUAL_NS,
        (None, most) => most? - USUAL_NS,
    };
    Some(Met { ns, doubt_ns: HAND_OVER_NS, count: *count })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn launch(commands: &[Span]) -> ByLaunch {
        ByLaunch::from([((0, 7), commands.to_vec())])
    }

    /// The port's clock is 5000 ns behind; the SDMA goes on 20 ns after each of its transfers.
    #[test]
    fn ends_and_starts_meet_at_one_distance() {
        let port = [(0, 310), (900, 1440), (2000, 2305), (3000, 3720), (4400, 5000), (5600, 6130)];
        let mut sdma = vec![(4000, 4100)];
        sdma.extend(port.map(|(_, end)| (end + 5020, end + 5070)));
        let met = best(&votes(&[launch(&sdma)], &launch(&port), (1000, 9000))).unwrap();
        assert_eq!((met.ns, met.count), (5011, 6));
    }

    #[test]
    fn equal_tiles_meet_everywhere() {
        let port: Vec<Span> = (0..8).map(|tile| (tile * 1000, tile * 1000 + 300)).collect();
        let sdma: Vec<Span> = port.iter().map(|(_, end)| (end + 5020, end + 5070)).collect();
        assert_eq!(best(&votes(&[launch(&sdma)], &launch(&port), (1000, 9000))), None);
    }
}
