//! Accesses to local memory and the live bytes that they show, core by core.

use bigtpu_measure::{CommandTable, LiveBytes, LocalMemory, TimedAccess};
use bigtpu_timeline::{EngineId, Profile, Track};
use rayon::prelude::*;

use crate::chunk::Chunk;
use crate::column::Column;
use crate::head::{LiveHead, LmemCore, LmemHead, Notice};
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
            (chunk.rows > 0).then(|| LmemCore { core, chunk, live: live(&accesses, memory.lanes) })
        })
        .collect();
    let cores: Vec<LmemCore> = cores.into_iter().flatten().collect();
    (!cores.is_empty()).then_some(LmemHead {
        lane_bytes: memory.lane_bytes,
        bank_bytes: memory.bank_bytes,
        lanes: memory.lanes,
        cores,
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
