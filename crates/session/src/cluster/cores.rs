//! Cores and engines of a rank, read again from its dump.

use std::path::Path;

use bigtpu_chip::Engine;
use bigtpu_cluster::RankView;
use bigtpu_emit_cluster::{CoreEvent, CoreTrack};
use bigtpu_measure::{CommandTable, EngineTrack};
use bigtpu_timeline::Profile;

use crate::settings::Session;

/// The engines of a rank's cores; `None` where the dump is not at hand, or has other events than the rank's part.
pub(super) fn core_tracks(view: &RankView<'_>, session: &Session) -> Option<Vec<CoreTrack>> {
    let part = &view.rank.part;
    let dump = session.open(Path::new(&part.identity.dump), None).ok()?;
    let profile = Profile::build(&dump, &session.settings().reading);
    if profile.event_count() as u64 != part.events {
        return None;
    }
    let table = CommandTable::decode(&profile);
    let cores = table.tracks(&profile).filter(|track| track.engine_id.engine != Engine::Cdma);
    Some(cores.map(|track| core_track(&track)).collect())
}

fn core_track(track: &EngineTrack<'_>) -> CoreTrack {
    let events = track.events.start.iter().zip(&track.events.end).zip(&track.columns.kind);
    let events =
        events.map(|((start, end), name)| CoreEvent { start: *start, end: *end, name: *name });
    CoreTrack {
        core: track.engine_id.index,
        engine: track.engine_id.engine.name(),
        names: track.kinds.iter().map(|kind| kind.function_name.clone().into_owned()).collect(),
        events: events.collect(),
    }
}
