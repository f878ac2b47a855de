//! The five dumps of real hardware: predicted from their commands alone, beside what was measured.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use bigtpu_command_cost::CostModel;
use bigtpu_simulate::{RecordComparison, Simulation, program_of_dump, simulate};
use bigtpu_timeline::{BuildOptions, Dump, Profile};

fn fixtures(folder: &str, name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures").join(folder).join(name)
}

fn with<R>(
    name: &str,
    look: impl FnOnce(&Simulation<'_>, &Profile<'_>, RecordComparison) -> R,
) -> R {
    let dump = Dump::open(&fixtures("real", name)).unwrap();
    let profile = Profile::build(&dump, &BuildOptions::default());
    let program = program_of_dump(&dump, &profile).unwrap();
    let simulation = simulate(program, &CostModel::compiled_in(dump.chip)).unwrap();
    let comparison = RecordComparison::compare(&simulation, &profile);
    look(&simulation, &profile, comparison)
}

const DUMPS: [&str; 5] = [
    "cdm_profile_data_dev0_bm1690",
    "bmprofile_data-1_bm1688",
    "bmprofile_data_bm1688_2core",
    "bmprofile_data-1_bm1684x",
    "bmprofile_data-1_cv184x",
];

/// Predicted and measured us of each core, and TIU commands that are exact, of all.
#[test]
fn the_table_of_the_documentation() {
    type Row = (&'static [(f64, f64)], u64, u64);
    let expected: [Row; 5] = [
        (&[(133.355, 133.159)], 76, 81),
        (&[(302.221, 303.967)], 137, 137),
        (&[(2174.168, 2176.249), (659.525, 660.301)], 288, 305),
        (&[(177.004, 181.177)], 90, 90),
        (&[(1083.033, 1086.356)], 100, 116),
    ];
    for (name, (cores, exact, commands)) in DUMPS.into_iter().zip(expected) {
        with(name, |_, _, comparison| {
            assert_eq!(comparison.cores.len(), cores.len(), "{name}");
            for (core, (predicted, measured)) in comparison.cores.iter().zip(cores) {
                let is_near = |ns: f64, us: f64| (ns / 1000.0 / us - 1.0).abs() < 0.0005;
                assert!(is_near(core.predicted_ns, *predicted), "{name}: {core:?} {predicted}");
                assert!(is_near(core.measured_ns.unwrap(), *measured), "{name}: {core:?}");
            }
            let tiu = &comparison.tiu;
            assert_eq!((tiu.exact, tiu.commands), (exact, commands), "{name}: {tiu:?}");
            assert!(tiu.of_sum.abs() < 0.002, "{name}: {tiu:?}");
        });
    }
}

/// Each command alone takes what the table of another implementation of the rules says.
#[test]
fn every_command_takes_what_the_rules_say() {
    for name in DUMPS {
        let text = std::fs::read_to_string(fixtures("simulate", &format!("{name}.csv"))).unwrap();
        let mut expected: HashMap<(u32, usize, i64), (String, f64)> = HashMap::new();
        for line in text.lines().skip(1) {
            let cells: Vec<&str> = line.split(',').collect();
            let engine = usize::from(cells[1] != "tiu");
            let key = (cells[0].parse().unwrap(), engine, cells[2].parse().unwrap());
            expected.insert(key, (cells[3].to_owned(), cells[4].parse().unwrap()));
        }
        with(name, |simulation, profile, comparison| {
            assert_eq!(comparison.pairs.len(), expected.len(), "{name}");
            for pair in &comparison.pairs {
                let track = &profile.cores[pair.core as usize].tracks[pair.engine];
                let id = track.command_id(pair.measured).unwrap();
                let (operation, cycles) = &expected[&(pair.core, pair.engine, id)];
                let cost =
                    simulation.cost_of(pair.core as usize, pair.engine, pair.simulated).unwrap();
                let first = cost.parts.get(bigtpu_command_cost::TimePart::First);
                let own = (cost.total() - first) as f64 / 1000.0;
                // BM1688's distribution: measured 6 cycles, which the other implementation does not know.
                let is_distribution = operation == "tsbc.s_distribute" && own == 6.0;
                assert!(
                    (own - cycles).abs() < 0.01 || is_distribution,
                    "{name} core {} engine {} command {id} {operation}: {own} instead of {cycles}: {cost:?}",
                    pair.core,
                    pair.engine
                );
            }
        });
    }
}

#[test]
fn a_simulation_is_a_profile_of_all_its_commands() {
    with("bmprofile_data_bm1688_2core", |simulation, measured, _| {
        let profile = simulation.profile();
        assert!(profile.is_simulated && !measured.is_simulated);
        assert_eq!(profile.event_count(), simulation.program.len());
        // Sends and waits of the DMA have no records on BM1688.
        assert!(profile.event_count() > measured.event_count());
        let ends = profile.tracks().flat_map(|track| &track.events.end).max().unwrap();
        assert!((*ends - simulation.total() / 1000).abs() <= 2);
    });
}

/// A dump of dispatched commands can lack some: what waits for them starts all the same, and is counted.
#[test]
fn a_dump_that_lacks_commands_is_simulated_all_the_same() {
    let dump = Dump::open(&fixtures("aks-mode2-sync", "dump")).unwrap();
    let profile = Profile::build(&dump, &BuildOptions::default());
    let program = program_of_dump(&dump, &profile).unwrap();
    let commands = program.len();
    let simulation = simulate(program, &CostModel::compiled_in(dump.chip)).unwrap();
    assert_eq!(simulation.times.iter().flatten().map(Vec::len).sum::<usize>(), commands);
    assert!(simulation.ignored_dependences > 0);
}
