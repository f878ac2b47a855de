//! Why nothing can be searched.

use bigtpu_messages::{ForeignReason as _, error_message};
use std::path::{Path, PathBuf};

use bigtpu_machine::{InterconnectError, ResolveError, UnknownDataType};
use bigtpu_model::costs::CostsError;
use bigtpu_model::graph::GraphError;
use bigtpu_output::OutputError;
use bigtpu_predict::NoLinks;
use bigtpu_predict::pipeline::PipelineError;
use bigtpu_predict::search::StrategyError;

use crate::Unreadable;
use crate::sizes::SizeError;
use crate::unused::Unused;

/// Why nothing can be searched.
#[derive(Debug, thiserror::Error)]
pub enum SearchFailure {
    /// A file can't be read.
    #[error(transparent)]
    Unreadable(#[from] Unreadable),
    /// An option without effect.
    #[error(transparent)]
    Unused(#[from] Unused),
    /// A file can't be used.
    #[error("{}", error_message!("error-in-file", path = path.display(), source))]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        source: Box<FileProblem>,
    },
    /// A graph names no machine.
    #[error("{}", error_message!("error-search-no-machine-of-graph", path = .0.display()))]
    NoMachineOfGraph(PathBuf),
    /// Rules of another program for a graph that it can't have.
    #[error("{}", error_message!("error-search-no-costs", path = .0.display()))]
    NoCosts(PathBuf),
    /// No number, or a negative one.
    #[error("{}", error_message!("error-search-alpha", value = .0))]
    Alpha(f64),
    /// Nothing to start from.
    #[error("{}", error_message!("error-search-no-start"))]
    NoStart,
    /// The memory of a device is not known.
    #[error("{}", error_message!("error-search-no-memory", value = .0))]
    NoMemory(String),
    /// A device is not known.
    #[error("{}", error_message!("error-search-device", value = .0))]
    Device(ResolveError),
    /// A device without roofs.
    #[error("{}", error_message!("error-search-no-roofs", value = .0))]
    NoRoofs(String),
    /// Nothing says which machine.
    #[error("{}", error_message!("error-search-no-machine"))]
    NoMachine,
    /// A machine of too many devices, or of none.
    #[error("{}", error_message!("error-search-devices", text, most))]
    Devices {
        /// The machine.
        text: String,
        /// The limit.
        most: u32,
    },
    /// Links that are none.
    #[error(transparent)]
    Links(#[from] NoLinks),
    /// Links that are not known.
    #[error("{}", error_message!("error-search-unknown-links", machine, of))]
    UnknownLinks {
        /// The machine.
        machine: String,
        /// Its devices.
        of: String,
    },
    /// A machine's file can't be used.
    #[error("{}", error_message!("error-search-machine", text, source))]
    Machine {
        /// The file.
        text: String,
        /// Why.
        source: InterconnectError,
    },
    /// A text of the options says no size.
    #[error(transparent)]
    Size(#[from] SizeError),
    /// A chain can't be shown as a pipeline.
    #[error(transparent)]
    Pipeline(#[from] PipelineError),
    /// A file can't be written.
    #[error(transparent)]
    Output(#[from] OutputError),
}

/// Why a file can't be used.
#[derive(Debug, thiserror::Error)]
pub enum FileProblem {
    /// The file is of no known kind.
    #[error("{}", error_message!("error-search-no-json", reason = .0.reason()))]
    NoJson(serde_json::Error),
    /// Its graph can't be used.
    #[error(transparent)]
    Graph(#[from] GraphError),
    /// Its measured parts can't be used.
    #[error(transparent)]
    Costs(#[from] CostsError),
    /// Its operators, or a strategy for them, can't be used.
    #[error(transparent)]
    Strategy(#[from] StrategyError),
    /// The type of elements is not known.
    #[error("{}", error_message!("error-search-data-type", text, source))]
    DataType {
        /// The type.
        text: String,
        /// Why.
        source: UnknownDataType,
    },
    /// More measured parts than are searched.
    #[error("{}", error_message!("error-search-too-many-parts", parts, most))]
    TooManyParts {
        /// Parts.
        parts: usize,
        /// The limit.
        most: usize,
    },
    /// Nothing says how much is handed on.
    #[error("{}", error_message!("error-search-no-handed-bytes"))]
    NoHandedBytes,
    /// Nothing says how much memory is needed.
    #[error("{}", error_message!("error-search-no-needs"))]
    NoNeeds,
    /// Nothing says how much memory there is.
    #[error("{}", error_message!("error-search-no-device-memory"))]
    NoMemory,
    /// No plan fits.
    #[error("{}", error_message!("error-search-no-plan", value = .0))]
    NoPlan(u32),
}

impl SearchFailure {
    /// What makes the error of a file of what is wrong with it.
    pub(super) fn file<E: Into<FileProblem>>(path: &Path) -> impl Fn(E) -> Self {
        let path = path.to_owned();
        move |source| Self::File { path: path.clone(), source: Box::new(source.into()) }
    }
}
