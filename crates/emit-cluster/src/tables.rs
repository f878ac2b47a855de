//! Operations, pairs, states and links as Parquet tables: a row each.

use std::collections::BTreeMap;
use std::rc::Rc;

use bigtpu_cluster::report::{End, LinkRow, MemberRow, OperationRow};
use bigtpu_cluster::{Identity, Joined, PairSide, PairView, RankView, States};
use bigtpu_output::{OutDir, OutputError, Written};

use crate::table_file::{Columns, write_table};

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
    let members = joined.cluster.operations.iter().enumerate();
    let members = members.flat_map(|(number, o)| o.ranks.iter().map(move |m| (number, o, m)));
    let mut written = vec![write_table(out, operation_file, &operations(joined), members)?];
    if all_rows {
        let pair_rows = joined.pairs().map(|pair| PairRow::new(joined, pair));
        let (pairs, states) = rayon::join(
            || write_table(out, pair_file, &pairs(joined), pair_rows),
            || write_table(out, state_file, &states(), stretches(joined)),
        );
        written.extend([pairs?, states?]);
    }
    let rows = joined.cluster.links.iter().enumerate();
    written.push(write_table(out, link_file, &links(joined), rows)?);
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

/// A rank of an operation, and the operation with its number.
type Member<'a> = (usize, &'a OperationRow, &'a MemberRow);

/// A row for each rank of each operation.
fn operations(joined: &Joined) -> Columns<'_, Member<'_>> {
    let ranks: BTreeMap<u32, &Identity> =
        joined.ranks().map(|r| (r.rank.number, &r.rank.part.identity)).collect();
    let ranks = Rc::new(ranks);
    let identity = move |rank: u32| ranks.get(&rank).copied();
    let [host, device, call] = [identity.clone(), identity.clone(), identity];
    let mut table = Columns::<Member<'_>>::default();
    table.int("operation", move |(n, ..)| i64::try_from(*n).ok());
    table.text("kind", move |(_, o, _)| Some(o.kind));
    table.text("source", move |(_, o, _)| Some(o.source));
    table.text("group", move |(_, o, _)| o.group.as_deref());
    table.int("island", move |(_, o, _)| i64::try_from(o.island).ok());
    table.int("rank", move |(.., m)| Some(m.rank.into()));
    table.text("host", move |(.., m)| Some(&host(m.rank)?.host));
    table.int("device", move |(.., m)| Some(device(m.rank)?.device.into()));
    table.int("call", move |(.., m)| Some(call(m.rank)?.call.into()));
    table.int("arrival_ns", move |(.., m)| m.arrival_ns.and_then(whole));
    table.int("end_ns", move |(.., m)| m.end_ns.and_then(whole));
    table.int("wait_ns", move |(.., m)| m.wait_ns.and_then(whole));
    table.int("late_rank", move |(_, o, _)| Some(o.late_rank.into()));
    table.int("wire_bytes", move |(_, o, _)| i64::try_from(o.wire_bytes?).ok());
    table.int("skew_ns", move |(_, o, _)| whole(o.skew_ns));
    table.int("transfer_ns", move |(_, o, _)| whole(o.transfer_ns));
    table.float("algorithm_gbps", move |(_, o, _)| o.algorithm_gbps);
    table.float("bus_gbps", move |(_, o, _)| o.bus_gbps);
    table
}

/// A pair, and what its row has of its commands.
struct PairRow {
    view: PairView,
    bytes: Option<i64>,
    replays: Option<u32>,
    /// Own start and end of the send, and of the receive.
    own: [Option<(i64, i64)>; 2],
}

impl PairRow {
    fn new(joined: &Joined, view: PairView) -> Self {
        let [send, receive] = [&view.send, &view.receive].map(|side| joined.command(side));
        let bytes = send.zip(receive).map(|(send, receive)| send.bytes.max(receive.bytes));
        Self {
            view,
            bytes: bytes.and_then(|bytes| i64::try_from(bytes).ok()),
            replays: send.map(|send| send.replays),
            own: [send, receive].map(|of| of.map(|of| (of.start, of.end))),
        }
    }

    /// The send, or the receive, with its own start and end.
    fn side(&self, receives: bool) -> (&PairSide, Option<(i64, i64)>) {
        let [send, receive] = self.own;
        if receives { (&self.view.receive, receive) } else { (&self.view.send, send) }
    }
}

/// A row for each send with its receive: aligned and own times of both.
fn pairs(joined: &Joined) -> Columns<'_, PairRow> {
    let link = move |p: &PairRow| joined.cluster.links.get(p.view.link as usize);
    let operation =
        move |p: &PairRow| joined.cluster.operations.get(usize::try_from(p.view.operation?).ok()?);
    let clock = move |side: &PairSide| joined.rank(side.rank as usize).map(|rank| rank.clock);
    let mut table = Columns::<PairRow>::default();
    table.int("link", move |p| Some(p.view.link.into()));
    table.int("from_rank", move |p| Some(link(p)?.from.rank.into()));
    table.int("from_port", move |p| Some(link(p)?.from.port.into()));
    table.int("to_rank", move |p| Some(link(p)?.to.rank.into()));
    table.int("to_port", move |p| Some(link(p)?.to.port.into()));
    table.int("operation", move |p| p.view.operation.map(i64::from));
    table.text("kind", move |p| Some(operation(p)?.kind));
    table.text("group", move |p| operation(p)?.group.as_deref());
    table.int("bytes", move |p| p.bytes);
    table.int("replays", move |p| p.replays.map(i64::from));
    let sides = [
        (
            false,
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
            true,
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
    for (receives, names) in sides {
        let own = move |p: &PairRow| p.side(receives).1;
        let of = move |p: &PairRow| p.side(receives).0.phases;
        let aligned = move |p: &PairRow, own: i64| whole(clock(p.side(receives).0)?.reference(own));
        let [start, end, own_start, own_end, late, start_up, transfer, completion] = names;
        table.int(start, move |p| aligned(p, own(p)?.0));
        table.int(end, move |p| aligned(p, own(p)?.1));
        table.int(own_start, move |p| Some(own(p)?.0));
        table.int(own_end, move |p| Some(own(p)?.1));
        table.int(late, move |p| Some(of(p).waiting));
        table.int(start_up, move |p| Some(of(p).start_up));
        table.int(transfer, move |p| Some(of(p).transfer));
        table.int(completion, move |p| Some(of(p).completion));
    }
    let is_estimated = |p: &PairRow| [false, true].map(|side| p.side(side).0.phases.is_estimated);
    let times = move |p: &PairRow| match is_estimated(p) {
        [false, false] => "data times",
        _ => "ends only",
    };
    table.text("times", move |p| Some(times(p)));
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
fn states<'a>() -> Columns<'a, Stretch<'a>> {
    let mut table = Columns::<Stretch<'_>>::default();
    table.int("rank", move |(r, ..)| Some(r.rank.number.into()));
    table.text("host", move |(r, ..)| Some(&r.rank.part.identity.host));
    table.int("device", move |(r, ..)| Some(r.rank.part.identity.device.into()));
    table.int("call", move |(r, ..)| Some(r.rank.part.identity.call.into()));
    table.text("state", move |(_, state, ..)| Some(state_name(*state)));
    table.int("start_ns", move |(r, _, at, _)| whole(r.clock.reference(*at)));
    table.int("end_ns", move |(r, .., end)| whole(r.clock.reference(*end)));
    table.int("own_start_ns", move |(_, _, at, _)| Some(*at));
    table.int("own_end_ns", move |(.., end)| Some(*end));
    table
}

/// A row for each link.
fn links(joined: &Joined) -> Columns<'_, (usize, &LinkRow)> {
    let ranks: BTreeMap<u32, RankView<'_>> = joined.ranks().map(|r| (r.rank.number, r)).collect();
    let ranks = Rc::new(ranks);
    let host = move |end: &End| Some(ranks.get(&end.rank)?.rank.part.identity.host.as_str());
    let [from_host, to_host] = [host.clone(), host];
    let count = |n: u64| i64::try_from(n).ok();
    let mut table = Columns::<(usize, &LinkRow)>::default();
    table.int("link", move |(n, _)| i64::try_from(*n).ok());
    table.int("from_rank", move |(_, l)| Some(l.from.rank.into()));
    table.text("from_host", move |(_, l)| from_host(&l.from));
    table.int("from_port", move |(_, l)| Some(l.from.port.into()));
    table.int("to_rank", move |(_, l)| Some(l.to.rank.into()));
    table.text("to_host", move |(_, l)| to_host(&l.to));
    table.int("to_port", move |(_, l)| Some(l.to.port.into()));
    table.int("commands", move |(_, l)| i64::try_from(l.commands).ok());
    table.int("bytes", move |(_, l)| count(l.bytes));
    table.float("gbps", move |(_, l)| l.gbps);
    table.float("share_of_best", move |(_, l)| l.share_of_best);
    table.int("replays", move |(_, l)| count(l.replays));
    table.float("residual_p50_ns", move |(_, l)| Some(l.residual_p50_ns));
    table.float("residual_p95_ns", move |(_, l)| Some(l.residual_p95_ns));
    table.text("how", move |(_, l)| Some(l.how));
    table
}
