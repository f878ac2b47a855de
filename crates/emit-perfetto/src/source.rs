//! Sources of packets: one per track, filled piece by piece, so that a trace of any size is written
//! with a bounded buffer and by several threads, and always in the same order.

use bigtpu_analysis::Bandwidth;
use bigtpu_analysis::KernelSlice;
use bigtpu_layers::{LayerSlice, Layers};
use bigtpu_timeline::Profile;

use crate::names::Arg;
use crate::sequence::Sequence;

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

/// One lane of kernel slices.
pub(crate) struct KernelSource<'p, 'd> {
    pub(crate) profile: &'p Profile<'d>,
    pub(crate) offset: i64,
    pub(crate) slices: Vec<KernelSlice>,
    pub(crate) at: usize,
    pub(crate) sequence: Sequence,
}

impl Source for KernelSource<'_, '_> {
    fn fill(&mut self, out: &mut Vec<u8>) -> usize {
        let rest = self.slices.get(self.at..).unwrap_or(&[]);
        let piece = &rest[..rest.len().min(PIECE)];
        for slice in piece {
            let name = self.profile.kernels.get(slice.kernel as usize).map_or("", String::as_str);
            let mode = slice.modes.iter().map(|m| m.name()).collect::<Vec<_>>().join("/");
            let start = slice.start + self.offset;
            self.sequence.begin(out, start, name, &mode, |args| {
                args.text(Arg::Kernel, name);
                if let Some(scope) = slice.scope {
                    args.int(Arg::FuncScopeId, scope.into());
                }
                match slice.batches.as_slice() {
                    [] => {}
                    [batch] => args.int(Arg::BatchLaunch, (*batch).into()),
                    batches => {
                        let all: Vec<String> = batches.iter().map(u32::to_string).collect();
                        args.text(Arg::BatchLaunch, &all.join("/"));
                    }
                }
                if !mode.is_empty() {
                    args.text(Arg::Mode, &mode);
                }
            });
            self.sequence.end(out, slice.end + self.offset);
        }
        self.at += piece.len();
        piece.len()
    }
}

/// One lane of layers of a static model.
pub(crate) struct LayerSource<'p> {
    pub(crate) layers: &'p Layers,
    pub(crate) offset: i64,
    pub(crate) slices: Vec<LayerSlice>,
    pub(crate) at: usize,
    pub(crate) sequence: Sequence,
}

impl Source for LayerSource<'_> {
    fn fill(&mut self, out: &mut Vec<u8>) -> usize {
        let rest = self.slices.get(self.at..).unwrap_or(&[]);
        let piece = &rest[..rest.len().min(PIECE)];
        for slice in piece {
            let name = self.layers.layers.get(slice.layer).map_or("", |l| l.name.as_str());
            self.sequence.begin(out, slice.start + self.offset, name, "layer", |args| {
                args.int(Arg::LayerId, slice.layer as i64 + 1);
                args.text(Arg::LayerName, name);
            });
            self.sequence.end(out, slice.end + self.offset);
        }
        self.at += piece.len();
        piece.len()
    }
}
