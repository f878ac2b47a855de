//! Which send released which wait, as columns.

use bigtpu_measure::Flows;
use bigtpu_timeline::{EngineId, Profile};
use foldhash::{HashMap, HashMapExt};

use crate::column::Column;

/// Columns of the flows. `track_of` gives the page's number of an engine's track.
pub(crate) fn flow_columns(
    profile: &Profile<'_>,
    flows: &Flows,
    track_of: impl Fn(EngineId) -> Option<usize>,
) -> Vec<Column> {
    let mut columns =
        ["sendTrack", "sendRow", "waitTrack", "waitRow", "message"].map(Column::differences);
    let mut releases = Column::plain("releases");
    for (flow, is_release) in flows.pairs().zip(releasing(profile, flows)) {
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

/// By flow: whether its send ended last of all sends that the wait needs (the first one of several that ended at once). That send
/// released the wait.
fn releasing(profile: &Profile<'_>, flows: &Flows) -> Vec<bool> {
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
    for (_, number) in last.into_values() {
        if let Some(of_flow) = is_release.get_mut(number) {
            *of_flow = true;
        }
    }
    is_release
}
