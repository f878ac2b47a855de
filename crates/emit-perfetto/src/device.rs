//! Slices of the device's engines.

mod kinds;
mod rate;
mod reading;
mod rows;
mod shape;
mod sides;
mod slice;
mod tags;
mod write;

use std::sync::Arc;

use bigtpu_answers::StepSpans;
use bigtpu_measure::layers::Layers;
use bigtpu_measure::{ByteCounts, CommandKind, TrackCommands};
use bigtpu_replay::EngineCauses;
use bigtpu_timeline::Profile;

use crate::block::Block;
use crate::detail::TraceDetail;
use crate::event_flows::TrackFlows;
use crate::interned::Vocabulary;
use crate::layer_names::LayerNames;
use crate::numbers::ROWS;
use crate::room::{Packets, Room};
use crate::sequence::{Ending, Sequence, SliceOf};
use crate::source::Source;
use crate::stamp::Stamps;
use crate::step_told::StepTold;
use crate::template::Templates;
use crate::widths::AllWidths;

use kinds::Shows;
pub(crate) use rate::RateOfSlices;
use reading::{Reading, ReadingOf};
use rows::{Following, OfLane, Rows};
use slice::Slice;
use tags::TagTexts;

/// What the slices of all of a device's engines share.
pub(crate) struct SharedBySlices {
    vocabulary: Arc<Vocabulary>,
    widths: Arc<AllWidths>,
    templates: Arc<Templates>,
    shows: Arc<[Shows]>,
    counts: Arc<[ByteCounts]>,
    tag_texts: Arc<TagTexts>,
}

impl SharedBySlices {
    pub(crate) fn new(
        profile: &Profile<'_>,
        kinds: &[CommandKind],
        units: Units<'_>,
        detail: TraceDetail,
    ) -> Self {
        // bigTpuProfile tells no blocks.
        let of_blocks = units.layers.filter(|_| !detail.repeats());
        let vocabulary = write::vocabulary(profile, kinds, of_blocks, detail);
        let widths = Arc::new(shape::widths(profile, &vocabulary, units.steps));
        let shows = kinds.iter().map(|kind| Shows::new(profile, kind)).collect();
        let counts = kinds.iter().map(|kind| Shows::counts(profile, kind)).collect();
        let tag_texts = Arc::new(TagTexts::new(profile, of_blocks, &vocabulary));
        let (vocabulary, templates) = (Arc::new(vocabulary), Arc::default());
        Self { vocabulary, widths, templates, shows, counts, tag_texts }
    }
}

/// One lane of an engine's slices.
pub(crate) struct SliceSource<'p, 'd> {
    commands: TrackCommands<'p, 'd>,
    /// Events of the lane in time order; `None`: all, as they are.
    rows: Option<&'p [u32]>,
    at: usize,
    flows: &'p TrackFlows,
    detail: TraceDetail,
    sequence: Sequence,
    stamps: Stamps,
    reading: Reading<'p, 'd>,
    block: Block,
}

/// What the commands of a run belong to: layers of a static model, steps.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Units<'p> {
    pub(crate) layers: Option<&'p Layers>,
    /// Layers that are told by their names alone.
    pub(crate) layer_names: &'p LayerNames,
    pub(crate) steps: Option<&'p StepSpans>,
    /// Queries look up what slices don't tell.
    pub(crate) looks_up: bool,
    /// Queries find the step of a slice by its start, as [`StepSpans::number_at`] does: only slices of another step tell it.
    pub(crate) finds_steps: bool,
}

impl Units<'_> {
    /// What a slice that starts then (ns) tells of its step, given by its number.
    pub(crate) fn step_told(self, number: Option<u64>, start_ns: i64) -> StepTold {
        if !self.looks_up {
            return number.map_or(StepTold::Nothing, StepTold::Number);
        }
        let found = self.steps.and_then(|steps| steps.number_at(start_ns));
        match number {
            Some(number) if self.finds_steps && found == Some(number) => StepTold::Nothing,
            Some(number) => StepTold::Number(number),
            None if found.is_some() => StepTold::Absence,
            None => StepTold::Nothing,
        }
    }
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
    pub(crate) units: Units<'p>,
    pub(crate) detail: TraceDetail,
    /// Where the engine's rate comes with its slices.
    pub(crate) rate: Option<RateOfSlices>,
}

impl<'p, 'd> SliceSource<'p, 'd> {
    pub(crate) fn new(lane: LaneOf<'p, 'd>, shared: &SharedBySlices, sequence: Sequence) -> Self {
        let LaneOf { commands, offset, rows, flows, causes, units, detail, rate } = lane;
        let reading = Reading::new(ReadingOf {
            commands,
            offset,
            causes,
            units,
            detail,
            rate,
            shows: Arc::clone(&shared.shows),
            counts: Arc::clone(&shared.counts),
            tag_texts: Arc::clone(&shared.tag_texts),
            widths: Arc::clone(&shared.widths),
        });
        Self {
            commands,
            rows,
            at: 0,
            flows,
            detail,
            sequence: sequence.with_vocabulary(&shared.vocabulary),
            stamps: Stamps::new(Arc::clone(&shared.widths), Arc::clone(&shared.templates)),
            reading,
            block: Block::new(),
        }
    }

    /// Appends the slices of the first of some rows. Returns how many they are; 0 where the track has no such events.
    fn block(&mut self, room: &mut Room<'_>, rows: impl Rows) -> usize {
        let Self { commands, flows, detail, sequence, stamps, reading, block, .. } = self;
        reading.read(sequence, rows, block);
        let Reading { shapes, idle_behind, shows, counts, doubts, .. } = reading;
        let of = |row: usize| {
            let (flows, behind) = flows.of_event(rows.event(row));
            let ending = if idle_behind[row % ROWS] { Ending::Zero } else { Ending::Nothing };
            SliceOf { flows, ending, behind }
        };
        sequence.slices(room, stamps, block, of, |row, args, numbers| {
            if let (Some(command), Some(shape)) =
                (commands.get(rows.event(row)), shapes.all.get(row))
            {
                let port = command.port();
                let kind = commands.columns.columns.kind.get(command.index);
                let kind = kind.map_or(0, |kind| *kind as usize);
                let shows = shows.get(kind).copied().unwrap_or_default();
                let counts = counts.get(kind).copied().unwrap_or(ByteCounts::ByRecord);
                let (detail, doubt) = (*detail, doubts.get(command.index));
                let looks_up = reading.units.looks_up;
                Slice { command: &command, detail, looks_up, shows, counts, port: &port, doubt }
                    .write(*shape, args, numbers);
            }
        });
        block.rows
    }
}

impl Source for SliceSource<'_, '_> {
    fn is_of_commands(&self) -> bool {
        true
    }

    fn fill(&mut self, out: &mut Packets) -> usize {
        let all = self.rows.map_or(self.commands.len(), <[u32]>::len);
        let from = self.at;
        let until = all.min(from + self.detail.piece());
        out.reserve((until - from) * SLICE_BYTES);
        let mut room = Room::for_many(out);
        // Texts of ports' commands, and of how well a command is known, are interned while these are written.
        let has_texts = self.commands.port.is_some() || !self.reading.doubts.is_empty();
        let most = if has_texts { 1 } else { ROWS };
        while self.at < until {
            let count = most.min(until - self.at);
            let first = self.at;
            let written = match self.rows {
                None => self.block(&mut room, Following { first, count }),
                Some(rows) => {
                    let rows = rows.get(first..first + count).unwrap_or_default();
                    self.block(&mut room, OfLane(rows))
                }
            };
            match written {
                0 => self.at = until,
                written => self.at += written,
            }
        }
        until - from
    }
}

/// Bytes of a slice, about: memory for a piece is taken at once.
const SLICE_BYTES: usize = 288;
