//! Every event, described once: what the answers are computed from.
//!
//! Decoding a command costs more than all that is asked about it later, so one pass over the profile turns
//! each event into 20 bytes: a class of commands, a tag, bytes and stalls.

mod class;
mod model;

use std::collections::HashMap;

use bigtpu_chip::{Engine, Memory, Slot};
use bigtpu_timeline::{Profile, Tag, Track};
use foldhash::fast::RandomState;
use rayon::prelude::*;

pub use class::Class;
pub use model::{EngineTrack, Event, Model};

use crate::dma::{DmaView, dma};
use crate::kernels::{KernelSlice, kernel_launches};
use crate::tiu::tiu;
use class::Interner;

/// What is known of one track's events, column by column.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Columns {
    /// Index into [`Facts::classes`].
    pub class: Vec<u32>,
    /// Index into [`Facts::tags`].
    pub tag: Vec<u32>,
    /// `DMA data size(B)`; 0 for the TIU and for system commands.
    pub bytes: Vec<u64>,
    /// DMA: `Stall Cycle`. TIU: cycles lost to bank conflicts.
    pub stalls: Vec<u32>,
}

/// Loads from DDR that read again what was read before (commands with full bits only).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Reuse {
    /// Loads from DDR.
    pub loads: u64,
    /// Bytes that they read.
    pub bytes: u64,
    /// Places that were read more than once: the same address and number of bytes.
    pub places: u64,
    /// Bytes of those places, each counted once.
    pub distinct_bytes: u64,
    /// Bytes that were read again: what a copy on the chip would have saved.
    pub again_bytes: u64,
    /// ns that the loads took that read again.
    pub again_ns: i64,
}

/// Every event of a profile, described.
#[derive(Debug, Clone, Default)]
pub struct Facts {
    /// Kinds of commands, in order of first appearance.
    pub classes: Vec<Class>,
    /// Kernels, scopes, batches and modes.
    pub tags: Vec<Tag>,
    /// By track, in the order of [`Profile::tracks`].
    pub columns: Vec<Columns>,
    /// Kernel launches of each core.
    pub core_launches: Vec<Vec<KernelSlice>>,
    /// Kernel launches of each port, in the profile's order.
    pub port_launches: Vec<Vec<KernelSlice>>,
    /// Loads that read again.
    pub reuse: Reuse,
}

/// Address and bytes of a load; how often it was done, and how long all but the first took.
type Loads = HashMap<(u64, u64), (u64, i64), RandomState>;

struct TrackFacts {
    columns: Columns,
    classes: Vec<Class>,
    tags: Vec<Tag>,
    loads: Loads,
}

impl Facts {
    /// Describes every event, track by track in parallel.
    #[must_use]
    pub fn of(profile: &Profile<'_>) -> Self {
        let tracks: Vec<&Track<'_>> = profile.tracks().collect();
        let found: Vec<TrackFacts> =
            tracks.par_iter().map(|track| describe(profile, track)).collect();
        let core_launches = profile
            .cores
            .par_iter()
            .map(|core| kernel_launches(profile, &core.tracks.iter().collect::<Vec<_>>()));
        let port_launches = profile.ports.par_iter().map(|port| kernel_launches(profile, &[port]));
        let mut facts = Self {
            core_launches: core_launches.collect(),
            port_launches: port_launches.collect(),
            ..Self::default()
        };
        let mut loads = Loads::default();
        let mut tag_numbers: HashMap<Tag, u32, RandomState> = HashMap::default();
        for mut track in found {
            let first = facts.classes.len() as u32;
            facts.classes.append(&mut track.classes);
            track.columns.class.iter_mut().for_each(|class| *class += first);
            let renumbered: Vec<u32> = track
                .tags
                .iter()
                .map(|tag| {
                    *tag_numbers.entry(*tag).or_insert_with(|| {
                        facts.tags.push(*tag);
                        (facts.tags.len() - 1) as u32
                    })
                })
                .collect();
            for tag in &mut track.columns.tag {
                *tag = renumbered.get(*tag as usize).copied().unwrap_or(0);
            }
            facts.columns.push(track.columns);
            for (place, (times, ns)) in track.loads {
                let all = loads.entry(place).or_default();
                // The first load of a further engine reads again as well; its time is not kept apart.
                *all = (all.0 + times, all.1 + ns);
            }
        }
        facts.reuse = reuse(&loads);
        facts
    }
}

fn reuse(loads: &Loads) -> Reuse {
    loads.iter().fold(Reuse::default(), |mut reuse, (&(_, bytes), &(times, ns))| {
        reuse.loads += times;
        reuse.bytes += bytes * times;
        if times > 1 {
            reuse.places += 1;
            reuse.distinct_bytes += bytes;
            reuse.again_bytes += bytes * (times - 1);
            reuse.again_ns += (i128::from(ns) * i128::from(times - 1) / i128::from(times)) as i64;
        }
        reuse
    })
}

fn describe<'d>(profile: &Profile<'d>, track: &Track<'d>) -> TrackFacts {
    let engine = track.place.engine;
    let n = track.events.len();
    let mut interner = Interner::new(engine);
    let mut columns = Columns {
        class: Vec::with_capacity(n),
        tag: Vec::with_capacity(n),
        bytes: vec![0; n],
        stalls: Vec::with_capacity(n),
    };
    let mut tags: Vec<Tag> = Vec::new();
    let mut tag_numbers: HashMap<Tag, u32, RandomState> = HashMap::default();
    let mut loads = Loads::default();
    for i in 0..n {
        let stalls = if engine == Engine::Tiu {
            let view = tiu(profile, track, i);
            columns.class.push(interner.tiu(profile, track, i, &view));
            view.bank_conflict_cycles
        } else {
            let view = dma(profile, track, i);
            columns.class.push(interner.dma(profile, &view));
            if let Some(bytes) = columns.bytes.get_mut(i)
                && !view.is_system(profile, engine)
            {
                *bytes = view.traffic.bytes;
                if let Some(place) = load_from_ddr(&view) {
                    let load = loads.entry((place, *bytes)).or_default();
                    *load = (load.0 + 1, load.1 + track.events.end[i] - track.events.start[i]);
                }
            }
            u32::try_from(view.traffic.stall_cycles).unwrap_or(u32::MAX)
        };
        columns.stalls.push(stalls);
        let tag = profile.tag(track, i);
        columns.tag.push(*tag_numbers.entry(tag).or_insert_with(|| {
            tags.push(tag);
            (tags.len() - 1) as u32
        }));
    }
    TrackFacts { columns, classes: interner.classes, tags, loads }
}

/// The address that a command with full bits loads from, if that is DDR and it moved anything.
fn load_from_ddr(view: &DmaView<'_>) -> Option<u64> {
    let command = view.command?;
    let from_ddr = view.direction.from == Memory::Ddr && view.direction.to != Memory::Ddr;
    let known = command.register.has(Slot::SrcL32) && view.traffic.bytes > 0;
    (known && from_ddr).then(|| view.source())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_read_again_counts() {
        let loads = Loads::from_iter([((1, 100), (1, 50)), ((2, 10), (4, 80))]);
        let expected = Reuse {
            loads: 5,
            bytes: 140,
            places: 1,
            distinct_bytes: 10,
            again_bytes: 30,
            again_ns: 60,
        };
        assert_eq!(reuse(&loads), expected);
    }
}
