//! Tracks of the ports to other chips.

use std::borrow::Cow;

use bigtpu_chip::PortDirection;
use bigtpu_measure::Bandwidth;
use bigtpu_scene::{Commands, Content, Group, Role, Slices, port_bandwidth};

use super::{Build, Drawn, FIRST_CORE};
use crate::launches::KernelFlows;
use crate::overview;
use crate::source::{SampleSource, Thinned};
use crate::tracks::Kind;

/// Ranks of a port's tracks.
mod rank {
    pub(super) const KERNEL: i32 = 0;
    pub(super) const TX: i32 = 1;
    pub(super) const RX: i32 = 2;
    pub(super) const BANDWIDTH: i32 = 3;
    pub(super) const LANE: i32 = 4;
    pub(super) const PHASES: i32 = 5;
    pub(super) const GAPS: i32 = 6;
}

impl<'p> Build<'p, '_, '_> {
    /// The track of all ports.
    pub(super) fn ports(&mut self) -> u64 {
        let profile = self.drawn.profile;
        let rank = FIRST_CORE + profile.cores.len() as i32;
        let cdma =
            self.tracks.define("CDMA", Kind { ranks_children: true, ..self.device_track(rank) });
        if self.drawn.detail.repeats() {
            return cdma;
        }
        let busy = self.cut(overview::busy(profile, &mut profile.ports.iter()));
        let sequence = self.tracks.sequence_of(cdma);
        self.slice_lane(Cow::Owned(Slices::new(busy)), 0, sequence, KernelFlows::default());
        cdma
    }

    /// A port sends and receives at the same time: each direction has a track of its own.
    pub(super) fn port(&mut self, number: u32, group: &'p Group, cdma: u64) {
        let found = self.drawn.profile.ports.iter().find(|port| port.engine_id.index == number);
        let Some(port) = found else { return };
        let name = format!("CDMA port{number}");
        let kind = Kind { parent: Some(cdma), rank: Some(number as i32), ..Kind::default() };
        let root = self.tracks.define(&name, Kind { ranks_children: true, ..kind });
        let under = |rank| Kind { parent: Some(root), rank: Some(rank), ..Kind::default() };
        let side = |direction| {
            group.tracks.iter().find_map(|track| match &track.content {
                Content::Commands(rows) if track.role == Role::Side(direction) => Some(rows),
                _ => None,
            })
        };
        if let Some(rows) = side(PortDirection::Transmit) {
            self.commands(&format!("{name} TX"), port, rows, under(rank::TX));
        }
        if let Some(rows) = side(PortDirection::Receive) {
            self.commands(&format!("{name} RX"), port, rows, under(rank::RX));
        }
        let is_theirs = self.drawn.detail.repeats();
        if group.tracks.iter().any(|track| track.role == Role::Bandwidth) && !is_theirs {
            let counter = Kind { counter: Some("GB/s"), ..under(rank::BANDWIDTH) };
            let sequence = self.tracks.sequence(&format!("{name} Bandwidth"), counter);
            let Drawn { profile, analysis, offset, .. } = self.drawn;
            let steps = port_bandwidth(Bandwidth::of_port(profile, &analysis.table, port));
            let samples = self.samples(steps);
            self.sources.push(Box::new(SampleSource {
                samples,
                offset,
                sequence,
                thinned: Thinned::default(),
            }));
        }
        let kernels = group.tracks.iter().find(|track| track.role == Role::Kernels);
        if let Some(Content::Slices(slices)) = kernels.map(|track| &track.content) {
            // bigTpuProfile has it next to the port's track.
            let kind = if self.drawn.detail.repeats() { kind } else { under(rank::KERNEL) };
            self.slices(&format!("{name} Kernel Function"), slices, kind);
        }
        // Slices that go neither way are on the port's own track.
        for (lane, rows) in
            side(PortDirection::Neither).into_iter().flat_map(Commands::lanes).enumerate()
        {
            let sequence = match lane {
                0 => self.tracks.sequence_of(root),
                _ => self.tracks.lane(&name, lane, under(rank::LANE)),
            };
            self.lane(port, rows, sequence, None);
        }
        self.gaps(group, under(rank::GAPS));
        for track in &group.tracks {
            if let (Role::Phases(direction), Content::Slices(slices)) =
                (&track.role, &track.content)
                && !is_theirs
            {
                let side = if *direction == PortDirection::Transmit { "TX" } else { "RX" };
                self.slices(&format!("{name} {side} phases"), slices, under(rank::PHASES));
            }
        }
    }
}
