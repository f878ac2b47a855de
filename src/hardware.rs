//! `--hw FILE`: roofs of a chip that replace those of the chip facts.

use std::path::Path;

use anyhow::{Result, anyhow};
use bigtpu_analysis::Overrides;

/// Reads the file.
pub(crate) fn read(path: &Path) -> Result<Overrides> {
    let name = path.display();
    let text = std::fs::read_to_string(path)
        .map_err(|error| anyhow!("{name}: cannot be read ({error}); give a JSON file to --hw"))?;
    serde_json::from_str(&text).map_err(|error| {
        anyhow!(
            "{name}: no roofs of a chip ({error}); docs/analysis.md shows what the file may hold"
        )
    })
}
