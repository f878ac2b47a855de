//! The packed graph against the plain one, on random runs.

use bigtpu_sim::{GraphBuilder, TaskCosts, TaskId, critical_path_to, slack};

use super::*;

/// Numbers that look random: the same in each run of the tests.
pub(super) struct Random(pub(super) u64);

impl Random {
    pub(super) fn next_below(&mut self, most: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % most
    }
}

/// A graph, and by node what it should wait for.
pub(super) struct Made {
    pub(super) graph: Graph,
    expected: Vec<Vec<Dependence>>,
}

fn junction(members: Vec<Node>) -> Junction {
    Junction { members, last: NONE, end: 0 }
}

/// Events of a few engines, taken in a random order: each waits for some that were taken before it.
pub(super) fn made(seed: u64) -> Made {
    let mut random = Random(seed);
    let counts: Vec<u64> = (0..1 + random.next_below(4)).map(|_| random.next_below(13)).collect();
    let events = counts.iter().sum::<u64>() as Node;
    let mut columns = Columns::new(events as usize);
    let mut lanes = columns.lanes(counts.iter().map(|count| *count as usize));
    let firsts: Vec<Node> = counts
        .iter()
        .scan(0, |first, count| Some(std::mem::replace(first, *first + *count as Node)))
        .collect();
    // When each event was taken.
    let mut ends = vec![0; events as usize];
    let mut expected = vec![Vec::new(); events as usize + 1];
    let (mut junctions, mut taken): (Vec<Junction>, Vec<Node>) = (Vec::new(), Vec::new());
    while (taken.len() as Node) < events + junctions.len() as Node {
        let at = random.next_below(counts.len() as u64) as usize;
        let lane = &mut lanes[at];
        let i = lane.written();
        if i as u64 == counts[at] {
            continue;
        }
        let node = firsts[at] + i as Node;
        let any = |random: &mut Random, kind| {
            let from = taken[random.next_below(taken.len() as u64) as usize];
            Dependence { from, kind, lag: random.next_below(9) as Time - 2 }
        };
        let (mut before, mut after, mut two) = (Vec::new(), Vec::new(), [None, None]);
        let follows = i > 0 && random.next_below(8) > 0;
        if follows {
            let lag = random.next_below(9) as Time - 2;
            two[1] = Some(Dependence { from: node - 1, kind: DependenceKind::EngineOrder, lag });
        }
        if !taken.is_empty() && random.next_below(2) > 0 {
            let kinds =
                [DependenceKind::Command, DependenceKind::Message, DependenceKind::HandOver];
            let kind = kinds[random.next_below(3) as usize];
            two[0] = Some(any(&mut random, kind));
            if kind == DependenceKind::HandOver {
                two.swap(0, 1);
            } else if random.next_below(4) == 0 {
                before.push(any(&mut random, DependenceKind::Launch));
                after.push(any(&mut random, DependenceKind::HandOver));
            }
        }
        let other =
            two.iter().flatten().find(|of| !(follows && of.kind == DependenceKind::EngineOrder));
        let kind = other.map_or(DependenceKind::Gather, |of| of.kind);
        let order = two.iter().flatten().find(|of| of.kind == DependenceKind::EngineOrder);
        let times = EventTimes {
            order: order.map_or(0, |of| of.lag),
            lag: other.map_or(0, |of| of.lag),
            duration: random.next_below(12) as Time,
        };
        lane.push(Link::new(kind, follows), other.map_or(NONE, |of| of.from), times);
        for of in before.iter().chain(&after) {
            lane.push_more(of.from, of.kind, of.lag);
        }
        expected[node as usize] =
            before.into_iter().chain(two.into_iter().flatten()).chain(after).collect();
        // Ends may say little about the order.
        ends[node as usize] = taken.len() as Time * random.next_below(3) as Time;
        taken.push(node);
        if random.next_below(5) == 0 {
            let is_event = |node: &&Node| **node < events;
            let members: Vec<Node> = taken.iter().rev().filter(is_event).take(3).copied().collect();
            taken.push(events + 1 + junctions.len() as Node);
            let of = |from: &Node| Dependence { from: *from, kind: DependenceKind::Gather, lag: 0 };
            expected.push(members.iter().map(of).collect());
            junctions.push(junction(members));
        }
    }
    let rare: Vec<Rare> = lanes.into_iter().map(|lane| lane.rare).collect();
    rare.into_iter().for_each(|rare| columns.add(rare));
    let mut graph = Graph::build(columns, &junctions).unwrap();
    graph.order = graph.running_order(&ends).unwrap();
    Made { graph, expected }
}

/// Runs side by side: as measured, and longer from the third event of an engine on, without gaps between launches.
#[derive(Default)]
struct Side {
    /// Whether the times of each lane are changed.
    is_changed: [bool; 4],
}

impl Changes<2> for Side {
    /// Whether the times are changed.
    type Now<'n> = bool;

    fn stretch(&mut self, lane: usize, event: usize) -> Stretch<2> {
        let is_changed = event >= 2;
        self.is_changed[lane] = is_changed;
        let effect = if is_changed { Effect::Other } else { Effect::Nothing };
        Stretch { end: if is_changed { usize::MAX } else { 2 }, effect }
    }

    fn now(&self, lane: usize) -> bool {
        self.is_changed[lane]
    }

    fn change<T: Count>(
        &self,
        is_changed: bool,
        node: Node,
        kind: DependenceKind,
        measured: EventTimes<T>,
        all: &mut TimesOfRuns<T, 2>,
    ) {
        let [_, lag] = self.lags(is_changed, node, kind, measured.lag.time());
        let duration = measured.duration.scaled(2.0);
        all.set(1, EventTimes { lag: T::from_time(lag), duration, ..measured });
    }

    fn lags(&self, is_changed: bool, _: Node, kind: DependenceKind, lag: Time) -> [Time; 2] {
        let changed = match kind {
            kind if kind.is_launch() => 0,
            DependenceKind::HandOver if is_changed => 3 * lag,
            _ => lag,
        };
        [lag, changed]
    }
}

/// Runs side by side, as measured and with shorter times. `is_known`: the pass knows that times are multiplied.
struct Shorter {
    is_known: bool,
}

impl Shorter {
    const SCALING: Scaling = Scaling { duration: 0.5, pauses: 0.3 };
}

impl Changes<2> for Shorter {
    type Now<'n> = ();

    fn stretch(&mut self, _: usize, _: usize) -> Stretch<2> {
        let scaled = Effect::Scaled { scaling: Self::SCALING, of_runs: [0, 1] };
        Stretch { end: usize::MAX, effect: if self.is_known { scaled } else { Effect::Other } }
    }

    fn now(&self, _: usize) {}

    fn change<T: Count>(
        &self,
        (): (),
        _: Node,
        kind: DependenceKind,
        measured: EventTimes<T>,
        all: &mut TimesOfRuns<T, 2>,
    ) {
        all.set(1, Self::SCALING.times(kind.is_pause(), measured));
    }

    fn lags(&self, (): (), _: Node, kind: DependenceKind, lag: Time) -> [Time; 2] {
        [lag, if kind.is_pause() { lag.scaled(Self::SCALING.pauses) } else { lag }]
    }
}

impl Graph {
    /// The last end of the second of these runs, node by node.
    fn longer_side(&self) -> Time {
        let mut ends = vec![0; self.len()];
        for node in self.search_order().unwrap().into_iter().flatten() {
            let lane = self.columns.firsts().partition_point(|first| *first <= node) - 1;
            let event = node - self.columns.firsts()[lane];
            let is_changed = ((node as usize) < self.events()).then_some(event >= 2);
            let start = |of: Dependence| {
                let lag = match is_changed {
                    Some(is_changed) => Side::default().lags(is_changed, node, of.kind, of.lag)[1],
                    None => of.lag,
                };
                ends[of.from as usize] + lag
            };
            let start = self.dependences(node).map(start).max().unwrap_or(0).max(0);
            let times = if is_changed == Some(true) { 2 } else { 1 };
            ends[node as usize] = start + times * self.duration(node);
        }
        ends[..self.events()].iter().copied().max().unwrap_or(0)
    }
}

/// Twice the durations, three times the lags of hand-overs.
struct Longer<'m>(&'m bigtpu_sim::TaskGraph, &'m [DependenceKind]);

impl Scale for Longer<'_> {
    fn duration(&self, _: Node, ns: Time) -> Time {
        2 * ns
    }

    fn lag(&self, kind: DependenceKind, ns: Time) -> Time {
        if kind == DependenceKind::HandOver { 3 * ns } else { ns }
    }
}

impl TaskCosts for Longer<'_> {
    fn duration(&self, task: TaskId) -> Time {
        2 * self.0.duration(task)
    }

    fn lag(&self, dependence: usize) -> Time {
        Scale::lag(self, self.1[dependence], self.0.lag(dependence))
    }
}

#[test]
fn it_runs_as_the_plain_graph() {
    let mut several = 0;
    for seed in 0..400 {
        let Made { graph, expected } = made(seed);
        let mut plain = GraphBuilder::new();
        let mut kinds = Vec::new();
        for node in 0..graph.len() as Node {
            plain.task(None, graph.duration(node));
        }
        for (node, expected) in (0..).zip(&expected) {
            assert_eq!(graph.dependences(node).collect::<Vec<_>>(), *expected, "{seed}, {node}");
            several += usize::from(expected.len() > 2);
            for of in expected {
                plain.depend(of.from, node, of.lag);
                kinds.push(of.kind);
            }
        }
        let plain = plain.build().unwrap();
        let schedule = plain.replay();
        let mut ends = Vec::new();
        let last = graph.run(&Measured, &mut ends);
        let nodes = 0..graph.len() as Node;
        let plain_ends: Vec<Time> = nodes.clone().map(|node| schedule.end(node)).collect();
        assert_eq!(ends, plain_ends, "{seed}");
        assert_eq!(graph.dependence_count(), plain.dependence_count());
        let plain_slack: Vec<Time> = slack(&schedule).into_iter().take(graph.events()).collect();
        assert_eq!(
            graph.slack(&graph.order, &ends, last).iter().collect::<Vec<_>>(),
            plain_slack,
            "{seed}"
        );
        for node in nodes {
            let path: Vec<Node> = graph.path_to(node, &ends).iter().map(|step| step.node).collect();
            let plain_path = critical_path_to(node, &schedule);
            assert_eq!(path, plain_path.iter().map(|step| step.task).collect::<Vec<_>>());
        }
        assert_eq!(graph.run_together(Side::default), [last, graph.longer_side()], "{seed}");
        let [known, asked] =
            [true, false].map(|is_known| graph.run_together(|| Shorter { is_known }));
        assert_eq!(known, asked, "{seed}");
        let longer = Longer(&plain, &kinds);
        graph.run(&longer, &mut ends);
        let schedule = plain.replay_with(&longer);
        assert!((0..).zip(&ends).all(|(node, end)| schedule.end(node) == *end), "{seed}");
    }
    assert!(several > 100);
}

#[test]
fn events_that_wait_for_each_other_are_a_cycle() {
    let mut columns = Columns::new(2);
    for (lane, other) in columns.lanes([1, 1].into_iter()).iter_mut().zip([1, 0]) {
        let times = EventTimes { order: 0, lag: 1, duration: 1 };
        lane.push(Link::new(DependenceKind::Command, false), other, times);
    }
    let found = Graph::build(columns, &[]).unwrap().running_order(&[1, 2]);
    assert!(matches!(found, Err(Error::Cycle(tasks)) if tasks.len() == 2));
}
