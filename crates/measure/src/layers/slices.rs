//! Layers on the time line.

use std::collections::BTreeMap;

use bigtpu_timeline::Core;

use crate::layers::Layers;

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

/// A core's layers in time order, and which event belongs to which.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LayerRuns {
    /// Runs by start. They overlap where engines work ahead.
    pub slices: Vec<LayerSlice>,
    /// Index of each event's run, by track of the core and event.
    pub of_event: Vec<Vec<Option<u32>>>,
}

impl LayerRuns {
    /// Where a model ran several times, command ids start again, and so do its layers.
    #[must_use]
    pub fn find(layers: &Layers, core: &Core<'_>) -> Self {
        let mut numbers: BTreeMap<(u32, usize), u32> = BTreeMap::new();
        let mut found: Vec<LayerSlice> = Vec::new();
        let mut of_event = Vec::with_capacity(core.tracks.len());
        for track in &core.tracks {
            let events = &track.events;
            let (mut run, mut last) = (0, i64::MIN);
            let mut column = Vec::with_capacity(events.len());
            for (i, (&start, &end)) in events.start.iter().zip(&events.end).enumerate() {
                let id = events.id.get(i).unwrap_or(last);
                run += u32::from(id < last);
                last = id;
                let Some(layer) = layers.index_of_event(track, i) else {
                    column.push(None);
                    continue;
                };
                let number = *numbers.entry((run, layer)).or_insert_with(|| {
                    found.push(LayerSlice { layer, start, end: start, events: 0 });
                    (found.len() - 1) as u32
                });
                column.push(Some(number));
                if let Some(slice) = found.get_mut(number as usize) {
                    slice.start = slice.start.min(start);
                    slice.end = slice.end.max(end);
                    slice.events += 1;
                }
            }
            of_event.push(column);
        }
        let mut numbered: Vec<(LayerSlice, usize)> =
            found.into_iter().enumerate().map(|(number, slice)| (slice, number)).collect();
        numbered.sort_by_key(|(s, _)| (s.start, s.end, s.layer));
        let mut place = vec![0u32; numbered.len()];
        for (at, (_, number)) in numbered.iter().enumerate() {
            if let Some(place) = place.get_mut(*number) {
                *place = at as u32;
            }
        }
        for number in of_event.iter_mut().flatten().flatten() {
            *number = place.get(*number as usize).copied().unwrap_or(0);
        }
        Self { slices: numbered.into_iter().map(|(slice, _)| slice).collect(), of_event }
    }
}
