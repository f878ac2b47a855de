//! What differs between the slices of an engine: the numbers of their templates.

use std::sync::Arc;

use bigtpu_measure::layers::Layers;
use bigtpu_measure::{AddressReader, PortCommand, PortTimes, TrackCommand, TrackCommands};
use bigtpu_replay::{Cause, EngineCauses};
use bigtpu_timeline::{EngineId, Mode, Profile, Track};

use super::kinds::Shows;
use super::rate::RateOfSlices;
use crate::detail::TraceDetail;
use crate::flows::track_of;
use crate::interned::{TextKind, Vocabulary};
use crate::numbers::{
    AllWidths, MOST_NUMBERS, Numbers, OF_ADDRESSES, OF_COUNTS, OF_SIZES, TOO_WIDE, Widths,
};
use crate::sequence::Sequence;
use crate::slice_texts::Texts;
use crate::stamp::NO_KEY;

/// The command whose slice is to be written.
#[derive(Clone, Copy)]
pub(super) struct Slice<'s, 'p, 'd> {
    pub(super) command: &'s TrackCommand<'p, 'd>,
    pub(super) detail: TraceDetail,
    /// Of a data command of a port: what its record says, and what its time is made of.
    pub(super) port: &'s Option<(&'p PortCommand, Option<PortTimes>)>,
}

/// What differs between slices of a kind: places in [`Numbers`]. Those below [`FIRST_OF_ALL`] not every slice has.
pub(super) mod number {
    pub(in crate::device) const BATCH: usize = 0;
    pub(in crate::device) const SLACK: usize = 1;
    pub(in crate::device) const WAITS_FOR: usize = 2;
    pub(in crate::device) const RELEASED_BY: usize = 3;
    pub(in crate::device) const LAYER_ID: usize = 4;
    pub(in crate::device) const LAYER_NAME: usize = 5;
    pub(in crate::device) const DEPENDENCE: usize = 6;
    pub(in crate::device) const RATE: usize = 7;
    pub(in crate::device) const KERNEL: usize = 8;
    pub(in crate::device) const MODE: usize = 9;
    pub(in crate::device) const FIRST_OF_ALL: usize = 10;
    pub(in crate::device) const ID: usize = FIRST_OF_ALL;
    pub(in crate::device) const INDEX: usize = FIRST_OF_ALL + 1;
    pub(in crate::device) const DDR: usize = FIRST_OF_ALL + 2;
    pub(in crate::device) const L2: usize = FIRST_OF_ALL + 3;
    pub(in crate::device) const BYTES: usize = FIRST_OF_ALL + 4;
    pub(in crate::device) const SOURCE: usize = FIRST_OF_ALL + 5;
    pub(in crate::device) const DESTINATION: usize = FIRST_OF_ALL + 6;
}

/// The widths of slices' numbers: those of texts, ids and indices by how many there are.
pub(super) fn widths(profile: &Profile<'_>, vocabulary: &Vocabulary) -> AllWidths {
    let mut widths = [(); MOST_NUMBERS].map(|()| OF_SIZES.clone());
    widths[number::BATCH] = OF_COUNTS.clone();
    widths[number::LAYER_ID] = OF_COUNTS.clone();
    let texts = Widths::up_to(vocabulary.count(TextKind::Value) as u64);
    (widths[number::KERNEL], widths[number::MODE]) = (texts.clone(), texts);
    let greatest_id = profile.tracks().filter_map(|track| track.events.id.iter().max()).max();
    widths[number::ID] = Widths::up_to(greatest_id.unwrap_or(0).max(0).cast_unsigned() + 1);
    let events = profile.tracks().map(|track| track.events.len()).max();
    widths[number::INDEX] = Widths::up_to(events.unwrap_or(0) as u64);
    widths[number::SOURCE] = OF_ADDRESSES.clone();
    widths[number::DESTINATION] = OF_ADDRESSES.clone();
    widths
}

/// What slices of a kind need not have in common.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Shape {
    /// Which of the arguments that not every slice has are there: a bit of each [`number`].
    present: u16,
    /// Which widths the numbers have that have one of several: two bits each.
    classes: u32,
    /// Has the bit [`TOO_WIDE`] where a number has no width.
    excess: u8,
}

impl Shape {
    /// Adds an argument that not every slice has.
    #[inline]
    fn add(&mut self, number: usize) {
        self.present |= 1 << number;
    }

    /// Sets an argument that not every slice has, of one width.
    #[inline]
    fn set(&mut self, numbers: &mut Numbers, number: usize, value: Option<u64>) {
        if let Some(value) = value {
            self.add(number);
            numbers.set(number, value);
        }
    }

    /// The same of one of several widths.
    #[inline]
    fn set_of(
        &mut self,
        widths: &Widths,
        numbers: &mut Numbers,
        number: usize,
        value: Option<u64>,
    ) {
        if let Some(value) = value {
            self.add(number);
            self.set_any(widths, numbers, number, value);
        }
    }

    /// Sets a number that every slice has, of one of several widths. Most have the least of them.
    #[inline]
    fn set_any(&mut self, widths: &Widths, numbers: &mut Numbers, number: usize, value: u64) {
        if widths.is_least(value) {
            numbers.set_short(number, value);
            self.classes <<= 2;
        } else {
            numbers.set(number, value);
            let class = widths.class(value);
            self.classes = self.classes << 2 | u32::from(class & 3);
            self.excess |= class;
        }
    }

    pub(super) fn has(self, number: usize) -> bool {
        self.present & 1 << number != 0
    }

    /// What slices of a kind and shape have in common, as a key of [`Stamps`](crate::stamp::Stamps).
    #[inline]
    pub(super) fn key(self, kind: u32) -> u64 {
        if self.excess & TOO_WIDE != 0 {
            return NO_KEY;
        }
        // Ten numbers at most have a class.
        u64::from(kind) << 32 | u64::from(self.present) << 20 | u64::from(self.classes)
    }
}

/// Interning ids of what tags say, which all tracks share.
#[derive(Debug)]
pub(super) struct TagTexts {
    /// By the kernel's number.
    kernels: Vec<u64>,
    /// By mode.
    modes: [u64; 3],
}

impl TagTexts {
    pub(super) fn of(profile: &Profile<'_>, vocabulary: &Vocabulary) -> Self {
        let id = |text: &str| vocabulary.id(TextKind::Value, text).unwrap_or(0);
        Self {
            kernels: profile.kernels.iter().map(|kernel| id(kernel)).collect(),
            modes: [Mode::Rvt, Mode::Tdi, Mode::Des].map(|mode| id(mode.name())),
        }
    }
}

/// What the slices of an engine are made from.
pub(super) struct Numbering<'p, 'd> {
    commands: TrackCommands<'p, 'd>,
    causes: Option<EngineCauses<'p>>,
    layers: Option<&'p Layers>,
    is_full: bool,
    /// By kind.
    shows: Arc<[Shows]>,
    tag_texts: Arc<TagTexts>,
    addresses: AddressReader<'p, 'd>,
    texts: Texts,
    /// Of the slice that was looked at last.
    pub(super) numbers: Numbers,
    /// The tag of that slice, and what shows it.
    tag: Option<(u32, Shape)>,
    /// The engine that released a command last.
    released_by: Option<&'p Track<'d>>,
}

impl<'p, 'd> Numbering<'p, 'd> {
    pub(super) fn new(
        commands: TrackCommands<'p, 'd>,
        causes: Option<EngineCauses<'p>>,
        layers: Option<&'p Layers>,
        detail: TraceDetail,
        (shows, tag_texts): (Arc<[Shows]>, Arc<TagTexts>),
    ) -> Self {
        Self {
            commands,
            causes,
            layers,
            is_full: detail.is_full(),
            shows,
            tag_texts,
            addresses: AddressReader::new(commands.profile, commands.track),
            texts: Texts::default(),
            numbers: Numbers::new(),
            tag: None,
            released_by: None,
        }
    }

    /// Sets the numbers of event `i`, which is of a kind and has a tag; texts that are new are interned. Also returns the
    /// value of the engine's rate.
    #[inline]
    pub(super) fn set(
        &mut self,
        sequence: &mut Sequence,
        i: usize,
        kind: u32,
        tag: u32,
    ) -> (Shape, f64) {
        let mut shape = match self.tag {
            Some((known, shape)) if known == tag => shape,
            _ => self.new_tag(sequence, i, tag),
        };
        let Self { commands, causes, numbers, .. } = self;
        let track = commands.track;
        let id = track.command_id(i).unwrap_or(0) as u64;
        numbers.set(number::ID, id);
        numbers.set(number::INDEX, i as u64);
        if let Some(causes) = causes {
            let slack = causes.slack_ns(i).map(|ns| ns as u64);
            shape.set_of(&OF_SIZES, numbers, number::SLACK, slack);
            if let Some(cause) = causes.foreign_cause(i) {
                self.set_released_by(&mut shape, sequence, cause);
            }
        }
        if let Some(layers) = self.layers {
            self.set_layer(&mut shape, sequence, layers, i);
        }
        if self.is_full
            && let Some(dependence) = self.commands.columns.dependence(i)
        {
            let numbers = &mut self.numbers;
            let field = dependence.field();
            shape.set_of(&OF_SIZES, numbers, number::DEPENDENCE, Some(field.into()));
            if let Some(awaited) = self.commands.profile.chip.awaited_command(field) {
                let engine = self.commands.track.engine_id.engine;
                let text = self.texts.waits_for(sequence, engine, awaited);
                shape.set_of(&OF_SIZES, numbers, number::WAITS_FOR, Some(text));
            }
        }
        let Some(shows) = self.shows.get(kind as usize).copied() else { return (shape, 0.0) };
        if !shows.transfer {
            return (shape, shows.rate);
        }
        (
            self.set_transfer(shape, i, kind, shows.addresses),
            f64::from_bits(self.numbers.word(number::DDR)),
        )
    }

    #[inline]
    fn set_transfer(
        &mut self,
        mut shape: Shape,
        i: usize,
        kind: u32,
        has_addresses: bool,
    ) -> Shape {
        let Self { commands, numbers, addresses, .. } = self;
        let Some(kind) = commands.columns.kinds.get(kind as usize) else { return shape };
        let shown = commands.shown_transfer(i, kind);
        numbers.set_eight_bytes(number::DDR, shown.ddr_gbps.to_bits());
        numbers.set_eight_bytes(number::L2, shown.l2_gbps.to_bits());
        shape.set_any(&OF_SIZES, numbers, number::BYTES, shown.bytes);
        if self.is_full {
            let (mut source, mut destination) = (0, 0);
            if has_addresses {
                let addresses = addresses.get(i);
                (source, destination) = (addresses.source, addresses.destination);
            }
            shape.set_any(&OF_ADDRESSES, numbers, number::SOURCE, source);
            shape.set_any(&OF_ADDRESSES, numbers, number::DESTINATION, destination);
        }
        shape
    }

    #[inline(never)]
    fn new_tag(&mut self, sequence: &mut Sequence, i: usize, tag: u32) -> Shape {
        let Self { commands, numbers, tag_texts: texts, .. } = self;
        let mut shape = Shape::default();
        let of_tag = commands.profile.tag(commands.track, i);
        let kernel = of_tag.kernel.and_then(|kernel| texts.kernels.get(kernel as usize).copied());
        kernel.into_iter().for_each(|id| sequence.use_value(id));
        shape.set(numbers, number::KERNEL, kernel);
        let mode = of_tag.mode.and_then(|mode| texts.modes.get(mode as usize).copied());
        mode.into_iter().for_each(|id| sequence.use_value(id));
        if self.is_full {
            shape.set_of(&OF_COUNTS, numbers, number::BATCH, of_tag.batch.map(u64::from));
            shape.set(numbers, number::MODE, mode);
        }
        self.tag = Some((tag, shape));
        shape
    }

    /// What kept the command waiting: one of another engine.
    #[inline]
    fn set_released_by(&mut self, shape: &mut Shape, sequence: &mut Sequence, cause: Cause) {
        let known = self.released_by.filter(|track| track.engine_id == cause.engine_id);
        let found = known.or_else(|| track_of(self.commands.profile, cause.engine_id));
        let Some(track) = found else { return };
        self.released_by = Some(track);
        let id = track.command_id(cause.event).unwrap_or(0);
        let own: EngineId = self.commands.track.engine_id;
        let Cause { engine_id, kind, .. } = cause;
        let text = self.texts.released_by(sequence, own, engine_id, kind, id);
        shape.set_of(&OF_SIZES, &mut self.numbers, number::RELEASED_BY, Some(text));
    }

    fn set_layer(&mut self, shape: &mut Shape, sequence: &mut Sequence, layers: &Layers, i: usize) {
        if let Some((id, layer)) = layers.of_event(self.commands.track, i) {
            let name = sequence.value(&layer.name);
            shape.set_of(&OF_COUNTS, &mut self.numbers, number::LAYER_ID, Some(id as u64));
            shape.set_of(&OF_SIZES, &mut self.numbers, number::LAYER_NAME, Some(name));
        }
    }

    /// Sets the value of the engine's rate where it is written; whether 0 is written at the slice's end.
    #[inline]
    pub(super) fn count(
        &mut self,
        rate: &mut RateOfSlices,
        shape: &mut Shape,
        value: f64,
        i: usize,
        (start, end): (i64, i64),
    ) -> bool {
        let next = self.commands.track.events.start.get(i + 1).copied();
        let (begins, ends) = rate.changes(value, start, end, next);
        if begins {
            shape.add(number::RATE);
            self.numbers.set_eight_bytes(number::RATE, value.to_bits());
        }
        ends
    }
}
