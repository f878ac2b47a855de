//! `cmd_id_dep`: a TIU command waits until the GDMA of its core has finished the command of that number in the present
//! id epoch, and the other way round.
//!
//! In some dumps the field means nothing. So each dependence is held against the measured times, and the whole kind
//! is left out when they contradict it.

use bigtpu_chip::Engine;
use bigtpu_measure::{CommandWaits, TrackWaits};

use crate::dependence::{NONE, Node};
use crate::input::{Input, TrackInput};

/// The command dependences of an engine.
#[derive(Clone, Copy)]
pub(crate) struct Commands<'i> {
    /// What is known of them.
    pub(crate) waits: &'i TrackWaits,
    /// The engine whose commands they are on.
    other: &'i TrackInput<'i>,
}

impl<'i> Commands<'i> {
    /// The dependences of a TIU or GDMA; none for other engines.
    pub(crate) fn new(
        input: &'i Input<'_>,
        waits: &'i CommandWaits,
        track: &TrackInput<'_>,
    ) -> Option<Self> {
        let other = match track.engine_id.engine {
            Engine::Tiu => Engine::Gdma,
            Engine::Gdma => Engine::Tiu,
            Engine::Sdma | Engine::Cdma => return None,
        };
        let same_core = |t: &&TrackInput<'_>| {
            t.engine_id.index == track.engine_id.index && t.engine_id.engine == other
        };
        let other = input.tracks.iter().find(same_core)?;
        Some(Self { waits: waits.track(track.place), other })
    }

    /// The command that an event waits for, and its end in ns from the first event.
    #[inline]
    pub(crate) fn of_event(&self, i: usize) -> Option<(Node, i64)> {
        let at = *self.waits.ended().get(i).filter(|at| **at != NONE)?;
        Some(self.awaited(at))
    }

    /// Indices of the commands that events wait for, [`NONE`] where there is none; nothing if no event waits for any.
    pub(crate) fn of_events(&self, events: std::ops::Range<usize>) -> &'i [u32] {
        self.waits.ended().get(events).unwrap_or_default()
    }

    /// A command by its index on the other engine, and its end in ns from the first event.
    #[inline]
    pub(crate) fn awaited(&self, at: u32) -> (Node, i64) {
        (self.other.node(at as usize), self.other.end(at as usize))
    }
}
