//! Tracks whose slices are in the scene: kernels of a core or port, layers of a core.

use bigtpu_measure::Activity;
use bigtpu_measure::layers::Layers;
use bigtpu_scene::{Detail, Slice, Slices};

use crate::column::Column;
use crate::head::TrackKind;
use crate::track::{Body, Built};

/// The kernel track of a core (`core`) or of a port (-1); `None` without kernels.
pub(crate) fn kernel_track(slices: &Slices, offset: i64, core: i64) -> Option<Built> {
    let mut facts = [
        Column::signed("scope"),
        Column::text("batch"),
        Column::text("mode"),
        Column::plain("events"),
    ];
    for slice in slices.all() {
        let Detail::Kernel { scope, batches, modes, events } = &slice.detail else { continue };
        let [scope_column, batch_column, mode_column, events_column] = &mut facts;
        scope_column.push(scope.map_or(-1, i64::from));
        let batches: Vec<String> = batches.iter().map(u32::to_string).collect();
        batch_column.push_text(&batches.join("/"));
        mode_column.push_text(modes);
        events_column.push_wide(*events);
    }
    built(slices, offset, TrackKind::Kernel, core, facts.into(), |slice| slice.name.clone())
}

/// The layer track of a core; `None` where none of its commands belongs to a layer.
pub(crate) fn layer_track(
    slices: &Slices,
    layers: Option<&Layers>,
    offset: i64,
    core: i64,
) -> Option<Built> {
    let mut column = Column::plain("layer");
    for slice in slices.all() {
        let Detail::Layer(layer) = slice.detail else { continue };
        column.push(layer as i64);
    }
    built(slices, offset, TrackKind::Layer, core, vec![column], |slice| {
        let Detail::Layer(at) = slice.detail else { return slice.name.clone() };
        let layer = layers.and_then(|layers| layers.layers.get(at));
        layer.map_or_else(|| slice.name.clone(), |layer| layer.label(at as u64 + 1).to_string())
    })
}

fn built(
    slices: &Slices,
    offset: i64,
    kind: TrackKind,
    core: i64,
    facts: Vec<Column>,
    name_of: impl Fn(&Slice) -> String,
) -> Option<Built> {
    let category = if kind == TrackKind::Layer { "layer" } else { "kernel" };
    let mut body = Body::default();
    for slice in slices.all() {
        let name = body.names.index(category, &name_of(slice), Activity::Work);
        body.push(slice.start + offset, slice.end - slice.start, name, 0);
    }
    body.place(slices.assignment());
    (!slices.all().is_empty()).then(|| body.build(kind, core, facts))
}
