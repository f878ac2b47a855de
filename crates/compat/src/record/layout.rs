//! The record of a kind: the fields that its commands have, those that they share with their values.

use bigtpu_chip::{Chip, Command, Engine, Field as RegisterField, Mask, Masks};
use bigtpu_measure::TrackCommand;
use foldhash::{HashMap, HashMapExt};

use super::cell::{Cell, CellField, Cells, OwnValues, Varying};
use super::{Record, RecordField, dma, tiu};

/// Keys that columns of times and facts have.
const ELSEWHERE: [&str; 16] = [
    "Function Name",
    "Function Type",
    "Start Time(ns)",
    "End Time(ns)",
    "Cmd Id",
    "Asic Cycle",
    "Alg Ops",
    "uArch Ops",
    "uArch Rate",
    "Bank Conflict Cycle",
    "Direction",
    "Data Type",
    "Stall Cycle",
    "DMA data size(B)",
    "DDR Bandwidth(GB/s)",
    "L2M Bandwidth(GB/s)",
];

/// The fields of a kind's commands, in the parts of a [`Record`]; what a command [belongs to](super::belongs) is not among them.
#[derive(Debug, Clone, Default)]
pub struct RecordLayout<'a> {
    /// See [`Record::info`].
    pub info: Vec<CellField<'a>>,
    /// See [`Record::registers`].
    pub registers: Vec<CellField<'a>>,
    /// See [`Record::prefixed`].
    pub prefixed: bool,
    /// See [`Record::after`].
    pub after: Vec<CellField<'a>>,
    /// See [`Record::function_type`].
    pub function_type: &'static str,
}

impl<'a> RecordLayout<'a> {
    /// Layout of a command's kind. `mask`: which bits all commands of the kind share; `None` if that is not known.
    pub(super) fn new(command: &TrackCommand<'a, '_>, mask: Option<&Mask>) -> Self {
        match command.kind.engine {
            Engine::Tiu => tiu::layout(command, mask),
            Engine::Gdma | Engine::Sdma | Engine::Cdma => dma::layout(command, mask),
        }
    }

    /// The parts, with the prefix of their keys: info, registers, and what is after them.
    #[must_use]
    pub fn parts(&self) -> [(&'static str, &[CellField<'a>]); 3] {
        let prefix = if self.prefixed { "des_" } else { "" };
        [("", &self.info), (prefix, &self.registers), ("", &self.after)]
    }

    /// The fields that no column of times or facts has, each with the prefix of its key.
    pub fn further_fields(&self) -> impl Iterator<Item = (&'static str, &CellField<'a>)> {
        self.parts().into_iter().flat_map(|(prefix, fields)| {
            let fields = fields.iter().filter(move |(key, _)| {
                // What has a prefix is a register's, whatever its name.
                !prefix.is_empty() || !ELSEWHERE.contains(key)
            });
            fields.map(move |field| (prefix, field))
        })
    }

    /// The record of a command of the kind, without what it belongs to.
    pub(super) fn record(self, command: &TrackCommand<'a, '_>) -> Record<'a> {
        let mut values = OwnValues::new(command);
        let mut fields = |cells: Cells<'a>| -> Vec<RecordField<'a>> {
            let value = |(key, cell)| match cell {
                Cell::Shared(value) => (key, value),
                Cell::Varies(varying) => (key, values.get(varying)),
            };
            cells.into_iter().map(value).collect()
        };
        let Self { info, registers, prefixed, after, function_type } = self;
        let (info, registers, after) = (fields(info), fields(registers), fields(after));
        Record { info, meta: Vec::new(), registers, prefixed, after, function_type }
    }
}

/// The cells of the fields of full bits.
pub(super) fn register_cells<'a>(bits: &Command<'_>, mask: Option<&Mask>) -> Cells<'a> {
    let cell = |field: &RegisterField| match mask.is_some_and(|mask| covers(mask, field)) {
        true => Cell::Shared(field.value(bits.bits).into()),
        false => Cell::Varies(Varying::Register(*field)),
    };
    bits.register.fields.iter().map(|field| (field.name(), cell(field))).collect()
}

/// Whether all bits of a field make the kind of a command.
fn covers(mask: &Mask, field: &RegisterField) -> bool {
    let (first, shift) = (usize::from(field.bit / 64), field.bit % 64);
    let word = |at: usize| u128::from(mask.words.get(at).copied().unwrap_or(0));
    let counting = (word(first) | word(first + 1) << 64) >> shift;
    let own = (1_u128 << field.width) - 1;
    counting & own == own
}

/// What a reader makes of the [layout](RecordLayout) of each kind, once.
#[derive(Debug)]
pub struct Kinds<T> {
    /// What the reader made of each kind, by the kind's number.
    made: HashMap<u32, T>,
    /// Which fields commands of a kind share, by engine.
    masks: Vec<(Engine, Masks)>,
}

impl<T> Default for Kinds<T> {
    fn default() -> Self {
        Self { made: HashMap::new(), masks: Vec::new() }
    }
}

/// Kinds that are known at a time: in a run in which each command is its own, more would only take memory.
const MOST_KINDS: usize = 1024;

impl<T> Kinds<T> {
    /// What is made of a command's kind.
    pub fn get_or_make<'a>(
        &mut self,
        command: &TrackCommand<'a, '_>,
        make: impl FnOnce(&RecordLayout<'a>) -> T,
    ) -> &mut T {
        let number = command.kind_number().unwrap_or(u32::MAX);
        let Self { made, masks } = self;
        if made.len() >= MOST_KINDS && !made.contains_key(&number) {
            made.clear();
        }
        made.entry(number).or_insert_with(|| {
            let (chip, engine) = (command.all.profile.chip, command.kind.engine);
            let masks = masks_of(masks, chip, engine);
            let code = command.kind.code;
            let mask = code.and_then(|code| masks?.get(chip, engine, code));
            make(&RecordLayout::new(command, mask))
        })
    }
}

/// The masks of an engine, made when they are first asked for.
fn masks_of<'m>(
    masks: &'m mut Vec<(Engine, Masks)>,
    chip: &Chip,
    engine: Engine,
) -> Option<&'m Masks> {
    let known = masks.iter().position(|(of, _)| *of == engine);
    let place = known.unwrap_or_else(|| {
        masks.push((engine, Masks::new(chip, engine)));
        masks.len() - 1
    });
    masks.get(place).map(|(_, masks)| masks)
}
