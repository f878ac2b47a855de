//! Records of commands one after another. Those of a kind share most of their fields, which are read once.

use bigtpu_chip::{Chip, Engine, Field as RegisterField, Mask, Masks};
use bigtpu_measure::TrackCommand;
use foldhash::HashMap;

use super::{Fields, Record, Value, dma, record, tiu};

/// The records of a track's commands; `T` is what their reader keeps for each kind.
#[derive(Debug, Default)]
pub struct Records<'a, T> {
    kinds: HashMap<u32, KindRecord<'a, T>>,
    /// Which fields commands of a kind share, by engine.
    masks: Vec<(Engine, Masks)>,
}

/// The record of a command, and of those of its kind.
#[derive(Debug)]
pub struct KindRecord<'a, T> {
    /// Of the command that was asked for last.
    pub record: Record<'a>,
    /// What a reader keeps for the kind: the default for a new one.
    pub kept: T,
    /// Register fields that commands of the kind do not share: where they are in the record, and in the bits. Ascending.
    own: Vec<(usize, RegisterField)>,
    /// DMA: where the fields are that are computed.
    computed: Vec<usize>,
    /// Whether the fields that are not its own are the same in all records of the kind.
    is_shared: bool,
}

/// Kinds that are known at a time: in a run in which each command is its own, more would only take memory.
const MOST_KINDS: usize = 1024;

impl<'a, T: Default> Records<'a, T> {
    /// The record of a command, and what is kept for its kind.
    pub fn of(&mut self, command: &TrackCommand<'a, '_>) -> &mut KindRecord<'a, T> {
        let number = command.kind_number().unwrap_or(u32::MAX);
        if self.kinds.len() >= MOST_KINDS && !self.kinds.contains_key(&number) {
            self.kinds.clear();
        }
        let Self { kinds, masks } = self;
        let known = kinds.entry(number);
        let known = known.and_modify(|known| known.update(command));
        known.or_insert_with(|| KindRecord::of(command, masks))
    }
}

impl<'a, T: Default> KindRecord<'a, T> {
    fn of(command: &TrackCommand<'a, '_>, masks: &mut Vec<(Engine, Masks)>) -> Self {
        let record = record(command);
        let (chip, engine) = (command.all.profile.chip, command.kind.engine);
        let (mut own, mut computed) = (Vec::new(), Vec::new());
        let bits = command.bits();
        if let Some(bits) = bits {
            if engine != Engine::Tiu {
                (_, computed) = dma::merged(&bits, dma::computed(command));
            }
            let of_engine = masks_of(masks, chip, engine);
            let mask = of_engine.and_then(|masks| masks.get(chip, engine, bits.code));
            let fields = bits.register.fields.iter().enumerate();
            let is_own = |(place, field): &(usize, &RegisterField)| {
                !computed.contains(place) && mask.is_none_or(|mask| !covers(mask, field))
            };
            own = fields.filter(is_own).map(|(place, field)| (place, *field)).collect();
        }
        Self { record, kept: T::default(), own, computed, is_shared: bits.is_some() }
    }

    /// Makes it the record of another command of its kind.
    fn update(&mut self, command: &TrackCommand<'a, '_>) {
        let Some(bits) = command.bits().filter(|_| self.is_shared) else {
            self.record = record(command);
            return;
        };
        let Record { info, registers, meta, after, .. } = &mut self.record;
        *meta = super::meta(command);
        let registers = match command.kind.engine {
            Engine::Tiu => {
                *info = tiu::info(command);
                *after = tiu::after(command, &bits);
                registers
            }
            Engine::Gdma | Engine::Sdma | Engine::Cdma => {
                for (place, (_, value)) in self.computed.iter().zip(dma::computed(command)) {
                    set(info, *place, value);
                }
                info
            }
        };
        for (place, field) in &self.own {
            set(registers, *place, field.value(bits.bits).into());
        }
    }

    /// Of the fields that are read from the full bits (of a DMA command the record's `info`, of a TIU's its `registers`),
    /// those that are the same in all records of the kind, by place.
    pub fn shared(&self) -> impl Iterator<Item = bool> {
        let fields = match self.record.registers.len() {
            0 => self.record.info.len(),
            registers => registers,
        };
        let mut own = self.own.iter().map(|(place, _)| *place).peekable();
        (0..fields).map(move |place| {
            let is_own = own.next_if_eq(&place).is_some();
            self.is_shared && !is_own && !self.computed.contains(&place)
        })
    }
}

fn set<'a>(fields: &mut Fields<'a>, place: usize, value: Value<'a>) {
    if let Some(field) = fields.get_mut(place) {
        field.1 = value;
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

/// Whether all bits of a field make the kind of a command.
fn covers(mask: &Mask, field: &RegisterField) -> bool {
    (field.bit..field.bit + u16::from(field.width)).all(|bit| {
        mask.words.get(usize::from(bit / 64)).is_some_and(|word| word >> (bit % 64) & 1 == 1)
    })
}
