//! Which sends' messages which waits take, and which send ended each wait, as columns.

use bigtpu_measure::Flows;
use bigtpu_replay::{DependenceKind, EventCauses};
use bigtpu_timeline::{EngineId, Profile};
use foldhash::{HashMap, HashMapExt};

use crate::column::Column;

/// Columns of the flows. `causes`: what ended each wait; `None` where it is not known. `track_of` gives the page's number of an
/// engine's track.
pub(crate) fn flow_columns(
    profile: &Profile<'_>,
    flows: &Flows,
    causes: Option<&EventCauses>,
    track_of: impl Fn(EngineId) -> Option<usize>,
) -> Vec<Column> {
    let mut columns =
        ["sendTrack", "sendRow", "waitTrack", "waitRow", "message"].map(Column::differences);
    let mut releases = Column::plain("releases");
    for (flow, is_release) in flows.pairs().zip(releasing(profile, flows, causes)) {
        let (Some(send), Some(wait)) = (track_of(flow.send.0), track_of(flow.wait.0)) else {
            continue;
        };
        let rows = [send, flow.send.1, wait, flow.wait.1].map(|n| n as i64);
        let numbers = rows.into_iter().chain([flow.message as i64]);
        columns.iter_mut().zip(numbers).for_each(|(column, n)| column.push(n));
        releases.push(is_release.into());
    }
    columns.into_iter().chain([releases]).collect()
}

/// A wait whose messages were there when it began ends at most so many ns after the last of them, or that one did not end it.
const HAND_OVER_NS: i64 = 200;

/// Whether the send of each flow ended its wait, as the graph of the run has it. Among sends that ended at once, the
/// first one did.
fn releasing(profile: &Profile<'_>, flows: &Flows, causes: Option<&EventCauses>) -> Vec<bool> {
    let ends: HashMap<EngineId, &[i64]> =
        profile.tracks().map(|track| (track.engine_id, track.events.end.as_slice())).collect();
    let end_of = |(engine, row): (EngineId, usize)| ends.get(&engine)?.get(row).copied();
    let mut last: HashMap<(EngineId, usize), (Option<i64>, usize)> =
        HashMap::with_capacity(flows.len());
    for (number, flow) in flows.pairs().enumerate() {
        let end = end_of(flow.send);
        let latest = last.entry(flow.wait).or_insert((end, number));
        if end > latest.0 {
            *latest = (end, number);
        }
    }
    let mut is_release = vec![false; flows.len()];
    for (wait, (sent, number)) in last {
        let cause = causes.and_then(|causes| causes.of_engine(wait.0)?.cause(wait.1));
        let released = match cause {
            // The last send; of the engine that came last it is its own, which it waits for in any case.
            Some(cause) if end_of((cause.engine_id, cause.event)) == sent => true,
            // A command that sends nothing, such as a port's, or the send of another message: its end is later.
            Some(cause)
                if matches!(cause.kind, DependenceKind::Message | DependenceKind::Barrier) =>
            {
                false
            }
            Some(_) => {
                let after = end_of(wait).zip(sent).map(|(end, sent)| end - sent);
                after.is_some_and(|ns| ns <= HAND_OVER_NS)
            }
            None => false,
        };
        if let Some(of_flow) = is_release.get_mut(number) {
            *of_flow = released;
        }
    }
    is_release
}
