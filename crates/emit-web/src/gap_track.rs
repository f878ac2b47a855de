//! Tracks of gaps: the times in which an engine did no work, each a slice.

use bigtpu_answers::{EngineGapRows, GapRow};
use bigtpu_measure::Activity;
use bigtpu_measure::layers::Layers;
use bigtpu_timeline::{EngineEvents, EngineId, Profile};

use crate::column::Column;
use crate::head::TrackKind;
use crate::track::{Body, Built};

/// Function type of gaps.
const TYPE: &str = "gap";
/// No event, no track, not known.
const NONE: i64 = -1;

/// What a track of gaps is made of.
pub(crate) struct GapContext<'a, 'd> {
    pub(crate) profile: &'a Profile<'d>,
    pub(crate) layers: Option<&'a Layers>,
    /// Added to device times it makes ns since the page's start.
    pub(crate) offset: i64,
}

/// The track of an engine's gaps; `None` without any. `own`: the engine's track, `track_of` says those of others.
pub(crate) fn gap_track(
    context: &GapContext<'_, '_>,
    gaps: &EngineGapRows,
    own: usize,
    track_of: impl Fn(EngineId) -> Option<usize>,
) -> Option<Built> {
    let GapContext { profile, layers, offset } = *context;
    let engine = profile.tracks().find(|track| track.engine_id == gaps.engine_id)?;
    let mut body = Body::default();
    let mut columns = [
        Column::differences("before"),
        Column::differences("after"),
        Column::signed("saved"),
        Column::plain("sync"),
        Column::plain("other"),
        Column::plain("cost"),
        Column::signed("endTrack"),
        Column::differences("endRow"),
        Column::signed("kernel"),
    ];
    let mut layer = layers.map(|_| Column::differences("layer"));
    for row in &gaps.rows {
        let name = body.names.index(TYPE, row.cause.name(), Activity::Control);
        body.push(row.start + offset, row.ns(), name, 0);
        let ended = row.ended_by(gaps.engine_id);
        let ended = ended.and_then(|link| Some((track_of(link.engine_id)?, link.event)));
        let values = [
            row.before.map_or(NONE, i64::from),
            row.after.map_or(NONE, i64::from),
            row.saved_ns.unwrap_or(NONE),
            row.sync_ns,
            row.other_engine_ns,
            row.cost_ns,
            ended.map_or(NONE, |(track, _)| track as i64),
            ended.map_or(NONE, |(_, event)| i64::from(event)),
            row.after
                .and_then(|after| profile.tag(engine, after as usize).kernel)
                .map_or(NONE, i64::from),
        ];
        columns.iter_mut().zip(values).for_each(|(column, value)| column.push(value));
        if let Some((column, layers)) = layer.as_mut().zip(layers) {
            column.push(layer_of(layers, engine, row).map_or(NONE, |at| at as i64));
        }
    }
    if gaps.rows.is_empty() {
        return None;
    }
    let core = i64::from(gaps.engine_id.index);
    let columns = columns.into_iter().chain(layer).collect();
    let mut built = body.build(TrackKind::Gap, core, columns);
    built.head.of = Some(own);
    built.own_tags = Some(vec![Default::default()]);
    Some(built)
}

/// The layer of the command after a gap.
fn layer_of(layers: &Layers, engine: &EngineEvents<'_>, row: &GapRow) -> Option<usize> {
    layers.index_of_event(engine, row.after? as usize)
}
