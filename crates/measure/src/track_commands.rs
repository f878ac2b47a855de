//! A track of the profile next to its columns: what emitters iterate over.

use bigtpu_chip::{Command, Slot};
use bigtpu_timeline::{EngineEvents, Profile, Quality, Tag};

use crate::addresses::Addresses;
use crate::dependence::Dependence;
use crate::engine_track::EngineTrack;
use crate::kind::CommandKind;
use crate::port_commands::{PortCommand, PortCommands, PortTimes};
use crate::sides::Sides;
use crate::table::CommandTable;
use crate::transfer::Transfer;

/// One engine's commands: the profile's track and the table's columns.
#[derive(Debug, Clone, Copy)]
pub struct TrackCommands<'a, 'd> {
    /// The profile.
    pub profile: &'a Profile<'d>,
    /// The profile's track.
    pub track: &'a EngineEvents<'d>,
    /// Its columns.
    pub columns: EngineTrack<'a>,
    /// Data commands of a CDMA port; `None` of other engines.
    pub port: Option<&'a PortCommands>,
}

/// One command of a track.
#[derive(Debug, Clone, Copy)]
pub struct TrackCommand<'a, 'd> {
    /// The commands of its track.
    pub all: TrackCommands<'a, 'd>,
    /// Index in its track.
    pub index: usize,
    /// What it is.
    pub kind: &'a CommandKind,
}

impl CommandTable {
    /// The commands of a track; `None` where the table's profile has no such track.
    #[must_use]
    pub fn commands<'a, 'd>(
        &'a self,
        profile: &'a Profile<'d>,
        track: &'a EngineEvents<'d>,
    ) -> Option<TrackCommands<'a, 'd>> {
        let port = self.port(track.engine_id);
        Some(TrackCommands { profile, track, columns: self.track(track)?, port })
    }

    /// The commands of all tracks, in the profile's order.
    pub fn all_commands<'a, 'd>(
        &'a self,
        profile: &'a Profile<'d>,
    ) -> impl Iterator<Item = TrackCommands<'a, 'd>> {
        let tracks = profile.tracks().zip(self.tracks(profile));
        tracks.map(move |(track, columns)| {
            let port = self.port(track.engine_id);
            TrackCommands { profile, track, columns, port }
        })
    }
}

impl<'a, 'd> TrackCommands<'a, 'd> {
    /// Number of commands.
    #[must_use]
    pub fn len(&self) -> usize {
        self.columns.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.columns.is_empty()
    }

    /// A command; `None` where the track has none of that index.
    #[must_use]
    #[inline]
    pub fn get(self, index: usize) -> Option<TrackCommand<'a, 'd>> {
        let kind = self.columns.kind(index)?;
        Some(TrackCommand { all: self, index, kind })
    }

    /// All commands, in the engine's order.
    pub fn iter(self) -> impl Iterator<Item = TrackCommand<'a, 'd>> {
        (0..self.len()).filter_map(move |index| self.get(index))
    }
}

impl<'a> TrackCommand<'a, '_> {
    /// Returns, for a data command of a port, what its record says and what its time is made of (`None`: only its ends
    /// are known).
    #[must_use]
    pub fn port(&self) -> Option<(&'a PortCommand, Option<PortTimes>)> {
        let command = self.all.port?.of_event(self.index)?;
        Some((command, command.times(self.start(), self.end())))
    }
}

impl<'d> TrackCommand<'_, 'd> {
    /// Number of its kind, as [`CommandTable::kinds`] counts; `None` where the table has no such event.
    #[must_use]
    #[inline]
    pub fn kind_number(&self) -> Option<u32> {
        self.all.columns.columns.kind.get(self.index).copied()
    }

    /// What it waits for by command id; `None` where its command lacks the field or is known by its word.
    #[must_use]
    #[inline]
    pub fn dependence(&self) -> Option<Dependence> {
        self.all.columns.dependence(self.index)
    }

    /// Start in ns.
    #[must_use]
    #[inline]
    pub fn start(&self) -> i64 {
        self.all.track.events.start.get(self.index).copied().unwrap_or(0)
    }

    /// End in ns.
    #[must_use]
    #[inline]
    pub fn end(&self) -> i64 {
        self.all.track.events.end.get(self.index).copied().unwrap_or(0)
    }

    /// `Asic Cycle`: cycles of the engine's clock.
    #[must_use]
    #[inline]
    pub fn cycles(&self) -> i64 {
        self.all.track.events.cycles(self.index).unwrap_or(0)
    }

    /// `Cmd Id` of the register texts: ids of cores count from 1, those of ports from 0.
    #[must_use]
    pub fn id(&self) -> i64 {
        self.all.track.command_id(self.index).unwrap_or(0)
    }

    /// How well its command and times are known.
    #[must_use]
    pub fn quality(&self) -> Quality {
        self.all.track.events.quality(self.index).unwrap_or(Quality::Unnamed)
    }

    /// What it belongs to.
    #[must_use]
    pub fn tag(&self) -> Tag {
        self.all.profile.tag(self.all.track, self.index)
    }

    /// `DMA data size(B)`, system commands included; 0 for the TIU.
    #[must_use]
    #[inline]
    pub fn bytes(&self) -> u64 {
        self.all.columns.bytes(self.index)
    }

    /// `Stall Cycle` of a DMA command; cycles that a TIU command lost to bank conflicts.
    #[must_use]
    pub fn stall_cycles(&self) -> u64 {
        self.all.columns.stall_cycles(self.index)
    }

    /// Bytes, transactions and bandwidths of a DMA command.
    #[must_use]
    pub fn transfer(&self) -> Transfer {
        Transfer::read(self.all.profile, self.all.track, self.index, self.kind)
    }

    /// The full bits, for the fields that the table does not have; `None` where they are not known.
    #[must_use]
    pub fn bits(&self) -> Option<Command<'d>> {
        self.all.profile.command(self.all.track, self.index)
    }

    /// Addresses of a DMA command; 0 where the full bits are not known.
    #[must_use]
    pub fn addresses(&self) -> Addresses {
        let none = Addresses { source: 0, destination: 0 };
        self.bits().map_or(none, |bits| Addresses::read(self.all.profile.chip.family, &bits))
    }

    /// Where a DMA command reads from and where it writes to; `None` for what is not known, or not there: the source of a fill.
    #[must_use]
    pub fn known_addresses(&self) -> [Option<u64>; 2] {
        let Some(bits) = self.bits() else { return [None; 2] };
        let Addresses { source, destination } =
            Addresses::read(self.all.profile.chip.family, &bits);
        let direction = self.kind.direction();
        let [has_source, has_destination] = Addresses::are_in(bits.register);
        [
            Some(source).filter(|_| has_source && direction.is_some()),
            Some(destination).filter(|_| has_destination && direction.is_some()),
        ]
    }

    /// Strides and sizes of a DMA command; none where the full bits are not known.
    #[must_use]
    pub fn sides(&self) -> Sides {
        self.bits().map(|bits| Sides::read(&bits)).unwrap_or_default()
    }

    /// `des_cmd_short` of a TIU command; `None` where its register has no such field, or the full bits are not known.
    #[must_use]
    pub fn short(&self) -> Option<u64> {
        let bits = self.bits().filter(|bits| bits.register.has(Slot::TiuShort));
        bits.map(|bits| bits.get(Slot::TiuShort))
    }

    /// Which of the engine's two threads ran it (CV184X, CV84X6; 0 elsewhere).
    #[must_use]
    pub fn tiu_thread(&self) -> u32 {
        let track = self.all.track;
        let is_known = self.all.profile.chip.counts_bank_conflicts();
        let record = track.events.record.get(self.index).filter(|_| is_known);
        record.and_then(|record| track.monitor.tiu_flags(record)).unwrap_or(0) & 1
    }
}
