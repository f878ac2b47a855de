//! Texts of slices that differ from slice to slice: what commands waited for, and their layers.

use bigtpu_measure::Dependence;
use bigtpu_replay::WaitCause;

use super::Reading;
use crate::block::Block;
use crate::device::rows::Rows;
use crate::device::shape::number;
use crate::flows::track_of;
use crate::numbers::ROWS;
use crate::sequence::Sequence;
use crate::slice_texts::Phrase;
use crate::spread::NARROW_BITS;
use crate::widths::{OF_COUNTS, OF_SIZES};

/// Texts of a slice that may have to be interned.
const ORDER: [usize; 3] = [number::RELEASED_BY, number::LAYER_NAME, number::WAITS_FOR];

impl Reading<'_, '_> {
    /// Layers, where there are any. A block ends before another layer, as before a new tag.
    pub(super) fn read_layers(
        &mut self,
        sequence: &mut Sequence,
        rows: impl Rows,
        block: &mut Block,
    ) {
        let Some(layers) = self.units.layers else { return };
        block.numbers.column(number::BLOCK).fill(0);
        block.numbers.column(number::LAYER_ID).fill(0);
        block.numbers.column(number::LAYER_NAME).fill(0);
        for row in 0..block.rows {
            let layer = layers.of_event(self.commands.track, rows.event(row));
            let Some((id, _)) = layer else { continue };
            match self.layer {
                Some((known, text)) if known == id => {
                    let number = (number::LAYER_NAME, row);
                    self.shapes.set(&mut block.numbers, number, &OF_SIZES, text);
                }
                _ if row > 0 => {
                    block.rows = row;
                    break;
                }
                _ => self.missing.push((row, number::LAYER_NAME, None)),
            }
            if self.units.layer_names.suffice(id) {
                continue;
            }
            let number = (number::LAYER_ID, row);
            self.shapes.set(&mut block.numbers, number, &OF_COUNTS, id as u64);
            if let Some(text) = self.tag_texts.block(id) {
                // Another layer is the first of its block: the sequence knows the text behind it.
                if row == 0 {
                    sequence.use_value(text.into());
                }
                let widths = &self.widths[number::BLOCK];
                self.shapes.set(&mut block.numbers, (number::BLOCK, row), widths, text.into());
            }
        }
        block.numbers.spread(number::BLOCK, block.rows);
        let number = (number::LAYER_ID, block.rows);
        self.shapes.finish(&mut block.numbers, number, &OF_COUNTS, false);
    }

    /// What kept commands waiting: commands of other engines.
    pub(super) fn read_released_by(&mut self, rows: impl Rows, block: &mut Block) {
        let Self { commands, causes, texts, shapes, released_by, missing, .. } = self;
        let Some(causes) = causes else { return };
        let values = block.numbers.column(number::RELEASED_BY);
        values.fill(0);
        let mut set = |row: usize, WaitCause { engine_id, event, kind }: WaitCause| {
            let track = match released_by {
                Some(track) if track.engine_id == engine_id => track,
                _ => {
                    let Some(found) = track_of(commands.profile, engine_id) else { return };
                    *released_by = Some(found);
                    found
                }
            };
            let id = track.command_id(event).unwrap_or(0);
            let key = (Phrase::Released(engine_id, kind), id);
            match texts.recent(key) {
                Some(text) => {
                    values[row % ROWS] = text;
                    shapes.all[row % ROWS].add(number::RELEASED_BY);
                }
                None => missing.push((row, number::RELEASED_BY, Some(key))),
            }
        };
        match rows.first() {
            Some(first) => causes.foreign_causes(first..first + block.rows, |event, cause| {
                set(event - first, cause);
            }),
            None => {
                for row in 0..block.rows {
                    causes.foreign_cause(rows.event(row)).into_iter().for_each(|c| set(row, c));
                }
            }
        }
    }

    /// What commands wait for by the ids of others.
    pub(super) fn read_dependences(&mut self, rows: impl Rows, block: &mut Block) {
        if !self.is_full {
            return;
        }
        let Self { commands, texts, shapes, missing, .. } = self;
        let chip = commands.profile.chip;
        let columns = block.numbers.columns([], [number::DEPENDENCE, number::WAITS_FOR]);
        let Some(([], [values, awaited_texts])) = columns else { return };
        values.fill(0);
        awaited_texts.fill(0);
        let fields = &mut Vec::new();
        let fields = rows.column(commands.columns.dependences(), fields);
        let fields = fields.get(..block.rows.min(fields.len())).unwrap_or_default();
        let mut all = 0;
        for ((field, value), shape) in fields.iter().zip(&mut *values).zip(&mut shapes.all) {
            let has = *field != Dependence::ABSENT;
            *value = if has { *field } else { 0 };
            all |= *value;
            shape.add_if(number::DEPENDENCE, has);
        }
        // Of chips without a bit that enables them.
        let any_number = chip.awaited_command(1).is_some();
        for (row, field) in values.iter().enumerate().take(fields.len()) {
            let Some(field) = Dependence::of_column(*field) else { continue };
            let awaited = field.number();
            if awaited == 0 || !(any_number || field.is_enabled()) {
                continue;
            }
            let key = (Phrase::Awaited, awaited.into());
            match texts.recent(key) {
                Some(text) => {
                    awaited_texts[row % ROWS] = text;
                    shapes.all[row % ROWS].add(number::WAITS_FOR);
                }
                None => missing.push((row, number::WAITS_FOR, Some(key))),
            }
        }
        let numbers = &mut block.numbers;
        if all >> NARROW_BITS != 0 {
            let fields = fields.iter().enumerate();
            for (row, field) in fields.filter(|(_, field)| **field != Dependence::ABSENT) {
                shapes.set(numbers, (number::DEPENDENCE, row), &OF_SIZES, u64::from(*field));
            }
        }
        shapes.finish(numbers, (number::DEPENDENCE, block.rows), &OF_SIZES, false);
    }

    /// Interns texts that slices need, slice by slice, and of a slice in the order of its arguments.
    pub(super) fn read_missing(
        &mut self,
        sequence: &mut Sequence,
        rows: impl Rows,
        block: &mut Block,
    ) {
        let mut missing = std::mem::take(&mut self.missing);
        missing.sort_by_key(|(row, number, _)| (*row, ORDER.iter().position(|n| n == number)));
        for (row, number, key) in missing.drain(..) {
            let text = match key {
                Some(key) => self.texts.id(sequence, key),
                None => {
                    let of = self
                        .units
                        .layers
                        .map(|layers| layers.of_event(self.commands.track, rows.event(row)));
                    let Some((id, layer)) = of.flatten() else { continue };
                    let text = sequence.value(layer.label(id as u64).as_str());
                    self.layer = Some((id, text));
                    text
                }
            };
            self.shapes.set(&mut block.numbers, (number, row), &OF_SIZES, text);
            block.note_fresh(row, sequence);
        }
        self.missing = missing;
        let texts = [
            (number::RELEASED_BY, self.causes.is_some()),
            (number::WAITS_FOR, self.is_full),
            (number::LAYER_NAME, self.units.layers.is_some()),
        ];
        for (number, _) in texts.into_iter().filter(|(_, are_read)| *are_read) {
            self.shapes.finish(&mut block.numbers, (number, block.rows), &OF_SIZES, false);
        }
    }
}
