//! What is simulated: a dump, a `.bmodel`, or command files of the CModel.

use bigtpu_messages::{Message, message};
use std::path::{Path, PathBuf};

use bigtpu_chip::{Chip, chips};
use bigtpu_format::{MOST_MODEL, read_found, read_given};
use bigtpu_simulate::compiled::{Bmodel, CommandFile, Subnet, is_bmodel};
use bigtpu_simulate::{CoreFile, Program, program_of_files, program_of_subnets};
use bigtpu_timeline::Clocks;

use super::SimulateRequest;
use super::error::{CompiledModelError, SimulateError};

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
    /// Finds the input of a request: a dump, a `.bmodel` or command files.
    pub(super) fn read(request: &SimulateRequest) -> Result<Self, SimulateError> {
        let input = request.input.as_path();
        if input.is_dir() {
            let files = in_directory(input)?;
            return if files.is_empty() { Ok(Self::Dump) } else { command_files(request, files) };
        }
        let of_name =
            input.file_name().and_then(|name| CommandFile::of_name(&name.to_string_lossy()));
        if let Some(name) = of_name {
            let directory = input.parent().filter(|dir| !dir.as_os_str().is_empty());
            let all = in_directory(directory.unwrap_or(Path::new(".")))?;
            let of_label = all.into_iter().filter(|(_, other)| other.label == name.label);
            return command_files(request, of_label.collect());
        }
        if !input.exists() {
            // Opening the dump says what is wrong.
            return Ok(Self::Dump);
        }
        let file = read_given(input, MOST_MODEL).map_err(SimulateError::read(input))?;
        if !is_bmodel(&file) && input.extension().is_none_or(|extension| extension != "bmodel") {
            return Err(SimulateError::NoInput(input.to_owned()));
        }
        model(request, file)
            .map_err(|source| SimulateError::Model { path: input.to_owned(), source })
    }

    /// The commands; `None` for a dump.
    pub(super) fn program(&self, path: &Path) -> Result<Option<Program<'_>>, SimulateError> {
        match self {
            Self::Dump => Ok(None),
            Self::Model { chip, file, subnets } => {
                let clocks = Clocks::of_chip(chip, None);
                let program = program_of_subnets(chip, clocks, file, subnets, path);
                let path = path.to_owned();
                Ok(Some(program.map_err(|source| SimulateError::Commands { path, source })?))
            }
            Self::Files { chip, buffers, files } => {
                let clocks = Clocks::of_chip(chip, None);
                let program = program_of_files(chip, clocks, buffers, files, path);
                let program = program.map_err(|(name, source)| SimulateError::CoreFile {
                    path: path.to_owned(),
                    core: name.core,
                    source: Box::new(source),
                    others: others(chip, buffers, files, path),
                });
                Ok(Some(program?))
            }
        }
    }
}

/// Which other chips' commands the files could be.
fn others(chip: &Chip, buffers: &[Vec<u8>], files: &[CoreFile], path: &Path) -> Option<Message> {
    let decodes = |other: &&'static Chip| {
        let clocks = Clocks::of_chip(other, None);
        other.name != chip.name && program_of_files(other, clocks, buffers, files, path).is_ok()
    };
    let names = chips().iter().filter(decodes).map(|chip| Message::verbatim(chip.name));
    names.reduce(|first, second| message!("problem-or", first = first, second = second))
}

/// The command files of a directory.
fn in_directory(directory: &Path) -> Result<Vec<(PathBuf, CommandFile)>, SimulateError> {
    let mut found = Vec::new();
    let entries = std::fs::read_dir(directory).map_err(SimulateError::read(directory))?;
    for entry in entries {
        let entry = entry.map_err(SimulateError::read(directory))?;
        if let Some(name) = CommandFile::of_name(&entry.file_name().to_string_lossy()) {
            found.push((entry.path(), name));
        }
    }
    found.sort_by(|a, b| a.1.cmp(&b.1).then_with(|| a.0.cmp(&b.0)));
    Ok(found)
}

fn command_files(
    request: &SimulateRequest,
    found: Vec<(PathBuf, CommandFile)>,
) -> Result<Input, SimulateError> {
    let input = || request.input.clone();
    let Some(chip) = request.chip else {
        return Err(SimulateError::NoChip(input()));
    };
    let mut labels: Vec<&str> = found.iter().map(|(_, name)| name.label.as_str()).collect();
    labels.dedup();
    if labels.len() > 1 {
        let labels = labels.into_iter().map(str::to_owned).collect();
        return Err(SimulateError::Labels { path: input(), labels });
    }
    let mut buffers: Vec<Vec<u8>> = Vec::new();
    let mut files = Vec::new();
    for (path, name) in found {
        if name.core >= MOST_CORES {
            return Err(SimulateError::Core { path, core: name.core });
        }
        let bytes = read_found(&path, MOST_MODEL).map_err(SimulateError::read(&path))?;
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

fn model(request: &SimulateRequest, file: Vec<u8>) -> Result<Input, CompiledModelError> {
    let model = Bmodel::read(&file)?;
    let chip = match (request.chip, model.chip.as_str()) {
        (Some(chip), _) => chip,
        // Its commands are those of BM1688.
        (None, "CV186X") => Chip::find("BM1688").map_err(CompiledModelError::OwnChip)?,
        (None, name) => Chip::find(name).map_err(CompiledModelError::Chip)?,
    };
    let names: Vec<&str> = model.nets.iter().map(|net| net.name.as_str()).collect();
    if let Some(asked) = request.net.as_deref().filter(|asked| !names.contains(asked)) {
        return Err(CompiledModelError::Net { asked: asked.to_owned(), known: names.join(", ") });
    }
    let nets =
        model.nets.iter().filter(|net| request.net.as_ref().is_none_or(|name| *name == net.name));
    let mut subnets = Vec::new();
    for net in nets {
        if let Some(stage) = request.stage.filter(|stage| *stage >= net.stages.len()) {
            let (net, stages) = (net.name.clone(), net.stages.len());
            return Err(CompiledModelError::Stage { net, stages, stage });
        }
        let stages = net.stages.iter().enumerate();
        let chosen =
            stages.filter(|(number, _)| request.stage.is_none_or(|stage| stage == *number));
        subnets.extend(chosen.flat_map(|(_, stage)| stage.subnets.clone()));
    }
    if subnets.iter().all(|subnet| subnet.is_left_out) {
        return Err(CompiledModelError::NothingCompiled);
    }
    Ok(Input::Model { chip, file, subnets })
}
