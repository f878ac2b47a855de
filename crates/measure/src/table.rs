//! The command table of a profile.

use std::collections::BTreeMap;

use bigtpu_chip::Engine;
use bigtpu_command_cost::Windows;
use bigtpu_timeline::{EngineEvents, EngineId, Profile};
use rayon::prelude::*;

use crate::columns::Columns;
use crate::engine_track::EngineTrack;
use crate::intern::Keys;
use crate::kind::CommandKind;
use crate::part::{Decoder, Part};
use crate::port_commands::PortCommands;

/// Every command of a profile, decoded once. It is built from the profile that readers then look at next to it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CommandTable {
    /// Distinct commands, in order of first appearance.
    pub kinds: Vec<CommandKind>,
    /// Columns by track, in the order of [`Profile::tracks`].
    pub columns: Vec<Columns>,
    places: Vec<EngineId>,
    /// Data commands of the CDMA ports, by port.
    ports: BTreeMap<u32, PortCommands>,
}

/// Events that a thread decodes at a time.
const PART: usize = 1 << 14;

impl CommandTable {
    /// Decodes every command, parts of tracks in parallel. The table is the same whatever the number of threads.
    #[must_use]
    pub fn decode(profile: &Profile<'_>) -> Self {
        let tracks: Vec<&EngineEvents<'_>> = profile.tracks().collect();
        let decoder = Decoder::new(profile);
        let part = |(track, first): &(usize, usize)| {
            let track = tracks.get(*track)?;
            Some(decoder.part(track, *first..(first + PART).min(track.events.len())))
        };
        let places: Vec<(usize, usize)> = tracks
            .iter()
            .enumerate()
            .flat_map(|(n, track)| (0..track.events.len()).step_by(PART).map(move |at| (n, at)))
            .collect();
        let parts: Vec<Part> = places.par_iter().filter_map(part).collect();
        let mut keys = Keys::default();
        let mut kinds = Vec::new();
        let mut windows = Windows::of_records();
        let numbers: Vec<Vec<u32>> = places
            .iter()
            .zip(&parts)
            .map(|(&(track, _), part)| {
                let describe = |event| {
                    kinds.extend(
                        tracks.get(track).map(|track| decoder.kind(track, event, &mut windows)),
                    );
                };
                keys.merge(&part.keys, describe)
            })
            .collect();
        drop(keys);
        let mut of_tracks: Vec<Vec<(Columns, Vec<u32>)>> =
            tracks.iter().map(|_| Vec::new()).collect();
        for ((&(track, _), part), numbers) in places.iter().zip(parts).zip(numbers) {
            if let Some(parts) = of_tracks.get_mut(track) {
                parts.push((part.columns, numbers));
            }
        }
        let columns = of_tracks.into_par_iter().map(Columns::of_parts).collect();
        let ports = profile.ports.par_iter();
        let ports = ports.map(|port| (port.engine_id.index, PortCommands::collect(profile, port)));
        let places = tracks.iter().map(|track| track.engine_id).collect();
        Self { kinds, columns, places, ports: ports.collect() }
    }

    /// What the records of a CDMA port say of its data commands; `None` for other engines.
    #[must_use]
    pub fn port(&self, engine_id: EngineId) -> Option<&PortCommands> {
        self.ports.get(&engine_id.index).filter(|_| engine_id.engine == Engine::Cdma)
    }

    /// A track of the profile next to its columns; `None` where the profile has no such track.
    #[must_use]
    pub fn track<'a>(&'a self, track: &'a EngineEvents<'_>) -> Option<EngineTrack<'a>> {
        let EngineId { index, engine } = track.engine_id;
        // Cores come first, three tracks each.
        let of_core = (index as usize).checked_mul(3)?.checked_add(engine as usize)?;
        let number = match engine {
            Engine::Cdma => self.places.iter().rposition(|place| *place == track.engine_id)?,
            _ => of_core,
        };
        self.columns.get(number).map(|columns| self.with_columns(track, columns))
    }

    /// All tracks of the profile in its order, each next to its columns.
    pub fn tracks<'a>(&'a self, profile: &'a Profile<'_>) -> impl Iterator<Item = EngineTrack<'a>> {
        profile
            .tracks()
            .zip(&self.columns)
            .map(|(track, columns)| self.with_columns(track, columns))
    }

    fn with_columns<'a>(
        &'a self,
        track: &'a EngineEvents<'_>,
        columns: &'a Columns,
    ) -> EngineTrack<'a> {
        EngineTrack {
            engine_id: track.engine_id,
            events: &track.events,
            columns,
            kinds: &self.kinds,
            is_placed: track.is_placed,
            has_sync_pair: track.engine_id.engine != Engine::Cdma || track.anchor.is_some(),
        }
    }
}
