//! The trace of a rank's host, as torch writes it: its communications, steps, and the end of the capture.
//!
//! Hosts' clocks are apart by up to a second; what ties a device to its host is off by up to 20 us.

use std::fmt::Write;

use super::devices::Devices;
use super::dump::records_span;
use super::options::ClusterOptions;
use super::simulation::{Simulation, unit};
use crate::rng::Chance;

/// ns from a call of the host to the start of what it launches.
const LAUNCH_NS: f64 = 25_000.0;
/// ns that a call takes on the host.
const CALL_NS: f64 = 9_000.0;
/// ns from the pause of the PMU to the end of `disable_profile`.
pub(super) const TAIL_NS: i64 = 2_500_000;

/// ns that a host's clock is before true time.
fn offset(seed: u64, host: u32) -> f64 {
    1e15 + unit(&mut Chance::seeded(seed, [host.into(), 0, 31])) * 1e9
}

/// The name of the call that launches an operation.
fn call(kind: &str) -> &'static str {
    match kind {
        "all_reduce" => "c10d::allreduce_",
        "all_gather" => "c10d::_allgather_base_",
        "broadcast" => "c10d::broadcast_",
        "alltoall" => "c10d::alltoall_base_",
        _ => "c10d::send",
    }
}

/// The trace of a rank's host as text.
pub(super) fn text(
    options: &ClusterOptions,
    simulation: &Simulation<'_>,
    devices: &Devices,
    rank: u32,
) -> String {
    let (host, _) = devices.place(rank);
    let ahead = offset(options.seed, host);
    let mut events: Vec<String> = Vec::new();
    let mut event = |name: &str, category: &str, start: f64, end: f64| {
        let [ts, dur] = [start + ahead, end - start].map(|ns| ns / 1000.0);
        events.push(format!(
            "{{\"ph\": \"X\", \"name\": \"{name}\", \"cat\": \"{category}\", \"pid\": 1, \"tid\": 1, \"ts\": {ts:.3}, \"dur\": {dur:.3}}}"
        ));
    };
    for (number, operation) in (0..).zip(&simulation.operations) {
        if !operation.ranks.contains(&rank) || !devices.captures(rank, number) {
            continue;
        }
        let own = simulation.pairs.iter().filter(|pair| pair.operation == number);
        let starts = own.filter_map(|pair| {
            let link = simulation.links.all.get(pair.link)?;
            let send = (link.from == rank).then_some(pair.send[0]);
            let receive = (link.to == rank).then_some(pair.receive[0]);
            send.into_iter().chain(receive).reduce(f64::min)
        });
        let Some(arrival) = starts.reduce(f64::min) else { continue };
        let start = arrival - LAUNCH_NS;
        event(call(operation.kind), "cpu_op", start, start + CALL_NS);
        // torch-tpu's own call within it.
        event("tpudnnC2CDescriptor", "tpudnn", start + 2_000.0, start + CALL_NS - 1_000.0);
    }
    let mut work = simulation.work.iter().filter(|w| w.rank == rank).peekable();
    let mut step = 0;
    while let Some(first) = work.next() {
        let mut last = first;
        while let Some(more) = work.next_if(|more| more.operation == first.operation) {
            last = more;
        }
        if devices.captures(rank, first.operation) {
            event(
                &format!("ProfilerStep#{step}"),
                "user_annotation",
                first.start - LAUNCH_NS,
                last.end - LAUNCH_NS,
            );
        }
        step += 1;
    }
    let mut chance = Chance::seeded(options.seed, [rank.into(), 0, 32]);
    let error = (2.0 * unit(&mut chance) - 1.0) * 20_000.0;
    let pause = devices.clock(rank).time(records_span(options, simulation, devices, rank).1);
    let end = pause + TAIL_NS as f64 + error;
    event("disable_profile", "tpudnn", end - 3_000_000.0, end);
    let mut text = String::from("{\"traceEvents\": [\n");
    let _ = write!(
        text,
        "{}\n], \"distributedInfo\": {{\"backend\": \"sccl\", \"rank\": {rank}, \"world_size\": {}}}}}\n",
        events.join(",\n"),
        options.devices
    );
    text
}
