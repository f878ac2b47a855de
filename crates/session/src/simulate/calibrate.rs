//! Constants from the records of dumps.

use std::path::{Path, PathBuf};

use bigtpu_chip::Chip;
use bigtpu_output::{Json, Written};
use bigtpu_simulate::{Calibration, calibrate as fit, samples};
use bigtpu_timeline::{Dump, Profile};

use super::error::SimulateError;
use super::model;
use crate::dumps::open_only;
use crate::note::Say;
use crate::outputs::write_file;
use crate::settings::Session;

/// From which dumps constants are learned.
#[derive(Debug, Clone, Default)]
pub struct CalibrateRequest {
    /// The dumps, of one chip.
    pub dumps: Vec<PathBuf>,
    /// Constants to start from instead of the chip's own: a file.
    pub model: Option<PathBuf>,
    /// File for the constants.
    pub to: Option<PathBuf>,
}

/// Constants of a chip.
#[derive(Debug)]
pub struct Calibrated {
    /// The chip.
    pub chip: &'static Chip,
    /// What was found.
    pub found: Calibration,
    /// The file.
    pub written: Option<Written>,
}

/// Fits the constants of a chip to the records of dumps; `None` without dumps.
///
/// # Errors
/// [`SimulateError`] when a dump can't be read, or nothing can be learned from them.
pub fn calibrate(
    request: &CalibrateRequest,
    say: Say<'_>,
) -> Result<Option<Calibrated>, SimulateError> {
    let session = Session::default();
    let open = |path: &PathBuf| open_only(path, &session, say);
    let dumps: Vec<Dump> = request.dumps.iter().map(open).collect::<Result<_, _>>()?;
    let Some(first) = dumps.first() else { return Ok(None) };
    let of = |dump: &Dump| (dump.root.clone(), dump.chip.name);
    if let Some(other) = dumps.iter().find(|dump| dump.chip.name != first.chip.name) {
        return Err(SimulateError::Chips { dumps: [of(first), of(other)] });
    }
    let profiles: Vec<Profile<'_>> = dumps.iter().map(|dump| session.profile(dump)).collect();
    let all: Vec<_> = profiles.iter().flat_map(samples).collect();
    if all.is_empty() {
        return Err(SimulateError::NoRecords(first.root.clone()));
    }
    let found = fit(&model(request.model.as_deref(), first.chip)?, &all);
    let written = request.to.as_deref().map(|file: &Path| -> Result<_, SimulateError> {
        let text = serde_json::to_string_pretty(&found.model.to_json())? + "\n";
        Ok(write_file(file, &Json::in_file(&text))?)
    });
    let written = written.transpose()?;
    Ok(Some(Calibrated { chip: first.chip, found, written }))
}
