//! Sources of packets: one per track, filled piece by piece, so that a trace of any size is written
//! with a bounded buffer and by several threads, and always in the same order.

use std::borrow::Cow;

use bigtpu_measure::layers::Tensor;
use bigtpu_scene::{Detail, Sample, Slice, Slices, Value};

use crate::args::{ArgValue, Args};
use crate::device::Units;
use crate::launches::KernelFlows;
use crate::names::Arg;
use crate::room::{PIECE, Packets, Room};
use crate::sequence::Sequence;

/// Something that writes the packets of one track (or of tracks that share their data).
pub(crate) trait Source: Send {
    /// Appends the next piece. Returns how many events it held; 0 at the end.
    fn fill(&mut self, out: &mut Packets) -> usize;

    /// Whether its events are the dump's commands, which progress counts; counters and tracks above them repeat these.
    fn is_of_commands(&self) -> bool {
        false
    }
}

/// A source whose packets are written one by one.
pub(crate) trait PlainSource: Send {
    /// Appends the next piece, packet by packet. Returns how many events it held; 0 at the end.
    fn append(&mut self, out: &mut Vec<u8>) -> usize;
}

impl<S: PlainSource> Source for S {
    fn fill(&mut self, out: &mut Packets) -> usize {
        out.append(|out| self.append(out))
    }
}

/// A counter.
pub(crate) struct SampleSource<S> {
    /// Samples in the order of their times.
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
    fn fill(&mut self, out: &mut Packets) -> usize {
        let mut samples = 0;
        let Self { offset, sequence, thinned, .. } = self;
        let mut room = Room::for_many(out);
        // An event has two samples: where it starts and where it ends.
        for sample in self.samples.by_ref().take(2 * PIECE) {
            if let Some(sample) = thinned.next(Some(sample)) {
                sequence.count(&mut room, sample.time + *offset, sample.value);
            }
            samples += 1_usize;
        }
        if samples == 0
            && let Some(last) = thinned.next(None)
        {
            sequence.count(&mut room, last.time + *offset, last.value);
        }
        samples.div_ceil(2)
    }
}

/// One lane of slices that are in the scene.
pub(crate) struct SceneSource<'p> {
    pub(crate) offset: i64,
    pub(crate) units: Units<'p>,
    pub(crate) slices: Cow<'p, Slices>,
    pub(crate) lane: usize,
    pub(crate) at: usize,
    /// Flows of the host's calls that end at its kernels.
    pub(crate) launches: KernelFlows,
    pub(crate) sequence: Sequence,
}

impl PlainSource for SceneSource<'_> {
    fn append(&mut self, out: &mut Vec<u8>) -> usize {
        let first = self.at;
        while self.at < first + PIECE
            && let Some(slice) = self.slices.in_lane(self.lane, self.at)
        {
            let flow = self.launches.flow_at(slice.start, &slice.name);
            let of = (self.offset, self.units, flow);
            write_slice(&mut self.sequence, out, slice, of);
            self.at += 1;
        }
        self.at - first
    }
}

fn write_slice(
    sequence: &mut Sequence,
    out: &mut Vec<u8>,
    slice: &Slice,
    (offset, units, flow): (i64, Units<'_>, Option<u64>),
) {
    let (start, name) = (slice.start + offset, slice.name.as_str());
    let Units { layers, steps, .. } = units;
    let number = || steps?.number_at(slice.start);
    let step = |args: &mut Args<'_>| args.step(units.step_told(number(), slice.start));
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
                step(args);
                if let Some(flow) = flow {
                    args.flow_end(flow);
                }
            });
        }
        Detail::Layer(number) => {
            let layer = layers.and_then(|layers| layers.layers.get(*number));
            let label = layer.map(|layer| layer.label(*number as u64 + 1).to_string());
            let label = label.as_deref().unwrap_or(name);
            sequence.begin(out, start, label, "layer", |args| {
                args.int(Arg::LayerId, *number as i64 + 1);
                args.text(Arg::LayerName, label);
                if let Some(block) = layers.and_then(|layers| layers.block(*number + 1)) {
                    args.text(Arg::Block, block);
                }
                step(args);
                if let Some(layer) = layer {
                    tensors(args, Arg::Inputs, &layer.operands);
                    tensors(args, Arg::Outputs, &layer.results);
                }
            });
        }
        Detail::Unit { category, args: own, .. } => {
            sequence.begin(out, start, name, category, |args| {
                own.iter().for_each(|(name, value)| args.named(name, arg_value(value)));
            });
        }
        Detail::Other { category, args: own } => {
            let left_out = left_out(own, units);
            sequence.begin(out, start, name, category, |args| {
                for (name, value) in own.iter().filter(|(name, _)| !left_out.contains(name)) {
                    args.named(name, arg_value(value));
                }
            });
        }
    }
    sequence.end(out, slice.end + offset);
}

/// Arguments that tell of a layer what its name does.
fn left_out(args: &[(&'static str, Value)], units: Units<'_>) -> &'static [&'static str] {
    let is_told = args.iter().any(|(name, value)| match value {
        Value::Int(id) if *name == "Layer Id" => {
            usize::try_from(*id).is_ok_and(|id| units.layer_names.suffice(id))
        }
        _ => false,
    });
    if is_told { &["Layer Id", "Block"] } else { &[] }
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
