//! Host and device.

use bigtpu_answers::{HostReport, Report};
use bigtpu_measure::percent;
use bigtpu_output::Table;

use super::{first_of, share, short, table, us};

/// Latency, queue and idle time in lines; none without a host trace whose times can be compared.
#[must_use]
pub fn host_text(report: &Report) -> Vec<String> {
    let Some(host) = &report.host else { return Vec::new() };
    let Some(matching) = host.matching else { return Vec::new() };
    let wall = report.intervals.overall.wall_ns;
    let latency = &host.latency;
    let mut first = format!(
        "Host: {} of {} launches matched with calls {}; launch latency p50 {} us, p95 {} us",
        host.matched,
        host.launches,
        matching.text(),
        us(latency.durations.p50_ns),
        us(latency.durations.p95_ns)
    );
    if host.free_latency.count > 0 {
        first.push_str(&format!(
            " (p50 {} us of those without a queue)",
            us(host.free_latency.durations.p50_ns)
        ));
    }
    let idle = &host.idle;
    let second = format!(
        "  queue {:.2} launches deep on average, at most {}; idle {} of the time: {} nothing was launched (host-bound), \
         {} the device did not run what was launched",
        host.queue.mean,
        host.queue.max,
        share(idle.idle_ns, wall),
        share(idle.host_bound_ns, wall),
        share(idle.device_bound_ns, wall)
    );
    vec![first, second]
}

/// Operators by the device time that they caused.
pub(super) fn operators_table(report: &Report, most: usize) -> Table {
    let operators = report.host.as_ref().map_or(&[][..], |host: &HostReport| &host.operators);
    let all: i64 = operators.iter().map(|operator| operator.self_device_ns).sum();
    let rows = operators.iter().take(most).map(|operator| {
        vec![
            short(&operator.name),
            operator.launches.to_string(),
            us(operator.self_device_ns),
            share(operator.self_device_ns, all),
            us(operator.device_ns),
        ]
    });
    let header = ["Operator", "Launches", "SelfDevice(us)", "SelfShare", "Device(us)"];
    let title = "Host operators by the device time that they caused";
    table(&first_of(title, most, operators.len()), &header, rows.collect())
}

/// SDMA and CDMA.
pub(super) fn communication_table(report: &Report) -> Table {
    let wall = report.intervals.overall.wall_ns;
    let rows = report.communication.channels.iter().map(|c| {
        vec![
            format!("{} {}", c.engine, c.index),
            c.commands.to_string(),
            c.bytes.to_string(),
            us(c.busy_ns),
            share(c.busy_ns, wall),
            us(c.sync_ns),
            format!("{:.2}", c.gbps),
            c.link_share.map_or_else(|| "-".to_owned(), |share| percent(share, 1)),
            us(c.overlapped_ns),
            us(c.exposed_ns),
        ]
    });
    let header = [
        "Engine",
        "Commands",
        "Bytes",
        "Busy(us)",
        "Busy(%)",
        "Sync(us)",
        "GB/s",
        "OfLink",
        "Overlapped(us)",
        "Exposed(us)",
    ];
    table("Communication (SDMA and CDMA)", &header, rows.collect())
}
