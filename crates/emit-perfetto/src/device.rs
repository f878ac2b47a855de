//! Slices of the device's engines.

mod rate;
mod sides;
mod slice;
mod write;

use std::sync::Arc;

use bigtpu_measure::layers::Layers;
use bigtpu_measure::{Kind, TrackCommands};
use bigtpu_replay::EngineCauses;
use bigtpu_timeline::Profile;

use crate::detail::TraceDetail;
use crate::flows::{FlowPoint, TrackFlows};
use crate::interned::Vocabulary;
use crate::sequence::{Sequence, SliceFlows, SliceOf};
use crate::slice_texts::Texts;
use crate::source::{PIECE, Source};
use crate::stamp::{AllWidths, MOST_NUMBERS, NO_KEY, Stamps, Templates};

pub(crate) use rate::RateOfSlices;
use slice::Slice;

/// What the slices of all of a device's engines share.
pub(crate) struct SharedBySlices {
    vocabulary: Arc<Vocabulary>,
    widths: Arc<AllWidths>,
    templates: Arc<Templates>,
}

impl SharedBySlices {
    pub(crate) fn of(profile: &Profile<'_>, kinds: &[Kind], detail: TraceDetail) -> Self {
        let vocabulary = write::vocabulary(profile, kinds, detail);
        let widths = Arc::new(slice::widths(profile, &vocabulary));
        Self { vocabulary: Arc::new(vocabulary), widths, templates: Arc::default() }
    }

    /// A sequence whose slices can be copies of other tracks' templates.
    pub(crate) fn on(&self, sequence: Sequence) -> Sequence {
        sequence.with_vocabulary(&self.vocabulary)
    }

    /// Templates of a track.
    pub(crate) fn stamps(&self) -> Stamps {
        Stamps::new(Arc::clone(&self.widths), Arc::clone(&self.templates))
    }
}

/// One lane of an engine's slices.
pub(crate) struct SliceSource<'p, 'd> {
    pub(crate) commands: TrackCommands<'p, 'd>,
    pub(crate) offset: i64,
    /// Events of the lane in time order; `None`: all, as they are.
    pub(crate) rows: Option<&'p [u32]>,
    pub(crate) at: usize,
    pub(crate) flows: &'p TrackFlows,
    pub(crate) causes: Option<EngineCauses<'p>>,
    pub(crate) layers: Option<&'p Layers>,
    pub(crate) detail: TraceDetail,
    pub(crate) sequence: Sequence,
    pub(crate) stamps: Stamps,
    pub(crate) texts: Texts,
    /// Where the engine's rate comes with its slices.
    pub(crate) rate: Option<RateOfSlices>,
}

impl Source for SliceSource<'_, '_> {
    fn is_of_commands(&self) -> bool {
        true
    }

    fn fill(&mut self, out: &mut Vec<u8>) -> usize {
        let all = self.rows.map_or(self.commands.len(), <[u32]>::len);
        let until = all.min(self.at + PIECE);
        out.reserve((until - self.at) * SLICE_BYTES);
        let (mut numbers, mut slice_flows) = ([0; MOST_NUMBERS], SliceFlows::default());
        for place in self.at..until {
            let i = self.rows.map_or(place, |rows| rows[place] as usize);
            let Some(command) = self.commands.get(i) else { continue };
            let (start, end) = (command.start() + self.offset, command.end() + self.offset);
            let Some(kind) = command.kind_number() else { continue };
            let Self { causes, layers, detail, sequence, stamps, texts, rate, .. } = self;
            let flows = self.flows.of_event(i);
            slice_flows.clear();
            let mut ends_behind = false;
            for flow in flows {
                match flow.point() {
                    FlowPoint::Start => slice_flows.start(flow.number()),
                    FlowPoint::End => slice_flows.end(flow.number()),
                    FlowPoint::EndBehind => ends_behind = true,
                }
            }
            let port = command.port();
            let (causes, layers, detail) = (causes.as_ref(), *layers, *detail);
            let slice = Slice { command: &command, causes, layers, detail, port: &port };
            let mut shape = slice.numbers(texts, sequence, &mut numbers);
            let ends_count =
                rate.as_mut().is_some_and(|rate| slice.count(rate, &mut shape, &mut numbers));
            // Times of ports are in no template: few commands are of ports.
            let key = if port.is_some() { NO_KEY } else { shape.key(kind) };
            let of = SliceOf { key, start, end, flows: &slice_flows, ends_count };
            sequence.slice(out, stamps, of, &numbers, |args, numbers| {
                slice.write(shape, args, numbers);
            });
            if ends_behind {
                self.sequence.instant(out, end, RELEASED, "sys", |args| {
                    let behind = flows.iter().filter(|flow| flow.point() == FlowPoint::EndBehind);
                    behind.for_each(|flow| args.flow_end(flow.number()));
                });
            }
        }
        let done = until - self.at;
        self.at = until;
        done
    }
}

/// Bytes of a slice, about: memory for a piece is taken at once.
const SLICE_BYTES: usize = 288;

/// Name of the mark at a wait's end where flows end because no command follows.
const RELEASED: &str = "released";
