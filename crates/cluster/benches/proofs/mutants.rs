//! Damaged dumps and parts: a clean end for each.

use std::path::Path;

use bigtpu_cluster::{DumpPart, Identity, JoinOptions, Rank, join};
use bigtpu_synth::{ClusterOptions, write_cluster};
use bigtpu_timeline::{BuildOptions, Dump};
use rayon::prelude::*;

use crate::random::Random;
use crate::support::Run;
use crate::table::Table;

/// Changes some bytes, or cuts.
fn damage(bytes: &mut Vec<u8>, random: &mut Random) {
    if bytes.is_empty() {
        return;
    }
    match random.next_below(4) {
        0 => bytes.truncate(random.next_below(bytes.len() as u64) as usize),
        1 => {
            let from = random.next_below(bytes.len() as u64) as usize;
            let to = (from + random.next_below(400) as usize).min(bytes.len());
            bytes.drain(from..to);
        }
        _ => {
            for _ in 0..=random.next_below(20) {
                let at = random.next_below(bytes.len() as u64) as usize;
                bytes[at] = random.next() as u8;
            }
        }
    }
}

/// The files of a directory, by name.
fn files(dir: &Path) -> Vec<std::path::PathBuf> {
    let mut files: Vec<_> = std::fs::read_dir(dir).unwrap().map(|e| e.unwrap().path()).collect();
    files.sort();
    files
}

pub(crate) fn prove(runs: u64, seed: u64, table: &mut Table) {
    let count = runs * 4;
    let options =
        ClusterOptions { operations: 8, mode: 2, seed, ..ClusterOptions::for_devices(3).unwrap() };
    let healthy = Run::make(&options);
    // Parts.
    let parts: Vec<Vec<u8>> =
        healthy.ranks.iter().map(|rank| rank.part.encode().unwrap()).collect();
    let part = |run: u64| {
        let mut random = Random::seeded(seed + 51, run);
        let at = random.next_below(3) as usize;
        let mut bytes = parts[at].clone();
        damage(&mut bytes, &mut random);
        std::panic::catch_unwind(|| match DumpPart::decode(&bytes) {
            Err(error) => !error.to_string().is_empty(),
            Ok(part) => {
                let mut ranks = healthy.ranks.clone();
                ranks[at] = Rank { number: at as u32, part };
                join(ranks, &JoinOptions::default()).is_ok()
            }
        })
        .unwrap_or(false)
    };
    let clean = (0..count / 2).into_par_iter().filter(|run| part(*run)).count();
    // Columns that are wrong although the checksum is right: a part of a foreign program.
    let column = |run: u64| {
        let mut random = Random::seeded(seed + 52, run);
        let mut ranks = healthy.ranks.clone();
        let at = random.next_below(3) as usize;
        let commands: Vec<_> = ranks[at].part.threads[0].commands.iter().collect();
        let shaken = commands.into_iter().map(|mut command| {
            if random.happens(20) {
                let any = random.next() as i64 >> (random.next_below(60));
                (command.start, command.first, command.last, command.end) = (any, any, any, any);
                (command.kernel, command.scope, command.section) =
                    (random.next() as u32, random.next() as u32, random.next() as u32);
                command.bytes = random.next();
            }
            command
        });
        let shaken: Vec<_> = shaken.collect();
        ranks[at].part.threads[0].commands = shaken.into_iter().collect();
        std::panic::catch_unwind(|| join(ranks, &JoinOptions::default()).is_ok()).unwrap_or(false)
    };
    let shaken = (0..count / 8).into_par_iter().filter(|run| column(*run)).count();
    // Dumps.
    let dir = tempfile::tempdir().unwrap();
    write_cluster(&options, dir.path()).unwrap();
    let root = dir.path().join("host0/cdm_profile_data_dev1-0");
    let originals: Vec<(String, Vec<u8>)> = files(&root)
        .into_iter()
        .map(|file| {
            let name = file.file_name().unwrap().to_string_lossy().into_owned();
            (name, std::fs::read(&file).unwrap())
        })
        .collect();
    let dump = |run: u64| {
        let mut random = Random::seeded(seed + 53, run);
        let place = tempfile::tempdir().unwrap();
        let at = random.next_below(originals.len() as u64) as usize;
        for (number, (name, bytes)) in originals.iter().enumerate() {
            let mut bytes = bytes.clone();
            if number == at {
                damage(&mut bytes, &mut random);
            }
            std::fs::write(place.path().join(name), bytes).unwrap();
        }
        std::panic::catch_unwind(|| match Dump::open(place.path()) {
            Err(error) => !error.to_string().is_empty(),
            Ok(opened) => {
                let identity = Identity { device: 1, ..Identity::default() };
                let part = DumpPart::of_dump(identity, &opened, &BuildOptions::default());
                let again = DumpPart::decode(&part.encode().unwrap());
                let mut ranks = healthy.ranks.clone();
                ranks[1] = Rank { number: 1, part: part.clone() };
                again.is_ok_and(|again| again == part)
                    && join(ranks, &JoinOptions::default()).is_ok()
            }
        })
        .unwrap_or(false)
    };
    let read = (0..count / 2).into_par_iter().filter(|run| dump(*run)).count();
    let all = count / 2 + count / 8 + count / 2;
    let good = (clean + shaken + read) as u64;
    table.row(
        "mutants of dumps and parts with a clean end",
        "all of 2 000",
        format!("{good} of {all}"),
        good == all,
    );
    size(table);
}

/// Bytes of a part.
fn size(table: &mut Table) {
    let options =
        ClusterOptions { operations: 300, chunks: 4, ..ClusterOptions::for_devices(8).unwrap() };
    let run = Run::make(&options);
    let part = &run.ranks[0].part;
    let bytes = part.encode().unwrap().len();
    let most = 100 * part.command_count() as u64 + part.events;
    let text = format!("{bytes} B: {} commands, {} events", part.command_count(), part.events);
    table.row(
        "a part is at most 100 B a command of ports + 1 B an event",
        &format!("{most} B"),
        text,
        bytes as u64 <= most,
    );
}
