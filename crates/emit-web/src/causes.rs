//! What each command waited for, and the critical path, as columns.

use bigtpu_replay::{EngineCauses, Segments};
use bigtpu_timeline::EngineId;

use crate::column::Column;

/// No event.
const NONE: i64 = -1;

/// Columns of an engine's commands: slack, and what each waited for. `number` is the engine's track, `track_of` says
/// the tracks of others.
pub(crate) fn cause_columns(
    causes: EngineCauses<'_>,
    number: usize,
    track_of: impl Fn(EngineId) -> Option<usize>,
) -> Vec<Column> {
    let mut slack = Column::differences("slack");
    let mut on_path = Column::plain("onPath");
    let mut why = Column::text("why");
    let mut track = Column::signed("track");
    let mut row = Column::signed("row");
    // Rows of other tracks rise with those of this one: the differences are small.
    let mut last: Vec<i64> = Vec::new();
    for event in 0..causes.events() {
        slack.push(causes.slack_ns(event).unwrap_or(0));
        on_path.push(causes.is_on_path(event).unwrap_or(false).into());
        let cause = causes.cause(event);
        let known = cause.and_then(|cause| Some((track_of(cause.engine_id)?, cause)));
        let Some((of, cause)) = known else {
            why.push_own("");
            track.push(NONE);
            row.push(0);
            continue;
        };
        why.push_own(cause.kind.name());
        track.push(of as i64);
        let at = cause.event as i64;
        if last.len() <= of {
            last.resize(of + 1, 0);
        }
        let before = last.get_mut(of).map_or(0, |last| std::mem::replace(last, at));
        row.push(if of == number { event as i64 - at } else { at - before });
    }
    vec![slack, on_path, why, track, row]
}

/// Columns of the critical path's pieces, in time order. `start` is where the path begins on the page, in ns.
pub(crate) fn path_columns(
    segments: Segments<'_>,
    start: i64,
    track_of: impl Fn(EngineId) -> Option<usize>,
) -> Vec<Column> {
    let mut end = Column::differences("end");
    let mut reason = Column::text("reason");
    let mut kernel = Column::signed("kernel");
    let mut track = Column::signed("track");
    let mut row = Column::differences("row");
    for segment in segments {
        end.push(start + segment.end);
        reason.push_own(segment.reason.name());
        kernel.push(segment.kernel.map_or(NONE, i64::from));
        track.push(track_of(segment.engine_id).map_or(NONE, |number| number as i64));
        row.push_wide(segment.event);
    }
    vec![end, reason, kernel, track, row]
}
