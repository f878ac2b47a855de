//! Commands are the same in a dump, in a `.bmodel` and in command files.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::path::{Path, PathBuf};

use bigtpu_chip::{Chip, Engine};
use bigtpu_command_cost::CostModel;
use bigtpu_simulate::compiled::{Bmodel, CommandFile, Subnet};
use bigtpu_simulate::{
    CommandTimes, CoreFile, Program, program_of_dump, program_of_files, program_of_subnets,
    simulate,
};
use bigtpu_synth::flat::{FlatTable, FlatValue, container};
use bigtpu_timeline::{BuildOptions, Clocks, Dump, Profile};

const DUMPS: [(&str, &str); 4] = [
    ("bmprofile_data-1_bm1684x", "BM1684X"),
    ("bmprofile_data-1_bm1688", "BM1688"),
    ("bmprofile_data_bm1688_2core", "CV186X"),
    ("bmprofile_data-1_cv184x", "CV184X"),
];

fn real(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/real").join(name)
}

/// The command files of libsophon: core, engine, bytes.
fn command_files(dump: &Path) -> Vec<(u32, Engine, Vec<u8>)> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(dump).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let parts: Vec<&str> = name.split('_').collect();
        let ["cmd", _, core, engine] = parts[..] else { continue };
        let engine = if engine == "0" { Engine::Tiu } else { Engine::Gdma };
        found.push((core.parse().unwrap(), engine, std::fs::read(path).unwrap()));
    }
    found.sort_by_key(|(core, engine, _)| (*core, *engine));
    found
}

/// A model of these commands; `is_old` as older compilers write those of one core.
fn model(chip: &'static str, files: &[(u32, Engine, Vec<u8>)], is_old: bool) -> Vec<u8> {
    let mut binary = Vec::new();
    let mut cores: Vec<Vec<(usize, FlatValue)>> = Vec::new();
    for (core, engine, bytes) in files {
        if cores.len() <= *core as usize {
            cores.push(Vec::new());
        }
        let id = if *engine == Engine::Tiu { 2 } else { 3 };
        cores[*core as usize]
            .push((id, FlatValue::Binary(binary.len() as u64, bytes.len() as u64)));
        binary.extend(bytes);
    }
    let groups: Vec<FlatTable> = cores.into_iter().map(FlatTable).collect();
    let stage = if is_old {
        FlatTable(vec![(8, FlatValue::Tables(groups))])
    } else {
        let core = |group| FlatTable(vec![(0, FlatValue::Tables(vec![group]))]);
        let commands = groups.into_iter().map(core).collect();
        let on_host = FlatTable(vec![(0, FlatValue::Number(1))]);
        let on_tpu = FlatTable(vec![(0, FlatValue::Number(0)), (14, FlatValue::Tables(commands))]);
        FlatTable(vec![(12, FlatValue::Tables(vec![on_host, on_tpu]))])
    };
    let net = FlatTable(vec![
        (0, FlatValue::Text("net".to_owned())),
        (3, FlatValue::Tables(vec![stage])),
    ]);
    container(
        &FlatTable(vec![(3, FlatValue::Text(chip.to_owned())), (4, FlatValue::Tables(vec![net]))]),
        &binary,
    )
}

fn times(program: Program<'_>) -> CommandTimes {
    let model = CostModel::compiled_in(program.chip);
    simulate(program, &model).unwrap().times
}

fn of_dump(name: &str) -> (CommandTimes, Clocks, &'static Chip) {
    let dump = Dump::open(&real(name)).unwrap();
    let profile = Profile::build(&dump, &BuildOptions::default());
    (times(program_of_dump(&dump, &profile).unwrap()), profile.clocks, dump.chip)
}

#[test]
fn a_dump_its_bmodel_and_its_command_files_take_the_same_time() {
    for (name, chip_name) in DUMPS {
        let (expected, clocks, chip) = of_dump(name);
        let commands = command_files(&real(name));
        let is_of_one_core = commands.iter().all(|(core, ..)| *core == 0);
        for is_old in [false, true].into_iter().filter(|is_old| !is_old || is_of_one_core) {
            let file = model(chip_name, &commands, is_old);
            let read = Bmodel::read(&file).unwrap();
            assert_eq!((read.chip.as_str(), read.nets[0].name.as_str()), (chip_name, "net"));
            let subnets: &[Subnet] = &read.nets[0].stages[0].subnets;
            let program = program_of_subnets(chip, clocks, &file, subnets, Path::new("m")).unwrap();
            assert_eq!(program.notes.len(), usize::from(!is_old), "{name}");
            assert!(times(program) == expected, "{name} as a model, old: {is_old}");
        }
        let mut buffers: Vec<Vec<u8>> = Vec::new();
        let mut files = Vec::new();
        for (core, engine, bytes) in &commands {
            let extension = if *engine == Engine::Tiu { "BD" } else { "GDMA" };
            let name = CommandFile::of_name(&format!("run-0-0.{extension}.{core}")).unwrap();
            if buffers.len() <= *core as usize {
                buffers.push(Vec::new());
            }
            let buffer = &mut buffers[*core as usize];
            let start = buffer.len();
            buffer.extend(bytes);
            files.push(CoreFile { name, range: start..buffer.len() });
        }
        let program = program_of_files(chip, clocks, &buffers, &files, Path::new("m")).unwrap();
        assert!(times(program) == expected, "{name} as command files");
    }
}

#[test]
fn a_cut_or_changed_model_ends_with_a_sentence() {
    let (name, chip) = DUMPS[1];
    let commands = command_files(&real(name));
    let file = model(chip, &commands, false);
    let chip = Chip::find(chip).unwrap();
    let clocks = Clocks::of_chip(chip, None);
    let try_all = |file: &[u8]| {
        let model = Bmodel::read(file).map_err(|error| error.to_string())?;
        for stage in model.nets.iter().flat_map(|net| &net.stages) {
            program_of_subnets(chip, clocks, file, &stage.subnets, Path::new("m"))
                .map_err(|e| e.to_string())?;
        }
        Ok::<_, String>(())
    };
    for length in (0..file.len()).step_by(997) {
        let error = try_all(&file[..length]).unwrap_err();
        assert!(error.contains("truncated"), "{length}: {error}");
    }
    for at in (0..1200).step_by(3) {
        let mut changed = file.clone();
        changed[at] ^= 0x55;
        let _ = try_all(&changed);
    }
}

#[test]
fn missing_commands_are_an_error_that_names_them() {
    let (name, chip) = DUMPS[1];
    let commands = command_files(&real(name));
    let chip = Chip::find(chip).unwrap();
    // Without the GDMA's commands the TIU waits for what never comes.
    let buffers = vec![commands[0].2.clone()];
    let name = CommandFile::of_name("run-0-0.BD.0").unwrap();
    let files = [CoreFile { name, range: 0..buffers[0].len() }];
    let clocks = Clocks::of_chip(chip, None);
    let program = program_of_files(chip, clocks, &buffers, &files, Path::new("m")).unwrap();
    let error = simulate(program, &CostModel::compiled_in(chip)).unwrap_err().to_string();
    assert!(
        error.contains("core 0 TIU: command") && error.contains("waits for command"),
        "{error}"
    );
}

/// An Add of 1024x1024 FP16 on a core of a BM1690 board: in tiles of 32x128 it takes 632 us (mean of 20 samples), of 128x1024 121 us, in one
/// 115 us, a launch of 22 us included. Its commands are issued word by word, and its bytes are held to the core's part of the DDR.
#[test]
fn an_add_issued_word_by_word_takes_what_it_took_on_the_board() {
    let chip = Chip::find("BM1690").unwrap();
    for (tiles, measured, error) in [(256, 632.0, 0.01), (8, 121.0, 0.07), (1, 115.0, 0.04)] {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/simulate");
        let root =
            root.join(if tiles == 1 { "add-1-tile".into() } else { format!("add-{tiles}-tiles") });
        let of_name = |name: &str| {
            let bytes = std::fs::read(root.join(name)).unwrap();
            (CommandFile::of_name(name).unwrap(), bytes)
        };
        let (mut buffer, mut files) = (Vec::new(), Vec::new());
        for (name, bytes) in ["add-0-0.BD.0", "add-0-0.GDMA.0"].map(of_name) {
            let start = buffer.len();
            buffer.extend(bytes);
            files.push(CoreFile { name, range: start..buffer.len() });
        }
        let (buffers, clocks) = (vec![buffer], Clocks::of_chip(chip, None));
        let program = program_of_files(chip, clocks, &buffers, &files, Path::new("m")).unwrap();
        let simulation = simulate(program, &CostModel::compiled_in(chip)).unwrap();
        let us = simulation.total() as f64 / 1e6;
        assert!(((us + 22.0) / measured - 1.0).abs() < error, "{tiles}: {us}");
        assert_eq!(simulation.dispatch().unwrap().commands, 4 * tiles);
    }
}
