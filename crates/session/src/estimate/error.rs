//! Why nothing can be estimated.

use bigtpu_messages::{ForeignReason as _, Message, error_message};
use std::path::{Path, PathBuf};

use bigtpu_chip::NoSuchChip;
use bigtpu_machine::ResolveError;
use bigtpu_model::ModelError;
use bigtpu_model::costs::CostsError;
use bigtpu_model::graph::GraphError;
use bigtpu_model::llm::LlmError;
use bigtpu_output::OutputError;
use bigtpu_predict::NoLinks;
use bigtpu_predict::estimate::llm::UnknownLink as UnknownChipLink;
use bigtpu_predict::estimate::{AcrossError, EstimateError};
use bigtpu_replay::{ChangeError, Refusal};

use super::rows::RowsError;
use crate::Unreadable;
use crate::costs::MeasureError;
use crate::dumps::DumpsError;
use crate::sizes::SizeError;
use crate::unused::Unused;
use crate::whatif::UnknownLinks;

/// Why nothing can be estimated.
#[derive(Debug, thiserror::Error)]
pub enum EstimateFailure {
    /// A model, or the description of a language model, can't be read.
    #[error(transparent)]
    Unreadable(#[from] Unreadable),
    /// An option without effect.
    #[error(transparent)]
    Unused(#[from] Unused),
    /// A gzipped model is damaged, or unpacks to too much.
    #[error("{}", error_message!("error-estimate-gzip", path = path.display(), reason = source.reason()))]
    Gzip {
        /// Its file.
        path: PathBuf,
        /// Where it is.
        source: std::io::Error,
    },
    /// A model can't be used.
    #[error("{}", error_message!("error-in-file", path = path.display(), source))]
    Model {
        /// Its file.
        path: PathBuf,
        /// Why.
        source: Box<ModelFileError>,
    },
    /// A measured run can't be used.
    #[error("{}", error_message!("error-in-file", path = path.display(), source))]
    Run {
        /// The dump, or the file of costs.
        path: PathBuf,
        /// Why.
        source: MeasuredRunError,
    },
    /// A list of measured rows can't be used.
    #[error("{}", error_message!("error-in-file", path = path.display(), source))]
    Rows {
        /// Its file.
        path: PathBuf,
        /// Why.
        source: RowsError,
    },
    /// Rows of networks say nothing of a language model, and a dump nothing of a network's other chips.
    #[error("{}", error_message!("error-estimate-calibration", wanted))]
    Calibration {
        /// What it takes.
        wanted: Message,
    },
    /// A language model can't be used so.
    #[error("{}", error_message!("error-in-file", path = path.display(), source))]
    Llm {
        /// Its file.
        path: PathBuf,
        /// Why.
        source: LlmError,
    },
    /// The type of a language model's elements is not known.
    #[error("{}", error_message!("error-estimate-no-type", path = .0.display()))]
    NoType(PathBuf),
    /// Options of models for a measured run.
    #[error("{}", error_message!("error-estimate-for-models"))]
    ForModels,
    /// Nothing says where it runs.
    #[error("{}", error_message!("error-estimate-no-target"))]
    NoTarget,
    /// A text is no part of a mapping.
    #[error("{}", error_message!("error-estimate-mapping", value = .0))]
    Mapping(String),
    /// A mapping of nothing.
    #[error("{}", error_message!("error-estimate-unmatched", key, known))]
    Unmatched {
        /// The context or class.
        key: String,
        /// What there is.
        known: String,
    },
    /// A last layer that is not there.
    #[error("{}", error_message!("error-estimate-no-layer", layer, known))]
    NoLayer {
        /// The layer.
        layer: String,
        /// What there is.
        known: String,
    },
    /// A machine without the bandwidth of its memory.
    #[error("{}", error_message!("error-estimate-no-bandwidth", value = .0))]
    NoBandwidth(String),
    /// Links that are none.
    #[error(transparent)]
    Links(#[from] NoLinks),
    /// A dump from which no efficiency can be learned.
    #[error("{}", error_message!("error-estimate-nothing-measured", path = .0.display()))]
    NothingMeasured(PathBuf),
    /// A machine is not known.
    #[error(transparent)]
    Machine(#[from] ResolveError),
    /// A model's numbers can't be used.
    #[error(transparent)]
    Estimate(#[from] EstimateError),
    /// The bandwidth of links that a split uses is not known.
    #[error(transparent)]
    ChipLink(#[from] UnknownChipLink),
    /// The bandwidth of links that the run uses is not known.
    #[error(transparent)]
    Link(#[from] UnknownLinks),
    /// A run can't be predicted.
    #[error(transparent)]
    Refusal(#[from] Refusal),
    /// A run can't be predicted for a machine.
    #[error(transparent)]
    Change(#[from] ChangeError),
    /// A dump can't be opened.
    #[error(transparent)]
    Dumps(#[from] DumpsError),
    /// A file can't be written.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// The result can't be made.
    #[error("{}", .0.reason())]
    Json(#[from] serde_json::Error),
}

impl EstimateFailure {
    /// What makes the error of a run of what is wrong with it.
    pub(super) fn run<E: Into<MeasuredRunError>>(path: &Path) -> impl Fn(E) -> Self {
        let path = path.to_owned();
        move |source| Self::Run { path: path.clone(), source: source.into() }
    }
}

/// Why a file is no model that can be used.
#[derive(Debug, thiserror::Error)]
pub enum ModelFileError {
    /// The file is a compiled model.
    #[error("{}", error_message!("error-estimate-compiled"))]
    Compiled,
    /// The file is not a text.
    #[error("{}", error_message!("error-estimate-no-text"))]
    NoText,
    /// The .ff file is not a text.
    #[error("{}", error_message!("error-estimate-no-ff"))]
    NoFf,
    /// The file is no JSON.
    #[error("{}", error_message!("error-estimate-no-json", reason = .0.reason()))]
    NoJson(serde_json::Error),
    /// A text of the options says no size.
    #[error(transparent)]
    Size(#[from] SizeError),
    /// Its graph can't be used.
    #[error(transparent)]
    Graph(#[from] GraphError),
    /// Its operators can't be used.
    #[error(transparent)]
    Model(#[from] ModelError),
}

/// Why a measured run can't be used.
#[derive(Debug, thiserror::Error)]
pub enum MeasuredRunError {
    /// The run names no chip.
    #[error("{}", error_message!("error-estimate-no-chip"))]
    NoChip,
    /// Its chip is not known.
    #[error(transparent)]
    Chip(#[from] NoSuchChip),
    /// The run has no parts.
    #[error(transparent)]
    Measure(#[from] MeasureError),
    /// Its parts can't be used.
    #[error(transparent)]
    Costs(#[from] CostsError),
    /// Something of one of the machines is not known.
    #[error(transparent)]
    Across(#[from] AcrossError),
}
