//! YAML texts as JSON values: descriptions that people write by hand are read with the same
//! `serde` types as JSON.
//!
//! JSON is YAML, so a reader of YAML takes both. Anchors, several documents and keys that are no
//! text are refused.

use bigtpu_messages::{Message, error_message};
use saphyr::{LoadableYamlNode, Scalar, Yaml};
use serde_json::{Map, Number, Value};

/// Nesting that a text may have. Descriptions have three or four levels; a limit keeps a hostile
/// text from using up the stack.
const DEEPEST: usize = 64;

/// Why a text is no value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum YamlError {
    /// The text breaks the grammar.
    #[error("{}", error_message!("error-machine-yaml-grammar", line, what = error_message!("error-library", kind = "Grammar", text = what)))]
    Grammar {
        /// Line, from 1.
        line: usize,
        /// What is wrong there, in the words of the library.
        what: String,
    },
    /// No document, or more than one.
    #[error("{}", error_message!("error-machine-yaml-documents", value = .0))]
    Documents(usize),
    /// A value of a kind that descriptions do not have: an id of the catalogue.
    #[error("{}", error_message!("error-machine-yaml-kind", value = Message::new(.0)))]
    Kind(&'static str),
    /// A number that is not finite.
    #[error("{}", error_message!("error-machine-yaml-not-finite"))]
    NotFinite,
    /// Nested too deeply.
    #[error("{}", error_message!("error-machine-yaml-deep", deepest = DEEPEST))]
    Deep,
}

/// The text's one document.
///
/// # Errors
///
/// The text is no YAML, or holds something that JSON can't.
pub fn parse(text: &str) -> Result<Value, YamlError> {
    refuse_deep(text)?;
    let documents = Yaml::load_from_str(text).map_err(|error| YamlError::Grammar {
        line: error.marker().line(),
        what: error.info().to_owned(),
    })?;
    match documents.as_slice() {
        [document] => value(document),
        other => Err(YamlError::Documents(other.len())),
    }
}

/// Counts open brackets and the deepest indentation before the parser sees the text: the parser's
/// own values are dropped recursively.
fn refuse_deep(text: &str) -> Result<(), YamlError> {
    let mut open = 0_usize;
    for line in text.lines() {
        let indent = line.len() - line.trim_start_matches([' ', '-', '?']).len();
        for byte in line.bytes() {
            match byte {
                b'[' | b'{' => open += 1,
                b']' | b'}' => open = open.saturating_sub(1),
                _ => {}
            }
            if open + indent / 2 > 4 * DEEPEST {
                return Err(YamlError::Deep);
            }
        }
    }
    Ok(())
}

fn value(node: &Yaml<'_>) -> Result<Value, YamlError> {
    match node {
        Yaml::Value(scalar) => of_scalar(scalar),
        Yaml::Sequence(items) => {
            items.iter().map(value).collect::<Result<_, _>>().map(Value::Array)
        }
        Yaml::Mapping(pairs) => {
            let mut map = Map::new();
            for (key, item) in pairs {
                map.insert(key_text(key)?, value(item)?);
            }
            Ok(Value::Object(map))
        }
        Yaml::Tagged(..) => Err(YamlError::Kind("problem-yaml-tag")),
        Yaml::Alias(_) => Err(YamlError::Kind("problem-yaml-alias")),
        Yaml::Representation(..) | Yaml::BadValue => {
            Err(YamlError::Kind("problem-yaml-contradiction"))
        }
    }
}

fn of_scalar(scalar: &Scalar<'_>) -> Result<Value, YamlError> {
    Ok(match scalar {
        Scalar::Null => Value::Null,
        Scalar::Boolean(flag) => Value::Bool(*flag),
        Scalar::Integer(number) => Value::from(*number),
        Scalar::FloatingPoint(number) => {
            Value::Number(Number::from_f64(number.into_inner()).ok_or(YamlError::NotFinite)?)
        }
        Scalar::String(text) => Value::String(text.to_string()),
    })
}

/// Keys such as `4` or `true` are texts as well: names of machines may look like numbers.
fn key_text(key: &Yaml<'_>) -> Result<String, YamlError> {
    match value(key)? {
        Value::String(text) => Ok(text),
        Value::Number(number) => Ok(number.to_string()),
        Value::Bool(flag) => Ok(flag.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => {
            Err(YamlError::Kind("problem-yaml-key"))
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn plain_values() {
        let text = "chip:\n  tflops: 0.4e12 # peak\n  cores: 8\n  name: 'a b'\n  idle: ~\n  list: [1, -2.5, yes]\n8: x\n";
        let expected = json!({
            "chip": {"tflops": 0.4e12, "cores": 8, "name": "a b", "idle": null, "list": [1, -2.5, "yes"]},
            "8": "x",
        });
        assert_eq!(parse(text), Ok(expected));
        assert_eq!(parse(r#"{"a": [1, {"b": null}]}"#), Ok(json!({"a": [1, {"b": null}]})));
    }

    #[test]
    fn refused_with_a_reason() {
        let error = |text: &str| parse(text).unwrap_err().to_string();
        assert!(error("a: 1\nb: [1,\n").starts_with("line "), "{}", error("a: 1\nb: [1,\n"));
        assert!(error("a: 1\na: 2\n").contains("duplicate"), "{}", error("a: 1\na: 2\n"));
        assert_eq!(error("a: .inf"), "a number is infinite or not a number");
        assert_eq!(error("a: 1\n---\nb: 2\n"), "it holds 2 YAML documents; write exactly one");
        assert_eq!(error(""), "it holds 0 YAML documents; write exactly one");
        assert!(error("[1]: 2").contains("a key that is not a text"));
        assert!(error("a: !x 2").contains("a tag"));
        assert_eq!(parse(&"[".repeat(100_000)), Err(YamlError::Deep));
        assert_eq!(parse(&"- ".repeat(100_000)), Err(YamlError::Deep));
    }
}
