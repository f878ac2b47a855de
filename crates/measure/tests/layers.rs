//! Dumps of real hardware: the compiler's log and its files agree on every command's layer.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use bigtpu_measure::layers::Layers;
use bigtpu_timeline::{BuildOptions, Dump, Profile};

fn root(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/real").join(name)
}

fn opened(name: &str) -> Layers {
    let found = Layers::open(&root(name));
    assert!(found.notes.is_empty(), "{name}: {:?}", found.notes);
    found.layers.unwrap()
}

fn logged(name: &str) -> Layers {
    let text = std::fs::read(root(name).join("global.profile")).unwrap();
    Layers::of_log(&String::from_utf8_lossy(&text)).unwrap()
}

/// Counts the events of a dump with a layer, and all; `check` sees each with a layer.
fn count(name: &str, layers: &Layers, check: impl Fn(&str, &str, i64)) -> (usize, usize) {
    let dump = Dump::open(&root(name)).unwrap();
    let profile = Profile::build(&dump, &BuildOptions::default());
    let (mut with_layer, mut all) = (0, 0);
    for track in profile.tracks() {
        for i in 0..track.events.len() {
            all += 1;
            if let Some((_, layer)) = layers.of_event(track, i) {
                with_layer += 1;
                check(&layer.name, &track.engine_id.to_string(), track.events.id.value_at(i));
            }
        }
    }
    (with_layer, all)
}

#[test]
fn the_log_gives_every_command_the_layer_that_the_files_give() {
    for name in ["bmprofile_data-1_bm1688", "bmprofile_data-1_cv184x"] {
        compare_log_with_files(name);
    }
}

fn compare_log_with_files(name: &str) {
    let files = opened(name);
    let log = logged(name);
    assert_eq!(log.module.name, files.module.name);
    let dump = Dump::open(&root(name)).unwrap();
    let profile = Profile::build(&dump, &BuildOptions::default());
    for track in profile.tracks() {
        for i in 0..track.events.len() {
            let of = |layers: &Layers| layers.of_event(track, i).map(|(_, l)| l.name.clone());
            assert_eq!(
                of(&log),
                of(&files),
                "{name}: {} {}",
                track.engine_id,
                track.events.id.value_at(i)
            );
        }
    }
}

/// The layer that the log names last before each command, by core and whether it is the TIU's: the n-th has id n.
fn layers_of_log_lines(name: &str) -> BTreeMap<(u32, bool), Vec<String>> {
    let text = std::fs::read(root(name).join("global.profile")).unwrap();
    let text = String::from_utf8_lossy(&text);
    let word = |line: &str, key: &str| -> Option<String> {
        let (_, rest) = line.split_once(key)?;
        Some(rest.split_whitespace().next().unwrap_or("").to_owned())
    };
    let mut commands: BTreeMap<_, Vec<String>> = BTreeMap::new();
    let mut layer = String::new();
    for line in text.lines() {
        layer = word(line, "layer_type=").unwrap_or(layer);
        if line.contains(" cmd_id bd_id=") {
            let core = word(line, "core=").map_or(0, |core| core.parse().unwrap());
            let is_tiu = line.contains("bd_func=");
            commands.entry((core, is_tiu)).or_default().push(layer.clone());
        }
    }
    commands
}

/// Every command has the layer that the log names; `Layers` takes the files where there are any.
#[test]
fn every_command_has_the_layer_that_the_compiler_logged() {
    for (name, expected) in [
        ("bmprofile_data-1_bm1688", ONE_CORE),
        ("bmprofile_data_bm1688_2core", TWO_CORES),
        ("bmprofile_data-1_bm1684x", BM1684X),
        ("bmprofile_data-1_cv184x", CV184X),
    ] {
        let logged = layers_of_log_lines(name);
        let layers = opened(name);
        let check = |layer: &str, place: &str, id: i64| {
            let core = place.split_whitespace().find_map(|word| word.parse().ok()).unwrap_or(0);
            let all = &logged[&(core, place.contains("TIU"))];
            assert_eq!(all[usize::try_from(id).unwrap()], layer, "{name}: {place} {id}");
        };
        assert_eq!(count(name, &layers, check), expected, "{name}");
    }
}

/// Where there are no files, the log is taken: of one core, and of two.
#[test]
fn dumps_without_files_have_the_layers_of_the_log() {
    // Without a layer: end commands, and the sends and waits between the two cores.
    for (name, expected) in
        [("bmprofile_data-1_bm1684x", BM1684X), ("bmprofile_data_bm1688_2core", TWO_CORES)]
    {
        let layers = opened(name);
        let check = |layer: &str, place: &str, id: i64| {
            let is_move = matches!(layer, "Load" | "Store");
            assert!(!is_move || !place.contains("TIU"), "{name}: {place} {id} is of {layer}");
        };
        assert_eq!(count(name, &layers, check), expected, "{name}");
    }
}

const ONE_CORE: (usize, usize) = (302, 303);
const BM1684X: (usize, usize) = (250, 250);
const CV184X: (usize, usize) = (339, 341);
const TWO_CORES: (usize, usize) = (433, 471);
