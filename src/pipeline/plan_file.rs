//! `--plan FILE`: all options in a YAML file.

use std::path::Path;

use anyhow::{Result, anyhow};
use bigtpu_predict::pipeline::plan_options;
use serde_json::Value;

use crate::args::pipeline::Args;

/// Reads the file, see [`plan_options`].
pub(crate) fn read(path: &Path) -> Result<Args> {
    let name = path.display();
    let text = std::fs::read_to_string(path)
        .map_err(|error| anyhow!("{name}: cannot be read ({error}); give a YAML file to --plan"))?;
    let options = plan_options(&text).map_err(|error| anyhow!("{name}: {error}"))?;
    serde_json::from_value(Value::Object(options)).map_err(|error| {
        anyhow!("{name}: {error}; the keys are the options of `bigtpuprofile pipeline --help`")
    })
}
