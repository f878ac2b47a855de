//! Starts the builder of the analyzer in one HTML file, a package of its own (`xtask/browser`).

use std::process::Command;

use crate::generated::{Result, repository};

/// Builds `target/browser/bigtpuprofile.html`.
pub(crate) fn build() -> Result<()> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let arguments = ["run", "--quiet", "--locked", "-p", "xtask-browser"];
    let status = Command::new(cargo).current_dir(repository()).args(arguments).status()?;
    if status.success() { Ok(()) } else { Err("the page is not built".into()) }
}
