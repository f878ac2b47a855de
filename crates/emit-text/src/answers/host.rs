//! Host and device.

use bigtpu_answers::{HostReport, Matching, Report};
use bigtpu_measure::percent;
use bigtpu_messages::{Arg, Language, Message, message};
use bigtpu_output::Table;

use super::{first_of, share, short, table, us};

/// Latency, queue and idle time in lines; none without a host trace whose times can be compared.
#[must_use]
pub fn host_text(report: &Report, language: Language) -> Vec<String> {
    let Some(host) = &report.host else { return Vec::new() };
    let Some(matching) = host.matching else { return Vec::new() };
    let wall = report.intervals.overall.wall_ns;
    let latency = &host.latency;
    let how = Message::new(match matching {
        Matching::Names => "report-host-by-name",
        Matching::Order => "report-host-in-order",
        Matching::Time => "report-host-by-time",
    });
    let (matched, launches) = (host.matched, host.launches);
    let (p50, p95) = (us(latency.durations.p50_ns), us(latency.durations.p95_ns));
    let first = match host.free_latency.count > 0 {
        true => message!(
            "report-host-free",
            matched = matched,
            launches = launches,
            how = how,
            p50 = p50,
            p95 = p95,
            free = us(host.free_latency.durations.p50_ns),
        ),
        false => message!(
            "report-host",
            matched = matched,
            launches = launches,
            how = how,
            p50 = p50,
            p95 = p95,
        ),
    };
    let idle = &host.idle;
    let second = message!(
        "report-host-queue",
        mean = Arg::Value(host.queue.mean, 2),
        most = host.queue.max,
        idle = share(idle.idle_ns, wall),
        host_bound = share(idle.host_bound_ns, wall),
        device_bound = share(idle.device_bound_ns, wall),
    );
    vec![first.text(language), format!("  {}", second.text(language))]
}

/// Operators by the device time that they caused.
pub(super) fn operators_table(report: &Report, most: usize, language: Language) -> Table {
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
    let title = first_of(Message::new("report-table-operators"), most, operators.len());
    table(title.text(language), &header, rows.collect())
}

/// How fast the transfer engines read from off-chip memory and wrote to it.
pub(super) fn ddr_bandwidth_table(report: &Report, language: Language) -> Table {
    let rows = report.ddr_bandwidth.iter().map(|row| {
        let mut cells =
            vec![row.engine.clone(), row.read_bytes.to_string(), row.written_bytes.to_string()];
        cells.push(us(row.busy_ns));
        cells.extend([row.read_gbps, row.write_gbps, row.gbps].map(|gbps| format!("{gbps:.2}")));
        cells
    });
    let header = [
        "Engine",
        "ReadBytes",
        "WrittenBytes",
        "Busy(us)",
        "Read(GB/s)",
        "Write(GB/s)",
        "Total(GB/s)",
    ];
    table(Message::new("report-table-ddr-bandwidth").text(language), &header, rows.collect())
}

/// SDMA and CDMA.
pub(super) fn communication_table(report: &Report, language: Language) -> Table {
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
    table(Message::new("report-table-communication").text(language), &header, rows.collect())
}
