//! Generation of the TypeScript types of the page's data from the Rust types that are written into it.
//!
//! The types derive `ts_rs::TS` only with the feature `page-types`, so that no other build needs ts-rs; this command
//! builds the crates with it.

use std::process::Command;

use crate::generated::{Generated, Result, repository};

/// The crates that are built with the feature, and once more than for everything else: not optimized, because only their types count.
const CRATES: [&str; 5] = ["answers", "emit-web", "machine", "measure", "replay"];

const HEADER: &str = "\
// Generated from the Rust types by: cargo run -p xtask -- page-types\n";

/// The generated file.
pub(crate) fn generate() -> Result<Vec<Generated>> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .current_dir(repository())
        .args(["run", "--quiet", "-p", "bigtpu-emit-web", "--features", "page-types"])
        .args(["--example", "page_types"])
        .args(CRATES.iter().flat_map(|name| {
            ["--config".to_owned(), format!("profile.dev.package.bigtpu-{name}.opt-level=0")]
        }))
        .stderr(std::process::Stdio::inherit())
        .output()?;
    if !output.status.success() {
        return Err("the example page_types of crates/emit-web fails".into());
    }
    let path = repository().join("crates/emit-web/page/src/data/generated.ts");
    let types = String::from_utf8(output.stdout)?;
    let lines = types.lines().map(|line| format!("{}\n", line.trim_end()));
    Ok(vec![Generated { path, text: format!("{HEADER}\n{}", lines.collect::<String>()) }])
}
