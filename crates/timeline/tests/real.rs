//! Dumps of real hardware: the compiler's log in `global.profile` names every command, in order, with its dependence and
//! its operation: an independent check of decoding and binding.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use bigtpu_chip::{Engine, Slot};
use bigtpu_timeline::{BuildOptions, Dump, Profile};

fn root(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/real").join(name)
}

/// A line of the log: the other engine's command that must be done, and the type of the operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Logged {
    dependence: u64,
    operation: u64,
}

/// The log's commands by core and engine, in order: the n-th has id n.
fn log(dump: &Path) -> BTreeMap<(u32, Engine), Vec<Logged>> {
    let text = std::fs::read(dump.join("global.profile")).unwrap();
    let text = String::from_utf8_lossy(&text);
    let mut commands: BTreeMap<_, Vec<Logged>> = BTreeMap::new();
    for line in text.lines().filter(|line| line.contains(" cmd_id bd_id=")) {
        let number = |key: &str| -> Option<u64> {
            let (_, rest) = line.split_once(key)?;
            let digits = rest.split(|c: char| !c.is_ascii_digit()).next()?;
            digits.parse().ok()
        };
        let core = number("core=").unwrap_or(0) as u32;
        let (engine, dependence, operation) = match number("bd_func=") {
            Some(function) => (Engine::Tiu, number("gdma_id="), function),
            None => (Engine::Gdma, number("bd_id="), number("gdma_func=").unwrap()),
        };
        let logged = Logged { dependence: dependence.unwrap(), operation };
        commands.entry((core, engine)).or_default().push(logged);
    }
    commands
}

#[test]
fn every_command_is_the_one_that_the_compiler_logged() {
    // The dependence of SYS_TR_ACC (12) is elsewhere in the command; the log shows other bits. It gives end commands (15)
    // none.
    const WITHOUT: [u64; 2] = [12, 15];
    // The command's number; above it is the bit that enables the dependence, which the log shows of TIU commands only.
    const NUMBER: u64 = 0xf_ffff;
    for (name, checked) in [
        ("bmprofile_data-1_bm1688", 302),
        ("bmprofile_data_bm1688_2core", 469),
        ("bmprofile_data-1_bm1684x", 250),
        ("bmprofile_data-1_cv184x", 339),
    ] {
        let dump = Dump::open(&root(name)).unwrap();
        let profile = Profile::build(&dump, &BuildOptions::default());
        let log = log(&root(name));
        let mut compared = 0;
        for track in profile.tracks().filter(|track| !track.events.is_empty()) {
            let place = track.engine_id;
            let logged = &log[&(place.index, place.engine)];
            for i in 0..track.events.len() {
                let id = usize::try_from(track.events.id.value_at(i)).unwrap();
                let command = profile.command(track, i).unwrap();
                // Most logs leave out end commands.
                let Some(&Logged { dependence, operation }) = logged.get(id) else { continue };
                let task = match place.engine {
                    Engine::Tiu => command.get(Slot::Task),
                    _ => command.get(Slot::DmaType),
                };
                assert_eq!(task, operation, "{name}: {place} {id}");
                if place.engine != Engine::Tiu || !WITHOUT.contains(&operation) {
                    let found = command.get(Slot::IdDep) & NUMBER;
                    assert_eq!(found, dependence & NUMBER, "{name}: {place} {id}");
                }
                compared += 1;
            }
        }
        assert_eq!(compared, checked, "{name}");
    }
}

/// What the commands wait for bounds the distance between the clocks of a core's engines. After alignment no time
/// contradicts a dependence; the notes say by how much TIU and GDMA had been apart.
#[test]
fn no_dependence_of_a_real_dump_is_contradicted() {
    for (name, checked, notes) in [
        ("cdm_profile_data_dev0_bm1690", 237, vec![]),
        (
            "bmprofile_data-1_bm1688",
            300,
            vec![
                "176 ns are added to the TIU's times, the lower bound from 300 dependences between their commands (an interval of 19 ns)",
            ],
        ),
        (
            "bmprofile_data_bm1688_2core",
            375,
            vec!["(an interval of 20 ns)", "(an interval of 20 ns)"],
        ),
        ("bmprofile_data-1_bm1684x", 246, vec!["(an interval of 6 ns)"]),
        ("bmprofile_data-1_cv184x", 336, vec![]),
    ] {
        let dump = Dump::open(&root(name)).unwrap();
        let profile = Profile::build(&dump, &BuildOptions::default());
        let said: Vec<String> = profile.ledger.notes.iter().map(ToString::to_string).collect();
        let said: Vec<&String> =
            said.iter().filter(|n| n.contains("start at different times")).collect();
        assert_eq!(said.len(), notes.len(), "{name}: {said:?}");
        for (said, part) in said.iter().zip(notes) {
            assert!(said.contains(part), "{name}: {said}");
        }
        let mut count = 0;
        for core in &profile.cores {
            let [tiu, gdma, _] = &core.tracks;
            for (track, other) in [(tiu, gdma), (gdma, tiu)] {
                for i in 0..track.events.len() {
                    let field = profile.command(track, i).unwrap().get(Slot::IdDep);
                    let number = i64::try_from(field & 0xf_ffff).unwrap();
                    let waited = (0..other.events.len())
                        .find(|&j| other.events.id.value_at(j) + 1 == number);
                    let Some(j) = waited else { continue };
                    count += 1;
                    let slack = track.events.start[i] - other.events.end[j];
                    assert!(slack >= -1, "{name}: {} {i}: {slack} ns", track.engine_id);
                }
            }
        }
        assert_eq!(count, checked, "{name}");
    }
}
