//! The stretches of the critical path as slices.

use std::sync::Arc;

use bigtpu_replay::{Reason, Segment, Segments};
use bigtpu_scene::Cut;
use bigtpu_timeline::{EngineId, Profile};

use crate::block::Block;
use crate::event_flows::{EventFlow, FlowPoint};
use crate::flows::{Flows, PathPoint, track_of};
use crate::names::Arg;
use crate::numbers::ROWS;
use crate::room::{Packets, Room};
use crate::sequence::{Ending, Sequence, SliceOf};
use crate::source::{PIECE, Source};
use crate::stamp::Stamps;
use crate::widths::{MOST_NUMBERS, OF_SIZES, Widths};

/// The stretches of the critical path.
pub(crate) struct PathSource<'p, 'd> {
    /// Added to times of the profile.
    offset: i64,
    segments: Segments<'p>,
    /// How many segments were looked at.
    at: usize,
    profile: &'p Profile<'d>,
    flows: &'p Flows,
    stamps: Stamps,
    texts: PathTexts,
    /// Starts of the events of the engine that the path went through last.
    starts: Option<(EngineId, &'p [i64])>,
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
    kernel: Option<u32>,
    reason: Reason,
    /// The one that starts where it begins, or ends at its end.
    flow: Option<EventFlow>,
}

/// Interning ids of the path's kernels, by kernel; 0 where it is not interned yet.
#[derive(Debug, Default)]
struct PathTexts(Vec<u64>);

impl PathTexts {
    /// The id of a kernel's name, if it has one yet.
    #[inline]
    fn known(&self, kernel: u32) -> Option<u64> {
        self.0.get(kernel as usize).copied().filter(|id| *id != 0)
    }

    /// The same, which is interned where it has none; `None` of no kernel of the run.
    fn kernel(&mut self, sequence: &mut Sequence, kernel: u32, names: &[String]) -> Option<u64> {
        let name = names.get(kernel as usize)?;
        if self.0.len() < names.len() {
            self.0.resize(names.len(), 0);
        }
        let id = self.0.get_mut(kernel as usize)?;
        if *id == 0 {
            *id = sequence.value(name);
        }
        Some(*id)
    }
}

/// What differs between stretches: places in [`Numbers`](crate::numbers::Numbers).
mod number {
    pub(super) const EVENT: usize = 0;
    pub(super) const KERNEL: usize = 1;
}

/// Templates of the critical path.
fn path_stamps(profile: &Profile<'_>) -> Stamps {
    let mut widths = [(); MOST_NUMBERS].map(|()| OF_SIZES.clone());
    let events = profile.tracks().map(|track| track.events.len()).max();
    widths[number::EVENT] = Widths::up_to(events.unwrap_or(0) as u64);
    // Names of engines are texts, too.
    let texts = profile.kernels.len() + profile.tracks().count();
    widths[number::KERNEL] = Widths::up_to(texts as u64);
    Stamps::new(Arc::new(widths), Arc::default())
}

/// What stretches are written from.
pub(crate) struct PathOf<'p, 'd> {
    pub(crate) profile: &'p Profile<'d>,
    pub(crate) segments: Segments<'p>,
    pub(crate) flows: &'p Flows,
    /// Added to times of the profile, in ns.
    pub(crate) offset: i64,
    /// Only what runs then is written.
    pub(crate) cut: Option<&'p Cut>,
}

impl<'p, 'd> PathSource<'p, 'd> {
    pub(crate) fn new(of: PathOf<'p, 'd>, sequence: Sequence) -> Self {
        let PathOf { profile, segments, flows, offset, cut } = of;
        Self {
            offset,
            segments,
            at: 0,
            profile,
            flows,
            stamps: path_stamps(profile),
            texts: PathTexts::default(),
            starts: None,
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
        let starts = match self.starts {
            Some((known, starts)) if known == segment.engine_id => Some(starts),
            _ => {
                let track = track_of(self.profile, segment.engine_id);
                track.map(|track| track.events.start.as_slice())
            }
        };
        self.starts = starts.map(|starts| (segment.engine_id, starts));
        let start_of_command = starts.and_then(|starts| starts.get(segment.event));
        let flow =
            start_of_command.and_then(|at_ns| self.flows.of_segment(at, at_ns - origin, &segment));
        let flow = flow.map(|(point, flow)| match point {
            PathPoint::ToCommand => EventFlow::new(FlowPoint::Start, flow),
            PathPoint::FromCommand => EventFlow::new(FlowPoint::End, flow),
        });
        let Segment { engine_id, event, kernel, reason, .. } = segment;
        self.next.starts.push(start);
        self.next.ends.push(end);
        self.next.all.push(Stretch { engine_id, event: event as u32, kernel, reason, flow });
    }

    /// Appends the first of the next stretches. It ends before a kernel that is not interned yet: it is when all before it is
    /// written.
    fn block(&mut self, room: &mut Room<'_>) {
        let Self { stamps, texts, sequence, profile, block, next, .. } = self;
        block.start(next.all.len());
        block.set_times(sequence, [&next.starts, &next.ends], self.offset);
        let Block { rows, keys, numbers, .. } = block;
        let columns = numbers.columns([], [number::EVENT, number::KERNEL]);
        let Some(([], [events, kernels])) = columns else { return };
        let columns = keys.iter_mut().zip(events).zip(kernels);
        for (row, (stretch, ((key, to_event), to_kernel))) in
            next.all.iter().zip(columns).enumerate().take(*rows)
        {
            let Stretch { engine_id, event, kernel, reason, .. } = *stretch;
            let kernel = match kernel.map(|kernel| (kernel, texts.known(kernel))) {
                Some((_, Some(known))) => Some(known),
                Some((kernel, None)) if row == 0 => {
                    texts.kernel(sequence, kernel, &profile.kernels)
                }
                Some((kernel, None)) if (kernel as usize) < profile.kernels.len() => {
                    *rows = row;
                    break;
                }
                _ => None,
            };
            *to_event = event;
            *to_kernel = kernel.unwrap_or(0) as u32;
            let EngineId { index, engine } = engine_id;
            let place = u64::from(index) << 2 | engine as u64;
            *key = place << 16 | (reason as u64) << 8 | u64::from(kernel.is_some());
        }
        block.note_fresh(0, sequence);
        if stamps.widths()[number::EVENT].are_wide() {
            for (row, stretch) in next.all.iter().enumerate().take(block.rows) {
                block.numbers.set_wide(number::EVENT, row, stretch.event.into());
            }
        }
        block.numbers.spread(number::EVENT, block.rows);
        block.numbers.spread(number::KERNEL, block.rows);
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
            args.int_of(Arg::Event, numbers, number::EVENT);
            if numbers.value(number::KERNEL) != 0 {
                args.text_of(Arg::Kernel, numbers, number::KERNEL);
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
        let taken = PIECE.min(self.segments.len());
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
