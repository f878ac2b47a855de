//! The rows of the table: what commands of the same kernel or layer, engine and memory took.

use std::collections::BTreeMap;

use bigtpu_chip::{Direction, Engine};
use bigtpu_measure::{EngineTrack, Event, Model};

use super::{Key, Sum};

/// The rows of all tracks.
#[derive(Default)]
pub(super) struct Rows<'a> {
    numbers: BTreeMap<Key<'a>, usize>,
    sums: Vec<Sum>,
}

impl<'a> Rows<'a> {
    fn number(&mut self, key: Key<'a>, direction: Option<Direction>) -> usize {
        *self.numbers.entry(key).or_insert_with(|| {
            self.sums.push(Sum::new(direction));
            self.sums.len() - 1
        })
    }

    /// In the order of their keys.
    pub(super) fn sorted(self) -> impl Iterator<Item = (Key<'a>, Sum)> {
        let mut sums: Vec<Option<Sum>> = self.sums.into_iter().map(Some).collect();
        let sum = move |(key, number): (_, usize)| Some((key, sums.get_mut(number)?.take()?));
        self.numbers.into_iter().filter_map(sum)
    }
}

/// By kind of a track's commands the row of the last one: most commands of a kind have the same.
pub(super) struct LastRows<'a> {
    engine: Engine,
    of_kinds: Vec<Option<LastRow<'a>>>,
}

#[derive(Clone, Copy)]
struct LastRow<'a> {
    tag: u32,
    layer: Option<(u64, &'a str)>,
    number: usize,
}

impl<'a> LastRows<'a> {
    pub(super) fn of(track: &EngineTrack<'_>) -> Self {
        Self { engine: track.engine_id.engine, of_kinds: vec![None; track.kinds.len()] }
    }

    /// The row of an event, which is of the track.
    pub(super) fn row<'r>(
        &mut self,
        rows: &'r mut Rows<'a>,
        model: &Model<'_>,
        event: &Event<'_>,
        layer: Option<(u64, &'a str)>,
    ) -> &'r mut Sum {
        let tag = event.tag();
        let last = &mut self.of_kinds[event.kind_number()];
        let number = match last {
            Some(last) if last.tag == tag && last.layer == layer => last.number,
            _ => {
                let direction = event.kind.direction();
                let key = Key {
                    layer,
                    kernel: model.tag(tag).kernel,
                    engine: self.engine,
                    sides: direction.map(|d| [d.from as u8, d.to as u8]),
                };
                let number = rows.number(key, direction);
                last.insert(LastRow { tag, layer, number }).number
            }
        };
        &mut rows.sums[number]
    }
}
