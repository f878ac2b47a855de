//! Why costs can't be measured.

use bigtpu_host_trace::TraceError;
use bigtpu_machine::ResolveError;
use bigtpu_messages::{ForeignReason as _, error_message};
use bigtpu_output::OutputError;

use super::measure::MeasureError;
use crate::dumps::DumpsError;
use crate::unused::Unused;

/// Why costs can't be measured.
#[derive(Debug, thiserror::Error)]
pub enum CostsRunError {
    /// An option without effect.
    #[error(transparent)]
    Unused(#[from] Unused),
    /// Nothing is left after the first executions.
    #[error("{}", error_message!("error-costs-all-dropped", value = .0))]
    AllDropped(u64),
    /// A dump has no parts that could be measured.
    #[error("{}", error_message!("error-in-file", path = dump, source))]
    Measure {
        /// The dump.
        dump: String,
        /// Why.
        source: MeasureError,
    },
    /// The machine is not known.
    #[error(transparent)]
    Machine(#[from] ResolveError),
    /// A dump can't be opened.
    #[error(transparent)]
    Dumps(#[from] DumpsError),
    /// The host trace can't be read.
    #[error(transparent)]
    Host(#[from] TraceError),
    /// The file can't be written.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// The result can't be made.
    #[error("{}", .0.reason())]
    Json(#[from] serde_json::Error),
}
