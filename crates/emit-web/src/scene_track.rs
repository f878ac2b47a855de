//! Tracks whose slices are in the scene: the units of work, which are kernels of a core or port, layers and blocks of a core, and steps.

use bigtpu_measure::Activity;
use bigtpu_measure::layers::Layers;
use bigtpu_scene::{Detail, Slice, Slices};

use crate::column::Column;
use crate::head::TrackKind;
use crate::track::{Body, Built};

/// The track of units of work of a core (`core`), or of a port or the device (-1).
pub(crate) fn unit_track(
    slices: &Slices,
    layers: Option<&Layers>,
    offset: i64,
    kind: TrackKind,
    core: i64,
) -> Built {
    let mut body = Body::default();
    for slice in slices.all() {
        let name = body.names.index(kind.name(), &name_of(slice, layers), Activity::Work);
        body.push(slice.start + offset, slice.end - slice.start, name, 0);
    }
    body.place(slices.assignment());
    let facts = match kind {
        TrackKind::Kernel => launch_columns(slices),
        TrackKind::Step => Vec::new(),
        _ => vec![place_column(slices, kind.name())],
    };
    body.build(kind, core, facts)
}

fn name_of(slice: &Slice, layers: Option<&Layers>) -> String {
    let label = match slice.detail {
        Detail::Layer(at) => {
            layers.and_then(|layers| Some(layers.layers.get(at)?.label(at as u64 + 1).to_string()))
        }
        _ => None,
    };
    label.unwrap_or_else(|| slice.name.clone())
}

/// The place of each slice's layer or block in the page's list.
fn place_column(slices: &Slices, key: &'static str) -> Column {
    let mut column = Column::plain(key);
    for slice in slices.all() {
        if let Detail::Layer(at) | Detail::Unit { at, .. } = slice.detail {
            column.push(at as i64);
        }
    }
    column
}

fn launch_columns(slices: &Slices) -> Vec<Column> {
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
    facts.into()
}
