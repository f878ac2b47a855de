//! Accesses to local memory and the live bytes that they show, core by core.

use bigtpu_chip::Memory;
use bigtpu_measure::{
    CommandTable, LiveBytes, LocalMemory, Spilled, TimedAccess, Touch, TrackCommand, residencies,
};
use bigtpu_timeline::{EngineId, Profile, Track};
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
    let memory = LocalMemory::of(profile.chip)?;
    let commands = profile.cores.iter().flat_map(|c| &c.tracks).flat_map(|t| &t.events.binding);
    let known = commands.filter(|b| b.has_bits()).count();
    if known > LMEM_LIMIT {
        notices.push(dropped("lmem-dropped", known, LMEM_LIMIT));
        return None;
    }
    let cores: Vec<Option<LmemCore>> = profile
        .cores
        .par_iter()
        .zip(0..profile.cores.len() as u32)
        .map(|(of_core, core)| {
            let (chunk, accesses) = accesses(profile, table, &memory, &of_core.tracks, &index);
            let touches: Vec<Touch> =
                accesses.iter().map(|timed| Touch::of(&timed.access, timed.end)).collect();
            let spilled = |memory| {
                let Spilled { stored_bytes, loaded_bytes } =
                    Spilled::of(&outside(profile, table, &of_core.tracks, memory));
                SpilledHead { stored_bytes, loaded_bytes }
            };
            (chunk.rows > 0).then(|| LmemCore {
                core,
                chunk,
                live: live(&accesses, memory.lanes),
                residency: residency(&touches),
                spilled: [is_ddr as IsMemory, is_shared].map(spilled),
            })
        })
        .collect();
    let cores: Vec<LmemCore> = cores.into_iter().flatten().collect();
    (!cores.is_empty()).then_some(LmemHead {
        lane_bytes: memory.lane_bytes,
        bank_bytes: memory.bank_bytes,
        lanes: memory.lanes,
        cores,
        l2m: shared_memory(profile, table, &index),
    })
}

/// What stays in a memory.
fn residency(touches: &[Touch]) -> Chunk {
    let mut columns = [
        Column::differences("write"),
        Column::differences("last"),
        Column::plain("addr"),
        Column::plain("bytes"),
    ];
    for of in residencies(touches) {
        let [write, last, addr, bytes] = &mut columns;
        write.push(of.write.into());
        last.push(of.last_read.into());
        addr.push_wide(of.address);
        bytes.push_wide(of.bytes);
    }
    Chunk::of(columns.into())
}

/// Whether a memory is meant.
type IsMemory = fn(Memory) -> bool;

fn is_ddr(memory: Memory) -> bool {
    memory == Memory::Ddr
}

/// The memory on the chip that the cores share.
fn is_shared(memory: Memory) -> bool {
    matches!(memory, Memory::L2m | Memory::L2)
}

/// Stores of a core to a memory outside, and loads from there into its local memory.
fn outside(
    profile: &Profile<'_>,
    table: &CommandTable,
    tracks: &[Track<'_>],
    is_outside: IsMemory,
) -> Vec<Touch> {
    let commands = tracks.iter().filter_map(|track| table.commands(profile, track));
    let touches = commands.flat_map(|commands| -> Vec<Touch> {
        let of_memory = |command: TrackCommand<'_, '_>| {
            let direction = command.kind.direction()?;
            let touches = touches_of(&command, is_outside);
            let is_own = direction.from == Memory::Lmem || direction.to == Memory::Lmem;
            is_own.then_some(touches)
        };
        commands.iter().filter_map(of_memory).flatten().collect()
    });
    touches.collect()
}

/// What a command with full bits reads from and writes to a memory outside of the core.
fn touches_of(command: &TrackCommand<'_, '_>, is_outside: IsMemory) -> Vec<Touch> {
    let Some(direction) = command.kind.direction().filter(|_| command.bits().is_some()) else {
        return Vec::new();
    };
    let (addresses, bytes, end) = (command.addresses(), command.bytes(), command.end());
    let sides =
        [(direction.from, addresses.source, false), (direction.to, addresses.destination, true)];
    let of = sides.into_iter().filter(|(of, ..)| is_outside(*of) && bytes > 0);
    of.map(|(_, address, writes)| Touch { writes, address, bytes, end }).collect()
}

/// Accesses of all engines to the memory that the cores share.
fn shared_memory(
    profile: &Profile<'_>,
    table: &CommandTable,
    index: &impl Fn(EngineId) -> Option<usize>,
) -> Option<L2mHead> {
    let mut touches: Vec<(usize, usize, Touch)> = Vec::new();
    for track in profile.tracks() {
        let Some(place) = index(track.engine_id) else { continue };
        let Some(commands) = table.commands(profile, track) else { continue };
        for command in commands.iter() {
            let of = touches_of(&command, is_shared);
            touches.extend(of.into_iter().map(|touch| (place, command.index, touch)));
        }
    }
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
        chunk: Chunk::of(columns.into()),
        residency: residency(&touches),
    })
}

fn accesses(
    profile: &Profile<'_>,
    table: &CommandTable,
    memory: &LocalMemory,
    tracks: &[Track<'_>],
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
    for track in tracks {
        let Some(place) = index(track.engine_id) else { continue };
        let Some(commands) = table.commands(profile, track) else { continue };
        for command in commands.iter() {
            for access in memory.accesses(&command) {
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
                operand.push_text(access.operand);
                timed.push(TimedAccess { access, end: command.end() });
            }
        }
    }
    (Chunk::of(columns.into_iter().chain([operand]).collect()), timed)
}

fn live(accesses: &[TimedAccess], lanes: u32) -> LiveHead {
    let LiveBytes { totals, of_lanes } = LiveBytes::of(accesses, lanes);
    let columns = totals.iter().zip(0..).map(|(total, number): (_, usize)| {
        let mut column = Column::signed(&number.to_string());
        total.changes.iter().for_each(|&bytes| column.push(bytes.into()));
        column
    });
    LiveHead {
        chunk: Chunk::of(columns.collect()),
        most: totals.iter().map(|total| total.most).collect(),
        lanes: of_lanes,
    }
}
