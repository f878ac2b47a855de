//! Texts of slices that differ from slice to slice: what commands waited for, and their layers.

use bigtpu_measure::Dependence;
use bigtpu_replay::Cause;

use super::Reading;
use crate::block::Block;
use crate::device::rows::Rows;
use crate::device::shape::number;
use crate::flows::track_of;
use crate::numbers::{OF_COUNTS, OF_SIZES, ROWS};
use crate::sequence::Sequence;
use crate::slice_texts::Phrase;

/// Texts of a slice that may have to be interned.
const ORDER: [usize; 3] = [number::RELEASED_BY, number::LAYER_NAME, number::WAITS_FOR];

impl Reading<'_, '_> {
    /// Layers, where there are any. A block ends before another layer, as before a new tag.
    pub(super) fn read_layers(&mut self, rows: impl Rows, block: &mut Block) {
        let Some(layers) = self.layers else { return };
        for row in 0..block.rows {
            let layer = layers.of_event(self.commands.track, rows.event(row));
            let Some((id, _)) = layer else { continue };
            match self.layer {
                Some((known, text)) if known == id => {
                    block.numbers.set(number::LAYER_NAME, row, text);
                    self.shapes.add_one(row, number::LAYER_NAME, &OF_SIZES, text);
                }
                _ if row > 0 => {
                    block.rows = row;
                    break;
                }
                _ => self.missing.push((row, number::LAYER_NAME, None)),
            }
            block.numbers.set(number::LAYER_ID, row, id as u64);
            self.shapes.add_one(row, number::LAYER_ID, &OF_COUNTS, id as u64);
        }
        block.numbers.spread(number::LAYER_ID, block.rows);
    }

    /// What kept commands waiting: commands of other engines.
    pub(super) fn read_released_by(&mut self, rows: impl Rows, block: &mut Block) {
        let Self { commands, causes, texts, shapes, released_by, missing, .. } = self;
        let Some(causes) = causes else { return };
        let values = block.numbers.column(number::RELEASED_BY);
        let mut set = |row: usize, Cause { engine_id, event, kind }: Cause| {
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
                    shapes.add_one(row, number::RELEASED_BY, &OF_SIZES, text);
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
        let mut set = |row: usize, dependence: Dependence| {
            let field = dependence.field();
            values[row % ROWS] = field.into();
            shapes.add_one(row, number::DEPENDENCE, &OF_SIZES, field.into());
            let Some(awaited) = chip.awaited_command(field) else { return };
            let key = (Phrase::Awaited, awaited.into());
            match texts.recent(key) {
                Some(text) => {
                    awaited_texts[row % ROWS] = text;
                    shapes.add_one(row, number::WAITS_FOR, &OF_SIZES, text);
                }
                None => missing.push((row, number::WAITS_FOR, Some(key))),
            }
        };
        match rows.first() {
            Some(first) => {
                let all = commands.columns.dependences(first).take(block.rows).enumerate();
                all.for_each(|(row, of)| of.into_iter().for_each(|of| set(row, of)));
            }
            None => {
                for row in 0..block.rows {
                    let of = commands.columns.dependence(rows.event(row));
                    of.into_iter().for_each(|of| set(row, of));
                }
            }
        }
        block.numbers.spread(number::DEPENDENCE, block.rows);
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
                        .layers
                        .map(|layers| layers.of_event(self.commands.track, rows.event(row)));
                    let Some((id, layer)) = of.flatten() else { continue };
                    let text = sequence.value(&layer.name);
                    self.layer = Some((id, text));
                    text
                }
            };
            block.numbers.set(number, row, text);
            self.shapes.add_one(row, number, &OF_SIZES, text);
            block.note_fresh(row, sequence);
        }
        self.missing = missing;
        block.numbers.spread(number::RELEASED_BY, block.rows);
        block.numbers.spread(number::WAITS_FOR, block.rows);
        if self.layers.is_some() {
            block.numbers.spread(number::LAYER_NAME, block.rows);
        }
    }
}
