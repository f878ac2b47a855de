//! The host trace: `cpu op` and `tpudnn op`, with a child track for each thread.

mod args;
mod asyncs;
mod counters;
mod flows;
mod threads;

use bigtpu_host_trace::{HostTrace, StrId, TPUDNN, Thread};

use crate::build::rank;
use crate::source::Source;
use crate::tracks::{Kind, Tracks};
use threads::{Content, Mark};

/// Names of the two root tracks.
const CPU: &str = "cpu op";
const TPU: &str = "tpudnn op";

/// All sources of a host trace. Defines their tracks.
pub(crate) fn sources<'h>(host: &'h HostTrace, tracks: &mut Tracks) -> Vec<Box<dyn Source + 'h>> {
    let roots = [(CPU, rank::CPU), (TPU, rank::TPU)]
        .map(|(name, rank)| tracks.define(name, Kind { rank: Some(rank), ..Kind::default() }));
    let tpudnn = host.strings.lookup(TPUDNN);
    let mut threads = by_thread(host, tpudnn);
    flows::attach(host, &mut threads, tpudnn);
    let mut sources: Vec<Box<dyn Source + 'h>> = Vec::new();
    for ((thread, is_tpu), content) in threads.into_iter().enumerate().flat_map(|(t, sides)| {
        sides.into_iter().enumerate().map(move |(side, content)| ((t, side), content))
    }) {
        let name = host.threads.get(thread).map(|t| thread_name(host, t)).unwrap_or_default();
        let kind = Kind { parent: roots.get(is_tpu).copied(), ..Kind::default() };
        sources.extend(content.into_sources(host, &name, kind, tracks));
    }
    let cpu = Kind { parent: Some(roots[0]), ..Kind::default() };
    sources.extend(counters::sources(host, cpu, tracks));
    sources.extend(asyncs::sources(host, cpu, tracks));
    sources
}

/// `name tid`, with the process where there are several: `process pid: name tid`.
fn thread_name(host: &HostTrace, thread: &Thread) -> String {
    let text = |id: StrId| host.strings.get(id);
    let tid = text(thread.tid);
    let name = match thread.name.map(|name| text(name).trim()) {
        Some(name) if !name.is_empty() && name.contains(tid) => name.to_owned(),
        Some(name) if !name.is_empty() => format!("{name} {tid}"),
        _ if tid.is_empty() => "thread without an id".to_owned(),
        _ => format!("thread {tid}"),
    };
    if host.processes.len() < 2 {
        return name;
    }
    match host.processes.get(thread.process as usize) {
        Some(process) => match process.name.map(|name| text(name).trim()) {
            Some(of) => format!("{of} {}: {name}", text(process.pid)),
            None => format!("process {}: {name}", text(process.pid)),
        },
        None => name,
    }
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
