//! Values of arguments, as the trace or a JSON text has them.

use std::fmt;

/// A value. Integers and doubles are different: `5` is not `5.0`.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Value {
    /// A name without a value.
    None,
    Bool(bool),
    Int(i128),
    Double(f64),
    Text(String),
    List(Vec<Value>),
    Dict(Vec<(String, Value)>),
}

impl Value {
    /// The text that the value is.
    pub(crate) fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The integer that the value is.
    pub(crate) fn int(&self) -> Option<i128> {
        match self {
            Self::Int(number) => Some(*number),
            _ => None,
        }
    }

    /// The double that the value is.
    pub(crate) fn double(&self) -> Option<f64> {
        match self {
            Self::Double(number) => Some(*number),
            _ => None,
        }
    }

    /// What a JSON text has.
    pub(crate) fn of_json(json: &serde_json::Value) -> Self {
        use serde_json::Value as Json;
        match json {
            Json::Null => Self::None,
            Json::Bool(value) => Self::Bool(*value),
            Json::String(text) => Self::Text(text.clone()),
            Json::Array(items) => Self::List(items.iter().map(Self::of_json).collect()),
            Json::Object(entries) => {
                Self::Dict(entries.iter().map(|(k, v)| (k.clone(), Self::of_json(v))).collect())
            }
            Json::Number(number) => match number.as_i128() {
                Some(whole) => Self::Int(whole),
                None => Self::Double(number.as_f64().unwrap()),
            },
        }
    }
}

/// One text for one value: entries by name, doubles told from integers.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => f.write_str("-"),
            Self::Bool(value) => write!(f, "{value}"),
            Self::Int(number) => write!(f, "{number}"),
            Self::Double(number) => write!(f, "{number:?}"),
            Self::Text(text) => write!(f, "{text:?}"),
            Self::List(items) => {
                f.write_str("[")?;
                items.iter().try_for_each(|item| write!(f, "{item} "))?;
                f.write_str("]")
            }
            Self::Dict(entries) => {
                let mut entries: Vec<_> = entries.iter().collect();
                entries.sort_by_key(|(name, _)| name);
                f.write_str("{")?;
                entries.iter().try_for_each(|(name, value)| write!(f, "{name}: {value}, "))?;
                f.write_str("}")
            }
        }
    }
}
