//! The profile as the graph's builders look at it: tracks with flat times, and classes of events.

use bigtpu_chip::{Direction, Engine, Memory};
use bigtpu_measure::{Activity, CommandTable, Dependence, EngineTrack, Kind, clock_tolerance_ns};
use bigtpu_timeline::{EngineId, Profile, Track};
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
    pub(crate) events: std::ops::Range<usize>,
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

    pub(crate) fn node(&self, i: usize) -> Node {
        self.first + i as Node
    }

    /// Index of an event of this track; `None` for nodes of others.
    #[inline]
    pub(crate) fn index(&self, node: Node) -> Option<usize> {
        let index = node.checked_sub(self.first)? as usize;
        (index < self.len()).then_some(index)
    }

    pub(crate) fn dependence(&self, i: usize) -> Option<Dependence> {
        self.columns.dependence(i)
    }

    pub(crate) fn bytes(&self, i: usize) -> u64 {
        self.columns.bytes(i)
    }

    /// Number of an event's kind.
    pub(crate) fn kind_number(&self, i: usize) -> Option<usize> {
        self.columns.columns.kind.get(i).map(|&kind| kind as usize)
    }
}

/// Where a transfer goes; from DDR to DDR where the direction is not known.
pub(crate) fn direction(kind: &Kind) -> Direction {
    kind.direction().unwrap_or(Direction::DDR_TO_DDR)
}

/// The profile's tracks.
pub(crate) struct Input<'a> {
    pub(crate) profile: &'a Profile<'a>,
    pub(crate) tracks: Vec<TrackInput<'a>>,
    /// Kinds of the profile's commands.
    pub(crate) kinds: &'a [Kind],
    /// Number of events.
    pub(crate) events: usize,
    /// Times of the engines may differ by this much in ns: a cycle of each clock.
    pub(crate) tolerance: i64,
    pub(crate) classes: Vec<Class>,
    /// Class of each event.
    pub(crate) class: Vec<u32>,
}

impl<'a> Input<'a> {
    pub(crate) fn of(profile: &'a Profile<'a>, table: &'a CommandTable) -> Self {
        // A port that nothing binds to the cores takes no part in their run.
        let all = profile.tracks().zip(table.tracks(profile)).enumerate();
        let placed = all.filter(|(_, (track, _))| track.is_placed);
        let both: Vec<(usize, (&Track<'a>, EngineTrack<'a>))> = placed.collect();
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
        let (classes, class) = classify(&table.kinds, &tracks, events);
        Self { profile, tracks, kinds: &table.kinds, events, tolerance, classes, class }
    }

    /// Numbers of the classes of a track's events.
    pub(crate) fn classes_of(&self, track: &TrackInput<'_>) -> &[u32] {
        let first = track.first as usize;
        self.class.get(first..first + track.len()).unwrap_or_default()
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
fn core_of(track: &Track<'_>) -> Option<u32> {
    let owners = || track.owner.iter().flatten().map(|owner| owner.core).next();
    if track.engine_id.engine == Engine::Cdma { owners() } else { Some(track.engine_id.index) }
}

/// The events of a track by launch: neighbours with the same tag.
fn stretches(profile: &Profile<'_>, track: &Track<'_>) -> Vec<Stretch> {
    let owner = |i: usize| track.owner.get(i).copied().flatten().map(|owner| owner.core);
    let mut all: Vec<Stretch> = Vec::new();
    let mut last = None;
    for (i, tag) in track.events.tag.iter().enumerate() {
        let key = Some((*tag, if track.owner.is_empty() { None } else { owner(i) }));
        if key == last
            && let Some(stretch) = all.last_mut()
        {
            stretch.events.end = i + 1;
            continue;
        }
        last = key;
        let tag = profile.tag(track, i);
        all.push(Stretch { events: i..i + 1, scope: tag.scope, kernel: tag.kernel });
    }
    all
}

/// Classes in order of first appearance, and the class of each event.
fn classify(kinds: &[Kind], tracks: &[TrackInput<'_>], events: usize) -> (Vec<Class>, Vec<u32>) {
    let tasks: Vec<Task> = kinds.iter().map(task).collect();
    let of_tracks: Vec<(Vec<Class>, Vec<u32>)> =
        tracks.par_iter().map(|track| classify_track(&tasks, track)).collect();
    let mut classes = Vec::new();
    let mut class = Vec::with_capacity(events);
    for (own, numbers) in of_tracks {
        // Classes name their engine: those of another track are others.
        let before = classes.len() as u32;
        class.extend(numbers.into_iter().map(|number| before + number));
        classes.extend(own);
    }
    (classes, class)
}

fn classify_track(tasks: &[Task], track: &TrackInput<'_>) -> (Vec<Class>, Vec<u32>) {
    let EngineId { engine, index } = track.engine_id;
    let mut classes: Vec<Class> = Vec::new();
    // By kernel: the number of each task's class, where the kernel has such a task.
    let mut known: HashMap<Option<u32>, [Option<u32>; Task::COUNT]> = HashMap::new();
    let mut column = Vec::with_capacity(track.len());
    for stretch in &track.stretches {
        let kernel = stretch.kernel;
        let numbers = known.entry(kernel).or_default();
        for i in stretch.events.clone() {
            let task = track.kind_number(i).and_then(|kind| tasks.get(kind).copied());
            let task = task.unwrap_or(Task::Control);
            column.push(match numbers[task.number()] {
                Some(number) => number,
                None => {
                    classes.push(Class { engine, index, task, kernel });
                    *numbers[task.number()].insert(classes.len() as u32 - 1)
                }
            });
        }
    }
    (classes, column)
}

impl Task {
    const COUNT: usize = 8;

    /// A number of its own, below [`Task::COUNT`].
    fn number(self) -> usize {
        match self {
            Self::Compute => 0,
            Self::Transfer(bound) => 1 + bound as usize,
            Self::Send => 5,
            Self::Wait => 6,
            Self::Control => 7,
        }
    }
}

fn task(kind: &Kind) -> Task {
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
