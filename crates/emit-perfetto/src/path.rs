//! The stretches of the critical path as slices.

use std::sync::Arc;

use bigtpu_answers::StepSpans;
use bigtpu_measure::layers::Layers;
use bigtpu_replay::{Reason, Segment, Segments};
use bigtpu_scene::Cut;
use bigtpu_timeline::{EngineEvents, EngineId, Profile};

use crate::block::Block;
use crate::device::Units;
use crate::event_flows::{EventFlow, FlowPoint};
use crate::flows::{Flows, PathPoint, track_of};
use crate::names::Arg;
use crate::numbers::ROWS;
use crate::room::{PIECE, Packets, Room};
use crate::sequence::{Ending, Sequence, SliceOf};
use crate::source::Source;
use crate::stamp::Stamps;
use crate::step_told::StepTold;
use crate::widths::{MOST_NUMBERS, OF_SIZES, Widths};

/// The stretches of the critical path.
pub(crate) struct PathSource<'p, 'd> {
    /// Added to times of the profile.
    offset: i64,
    segments: Segments<'p>,
    /// How many segments were looked at.
    at: usize,
    /// How many are looked at in a turn.
    piece: usize,
    profile: &'p Profile<'d>,
    units: Units<'p>,
    flows: &'p Flows,
    stamps: Stamps,
    texts: PathTexts,
    /// The engine that the path went through last.
    track: Option<&'p EngineEvents<'d>>,
    /// Only what runs then is written.
    cut: Option<&'p Cut>,
    sequence: Sequence,
    block: Block,
    next: Next,
}

/// Stretches that come next, column by column.
#[derive(Default)]
struct Next {
    /// ns on the profile's time line.
    starts: Vec<i64>,
    /// ns on the profile's time line.
    ends: Vec<i64>,
    all: Vec<Stretch>,
}

/// What is shown of a stretch, without its times.
#[derive(Debug, Clone, Copy)]
struct Stretch {
    engine_id: EngineId,
    event: u32,
    owner: Option<Owner>,
    /// What it tells of the step in which its command begins.
    step: StepTold,
    reason: Reason,
    /// The one that starts where it begins, or ends at its end.
    flow: Option<EventFlow>,
}

/// What a stretch belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Owner {
    /// A kernel, by its number.
    Kernel(u32),
    /// A layer of a static model, by its place.
    Layer(u32),
}

/// Interning ids of what the path belongs to: kernels, then layers, then the blocks of the layers; 0 where it is not interned yet.
#[derive(Debug)]
struct PathTexts {
    ids: Vec<u64>,
    kernels: usize,
    layers: usize,
}

impl PathTexts {
    fn new(kernels: usize, layers: usize) -> Self {
        Self { ids: vec![0; kernels + 2 * layers], kernels, layers }
    }

    /// `None` for no kernel or layer of the run.
    #[inline]
    fn place(&self, owner: Owner) -> Option<usize> {
        let place = match owner {
            Owner::Kernel(kernel) => Some(kernel as usize).filter(|at| *at < self.kernels),
            Owner::Layer(layer) => {
                Some(layer as usize).filter(|at| *at < self.layers).map(|at| self.kernels + at)
            }
        };
        place.filter(|place| *place < self.ids.len())
    }

    /// The id of an owner's name, if it has one yet.
    #[inline]
    fn known(&self, owner: Owner) -> Option<u64> {
        self.ids.get(self.place(owner)?).copied().filter(|id| *id != 0)
    }

    /// The id of the name of an owner's block; 0 where it has none.
    #[inline]
    fn block(&self, owner: Option<Owner>) -> u64 {
        let Some(place @ Owner::Layer(_)) = owner else { return 0 };
        let id = self.place(place).and_then(|place| self.ids.get(place + self.layers));
        id.copied().unwrap_or(0)
    }

    /// The id of an owner's name, which is interned with the name of its block where it has none; `None` for an owner
    /// that the run does not have.
    fn id(
        &mut self,
        sequence: &mut Sequence,
        owner: Owner,
        kernels: &[String],
        layers: Option<&Layers>,
    ) -> Option<u64> {
        let place = self.place(owner)?;
        let id = self.ids.get_mut(place)?;
        let mut of_block = None;
        if *id == 0 {
            *id = match owner {
                Owner::Kernel(kernel) => sequence.value(kernels.get(kernel as usize)?),
                Owner::Layer(layer) => {
                    let of = layers?.layers.get(layer as usize)?;
                    let name = sequence.value(of.label(u64::from(layer) + 1).as_str());
                    let block = layers?.block(layer as usize + 1);
                    of_block = block.map(|block| sequence.value(block));
                    name
                }
            };
        }
        let id = *id;
        if let Some((own, of_block)) = self.ids.get_mut(place + self.layers).zip(of_block) {
            *own = of_block;
        }
        Some(id)
    }
}

/// What differs between stretches: places in [`Numbers`](crate::numbers::Numbers).
mod number {
    pub(super) const EVENT: usize = 0;
    pub(super) const OWNER: usize = 1;
    pub(super) const LAYER_ID: usize = 2;
    pub(super) const BLOCK: usize = 3;
    pub(super) const STEP: usize = 4;
    pub(super) const ALL: [usize; 5] = [EVENT, OWNER, LAYER_ID, BLOCK, STEP];
}

/// Templates of the critical path.
fn path_stamps(profile: &Profile<'_>, units: Units<'_>, layers: usize) -> Stamps {
    let mut widths = [(); MOST_NUMBERS].map(|()| OF_SIZES.clone());
    let events = profile.tracks().map(|track| track.events.len()).max();
    widths[number::EVENT] = Widths::up_to(events.unwrap_or(0) as u64);
    // Names of engines are texts, too, and that a stretch is of no step.
    let of_steps = usize::from(units.looks_up);
    let texts = profile.kernels.len() + 2 * layers + profile.tracks().count() + of_steps;
    widths[number::OWNER] = Widths::up_to(texts as u64);
    widths[number::BLOCK] = Widths::up_to(texts as u64);
    widths[number::STEP] = Widths::up_to(units.steps.map_or(0, StepSpans::greatest_number));
    widths[number::LAYER_ID] = Widths::up_to(layers as u64);
    Stamps::new(Arc::new(widths), Arc::default())
}

/// What stretches are written from.
pub(crate) struct PathOf<'p, 'd> {
    pub(crate) profile: &'p Profile<'d>,
    pub(crate) segments: Segments<'p>,
    pub(crate) units: Units<'p>,
    pub(crate) flows: &'p Flows,
    /// Added to times of the profile, in ns.
    pub(crate) offset: i64,
    /// Only what runs then is written.
    pub(crate) cut: Option<&'p Cut>,
    /// Turns in which the commands of all engines are written: the path of a light trace takes as many, see [`crate::turn_ends`].
    pub(crate) turns: usize,
}

impl<'p, 'd> PathSource<'p, 'd> {
    pub(crate) fn new(of: PathOf<'p, 'd>, sequence: Sequence) -> Self {
        let PathOf { profile, segments, units, flows, offset, cut, turns } = of;
        let layer_count = units.layers.map_or(0, |layers| layers.layers.len());
        let piece = match units.looks_up {
            true => segments.len().div_ceil(turns.max(1)).max(1),
            false => PIECE,
        };
        Self {
            offset,
            segments,
            at: 0,
            piece,
            profile,
            flows,
            units,
            stamps: path_stamps(profile, units, layer_count),
            texts: PathTexts::new(profile.kernels.len(), layer_count),
            track: None,
            cut,
            sequence,
            block: Block::new(),
            next: Next::default(),
        }
    }

    /// Looks at a stretch.
    #[inline]
    fn look_at(&mut self, segment: Segment) {
        let at = self.at;
        self.at += 1;
        let origin = self.flows.origin;
        let (start, end) = (segment.start + origin, segment.end + origin);
        if self.cut.is_some_and(|cut| !cut.holds(start, end)) {
            return;
        }
        if self.track.is_none_or(|track| track.engine_id != segment.engine_id) {
            self.track = track_of(self.profile, segment.engine_id);
        }
        let start_of_command = self.track.and_then(|track| track.events.start.get(segment.event));
        let flow =
            start_of_command.and_then(|at_ns| self.flows.of_segment(at, at_ns - origin, &segment));
        let flow = flow.map(|(point, flow)| match point {
            PathPoint::ToCommand => EventFlow::new(FlowPoint::Start, flow),
            PathPoint::FromCommand => EventFlow::new(FlowPoint::End, flow),
        });
        let Segment { engine_id, event, kernel, reason, .. } = segment;
        let layer = || {
            let layer = self.units.layers?.index_of_event(self.track?, event)?;
            u32::try_from(layer).ok().map(Owner::Layer)
        };
        let owner = kernel.map(Owner::Kernel).or_else(layer);
        self.next.starts.push(start);
        self.next.ends.push(end);
        let step = self.units.steps.zip(start_of_command);
        let step = step.and_then(|(steps, at_ns)| steps.number_at(*at_ns));
        let step = self.units.step_told(step, start);
        self.next.all.push(Stretch { engine_id, event: event as u32, owner, step, reason, flow });
    }

    /// Appends the first of the next stretches. It ends before a kernel or layer that is not interned yet: it is when all before it is
    /// written.
    fn block(&mut self, room: &mut Room<'_>) {
        let Self { stamps, texts, sequence, profile, units, block, next, .. } = self;
        block.start(next.all.len());
        block.set_times(sequence, [&next.starts, &next.ends], self.offset);
        let Block { rows, keys, numbers, .. } = block;
        let columns = numbers.columns([], number::ALL);
        let Some(([], [events, owners, layer_ids, blocks, steps])) = columns else { return };
        let columns = keys.iter_mut().zip(events).zip(owners.iter_mut().zip(layer_ids));
        let columns = columns.zip(blocks.iter_mut().zip(steps));
        for (row, (stretch, (((key, to_event), (to_owner, to_layer)), (to_block, to_step)))) in
            next.all.iter().zip(columns).enumerate().take(*rows)
        {
            let Stretch { engine_id, event, owner, step, reason, .. } = *stretch;
            let known = match owner.map(|owner| (owner, texts.known(owner))) {
                Some((_, Some(known))) => Some(known),
                Some((owner, None)) if row == 0 => {
                    texts.id(sequence, owner, &profile.kernels, units.layers)
                }
                Some((owner, None)) if texts.place(owner).is_some() => {
                    *rows = row;
                    break;
                }
                _ => None,
            };
            *to_event = event;
            *to_owner = known.unwrap_or(0) as u32;
            *to_layer = 0;
            // What kind of owner it has.
            let mut kind = 0;
            if known.is_some() {
                kind = 1;
                if let Some(Owner::Layer(layer)) = owner {
                    (kind, *to_layer) = (2, layer + 1);
                }
            }
            let suffices = units.layer_names.suffice(*to_layer as usize);
            kind += u64::from(suffices);
            *to_block = texts.block(owner.filter(|_| known.is_some() && !suffices)) as u32;
            let (step, told) = match step {
                StepTold::Nothing => (0, 0),
                StepTold::Number(number) => (number, 1),
                StepTold::Absence => (0, 2),
            };
            *to_step = step as u32;
            let apart = u64::from(*to_block != 0) << 2 | told << 3;
            let EngineId { index, engine } = engine_id;
            let place = u64::from(index) << 2 | engine as u64;
            *key = place << 16 | (reason as u64) << 8 | apart | kind;
        }
        block.note_fresh(0, sequence);
        for (row, stretch) in next.all.iter().enumerate().take(block.rows) {
            let step = match stretch.step {
                StepTold::Number(number) => Some(number),
                StepTold::Nothing | StepTold::Absence => None,
            };
            let may_be_wide = [(number::EVENT, Some(stretch.event.into())), (number::STEP, step)];
            for (number, value) in may_be_wide {
                if let Some(value) = value.filter(|_| stamps.widths()[number].are_wide()) {
                    block.numbers.set_wide(number, row, value);
                }
            }
        }
        number::ALL.iter().for_each(|number| block.numbers.spread(*number, block.rows));
        let of = |row: usize| {
            let flow = next.all.get(row).map_or(&None, |stretch| &stretch.flow);
            let (flows, ending) = match flow {
                Some(flow) if flow.point() == FlowPoint::End => {
                    (&[][..], Ending::Flow(flow.number()))
                }
                _ => (flow.as_slice(), Ending::Nothing),
            };
            SliceOf { flows, ending, behind: &[] }
        };
        sequence.slices(room, stamps, block, of, |row, args, numbers| {
            let Some(stretch) = next.all.get(row) else { return };
            args.title(stretch.reason.name(), "critical path");
            args.text(Arg::Engine, &stretch.engine_id.to_string());
            if !units.looks_up {
                args.int_of(Arg::Event, numbers, number::EVENT);
            }
            match stretch.owner {
                Some(Owner::Kernel(_)) if numbers.value(number::OWNER) != 0 => {
                    args.text_of(Arg::Kernel, numbers, number::OWNER);
                }
                Some(Owner::Layer(layer)) if numbers.value(number::OWNER) != 0 => {
                    if !units.layer_names.suffice(layer as usize + 1) {
                        args.int_of(Arg::LayerId, numbers, number::LAYER_ID);
                    }
                    args.text_of(Arg::LayerName, numbers, number::OWNER);
                    if numbers.value(number::BLOCK) != 0 {
                        args.text_of(Arg::Block, numbers, number::BLOCK);
                    }
                }
                _ => {}
            }
            match stretch.step {
                StepTold::Number(_) => args.int_of(Arg::Step, numbers, number::STEP),
                told => args.step(told),
            }
        });
        let written = block.rows.max(1);
        next.starts.drain(..written);
        next.ends.drain(..written);
        next.all.drain(..written);
    }
}

impl Source for PathSource<'_, '_> {
    fn fill(&mut self, out: &mut Packets) -> usize {
        let taken = self.piece.min(self.segments.len());
        let mut left = taken;
        let mut room = Room::for_many(out);
        loop {
            while left > 0
                && self.next.all.len() < ROWS
                && let Some(segment) = self.segments.next()
            {
                self.look_at(segment);
                left -= 1;
            }
            if self.next.all.is_empty() {
                return taken;
            }
            self.block(&mut room);
        }
    }
}
