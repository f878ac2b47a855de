//! Flows from each command to the commands of other engines that it kept waiting.

use bigtpu_replay::{DependenceKind, EngineCauses, WaitCause};
use bigtpu_timeline::EngineId;

use super::Tracks;
use super::landing::EventsByStart;
use crate::event_flows::{Ends, EndsByPoint, FlowPoint};

/// The flows to the events of an engine.
#[derive(Debug, Default)]
pub(super) struct KeptWaiting {
    /// Where they end.
    pub(super) ends: EndsByPoint,
    /// Where they start, by the places of tracks.
    pub(super) sources: Vec<Ends>,
    /// How many numbers they have; some flows are not shown.
    pub(super) count: u64,
}

/// What kept events waiting, where no message says it and it is of another engine: see [`bigtpu_replay::Cause`].
pub(super) fn kept_waiting(
    causes: EngineCauses<'_>,
    engine: EngineId,
    tracks: &Tracks<'_>,
) -> KeptWaiting {
    let mut found = KeptWaiting::default();
    let Some(own) = tracks.place(engine) else { return found };
    let Some(EventsByStart { events, .. }) = tracks.events.get(own) else { return found };
    // Half of all events wait for another engine, or fewer.
    found.ends.ends.reserve(causes.events() / 2);
    found.sources.resize(tracks.events.len(), Ends::new());
    let mut number: u32 = 0;
    // The engine that kept the last one waiting, and its place.
    let mut last: Option<(EngineId, usize)> = None;
    causes.foreign_causes(0..causes.events(), |event, cause| {
        let WaitCause { engine_id, event: from, kind } = cause;
        if kind == DependenceKind::Message {
            return;
        }
        let own_number = number;
        number += 1;
        last = match last {
            Some((known, place)) if known == engine_id => Some((known, place)),
            _ => tracks.place(engine_id).map(|place| (engine_id, place)),
        };
        let Some((_, source)) = last else { return };
        let of_source = tracks.events.get(source).map(|of_source| of_source.events);
        let Some(start) = of_source.and_then(|events| events.start.get(from)) else { return };
        let is_drawn = || of_source.is_some_and(|events| tracks.is_drawn(events, from));
        let end = match kind {
            DependenceKind::Barrier => {
                tracks.landing((own, event)).and_then(|landing| landing.of_flow(*start))
            }
            _ => events
                .start
                .get(event)
                .filter(|own| *own > start && tracks.is_drawn(events, event))
                .map(|_| (event as u32, FlowPoint::End)),
        };
        if let Some(starts) = found.sources.get_mut(source)
            && let Some((event, point)) = end
            && is_drawn()
        {
            starts.push((from as u32, own_number));
            found.ends.push(point, (event, own_number));
        }
    });
    found.count = number.into();
    found
}
