//! Slices and marks of host threads.

use std::sync::Arc;

use bigtpu_host_trace::{HostTrace, SliceEdge, Span, nest};

use super::args::{write_args, write_kind, write_own_time};
use crate::event_flows::FlowPoint;
use crate::room::PIECE;
use crate::sequence::Sequence;
use crate::source::{PlainSource, Source};
use crate::tracks::{Kind, Tracks};

/// Slices and marks of one thread under one root.
#[derive(Debug, Default)]
pub(super) struct Content {
    /// Positions in the trace's slices, file order.
    pub(super) slices: Vec<usize>,
    /// Marks: time and what they are.
    pub(super) marks: Vec<(i64, Mark)>,
    /// Flows of slices: position in `slices`, what the flow does there, flow.
    pub(super) flows: Vec<(usize, FlowPoint, u64)>,
    /// Flows of marks: position in the trace's flow points, what the flow does there, flow.
    pub(super) flows_of_marks: Vec<(usize, FlowPoint, u64)>,
}

#[derive(Debug, Clone, Copy)]
pub(super) enum Mark {
    /// Position in the trace's instants.
    Instant(usize),
    /// Position in the trace's flow points: no slice holds it.
    LooseFlow(usize),
}

impl Content {
    /// Whether nothing is on it.
    pub(super) fn is_empty(&self) -> bool {
        self.slices.is_empty() && self.marks.is_empty()
    }

    /// A source for each lane; marks are on the first.
    pub(super) fn into_sources<'h>(
        mut self,
        host: &'h HostTrace,
        name: &str,
        kind: Kind<'_>,
        tracks: &mut Tracks,
    ) -> Vec<Box<dyn Source + 'h>> {
        let spans: Vec<Span> = self
            .slices
            .iter()
            .filter_map(|&p| host.slices.get(p))
            .map(|slice| host.bulk.shown(Span::from(slice)))
            .collect();
        let mut lanes = nest(&spans);
        if lanes.is_empty() && !self.marks.is_empty() {
            lanes.push(Vec::new());
        }
        self.marks.sort_by_key(|m| m.0);
        self.flows.sort_unstable();
        self.flows_of_marks.sort_unstable();
        let mut marks = Some(self.marks);
        let (slices, flows) = (Arc::new(self.slices), Arc::new(self.flows));
        let flows_of_marks = Arc::new(self.flows_of_marks);
        let mut sources: Vec<Box<dyn Source + 'h>> = Vec::new();
        for (lane, edges) in lanes.into_iter().enumerate() {
            sources.push(Box::new(ThreadSource {
                host,
                slices: slices.clone(),
                flows: flows.clone(),
                flows_of_marks: flows_of_marks.clone(),
                edges,
                at: 0,
                marks: marks.take().unwrap_or_default(),
                marked: 0,
                sequence: tracks.lane(name, lane, kind),
            }));
        }
        sources
    }
}

/// One lane of a thread; marks are on its first.
struct ThreadSource<'h> {
    host: &'h HostTrace,
    slices: Arc<Vec<usize>>,
    flows: Arc<Vec<(usize, FlowPoint, u64)>>,
    flows_of_marks: Arc<Vec<(usize, FlowPoint, u64)>>,
    edges: Vec<SliceEdge>,
    at: usize,
    marks: Vec<(i64, Mark)>,
    marked: usize,
    sequence: Sequence,
}

impl PlainSource for ThreadSource<'_> {
    fn append(&mut self, out: &mut Vec<u8>) -> usize {
        let mut done = 0;
        while done < 2 * PIECE {
            let edge = self.edges.get(self.at).copied();
            let mark = self.marks.get(self.marked).copied();
            match (edge, mark) {
                (_, Some((time, mark))) if edge.is_none_or(|e| time < e.at_ns) => {
                    self.mark(out, time, mark);
                    self.marked += 1;
                }
                (Some(edge), _) => {
                    self.edge(out, edge);
                    self.at += 1;
                }
                (None, _) => break,
            }
            done += 1;
        }
        done
    }
}

impl ThreadSource<'_> {
    fn edge(&mut self, out: &mut Vec<u8>, edge: SliceEdge) {
        let first = self.flows.partition_point(|f| f.0 < edge.slice);
        let points = self.flows[first..].iter().take_while(|f| f.0 == edge.slice);
        if !edge.begin {
            let ending = points.filter(|f| f.1 == FlowPoint::EndBehind).map(|f| f.2);
            self.sequence.end_with_flows(out, edge.at_ns, ending);
            return;
        }
        let Some(slice) = self.slices.get(edge.slice).and_then(|&p| self.host.slices.get(p)) else {
            return;
        };
        let Self { host, sequence, .. } = self;
        let text = |id| host.strings.get(id);
        sequence.begin(out, edge.at_ns, text(slice.name), text(slice.cat), |args| {
            write_args(args, host, slice.args);
            write_own_time(args, host, slice.start_ns);
            for &(_, point, flow) in points {
                args.flow_point(point, flow);
            }
        });
    }

    fn mark(&mut self, out: &mut Vec<u8>, time: i64, mark: Mark) {
        let Self { host, sequence, flows_of_marks, .. } = self;
        let text = |id| host.strings.get(id);
        match mark {
            Mark::Instant(position) => {
                let Some(instant) = host.instants.get(position) else { return };
                sequence.instant(out, time, text(instant.name), text(instant.cat), |args| {
                    write_args(args, host, instant.args);
                    write_kind(args, host, instant);
                    write_own_time(args, host, instant.at_ns);
                });
            }
            Mark::LooseFlow(position) => {
                let Some(flow) = host.flows.get(position) else { return };
                sequence.instant(out, time, text(flow.name), text(flow.cat), |args| {
                    write_args(args, host, flow.args);
                    write_own_time(args, host, flow.at_ns);
                    let first = flows_of_marks.partition_point(|of_mark| of_mark.0 < position);
                    let own = flows_of_marks.get(first..).unwrap_or_default();
                    for &(_, point, flow) in own.iter().take_while(|of_mark| of_mark.0 == position)
                    {
                        args.flow_point(point, flow);
                    }
                });
            }
        }
    }
}
