//! The run with events that take another time.

use bigtpu_chip::Engine;
use bigtpu_measure::{DumpModel, EngineTrack, MeasuredEvent};
use bigtpu_replay::Relief;

/// Multiplies the time of each event of the tracks by its factor; an event without one keeps its time.
pub(super) fn scaled<'m, 'a: 'm>(
    model: &'m DumpModel<'a>,
    tracks: impl Iterator<Item = &'m EngineTrack<'a>>,
    factor: impl Fn(&MeasuredEvent<'a>) -> Option<f64>,
) -> Relief {
    let mut relief = Relief::default();
    for track in tracks {
        for event in model.events(track) {
            if let Some(factor) = factor(&event) {
                relief.scale(track.engine_id, event.index, factor);
            }
        }
    }
    relief
}

/// What an event takes without `lost` ns, over what it takes.
pub(super) fn time_share_without(lost: f64, event: &MeasuredEvent<'_>) -> f64 {
    1.0 - lost / event.ns().max(1) as f64
}

/// The tracks of the TIUs.
pub(super) fn tiu_tracks<'m, 'a>(
    model: &'m DumpModel<'a>,
) -> impl Iterator<Item = &'m EngineTrack<'a>> {
    model.tracks.iter().filter(|track| track.engine_id.engine == Engine::Tiu)
}

/// The tracks of all cores, core by core.
pub(super) fn core_tracks<'m, 'a>(
    model: &'m DumpModel<'a>,
) -> impl Iterator<Item = &'m EngineTrack<'a>> {
    (0..model.cores as u32).flat_map(|core| model.core(core))
}
