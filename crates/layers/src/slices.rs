//! Layers on the time line.

use std::collections::BTreeMap;

use bigtpu_timeline::Core;

use crate::Layers;

/// One run of a layer on a core: from the start of the first of its commands to the end of the last, whatever
/// the engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LayerSlice {
    /// Index into [`Layers::layers`].
    pub layer: usize,
    /// ns.
    pub start: i64,
    /// ns.
    pub end: i64,
    /// Commands in it.
    pub events: u64,
}

/// A core's layers in time order. Where a model ran several times, command ids start again, and so do its
/// layers. Slices overlap where engines work ahead.
#[must_use]
pub fn layer_slices(layers: &Layers, core: &Core<'_>) -> Vec<LayerSlice> {
    let mut runs: BTreeMap<(u32, usize), LayerSlice> = BTreeMap::new();
    for track in &core.tracks {
        let events = &track.events;
        let (mut run, mut last) = (0, i64::MIN);
        for (i, (&start, &end)) in events.start.iter().zip(&events.end).enumerate() {
            let id = events.id.get(i).copied().unwrap_or(last);
            run += u32::from(id < last);
            last = id;
            let Some(layer) = layers.index_of_event(track, i) else { continue };
            let new = LayerSlice { layer, start, end: start, events: 0 };
            let slice = runs.entry((run, layer)).or_insert(new);
            slice.start = slice.start.min(start);
            slice.end = slice.end.max(end);
            slice.events += 1;
        }
    }
    let mut slices: Vec<LayerSlice> = runs.into_values().collect();
    slices.sort_by_key(|s| (s.start, s.end, s.layer));
    slices
}
