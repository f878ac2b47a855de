//! Sync flows of a device: which send released which wait.

use std::collections::HashMap;

use bigtpu_analysis::Flow;
use bigtpu_timeline::Place;

use crate::device::TrackFlows;

/// Sync flows by the tracks that they touch.
pub(crate) struct Flows(HashMap<Place, TrackFlows>);

impl Flows {
    /// The flows, numbered from `first` on: every device of a trace has numbers of its own.
    pub(crate) fn of(flows: &[Flow], first: u64) -> Self {
        let mut by_track: HashMap<Place, TrackFlows> = HashMap::new();
        for (number, flow) in (first..).zip(flows) {
            for ((place, i), ends) in [(flow.send, false), (flow.wait, true)] {
                by_track.entry(place).or_default().push((i as u32, number, ends));
            }
        }
        for list in by_track.values_mut() {
            list.sort_unstable();
        }
        Self(by_track)
    }

    pub(crate) fn on(&self, place: Place) -> &[(u32, u64, bool)] {
        self.0.get(&place).map_or(&[], Vec::as_slice)
    }
}
