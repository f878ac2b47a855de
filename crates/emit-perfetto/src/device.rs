//! Slices of the device's engines.

mod kinds;
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
use crate::event_flows::TrackFlows;
use crate::interned::Vocabulary;
use crate::numbers::AllWidths;
use crate::sequence::{Ending, Sequence, SliceOf};
use crate::source::{PIECE, Source};
use crate::stamp::{NO_KEY, Stamps};
use crate::template::Templates;

use kinds::Shows;
pub(crate) use rate::RateOfSlices;
use slice::{Numbering, Slice, TagTexts};

/// What the slices of all of a device's engines share.
pub(crate) struct SharedBySlices {
    vocabulary: Arc<Vocabulary>,
    widths: Arc<AllWidths>,
    templates: Arc<Templates>,
    shows: Arc<[Shows]>,
    tag_texts: Arc<TagTexts>,
}

impl SharedBySlices {
    pub(crate) fn of(profile: &Profile<'_>, kinds: &[Kind], detail: TraceDetail) -> Self {
        let vocabulary = write::vocabulary(profile, kinds, detail);
        let widths = Arc::new(slice::widths(profile, &vocabulary));
        let shows = kinds.iter().map(|kind| Shows::of(profile, kind)).collect();
        let tag_texts = Arc::new(TagTexts::of(profile, &vocabulary));
        let (vocabulary, templates) = (Arc::new(vocabulary), Arc::default());
        Self { vocabulary, widths, templates, shows, tag_texts }
    }
}

/// One lane of an engine's slices.
pub(crate) struct SliceSource<'p, 'd> {
    commands: TrackCommands<'p, 'd>,
    offset: i64,
    /// Events of the lane in time order; `None`: all, as they are.
    rows: Option<&'p [u32]>,
    at: usize,
    flows: &'p TrackFlows,
    detail: TraceDetail,
    sequence: Sequence,
    stamps: Stamps,
    numbering: Numbering<'p, 'd>,
    /// Where the engine's rate comes with its slices.
    rate: Option<RateOfSlices>,
}

/// What a source of slices is made from.
pub(crate) struct LaneOf<'p, 'd> {
    pub(crate) commands: TrackCommands<'p, 'd>,
    /// Added to its times, in ns.
    pub(crate) offset: i64,
    /// Events of the lane in time order; `None`: all, as they are.
    pub(crate) rows: Option<&'p [u32]>,
    pub(crate) flows: &'p TrackFlows,
    pub(crate) causes: Option<EngineCauses<'p>>,
    pub(crate) layers: Option<&'p Layers>,
    pub(crate) detail: TraceDetail,
    /// Where the engine's rate comes with its slices.
    pub(crate) rate: Option<RateOfSlices>,
}

impl<'p, 'd> SliceSource<'p, 'd> {
    pub(crate) fn new(lane: LaneOf<'p, 'd>, shared: &SharedBySlices, sequence: Sequence) -> Self {
        let LaneOf { commands, offset, rows, flows, causes, layers, detail, rate } = lane;
        let of_device = (Arc::clone(&shared.shows), Arc::clone(&shared.tag_texts));
        Self {
            commands,
            offset,
            rows,
            at: 0,
            flows,
            detail,
            sequence: sequence.with_vocabulary(&shared.vocabulary),
            stamps: Stamps::new(Arc::clone(&shared.widths), Arc::clone(&shared.templates)),
            numbering: Numbering::new(commands, causes, layers, detail, of_device),
            rate,
        }
    }

    /// Appends the slice of an event; nothing where the track has no such event.
    #[inline]
    fn slice(&mut self, out: &mut Vec<u8>, i: usize) -> Option<()> {
        let Self { commands, flows, sequence, stamps, numbering, detail, .. } = self;
        let events = &commands.track.events;
        let (start, end) = (*events.start.get(i)?, *events.end.get(i)?);
        let kind = *commands.columns.columns.kind.get(i)?;
        let (mut shape, value) = numbering.set(sequence, i, kind, *events.tag.get(i)?);
        let counts_zero = match &mut self.rate {
            Some(rate) => numbering.count(rate, &mut shape, value, i, (start, end)),
            None => false,
        };
        let (begins, behind) = flows.of_event(i);
        // Times of ports are in no template: few commands are of ports.
        let is_of_port = commands.port.is_some_and(|port| port.of_event(i).is_some());
        let of = SliceOf {
            key: if is_of_port { NO_KEY } else { shape.key(kind) },
            start: start + self.offset,
            end: end + self.offset,
            flows: begins,
            ending: if counts_zero { Ending::Zero } else { Ending::Nothing },
        };
        sequence.slice(out, stamps, of, &numbering.numbers, |args, numbers| {
            if let Some(command) = commands.get(i) {
                let port = command.port();
                Slice { command: &command, detail: *detail, port: &port }
                    .write(shape, args, numbers);
            }
        });
        if !behind.is_empty() {
            sequence.instant(out, end + self.offset, RELEASED, "sys", |args| {
                behind.iter().for_each(|flow| args.flow_end(flow.number()));
            });
        }
        Some(())
    }
}

impl Source for SliceSource<'_, '_> {
    fn is_of_commands(&self) -> bool {
        true
    }

    fn fill(&mut self, out: &mut Vec<u8>) -> usize {
        let all = self.rows.map_or(self.commands.len(), <[u32]>::len);
        let from = self.at;
        let until = all.min(from + PIECE);
        out.reserve((until - from) * SLICE_BYTES);
        match self.rows {
            None => (from..until).for_each(|i| _ = self.slice(out, i)),
            Some(rows) => {
                let rows = rows.get(from..until).unwrap_or_default();
                rows.iter().for_each(|row| _ = self.slice(out, *row as usize));
            }
        }
        self.at = until;
        until - from
    }
}

/// Bytes of a slice, about: memory for a piece is taken at once.
const SLICE_BYTES: usize = 288;

/// Name of the mark at a wait's end where flows end because no command follows.
const RELEASED: &str = "released";
