//! The events of a track in the order of their starts, as a rule the order that they are in.

use bigtpu_measure::EngineTrack;

/// The order of a track's events by their starts.
pub(super) struct ByStart {
    /// Their indexes, where they are in another order.
    order: Option<Vec<u32>>,
}

impl ByStart {
    pub(super) fn sort(track: &EngineTrack<'_>) -> Self {
        let starts = &track.events.start;
        let order = (!starts.is_sorted()).then(|| {
            let mut all: Vec<u32> = (0..track.len() as u32).collect();
            all.sort_by_key(|&i| starts.get(i as usize));
            all
        });
        Self { order }
    }

    /// Index of the event at a place of the order.
    fn event(&self, place: usize) -> Option<usize> {
        match &self.order {
            Some(order) => order.get(place).map(|event| *event as usize),
            None => Some(place),
        }
    }

    /// How many events start before a moment in ns.
    fn started(&self, track: &EngineTrack<'_>, moment: i64) -> usize {
        let starts = &track.events.start;
        let is_before = |event: &u32| starts.get(*event as usize).is_some_and(|s| *s < moment);
        match &self.order {
            Some(order) => order.partition_point(is_before),
            None => starts.partition_point(|start| *start < moment),
        }
    }

    /// The work at the edges of a bubble: what ended at its start, and what started at its end.
    pub(super) fn edges(
        &self,
        track: &EngineTrack<'_>,
        start: i64,
        end: i64,
    ) -> (Option<usize>, Option<usize>) {
        let started = self.started(track, end);
        // Events of no length may be in a bubble: they are its edge neither way.
        let is_work = |event: &usize| {
            let is_longer = track.events.start.get(*event) < track.events.end.get(*event);
            is_longer && track.kind(*event).is_some_and(|kind| kind.activity.is_work())
        };
        let ends = |event: &usize| track.events.end.get(*event) == Some(&start);
        let starts = |event: &usize| track.events.start.get(*event) == Some(&end);
        let mut earlier = (0..started).rev().filter_map(|place| self.event(place));
        let later = (started..track.len()).filter_map(|place| self.event(place));
        let before = earlier.find(|event| ends(event) && is_work(event));
        (before, later.take_while(starts).find(is_work))
    }
}
