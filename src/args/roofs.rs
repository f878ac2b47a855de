//! Roofs of a chip that replace those of the chip facts: the same for one dump, many, and a comparison.

use std::path::PathBuf;

use crate::exit::failed;
use anyhow::Result;
use bigtpu_format::{MOST_SETTINGS, read_given_text};
use bigtpu_machine::Overrides;
use bigtpu_messages::{ForeignReason as _, Message, message};

/// Which roofs replace those of the chip facts.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct Roofs {
    /// Peaks and bandwidths that replace those of the chip, as JSON or YAML: see docs/analysis.md
    #[arg(long, value_name = "FILE")]
    hw: Option<PathBuf>,
}

impl Roofs {
    /// Reads the file; without one, nothing is replaced.
    pub(crate) fn read(&self) -> Result<Overrides> {
        let Some(path) = &self.hw else { return Ok(Overrides::default()) };
        let name = path.display().to_string();
        let text = read_given_text(path, MOST_SETTINGS).map_err(|error| {
            failed(message!("error-hw-unreadable", path = name.clone(), reason = error.reason()))
        })?;
        Overrides::parse(&text).map_err(|error| {
            let reason = Message::displayed(&error);
            failed(message!("error-hw-invalid", path = name.clone(), reason = reason))
        })
    }
}
