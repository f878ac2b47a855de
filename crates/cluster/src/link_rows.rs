//! Rows of links, of chains that links close, and of threads without a partner.

use bigtpu_messages::{Arg, Language, Message, message};
use rayon::prelude::*;

use crate::alignment::PairRun;
use crate::found::Found;
use crate::numbers::thousandth;
use crate::pairing::{How, Link, ThreadId, thread_of};
use crate::report::{AmbiguousRow, CandidateRow, CycleRow, LinkRow};
use crate::speeds::Speed;

/// What the clocks leave open on each link.
pub(crate) fn cycles(found: &Found) -> Vec<CycleRow> {
    let links = found.pairing.links.iter().zip(&found.clocks.closure);
    links
        .map(|(link, closure)| CycleRow {
            from: found.end(link.from),
            to: found.end(link.to),
            closure_ns: thousandth(*closure),
        })
        .collect()
}

/// The accepted links.
pub(crate) fn links(found: &Found) -> Vec<LinkRow> {
    let thread = |id: ThreadId| thread_of(&found.ranks, id);
    let links = &found.pairing.links;
    let row = |(link, speed): (&Link, &Speed)| {
        let (pairs, runs) = (link.alignment.count, &link.alignment.runs);
        let (i0, j0) = runs.first().map_or((0, 0), |run| (run.send, run.receive));
        let end = |run: &PairRun| (run.send + run.count - 1, run.receive + run.count - 1);
        let (i1, j1) = runs.last().map_or((0, 0), end);
        let count = |id| thread(id).map_or(0, |t| t.commands.len());
        let total = count(link.from) + count(link.to);
        let spanned = (i1 - i0 + 1) as usize + (j1 - j0 + 1) as usize;
        let of_pairs = crate::facts::commands(&found.ranks, link);
        LinkRow {
            from: found.end(link.from),
            to: found.end(link.to),
            commands: pairs,
            shift: i64::from(j0) - i64::from(i0),
            unpaired_edges: total.saturating_sub(spanned),
            unpaired_inside: spanned.saturating_sub(2 * pairs),
            residual_p50_ns: thousandth(link.alignment.p50),
            residual_p95_ns: thousandth(link.alignment.p95),
            how: if link.how == How::Given { "given" } else { "data" },
            bytes: of_pairs.map(|(s, r)| link.bytes(s.bytes, r.bytes)).sum(),
            gbps: speed.rate.map(thousandth),
            share_of_best: speed.share_of_best,
            replays: thread(link.from).map_or(0, |t| t.commands.replays().sum()),
            other_bytes: link.other_bytes,
        }
    };
    links.par_iter().zip(&found.speeds).map(row).collect()
}

/// Threads whose partner is not clear, and given links that the data contradict.
pub(crate) fn ambiguous(found: &Found) -> Vec<AmbiguousRow> {
    let row = |thread: ThreadId, stated: bool, why: Message, candidates: Vec<CandidateRow>| {
        let of = thread_of(&found.ranks, thread);
        let end = found.end(thread);
        AmbiguousRow {
            rank: end.rank,
            port: end.port,
            direction: if of.is_some_and(|t| t.receives) { "receive" } else { "send" },
            commands: of.map_or(0, |t| t.commands.len()),
            stated,
            why: why.text(Language::English),
            why_message: why,
            candidates,
        }
    };
    let open = found.pairing.ambiguous.iter().map(|a| {
        let candidates = a.candidates.iter().map(|(id, score)| {
            let end = found.end(*id);
            CandidateRow { rank: end.rank, port: end.port, residual_ns: thousandth(*score) }
        });
        row(a.thread, false, Message::new(a.why), candidates.collect())
    });
    let wrong = found.pairing.contradicted.iter().map(|(from, to)| {
        let to = found.end(*to);
        let why = message!(
            "cluster-contradicted",
            rank = Arg::Number(to.rank.into()),
            port = Arg::Number(to.port.into())
        );
        row(*from, true, why, Vec::new())
    });
    let mut rows: Vec<AmbiguousRow> = open.chain(wrong).collect();
    rows.sort_by(|a, b| (a.rank, a.port, a.direction).cmp(&(b.rank, b.port, b.direction)));
    rows
}
