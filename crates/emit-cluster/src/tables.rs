//! Operations, pairs, states and links as Parquet tables: a row each.

use std::collections::BTreeMap;

use bigtpu_cluster::report::{End, MemberRow, OperationRow};
use bigtpu_cluster::{Identity, Joined, PairView, RankView, Side, States};
use bigtpu_output::{OutDir, OutputError, Written};

use crate::table_file::{Rows, in_groups, write_table};

/// Names of the files.
pub const TABLES: [&str; 4] =
    ["operations.parquet", "pairs.parquet", "states.parquet", "links.parquet"];

/// Writes the tables; without `all_rows` only those that have a row for each operation and rank, or link.
///
/// # Errors
/// [`OutputError`] when a file can't be written.
pub fn write_tables(
    joined: &Joined,
    all_rows: bool,
    out: &OutDir,
) -> Result<Vec<Written>, OutputError> {
    let [operation_file, pair_file, state_file, link_file] = TABLES;
    let mut written = vec![write_table(out, operation_file, operations(joined))?];
    if all_rows {
        let (pairs, states) = rayon::join(
            || write_table(out, pair_file, in_groups(joined.pairs(), |rows| pairs(joined, rows))),
            || write_table(out, state_file, in_groups(stretches(joined), states)),
        );
        written.extend([pairs?, states?]);
    }
    written.push(write_table(out, link_file, std::iter::once(links(joined)))?);
    Ok(written)
}

/// Rows of the tables of pairs and states, at least about.
#[must_use]
pub fn rows_of_tables(joined: &Joined) -> u64 {
    let states: usize = joined.ranks().map(|rank| rank.rank.part.runs.len()).sum();
    (joined.pair_count() + states) as u64
}

fn whole(ns: f64) -> Option<i64> {
    ns.is_finite().then(|| ns.round() as i64)
}

fn text(text: impl ToString) -> Option<String> {
    Some(text.to_string())
}

/// A row for each rank of each operation.
fn operations(joined: &Joined) -> impl Iterator<Item = Rows> {
    let all = joined.cluster.operations.iter().enumerate();
    let all = all.flat_map(|(number, o)| o.ranks.iter().map(move |member| (number, o, member)));
    let ranks: BTreeMap<u32, &Identity> =
        joined.ranks().map(|r| (r.rank.number, &r.rank.part.identity)).collect();
    in_groups(all, move |rows| operation_rows(&ranks, rows))
}

fn operation_rows(
    ranks: &BTreeMap<u32, &Identity>,
    rows: &[(usize, &OperationRow, &MemberRow)],
) -> Rows {
    let identity = |rank: u32| ranks.get(&rank);
    let mut table = Rows::default();
    table.int("operation", rows.iter().map(|(n, ..)| i64::try_from(*n).ok()));
    table.text("kind", rows.iter().map(|(_, o, _)| text(o.kind)));
    table.text("source", rows.iter().map(|(_, o, _)| text(o.source)));
    table.text("group", rows.iter().map(|(_, o, _)| o.group.clone()));
    table.int("island", rows.iter().map(|(_, o, _)| i64::try_from(o.island).ok()));
    table.int("rank", rows.iter().map(|(.., m)| Some(m.rank.into())));
    table.text("host", rows.iter().map(|(.., m)| text(&identity(m.rank)?.host)));
    table.int("device", rows.iter().map(|(.., m)| Some(identity(m.rank)?.device.into())));
    table.int("call", rows.iter().map(|(.., m)| Some(identity(m.rank)?.call.into())));
    table.int("arrival_ns", rows.iter().map(|(.., m)| m.arrival_ns.and_then(whole)));
    table.int("end_ns", rows.iter().map(|(.., m)| m.end_ns.and_then(whole)));
    table.int("wait_ns", rows.iter().map(|(.., m)| m.wait_ns.and_then(whole)));
    table.int("late_rank", rows.iter().map(|(_, o, _)| Some(o.late_rank.into())));
    table.int("wire_bytes", rows.iter().map(|(_, o, _)| i64::try_from(o.wire_bytes?).ok()));
    table.int("skew_ns", rows.iter().map(|(_, o, _)| whole(o.skew_ns)));
    table.int("transfer_ns", rows.iter().map(|(_, o, _)| whole(o.transfer_ns)));
    table.float("algorithm_gbps", rows.iter().map(|(_, o, _)| o.algorithm_gbps));
    table.float("bus_gbps", rows.iter().map(|(_, o, _)| o.bus_gbps));
    table
}

/// A row for each send with its receive: aligned and own times of both.
fn pairs(joined: &Joined, rows: &[PairView]) -> Rows {
    let link = |p: &PairView| joined.cluster.links.get(p.link as usize);
    let operation =
        |p: &PairView| joined.cluster.operations.get(usize::try_from(p.operation?).ok()?);
    let clock = |side: &Side| joined.rank(side.rank as usize).map(|rank| rank.clock);
    let mut table = Rows::default();
    table.int("link", rows.iter().map(|p| Some(p.link.into())));
    table.int("from_rank", rows.iter().map(|p| Some(link(p)?.from.rank.into())));
    table.int("from_port", rows.iter().map(|p| Some(link(p)?.from.port.into())));
    table.int("to_rank", rows.iter().map(|p| Some(link(p)?.to.rank.into())));
    table.int("to_port", rows.iter().map(|p| Some(link(p)?.to.port.into())));
    table.int("operation", rows.iter().map(|p| p.operation.map(i64::from)));
    table.text("kind", rows.iter().map(|p| text(operation(p)?.kind)));
    table.text("group", rows.iter().map(|p| operation(p)?.group.clone()));
    let bytes = |p: &PairView| {
        let (send, receive) = (joined.command(&p.send)?, joined.command(&p.receive)?);
        i64::try_from(send.bytes.max(receive.bytes)).ok()
    };
    table.int("bytes", rows.iter().map(bytes));
    let replays = |p: &PairView| Some(joined.command(&p.send)?.replays.into());
    table.int("replays", rows.iter().map(replays));
    type Of = fn(&PairView) -> &Side;
    let sides: [(Of, [&'static str; 8]); 2] = [
        (
            |p| &p.send,
            [
                "send_start_ns",
                "send_end_ns",
                "send_own_start_ns",
                "send_own_end_ns",
                "late_receiver_ns",
                "send_start_up_ns",
                "send_transfer_ns",
                "send_completion_ns",
            ],
        ),
        (
            |p| &p.receive,
            [
                "receive_start_ns",
                "receive_end_ns",
                "receive_own_start_ns",
                "receive_own_end_ns",
                "late_sender_ns",
                "receive_start_up_ns",
                "receive_transfer_ns",
                "receive_completion_ns",
            ],
        ),
    ];
    for (of, names) in sides {
        let command = |p: &PairView| joined.command(of(p));
        let aligned = |p: &PairView, own: i64| whole(clock(of(p))?.reference(own));
        let [start, end, own_start, own_end, late, start_up, transfer, completion] = names;
        table.int(start, rows.iter().map(|p| aligned(p, command(p)?.start)));
        table.int(end, rows.iter().map(|p| aligned(p, command(p)?.end)));
        table.int(own_start, rows.iter().map(|p| Some(command(p)?.start)));
        table.int(own_end, rows.iter().map(|p| Some(command(p)?.end)));
        table.int(late, rows.iter().map(|p| Some(of(p).phases.waiting)));
        table.int(start_up, rows.iter().map(|p| Some(of(p).phases.start_up)));
        table.int(transfer, rows.iter().map(|p| Some(of(p).phases.transfer)));
        table.int(completion, rows.iter().map(|p| Some(of(p).phases.completion)));
    }
    let is_estimated = |p: &PairView| p.send.phases.is_estimated || p.receive.phases.is_estimated;
    let times = |p: &PairView| if is_estimated(p) { "ends only" } else { "data times" };
    table.text("times", rows.iter().map(|p| text(times(p))));
    table
}

/// Name of a state: without its unit.
pub(crate) fn state_name(state: u8) -> &'static str {
    let name = States::NAMES.get(usize::from(state)).copied().unwrap_or_default();
    name.strip_suffix("_ns").unwrap_or(name)
}

/// A stretch of a state of a rank: its number, and its own begin and end.
type Stretch<'a> = (RankView<'a>, u8, i64, i64);

/// The stretches of all ranks.
fn stretches(joined: &Joined) -> impl Iterator<Item = Stretch<'_>> {
    let states = joined.states();
    joined.ranks().enumerate().flat_map(move |(place, rank)| {
        let mut at = rank.rank.part.window.0;
        states.runs_of(place).into_iter().map(move |run| {
            let start = at;
            at = at.saturating_add(i64::try_from(run.ns).unwrap_or(i64::MAX));
            (rank, run.state, start, at)
        })
    })
}

/// A row for each stretch of a state of a rank.
fn states(rows: &[Stretch<'_>]) -> Rows {
    let mut table = Rows::default();
    table.int("rank", rows.iter().map(|(r, ..)| Some(r.rank.number.into())));
    table.text("host", rows.iter().map(|(r, ..)| text(&r.rank.part.identity.host)));
    table.int("device", rows.iter().map(|(r, ..)| Some(r.rank.part.identity.device.into())));
    table.int("call", rows.iter().map(|(r, ..)| Some(r.rank.part.identity.call.into())));
    table.text("state", rows.iter().map(|(_, state, ..)| text(state_name(*state))));
    table.int("start_ns", rows.iter().map(|(r, _, at, _)| whole(r.clock.reference(*at))));
    table.int("end_ns", rows.iter().map(|(r, .., end)| whole(r.clock.reference(*end))));
    table.int("own_start_ns", rows.iter().map(|(_, _, at, _)| Some(*at)));
    table.int("own_end_ns", rows.iter().map(|(.., end)| Some(*end)));
    table
}

/// A row for each link.
fn links(joined: &Joined) -> Rows {
    let rows = &joined.cluster.links;
    let ranks: BTreeMap<u32, RankView<'_>> = joined.ranks().map(|r| (r.rank.number, r)).collect();
    let host = |end: &End| text(&ranks.get(&end.rank)?.rank.part.identity.host);
    let count = |n: u64| i64::try_from(n).ok();
    let mut table = Rows::default();
    table.int("link", (0..rows.len()).map(|n| i64::try_from(n).ok()));
    table.int("from_rank", rows.iter().map(|l| Some(l.from.rank.into())));
    table.text("from_host", rows.iter().map(|l| host(&l.from)));
    table.int("from_port", rows.iter().map(|l| Some(l.from.port.into())));
    table.int("to_rank", rows.iter().map(|l| Some(l.to.rank.into())));
    table.text("to_host", rows.iter().map(|l| host(&l.to)));
    table.int("to_port", rows.iter().map(|l| Some(l.to.port.into())));
    table.int("commands", rows.iter().map(|l| i64::try_from(l.commands).ok()));
    table.int("bytes", rows.iter().map(|l| count(l.bytes)));
    table.float("gbps", rows.iter().map(|l| l.gbps));
    table.float("share_of_best", rows.iter().map(|l| l.share_of_best));
    table.int("replays", rows.iter().map(|l| count(l.replays)));
    table.float("residual_p50_ns", rows.iter().map(|l| Some(l.residual_p50_ns)));
    table.float("residual_p95_ns", rows.iter().map(|l| Some(l.residual_p95_ns)));
    table.text("how", rows.iter().map(|l| text(l.how)));
    table
}
