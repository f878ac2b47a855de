//! What became of each event of a trace: every one of them is counted once.

use std::collections::BTreeMap;
use std::fmt;

use bigtpu_messages::{Arg, Language, Message, message};

/// Events by what they became. The sum of all counts is [`read`](Self::read).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Items in the list of events.
    pub read: u64,
    /// Events that are shown as slices; a slice with a begin and an end is two.
    pub slices: u64,
    /// Events at which an arrow that is shown starts or ends.
    pub arrows: u64,
    /// Events that are shown as instants.
    pub instants: u64,
    /// Events with values of counters that are shown.
    pub counters: u64,
    /// Events that name, label or sort processes and threads.
    pub metadata: u64,
    /// Events that are not shown, by the reason.
    pub hidden: BTreeMap<Hidden, u64>,
}

/// Why an event is not shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Hidden {
    /// The event can't be read.
    Unreadable,
    /// The profiler's own doing, such as `enable_profile`.
    Profiler,
    /// A begin that nothing ends.
    BeginWithoutEnd,
    /// An end that nothing begins.
    EndWithoutBegin,
    /// The start of an arrow that ends nowhere.
    ArrowWithoutEnd,
    /// The end of an arrow that starts nowhere.
    ArrowWithoutStart,
    /// The end of an arrow at a slice that is over when the arrow starts.
    ArrowBack,
    /// A counter without a finite number.
    CounterWithoutNumber,
    /// Metadata of a name that means nothing here.
    Metadata,
    /// An event of a phase that is not known.
    Phase(char),
}

impl Hidden {
    /// So many events, and why they are not shown.
    #[must_use]
    pub fn counted(&self, count: u64) -> Message {
        let why = match self {
            Self::Unreadable => Message::new("note-hidden-unreadable"),
            Self::Profiler => Message::new("note-hidden-profiler"),
            Self::BeginWithoutEnd => Message::new("note-hidden-begin"),
            Self::EndWithoutBegin => Message::new("note-hidden-end"),
            Self::ArrowWithoutEnd => Message::new("note-hidden-arrow-start"),
            Self::ArrowWithoutStart => Message::new("note-hidden-arrow-end"),
            Self::ArrowBack => Message::new("note-hidden-arrow-back"),
            Self::CounterWithoutNumber => Message::new("note-hidden-counter"),
            Self::Metadata => Message::new("note-hidden-metadata"),
            Self::Phase(phase) => {
                message!("note-hidden-phase", phase = phase.escape_debug().to_string())
            }
        };
        message!("note-hidden", events = count, why = why)
    }
}

impl Tally {
    /// Counts one event that is not shown.
    pub(crate) fn hide(&mut self, why: Hidden) {
        self.hide_many(why, 1);
    }

    /// Counts events that are not shown.
    pub(crate) fn hide_many(&mut self, why: Hidden, count: u64) {
        if count > 0 {
            *self.hidden.entry(why).or_default() += count;
        }
    }

    /// Events that are not shown.
    #[must_use]
    pub fn hidden_events(&self) -> u64 {
        self.hidden.values().sum()
    }

    /// Events that became something or are not shown for a known reason: all that were read.
    #[must_use]
    pub fn accounted(&self) -> u64 {
        let Self { slices, arrows, instants, counters, metadata, .. } = self;
        slices + arrows + instants + counters + metadata + self.hidden_events()
    }

    /// Adds the counts of another file.
    pub(crate) fn add(&mut self, other: &Self) {
        self.read += other.read;
        self.slices += other.slices;
        self.arrows += other.arrows;
        self.instants += other.instants;
        self.counters += other.counters;
        self.metadata += other.metadata;
        for (&why, &count) in &other.hidden {
            self.hide_many(why, count);
        }
    }
}

impl Tally {
    /// Whether each event is shown, but for those of the profiler itself.
    #[must_use]
    pub fn shows_all(&self) -> bool {
        self.hidden.keys().all(|why| *why == Hidden::Profiler)
    }

    /// What the ledger says of it.
    #[must_use]
    pub fn message(&self) -> Message {
        let Self { read, slices, arrows, instants, counters, metadata, hidden } = self;
        let reasons: Vec<Message> = hidden.iter().map(|(why, count)| why.counted(*count)).collect();
        let id = if reasons.is_empty() { "note-tally" } else { "note-tally-hidden" };
        let tally = Message::new(id)
            .with("read", *read)
            .with("slices", *slices)
            .with("arrows", *arrows)
            .with("instants", *instants)
            .with("counters", *counters)
            .with("metadata", *metadata)
            .with("hidden", self.hidden_events());
        if reasons.is_empty() { tally } else { tally.with("reasons", Arg::Items(reasons)) }
    }
}

impl fmt::Display for Tally {
    /// In English, as files for scripts have it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message().text(Language::English))
    }
}
