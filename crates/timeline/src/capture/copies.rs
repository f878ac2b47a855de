//! Files that hold the records of another file.

use bigtpu_format::BlockKind;
use bigtpu_messages::message;

use super::{name_of, path_of};
use crate::dump::Dump;
use crate::events::Events;
use crate::ledger::Notes;
use crate::note::{Note, Severity};
use crate::profile::{Core, EngineEvents, Profile};
use crate::source_file::SourceFile;

/// Fewer records with equal times may be chance.
const FEWEST_EQUAL: usize = 8;
/// Records whose bytes are equal throughout are no chance: counters of cores and ports start on their own.
const FEWEST_EQUAL_BYTES: usize = 2 * 16;

/// Tells the files whose records are those of a file before them.
pub(super) fn copies(dump: &Dump, profile: &Profile<'_>) -> Vec<Note> {
    let mut found = Vec::new();
    let mut tell = |a: u32, b: u32, is_port: bool| {
        let (first, second) = (path_of(dump, a, is_port), path_of(dump, b, is_port));
        if let Some(second) = second {
            let message = message!("note-same-records", other = name_of(first));
            found.push(Note::about_file(Severity::Loss, second, message));
        }
    };
    let is_same_core = |a: u32, b: u32| {
        let core = |index: u32| profile.cores.get(index as usize);
        core(a).zip(core(b)).is_some_and(|(a, b)| has_equal_times(a, b))
    };
    for (a, b) in first_equal(&dump.cores, is_same_core) {
        tell(a, b, false);
    }
    let is_same_port = |a: u32, b: u32| {
        let port = |index: u32| profile.ports.iter().find(|port| port.engine_id.index == index);
        port(a).zip(port(b)).is_some_and(|(a, b)| is_equal(a, b))
    };
    for (a, b) in first_equal(&dump.ports, is_same_port) {
        tell(a, b, true);
    }
    found
}

/// For each file that equals one before it, the first of those.
fn first_equal(files: &[SourceFile], is_equal: impl Fn(u32, u32) -> bool) -> Vec<(u32, u32)> {
    let records: Vec<Vec<&[u8]>> = files.iter().map(records_of).collect();
    let of_file = |at: usize| {
        let (file, own) = (files.get(at)?, records.get(at)?);
        let before = files.iter().zip(&records).take(at);
        let first = before.into_iter().find(|(other, theirs)| {
            own.iter().any(|block| theirs.contains(block)) || is_equal(other.index, file.index)
        });
        first.map(|(other, _)| (other.index, file.index))
    };
    (0..files.len()).filter_map(of_file).collect()
}

/// The blocks with more than a record.
fn records_of(file: &SourceFile) -> Vec<&[u8]> {
    let blocks = file.blocks(&mut Notes::new(&file.path, file.bytes().len()));
    let is_monitor = |kind: BlockKind| {
        matches!(
            kind,
            BlockKind::MonitorTiu
                | BlockKind::MonitorGdma
                | BlockKind::MonitorSdma
                | BlockKind::MonitorCdma
        )
    };
    let full = blocks.into_iter().filter(|block| is_monitor(block.kind)).filter(|block| {
        block.content.len() >= FEWEST_EQUAL_BYTES && block.content.iter().any(|byte| *byte != 0)
    });
    full.map(|block| block.content).collect()
}

fn has_equal_times(a: &Core<'_>, b: &Core<'_>) -> bool {
    a.tracks.iter().zip(&b.tracks).any(|(a, b)| is_equal(a, b))
}

/// No two engines of one kind work at the same times to the cycle.
fn is_equal(a: &EngineEvents<'_>, b: &EngineEvents<'_>) -> bool {
    // Times are compared from the first record on: cores are shifted against each other.
    let (a, b) = (&a.events, &b.events);
    let Some((from_a, from_b)) = a.start.first().zip(b.start.first()) else { return false };
    let times =
        |of: &Events, from: i64, i: usize| Some((of.start.get(i)? - from, of.end.get(i)? - from));
    a.len() == b.len()
        && a.len() >= FEWEST_EQUAL
        && (0..a.len()).all(|i| times(a, *from_a, i) == times(b, *from_b, i))
}
