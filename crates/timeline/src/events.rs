//! One engine's events, column by column.
//!
//! | column | bytes | what |
//! |---|---|---|
//! | start, end | 16 | ns on the common time line |
//! | cycles | 8 | `Asic Cycle`: end - start + 1 in the engine's own clock |
//! | id | 8 | command id, 16-bit run-overs undone |
//! | record | 4 | which PMU record, for its counters |
//! | word | 4 | the DYN_DATA word, where one is bound |
//! | bits | 8 | where the command's full bits start in its core's file |
//! | code | 2 | operation and variant of the full bits |
//! | tag | 4 | kernel, scope, batch and mode, see [`crate::Tag`] |
//! | binding | 1 | what the event is, and how we know |

use bigtpu_chip::OpCode;
use bigtpu_format::Word;

/// What an event is, and how this is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Binding {
    /// No command explains the record.
    None,
    /// A system record without a command: by its place and length a send.
    Send,
    /// A system record without a command: by its place and length a wait.
    Wait,
    /// A dispatched command, known by its word.
    Word,
    /// A command of the RVT front end, known by its word.
    Rvt,
    /// The implicit system command with which an RVT front end restarts ids.
    Wrap,
    /// A dispatched command with its full bits; its word is known too.
    WordAndBits,
    /// A command of a descriptor stream: full bits, no word.
    Bits,
    /// A dispatched command whose full bits are no command that we know.
    BadBitsOfWord,
    /// An unknown command in a descriptor stream.
    BadBits,
}

impl Binding {
    /// Whether a command is bound to the record.
    #[must_use]
    pub fn is_bound(self) -> bool {
        !matches!(self, Self::None | Self::Send | Self::Wait)
    }

    /// Whether the command is in a descriptor stream.
    pub(crate) fn comes_from_stream(self) -> bool {
        matches!(self, Self::Bits | Self::BadBits)
    }

    /// Whether a processor dispatched the command at run time: it is not in a descriptor stream.
    #[must_use]
    pub fn is_dispatched(self) -> bool {
        matches!(
            self,
            Self::Word | Self::Rvt | Self::Wrap | Self::WordAndBits | Self::BadBitsOfWord
        )
    }

    /// Whether the command's full bits are known and decode.
    #[must_use]
    pub fn has_bits(self) -> bool {
        matches!(self, Self::WordAndBits | Self::Bits)
    }
}

/// One engine's events, see the module's table.
#[derive(Debug, Clone, Default)]
pub struct Events {
    /// ns.
    pub start: Vec<i64>,
    /// ns.
    pub end: Vec<i64>,
    /// Cycles of the engine's clock.
    pub cycles: Vec<i64>,
    /// Command ids.
    pub id: Vec<i64>,
    /// Index of the PMU record in its monitor.
    pub record: Vec<u32>,
    /// DYN_DATA words; 0 where none is bound.
    pub word: Vec<Word>,
    /// Offset of the full bits in the core's file, in bytes; 0 where none are bound.
    pub bits: Vec<u64>,
    /// Operation and variant of the full bits; of no meaning where none are bound.
    pub code: Vec<OpCode>,
    /// Index into [`crate::Profile::tags`]; 0 is no tag.
    pub tag: Vec<u32>,
    /// What each event is.
    pub binding: Vec<Binding>,
}

macro_rules! each_column {
    ($self:ident, $column:ident => $do:expr) => {{
        {
            let $column = &mut $self.start;
            $do;
        }
        {
            let $column = &mut $self.end;
            $do;
        }
        {
            let $column = &mut $self.cycles;
            $do;
        }
        {
            let $column = &mut $self.id;
            $do;
        }
        {
            let $column = &mut $self.record;
            $do;
        }
        {
            let $column = &mut $self.word;
            $do;
        }
        {
            let $column = &mut $self.bits;
            $do;
        }
        {
            let $column = &mut $self.code;
            $do;
        }
        {
            let $column = &mut $self.tag;
            $do;
        }
        {
            let $column = &mut $self.binding;
            $do;
        }
    }};
}

impl Events {
    /// Events from cleaned times (in cycles) and ids; nothing is bound yet.
    pub(crate) fn new(start: Vec<i64>, end: Vec<i64>, id: Vec<i64>, record: Vec<u32>) -> Self {
        let n = start.len();
        let cycles = start.iter().zip(&end).map(|(s, e)| e - s + 1).collect();
        Self {
            start,
            end,
            cycles,
            id,
            record,
            word: vec![Word(0); n],
            bits: vec![0; n],
            code: vec![OpCode::default(); n],
            tag: vec![0; n],
            binding: vec![Binding::None; n],
        }
    }

    /// Number of events.
    #[must_use]
    pub fn len(&self) -> usize {
        self.start.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.start.is_empty()
    }

    /// Duration of an event in ns.
    pub(crate) fn duration(&self, i: usize) -> i64 {
        self.end[i] - self.start[i]
    }

    pub(crate) fn drop_front(&mut self, n: usize) {
        let n = n.min(self.len());
        if n > 0 {
            each_column!(self, column => drop(column.drain(..n)));
        }
    }

    pub(crate) fn truncate(&mut self, n: usize) {
        each_column!(self, column => column.truncate(n));
    }

    /// Keeps the events at `order`, in that order.
    pub(crate) fn reorder(&mut self, order: &[usize]) {
        each_column!(self, column => *column = order.iter().map(|&i| column[i]).collect());
    }

    /// Moves all events by `ns`.
    pub(crate) fn shift(&mut self, ns: i64) {
        if ns != 0 {
            for time in self.start.iter_mut().chain(&mut self.end) {
                *time += ns;
            }
        }
    }
}
