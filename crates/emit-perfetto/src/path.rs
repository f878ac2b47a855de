//! The stretches of the critical path as slices.

use std::sync::Arc;

use bigtpu_replay::{Segment, Segments};
use bigtpu_scene::Cut;
use bigtpu_timeline::{EngineId, Profile};

use crate::block::Block;
use crate::event_flows::{EventFlow, FlowPoint};
use crate::flows::{Flows, PathPoint, track_of};
use crate::names::Arg;
use crate::numbers::{MOST_NUMBERS, OF_SIZES, ROWS, Widths};
use crate::room::Room;
use crate::sequence::{Ending, Sequence, SliceOf};
use crate::source::{PIECE, Source};
use crate::stamp::Stamps;

/// The stretches of the critical path.
pub(crate) struct PathSource<'p, 'd> {
    /// The profile's first start; the path's times count from it.
    origin: i64,
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
    all: Vec<(Segment, Option<EventFlow>, Ending)>,
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
    /// The profile's first start, in ns.
    pub(crate) origin: i64,
    /// Added to times of the profile, in ns.
    pub(crate) offset: i64,
    /// Only what runs then is written.
    pub(crate) cut: Option<&'p Cut>,
}

impl<'p, 'd> PathSource<'p, 'd> {
    pub(crate) fn new(of: PathOf<'p, 'd>, sequence: Sequence) -> Self {
        let PathOf { profile, segments, flows, origin, offset, cut } = of;
        Self {
            origin,
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
        let (start, end) = (segment.start + self.origin, segment.end + self.origin);
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
        let flow = start_of_command
            .and_then(|at_ns| self.flows.of_segment(at, at_ns - self.origin, &segment));
        let (begins, ending) = match flow {
            Some((PathPoint::ToCommand, flow)) => {
                (Some(EventFlow::new(FlowPoint::Start, flow)), Ending::Nothing)
            }
            Some((PathPoint::FromCommand, flow)) => (None, Ending::Flow(flow)),
            None => (None, Ending::Nothing),
        };
        self.next.starts.push(start);
        self.next.ends.push(end);
        self.next.all.push((segment, begins, ending));
    }

    /// Appends the first of the next stretches. It ends before a kernel that is not interned yet: it is when all before it is
    /// written.
    fn block(&mut self, room: &mut Room<'_>) {
        let Self { stamps, texts, sequence, profile, block, next, .. } = self;
        block.start(sequence, (&next.starts, &next.ends), self.offset);
        for (row, (segment, ..)) in next.all.iter().enumerate().take(block.rows) {
            let kernel = match segment.kernel.map(|kernel| (kernel, texts.known(kernel))) {
                Some((_, Some(known))) => Some(known),
                Some((kernel, None)) if row == 0 => {
                    texts.kernel(sequence, kernel, &profile.kernels)
                }
                Some((kernel, None)) if (kernel as usize) < profile.kernels.len() => {
                    block.rows = row;
                    break;
                }
                _ => None,
            };
            if row == 0 {
                block.note_fresh(row, sequence);
            }
            block.numbers.set(number::EVENT, row, segment.event as u64);
            block.numbers.set(number::KERNEL, row, kernel.unwrap_or(0));
            let EngineId { index, engine } = segment.engine_id;
            let place = u64::from(index) << 2 | engine as u64;
            let key = place << 16 | (segment.reason as u64) << 8 | u64::from(kernel.is_some());
            if let Some(slot) = block.keys.get_mut(row) {
                *slot = key;
            }
        }
        block.spread_times();
        block.numbers.spread(number::EVENT, block.rows);
        block.numbers.spread(number::KERNEL, block.rows);
        let of = |row: usize| match next.all.get(row) {
            Some((_, begins, ending)) => {
                SliceOf { flows: begins.as_slice(), ending: *ending, behind: &[] }
            }
            None => SliceOf { flows: &[], ending: Ending::Nothing, behind: &[] },
        };
        sequence.slices(room, stamps, block, of, |row, args, numbers| {
            let Some((segment, ..)) = next.all.get(row) else { return };
            args.title(segment.reason.name(), "critical path");
            args.text(Arg::Engine, &segment.engine_id.to_string());
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
    fn fill(&mut self, out: &mut Vec<u8>) -> usize {
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
