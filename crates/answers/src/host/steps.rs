//! Iterations by the host's markers: a step on the device is what calls within a marker launched.

use std::collections::HashMap;

use bigtpu_host_trace::{HostTrace, TPUDNN, keep_outermost};
use regex_lite::Regex;

use super::calls::{Calls, device_time};
use super::rounds::Round;
use crate::steps::{Part, StepSource, StepSpans};

/// torch's own markers.
const TORCH_STEP: &str = "ProfilerStep#";
/// Categories of torch that repeat the host's markers on the device's side.
const OF_DEVICE: &str = "gpu_";

struct Marker<'a> {
    name: &'a str,
    start_ns: i64,
    end_ns: i64,
}

pub(super) fn steps(
    host: &HostTrace,
    calls: &Calls,
    rounds: &[Round],
    of_round: &[Option<usize>],
    pattern: Option<&Regex>,
) -> Option<StepSpans> {
    let markers = markers(host, calls.offset_ns, pattern);
    // Launches of each marker, in order.
    let mut launched: Vec<Vec<&Round>> = markers.iter().map(|_| Vec::new()).collect();
    for (round, call) in rounds.iter().zip(of_round) {
        let Some(call) = call.and_then(|call| calls.all.get(call)) else { continue };
        let at = markers.partition_point(|marker| marker.start_ns <= call.start_ns);
        let Some(at) = at.checked_sub(1) else { continue };
        let is_within = markers.get(at).is_some_and(|marker| call.start_ns < marker.end_ns);
        if let Some(launches) = launched.get_mut(at).filter(|_| is_within) {
            launches.push(round);
        }
    }
    let kernels = |launches: &[&Round]| launches.iter().map(|r| r.kernel).collect::<Vec<u32>>();
    let mut counts: HashMap<Vec<u32>, usize> = HashMap::new();
    for launches in &launched {
        *counts.entry(kernels(launches)).or_default() += 1;
    }
    let mut parts: Vec<Part> = Vec::new();
    for (marker, launches) in markers.iter().zip(&launched) {
        let (Some(start_ns), Some(end_ns)) = (
            launches.iter().map(|round| round.start_ns).min(),
            launches.iter().map(|round| round.end_ns).max(),
        ) else {
            continue;
        };
        if let Some(last) = parts.last_mut() {
            last.end_ns = start_ns.max(last.start_ns);
        }
        parts.push(Part {
            name: marker.name.to_owned(),
            start_ns,
            end_ns,
            launches: launches.len() as u64,
            is_regular: counts.get(&kernels(launches)).is_some_and(|count| *count > 1),
        });
    }
    let first = launched.iter().flatten().next().map(|round| round.kernel);
    StepSpans::new(StepSource::Host, first, parts)
}

/// Events whose names match, those within another one left out, in device time.
fn markers<'a>(host: &'a HostTrace, offset_ns: i64, pattern: Option<&Regex>) -> Vec<Marker<'a>> {
    let tpudnn = host.strings.lookup(TPUDNN);
    let is_marker = |name: &str| match pattern {
        Some(pattern) => pattern.is_match(name),
        None => name.starts_with(TORCH_STEP),
    };
    let of_host = host.kept_slices().filter(|(_, slice)| {
        Some(slice.cat) != tpudnn && !host.strings.get(slice.cat).starts_with(OF_DEVICE)
    });
    let mut markers: Vec<Marker<'_>> = of_host
        .map(|(_, slice)| Marker {
            name: host.strings.get(slice.name),
            start_ns: device_time(slice.start_ns, offset_ns),
            end_ns: device_time(slice.end_ns, offset_ns),
        })
        .filter(|marker| is_marker(marker.name))
        .collect();
    keep_outermost(&mut markers, |marker| (marker.start_ns, marker.end_ns));
    markers
}
