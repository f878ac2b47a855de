//! Commands that are alike in all that they may be grouped by, summed once for every grouping.

use std::collections::HashMap;
use std::ops::Range;

use bigtpu_timeline::{Place, Tag};
use foldhash::fast::RandomState;
use rayon::prelude::*;

use crate::{EngineTrack, Kind};

use crate::model::Model;

/// Commands of one track, kind, kernel, batch and mode. System commands are in none.
#[derive(Debug, Clone)]
pub struct Cell<'a> {
    pub place: Place,
    pub kind: &'a Kind,
    /// Its scope is left out.
    pub tag: Tag,
    /// Bytes moved.
    pub bytes: u64,
    /// Sum of the durations in ns.
    pub total_ns: i64,
    durations: Range<usize>,
}

/// One track's cells.
#[derive(Debug, Clone)]
struct TrackCells<'a> {
    cells: Vec<Cell<'a>>,
    /// ns, cell by cell, in order within each.
    durations: Vec<i64>,
}

/// All cells of a model.
#[derive(Debug, Clone)]
pub struct Cells<'a> {
    tracks: Vec<TrackCells<'a>>,
}

impl<'a> Cells<'a> {
    /// Of all tracks, in parallel.
    pub fn of(model: &Model<'a>) -> Self {
        let tags = ScopelessTags::of(model.tags);
        Self { tracks: model.tracks.par_iter().map(|t| TrackCells::of(model, t, &tags)).collect() }
    }

    /// Each cell with the durations of its commands in ns, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&Cell<'a>, &[i64])> {
        self.tracks.iter().flat_map(|track| {
            track.cells.iter().map(|cell| {
                let durations = track.durations.get(cell.durations.clone());
                (cell, durations.unwrap_or_default())
            })
        })
    }
}

impl<'a> TrackCells<'a> {
    fn of(model: &Model<'a>, track: &EngineTrack<'a>, tags: &ScopelessTags) -> Self {
        let work = || model.events(track).filter(|e| e.kind.activity.is_work());
        let mut known: HashMap<(u32, u32), u32, RandomState> = HashMap::default();
        let mut cells: Vec<Cell<'a>> = Vec::new();
        // Which cell each command is in, and how many each cell holds.
        let mut members: Vec<u32> = Vec::with_capacity(track.len());
        let mut counts: Vec<usize> = Vec::new();
        for event in work() {
            let kind = track.columns.kind.get(event.index).copied().unwrap_or(0);
            let tag = tags.number(event.tag);
            let number = *known.entry((kind, tag)).or_insert_with(|| {
                cells.push(Cell {
                    place: track.place,
                    kind: event.kind,
                    tag: tags.tag(tag),
                    bytes: 0,
                    total_ns: 0,
                    durations: 0..0,
                });
                counts.push(0);
                (cells.len() - 1) as u32
            });
            let cell = &mut cells[number as usize];
            cell.bytes += event.bytes;
            cell.total_ns += event.ns();
            counts[number as usize] += 1;
            members.push(number);
        }
        let mut first = 0;
        for (cell, count) in cells.iter_mut().zip(counts) {
            cell.durations = first..first;
            first += count;
        }
        let mut durations = vec![0; first];
        for (event, number) in work().zip(members) {
            let next = &mut cells[number as usize].durations.end;
            durations[*next] = event.ns();
            *next += 1;
        }
        for cell in &cells {
            if let Some(durations) = durations.get_mut(cell.durations.clone()) {
                durations.sort_unstable();
            }
        }
        Self { cells, durations }
    }
}

/// Tags by what is left of them without their scopes: every launch has a tag of its own.
struct ScopelessTags {
    numbers: Vec<u32>,
    tags: Vec<Tag>,
}

impl ScopelessTags {
    fn of(all: &[Tag]) -> Self {
        let mut known: HashMap<Tag, u32, RandomState> = HashMap::default();
        let mut tags = Vec::new();
        let numbers = all.iter().map(|tag| {
            let tag = Tag { scope: None, ..*tag };
            *known.entry(tag).or_insert_with(|| {
                tags.push(tag);
                (tags.len() - 1) as u32
            })
        });
        Self { numbers: numbers.collect(), tags }
    }

    fn number(&self, tag: u32) -> u32 {
        self.numbers.get(tag as usize).copied().unwrap_or(0)
    }

    fn tag(&self, number: u32) -> Tag {
        self.tags.get(number as usize).copied().unwrap_or_default()
    }
}
