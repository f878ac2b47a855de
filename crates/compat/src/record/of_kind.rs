//! Records of commands one after another. Those of a kind share most of their fields, which are read once.

use bigtpu_chip::{Chip, Engine, Field as RegisterField, Mask, Masks};
use bigtpu_measure::TrackCommand;
use foldhash::HashMap;

use super::{Fields, Record, Times, Value, dma, record, tiu};

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
    /// Which fields were not the same in all records so far, by part.
    varying: [Vec<bool>; 4],
    /// See [`layout`](KindRecord::layout).
    layout: u32,
    /// What the command of the record belongs to.
    tag: Option<u32>,
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
        let mut varying = record.parts().map(|part| vec![false; part.len()]);
        let [of_info, _, of_registers, _] = &mut varying;
        let of_fields = if engine == Engine::Tiu { of_registers } else { of_info };
        for (place, _) in &own {
            of_fields.get_mut(*place).into_iter().for_each(|varies| *varies = true);
        }
        let is_shared = bits.is_some();
        let tag = tag_number(command);
        Self { record, kept: T::default(), own, computed, is_shared, varying, layout: 1, tag }
    }

    /// Makes it the record of another command of its kind.
    fn update(&mut self, command: &TrackCommand<'a, '_>) {
        let [of_info, of_meta, of_registers, of_after] = &mut self.varying;
        let Record { info, meta, registers, prefixed, after, function_type } = &mut self.record;
        let is_changed = match command.bits().filter(|_| self.is_shared) {
            Some(bits) => {
                let is_tiu = command.kind.engine == Engine::Tiu;
                let is_changed = if is_tiu && tiu::has_times_alone(command) {
                    let times =
                        info.iter_mut().skip(tiu::TIMES).zip(of_info.iter_mut().skip(tiu::TIMES));
                    let times = times.zip(Times::of(command).values());
                    times.fold(false, |is_changed, (((_, old), varies), value)| {
                        is_changed | renew_value(old, value, varies)
                    })
                } else if is_tiu {
                    renew(info, tiu::info(command), of_info)
                        | renew(after, tiu::after(command, &bits), of_after)
                } else {
                    let mut is_changed = false;
                    for (place, (_, value)) in self.computed.iter().zip(dma::computed(command)) {
                        if let (Some((_, old)), Some(varies)) =
                            (info.get_mut(*place), of_info.get_mut(*place))
                        {
                            is_changed |= renew_value(old, value, varies);
                        }
                    }
                    is_changed
                };
                let fields = if is_tiu { registers } else { info };
                for (place, field) in &self.own {
                    if let Some((_, value)) = fields.get_mut(*place) {
                        *value = field.value(bits.bits).into();
                    }
                }
                // What belongs to the same as the command before has another index, no more.
                let tag = tag_number(command);
                let is_same = tag.is_some() && std::mem::replace(&mut self.tag, tag) == tag;
                is_changed
                    | match (meta.first_mut(), of_meta.first_mut()) {
                        (Some((_, index)), Some(varies)) if is_same => {
                            renew_value(index, command.index.into(), varies)
                        }
                        _ => renew(meta, super::meta(command), of_meta),
                    }
            }
            None => {
                let new = record(command);
                let old = std::mem::replace(prefixed, new.prefixed);
                let old = (old, std::mem::replace(function_type, new.function_type));
                (old != (new.prefixed, new.function_type))
                    | renew(info, new.info, of_info)
                    | renew(meta, new.meta, of_meta)
                    | renew(registers, new.registers, of_registers)
                    | renew(after, new.after, of_after)
            }
        };
        self.layout += u32::from(is_changed);
    }

    /// Changes when the record has other keys than before, or when a field [varies](Self::varying) that did not before: what
    /// a reader made of them is out of date then. Never 0.
    #[must_use]
    pub fn layout(&self) -> u32 {
        self.layout
    }

    /// Of the fields of each part of the record, in the order of [`Record::parts`], whether they differ between the records
    /// so far.
    #[must_use]
    pub fn varying(&self) -> &[Vec<bool>; 4] {
        &self.varying
    }
}

/// What a command of a core belongs to; `None` of a port's, which are those of several cores.
fn tag_number(command: &TrackCommand<'_, '_>) -> Option<u32> {
    let track = command.all.track;
    (track.engine_id.engine != Engine::Cdma)
        .then(|| track.events.tag.get(command.index).copied())?
}

/// Gives fields the values of others. Returns whether they have other keys now, or one varies that did not before.
fn renew<'a>(fields: &mut Fields<'a>, new: Fields<'a>, varying: &mut Vec<bool>) -> bool {
    // Keys are constants: where they are in memory says more quickly than their text that they are the same.
    let is_same = |(a, b): (&str, &str)| std::ptr::eq(a, b) || a == b;
    let mut keys = fields.iter().map(|(key, _)| *key).zip(new.iter().map(|(key, _)| *key));
    if fields.len() != new.len() || !keys.all(is_same) {
        *varying = vec![true; new.len()];
        *fields = new;
        return true;
    }
    let mut is_changed = false;
    for (((_, old), (_, value)), varies) in fields.iter_mut().zip(new).zip(varying) {
        is_changed |= renew_value(old, value, varies);
    }
    is_changed
}

fn renew_value<'a>(old: &mut Value<'a>, value: Value<'a>, varies: &mut bool) -> bool {
    if *old == value {
        return false;
    }
    *old = value;
    !std::mem::replace(varies, true)
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
