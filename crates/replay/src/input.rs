//! The profile as the graph's builders look at it: tracks with flat times, and classes of events.

use std::ops::Range;

use bigtpu_chip::{Direction, Engine, Memory};
use bigtpu_measure::{
    Activity, CommandKind, CommandTable, CommonStart, Dependence, EngineTimes, EngineTrack,
    clock_tolerance_ns, common_starts,
};
use bigtpu_timeline::{CdmaOwner, EngineEvents, EngineId, Profile};
use foldhash::{HashMap, HashMapExt};
use rayon::prelude::*;

use crate::dependence::Node;

/// What an engine does during an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Task {
    Compute,
    /// A transfer, by the memory or link that bounds it.
    Transfer(Bound),
    Send,
    Wait,
    Control,
}

/// What bounds a transfer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Bound {
    Ddr,
    L2m,
    Link,
    /// Only the engine: both sides are local memory.
    Engine,
}

/// What events of a class have in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Class {
    pub(crate) engine: Engine,
    /// Core, or port of CDMA.
    pub(crate) index: u32,
    pub(crate) task: Task,
    /// Index of the kernel's name.
    pub(crate) kernel: Option<u32>,
}

/// Events of a track that follow one another and belong to the same launch.
#[derive(Debug, Clone)]
pub(crate) struct Stretch {
    /// Indices in the track.
    pub(crate) events: Range<usize>,
    /// Launch, over the whole dump.
    pub(crate) scope: Option<u32>,
    /// Index of the kernel's name.
    pub(crate) kernel: Option<u32>,
}

/// One engine's events. Event `i` is node `first + i`.
pub(crate) struct TrackInput<'a> {
    pub(crate) engine_id: EngineId,
    /// Its place among all tracks of the profile.
    pub(crate) place: usize,
    /// The core that it works for; of a port none if its commands name no launch of a core.
    pub(crate) core: Option<u32>,
    pub(crate) first: Node,
    /// ns on the profile's time line.
    start: &'a [i64],
    /// ns; may be before the start in broken data, see [`TrackInput::end`].
    raw_end: &'a [i64],
    columns: EngineTrack<'a>,
    pub(crate) stretches: Vec<Stretch>,
    /// ns on the profile's time line at which the run begins.
    origin: i64,
}

impl TrackInput<'_> {
    pub(crate) fn len(&self) -> usize {
        self.start.len()
    }

    /// ns from the first event of the run.
    #[inline]
    pub(crate) fn start(&self, i: usize) -> i64 {
        self.start[i] - self.origin
    }

    /// ns from the first event of the run; never before the start.
    #[inline]
    pub(crate) fn end(&self, i: usize) -> i64 {
        self.raw_end[i].max(self.start[i]) - self.origin
    }

    /// Starts and ends of some events in ns from the first event of the run.
    #[inline]
    pub(crate) fn times(&self, events: Range<usize>) -> impl Iterator<Item = (i64, i64)> {
        let starts = self.start.get(events.clone()).unwrap_or_default();
        let ends = self.raw_end.get(events).unwrap_or_default();
        let (both, origin) = (starts.iter().zip(ends), self.origin);
        both.map(move |(start, end)| (start - origin, *end.max(start) - origin))
    }

    /// The first command from `from` on that started less than `most` ns after the end of the one before; never the first of all.
    pub(crate) fn sooner_than(&self, most: i64, from: usize) -> Option<usize> {
        let from = from.max(1);
        let (later, starts) = (self.start.get(from..)?, self.start.get(from - 1..)?);
        let ends = self.raw_end.get(from - 1..)?;
        let mut all = later.iter().zip(starts.iter().zip(ends));
        let is_sooner = |(later, (start, end)): (&i64, (&i64, &i64))| later - end.max(start) < most;
        all.position(is_sooner).map(|at| from + at)
    }

    /// How many commands had started before then.
    pub(crate) fn started_before(&self, moment: i64) -> usize {
        self.start.partition_point(|start| start - self.origin < moment)
    }

    /// How many commands had ended by then, where they end in order.
    pub(crate) fn ended_by(&self, by: i64) -> usize {
        self.raw_end.partition_point(|end| end - self.origin <= by)
    }

    /// How many commands that follow one another from `first` on have ended by then.
    pub(crate) fn ended_from(&self, first: usize, by: i64) -> usize {
        let by = by.saturating_add(self.origin);
        let (starts, ends) = (self.start.get(first..), self.raw_end.get(first..));
        let both = starts.unwrap_or_default().iter().zip(ends.unwrap_or_default());
        both.take_while(|(start, end)| **start <= by && **end <= by).count()
    }

    #[inline]
    pub(crate) fn node(&self, i: usize) -> Node {
        self.first + i as Node
    }

    /// Index of an event of this track; `None` for nodes of others.
    #[inline]
    pub(crate) fn index(&self, node: Node) -> Option<usize> {
        let index = node.checked_sub(self.first)? as usize;
        (index < self.len()).then_some(index)
    }

    #[inline]
    pub(crate) fn dependence(&self, i: usize) -> Option<Dependence> {
        self.columns.dependence(i)
    }

    pub(crate) fn bytes(&self, i: usize) -> u64 {
        self.columns.bytes(i)
    }

    /// Numbers of the kinds of some events.
    pub(crate) fn kind_numbers(&self, events: &Range<usize>) -> &[u32] {
        self.columns.columns.kind.get(events.clone()).unwrap_or_default()
    }

    /// Number of an event's kind.
    pub(crate) fn kind_number(&self, i: usize) -> Option<usize> {
        self.columns.columns.kind.get(i).map(|&kind| kind as usize)
    }
}

/// Where a transfer goes; from DDR to DDR where the direction is not known.
pub(crate) fn direction(kind: &CommandKind) -> Direction {
    kind.direction().unwrap_or(Direction::DDR_TO_DDR)
}

/// The profile's tracks.
pub(crate) struct Input<'a> {
    pub(crate) profile: &'a Profile<'a>,
    pub(crate) tracks: Vec<TrackInput<'a>>,
    /// Kinds of the profile's commands.
    pub(crate) kinds: &'a [CommandKind],
    /// Number of events.
    pub(crate) events: usize,
    /// Times of the engines may differ by this much in ns: a cycle of each clock.
    pub(crate) tolerance: i64,
    pub(crate) classes: Vec<Class>,
    /// Class of each event.
    pub(crate) class: Vec<u32>,
    /// Indices of the sends and waits of each track.
    pub(crate) syncs: Vec<Vec<u32>>,
}

impl<'a> Input<'a> {
    pub(crate) fn new(profile: &'a Profile<'a>, table: &'a CommandTable) -> Self {
        // A port that nothing binds to the cores takes no part in their run.
        let all = profile.tracks().zip(table.tracks(profile)).enumerate();
        let placed = all.filter(|(_, (track, _))| track.is_placed);
        let both: Vec<(usize, (&EngineEvents<'a>, EngineTrack<'a>))> = placed.collect();
        let starts = both.par_iter().filter_map(|(_, (track, _))| track.events.start.iter().min());
        let origin = starts.min().copied().unwrap_or(0);
        let mut events = 0;
        let firsts: Vec<Node> = both
            .iter()
            .map(|(_, (track, _))| {
                let first = events as Node;
                events += track.events.len();
                first
            })
            .collect();
        let tracks: Vec<TrackInput<'a>> = both
            .into_par_iter()
            .zip(firsts)
            .map(|((place, (track, columns)), first)| TrackInput {
                engine_id: track.engine_id,
                place,
                core: core_of(track),
                first,
                start: &track.events.start,
                raw_end: &track.events.end,
                columns,
                stretches: stretches(profile, track),
                origin,
            })
            .collect();
        let tolerance = clock_tolerance_ns(profile);
        let (classes, class, syncs) = classify(&table.kinds, &tracks, events);
        Self { profile, tracks, kinds: &table.kinds, events, tolerance, classes, class, syncs }
    }

    /// Whether a command explains any record; in capture mode 0 none does.
    pub(crate) fn knows_commands(&self) -> bool {
        self.tracks.iter().any(|track| track.columns.event_kinds().any(CommandKind::is_bound))
    }

    /// When launches begin, in ns from the first event, of a run whose commands are not known: all cores begin together after
    /// the whole chip was idle. Not the first one.
    pub(crate) fn common_starts(&self) -> Vec<i64> {
        if self.knows_commands() {
            return Vec::new();
        }
        let engines = self.tracks.iter().map(|track| EngineTimes::from(&track.columns));
        let engines: Vec<EngineTimes<'_>> = engines.collect();
        let origin = self.tracks.first().map_or(0, |track| track.origin);
        let start = |found: CommonStart| found.start - origin;
        common_starts(&engines).into_iter().map(start).collect()
    }

    /// Class of an event.
    pub(crate) fn class_of(&self, node: Node) -> Option<&Class> {
        self.classes.get(*self.class.get(node as usize)? as usize)
    }

    /// Whether an event computes or moves data.
    pub(crate) fn is_work(&self, node: Node) -> bool {
        self.class_of(node).is_some_and(|c| matches!(c.task, Task::Compute | Task::Transfer(_)))
    }

    /// An event's track and index; `None` for nodes that are no event.
    pub(crate) fn event(&self, node: Node) -> Option<(&TrackInput<'a>, usize)> {
        let (track, i) = self.place(node)?;
        Some((self.tracks.get(track)?, i))
    }

    /// Number of an event's track, and its index there; `None` for nodes that are no event.
    pub(crate) fn place(&self, node: Node) -> Option<(usize, usize)> {
        let track = self.tracks.partition_point(|t| t.first <= node).checked_sub(1)?;
        Some((track, self.tracks.get(track)?.index(node)?))
    }
}

/// The core that an engine works for.
fn core_of(track: &EngineEvents<'_>) -> Option<u32> {
    let owners = || track.owner.iter().flatten().map(|owner| owner.core).next();
    if track.engine_id.engine == Engine::Cdma { owners() } else { Some(track.engine_id.index) }
}

/// The events of a track by launch: neighbours with the same tag.
fn stretches(profile: &Profile<'_>, track: &EngineEvents<'_>) -> Vec<Stretch> {
    let mut all: Vec<Stretch> = Vec::new();
    let mut add = |first: usize, count: usize| {
        let tag = profile.tag(track, first);
        let events = first..first + count;
        all.push(Stretch { events, scope: tag.scope, kernel: tag.kernel });
    };
    let mut next = 0;
    for same_tag in track.events.tag.chunk_by(|a, b| a == b) {
        let owners = track.owner.get(next..).unwrap_or_default();
        let owners = owners.get(..same_tag.len()).unwrap_or_default();
        let core = |owner: &Option<_>| owner.map(|owner: CdmaOwner| owner.core);
        for same_core in owners.chunk_by(|a, b| core(a) == core(b)) {
            add(next, same_core.len());
            next += same_core.len();
        }
        if owners.is_empty() {
            add(next, same_tag.len());
            next += same_tag.len();
        }
    }
    all
}

/// Classes in order of first appearance, the class of each event, and by track the sends and waits.
fn classify(
    kinds: &[CommandKind],
    tracks: &[TrackInput<'_>],
    events: usize,
) -> (Vec<Class>, Vec<u32>, Vec<Vec<u32>>) {
    // What is of no known kind is a system command.
    let tasks = kinds.iter().map(task).chain([Task::Control]);
    let tasks: Vec<(Task, u8)> = tasks.map(|task| (task, task.number())).collect();
    let of_tracks: Vec<OfTrack> =
        tracks.par_iter().map(|track| OfTrack::new(&tasks, track)).collect();
    let mut classes = Vec::new();
    let mut class = Vec::with_capacity(events);
    let mut syncs = Vec::with_capacity(tracks.len());
    for own in of_tracks {
        // Classes name their engine: those of another track are others.
        let before = classes.len() as u32;
        class.extend(own.class.into_iter().map(|number| before + number));
        classes.extend(own.classes);
        syncs.push(own.syncs);
    }
    (classes, class, syncs)
}

/// Classes of a track's events.
struct OfTrack {
    classes: Vec<Class>,
    /// Class of each event.
    class: Vec<u32>,
    /// Indices of sends and waits.
    syncs: Vec<u32>,
}

impl OfTrack {
    /// `tasks`: by kind, with their numbers; the last one is that of other numbers.
    fn new(tasks: &[(Task, u8)], track: &TrackInput<'_>) -> Self {
        const UNKNOWN: u32 = u32::MAX;
        let EngineId { engine, index } = track.engine_id;
        let last = tasks.len() - 1;
        let (mut classes, mut syncs) = (Vec::new(), Vec::new());
        let mut class = Vec::with_capacity(track.len());
        // By kernel: the number of each task's class, where the kernel has such a task.
        let mut known: HashMap<Option<u32>, [u32; Task::COUNT]> = HashMap::new();
        for stretch in &track.stretches {
            let kernel = stretch.kernel;
            let numbers = known.entry(kernel).or_insert([UNKNOWN; Task::COUNT]);
            let events = stretch.events.clone().zip(track.kind_numbers(&stretch.events));
            class.extend(events.map(|(i, kind)| {
                let (task, place) = tasks[last.min(*kind as usize)];
                let number = &mut numbers[usize::from(place) % Task::COUNT];
                if *number == UNKNOWN {
                    *number = classes.len() as u32;
                    classes.push(Class { engine, index, task, kernel });
                }
                if matches!(place, Task::SEND | Task::WAIT) {
                    syncs.push(i as u32);
                }
                *number
            }));
        }
        Self { classes, class, syncs }
    }
}

impl Task {
    const COUNT: usize = 8;
    const SEND: u8 = 5;
    const WAIT: u8 = 6;

    /// A number of its own, below [`Task::COUNT`].
    fn number(self) -> u8 {
        match self {
            Self::Compute => 0,
            Self::Transfer(bound) => 1 + bound as u8,
            Self::Send => Self::SEND,
            Self::Wait => Self::WAIT,
            Self::Control => 7,
        }
    }
}

fn task(kind: &CommandKind) -> Task {
    match kind.activity {
        Activity::Work if kind.engine == Engine::Tiu => Task::Compute,
        Activity::Work => Task::Transfer(bound(kind.engine, direction(kind))),
        Activity::Send => Task::Send,
        Activity::Wait => Task::Wait,
        Activity::Control => Task::Control,
    }
}

/// What bounds a transfer: the slowest memory that it touches. Where the direction is not known it is taken for
/// one of DDR, as everywhere.
fn bound(engine: Engine, direction: Direction) -> Bound {
    let local = |m: Memory| m == Memory::Lmem;
    if engine == Engine::Cdma {
        Bound::Link
    } else if direction.has_ddr() {
        Bound::Ddr
    } else if direction.has_l2() {
        Bound::L2m
    } else if local(direction.from) && local(direction.to) {
        Bound::Engine
    } else {
        Bound::Ddr
    }
}
