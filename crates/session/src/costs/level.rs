//! Runs of parts, core by core, before they are joined.

use bigtpu_timeline::{EngineEvents, EngineId, Profile};

use bigtpu_model::costs::{LayerMemory, PartKind};

/// No run: the event belongs to no part.
pub(crate) const NONE: u32 = u32::MAX;

/// A core with its three engines, or a CDMA port.
#[derive(Debug, Clone)]
pub(crate) struct Lane<'p, 'd> {
    /// Its tracks, with their numbers in the profile.
    pub(crate) tracks: Vec<(usize, &'p EngineEvents<'d>)>,
    pub(crate) is_core: bool,
}

impl<'p, 'd> Lane<'p, 'd> {
    /// Cores in order, then ports.
    pub(crate) fn all(profile: &'p Profile<'d>) -> Vec<Self> {
        let numbered: Vec<(usize, &EngineEvents<'d>)> = profile.tracks().enumerate().collect();
        let of_core = |core: u32| {
            let own =
                |(_, track): &&(usize, &'p EngineEvents<'d>)| is_of_core(track.engine_id, core);
            Self { tracks: numbered.iter().filter(own).copied().collect(), is_core: true }
        };
        let ports = numbered.iter().filter(|(_, track)| is_port(track.engine_id));
        let ports = ports.map(|port| Self { tracks: vec![*port], is_core: false });
        profile.shown_cores().map(|(core, _)| of_core(core)).chain(ports).collect()
    }
}

fn is_port(engine_id: EngineId) -> bool {
    engine_id.engine == bigtpu_chip::Engine::Cdma
}

fn is_of_core(engine_id: EngineId, core: u32) -> bool {
    !is_port(engine_id) && engine_id.index == core
}

/// A part run once on one lane.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Run {
    /// Index into the level's names.
    pub(crate) name: u32,
    pub(crate) lane: u32,
    pub(crate) start: i64,
    pub(crate) end: i64,
}

/// All runs of one kind of parts.
#[derive(Debug, Clone)]
pub(crate) struct Level {
    pub(crate) kind: PartKind,
    pub(crate) names: Vec<String>,
    /// Memory of each name's part, where it is known.
    pub(crate) memory: Vec<Option<LayerMemory>>,
    /// Runs, lane by lane, by start.
    pub(crate) runs: Vec<Run>,
    /// Run of each event, by track of the profile, or [`NONE`].
    pub(crate) of_event: Vec<Vec<u32>>,
}

impl Level {
    pub(crate) fn new(kind: PartKind, profile: &Profile<'_>) -> Self {
        Self {
            kind,
            names: Vec::new(),
            memory: Vec::new(),
            runs: Vec::new(),
            of_event: profile.tracks().map(|t| vec![NONE; t.events.len()]).collect(),
        }
    }
}
