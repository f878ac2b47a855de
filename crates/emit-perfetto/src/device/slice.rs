//! What differs between the slices of an engine: the numbers of their templates.

use bigtpu_chip::{Engine, Family};
use bigtpu_measure::layers::Layers;
use bigtpu_measure::{Kind, PortCommand, PortTimes, TrackCommand, TrackCommands};
use bigtpu_replay::{Cause, EngineCauses};

use super::rate::RateOfSlices;
use crate::detail::TraceDetail;
use crate::flows::track_of;
use crate::sequence::Sequence;
use crate::slice_texts::{NO_TEXTS, Texts};
use crate::stamp::{BEGIN, FIRST_OWN, NO_KEY, Numbers, Stamps, room};

/// The command whose slice is to be written.
#[derive(Clone, Copy)]
pub(super) struct Slice<'p, 'd> {
    pub(super) command: TrackCommand<'p, 'd>,
    pub(super) causes: Option<EngineCauses<'p>>,
    pub(super) layers: Option<&'p Layers>,
    pub(super) detail: TraceDetail,
    /// Of a data command of a port: what its record says, and what its time is made of.
    pub(super) port: Option<(&'p PortCommand, Option<PortTimes>)>,
}

/// What differs between slices of a kind: places in [`Numbers`].
pub(super) mod number {
    use super::FIRST_OWN;

    pub(in crate::device) const ID: usize = FIRST_OWN;
    pub(in crate::device) const INDEX: usize = FIRST_OWN + 1;
    pub(in crate::device) const BATCH: usize = FIRST_OWN + 2;
    pub(in crate::device) const SLACK: usize = FIRST_OWN + 3;
    pub(in crate::device) const WAITS_FOR: usize = FIRST_OWN + 4;
    pub(in crate::device) const RELEASED_BY: usize = FIRST_OWN + 5;
    pub(in crate::device) const LAYER_ID: usize = FIRST_OWN + 6;
    pub(in crate::device) const LAYER_NAME: usize = FIRST_OWN + 7;
    pub(in crate::device) const DEPENDENCE: usize = FIRST_OWN + 8;
    pub(in crate::device) const RATE: usize = FIRST_OWN + 9;
    pub(in crate::device) const DDR: usize = FIRST_OWN + 10;
    pub(in crate::device) const L2: usize = FIRST_OWN + 11;
    pub(in crate::device) const BYTES: usize = FIRST_OWN + 12;
    pub(in crate::device) const SOURCE: usize = FIRST_OWN + 13;
    pub(in crate::device) const DESTINATION: usize = FIRST_OWN + 14;
}

/// Least room in templates, so that few are recorded again for numbers that grow: of all commands, the last end and the
/// greatest id are known.
pub(crate) fn stamps(commands: &TrackCommands<'_, '_>, to_trace: i64) -> Stamps {
    let mut stamps = Stamps::default();
    let events = &commands.track.events;
    let last = events.end.last().map_or(0, |end| end.saturating_add(to_trace));
    stamps.least[BEGIN] = room(last.max(0).cast_unsigned());
    stamps.least[number::ID] = room(events.id.iter().max().unwrap_or(0).max(0).cast_unsigned() + 1);
    stamps.least[number::INDEX] = room(events.len() as u64);
    // Slack of a slice that waits, and interned texts that name single commands: mostly two bytes, as here.
    for number in [number::SLACK, number::WAITS_FOR, number::RELEASED_BY] {
        stamps.least[number] = 14;
    }
    stamps
}

/// What slices of a kind need not have in common.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Shape {
    /// Which of the arguments that not every slice has are there: a bit of each [`number`].
    present: u16,
    /// Kernel and mode: see [`OfTag`].
    tag: u16,
}

impl Shape {
    /// Sets an argument that not every slice has; of those below 16.
    #[inline]
    fn set(&mut self, numbers: &mut Numbers, number: usize, value: Option<u64>) {
        if let Some(value) = value {
            self.present |= 1 << number;
            numbers[number] = value;
        }
    }

    pub(super) fn has(self, number: usize) -> bool {
        self.present & 1 << number != 0
    }

    /// What slices of a kind and shape have in common, as a key of [`Stamps`].
    pub(super) fn key(self, kind: u32) -> u64 {
        if self.tag == NO_TEXTS {
            return NO_KEY;
        }
        u64::from(kind) << 32 | u64::from(self.tag) << 16 | u64::from(self.present)
    }
}

impl Slice<'_, '_> {
    /// Sets what differs from slices of the same kind; texts that are new are interned.
    #[inline]
    pub(super) fn numbers(
        &self,
        texts: &mut Texts,
        sequence: &mut Sequence,
        numbers: &mut Numbers,
    ) -> Shape {
        let TrackCommand { all, index: i, kind } = self.command;
        let mut shape = Shape::default();
        let tag = all.track.events.tag.get(i).copied().unwrap_or(0);
        let of_tag = texts.of_tag(tag, || self.command.tag());
        numbers[number::ID] = self.command.id() as u64;
        numbers[number::INDEX] = i as u64;
        let is_full = self.detail.is_full();
        shape.set(numbers, number::BATCH, of_tag.batch.filter(|_| is_full));
        shape.tag = of_tag.texts;
        if let Some(causes) = self.causes {
            shape.set(numbers, number::SLACK, causes.slack_ns(i).map(|ns| ns as u64));
            let released_by = self.released_by(causes);
            let released_by = released_by
                .map(|(cause, id)| texts.released_by(sequence, all.track.engine_id, cause, id));
            shape.set(numbers, number::RELEASED_BY, released_by);
        }
        if let Some((id, layer)) = self.layers.and_then(|l| l.of_event(all.track, i)) {
            shape.set(numbers, number::LAYER_ID, Some(id as u64));
            shape.set(numbers, number::LAYER_NAME, Some(sequence.value(&layer.name)));
        }
        if let Some(dependence) = self.command.dependence().filter(|_| is_full) {
            let field = dependence.field();
            shape.set(numbers, number::DEPENDENCE, Some(field.into()));
            let awaited = all.profile.chip.awaited_command(field);
            let awaited = awaited
                .map(|command| texts.waits_for(sequence, all.track.engine_id.engine, command));
            shape.set(numbers, number::WAITS_FOR, awaited);
        }
        if has_bandwidth(kind) {
            let transfer = self.command.transfer();
            // 0 where nothing was computed.
            let word = |gbps: Option<f64>| gbps.unwrap_or(0.0).to_bits();
            numbers[number::DDR] = word(transfer.ddr_gbps());
            numbers[number::L2] = word(transfer.l2_gbps());
            numbers[number::BYTES] = transfer.traffic.bytes;
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
    fn released_by(&self, causes: EngineCauses<'_>) -> Option<(Cause, i64)> {
        let TrackCommand { all, index: i, .. } = self.command;
        let cause = causes.cause(i).filter(|cause| cause.engine_id != all.track.engine_id)?;
        let track = track_of(all.profile, cause.engine_id)?;
        Some((cause, track.command_id(cause.event).unwrap_or(0)))
    }
}

/// Whether commands of a kind show bandwidths.
fn has_bandwidth(kind: &Kind) -> bool {
    kind.transfer.is_some() && !kind.is_named_system()
}
