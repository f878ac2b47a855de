//! No part of a dump goes missing in silence: every file of every fixture is emptied, cut and removed.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use bigtpu_format::blocks;
use bigtpu_session::Session;
use bigtpu_timeline::CompletenessVerdict;

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures")
}

/// Dump directories in a folder, at most two levels below it.
fn dumps_in(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![(folder.to_owned(), 0)];
    while let Some((folder, depth)) = folders.pop() {
        if folder.join("global.profile").is_file() {
            found.push(folder);
        } else if depth < 3 {
            let entries = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path());
            folders.extend(entries.filter(|path| path.is_dir()).map(|path| (path, depth + 1)));
        }
    }
    found.sort();
    found
}

/// What a dump shows, but for its notes.
struct Shown {
    verdict: CompletenessVerdict,
    events: String,
    is_static: bool,
}

/// `None`: it can't be analyzed, which is an error.
fn shown(dump: &Path) -> Option<Shown> {
    let session = Session::default();
    let dump = session.open(dump, None).ok()?;
    let (profile, layers) = session.read(&dump);
    let ledger = &profile.ledger;
    let verdict = ledger.completeness.verdict();
    assert_eq!(verdict == CompletenessVerdict::Incomplete, ledger.has_loss(), "{:?}", ledger.notes);
    assert_eq!(verdict == CompletenessVerdict::Complete, ledger.completeness.reasons().is_empty());
    let (cores, clocks) = (profile.cores.len(), profile.clocks);
    let mut events = format!("{} {clocks:?} {cores}\n", profile.chip.name);
    if let Some(layers) = &layers {
        writeln!(events, "{:?}", layers.module).unwrap();
    }
    for track in profile.tracks() {
        writeln!(events, "{}", track.engine_id).unwrap();
        for i in 0..track.events.len() {
            let all = &track.events;
            let layer = layers.as_ref().and_then(|layers| layers.of_event(track, i));
            let layer = layer.map(|(id, layer)| (id, &layer.name));
            let kernel = profile.kernel(profile.tag(track, i));
            let (id, span) = (all.id.value_at(i), (all.start[i], all.end[i]));
            writeln!(events, "{id} {span:?} {:?} {kernel:?} {layer:?}", all.binding[i]).unwrap();
        }
    }
    Some(Shown { verdict, events, is_static: profile.is_static })
}

/// Lengths to which a file is cut: fractions, and where its blocks end.
fn cuts(name: &str, bytes: &[u8]) -> BTreeSet<usize> {
    let mut cuts: BTreeSet<usize> = [1, 2, 3].map(|quarters| bytes.len() * quarters / 4).into();
    cuts.extend([bytes.len().saturating_sub(1), bytes.len() / 3 / 128 * 128]);
    if name.ends_with(".profile") && name != "global.profile" {
        let ends = blocks(bytes).blocks.into_iter().map(|b| b.offset as usize + b.content.len());
        cuts.extend(ends);
    }
    cuts.retain(|cut| *cut > 0 && *cut < bytes.len());
    cuts
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Damage {
    Removed,
    Emptied,
    Cut(usize),
}

/// Damages each file of a dump in each way. `check` gets what the whole and the damaged dump show where they differ.
fn damage_each(dump: &Path, mut check: impl FnMut(&str, Damage, &Shown, &Shown)) {
    let Some(whole) = shown(dump) else { return };
    let copy = tempfile::tempdir().unwrap();
    let entries = fs::read_dir(dump).unwrap().map(|entry| entry.unwrap().file_name());
    let mut names: Vec<String> = entries.map(|name| name.into_string().unwrap()).collect();
    names.sort();
    let put = |name: &str, bytes: &[u8]| fs::write(copy.path().join(name), bytes).unwrap();
    for name in &names {
        put(name, &fs::read(dump.join(name)).unwrap());
    }
    for name in &names {
        let bytes = fs::read(dump.join(name)).unwrap();
        // The compiler's statistics are not read; an empty file has nothing to lose.
        if bytes.is_empty() || name == "net_stat.sim" {
            continue;
        }
        let cuts = cuts(name, &bytes).into_iter().map(Damage::Cut);
        for damage in [Damage::Removed, Damage::Emptied].into_iter().chain(cuts) {
            match damage {
                Damage::Removed => fs::remove_file(copy.path().join(name)).unwrap(),
                Damage::Emptied => put(name, b""),
                Damage::Cut(length) => put(name, &bytes[..length]),
            }
            let damaged = shown(copy.path());
            if let Some(damaged) = damaged.filter(|damaged| damaged.events != whole.events) {
                check(name, damage, &whole, &damaged);
            }
            put(name, &bytes);
        }
    }
}

/// Whether a dump that was complete may have no trace of what is missing: some runtimes write no number of cores, or
/// leave the files of idle cores empty (not in dynamic runs of AKS and AKSV); nothing says which capture mode the only
/// core's file is of; and a text may end within a number, or before its last lines.
fn may_leave_no_trace(dump: &Path, name: &str, damage: Damage, whole: &Shown) -> bool {
    let is_core = name.starts_with("cdmlib");
    match damage {
        Damage::Removed => is_core,
        Damage::Emptied => is_core && (whole.is_static || !whole.events.starts_with("AKS")),
        Damage::Cut(_) => {
            name == "global.profile" || is_core && !dump.join("cdmlib0_1.profile").exists()
        }
    }
}

#[test]
fn no_part_of_a_dump_goes_missing_in_silence() {
    let dumps = dumps_in(&fixtures());
    assert!(dumps.len() > 80, "{} dumps", dumps.len());
    let (mut silent, mut changed) = (Vec::new(), 0);
    for dump in &dumps {
        damage_each(dump, |name, damage, whole, damaged| {
            changed += 1;
            let is_known = whole.verdict == CompletenessVerdict::Complete
                && !may_leave_no_trace(dump, name, damage, whole);
            let is_told = match damaged.verdict {
                CompletenessVerdict::Complete => false,
                CompletenessVerdict::Unverified => !is_known,
                CompletenessVerdict::Incomplete => true,
            };
            if !is_told {
                let file = dump.join(name);
                silent.push(format!("{}, {damage:?}: {:?}", file.display(), damaged.verdict));
            }
        });
    }
    assert!(changed > 1000, "{changed}");
    assert!(silent.is_empty(), "{} of {changed}:\n{}", silent.len(), silent.join("\n"));
}

/// Healthy dumps of real hardware: nothing is missing, whatever their form.
#[test]
fn real_dumps_are_not_incomplete() {
    for dump in dumps_in(&fixtures().join("real")) {
        // AKS's has one of at most eight cores, and nothing says how many ran.
        let is_aks = dump.ends_with("cdm_profile_data_dev0_bm1690");
        let expected =
            if is_aks { CompletenessVerdict::Unverified } else { CompletenessVerdict::Complete };
        assert_eq!(shown(&dump).unwrap().verdict, expected, "{}", dump.display());
    }
}

/// Every file of a real dump, removed, emptied or cut: what is shown changes with a loss only.
#[test]
fn damage_to_real_dumps_is_a_loss() {
    let mut changed = 0;
    for dump in dumps_in(&fixtures().join("real")) {
        damage_each(&dump, |name, damage, _, damaged| {
            // A text may end within a number.
            if !(name == "global.profile" && matches!(damage, Damage::Cut(_))) {
                let said = format!("{}: {name}, {damage:?}", dump.display());
                assert_eq!(damaged.verdict, CompletenessVerdict::Incomplete, "{said}");
                changed += 1;
            }
        });
    }
    assert!(changed > 60, "{changed}");
}
