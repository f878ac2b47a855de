//! Why a run with changes can't be predicted.

use bigtpu_host_trace::TraceError;
use bigtpu_machine::ResolveError;
use bigtpu_messages::{ForeignReason as _, error_message};
use bigtpu_output::OutputError;
use bigtpu_predict::estimate::AcrossError;
use bigtpu_replay::{ChangeError, Refusal};

use super::changes::UnknownLinks;
use crate::dumps::DumpsError;

/// Why a run with changes can't be predicted.
#[derive(Debug, thiserror::Error)]
pub enum WhatifError {
    /// A cache without a bandwidth, on a chip without the memory whose bandwidth it would have.
    #[error("{}", error_message!("error-whatif-no-l2m", mib, chip))]
    NoL2m {
        /// Its size.
        mib: f64,
        /// The chip.
        chip: &'static str,
    },
    /// No load shows what it loads.
    #[error("{}", error_message!("error-whatif-no-loads", value = .0))]
    NoLoads(String),
    /// No command shows its fields.
    #[error("{}", error_message!("error-whatif-no-bits", value = .0))]
    NoBits(String),
    /// The chips have different commands.
    #[error("{}", error_message!("error-whatif-other-family", chip, own))]
    OtherFamily {
        /// The other chip.
        chip: &'static str,
        /// The run's chip.
        own: &'static str,
    },
    /// A command is another one on the other chip.
    #[error("{}", error_message!("error-whatif-other-bits", chip, operation, own))]
    OtherBits {
        /// The other chip.
        chip: &'static str,
        /// The command's operation.
        operation: String,
        /// The run's chip.
        own: &'static str,
    },
    /// Something of one of the machines is not known.
    #[error("{}", error_message!("error-whatif-hardware", value = .0))]
    Hardware(AcrossError),
    /// The machine is not known.
    #[error(transparent)]
    Machine(#[from] ResolveError),
    /// The bandwidth of links that the run uses is not known.
    #[error(transparent)]
    Link(#[from] UnknownLinks),
    /// Nothing can be predicted from this run.
    #[error(transparent)]
    Refusal(#[from] Refusal),
    /// A change has no effect on this run.
    #[error(transparent)]
    Change(#[from] ChangeError),
    /// The dump can't be opened.
    #[error(transparent)]
    Dumps(#[from] DumpsError),
    /// The host trace can't be read.
    #[error(transparent)]
    Host(#[from] TraceError),
    /// A file can't be written.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// The answer can't be made.
    #[error("{}", .0.reason())]
    Json(#[from] serde_json::Error),
}
