//! All options in a YAML file.

use bigtpu_messages::error_message;
use std::path::Path;

use bigtpu_format::{MOST_SETTINGS, read_given_text};
use bigtpu_predict::pipeline::plan_options;
use serde_json::Value;

use super::PipelineRequest;
use super::error::PipelineFailure;
use crate::Unreadable;

/// Reads the file, see [`plan_options`].
pub(super) fn read(path: &Path) -> Result<PipelineRequest, PipelineFailure> {
    let file = || path.to_owned();
    let text = read_given_text(path, MOST_SETTINGS)
        .map_err(Unreadable::from_io(path, error_message!("problem-give-plan")))?;
    let options =
        plan_options(&text).map_err(|source| PipelineFailure::Plan { path: file(), source })?;
    serde_json::from_value(Value::Object(options))
        .map_err(|source| PipelineFailure::PlanOptions { path: file(), source })
}
