//! The profile as the graph's builders look at it: tracks with flat times, and classes of events.

use foldhash::{HashMap, HashMapExt};

use bigtpu_chip::{Direction, Engine, Memory};
use bigtpu_measure::{Activity, CommandTable, Dependence, EngineTrack, Kind};
use bigtpu_timeline::{EngineId, Profile, Track};

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

/// One engine's events. Event `i` is node `first + i`.
pub(crate) struct TrackInput<'a> {
    pub(crate) engine_id: EngineId,
    pub(crate) first: Node,
    /// ns on the profile's time line.
    pub(crate) start: &'a [i64],
    /// ns; may be before the start in broken data, see [`TrackInput::end`].
    raw_end: &'a [i64],
    pub(crate) id: &'a [i64],
    columns: EngineTrack<'a>,
    track: &'a Track<'a>,
}

impl TrackInput<'_> {
    pub(crate) fn len(&self) -> usize {
        self.start.len()
    }

    /// ns; never before the start.
    pub(crate) fn end(&self, i: usize) -> i64 {
        self.raw_end[i].max(self.start[i])
    }

    pub(crate) fn node(&self, i: usize) -> Node {
        self.first + i as Node
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
    /// Start of the first event on the profile's time line, in ns.
    pub(crate) origin: i64,
    /// Times of the engines may differ by this much in ns: a cycle of each clock.
    pub(crate) tolerance: i64,
    pub(crate) classes: Vec<Class>,
    /// Class of each event.
    pub(crate) class: Vec<u32>,
}

impl<'a> Input<'a> {
    pub(crate) fn of(profile: &'a Profile<'a>, table: &'a CommandTable) -> Self {
        let mut tracks: Vec<TrackInput<'a>> = Vec::new();
        let mut events = 0;
        for (track, columns) in profile.tracks().zip(table.tracks(profile)) {
            tracks.push(TrackInput {
                engine_id: track.engine_id,
                first: events as Node,
                start: &track.events.start,
                raw_end: &track.events.end,
                id: &track.events.id,
                columns,
                track,
            });
            events += track.events.len();
        }
        let origin = tracks.iter().flat_map(|t| t.start).min().copied().unwrap_or(0);
        let cycle = |engine| (1000.0 / profile.clocks.mhz(engine).max(1.0)).ceil() as i64;
        let tolerance = cycle(Engine::Tiu) + cycle(Engine::Gdma);
        let (classes, class) = classify(profile, &tracks, events);
        Self { profile, tracks, kinds: &table.kinds, events, origin, tolerance, classes, class }
    }

    /// Class of a node; `None` for those that are no event.
    pub(crate) fn class_of(&self, node: Node) -> Option<&Class> {
        self.classes.get(*self.class.get(node as usize)? as usize)
    }

    /// Launch of an event, over the whole dump.
    pub(crate) fn scope(&self, track: &TrackInput<'_>, i: usize) -> Option<u32> {
        self.profile.tag(track.track, i).scope
    }

    /// Index of an event's kernel.
    pub(crate) fn kernel(&self, track: &TrackInput<'_>, i: usize) -> Option<u32> {
        self.profile.tag(track.track, i).kernel
    }

    /// Value of the tag column: equal values mean the same launch.
    pub(crate) fn tag_number(track: &TrackInput<'_>, i: usize) -> u64 {
        let tag = track.track.events.tag.get(i).copied().unwrap_or(0);
        let owner = track.track.owner.get(i).copied().flatten().map_or(0, |o| o.core + 1);
        u64::from(owner) << 32 | u64::from(tag)
    }
}

fn classify(
    profile: &Profile<'_>,
    tracks: &[TrackInput<'_>],
    events: usize,
) -> (Vec<Class>, Vec<u32>) {
    let mut classes: Vec<Class> = Vec::new();
    let mut known: HashMap<Class, u32> = HashMap::new();
    let mut column = Vec::with_capacity(events);
    for track in tracks {
        let engine = track.engine_id.engine;
        let mut last: Option<((u32, u64), u32)> = None;
        for i in 0..track.len() {
            let kind = track.columns.columns.kind.get(i).copied().unwrap_or(0);
            let key = (kind, Input::tag_number(track, i));
            if let Some((_, class)) = last.filter(|(known, _)| *known == key) {
                column.push(class);
                continue;
            }
            let activity = track.columns.kind(i).map_or(Activity::Control, |k| k.activity);
            let task = match activity {
                Activity::Work if engine == Engine::Tiu => Task::Compute,
                Activity::Work => Task::Transfer(bound(
                    engine,
                    track.columns.kind(i).map_or(Direction::DDR_TO_DDR, direction),
                )),
                Activity::Send => Task::Send,
                Activity::Wait => Task::Wait,
                Activity::Control => Task::Control,
            };
            let kernel = profile.tag(track.track, i).kernel;
            let class = Class { engine, index: track.engine_id.index, task, kernel };
            let number = *known.entry(class).or_insert_with(|| {
                classes.push(class);
                (classes.len() - 1) as u32
            });
            last = Some((key, number));
            column.push(number);
        }
    }
    (classes, column)
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
