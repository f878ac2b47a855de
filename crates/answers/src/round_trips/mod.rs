//! Data that a core stores to a memory outside, and loads again: what keeping it in local memory would save, and whether it fits.
//!
//! The addresses of transfers tell which store wrote what a load reads, also by way of copies outside. A load is one of a round trip
//! if all that it reads was stored by its own core in the same launch, or filled there with a constant, and if each lane loads
//! what it had. A store or copy is one if all that it writes is read by such loads. Data that no load reads again is a result of the run.

mod area;
mod memory;
mod room;
mod shared;
mod sources;
mod stretches;
mod transfers;

use std::collections::BTreeMap;

use bigtpu_measure::{CommandTable, DumpModel, LocalMemory};
use bigtpu_timeline::{EngineId, Profile};

use area::Area;
use room::Room;
pub(crate) use shared::{SharedLoad, SharedLoads};
use sources::{Group, Sources};
use transfers::{Transfer, transfers};

/// Stretches without holes of all transfers that are looked at.
const MOST_STRETCHES: u64 = 1 << 20;

/// A transfer that a round trip consists of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Removed {
    pub(crate) engine_id: EngineId,
    /// Index in its track.
    pub(crate) event: usize,
    /// ns that it takes.
    pub(crate) ns: i64,
}

/// Data that goes out and comes back.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Trips {
    /// Stores, copies and loads, by engine and index.
    pub(crate) transfers: Vec<Removed>,
    /// Results that are stored and loaded again.
    pub(crate) results: u64,
    /// Bytes that the transfers move.
    pub(crate) bytes: u64,
}

/// Round trips of a run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct RoundTrips {
    /// What fits into local memory all the time that it would stay there.
    pub(crate) fitting: Trips,
    /// What does not.
    pub(crate) too_large: Trips,
    /// Bytes of a lane in use at most with what fits; bytes of a lane.
    pub(crate) lane_bytes: (u64, u64),
}

impl RoundTrips {
    /// Finds the round trips of all cores of a run, and what several of them load.
    pub(crate) fn find(
        profile: &Profile<'_>,
        table: &CommandTable,
        model: &DumpModel<'_>,
    ) -> (Self, SharedLoads) {
        let Some(memory) = LocalMemory::for_chip(profile.chip) else { return Default::default() };
        let (all, may_return) = transfers(profile, table, model, memory);
        let round_trips = if may_return {
            Self::from_transfers(&all, profile, table, memory)
        } else {
            Self::default()
        };
        (round_trips, SharedLoads::from_transfers(&all))
    }

    fn from_transfers(
        all: &[Transfer],
        profile: &Profile<'_>,
        table: &CommandTable,
        memory: LocalMemory,
    ) -> Self {
        let areas = all.iter().flat_map(|transfer| [&transfer.reads, &transfer.writes]).flatten();
        if areas.map(Area::count).fold(0, u64::saturating_add) > MOST_STRETCHES {
            return Self::default();
        }
        let sources = Sources::find(all, memory.lanes);
        let mut found = Self { lane_bytes: (0, memory.lane_bytes), ..Self::default() };
        let mut rooms: BTreeMap<u32, Room> = BTreeMap::new();
        for group in sources.groups(all) {
            let core = group.core;
            let room = rooms
                .entry(core)
                .or_insert_with(|| Room::of_core(profile, table, memory, core as usize));
            found.add(all, &group, room);
        }
        found.fitting.transfers.sort_unstable();
        found.too_large.transfers.sort_unstable();
        found
    }

    /// Adds a group, if it fits to those that do.
    fn add(&mut self, all: &[Transfer], group: &Group, room: &mut Room) {
        let mut kept = 0;
        let fits = group.kept.iter().all(|(span, bytes)| {
            let has_room = room.has(span, *bytes);
            if has_room {
                room.keep(span, *bytes);
                self.lane_bytes.0 = self.lane_bytes.0.max(room.most(span));
                kept += 1;
            }
            has_room
        });
        let trips = if fits { &mut self.fitting } else { &mut self.too_large };
        let of_group = group.transfers.iter().filter_map(|at| all.get(*at));
        for transfer in of_group {
            let Transfer { engine_id, event, .. } = *transfer;
            trips.transfers.push(Removed { engine_id, event, ns: transfer.ns() });
            let area = transfer.reads.or(transfer.writes);
            trips.bytes += area.map_or(0, |area| area.bytes());
        }
        trips.results += group.kept.len() as u64;
        if !fits {
            // What was kept of it is free again.
            let kept = group.kept.iter().take(kept);
            kept.for_each(|(span, bytes)| room.free(span, *bytes));
        }
    }
}
