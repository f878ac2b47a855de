//! What differs between the slices of an engine: the numbers of their templates.

use bigtpu_chip::{Engine, Family};
use bigtpu_measure::layers::Layers;
use bigtpu_measure::{Kind, PortCommand, PortTimes, TrackCommand};
use bigtpu_replay::{Cause, EngineCauses};
use bigtpu_timeline::Profile;

use super::rate::RateOfSlices;
use crate::detail::TraceDetail;
use crate::flows::track_of;
use crate::interned::{TextKind, Vocabulary};
use crate::sequence::Sequence;
use crate::slice_texts::Texts;
use crate::stamp::{AllWidths, MOST_NUMBERS, Numbers, OF_ADDRESSES, OF_COUNTS, OF_SIZES, Widths};

/// The command whose slice is to be written.
#[derive(Clone, Copy)]
pub(super) struct Slice<'s, 'p, 'd> {
    pub(super) command: &'s TrackCommand<'p, 'd>,
    pub(super) causes: Option<&'s EngineCauses<'p>>,
    pub(super) layers: Option<&'p Layers>,
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
}

impl Shape {
    /// Sets an argument that not every slice has, of one width.
    #[inline]
    fn set(&mut self, numbers: &mut Numbers, number: usize, value: Option<u64>) {
        if let Some(value) = value {
            self.present |= 1 << number;
            numbers[number] = value;
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
            self.set(numbers, number, Some(value));
            self.add_class(widths, value);
        }
    }

    pub(super) fn has(self, number: usize) -> bool {
        self.present & 1 << number != 0
    }

    /// Adds the class of a number's width.
    #[inline]
    fn add_class(&mut self, widths: &Widths, value: u64) {
        self.classes = self.classes << 2 | u32::from(widths.class(value));
    }

    /// What slices of a kind and shape have in common, as a key of [`Stamps`](crate::stamp::Stamps).
    pub(super) fn key(self, kind: u32) -> u64 {
        // Ten numbers at most have a class.
        u64::from(kind) << 32 | u64::from(self.present) << 20 | u64::from(self.classes)
    }
}

impl Slice<'_, '_, '_> {
    /// Sets what differs from slices of the same kind; texts that are new are interned.
    #[inline]
    pub(super) fn numbers(
        &self,
        texts: &mut Texts,
        sequence: &mut Sequence,
        numbers: &mut Numbers,
    ) -> Shape {
        let &TrackCommand { ref all, index: i, kind } = self.command;
        let mut shape = Shape::default();
        let tag = all.track.events.tag.get(i).copied().unwrap_or(0);
        let of_tag = texts.of_tag(tag, all.profile, sequence, || self.command.tag());
        numbers[number::ID] = self.command.id() as u64;
        numbers[number::INDEX] = i as u64;
        let is_full = self.detail.is_full();
        shape.set(numbers, number::KERNEL, of_tag.kernel);
        if is_full {
            shape.set_of(&OF_COUNTS, numbers, number::BATCH, of_tag.batch);
            shape.set(numbers, number::MODE, of_tag.mode);
        }
        if let Some(causes) = self.causes {
            let slack = causes.slack_ns(i).map(|ns| ns as u64);
            shape.set_of(&OF_SIZES, numbers, number::SLACK, slack);
            let released_by = self.released_by(causes);
            let released_by = released_by
                .map(|(cause, id)| texts.released_by(sequence, all.track.engine_id, cause, id));
            shape.set_of(&OF_SIZES, numbers, number::RELEASED_BY, released_by);
        }
        if let Some((id, layer)) = self.layers.and_then(|l| l.of_event(all.track, i)) {
            shape.set_of(&OF_COUNTS, numbers, number::LAYER_ID, Some(id as u64));
            let name = sequence.value(&layer.name);
            shape.set_of(&OF_SIZES, numbers, number::LAYER_NAME, Some(name));
        }
        if let Some(dependence) = self.command.dependence().filter(|_| is_full) {
            let field = dependence.field();
            shape.set_of(&OF_SIZES, numbers, number::DEPENDENCE, Some(field.into()));
            let awaited = all.profile.chip.awaited_command(field);
            let awaited = awaited
                .map(|command| texts.waits_for(sequence, all.track.engine_id.engine, command));
            shape.set_of(&OF_SIZES, numbers, number::WAITS_FOR, awaited);
        }
        if has_bandwidth(kind) {
            let transfer = self.command.transfer();
            // 0 where nothing was computed.
            let word = |gbps: Option<f64>| gbps.unwrap_or(0.0).to_bits();
            numbers[number::DDR] = word(transfer.ddr_gbps());
            numbers[number::L2] = word(transfer.l2_gbps());
            numbers[number::BYTES] = transfer.traffic.bytes;
            shape.add_class(&OF_SIZES, numbers[number::BYTES]);
            if !is_full {
                return shape;
            }
            let chip = all.profile.chip;
            let no_address = matches!(chip.family, Family::Bm1684x | Family::Bm1688)
                && chip.is_system(kind.engine, kind.task);
            if no_address {
                (numbers[number::SOURCE], numbers[number::DESTINATION]) = (0, 0);
            } else {
                let addresses = self.command.addresses();
                numbers[number::SOURCE] = addresses.source;
                numbers[number::DESTINATION] = addresses.destination;
            }
            shape.add_class(&OF_ADDRESSES, numbers[number::SOURCE]);
            shape.add_class(&OF_ADDRESSES, numbers[number::DESTINATION]);
        }
        shape
    }

    /// Sets the value of the engine's rate where it is written; whether 0 is written at the slice's end.
    #[inline]
    pub(super) fn count(
        &self,
        rate: &mut RateOfSlices,
        shape: &mut Shape,
        numbers: &mut Numbers,
    ) -> bool {
        let Self { command, .. } = self;
        let value = match command.kind.engine {
            Engine::Tiu => rate.tiu.value(command),
            _ if has_bandwidth(command.kind) => f64::from_bits(numbers[number::DDR]),
            _ => 0.0,
        };
        let next = command.all.track.events.start.get(command.index + 1).copied();
        let (begins, ends) = rate.changes(value, command.start(), command.end(), next);
        shape.set(numbers, number::RATE, begins.then(|| value.to_bits()));
        ends
    }

    /// What kept the command waiting if it is of another engine, and that one's command id.
    fn released_by(&self, causes: &EngineCauses<'_>) -> Option<(Cause, i64)> {
        let &TrackCommand { ref all, index: i, .. } = self.command;
        let cause = causes.cause(i).filter(|cause| cause.engine_id != all.track.engine_id)?;
        let track = track_of(all.profile, cause.engine_id)?;
        Some((cause, track.command_id(cause.event).unwrap_or(0)))
    }
}

/// Whether commands of a kind show bandwidths.
fn has_bandwidth(kind: &Kind) -> bool {
    kind.transfer.is_some() && !kind.is_named_system()
}
