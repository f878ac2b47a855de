//! Sources of packets: one per track, filled piece by piece, so that a trace of any size is written
//! with a bounded buffer and by several threads, and always in the same order.

use bigtpu_measure::Bandwidth;
use bigtpu_replay::Segments;
use bigtpu_scene::{Detail, Sample, Slice, Slices};
use bigtpu_timeline::EngineId;

use crate::names::Arg;
use crate::sequence::Sequence;
use crate::templates::Templates;

/// Slices or samples that a source writes at a time.
pub(crate) const PIECE: usize = 2048;

/// Something that writes the packets of one track (or of tracks that share their data).
pub(crate) trait Source: Send {
    /// Appends the next piece. Returns how many events it held; 0 at the end.
    fn fill(&mut self, out: &mut Vec<u8>) -> usize;
}

/// DDR and L2M bandwidth of a core.
pub(crate) struct BandwidthSource<'p, 'd> {
    pub(crate) steps: Bandwidth<'p, 'd>,
    pub(crate) offset: i64,
    pub(crate) ddr: Sequence,
    pub(crate) l2: Sequence,
    pub(crate) last: (f64, f64),
}

impl Source for BandwidthSource<'_, '_> {
    fn fill(&mut self, out: &mut Vec<u8>) -> usize {
        let mut steps = 0;
        for step in self.steps.by_ref().take(PIECE) {
            let time = step.time + self.offset;
            if step.ddr_gbps != self.last.0 {
                self.ddr.count(out, time, step.ddr_gbps);
            }
            if step.l2_gbps != self.last.1 {
                self.l2.count(out, time, step.l2_gbps);
            }
            self.last = (step.ddr_gbps, step.l2_gbps);
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
}

impl<S: Iterator<Item = Sample> + Send> Source for SampleSource<S> {
    fn fill(&mut self, out: &mut Vec<u8>) -> usize {
        let mut samples = 0;
        // An event has two samples: where it starts and where it ends.
        for sample in self.samples.by_ref().take(2 * PIECE) {
            self.sequence.count(out, sample.time + self.offset, sample.value);
            samples += 1_usize;
        }
        samples.div_ceil(2)
    }
}

/// One lane of slices that are in the scene.
pub(crate) struct SceneSource<'p> {
    pub(crate) offset: i64,
    pub(crate) slices: &'p Slices,
    pub(crate) lane: usize,
    pub(crate) at: usize,
    pub(crate) sequence: Sequence,
}

impl Source for SceneSource<'_> {
    fn fill(&mut self, out: &mut Vec<u8>) -> usize {
        let first = self.at;
        while self.at < first + PIECE
            && let Some(slice) = self.slices.in_lane(self.lane, self.at)
        {
            write_slice(&mut self.sequence, out, slice, self.offset);
            self.at += 1;
        }
        self.at - first
    }
}

/// The stretches of the critical path.
pub(crate) struct PathSource<'p> {
    /// Added to their times.
    pub(crate) offset: i64,
    pub(crate) segments: Segments<'p>,
    pub(crate) kernels: &'p [String],
    pub(crate) encoded: EncodedPath,
    pub(crate) sequence: Sequence,
}

/// What was encoded before.
#[derive(Debug)]
pub(crate) struct EncodedPath {
    reasons: Templates<1>,
    engines: Templates<1>,
    kernels: Templates<1>,
}

impl EncodedPath {
    pub(crate) fn new() -> Self {
        Self { reasons: Templates::new(), engines: Templates::new(), kernels: Templates::new() }
    }
}

impl Source for PathSource<'_> {
    fn fill(&mut self, out: &mut Vec<u8>) -> usize {
        let mut segments = 0;
        for segment in self.segments.by_ref().take(PIECE) {
            let Self { kernels, encoded, sequence, .. } = self;
            let EncodedPath { reasons, engines, kernels: encoded_kernels } = encoded;
            let EngineId { index, engine } = segment.engine_id;
            sequence.begin_untitled(out, segment.start + self.offset, |args| {
                let reason = reasons.slot(segment.reason as u32);
                let name = segment.reason.name();
                reasons.put(reason, 0, args, |args| args.title(name, "critical path"));
                let engine = engines.slot(index << 2 | engine as u32);
                engines.put(engine, 0, args, |args| {
                    args.text(Arg::Engine, &segment.engine_id.to_string());
                });
                args.int(Arg::Event, segment.event as i64);
                if let Some((kernel, name)) =
                    segment.kernel.and_then(|kernel| Some((kernel, kernels.get(kernel as usize)?)))
                {
                    let slot = encoded_kernels.slot(kernel);
                    encoded_kernels.put(slot, 0, args, |args| args.text(Arg::Kernel, name));
                }
            });
            self.sequence.end(out, segment.end + self.offset);
            segments += 1;
        }
        segments
    }
}

fn write_slice(sequence: &mut Sequence, out: &mut Vec<u8>, slice: &Slice, offset: i64) {
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
            });
        }
        Detail::Layer(layer) => sequence.begin(out, start, name, "layer", |args| {
            args.int(Arg::LayerId, *layer as i64 + 1);
            args.text(Arg::LayerName, name);
        }),
        Detail::Other { category, .. } => sequence.begin(out, start, name, category, |_| {}),
    }
    sequence.end(out, slice.end + offset);
}
