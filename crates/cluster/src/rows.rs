//! Rows of operations, and of operations of one kind and size.

use std::collections::BTreeMap;

use crate::found::Found;
use crate::groups;
use crate::numbers::{lower_median, thousandth};
use crate::operation::Operation;
use crate::part::OneSided;
use crate::rank::Rank;
use crate::report::{
    GroupRow, LateCause, MemberRow, OneSidedRow, OperationGroupRow, OperationRow, SlowLink,
};

/// Causes of a lateness that are listed.
const CAUSES: usize = 3;
/// ns below which a cause is not listed.
const LEAST_NS: f64 = 100.0;

/// All operations.
pub(crate) fn operations(found: &Found, groups: &[GroupRow]) -> Vec<OperationRow> {
    // By rank: the end of its operation before, on its own clock.
    let mut before: BTreeMap<usize, i64> = BTreeMap::new();
    let mut rows = Vec::new();
    for operation in &found.operations {
        rows.push(row(found, groups, operation, &before));
        for member in &operation.members {
            let end = before.entry(member.rank).or_insert(i64::MIN);
            *end = (*end).max(member.own.1);
        }
    }
    rows
}

fn row(
    found: &Found,
    groups: &[GroupRow],
    operation: &Operation,
    before: &BTreeMap<usize, i64>,
) -> OperationRow {
    let members: Vec<u32> = operation.members.iter().map(|m| found.number(m.rank)).collect();
    let (algorithm, bus) = operation.bandwidths();
    let known = operation.members.iter().filter(|m| m.is_known);
    let shortest = known.map(|m| m.end - m.arrival).fold(f64::INFINITY, f64::min);
    let slow = operation.slow_link.and_then(|link| found.pairing.links.get(link));
    OperationRow {
        kind: operation.kind.name(),
        source: operation.source,
        group: groups::name_of(groups, &members),
        island: operation.island,
        start_ns: thousandth(operation.first_arrival),
        end_ns: thousandth(operation.end),
        wire_bytes: operation.wire_bytes(),
        late_rank: found.number(operation.late),
        late_because: late_because(found, operation, before),
        skew_ns: thousandth(operation.skew()),
        transfer_ns: thousandth(operation.transfer()),
        shortest_ns: thousandth(shortest),
        algorithm_gbps: algorithm.map(thousandth),
        bus_gbps: bus.map(thousandth),
        slow_link: slow.map(|link| SlowLink {
            from: found.number(link.from.rank),
            to: found.number(link.to.rank),
        }),
        ranks: operation
            .members
            .iter()
            .map(|m| MemberRow {
                rank: found.number(m.rank),
                arrival_ns: m.is_known.then(|| thousandth(m.arrival)),
                end_ns: m.is_known.then(|| thousandth(m.end)),
                wait_ns: m.is_known.then(|| thousandth(m.wait)),
            })
            .collect(),
    }
}

/// What the late rank did longer than the median of the ranks since the operation before.
fn late_because(
    found: &Found,
    operation: &Operation,
    before: &BTreeMap<usize, i64>,
) -> Vec<LateCause> {
    let mut of_ranks: Vec<(usize, BTreeMap<&str, f64>)> = Vec::new();
    // Of a port with a time of its own it is not known what the cores did before.
    for member in operation.members.iter().filter(|member| member.is_placed) {
        let Some(rank) = found.ranks.get(member.rank) else { continue };
        let from = before.get(&member.rank).copied().unwrap_or(rank.part.window.0);
        let until = member.own.0;
        let mut times: BTreeMap<&str, f64> = BTreeMap::new();
        let launches = &rank.part.launches;
        // Launches are sorted by start; a few long ones before `from` may still run.
        let first = launches.begun_before(from).saturating_sub(4);
        let mut covered = from;
        for launch in launches.iter().skip(first).take_while(|l| l.start < until) {
            let (start, end) = (launch.start.max(covered), launch.end.min(until));
            if end > start {
                let name = rank.part.kernels.get(launch.kernel as usize);
                *times.entry(name.map_or("", String::as_str)).or_default() += (end - start) as f64;
                covered = end;
            }
        }
        let inside: f64 = times.values().sum();
        times.insert("launch gaps", ((until - from) as f64 - inside).max(0.0));
        of_ranks.push((member.rank, times));
    }
    let Some((_, late)) = of_ranks.iter().find(|(rank, _)| *rank == operation.late) else {
        return Vec::new();
    };
    let mut causes: Vec<LateCause> = late
        .iter()
        .map(|(name, ns)| {
            let mut all: Vec<f64> =
                of_ranks.iter().map(|(_, times)| times.get(name).copied().unwrap_or(0.0)).collect();
            all.sort_by(f64::total_cmp);
            let median = lower_median(&all).unwrap_or(0.0);
            LateCause { what: (*name).to_owned(), ns: thousandth(ns - median) }
        })
        .filter(|cause| cause.ns > LEAST_NS)
        .collect();
    causes.sort_by(|a, b| b.ns.total_cmp(&a.ns).then_with(|| a.what.cmp(&b.what)));
    causes.truncate(CAUSES);
    causes
}

/// Commands of ports that need no partner. A chip number is that of the device on the same host.
pub(crate) fn one_sided(found: &Found) -> Vec<OneSidedRow> {
    let rank_of = |host: &str, chip: u8| {
        let is_own = |rank: &&Rank| {
            let identity = &rank.part.identity;
            identity.host == host && identity.device == u32::from(chip)
        };
        found.ranks.iter().find(is_own).map(|rank| rank.number)
    };
    let of_rank = |rank: &Rank| -> Vec<OneSidedRow> {
        let host = &rank.part.identity.host;
        let row = |of: &OneSided| OneSidedRow {
            rank: rank.number,
            port: of.port,
            peer: of.peer.and_then(|chip| rank_of(host, chip)),
            commands: of.commands,
            bytes: of.bytes,
            ns: of.ns,
        };
        rank.part.one_sided.iter().map(row).collect()
    };
    found.ranks.iter().flat_map(of_rank).collect()
}

/// Operations of one kind, number of ranks and size.
pub(crate) fn operation_groups(found: &Found) -> Vec<OperationGroupRow> {
    let mut groups: BTreeMap<(&'static str, usize, Option<u64>), Vec<&Operation>> = BTreeMap::new();
    for operation in &found.operations {
        let key = (operation.kind.name(), operation.members.len(), operation.wire_bytes());
        groups.entry(key).or_default().push(operation);
    }
    let row = |((kind, ranks, wire_bytes), all): (
        (&'static str, usize, Option<u64>),
        Vec<&Operation>,
    )| {
        let share = |of: &dyn Fn(&Operation) -> f64, share: f64| {
            let mut values: Vec<f64> = all.iter().map(|o| of(o)).collect();
            values.sort_by(f64::total_cmp);
            let place = ((values.len() as f64 * share) as usize).min(values.len() - 1);
            thousandth(values.get(place).copied().unwrap_or(0.0))
        };
        let mut bus: Vec<f64> = all.iter().filter_map(|o| o.bandwidths().1).collect();
        bus.sort_by(f64::total_cmp);
        let mut late: BTreeMap<u32, usize> = BTreeMap::new();
        for operation in &all {
            *late.entry(found.number(operation.late)).or_default() += 1;
        }
        let mut late_ranks: Vec<(u32, usize)> = late.into_iter().collect();
        late_ranks.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
        OperationGroupRow {
            kind,
            ranks,
            wire_bytes,
            count: all.len(),
            transfer_p50_ns: share(&|o| o.transfer(), 0.5),
            transfer_p95_ns: share(&|o| o.transfer(), 0.95),
            skew_p50_ns: share(&|o| o.skew(), 0.5),
            skew_p95_ns: share(&|o| o.skew(), 0.95),
            bus_gbps: bus.get(bus.len() / 2).copied().map(thousandth),
            late_ranks,
        }
    };
    let mut rows: Vec<OperationGroupRow> = groups.into_iter().map(row).collect();
    rows.sort_by(|a, b| {
        let total = |r: &OperationGroupRow| r.transfer_p50_ns * r.count as f64;
        total(b).total_cmp(&total(a)).then(a.wire_bytes.cmp(&b.wire_bytes))
    });
    rows
}
