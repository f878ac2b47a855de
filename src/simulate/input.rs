//! What is simulated: a dump, a `.bmodel`, or command files of the CModel.

use std::path::{Path, PathBuf};

use anyhow::{Error, Result, anyhow, bail};
use bigtpu_chip::{Chip, chips};
use bigtpu_compiled::{Bmodel, CommandFile, Subnet, is_bmodel};
use bigtpu_simulate::{CoreFile, Program, program_of_files, program_of_subnets};
use bigtpu_timeline::Clocks;

use crate::args::simulate::Args;
use crate::args::views::Arch;

/// What is wrong with a file or directory.
pub(super) fn at(path: &Path, error: impl std::fmt::Display) -> Error {
    anyhow!("{}: {error}", path.display())
}

/// More cores than any chip has.
const MOST_CORES: u32 = 4096;

/// What is simulated.
pub(super) enum Input {
    /// A dump.
    Dump,
    /// A `.bmodel`.
    Model {
        /// Its chip.
        chip: &'static Chip,
        /// Its bytes.
        file: Vec<u8>,
        /// The parts that are simulated.
        subnets: Vec<Subnet>,
    },
    /// Command files.
    Files {
        /// Their chip.
        chip: &'static Chip,
        /// The bytes of each core's files.
        buffers: Vec<Vec<u8>>,
        /// Which files are in them.
        files: Vec<CoreFile>,
    },
}

impl Input {
    /// Of the arguments.
    pub(super) fn of(args: &Args) -> Result<Self> {
        let input = args.input();
        if input.is_dir() {
            let files = in_directory(input)?;
            return if files.is_empty() { Ok(Self::Dump) } else { command_files(args, files) };
        }
        let of_name =
            input.file_name().and_then(|name| CommandFile::of_name(&name.to_string_lossy()));
        if let Some(name) = of_name {
            let directory = input.parent().filter(|dir| !dir.as_os_str().is_empty());
            let all = in_directory(directory.unwrap_or(Path::new(".")))?;
            let of_label = all.into_iter().filter(|(_, other)| other.label == name.label);
            return command_files(args, of_label.collect());
        }
        if !input.exists() {
            // Opening the dump says what is wrong.
            return Ok(Self::Dump);
        }
        let file = std::fs::read(input).map_err(|error| at(input, error))?;
        if !is_bmodel(&file) && input.extension().is_none_or(|extension| extension != "bmodel") {
            bail!(
                "{}: is no dump directory, no .bmodel, and its name is not that of a command file (LABEL-LAUNCH-GROUP.BD.CORE)",
                input.display()
            );
        }
        model(args, file).map_err(|error| at(input, error))
    }

    /// The commands; `None` for a dump.
    pub(super) fn program(&self, path: &Path) -> Result<Option<Program<'_>>> {
        match self {
            Self::Dump => Ok(None),
            Self::Model { chip, file, subnets } => {
                let clocks = Clocks::of_chip(chip, None);
                let program = program_of_subnets(chip, clocks, file, subnets, path);
                Ok(Some(program.map_err(|error| at(path, error))?))
            }
            Self::Files { chip, buffers, files } => {
                let clocks = Clocks::of_chip(chip, None);
                let program = program_of_files(chip, clocks, buffers, files, path);
                let program = program.map_err(|(name, error)| {
                    anyhow!(
                        "{}: core {}: {error}{}",
                        path.display(),
                        name.core,
                        others(chip, buffers, files, path)
                    )
                });
                Ok(Some(program?))
            }
        }
    }
}

/// Which other chips' commands the files could be.
fn others(chip: &Chip, buffers: &[Vec<u8>], files: &[CoreFile], path: &Path) -> String {
    let decodes = |other: &&'static Chip| {
        let clocks = Clocks::of_chip(other, None);
        other.name != chip.name && program_of_files(other, clocks, buffers, files, path).is_ok()
    };
    let names: Vec<&str> = chips().iter().filter(decodes).map(|chip| chip.name).collect();
    if names.is_empty() {
        String::new()
    } else {
        format!(" (they decode with --chip {})", names.join(" or "))
    }
}

/// The command files of a directory.
fn in_directory(directory: &Path) -> Result<Vec<(PathBuf, CommandFile)>> {
    let mut found = Vec::new();
    let entries = std::fs::read_dir(directory).map_err(|error| at(directory, error))?;
    for entry in entries {
        let entry = entry.map_err(|error| at(directory, error))?;
        if let Some(name) = CommandFile::of_name(&entry.file_name().to_string_lossy()) {
            found.push((entry.path(), name));
        }
    }
    found.sort_by(|a, b| a.1.cmp(&b.1).then_with(|| a.0.cmp(&b.0)));
    Ok(found)
}

fn command_files(args: &Args, found: Vec<(PathBuf, CommandFile)>) -> Result<Input> {
    let input = args.input().display();
    let Some(chip) = args.chip.map(Arch::chip) else {
        bail!("{input}: command files do not name their chip: give --chip, such as --chip bm1690");
    };
    let mut labels: Vec<&str> = found.iter().map(|(_, name)| name.label.as_str()).collect();
    labels.dedup();
    if labels.len() > 1 {
        bail!(
            "{input}: holds command files of {} runs ({}): give one file of the run",
            labels.len(),
            labels.join(", ")
        );
    }
    let mut buffers: Vec<Vec<u8>> = Vec::new();
    let mut files = Vec::new();
    for (path, name) in found {
        if name.core >= MOST_CORES {
            bail!("{}: core {} is more than any chip has", path.display(), name.core);
        }
        let bytes = std::fs::read(&path).map_err(|error| at(&path, error))?;
        let core = name.core as usize;
        if buffers.len() <= core {
            buffers.resize_with(core + 1, Vec::new);
        }
        if let Some(buffer) = buffers.get_mut(core) {
            let start = buffer.len();
            buffer.extend(bytes);
            files.push(CoreFile { name, range: start..buffer.len() });
        }
    }
    Ok(Input::Files { chip, buffers, files })
}

fn model(args: &Args, file: Vec<u8>) -> Result<Input> {
    let model = Bmodel::read(&file)?;
    let chip = match (args.chip, model.chip.as_str()) {
        (Some(chip), _) => chip.chip(),
        // Its commands are those of BM1688.
        (None, "CV186X") => Chip::find("BM1688")?,
        (None, name) => {
            Chip::find(name).map_err(|error| anyhow!("{error}; --chip names another"))?
        }
    };
    let names: Vec<&str> = model.nets.iter().map(|net| net.name.as_str()).collect();
    if let Some(asked) = args.net.as_deref().filter(|asked| !names.contains(asked)) {
        bail!("it has no net {asked:?}; its nets are: {}", names.join(", "));
    }
    let nets =
        model.nets.iter().filter(|net| args.net.as_ref().is_none_or(|name| *name == net.name));
    let mut subnets = Vec::new();
    for net in nets {
        if let Some(stage) = args.stage.filter(|stage| *stage >= net.stages.len()) {
            bail!(
                "net {:?} has {} stages, from 0: there is no stage {stage}",
                net.name,
                net.stages.len()
            );
        }
        let stages = net.stages.iter().enumerate();
        let chosen = stages.filter(|(number, _)| args.stage.is_none_or(|stage| stage == *number));
        subnets.extend(chosen.flat_map(|(_, stage)| stage.subnets.clone()));
    }
    if subnets.iter().all(|subnet| subnet.is_left_out) {
        bail!("it has no compiled commands: all of its subnets run on the host or are dynamic");
    }
    Ok(Input::Model { chip, file, subnets })
}
