//! Why commands can't be simulated.

use bigtpu_messages::{ForeignReason as _, Message, error_message, message};
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
    #[error("{}", error_message!("error-in-file", path = path.display(), source = source.reason()))]
    Read {
        /// The file or directory.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// The input is of no kind that is known.
    #[error("{}", error_message!("error-simulate-no-input", path = .0.display()))]
    NoInput(PathBuf),
    /// A compiled model can't be used.
    #[error("{}", error_message!("error-in-file", path = path.display(), source))]
    Model {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: CompiledModelError,
    },
    /// The commands of a compiled model can't be read.
    #[error("{}", error_message!("error-in-file", path = path.display(), source))]
    Commands {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: ReadError,
    },
    /// The commands of command files can't be read.
    #[error("{}", core_file(error_message!("error-simulate-core-file", path = path.display(), core, source), others.as_ref()))]
    CoreFile {
        /// The file or directory.
        path: PathBuf,
        /// Whose commands they are.
        core: u32,
        /// What is wrong with them.
        source: Box<ReadError>,
        /// Which chips' commands they could be.
        others: Option<Message>,
    },
    /// Command files without a chip.
    #[error("{}", error_message!("error-simulate-no-chip", path = .0.display()))]
    NoChip(PathBuf),
    /// Command files of several runs.
    #[error("{}", error_message!("error-simulate-labels", path = path.display(), count = labels.len(), labels = labels.join(", ")))]
    Labels {
        /// The directory.
        path: PathBuf,
        /// The runs.
        labels: Vec<String>,
    },
    /// A file is of a core that no chip has.
    #[error("{}", error_message!("error-simulate-core", path = path.display(), core))]
    Core {
        /// The file.
        path: PathBuf,
        /// The core.
        core: u32,
    },
    /// A dump has no net, and its own chip.
    #[error("{}", error_message!("error-simulate-of-dump", path = .0.display()))]
    OfDump(PathBuf),
    /// The commands have no time line.
    #[error("{}", error_message!("error-in-file", path = path.display(), source))]
    Simulate {
        /// The input.
        path: PathBuf,
        /// Why.
        source: Error,
    },
    /// A file has no constants.
    #[error("{}", error_message!("error-in-file", path = path.display(), source))]
    NoModel {
        /// The file.
        path: PathBuf,
        /// Why.
        source: NoModel,
    },
    /// A file has the constants of another chip.
    #[error("{}", error_message!("error-simulate-other-chip", path = path.display(), model, chip))]
    OtherChip {
        /// The file.
        path: PathBuf,
        /// Its chip.
        model: &'static str,
        /// The commands' chip.
        chip: &'static str,
    },
    /// Dumps of several chips.
    #[error("{}", error_message!("error-simulate-chips", first = dumps[1].0.display(), first_chip = dumps[1].1, second = dumps[0].0.display(), second_chip = dumps[0].1))]
    Chips {
        /// Two dumps with their chips.
        dumps: [(PathBuf, &'static str); 2],
    },
    /// Dumps from which nothing can be learned.
    #[error("{}", error_message!("error-simulate-no-records", path = .0.display()))]
    NoRecords(PathBuf),
    /// A dump can't be opened.
    #[error(transparent)]
    Dumps(#[from] DumpsError),
    /// A file can't be written.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// The answer can't be made.
    #[error("{}", .0.reason())]
    Json(#[from] serde_json::Error),
}

impl SimulateError {
    /// What makes the error of a file of what the system says.
    pub(super) fn read(path: &Path) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.to_owned();
        |source| Self::Read { path, source }
    }

    /// Returns what makes the error of a file from the error of its simulation.
    pub(super) fn simulate(path: &Path) -> impl FnOnce(Error) -> Self {
        let path = path.to_owned();
        |source| Self::Simulate { path, source }
    }
}

/// Why a compiled model can't be used.
#[derive(Debug, thiserror::Error)]
pub enum CompiledModelError {
    /// The model can't be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// Its chip is not known.
    #[error("{}", error_message!("error-simulate-chip", value = .0))]
    Chip(NoSuchChip),
    /// A chip of this program is missing.
    #[error(transparent)]
    OwnChip(NoSuchChip),
    /// The model has no such net.
    #[error("{}", error_message!("error-simulate-net", asked = format_args!("{:?}", asked), known))]
    Net {
        /// The net.
        asked: String,
        /// Its nets.
        known: String,
    },
    /// A net has no such stage.
    #[error("{}", error_message!("error-simulate-stage", net = format_args!("{:?}", net), stages, stage))]
    Stage {
        /// The net.
        net: String,
        /// Its stages.
        stages: usize,
        /// The stage.
        stage: usize,
    },
    /// The model has nothing that a chip runs.
    #[error("{}", error_message!("error-simulate-nothing-compiled"))]
    NothingCompiled,
}

/// An error of command files, with the chips whose commands they could be.
fn core_file(error: Message, others: Option<&Message>) -> Message {
    match others {
        Some(chips) => message!("error-simulate-other-chips", error = error, chips = chips.clone()),
        None => error,
    }
}
