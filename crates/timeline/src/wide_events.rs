//! One engine's events while they are cleaned and joined: every value in its full width.

use bigtpu_chip::OpCode;
use bigtpu_format::Word;

use crate::binding::Binding;
use crate::quality::Marks;

/// One engine's events while they are cleaned and joined. [`crate::Events`] is made from them.
#[derive(Debug, Clone, Default)]
pub(crate) struct WideEvents {
    /// The engine's clock, once times are in ns.
    pub(crate) mhz: f64,
    /// ns.
    pub(crate) start: Vec<i64>,
    /// ns.
    pub(crate) end: Vec<i64>,
    /// Cycles of the engine's clock.
    pub(crate) cycles: Vec<i64>,
    /// Command ids.
    pub(crate) id: Vec<i64>,
    /// Index of the PMU record in its monitor.
    pub(crate) record: Vec<u32>,
    /// DYN_DATA words; 0 where none is bound.
    pub(crate) word: Vec<Word>,
    /// Offset of the full bits in the core's file, in bytes; 0 where none are bound.
    pub(crate) bits: Vec<u64>,
    /// Operation and variant of the full bits; of no meaning where none are bound.
    pub(crate) code: Vec<OpCode>,
    /// Index into [`crate::Profile::tags`]; 0 is no tag.
    pub(crate) tag: Vec<u32>,
    /// What each event is.
    pub(crate) binding: Vec<Binding>,
    /// The records that damage touched.
    pub(crate) marks: Marks,
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

impl WideEvents {
    /// Events from cleaned times (in cycles) and ids; nothing is bound yet.
    pub(crate) fn new(start: Vec<i64>, end: Vec<i64>, id: Vec<i64>, record: Vec<u32>) -> Self {
        let n = start.len();
        let cycles = start.iter().zip(&end).map(|(s, e)| e - s + 1).collect();
        Self {
            mhz: 0.0,
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
            marks: Marks::new(),
        }
    }

    /// Number of events.
    pub(crate) fn len(&self) -> usize {
        self.start.len()
    }

    /// Whether there are none.
    pub(crate) fn is_empty(&self) -> bool {
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
            for times in [&mut self.start, &mut self.end] {
                times.iter_mut().for_each(|time| *time += ns);
            }
        }
    }
}
