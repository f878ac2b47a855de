//! The host trace: its processes and threads, each thread with a track of operators and one of calls of tpudnn.

mod args;
mod asyncs;
mod counters;
mod flows;
mod processes;
mod threads;

use bigtpu_host_trace::{HostTrace, StrId, TPUDNN};

use crate::launches::LaunchFlow;
use crate::source::Source;
use crate::tracks::{Kind, Tracks};
use processes::Processes;
use threads::{Content, Mark};

/// Names of a thread's two tracks.
const SIDES: [&str; 2] = ["cpu op", "tpudnn op"];

/// All sources of a host trace. Defines their tracks.
pub(crate) fn sources<'h>(
    host: &'h HostTrace,
    launches: &[LaunchFlow],
    tracks: &mut Tracks,
) -> Vec<Box<dyn Source + 'h>> {
    tracks.set_root(None);
    let tpudnn = host.strings.lookup(TPUDNN);
    let mut threads = by_thread(host, tpudnn);
    flows::attach(host, &mut threads, tpudnn);
    flows::launches(host, &mut threads, tpudnn, launches);
    let mut sources: Vec<Box<dyn Source + 'h>> = Vec::new();
    let mut processes = Processes::collect(host);
    for (thread, sides) in threads.into_iter().enumerate() {
        for (content, name) in sides.into_iter().zip(SIDES).filter(|(side, _)| !side.is_empty()) {
            let parent = processes.thread(thread, tracks);
            let kind = Kind { parent, ..Kind::default() };
            sources.extend(content.into_sources(host, name, kind, tracks));
        }
    }
    sources.extend(counters::sources(host, &mut processes, tracks));
    sources.extend(asyncs::sources(host, &mut processes, tracks));
    sources
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
            let at_ns = host.bulk.shown_ns(instant.at_ns);
            sides[side(instant.cat)].marks.push((at_ns, Mark::Instant(position)));
        }
    }
    threads
}
