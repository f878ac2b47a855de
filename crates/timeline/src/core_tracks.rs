//! A joined core becomes its tracks: its engines in parallel.

use bigtpu_chip::Engine;

use crate::division::Undecided;
use crate::join::JoinedCore;
use crate::ledger::{Counts, EngineId, Notes};
use crate::profile::EngineEvents;
use crate::runtime::RuntimeRecord;

/// A joined core whose events have their columns.
pub(crate) struct TracksOfCore<'d> {
    pub(crate) index: u32,
    pub(crate) tracks: [EngineEvents<'d>; 3],
    pub(crate) counts: [Counts; 3],
    pub(crate) notes: Notes,
    pub(crate) runtime: Vec<RuntimeRecord>,
    /// What is not known of a model and the kernels among its launches.
    pub(crate) undecided: Option<Undecided>,
}

impl<'d> TracksOfCore<'d> {
    pub(crate) fn collect((index, core): (u32, JoinedCore<'d>)) -> Self {
        let JoinedCore { monitors: [tiu, gdma, sdma], counts, notes, runtime, undecided, .. } =
            core;
        let track = |engine, clean| EngineEvents::new(EngineId { index, engine }, clean);
        let (tiu, (gdma, sdma)) = rayon::join(
            || track(Engine::Tiu, tiu),
            || rayon::join(|| track(Engine::Gdma, gdma), || track(Engine::Sdma, sdma)),
        );
        Self { index, tracks: [tiu, gdma, sdma], counts, notes, runtime, undecided }
    }
}
