//! What became of each event of a trace: every one of them is counted once.

use std::collections::BTreeMap;
use std::fmt;

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
    /// It can't be read.
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

impl fmt::Display for Hidden {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Unreadable => "can't be read",
            Self::Profiler => "of the profiler itself",
            Self::BeginWithoutEnd => "begins without an end",
            Self::EndWithoutBegin => "ends without a begin",
            Self::ArrowWithoutEnd => "starts of arrows without an end",
            Self::ArrowWithoutStart => "ends of arrows without a start",
            Self::ArrowBack => "ends of arrows before their start",
            Self::CounterWithoutNumber => "counters without a finite number",
            Self::Metadata => "metadata of other names",
            Self::Phase(phase) => return write!(f, "of phase {}", phase.escape_debug()),
        })
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

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { read, slices, arrows, instants, counters, metadata, hidden } = self;
        write!(
            f,
            "{read} events read = {slices} of slices + {arrows} of arrows + {instants} instants + {counters} of counters + \
             {metadata} of metadata + {} not shown",
            self.hidden_events()
        )?;
        for (n, (why, count)) in hidden.iter().enumerate() {
            write!(f, "{}{count} {why}", if n == 0 { " (" } else { ", " })?;
        }
        f.write_str(if hidden.is_empty() { "" } else { ")" })
    }
}
