//! Threads of a host trace.

use std::collections::BTreeMap;

use bigtpu_host_trace::{HostTrace, Span, StrId, TPUDNN, Thread, nest};
use bigtpu_measure::Activity;

use crate::column::Column;
use crate::head::{HostSide, TrackKind};
use crate::strings::Strings;
use crate::track::{Body, Built};

/// The tracks of a host trace: operators of torch first, then those of tpudnn; threads in the order of the
/// trace. `origin` is the page's start on the host's time line, in ns.
pub(crate) fn host_tracks(host: &HostTrace, origin: i64, strings: &mut Strings) -> Vec<Built> {
    let tpudnn = host.strings.lookup(TPUDNN);
    let mut threads: BTreeMap<(bool, u32), Vec<usize>> = BTreeMap::new();
    for (position, slice) in host.kept_slices() {
        threads.entry((Some(slice.cat) == tpudnn, slice.thread)).or_default().push(position);
    }
    let tracks = threads.into_iter().filter_map(|((is_tpudnn, thread), positions)| {
        let thread = host.threads.get(thread as usize)?;
        let mut built = thread_track(host, &positions, origin);
        built.head.label = Some(strings.index(&label(host, thread)));
        built.head.side = Some(if is_tpudnn { HostSide::Tpudnn } else { HostSide::Cpu });
        Some(built)
    });
    tracks.collect()
}

fn label(host: &HostTrace, thread: &Thread) -> String {
    let text = |id: StrId| host.strings.get(id);
    let tid = text(thread.tid);
    let process = host.processes.get(thread.process as usize);
    let thread = match thread.name.map(text) {
        Some(name) if name.contains(tid) => name.trim().to_owned(),
        Some(name) => format!("{} {tid}", name.trim()),
        None => format!("thread {tid}"),
    };
    match process.filter(|_| host.processes.len() > 1) {
        Some(process) => {
            let name = process.name.map_or("process", text).trim();
            format!("{name} {}: {thread}", text(process.pid))
        }
        None => thread,
    }
}

fn thread_track(host: &HostTrace, positions: &[usize], origin: i64) -> Built {
    let spans: Vec<Span> = positions.iter().filter_map(|&p| host.shown_slice(p)).collect();
    let depth = depths(&spans);
    let mut body = Body::default();
    let mut cat = Column::text("cat");
    let mut lanes = Vec::with_capacity(spans.len());
    let mut order: Vec<usize> = (0..spans.len()).collect();
    order.sort_by_key(|&i| (spans[i].start_ns, std::cmp::Reverse(spans[i].end_ns)));
    for i in order {
        let Some(slice) = positions.get(i).and_then(|&p| host.slices.get(p)) else { continue };
        let text = |id: StrId| host.strings.get(id);
        let name = body.names.index(text(slice.cat), text(slice.name), Activity::Work);
        let Span { start_ns, end_ns } = host.bulk.shown(Span::from(slice));
        body.push(start_ns.saturating_sub(origin), end_ns - start_ns, name, 0);
        cat.push_text(text(slice.cat));
        lanes.push(depth.get(i).copied().unwrap_or(0));
    }
    body.set_lanes(lanes);
    body.build(TrackKind::Host, -1, vec![cat])
}

/// How deep each slice lies in its stack; stacks that do not nest are below one another.
fn depths(spans: &[Span]) -> Vec<u32> {
    let mut depths = vec![0; spans.len()];
    let mut first = 0;
    for edges in nest(spans) {
        let (mut open, mut deepest) = (0u32, 0);
        for edge in edges {
            if edge.begin {
                if let Some(depth) = depths.get_mut(edge.slice) {
                    *depth = first + open;
                }
                open += 1;
                deepest = deepest.max(open);
            } else {
                open = open.saturating_sub(1);
            }
        }
        first += deepest;
    }
    depths
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stacks_that_do_not_nest_are_below_each_other() {
        let span = |start_ns, end_ns| Span { start_ns, end_ns };
        assert_eq!(depths(&[span(0, 10), span(2, 5), span(3, 4), span(20, 30)]), [0, 1, 2, 0]);
        assert_eq!(depths(&[span(0, 10), span(5, 15)]), [0, 1]);
    }
}
