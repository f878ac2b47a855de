//! Layers of a static model over a core's commands.

use bigtpu_analysis::{Activity, assign_lanes};
use bigtpu_layers::{Layers, layer_slices};
use bigtpu_timeline::Core;

use crate::column::Column;
use crate::track::{Body, Built};

/// The layer track of a core; `None` where none of its commands belongs to a layer.
pub(crate) fn layer_track(layers: &Layers, core: &Core<'_>, offset: i64) -> Option<Built> {
    let slices = layer_slices(layers, core);
    let number = core.tracks.first()?.place.index;
    let mut body = Body::default();
    let mut column = Column::plain("layer");
    for slice in &slices {
        let layer = layers.layers.get(slice.layer)?;
        let name = body.names.index("layer", &layer.name, Activity::Work);
        body.push(slice.start + offset, slice.end - slice.start, name, 0);
        column.push(slice.layer as i64);
    }
    let start: Vec<i64> = slices.iter().map(|s| s.start).collect();
    let end: Vec<i64> = slices.iter().map(|s| s.end).collect();
    body.place(assign_lanes(&start, &end));
    (!slices.is_empty()).then(|| body.build("layer", number.into(), vec![column]))
}
