//! `--plan FILE`: all options in a YAML file.

use std::path::Path;

use anyhow::{Result, anyhow};
use serde_json::{Map, Value};

use crate::args::pipeline::Args;

/// Reads the file. Keys are the options' names; `stage` may be a map from stages to times, `sweep` one from names to
/// values, and `schedule` one name.
pub(crate) fn read(path: &Path) -> Result<Args> {
    let name = path.display();
    let text = std::fs::read_to_string(path)
        .map_err(|error| anyhow!("{name}: cannot be read ({error}); give a YAML file to --plan"))?;
    let value = bigtpu_machine::yaml::parse(&text).map_err(|error| anyhow!("{name}: {error}"))?;
    let Value::Object(map) = value else {
        return Err(anyhow!("{name}: is not a map of options; write lines such as 'stages: 4'"));
    };
    let options: Map<String, Value> = map
        .into_iter()
        .map(|(key, value)| (key.replace('-', "_"), value))
        .map(|(key, value)| match key.as_str() {
            "stage" | "sweep" => (key, assignments(value)),
            "schedule" => (key, list(value)),
            _ => (key, value),
        })
        .collect();
    serde_json::from_value(Value::Object(options)).map_err(|error| {
        anyhow!("{name}: {error}; the keys are the options of `bigtpuprofile pipeline --help`")
    })
}

/// `{0-3: [1, 2, 3]}` as `["0-3=1,2,3"]`, as the command line has it.
fn assignments(value: Value) -> Value {
    match value {
        Value::Object(map) => map
            .into_iter()
            .map(|(name, values)| Value::String(format!("{name}={}", joined(&values))))
            .collect(),
        value => list(value),
    }
}

fn joined(value: &Value) -> String {
    match value {
        Value::Array(values) => values.iter().map(joined).collect::<Vec<_>>().join(","),
        Value::String(text) => text.clone(),
        value => value.to_string(),
    }
}

fn list(value: Value) -> Value {
    match value {
        Value::String(text) => {
            text.split(',').map(|name| Value::String(name.trim().to_owned())).collect()
        }
        value => value,
    }
}
