//! A command as a slice.

use bigtpu_measure::{ByteCounts, PortCommand, PortTimes, TrackCommand};

use bigtpu_timeline::Quality;

use super::kinds::Shows;
use crate::detail::TraceDetail;

/// The command whose slice is to be written.
#[derive(Clone, Copy)]
pub(super) struct Slice<'s, 'p, 'd> {
    pub(super) command: &'s TrackCommand<'p, 'd>,
    pub(super) detail: TraceDetail,
    /// Queries look up what it does not tell.
    pub(super) looks_up: bool,
    /// What its kind shows, and what its bytes count for.
    pub(super) shows: Shows,
    pub(super) counts: ByteCounts,
    /// What the record of a port's data command says, and what its time is made of.
    pub(super) port: &'s Option<(&'p PortCommand, Option<PortTimes>)>,
    /// How well it is known, where that is not `sure`.
    pub(super) doubt: Option<Quality>,
}
