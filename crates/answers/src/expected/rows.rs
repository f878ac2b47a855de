//! The rows of the table: what commands of the same kernel or layer, engine and memory took.

use bigtpu_chip::Direction;
use bigtpu_measure::{EngineTrack, Kind, Model};
use foldhash::HashMap;

use super::{Key, Sum};

/// The rows of all tracks.
#[derive(Default)]
pub(super) struct Rows<'a> {
    numbers: HashMap<Key<'a>, usize>,
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
        let mut numbers: Vec<(Key<'a>, usize)> = self.numbers.into_iter().collect();
        numbers.sort_unstable();
        let mut sums: Vec<Option<Sum>> = self.sums.into_iter().map(Some).collect();
        let sum = move |(key, number): (_, usize)| Some((key, sums.get_mut(number)?.take()?));
        numbers.into_iter().filter_map(sum)
    }
}

/// By kind of a track's commands the row of the last one: most commands of a kind have the same.
pub(super) struct LastRows<'t, 'a> {
    track: &'t EngineTrack<'t>,
    of_kinds: Vec<Option<LastRow<'a>>>,
}

#[derive(Clone, Copy)]
struct LastRow<'a> {
    tag: u32,
    layer: Option<(u64, &'a str)>,
    number: usize,
}

impl<'t, 'a> LastRows<'t, 'a> {
    pub(super) fn of(track: &'t EngineTrack<'_>) -> Self {
        Self { track, of_kinds: vec![None; track.kinds.len()] }
    }

    /// The row of an event of the track by the numbers of its kind and tag.
    #[inline]
    pub(super) fn row<'r>(
        &mut self,
        rows: &'r mut Rows<'a>,
        model: &Model<'_>,
        (kind, tag): (usize, u32),
        layer: Option<(u64, &'a str)>,
    ) -> &'r mut Sum {
        let number = match &self.of_kinds[kind] {
            Some(last) if last.tag == tag && last.layer == layer => last.number,
            _ => self.find(rows, model, (kind, tag), layer),
        };
        &mut rows.sums[number]
    }

    #[cold]
    fn find(
        &mut self,
        rows: &mut Rows<'a>,
        model: &Model<'_>,
        (kind, tag): (usize, u32),
        layer: Option<(u64, &'a str)>,
    ) -> usize {
        let direction = self.track.kinds.get(kind).and_then(Kind::direction);
        let key = Key {
            layer,
            kernel: model.tag(tag).kernel,
            engine: self.track.engine_id.engine,
            sides: direction.map(|d| [d.from as u8, d.to as u8]),
        };
        let number = rows.number(key, direction);
        self.of_kinds[kind] = Some(LastRow { tag, layer, number });
        number
    }
}
