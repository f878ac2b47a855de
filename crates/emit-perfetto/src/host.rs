//! The host trace: `cpu op` and `tpudnn op`, with a child track for each thread.

use std::collections::HashMap;

use bigtpu_host_trace::{
    ArgValue as HostValue, ArgsRef, CounterValue, Edge, EventId, FlowPhase, HostTrace, Span, StrId,
    TPUDNN, Thread, nest,
};

use crate::sequence::{ArgValue, Args, Sequence};
use crate::source::{PIECE, Source};
use crate::tracks::{Kind, Tracks};

/// Host flows are numbered from here on, device flows below.
const FIRST_FLOW: u64 = 1 << 40;

/// Names of the two root tracks.
const CPU: &str = "cpu op";
const TPU: &str = "tpudnn op";

/// All sources of a host trace. Defines their tracks.
pub(crate) fn sources<'h>(host: &'h HostTrace, tracks: &mut Tracks) -> Vec<Box<dyn Source + 'h>> {
    let roots = [CPU, TPU].map(|name| tracks.define(name, Kind::default()));
    let tpudnn = host.strings.lookup(TPUDNN);
    let mut threads = by_thread(host, tpudnn);
    attach_flows(host, &mut threads, tpudnn);
    let mut sources: Vec<Box<dyn Source + 'h>> = Vec::new();
    for ((thread, is_tpu), content) in threads.into_iter().enumerate().flat_map(|(t, sides)| {
        sides.into_iter().enumerate().map(move |(side, content)| ((t, side), content))
    }) {
        let name = host.threads.get(thread).map(|t| thread_name(host, t)).unwrap_or_default();
        let kind = Kind { parent: roots.get(is_tpu).copied(), ..Kind::default() };
        sources.extend(content.into_sources(host, &name, kind, tracks));
    }
    let cpu = Kind { parent: Some(roots[0]), ..Kind::default() };
    sources.extend(counters(host, cpu, tracks));
    sources.extend(asyncs(host, cpu, tracks));
    sources
}

/// `name tid`, with the process where there are several.
fn thread_name(host: &HostTrace, thread: &Thread) -> String {
    let text = |id: StrId| host.strings.get(id);
    let tid = text(thread.tid);
    let name = match thread.name.map(text) {
        Some(name) if name.contains(tid) => name.to_owned(),
        Some(name) => format!("{name} {tid}"),
        None => format!("thread {tid}"),
    };
    if host.processes.len() < 2 {
        return name;
    }
    match host.processes.get(thread.process as usize) {
        Some(process) => match process.name.map(text) {
            Some(of) => format!("{of} {} / {name}", text(process.pid)),
            None => format!("process {} / {name}", text(process.pid)),
        },
        None => name,
    }
}

/// Slices and marks of one thread under one root.
#[derive(Debug, Default)]
struct Content {
    /// Positions in the trace's slices, file order.
    slices: Vec<usize>,
    /// Marks: time and what they are.
    marks: Vec<(i64, Mark)>,
    /// Flows of slices: position in `slices`, flow, ends here.
    flows: Vec<(usize, u64, bool)>,
}

#[derive(Debug, Clone, Copy)]
enum Mark {
    /// Position in the trace's instants.
    Instant(usize),
    /// Position in the trace's flows: no slice holds it.
    LooseFlow(usize, u64, bool),
}

/// For each thread, what goes under `cpu op` and under `tpudnn op`.
fn by_thread(host: &HostTrace, tpudnn: Option<StrId>) -> Vec<[Content; 2]> {
    let mut threads: Vec<[Content; 2]> = Vec::new();
    threads.resize_with(host.threads.len(), Default::default);
    let side = |cat: StrId| usize::from(Some(cat) == tpudnn);
    for (position, slice) in host.kept_slices() {
        if let Some(sides) = threads.get_mut(slice.thread as usize) {
            sides[side(slice.cat)].slices.push(position);
        }
    }
    for (position, instant) in host.instants.iter().enumerate() {
        if let Some(sides) = threads.get_mut(instant.thread as usize) {
            sides[side(instant.cat)].marks.push((instant.at_ns, Mark::Instant(position)));
        }
    }
    threads
}

/// Ties each flow point to the slice that holds it: the innermost one around its time or, for an end that
/// binds to what follows, the next one. A point without a slice becomes a mark.
fn attach_flows(host: &HostTrace, threads: &mut [[Content; 2]], tpudnn: Option<StrId>) {
    let mut numbers: HashMap<(StrId, StrId, EventId), u64> = HashMap::new();
    let mut found: Vec<Option<Finder>> = Vec::new();
    found.resize_with(threads.len(), || None);
    for (position, flow) in host.flows.iter().enumerate() {
        let next = FIRST_FLOW + numbers.len() as u64;
        let number = *numbers.entry((flow.cat, flow.name, flow.id)).or_insert(next);
        let ends = flow.phase == FlowPhase::End;
        let thread = flow.thread as usize;
        let Some(sides) = threads.get_mut(thread) else { continue };
        let finder = found[thread].get_or_insert_with(|| Finder::new(host, sides));
        let binds_next = ends && !flow.binds_enclosing;
        match finder.find(flow.at_ns, binds_next) {
            Some((side, place)) => sides[side].flows.push((place, number, ends)),
            None => {
                let side = usize::from(Some(flow.cat) == tpudnn);
                sides[side].marks.push((flow.at_ns, Mark::LooseFlow(position, number, ends)));
            }
        }
    }
}

/// Finds slices of a thread by time.
struct Finder {
    /// (start, end, side, place in the side's slices), by start and, at the same start, longest first.
    slices: Vec<(i64, i64, usize, usize)>,
    /// Slice that holds each slice.
    outer: Vec<Option<usize>>,
}

impl Finder {
    fn new(host: &HostTrace, sides: &[Content; 2]) -> Self {
        let mut slices: Vec<(i64, i64, usize, usize)> = Vec::new();
        for (side, content) in sides.iter().enumerate() {
            for (place, &position) in content.slices.iter().enumerate() {
                let slice = &host.slices[position];
                slices.push((slice.start_ns, slice.end_ns, side, place));
            }
        }
        slices.sort_by_key(|&(start, end, ..)| (start, std::cmp::Reverse(end)));
        let mut open: Vec<usize> = Vec::new();
        let outer = (0..slices.len())
            .map(|i| {
                while open.last().is_some_and(|&o| slices[o].1 < slices[i].1) {
                    open.pop();
                }
                let outer = open.last().copied();
                open.push(i);
                outer
            })
            .collect();
        Self { slices, outer }
    }

    fn find(&self, at: i64, binds_next: bool) -> Option<(usize, usize)> {
        let after = self.slices.partition_point(|s| s.0 <= at);
        let mut candidate = after.checked_sub(1);
        while let Some(i) = candidate {
            let (_, end, side, place) = self.slices[i];
            if at <= end {
                return Some((side, place));
            }
            candidate = self.outer[i];
        }
        let next = self.slices.get(after).filter(|_| binds_next)?;
        Some((next.2, next.3))
    }
}

impl Content {
    fn into_sources<'h>(
        mut self,
        host: &'h HostTrace,
        name: &str,
        kind: Kind<'_>,
        tracks: &mut Tracks,
    ) -> Vec<Box<dyn Source + 'h>> {
        let spans: Vec<Span> = self.slices.iter().map(|&p| Span::from(&host.slices[p])).collect();
        let mut lanes = nest(&spans);
        if lanes.is_empty() && !self.marks.is_empty() {
            lanes.push(Vec::new());
        }
        self.marks.sort_by_key(|m| m.0);
        self.flows.sort_unstable();
        let mut marks = Some(self.marks);
        let (slices, flows) = (std::sync::Arc::new(self.slices), std::sync::Arc::new(self.flows));
        let mut sources: Vec<Box<dyn Source + 'h>> = Vec::new();
        for (lane, edges) in lanes.into_iter().enumerate() {
            sources.push(Box::new(ThreadSource {
                host,
                slices: slices.clone(),
                flows: flows.clone(),
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

/// One lane of a thread; marks stand on its first.
struct ThreadSource<'h> {
    host: &'h HostTrace,
    slices: std::sync::Arc<Vec<usize>>,
    flows: std::sync::Arc<Vec<(usize, u64, bool)>>,
    edges: Vec<Edge>,
    at: usize,
    marks: Vec<(i64, Mark)>,
    marked: usize,
    sequence: Sequence,
}

impl Source for ThreadSource<'_> {
    fn fill(&mut self, out: &mut Vec<u8>) -> usize {
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
    fn edge(&mut self, out: &mut Vec<u8>, edge: Edge) {
        if !edge.begin {
            self.sequence.end(out, edge.at_ns);
            return;
        }
        let Some(slice) = self.slices.get(edge.slice).and_then(|&p| self.host.slices.get(p)) else {
            return;
        };
        let Self { host, flows, sequence, .. } = self;
        let text = |id| host.strings.get(id);
        sequence.begin(out, edge.at_ns, text(slice.name), text(slice.cat), |args| {
            write_args(args, host, slice.args);
            let first = flows.partition_point(|f| f.0 < edge.slice);
            for &(_, flow, ends) in flows[first..].iter().take_while(|f| f.0 == edge.slice) {
                if ends {
                    args.flow_end(flow);
                } else {
                    args.flow(flow);
                }
            }
        });
    }

    fn mark(&mut self, out: &mut Vec<u8>, time: i64, mark: Mark) {
        let Self { host, sequence, .. } = self;
        let text = |id| host.strings.get(id);
        match mark {
            Mark::Instant(position) => {
                let Some(instant) = host.instants.get(position) else { return };
                sequence.instant(out, time, text(instant.name), text(instant.cat), |args| {
                    write_args(args, host, instant.args);
                });
            }
            Mark::LooseFlow(position, number, ends) => {
                let Some(flow) = host.flows.get(position) else { return };
                sequence.instant(out, time, text(flow.name), text(flow.cat), |args| {
                    write_args(args, host, flow.args);
                    if ends {
                        args.flow_end(number);
                    } else {
                        args.flow(number);
                    }
                });
            }
        }
    }
}

/// Arguments as they stand in the trace: names, types and nesting kept.
fn write_args(args: &mut Args<'_>, host: &HostTrace, at: ArgsRef) {
    if let Some(HostValue::Map(map)) = host.args.get(at) {
        for (name, value) in map {
            write_named(args, host, host.strings.get(name), value);
        }
    }
}

fn write_named(args: &mut Args<'_>, host: &HostTrace, name: &str, value: HostValue<'_>) {
    match value {
        HostValue::Map(map) => args.named_dict(name, |args| {
            for (name, value) in map {
                write_named(args, host, host.strings.get(name), value);
            }
        }),
        HostValue::List(list) => args.named_list(name, |args| {
            for value in list {
                write_item(args, host, value);
            }
        }),
        _ => args.named(name, plain(host, value)),
    }
}

fn write_item(args: &mut Args<'_>, host: &HostTrace, value: HostValue<'_>) {
    match value {
        HostValue::Map(map) => args.nested_item(true, |args| {
            for (name, value) in map {
                write_named(args, host, host.strings.get(name), value);
            }
        }),
        HostValue::List(list) => args.nested_item(false, |args| {
            for value in list {
                write_item(args, host, value);
            }
        }),
        _ => args.item(plain(host, value)),
    }
}

fn plain<'h>(host: &'h HostTrace, value: HostValue<'_>) -> ArgValue<'h> {
    match value {
        HostValue::Bool(b) => ArgValue::Bool(b),
        HostValue::Int(n) => ArgValue::Int(n),
        HostValue::UInt(n) => ArgValue::Uint(n),
        HostValue::Double(x) => ArgValue::Double(x),
        HostValue::Str(id) => ArgValue::Text(host.strings.get(id)),
        HostValue::Null | HostValue::Map(_) | HostValue::List(_) => ArgValue::Text("null"),
    }
}

/// One track for each counter's series.
fn counters<'h>(
    host: &'h HostTrace,
    kind: Kind<'_>,
    tracks: &mut Tracks,
) -> Vec<Box<dyn Source + 'h>> {
    let text = |id| host.strings.get(id);
    let mut sources: Vec<Box<dyn Source + 'h>> = Vec::new();
    for counter in &host.counters {
        let mut name = text(counter.name).to_owned();
        match counter.id {
            Some(EventId::Number(n)) => name += &format!(" {n}"),
            Some(EventId::Text(id)) => name += &format!(" {}", text(id)),
            None => {}
        }
        if text(counter.series) != name {
            name += &format!(" {}", text(counter.series));
        }
        let mut samples: Vec<(i64, CounterValue)> =
            counter.samples.iter().map(|s| (s.at_ns, s.value)).collect();
        samples.sort_by_key(|s| s.0);
        let sequence = tracks.sequence(&name, Kind { counter: Some(""), ..kind });
        sources.push(Box::new(HostCounterSource { samples, at: 0, sequence }));
    }
    sources
}

struct HostCounterSource {
    samples: Vec<(i64, CounterValue)>,
    at: usize,
    sequence: Sequence,
}

impl Source for HostCounterSource {
    fn fill(&mut self, out: &mut Vec<u8>) -> usize {
        let rest = self.samples.get(self.at..).unwrap_or(&[]);
        let piece = &rest[..rest.len().min(PIECE)];
        for &(time, value) in piece {
            match value {
                CounterValue::Int(n) => self.sequence.count_whole(out, time, n),
                CounterValue::Double(x) => self.sequence.count(out, time, x),
            }
        }
        self.at += piece.len();
        piece.len()
    }
}

/// One track, with lanes, for each asynchronous id; its marks on the first lane.
fn asyncs<'h>(
    host: &'h HostTrace,
    kind: Kind<'_>,
    tracks: &mut Tracks,
) -> Vec<Box<dyn Source + 'h>> {
    let text = |id| host.strings.get(id);
    let mut slices: Vec<Vec<usize>> = vec![Vec::new(); host.async_tracks.len()];
    for (position, slice) in host.async_slices.iter().enumerate() {
        if let Some(list) = slices.get_mut(slice.track as usize) {
            list.push(position);
        }
    }
    let mut marks: Vec<Vec<usize>> = vec![Vec::new(); host.async_tracks.len()];
    for (position, mark) in host.async_instants.iter().enumerate() {
        if let Some(list) = marks.get_mut(mark.track as usize) {
            list.push(position);
        }
    }
    let mut sources: Vec<Box<dyn Source + 'h>> = Vec::new();
    for ((track, slices), mut marks) in host.async_tracks.iter().zip(slices).zip(marks) {
        let id = match track.id {
            EventId::Number(n) => n.to_string(),
            EventId::Text(id) => text(id).to_owned(),
        };
        let name = format!("{} {id}", text(track.cat));
        let spans: Vec<Span> = slices.iter().map(|&p| Span::from(&host.async_slices[p])).collect();
        let mut lanes = nest(&spans);
        if lanes.is_empty() {
            lanes.push(Vec::new());
        }
        marks.sort_by_key(|&p| host.async_instants[p].at_ns);
        let slices = std::sync::Arc::new(slices);
        for (lane, edges) in lanes.into_iter().enumerate() {
            sources.push(Box::new(AsyncSource {
                host,
                cat: text(track.cat),
                slices: slices.clone(),
                edges,
                at: 0,
                marks: std::mem::take(&mut marks),
                marked: 0,
                sequence: tracks.lane(&name, lane, kind),
            }));
        }
    }
    sources
}

struct AsyncSource<'h> {
    host: &'h HostTrace,
    cat: &'h str,
    slices: std::sync::Arc<Vec<usize>>,
    edges: Vec<Edge>,
    at: usize,
    marks: Vec<usize>,
    marked: usize,
    sequence: Sequence,
}

impl Source for AsyncSource<'_> {
    fn fill(&mut self, out: &mut Vec<u8>) -> usize {
        let mut done = 0;
        let Self { host, cat, slices, edges, at, marks, marked, sequence } = self;
        while done < 2 * PIECE {
            let edge = edges.get(*at).copied();
            let mark = marks.get(*marked).and_then(|&p| host.async_instants.get(p));
            match (edge, mark) {
                (_, Some(mark)) if edge.is_none_or(|e| mark.at_ns < e.at_ns) => {
                    sequence.instant(out, mark.at_ns, host.strings.get(mark.name), cat, |args| {
                        write_args(args, host, mark.args);
                    });
                    *marked += 1;
                }
                (Some(edge), _) => {
                    let slice = slices.get(edge.slice).and_then(|&p| host.async_slices.get(p));
                    match slice.filter(|_| edge.begin) {
                        Some(slice) => {
                            let name = host.strings.get(slice.name);
                            sequence.begin(out, edge.at_ns, name, cat, |args| {
                                write_args(args, host, slice.args);
                            });
                        }
                        None => sequence.end(out, edge.at_ns),
                    }
                    *at += 1;
                }
                (None, _) => break,
            }
            done += 1;
        }
        done
    }
}
