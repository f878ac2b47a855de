//! Dumps that are written instead of measured, and their compiled commands as files.

mod compiled;

use bigtpu_messages::error_message;
use std::path::{Path, PathBuf};

use bigtpu_output::{OutputError, Written};
use bigtpu_synth::{ClusterOptions, Options};

use crate::dumps::DumpsError;
use crate::note::Say;

/// What is to be written.
#[derive(Debug)]
pub struct Request<'a> {
    /// A dump, or the dumps of connected devices.
    pub what: What,
    /// Directory for the dump; new or empty.
    pub out: &'a Path,
    /// Also the run's compiled commands as a `.bmodel`.
    pub bmodel: Option<&'a Path>,
    /// Also the run's compiled commands as command files of the CModel, in this directory.
    pub cmodel: Option<&'a Path>,
}

/// What a synthetic run is of.
#[derive(Debug)]
pub enum What {
    /// One device.
    Dump(Box<Options>),
    /// Connected devices.
    Cluster(Box<ClusterOptions>),
}

/// What was written.
#[derive(Debug)]
pub struct Synthetic {
    /// Files of the dump, or of all dumps.
    pub files: usize,
    /// Their size in bytes.
    pub bytes: u64,
    /// The files of compiled commands.
    pub compiled: Vec<Written>,
}

/// Why nothing, or not everything, was written.
#[derive(Debug, thiserror::Error)]
pub enum SynthError {
    /// The dump can't be written.
    #[error(transparent)]
    Write(#[from] bigtpu_synth::Error),
    /// The dump that was written can't be opened.
    #[error(transparent)]
    Dumps(#[from] DumpsError),
    /// The dump has no compiled commands.
    #[error("{}", error_message!("error-synthetic-not-compiled", path = .0.display()))]
    NotCompiled(PathBuf),
    /// A file can't be written.
    #[error(transparent)]
    Output(#[from] OutputError),
}

/// Writes the dump, and the files of its compiled commands.
///
/// # Errors
/// [`SynthError`]; where only the compiled commands fail, the dump is there.
pub fn write(request: &Request<'_>, say: Say<'_>) -> Result<Synthetic, SynthError> {
    let written = match &request.what {
        What::Dump(options) => bigtpu_synth::write(options, request.out)?,
        What::Cluster(options) => bigtpu_synth::write_cluster(options, request.out)?,
    };
    let compiled = compiled::write(request, say)?;
    Ok(Synthetic { files: written.files, bytes: written.bytes, compiled })
}
