//! A host trace in memory: flat lists of small records that name strings and arguments.
//!
//! All times are integer nanoseconds on the trace's own clock. `u32` fields named `thread`,
//! `process` or `track` are positions in [`HostTrace::threads`], [`processes`](HostTrace::processes)
//! and [`async_tracks`](HostTrace::async_tracks).

use std::path::PathBuf;

use crate::anchor::Anchors;
use crate::args::{Args, ArgsRef};
use crate::arrows::Arrow;
use crate::bulk::Bulk;
use crate::counters::Counter;
use crate::stats::Stats;
use crate::strings::{StrId, Strings};
use crate::tally::Tally;

/// A host trace of torch profiler or tpudnn.
#[derive(Clone, Debug, Default)]
pub struct HostTrace {
    /// All text.
    pub strings: Strings,
    /// All arguments.
    pub args: Args,
    /// Processes, in order of first mention.
    pub processes: Vec<Process>,
    /// Threads, in order of first mention.
    pub threads: Vec<Thread>,
    /// Slices, by file: first those of `X` events in file order, then `B`/`E` pairs in the order of their `B`.
    pub slices: Vec<HostSlice>,
    /// How many slices are of `X` events.
    pub complete_slices: usize,
    /// Instants, in file order.
    pub instants: Vec<Instant>,
    /// Counters, in order of first mention.
    pub counters: Vec<Counter>,
    /// Flow points, in file order.
    pub flows: Vec<ArrowPoint>,
    /// Tracks of asynchronous events, in order of first mention.
    pub async_tracks: Vec<AsyncTrack>,
    /// `b`/`e` and `S`/`F` pairs, in the order of their begins.
    pub async_slices: Vec<AsyncSlice>,
    /// `n` events, and the steps `T` and `p` of the older form, in file order.
    pub async_instants: Vec<AsyncInstant>,
    /// `displayTimeUnit` of the outer object of the first file.
    pub display_time_unit: Option<String>,
    /// `baseTimeNanoseconds` of the outer object of the first file: what torch took off all its times. 0 where the times
    /// themselves count from 1970.
    pub base_time_ns: Option<i64>,
    /// `distributedInfo.rank` of the outer object of the first file: the process's rank.
    pub rank: Option<u32>,
    /// What aligns device time with this trace.
    pub anchors: Anchors,
    /// The files that the events are from.
    pub files: Vec<HostFile>,
    /// Arrows between slices, by the file's flow points.
    pub arrows: Vec<Arrow>,
    /// When the bulk of the events is: see [`Bulk`].
    pub bulk: Bulk,
    /// What became of each event of all files.
    pub tally: Tally,
}

/// One of the files of a host trace.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HostFile {
    /// Its path.
    pub path: PathBuf,
    /// What was read, repaired, left out and lost.
    pub stats: Stats,
    /// What became of each of its events.
    pub tally: Tally,
    /// How its clock became that of the first file.
    pub clock: FileClock,
}

/// What is known of the clock of a file of a trace of several.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FileClock {
    /// The file is the first one: its clock is the clock of all files.
    #[default]
    First,
    /// So many ns were added to its times.
    Moved(i64),
    /// Either file does not say where its times count from: they are as they were.
    Unknown,
    /// The times of the two files are too far apart for 64 bits of ns: they are as they were.
    TooFar,
}

/// A process. Numbers and strings name the same process if their text is the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Process {
    /// `pid` as text; "" if the events have none.
    pub pid: StrId,
    /// `process_name`.
    pub name: Option<StrId>,
    /// `process_labels`.
    pub labels: Option<StrId>,
    /// `process_sort_index`: smaller ones are higher.
    pub sort_index: Option<i64>,
}

/// A thread of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Thread {
    /// Its process.
    pub process: u32,
    /// `tid` as text; "" if the events have none.
    pub tid: StrId,
    /// `thread_name`.
    pub name: Option<StrId>,
    /// `thread_sort_index`: smaller ones are higher.
    pub sort_index: Option<i64>,
}

/// Something that took time on a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HostSlice {
    /// Its thread.
    pub thread: u32,
    /// Its name.
    pub name: StrId,
    /// Its category; "" if it has none.
    pub cat: StrId,
    /// Its arguments; those of a `B` and then those of its `E`.
    pub args: ArgsRef,
    /// Its start, ns.
    pub start_ns: i64,
    /// Its end, ns; never before the start.
    pub end_ns: i64,
}

/// How far an instant reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Its thread (also if the event does not say).
    Thread,
    /// Its process.
    Process,
    /// The whole trace.
    Global,
}

/// Something that took no time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Instant {
    /// Its thread.
    pub thread: u32,
    /// Its name.
    pub name: StrId,
    /// Its category; "" if it has none.
    pub cat: StrId,
    /// Its arguments.
    pub args: ArgsRef,
    /// When, ns.
    pub at_ns: i64,
    /// How far it reaches.
    pub scope: Scope,
    /// What kind of event it is.
    pub kind: InstantKind,
    /// The event's id, if it has one.
    pub id: Option<EventId>,
}

/// What kind of event an instant is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InstantKind {
    /// `i`, `I`, `R`: an instant or a mark.
    Instant,
    /// `P`: a sample of what runs.
    Sample,
    /// `N`: an object was made.
    ObjectCreated,
    /// `O`: the state of an object.
    ObjectSnapshot,
    /// `D`: an object was deleted.
    ObjectDeleted,
    /// `c`: one moment on two clocks.
    ClockSync,
    /// `V`: memory of the whole system.
    GlobalMemory,
    /// `v`: memory of a process.
    ProcessMemory,
    /// `(`: a context begins.
    ContextBegins,
    /// `)`: a context ends.
    ContextEnds,
    /// `=`, `L`: two ids mean the same.
    LinkedIds,
}

impl InstantKind {
    /// The kind of events of this phase.
    #[must_use]
    pub fn of_phase(phase: char) -> Option<Self> {
        Some(match phase {
            'i' | 'I' | 'R' => Self::Instant,
            'P' => Self::Sample,
            'N' => Self::ObjectCreated,
            'O' => Self::ObjectSnapshot,
            'D' => Self::ObjectDeleted,
            'c' => Self::ClockSync,
            'V' => Self::GlobalMemory,
            'v' => Self::ProcessMemory,
            '(' => Self::ContextBegins,
            ')' => Self::ContextEnds,
            '=' | 'L' => Self::LinkedIds,
            _ => return None,
        })
    }

    /// What it is, for readers; nothing of a plain instant.
    #[must_use]
    pub fn name(self) -> Option<&'static str> {
        Some(match self {
            Self::Instant => return None,
            Self::Sample => "sample",
            Self::ObjectCreated => "object created",
            Self::ObjectSnapshot => "object snapshot",
            Self::ObjectDeleted => "object deleted",
            Self::ClockSync => "clock sync",
            Self::GlobalMemory => "memory dump of the system",
            Self::ProcessMemory => "memory dump of the process",
            Self::ContextBegins => "context begins",
            Self::ContextEnds => "context ends",
            Self::LinkedIds => "linked ids",
        })
    }
}

/// An `id` as the event has it; equal text is an equal id, be it a number or a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EventId {
    /// A decimal number.
    Number(u64),
    /// Any other text.
    Text(StrId),
}

/// Which point of its arrow a flow event is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FlowPhase {
    /// `s`: the arrow starts here.
    Start,
    /// `t`: the arrow passes here.
    Step,
    /// `f`: the arrow ends here.
    End,
}

/// One point of an arrow between slices. Points of one arrow share category, name and id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArrowPoint {
    /// The arrow's id.
    pub id: EventId,
    /// When, ns.
    pub at_ns: i64,
    /// Its thread.
    pub thread: u32,
    /// The arrow's name.
    pub name: StrId,
    /// The arrow's category; "" if it has none.
    pub cat: StrId,
    /// Its arguments.
    pub args: ArgsRef,
    /// Which point it is.
    pub phase: FlowPhase,
    /// Whether it binds to the slice around it (`bp` is `e`), not to the next one.
    pub binds_enclosing: bool,
    /// Position of the slice that holds it in [`HostTrace::slices`].
    pub slice: Option<u32>,
    /// Whether an arrow that is shown starts or ends here.
    pub has_arrow: bool,
}

/// Asynchronous events that belong together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AsyncTrack {
    /// Their process.
    pub process: u32,
    /// Their category; "" if they have none.
    pub cat: StrId,
    /// Their id (of `id2` the JSON text).
    pub id: EventId,
}

/// An asynchronous slice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AsyncSlice {
    /// Its track.
    pub track: u32,
    /// Its name.
    pub name: StrId,
    /// Its arguments, those of its `b` and then those of its `e`.
    pub args: ArgsRef,
    /// Its start, ns.
    pub start_ns: i64,
    /// Its end, ns; never before the start.
    pub end_ns: i64,
}

/// An asynchronous instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AsyncInstant {
    /// Its track.
    pub track: u32,
    /// Its name.
    pub name: StrId,
    /// Its arguments.
    pub args: ArgsRef,
    /// When, ns.
    pub at_ns: i64,
}
