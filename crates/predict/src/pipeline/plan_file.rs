//! Plans as YAML files: options of `bigtpuprofile pipeline` by name.

use bigtpu_messages::error_message;
use std::ops::Range;

use serde_json::{Map, Value};

/// Why a plan can't be read; each message is a sentence that says what to change.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PlanFileError {
    /// The text is not of the YAML that is read.
    #[error(transparent)]
    Yaml(#[from] bigtpu_machine::yaml::YamlError),
    /// The text is a list or a value.
    #[error("{}", error_message!("error-predict-plan-file-no-map"))]
    NoMap,
}

/// Reads a plan. Keys are the options' names, with `_` for `-`; `stage` and `link_time` may be maps from stages to times, `sweep` one
/// from names to values, and `schedule` one name: they come as lists of texts, as the command line has them.
///
/// # Errors
/// [`PlanFileError`] for a text that is no plan.
pub fn plan_options(text: &str) -> Result<Map<String, Value>, PlanFileError> {
    let Value::Object(map) = bigtpu_machine::yaml::parse(text)? else {
        return Err(PlanFileError::NoMap);
    };
    let options = map.into_iter().map(|(key, value)| (key.replace('-', "_"), value));
    let options = options.map(|(key, value)| match key.as_str() {
        "stage" | "sweep" | "link_time" => (key, assignments(value)),
        "schedule" => (key, list(value)),
        _ => (key, value),
    });
    Ok(options.collect())
}

/// Reads a range of stages or parts: `4` or `0-3`, both ends included. `None` for anything else.
#[must_use]
pub fn stage_range(text: &str) -> Option<Range<usize>> {
    let number = |text: &str| text.trim().parse::<u32>().ok();
    let (first, last) = match text.split_once('-') {
        Some((first, last)) => (number(first)?, number(last)?),
        None => (number(text)?, number(text)?),
    };
    (first <= last).then_some(first as usize..last as usize + 1)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_those_of_the_command_line() {
        let text = "stages: 4\ncost-per: chunk\nschedule: 1f1b, zbv\nstage: {0-3: [1, 2, 3]}\n";
        let options = plan_options(text).unwrap();
        let expected = serde_json::json!({
            "stages": 4, "cost_per": "chunk", "schedule": ["1f1b", "zbv"], "stage": ["0-3=1,2,3"],
        });
        assert_eq!(Value::Object(options), expected);
        assert_eq!(plan_options("- 1\n").unwrap_err(), PlanFileError::NoMap);
    }

    #[test]
    fn ranges_have_both_ends() {
        assert_eq!([stage_range("0-3"), stage_range(" 7")], [Some(0..4), Some(7..8)]);
        assert!(
            ["", "3-0", "a", "1-", "-1", "4294967296"].iter().all(|t| stage_range(t).is_none())
        );
    }
}
