//! Why commands can't be simulated.

use std::path::{Path, PathBuf};

use bigtpu_chip::NoSuchChip;
use bigtpu_command_cost::NoModel;
use bigtpu_output::OutputError;
use bigtpu_simulate::Error;
use bigtpu_simulate::compiled::Error as ReadError;

use crate::dumps::DumpsError;

/// Why commands can't be simulated.
#[derive(Debug, thiserror::Error)]
pub enum SimulateError {
    /// A file or directory can't be read.
    #[error("{}: {source}", path.display())]
    Read {
        /// The file or directory.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// The input is of no kind that is known.
    #[error(
        "{}: is no dump directory, no .bmodel, and its name is not that of a command file (LABEL-LAUNCH-GROUP.BD.CORE)",
        .0.display()
    )]
    NoInput(PathBuf),
    /// A compiled model can't be used.
    #[error("{}: {source}", path.display())]
    Model {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: ModelError,
    },
    /// The commands of a compiled model can't be read.
    #[error("{}: {source}", path.display())]
    Commands {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: ReadError,
    },
    /// The commands of command files can't be read.
    #[error("{}: core {core}: {source}{others}", path.display())]
    CoreFile {
        /// The file or directory.
        path: PathBuf,
        /// Whose commands they are.
        core: u32,
        /// What is wrong with them.
        source: ReadError,
        /// Which chips' commands they could be, in brackets; or nothing.
        others: String,
    },
    /// Command files without a chip.
    #[error(
        "{}: command files do not name their chip: give --chip, such as --chip bm1690",
        .0.display()
    )]
    NoChip(PathBuf),
    /// Command files of several runs.
    #[error(
        "{}: holds command files of {} runs ({}): give one file of the run",
        path.display(),
        labels.len(),
        labels.join(", ")
    )]
    Labels {
        /// The directory.
        path: PathBuf,
        /// The runs.
        labels: Vec<String>,
    },
    /// A file is of a core that no chip has.
    #[error("{}: core {core} is more than any chip has", path.display())]
    Core {
        /// The file.
        path: PathBuf,
        /// The core.
        core: u32,
    },
    /// A dump has no net, and its own chip.
    #[error(
        "{}: --chip, --net and --stage are for command files and .bmodel: a dump names its chip and has one model",
        .0.display()
    )]
    OfDump(PathBuf),
    /// The commands have no time line.
    #[error("{}: {source}", path.display())]
    Simulate {
        /// The input.
        path: PathBuf,
        /// Why.
        source: Error,
    },
    /// A file has no constants.
    #[error("{}: {source}", path.display())]
    NoModel {
        /// The file.
        path: PathBuf,
        /// Why.
        source: NoModel,
    },
    /// A file has the constants of another chip.
    #[error("{}: has constants of {model}, but the commands are {chip}'s", path.display())]
    OtherChip {
        /// The file.
        path: PathBuf,
        /// Its chip.
        model: &'static str,
        /// The commands' chip.
        chip: &'static str,
    },
    /// Dumps of several chips.
    #[error(
        "{}: is of {}, but {} is of {}: calibrate one chip at a time",
        dumps[1].0.display(),
        dumps[1].1,
        dumps[0].0.display(),
        dumps[0].1
    )]
    Chips {
        /// Two dumps with their chips.
        dumps: [(PathBuf, &'static str); 2],
    },
    /// Dumps from which nothing can be learned.
    #[error(
        "{}: no command has both full bits and a record: capture with PMU mode 2 (docs/capture.md)",
        .0.display()
    )]
    NoRecords(PathBuf),
    /// A dump can't be opened.
    #[error(transparent)]
    Dumps(#[from] DumpsError),
    /// A file can't be written.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// The answer can't be made.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
}

impl SimulateError {
    /// What makes the error of a file of what the system says.
    pub(super) fn read(path: &Path) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.to_owned();
        |source| Self::Read { path, source }
    }

    /// The same for the simulation.
    pub(super) fn simulate(path: &Path) -> impl FnOnce(Error) -> Self {
        let path = path.to_owned();
        |source| Self::Simulate { path, source }
    }
}

/// Why a compiled model can't be used.
#[derive(Debug, thiserror::Error)]
pub enum ModelError {
    /// It can't be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// Its chip is not known.
    #[error("{0}; --chip names another")]
    Chip(NoSuchChip),
    /// A chip of this program is missing.
    #[error(transparent)]
    OwnChip(NoSuchChip),
    /// It has no such net.
    #[error("it has no net {asked:?}; its nets are: {known}")]
    Net {
        /// The net.
        asked: String,
        /// Its nets.
        known: String,
    },
    /// A net has no such stage.
    #[error("net {net:?} has {stages} stages, from 0: there is no stage {stage}")]
    Stage {
        /// The net.
        net: String,
        /// Its stages.
        stages: usize,
        /// The stage.
        stage: usize,
    },
    /// It has nothing that a chip runs.
    #[error("it has no compiled commands: all of its subnets run on the host or are dynamic")]
    NothingCompiled,
}
