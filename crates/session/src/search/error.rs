//! Why nothing can be searched.

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
    #[error("{}: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        source: FileProblem,
    },
    /// A graph names no machine.
    #[error("{} names no machine; give one with --machine, such as 2x4", .0.display())]
    NoMachineOfGraph(PathBuf),
    /// Rules of another program for a graph that it can't have.
    #[error(
        "--compat flexflow2018 needs an operator graph with costs (JSON); {} has none",
        .0.display()
    )]
    NoCosts(PathBuf),
    /// No number, or a negative one.
    #[error("--alpha {0} must be a number of at least 0")]
    Alpha(f64),
    /// Nothing to start from.
    #[error("no chain has a start; name one with --starts")]
    NoStart,
    /// The memory of a device is not known.
    #[error(
        "the memory of {0} is not known; give it with --memory, or leave memory out with --ignore-memory"
    )]
    NoMemory(String),
    /// A device is not known.
    #[error("--on: {0}")]
    Device(ResolveError),
    /// A device without roofs.
    #[error("--on {0}: its peak or its memory's bandwidth is not known; name another machine")]
    NoRoofs(String),
    /// Nothing says which machine.
    #[error(
        "the machine is missing; give nodes x devices with --machine, such as 1x4, or a machine file"
    )]
    NoMachine,
    /// A machine of too many devices, or of none.
    #[error("--machine {text}: must have 1 to {most} devices")]
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
    #[error(
        "--machine {machine}: the links between devices of {of} are not known; give their bandwidth with --link-gbps (and --link-latency), or a machine file"
    )]
    UnknownLinks {
        /// The machine.
        machine: String,
        /// Its devices.
        of: String,
    },
    /// A machine's file can't be used.
    #[error("{text}: {source}")]
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
    /// It is of no kind that is known.
    #[error("is neither .ff nor .onnx nor JSON ({0})")]
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
    #[error("--dtype {text}: {source}")]
    DataType {
        /// The type.
        text: String,
        /// Why.
        source: UnknownDataType,
    },
    /// More measured parts than are searched.
    #[error("has {parts} parts; at most {most} are supported")]
    TooManyParts {
        /// Parts.
        parts: usize,
        /// The limit.
        most: usize,
    },
    /// Nothing says how much is handed on.
    #[error(
        "does not say how many bytes its parts hand on, so no communication can be charged; give them with --handed-bytes, or measure layers"
    )]
    NoHandedBytes,
    /// Nothing says how much memory is needed.
    #[error(
        "does not say how much memory its parts need, so no plan can be checked; measure layers, or leave memory out with --ignore-memory"
    )]
    NoNeeds,
    /// Nothing says how much memory there is.
    #[error(
        "the memory of a device is not known; give it with --memory, or leave memory out with --ignore-memory"
    )]
    NoMemory,
    /// No plan fits.
    #[error("no plan fits the memory of {0} devices; give more devices or memory")]
    NoPlan(u32),
}

impl SearchFailure {
    /// What makes the error of a file of what is wrong with it.
    pub(super) fn file<E: Into<FileProblem>>(path: &Path) -> impl Fn(E) -> Self {
        let path = path.to_owned();
        move |source| Self::File { path: path.clone(), source: source.into() }
    }
}
