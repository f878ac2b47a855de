//! Everything that is known of a run's dependences.

use std::ops::Range;

use rayon::prelude::*;

use bigtpu_measure::{CommandWaits, Flows};

use crate::command::Commands;
use crate::confidence::KindUse;
use crate::dependence::{DependenceKind, Edge, Junction, NONE, Node};
use crate::floors::Floors;
use crate::hand_over::{HAND_OVER_NS, hand_overs};
use crate::input::{Input, TrackInput};
use crate::launch::{LaunchEdge, LaunchParts, Launches};
use crate::message::Messages;
use crate::order::Order;
use crate::pauses::Pauses;

/// Everything that is known of a run's dependences.
pub(crate) struct Found<'i> {
    /// Order of each track's events.
    orders: Vec<Order>,
    /// Command dependences of each track; empty if they are not used.
    commands: Vec<Option<Commands<'i>>>,
    launches: Vec<LaunchEdge>,
    messages: Vec<Edge>,
    barriers: Vec<Edge>,
    /// Hand-overs to the events of each track.
    hand_overs: Vec<Vec<Edge>>,
    pub(crate) launch_kind: DependenceKind,
    pub(crate) junctions: Vec<Junction>,
    pub(crate) launch_parts: LaunchParts,
    pub(crate) floors: Floors,
    pub(crate) uses: Vec<KindUse>,
    /// See [`Messages::longest_release_ns`].
    pub(crate) longest_release_ns: i64,
}

/// What an event waited for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Incoming {
    pub(crate) from: Node,
    pub(crate) kind: DependenceKind,
    /// When the predecessor ended, in ns from the first event.
    pub(crate) ended: i64,
    /// Launches: the gap that all commands of the launch waited, in ns.
    pub(crate) gap: i64,
}

impl<'i> Found<'i> {
    pub(crate) fn new(input: &'i Input<'_>, flows: &Flows, waits: &'i CommandWaits) -> Self {
        let (orders, (messages, launches)) = rayon::join(
            || {
                let own = |track: &TrackInput<'_>| Order::find(track, input.tolerance);
                input.tracks.par_iter().map(own).collect::<Vec<_>>()
            },
            || {
                let next = input.events as Node + 1;
                let messages = Messages::find(input, flows, next);
                let launches = Launches::find(input, next + messages.junctions.len() as Node);
                (messages, launches)
            },
        );
        let commands = input.tracks.iter().map(|track| Commands::new(input, waits, track));
        let commands: Vec<_> = commands.collect();
        let mut command_use = KindUse::new(DependenceKind::Command);
        for own in commands.iter().flatten().map(|own| own.waits) {
            command_use.found += own.found;
            command_use.contradicted += own.contradicted;
            command_use.unresolved += own.unresolved;
        }
        let commands = if command_use.decide() { commands } else { Vec::new() };
        let mut order_use = KindUse::new(DependenceKind::EngineOrder);
        order_use.found = orders.iter().map(Order::found).sum();
        order_use.contradicted = orders.iter().map(|order| order.overlaps).sum();
        let mut message_use = KindUse::new(DependenceKind::Message);
        (message_use.found, message_use.contradicted) = (messages.found, messages.contradicted);
        let mut barrier_use = KindUse::new(DependenceKind::Barrier);
        barrier_use.found = messages.barriers.len() as u64;
        let mut launch_use = KindUse::new(launches.kind);
        launch_use.found = launches.edges.len() as u64;
        launch_use.contradicted = launches.contradicted;
        let mut junctions = messages.junctions;
        junctions.extend(launches.junctions);
        let mut found = Self {
            orders,
            commands,
            launches: launches.edges,
            messages: messages.edges,
            barriers: messages.barriers,
            hand_overs: Vec::new(),
            launch_kind: launches.kind,
            junctions,
            launch_parts: launches.parts,
            floors: messages.floors,
            uses: Vec::new(),
            longest_release_ns: messages.longest_release_ns,
        };
        found.floors = found.floors.with(Pauses::for_chip(input.profile.chip));
        found.set_floors(input);
        let commands_known = command_use.used && command_use.found > 0;
        found.observe(input, commands_known);
        let mut hand_over_use = KindUse::new(DependenceKind::HandOver);
        hand_over_use.found = found.hand_overs.iter().map(|edges| edges.len() as u64).sum();
        found.uses =
            vec![order_use, command_use, message_use, barrier_use, launch_use, hand_over_use];
        found
    }

    fn set_floors(&mut self, input: &Input<'_>) {
        let found = &*self;
        let tracks = input.tracks.par_iter().enumerate();
        let least = tracks.map(|(number, track)| found.least_order(number, track));
        let least: Vec<Option<i64>> = least.collect();
        for (track, least) in input.tracks.iter().zip(least) {
            self.floors.add_order(track.engine_id.engine, least);
        }
        let commands = self.commands.iter().flatten();
        commands.for_each(|commands| self.floors.add_command(commands.waits.least_ns));
        let waits = self.messages.iter().chain(&self.barriers);
        waits.for_each(|edge| self.floors.add_message(input, edge));
    }

    /// The smallest time in ns from the end of a command to the start of the next one, where nothing else that is known kept the
    /// next one waiting for longer.
    fn least_order(&self, number: usize, track: &TrackInput<'_>) -> Option<i64> {
        let mut dependences = self.of_track(number, track);
        let order = dependences.order?;
        let mut incoming = Vec::new();
        let mut least: Option<i64> = None;
        let mut next = 0;
        loop {
            let most = least.unwrap_or(i64::MAX);
            let i = if order.follows() { track.sooner_than(most, next) } else { Some(next) };
            let Some(i) = i.filter(|i| *i < track.len()) else { return least };
            next = i + 1;
            let Some(before) = order.predecessor(i).and_then(|before| track.index(before)) else {
                continue;
            };
            let ended = track.end(before);
            let gap = track.start(i) - ended;
            if gap >= most {
                continue;
            }
            dependences.next(i, &mut incoming);
            if incoming.iter().all(|e| e.kind.ends_wait() || e.ended <= ended) {
                least = Some(gap);
            }
        }
    }

    /// Adds the hand-overs that the times show.
    fn observe(&mut self, input: &Input<'_>, commands_known: bool) {
        let found = &*self;
        let of_track = |(number, track): (usize, &TrackInput<'_>)| {
            let mut dependences = found.of_track(number, track);
            let mut incoming = Vec::new();
            let explained = |i| {
                if let Some(usual) = dependences.usual(i) {
                    return found.explains_usual(input, track, i, usual);
                }
                dependences.next(i, &mut incoming);
                incoming.iter().any(|e| found.explains(input, track, i, e))
            };
            hand_overs(input, track, explained, commands_known)
        };
        let tracks = input.tracks.par_iter().enumerate();
        let observed: Vec<Vec<Edge>> = tracks.map(of_track).collect();
        for edge in observed.iter().flatten() {
            self.floors.add_hand_over(input, edge);
        }
        self.hand_overs = observed;
    }

    /// Whether any of these explains the event's start; see [`Found::explains`].
    fn explains_usual(
        &self,
        input: &Input<'_>,
        track: &TrackInput<'_>,
        i: usize,
        Usual { command, order }: Usual,
    ) -> bool {
        let start = track.start(i);
        let most_order = self.floors.order(track.engine_id.engine) + input.tolerance;
        command.is_some_and(|(_, ended)| start - ended <= HAND_OVER_NS)
            || order.is_some_and(|(_, ended)| start - ended <= most_order)
    }

    /// Whether an event's start is explained by what it waited for.
    fn explains(&self, input: &Input<'_>, track: &TrackInput<'_>, i: usize, of: &Incoming) -> bool {
        let distance = track.start(i) - of.ended;
        match of.kind {
            DependenceKind::EngineOrder => {
                distance <= self.floors.order(track.engine_id.engine) + input.tolerance
            }
            DependenceKind::Launch | DependenceKind::LaunchGroup => {
                distance <= of.gap + input.tolerance
            }
            DependenceKind::Message | DependenceKind::Barrier => true,
            _ => distance <= HAND_OVER_NS,
        }
    }

    /// What the events of a track waited for.
    pub(crate) fn of_track<'f>(
        &'f self,
        number: usize,
        track: &'f TrackInput<'f>,
    ) -> TrackDependences<'f> {
        let launches = self.launches.partition_point(|launch| launch.edge.to < track.first);
        let messages = self.messages.partition_point(|edge| edge.to < track.first);
        let barriers = self.barriers.partition_point(|edge| edge.to < track.first);
        let mut dependences = TrackDependences {
            track,
            launch_kind: self.launch_kind,
            launches: self.launches.get(launches..).unwrap_or_default(),
            messages: self.messages.get(messages..).unwrap_or_default(),
            barriers: self.barriers.get(barriers..).unwrap_or_default(),
            commands: self.commands.get(number).copied().flatten(),
            order: self.orders.get(number),
            follows: self.orders.get(number).is_some_and(Order::follows),
            hand_overs: self.hand_overs.get(number).map_or(&[], Vec::as_slice),
            rare: 0,
        };
        dependences.rare = dependences.next_rare();
        dependences
    }
}

/// What the events of a track waited for, event after event.
pub(crate) struct TrackDependences<'f> {
    track: &'f TrackInput<'f>,
    launch_kind: DependenceKind,
    /// Launches, messages, barriers and hand-overs of the events that are still to come, and of later tracks.
    launches: &'f [LaunchEdge],
    messages: &'f [Edge],
    barriers: &'f [Edge],
    hand_overs: &'f [Edge],
    commands: Option<Commands<'f>>,
    order: Option<&'f Order>,
    /// Whether each event waits for the one before it.
    follows: bool,
    /// The first event that any of the lists above has something for: few events are in any of them.
    rare: Node,
}

/// What an event waited for that is in none of the lists: a command of the other engine, the event before on its own. Each with
/// its end in ns from the first event.
pub(crate) struct Usual {
    pub(crate) command: Option<(Node, i64)>,
    pub(crate) order: Option<(Node, i64)>,
}

impl TrackDependences<'_> {
    /// What event `i` waited for; `None` for an event that is in any of the lists, and where nothing is known.
    #[inline]
    pub(crate) fn usual(&self, i: usize) -> Option<Usual> {
        if self.track.node(i) >= self.rare {
            return None;
        }
        let (command, order) = (self.command(i), self.order(i));
        (command.is_some() || order.is_some()).then_some(Usual { command, order })
    }

    /// The command of the other engine that event `i` waits for, and its end in ns from the first event.
    #[inline]
    pub(crate) fn command(&self, i: usize) -> Option<(Node, i64)> {
        self.commands?.of_event(i)
    }

    /// The commands of the other engine that events wait for.
    pub(crate) fn commands(&self) -> Option<Commands<'_>> {
        self.commands
    }

    /// Events from `i` on that wait for at most the event before them, and a command of the other engine.
    #[inline]
    pub(crate) fn plain_from(&self, i: usize) -> Range<usize> {
        let rare = (self.rare - self.track.first) as usize;
        let until = if self.follows && i > 0 { rare.min(self.track.len()) } else { i };
        i..until.max(i)
    }

    #[inline]
    fn order(&self, i: usize) -> Option<(Node, i64)> {
        let from = self.order?.predecessor(i)?;
        Some((from, self.track.end(self.track.index(from)?)))
    }

    /// What event `i` waited for; the critical path follows the first of those that decide together. To be called for
    /// events in their order.
    #[inline]
    pub(crate) fn next(&mut self, i: usize, incoming: &mut Vec<Incoming>) {
        incoming.clear();
        let node = self.track.node(i);
        let is_rare = node >= self.rare;
        if is_rare {
            self.before_order(node, incoming);
        }
        if let Some((from, ended)) = self.command(i) {
            incoming.push(Incoming { from, kind: DependenceKind::Command, ended, gap: 0 });
        }
        if let Some((from, ended)) = self.order(i) {
            incoming.push(Incoming { from, kind: DependenceKind::EngineOrder, ended, gap: 0 });
        }
        if is_rare {
            self.after_order(node, incoming);
        }
    }

    /// Adds those dependences of the lists that come before command dependences and order.
    fn before_order(&mut self, node: Node, incoming: &mut Vec<Incoming>) {
        if let Some(launch) = next_of(&mut self.launches, node, |launch| launch.edge.to) {
            let edge = Incoming::new(&launch.edge, self.launch_kind);
            incoming.push(Incoming { gap: launch.gap, ..edge });
        }
        if let Some(edge) = next_of(&mut self.messages, node, |edge| edge.to) {
            incoming.push(Incoming::new(edge, DependenceKind::Message));
        }
        if let Some(edge) = next_of(&mut self.barriers, node, |edge| edge.to) {
            incoming.push(Incoming::new(edge, DependenceKind::Barrier));
        }
    }

    /// Adds those dependences of the lists that come after command dependences and order.
    fn after_order(&mut self, node: Node, incoming: &mut Vec<Incoming>) {
        if let Some(edge) = next_of(&mut self.hand_overs, node, |edge| edge.to) {
            incoming.push(Incoming::new(edge, DependenceKind::HandOver));
        }
        self.rare = self.next_rare();
    }

    fn next_rare(&self) -> Node {
        let edges = [self.messages, self.barriers, self.hand_overs];
        let edges = edges.into_iter().filter_map(|edges| Some(edges.first()?.to));
        let launch = self.launches.first().map(|launch| launch.edge.to);
        edges.chain(launch).min().unwrap_or(NONE)
    }
}

/// What `all`, which is in the order of the tasks, has for a task; drops what it has for earlier ones.
#[inline]
fn next_of<'f, T>(all: &mut &'f [T], node: Node, to: impl Fn(&T) -> Node) -> Option<&'f T> {
    while let Some((first, later)) = all.split_first() {
        let own = to(first);
        if own > node {
            break;
        }
        *all = later;
        if own == node {
            return Some(first);
        }
    }
    None
}

impl Incoming {
    fn new(edge: &Edge, kind: DependenceKind) -> Self {
        Self { from: edge.from, kind, ended: edge.ended, gap: 0 }
    }
}
