//! An event as the ordered keys and values of a register text (section 8.1): what users' scripts
//! parse, and what the workbook's columns show.

mod cell;
mod dma;
mod dma_aks;
mod dma_bm1688;
mod dma_cv84x6;
mod layout;
mod tiu;

use std::borrow::Cow;

use bigtpu_chip::Engine;
use bigtpu_measure::TrackCommand;

use bigtpu_measure::float_text;

pub use cell::{Cell, CellField, OwnValues, Varying};
pub use layout::{Kinds, RecordLayout};

/// A value of a register text.
#[derive(Debug, Clone, PartialEq)]
pub enum RecordValue<'a> {
    /// A whole number.
    Int(i128),
    /// A bandwidth.
    Float(f64),
    /// A text.
    Text(Cow<'a, str>),
}

impl std::fmt::Display for RecordValue<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Int(n) => write!(f, "{n}"),
            Self::Float(x) => f.write_str(&float_text(*x)),
            Self::Text(text) => f.write_str(text),
        }
    }
}

impl<'a> From<&'a str> for RecordValue<'a> {
    fn from(text: &'a str) -> Self {
        Self::Text(Cow::Borrowed(text))
    }
}

impl From<String> for RecordValue<'_> {
    fn from(text: String) -> Self {
        Self::Text(Cow::Owned(text))
    }
}

macro_rules! from_int {
    ($($int:ty),*) => {
        $(impl From<$int> for RecordValue<'_> {
            fn from(n: $int) -> Self {
                Self::Int(n as i128)
            }
        })*
    };
}

from_int!(u8, u32, u64, i64, i128, usize);

/// A plain 0 where nothing was computed.
impl From<Option<f64>> for RecordValue<'_> {
    fn from(x: Option<f64>) -> Self {
        x.map_or(Self::Int(0), Self::Float)
    }
}

/// A key and its value.
pub type RecordField<'a> = (&'static str, RecordValue<'a>);

/// An event's keys and values in printing order.
#[derive(Debug, Clone, Default)]
pub struct Record<'a> {
    /// What it is, when, and what it did.
    pub info: Vec<RecordField<'a>>,
    /// Where it belongs: index, core, mode, kernel, scope, batch.
    pub meta: Vec<RecordField<'a>>,
    /// TIU only: the command's fields, printed under its function type with the prefix `des_`
    /// where `prefixed`.
    pub registers: Vec<RecordField<'a>>,
    /// Whether `registers` are the fields of full bits.
    pub prefixed: bool,
    /// TIU only: keys after the registers, without a prefix.
    pub after: Vec<RecordField<'a>>,
    /// `Function Type`.
    pub function_type: &'static str,
}

impl<'a> Record<'a> {
    /// Place of `info` among the parts.
    pub const INFO: usize = 0;
    /// Place of `meta` among the parts.
    pub const META: usize = 1;
    /// Place of `registers` among the parts.
    pub const REGISTERS: usize = 2;
    /// Place of `after` among the parts.
    pub const AFTER: usize = 3;

    /// Its parts.
    #[must_use]
    pub fn parts(&self) -> [&[RecordField<'a>]; 4] {
        [&self.info, &self.meta, &self.registers, &self.after]
    }
}

/// The record of a command.
#[must_use]
pub fn record<'a>(command: &TrackCommand<'a, '_>) -> Record<'a> {
    let mut record = RecordLayout::new(command, None).record(command);
    record.meta = vec![(INDEX, command.index.into())];
    record.meta.extend(belongs(command));
    record
}

/// The key of a command's index in its track: the first of [`Record::meta`].
pub const INDEX: &str = "Global Idx";

/// What a command belongs to: [`Record::meta`] without the index.
#[must_use]
pub fn belongs<'a>(command: &TrackCommand<'a, '_>) -> Vec<RecordField<'a>> {
    let (profile, track, i) = (command.all.profile, command.all.track, command.index);
    let core: RecordValue<'_> = match track.engine_id.engine {
        Engine::Cdma => {
            let owner = track.owner.get(i).copied().flatten().filter(|o| o.submitted);
            owner.map(|o| o.core).or(track.anchor).map_or("None".into(), RecordValue::from)
        }
        _ => track.engine_id.index.into(),
    };
    let mut fields: Vec<RecordField<'a>> = Vec::with_capacity(5);
    fields.push(("Core Id", core));
    let tag = command.tag();
    if let Some(mode) = tag.mode {
        fields.push(("mode", mode.name().into()));
    }
    if let Some(kernel) = profile.kernel(tag) {
        fields.push(("kernel_func", kernel.into()));
    }
    if let Some(scope) = tag.scope {
        fields.push(("func_scope_id", scope.into()));
    }
    if let Some(batch) = tag.batch {
        fields.push(("batch_launch", batch.into()));
    }
    fields
}

/// Equal of commands of a track that belong to the same; `None` where that is not known, of ports.
#[must_use]
pub fn owner_number(command: &TrackCommand<'_, '_>) -> Option<u32> {
    let track = command.all.track;
    (track.engine_id.engine != Engine::Cdma)
        .then(|| track.events.tag.get(command.index).copied())?
}
