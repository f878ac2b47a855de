//! A track in the making: times, names and lanes of its slices, from which columns and levels of detail
//! are made.

use bigtpu_output::lanes::Lanes;
use bigtpu_timeline::Tag;
use foldhash::HashMap;

use crate::chunk::Chunk;
use crate::column::Column;
use crate::head::{TrackHead, TrackKind};
use crate::mip::{self, Slices};
use crate::names::Names;

/// Slices of a track.
#[derive(Debug, Default)]
pub(crate) struct Body {
    pub(crate) slices: Slices,
    pub(crate) names: Names,
    lanes: usize,
}

/// A finished track, before its names, texts and chunks have their places in the page.
pub(crate) struct Built {
    pub(crate) head: TrackHead,
    pub(crate) names: Names,
    /// Time by function type.
    pub(crate) totals: Totals,
    /// The track's own tags; `None` where they are its core's.
    pub(crate) own_tags: Option<Vec<Tag>>,
}

/// Number and time of slices by function type, in order of first appearance.
#[derive(Debug, Default)]
pub(crate) struct Totals {
    places: HashMap<String, usize>,
    pub(crate) types: Vec<(String, u64, i64)>,
}

impl Totals {
    /// Counts slices of `ns` together.
    pub(crate) fn add(&mut self, kind: &str, slices: u64, ns: i64) {
        let place = match self.places.get(kind) {
            Some(&place) => place,
            None => {
                self.places.insert(kind.to_owned(), self.types.len());
                self.types.push((kind.to_owned(), 0, 0));
                self.types.len() - 1
            }
        };
        if let Some((_, count, total)) = self.types.get_mut(place) {
            *count += slices;
            *total += ns;
        }
    }
}

impl Body {
    /// Adds a slice: ns since the page's start, ns, index of its name, tag.
    pub(crate) fn push(&mut self, start: i64, dur: i64, name: u32, tag: u32) {
        let slices = &mut self.slices;
        slices.start.push(start);
        slices.dur.push(dur.max(0));
        slices.name.push(name);
        slices.tag.push(tag);
    }

    /// Gives each slice its lane.
    pub(crate) fn place(&mut self, lanes: &Lanes) {
        let Lanes::Several(lanes) = lanes else { return };
        self.slices.lane = vec![0; self.slices.start.len()];
        self.lanes = lanes.len();
        for (rows, lane) in lanes.iter().zip(0..) {
            for &row in rows {
                if let Some(of) = self.slices.lane.get_mut(row as usize) {
                    *of = lane;
                }
            }
        }
    }

    /// Lanes that are known already, one a slice.
    pub(crate) fn set_lanes(&mut self, lane: Vec<u32>) {
        self.lanes = lane.iter().max().map_or(1, |&m| m as usize + 1);
        self.slices.lane = if self.lanes > 1 { lane } else { Vec::new() };
    }

    /// Columns and levels of detail; `facts` are further columns.
    pub(crate) fn build(self, kind: TrackKind, core: i64, facts: Vec<Column>) -> Built {
        let Self { mut slices, names, lanes } = self;
        slices.is_work = names.is_work();
        let mut columns =
            vec![Column::differences("start"), Column::plain("dur"), Column::plain("name")];
        if let [start, dur, name] = columns.as_mut_slice() {
            slices.start.iter().for_each(|&n| start.push(n));
            slices.dur.iter().for_each(|&n| dur.push(n));
            slices.name.iter().for_each(|&n| name.push(n.into()));
        }
        if !slices.lane.is_empty() {
            let mut lane = Column::plain("lane");
            slices.lane.iter().for_each(|&n| lane.push(n.into()));
            columns.push(lane);
        }
        let mut tag = Column::differences("tag");
        slices.tag.iter().for_each(|&n| tag.push(n.into()));
        let head = TrackHead {
            kind,
            core,
            port: None,
            of: None,
            label: None,
            side: None,
            events: slices.start.len(),
            lanes: lanes.max(1),
            sorted: slices.start.is_sorted(),
            names: Vec::new(),
            tag_base: 0,
            times: Chunk::pack(columns),
            facts: Some(Chunk::pack([tag].into_iter().chain(facts).collect())),
            fields: None,
            causes: None,
            mips: mip::levels(&slices),
        };
        Built { head, names, totals: Totals::default(), own_tags: None }
    }
}
