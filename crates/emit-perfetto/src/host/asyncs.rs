//! Asynchronous slices of the host trace.

use std::sync::Arc;

use bigtpu_host_trace::{EventId, HostTrace, SliceEdge, Span, nest};

use super::args::{write_args, write_own_time};
use super::processes::Processes;
use crate::room::PIECE;
use crate::sequence::Sequence;
use crate::source::{PlainSource, Source};
use crate::tracks::{Kind, Tracks};

/// One track, with lanes, for each asynchronous id; its marks on the first lane.
pub(super) fn sources<'h>(
    host: &'h HostTrace,
    processes: &mut Processes<'h>,
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
        let parent = processes.process(track.process, tracks);
        let kind = Kind { parent, ..Kind::default() };
        let spans: Vec<Span> = slices
            .iter()
            .filter_map(|&p| host.async_slices.get(p))
            .map(|slice| host.bulk.shown(Span::from(slice)))
            .collect();
        let mut lanes = nest(&spans);
        if lanes.is_empty() {
            lanes.push(Vec::new());
        }
        marks.sort_by_key(|&p| {
            host.async_instants.get(p).map(|mark| host.bulk.shown_ns(mark.at_ns))
        });
        let slices = Arc::new(slices);
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
    slices: Arc<Vec<usize>>,
    edges: Vec<SliceEdge>,
    at: usize,
    marks: Vec<usize>,
    marked: usize,
    sequence: Sequence,
}

impl PlainSource for AsyncSource<'_> {
    fn append(&mut self, out: &mut Vec<u8>) -> usize {
        let mut done = 0;
        let Self { host, cat, slices, edges, at, marks, marked, sequence } = self;
        while done < 2 * PIECE {
            let edge = edges.get(*at).copied();
            let mark = marks.get(*marked).and_then(|&p| host.async_instants.get(p));
            let shown_ns = mark.map_or(i64::MAX, |mark| host.bulk.shown_ns(mark.at_ns));
            match (edge, mark) {
                (_, Some(mark)) if edge.is_none_or(|e| shown_ns < e.at_ns) => {
                    sequence.instant(out, shown_ns, host.strings.get(mark.name), cat, |args| {
                        write_args(args, host, mark.args);
                        write_own_time(args, host, mark.at_ns);
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
                                write_own_time(args, host, slice.start_ns);
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
