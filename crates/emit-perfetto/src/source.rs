//! Sources of packets: one per track, filled piece by piece, so that a trace of any size is written
//! with a bounded buffer and by several threads, and always in the same order.

use std::borrow::Cow;
use std::sync::Arc;

use bigtpu_measure::layers::{Layers, Tensor};
use bigtpu_replay::Segments;
use bigtpu_scene::{Cut, Detail, Sample, Slice, Slices, Value};
use bigtpu_timeline::{EngineId, Profile};

use crate::args::{ArgValue, Args};
use crate::event_flows::{EventFlow, FlowPoint};
use crate::flows::{Flows, PathPoint, track_of};
use crate::launches::KernelFlows;
use crate::names::Arg;
use crate::numbers::{MOST_NUMBERS, Numbers, OF_SIZES, Widths};
use crate::sequence::{Ending, Sequence, SliceOf};
use crate::stamp::Stamps;

/// Slices or samples that a source writes at a time.
pub(crate) const PIECE: usize = 2048;

/// Something that writes the packets of one track (or of tracks that share their data).
pub(crate) trait Source: Send {
    /// Appends the next piece. Returns how many events it held; 0 at the end.
    fn fill(&mut self, out: &mut Vec<u8>) -> usize;

    /// Whether its events are the dump's commands, which progress counts; counters and tracks above them repeat these.
    fn is_of_commands(&self) -> bool {
        false
    }
}

/// DDR and L2M bandwidth of a core.
pub(crate) struct BandwidthSource<S> {
    /// Times, and bandwidths of DDR and L2M from then on.
    pub(crate) steps: S,
    pub(crate) offset: i64,
    pub(crate) ddr: Sequence,
    pub(crate) l2: Sequence,
    pub(crate) last: [f64; 2],
}

impl<S: Iterator<Item = (i64, [f64; 2])> + Send> Source for BandwidthSource<S> {
    fn fill(&mut self, out: &mut Vec<u8>) -> usize {
        let mut steps = 0;
        for step in self.steps.by_ref().take(PIECE) {
            let (time, [ddr_gbps, l2_gbps]) = (step.0 + self.offset, step.1);
            if ddr_gbps != self.last[0] {
                self.ddr.count(out, time, ddr_gbps);
            }
            if l2_gbps != self.last[1] {
                self.l2.count(out, time, l2_gbps);
            }
            self.last = step.1;
            steps += 1;
        }
        steps
    }
}

/// A counter.
pub(crate) struct SampleSource<S> {
    /// By time.
    pub(crate) samples: S,
    pub(crate) offset: i64,
    pub(crate) sequence: Sequence,
    pub(crate) thinned: Thinned,
}

/// What is left of a counter's samples: of those at one moment the last, and only where the value changes.
#[derive(Debug, Default)]
pub(crate) struct Thinned {
    /// The sample that is not written yet.
    pending: Option<Sample>,
    /// The value that was written last.
    shown: Option<f64>,
}

impl Thinned {
    /// Takes the next sample in; returns the one that is to be written.
    fn next(&mut self, sample: Option<Sample>) -> Option<Sample> {
        let before = match (self.pending, sample) {
            (Some(pending), Some(sample)) if pending.time == sample.time => None,
            (pending, _) => pending,
        };
        self.pending = sample;
        let before = before.filter(|before| self.shown != Some(before.value))?;
        self.shown = Some(before.value);
        Some(before)
    }
}

impl<S: Iterator<Item = Sample> + Send> Source for SampleSource<S> {
    fn fill(&mut self, out: &mut Vec<u8>) -> usize {
        let mut samples = 0;
        let Self { offset, sequence, thinned, .. } = self;
        // An event has two samples: where it starts and where it ends.
        for sample in self.samples.by_ref().take(2 * PIECE) {
            if let Some(sample) = thinned.next(Some(sample)) {
                sequence.count(out, sample.time + *offset, sample.value);
            }
            samples += 1_usize;
        }
        if samples == 0
            && let Some(last) = thinned.next(None)
        {
            sequence.count(out, last.time + *offset, last.value);
        }
        samples.div_ceil(2)
    }
}

/// One lane of slices that are in the scene.
pub(crate) struct SceneSource<'p> {
    pub(crate) offset: i64,
    pub(crate) layers: Option<&'p Layers>,
    pub(crate) slices: Cow<'p, Slices>,
    pub(crate) lane: usize,
    pub(crate) at: usize,
    /// Flows of the host's calls that end at its kernels.
    pub(crate) launches: KernelFlows,
    pub(crate) sequence: Sequence,
}

impl Source for SceneSource<'_> {
    fn fill(&mut self, out: &mut Vec<u8>) -> usize {
        let first = self.at;
        while self.at < first + PIECE
            && let Some(slice) = self.slices.in_lane(self.lane, self.at)
        {
            let flow = self.launches.at(slice.start, &slice.name);
            let of = (self.offset, self.layers, flow);
            write_slice(&mut self.sequence, out, slice, of);
            self.at += 1;
        }
        self.at - first
    }
}

/// The stretches of the critical path.
pub(crate) struct PathSource<'p, 'd> {
    /// The profile's first start; the path's times count from it.
    pub(crate) origin: i64,
    /// Added to times of the profile.
    pub(crate) offset: i64,
    pub(crate) segments: Segments<'p>,
    /// How many segments were written.
    pub(crate) at: usize,
    pub(crate) profile: &'p Profile<'d>,
    pub(crate) flows: &'p Flows,
    pub(crate) stamps: Stamps,
    pub(crate) texts: PathTexts,
    /// Starts of the events of the engine that the path went through last.
    pub(crate) starts: Option<(EngineId, &'p [i64])>,
    /// Only what runs then is written.
    pub(crate) cut: Option<&'p Cut>,
    pub(crate) sequence: Sequence,
}

/// Interning ids of the path's kernels, by kernel; 0 where it is not interned yet.
#[derive(Debug, Default)]
pub(crate) struct PathTexts(Vec<u64>);

impl PathTexts {
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
pub(crate) fn path_stamps(profile: &Profile<'_>) -> Stamps {
    let mut widths = [(); MOST_NUMBERS].map(|()| OF_SIZES.clone());
    let events = profile.tracks().map(|track| track.events.len()).max();
    widths[number::EVENT] = Widths::up_to(events.unwrap_or(0) as u64);
    // Names of engines are texts, too.
    let texts = profile.kernels.len() + profile.tracks().count();
    widths[number::KERNEL] = Widths::up_to(texts as u64);
    Stamps::new(Arc::new(widths), Arc::default())
}

impl Source for PathSource<'_, '_> {
    fn fill(&mut self, out: &mut Vec<u8>) -> usize {
        let mut segments = 0;
        let mut numbers = Numbers::new();
        let to_profile = self.origin + self.offset;
        for segment in self.segments.by_ref().take(PIECE) {
            segments += 1;
            let (start, end) = (segment.start + self.origin, segment.end + self.origin);
            if self.cut.is_some_and(|cut| !cut.holds(start, end)) {
                self.at += 1;
                continue;
            }
            let Self { stamps, texts, sequence, profile, .. } = self;
            let EngineId { index, engine } = segment.engine_id;
            let starts = match self.starts {
                Some((known, starts)) if known == segment.engine_id => Some(starts),
                _ => {
                    track_of(profile, segment.engine_id).map(|track| track.events.start.as_slice())
                }
            };
            self.starts = starts.map(|starts| (segment.engine_id, starts));
            let start = starts.and_then(|starts| starts.get(segment.event));
            let flow = start
                .and_then(|start| self.flows.of_segment(self.at, start - self.origin, &segment));
            let kernel = segment.kernel;
            let kernel = kernel.and_then(|k| texts.kernel(sequence, k, &profile.kernels));
            numbers.set(number::EVENT, segment.event as u64);
            numbers.set(number::KERNEL, kernel.unwrap_or(0));
            let (begins, ending) = match flow {
                Some((PathPoint::ToCommand, flow)) => {
                    (Some(EventFlow::new(FlowPoint::Start, flow)), Ending::Nothing)
                }
                Some((PathPoint::FromCommand, flow)) => (None, Ending::Flow(flow)),
                None => (None, Ending::Nothing),
            };
            let place = u64::from(index) << 2 | engine as u64;
            let key = place << 16 | (segment.reason as u64) << 8 | u64::from(kernel.is_some());
            let (start, end) = (segment.start + to_profile, segment.end + to_profile);
            let of = SliceOf { key, start, end, flows: begins.as_slice(), ending };
            sequence.slice(out, stamps, of, &numbers, |args, numbers| {
                args.title(segment.reason.name(), "critical path");
                args.text(Arg::Engine, &segment.engine_id.to_string());
                args.int_of(Arg::Event, numbers, number::EVENT);
                if kernel.is_some() {
                    args.text_of(Arg::Kernel, numbers, number::KERNEL);
                }
            });
            self.at += 1;
        }
        segments
    }
}

fn write_slice(
    sequence: &mut Sequence,
    out: &mut Vec<u8>,
    slice: &Slice,
    (offset, layers, flow): (i64, Option<&Layers>, Option<u64>),
) {
    let (start, name) = (slice.start + offset, slice.name.as_str());
    match &slice.detail {
        Detail::Kernel { scope, batches, modes, .. } => {
            sequence.begin(out, start, name, modes, |args| {
                args.text(Arg::Kernel, name);
                if let Some(scope) = scope {
                    args.int(Arg::FuncScopeId, (*scope).into());
                }
                match batches.as_slice() {
                    [] => {}
                    [batch] => args.int(Arg::BatchLaunch, (*batch).into()),
                    batches => {
                        let all: Vec<String> = batches.iter().map(u32::to_string).collect();
                        args.text(Arg::BatchLaunch, &all.join("/"));
                    }
                }
                if !modes.is_empty() {
                    args.text(Arg::Mode, modes);
                }
                if let Some(flow) = flow {
                    args.flow_end(flow);
                }
            });
        }
        Detail::Layer(number) => {
            let layer = layers.and_then(|layers| layers.layers.get(*number));
            let title =
                layer.map_or_else(|| name.to_owned(), |layer| layer.title_of(*number as u64 + 1));
            sequence.begin(out, start, &title, "layer", |args| {
                args.int(Arg::LayerId, *number as i64 + 1);
                args.text(Arg::LayerName, name);
                if let Some(layer) = layer {
                    tensors(args, Arg::Inputs, &layer.operands);
                    tensors(args, Arg::Outputs, &layer.results);
                }
            });
        }
        Detail::Other { category, args: own } => {
            sequence.begin(out, start, name, category, |args| {
                for (name, value) in own {
                    args.named(name, arg_value(value));
                }
            });
        }
    }
    sequence.end(out, slice.end + offset);
}

fn arg_value(value: &Value) -> ArgValue<'_> {
    match value {
        Value::Int(n) => ArgValue::Int(*n),
        Value::Double(x) => ArgValue::Double(*x),
        Value::Text(text) => ArgValue::Text(text),
    }
}

/// Shapes of tensors, such as `1x3x128x128 FP32, 16x3x3x3 FP16`.
fn tensors(args: &mut Args<'_>, arg: Arg, tensors: &[Option<Tensor>]) {
    let known: Vec<String> = tensors.iter().flatten().map(Tensor::to_string).collect();
    if !known.is_empty() {
        args.text(arg, &known.join(", "));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_changes_of_a_counter_are_left() {
        let samples = [(0, 1.0), (5, 0.0), (5, 2.0), (7, 2.0), (9, 0.0), (9, 0.0), (12, 0.0)];
        let mut thinned = Thinned::default();
        let samples = samples.map(|(time, value)| Some(Sample { time, value }));
        let left = samples.into_iter().chain([None]).filter_map(|sample| thinned.next(sample));
        let left: Vec<_> = left.map(|sample| (sample.time, sample.value)).collect();
        assert_eq!(left, [(0, 1.0), (5, 2.0), (9, 0.0)]);
    }
}
