//! Starts the builder of the analyzer in one HTML file, a package of its own (`xtask/browser`).

use std::process::Command;

use crate::generated::{Result, repository};

/// Builds `target/browser/bigtpuprofile.html`.
pub(crate) fn build() -> Result<()> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let root = repository();
    // Its target directory is the one of the workspace, where the compiler keeps what it has compiled for a page before.
    let target =
        std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), Into::into);
    let status = Command::new(cargo)
        .current_dir(root)
        .args(["run", "--quiet", "--locked", "--manifest-path", "xtask/browser/Cargo.toml"])
        .arg("--target-dir")
        .arg(target)
        .status()?;
    if status.success() { Ok(()) } else { Err("the page is not built".into()) }
}
