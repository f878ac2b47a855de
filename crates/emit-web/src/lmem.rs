//! Accesses to local memory and the live bytes that they show, core by core.

use bigtpu_chip::{Direction, Memory};
use bigtpu_measure::{
    Accesses, Addresses, CommandTable, LiveBytes, LocalMemory, Residency, Spilled, TimedAccess,
    Touch, TrackCommand, residencies,
};
use bigtpu_timeline::{EngineEvents, EngineId, Profile};
use rayon::prelude::*;

use crate::chunk::Chunk;
use crate::column::Column;
use crate::head::{L2mHead, LiveHead, LmemCore, LmemHead, Notice, SpilledHead};
use crate::notices::{LMEM_LIMIT, dropped};

/// The accesses of all cores; `None` where no command's are known, or where there are too many. `index` gives
/// a track's place in the page.
pub(crate) fn local_memory(
    profile: &Profile<'_>,
    table: &CommandTable,
    index: impl Fn(EngineId) -> Option<usize> + Sync,
    notices: &mut Vec<Notice>,
) -> Option<LmemHead> {
    let memory = LocalMemory::for_chip(profile.chip)?;
    let commands = profile.cores.iter().flat_map(|c| &c.tracks).flat_map(|t| &t.events.binding);
    let known = commands.filter(|b| b.has_bits()).count();
    if known > LMEM_LIMIT {
        notices.push(dropped("lmem-dropped", known, LMEM_LIMIT));
        return None;
    }
    let cores: Vec<(Option<LmemCore>, Vec<Shared>)> = profile
        .cores
        .par_iter()
        .zip(0..profile.cores.len() as u32)
        .map(|(of_core, core)| {
            let (chunk, accesses) = accesses(profile, table, &memory, &of_core.tracks, &index);
            let touches: Vec<Touch> =
                accesses.iter().map(|timed| Touch::from_access(&timed.access, timed.end)).collect();
            let stays = residencies(&touches);
            let outside = Outside::find(profile, table, &of_core.tracks, &index);
            let lmem = (chunk.rows > 0).then(|| LmemCore {
                core,
                chunk,
                live: live(&accesses, memory.lanes, &stays),
                residency: residency(&stays),
                spilled: [&outside.ddr, &outside.moved].map(|touches| {
                    let Spilled { stored_bytes, loaded_bytes } = Spilled::compute(touches);
                    SpilledHead { stored_bytes, loaded_bytes }
                }),
            });
            (lmem, outside.shared)
        })
        .collect();
    let (cores, shared): (Vec<_>, Vec<_>) = cores.into_iter().unzip();
    let cores: Vec<LmemCore> = cores.into_iter().flatten().collect();
    let ports = Outside::find(profile, table, &profile.ports, &index);
    let shared = shared.into_iter().flatten().chain(ports.shared).collect();
    (!cores.is_empty()).then_some(LmemHead {
        lane_bytes: memory.lane_bytes,
        bank_bytes: memory.bank_bytes,
        lanes: memory.lanes,
        cores,
        l2m: shared_memory(shared),
    })
}

/// What stays in a memory.
fn residency(stays: &[Residency]) -> Chunk {
    let mut columns = [
        Column::differences("write"),
        Column::differences("last"),
        Column::plain("addr"),
        Column::plain("bytes"),
    ];
    for of in stays {
        let [write, last, addr, bytes] = &mut columns;
        write.push(of.write.into());
        last.push(of.last_read.into());
        addr.push_wide(of.address);
        bytes.push_wide(of.bytes);
    }
    Chunk::pack(columns.into())
}

/// An access to the memory on the chip that the cores share: the track's place in the page, the row, and what is accessed.
type Shared = (usize, usize, Touch);

/// Accesses of transfers to memories outside of the core.
#[derive(Default)]
struct Outside {
    /// Stores of the core to DDR, and loads from there into its local memory.
    ddr: Vec<Touch>,
    /// Stores of the core to the memory that the cores share, and loads from there into its local memory.
    moved: Vec<Touch>,
    /// All accesses to the memory that the cores share, of tracks that the page has.
    shared: Vec<Shared>,
}

impl Outside {
    fn find(
        profile: &Profile<'_>,
        table: &CommandTable,
        tracks: &[EngineEvents<'_>],
        index: &impl Fn(EngineId) -> Option<usize>,
    ) -> Self {
        let mut outside = Self::default();
        for track in tracks {
            let Some(commands) = table.commands(profile, track) else { continue };
            let place = index(track.engine_id);
            commands.iter().for_each(|command| outside.add(&command, place));
        }
        outside
    }

    /// Adds what a command with full bits reads and writes.
    fn add(&mut self, command: &TrackCommand<'_, '_>, place: Option<usize>) {
        let Some((Direction { from, to }, bits)) = command.kind.direction().zip(command.bits())
        else {
            return;
        };
        let (is_own, bytes) = (from == Memory::Lmem || to == Memory::Lmem, command.bytes());
        if bytes == 0 {
            return;
        }
        let addresses = Addresses::read(command.all.profile.chip.family, &bits);
        let end = command.end();
        let sides = [(from, addresses.source, false), (to, addresses.destination, true)];
        for (memory, address, writes) in sides {
            let touch = Touch { writes, address, bytes, end };
            match memory {
                Memory::Ddr if is_own => self.ddr.push(touch),
                Memory::L2m | Memory::L2 => {
                    self.moved.extend(is_own.then_some(touch));
                    self.shared.extend(place.map(|place| (place, command.index, touch)));
                }
                _ => {}
            }
        }
    }
}

/// Accesses of all engines to the memory that the cores share.
fn shared_memory(mut touches: Vec<Shared>) -> Option<L2mHead> {
    let base = touches.iter().map(|(.., touch)| touch.address).min()?;
    let mut columns = [
        Column::differences("track"),
        Column::differences("row"),
        Column::plain("write"),
        Column::plain("addr"),
        Column::plain("bytes"),
    ];
    for (place, row, touch) in &mut touches {
        touch.address -= base;
        let numbers = [*place as i64, *row as i64, touch.writes.into()];
        let [track, at, write, addr, bytes] = &mut columns;
        [track, at, write].into_iter().zip(numbers).for_each(|(column, n)| column.push(n));
        addr.push_wide(touch.address);
        bytes.push_wide(touch.bytes);
    }
    let touches: Vec<Touch> = touches.into_iter().map(|(.., touch)| touch).collect();
    let past = touches.iter().map(|touch| touch.address.saturating_add(touch.bytes)).max();
    Some(L2mHead {
        base,
        bytes: past.unwrap_or(0),
        chunk: Chunk::pack(columns.into()),
        residency: residency(&residencies(&touches)),
    })
}

fn accesses(
    profile: &Profile<'_>,
    table: &CommandTable,
    memory: &LocalMemory,
    tracks: &[EngineEvents<'_>],
    index: &impl Fn(EngineId) -> Option<usize>,
) -> (Chunk, Vec<TimedAccess>) {
    let mut columns = [
        Column::differences("track"),
        Column::differences("row"),
        Column::plain("write"),
        Column::plain("addr"),
        Column::plain("bytes"),
        Column::plain("lane"),
        Column::plain("lanes"),
    ];
    let mut operand = Column::text("operand");
    let mut timed = Vec::new();
    let mut accesses = Accesses::new(*memory);
    for track in tracks {
        let Some(place) = index(track.engine_id) else { continue };
        let Some(commands) = table.commands(profile, track) else { continue };
        for command in commands.iter() {
            for access in accesses.of_command(&command) {
                let numbers = [
                    place as i64,
                    command.index as i64,
                    access.writes.into(),
                    access.address as i64,
                    access.bytes as i64,
                    access.lane.into(),
                    access.lanes.into(),
                ];
                columns.iter_mut().zip(numbers).for_each(|(column, n)| column.push(n));
                operand.push_own(access.operand);
                timed.push(TimedAccess { access, end: command.end() });
            }
        }
    }
    (Chunk::pack(columns.into_iter().chain([operand]).collect()), timed)
}

fn live(accesses: &[TimedAccess], lanes: u32, stays: &[Residency]) -> LiveHead {
    let LiveBytes { totals, of_lanes } = LiveBytes::compute(accesses, lanes, stays);
    let columns = totals.iter().zip(0..).map(|(total, number): (_, usize)| {
        let mut column = Column::signed(&number.to_string());
        total.changes.iter().for_each(|&bytes| column.push(bytes.into()));
        column
    });
    LiveHead {
        chunk: Chunk::pack(columns.collect()),
        most: totals.iter().map(|total| total.most).collect(),
        lanes: of_lanes,
    }
}
