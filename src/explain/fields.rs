//! The fields of report.json and of the other results in JSON: their schemas describe each.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::LazyLock;

use bigtpu_messages::Language;
use serde_json::Value;

/// A field, at one place of one file.
#[derive(Debug)]
pub(crate) struct Field {
    pub(super) name: String,
    /// The file, and the way to the field in it: `report.json: intervals.cores[].wall_ns`.
    pub(super) place: String,
    /// In the order of [`Language::ALL`].
    texts: [String; 2],
}

impl Field {
    /// What it is.
    pub(super) fn text(&self, language: Language) -> &str {
        let [english, chinese] = &self.texts;
        language.choose(english, chinese)
    }
}

/// Schemas with the names of what they describe.
macro_rules! schemas {
    ($($file:literal: $name:literal;)+) => {
        [$(($name, include_str!(concat!("../../docs/", $file, ".schema.json")))),+]
    };
}

const SCHEMAS: [(&str, &str); 13] = schemas! {
    "report": "report.json";
    "dumps": "report.json of several dumps";
    "index": "batch: index.json";
    "diff": "diff.json";
    "history": "history.json";
    "whatif": "whatif --json";
    "simulate": "simulate --json";
    "cluster": "cluster.json";
    "costs": "costs.json";
    "estimate": "estimate.json";
    "llm": "estimate --hf --json";
    "pipeline": "pipeline --json";
    "search": "search --json";
};

/// English descriptions of the schemas with their Chinese ones: a line has both, with a tab between them.
const CHINESE: &str = include_str!("../../docs/fields.zh-CN.tsv");

/// All fields, in the order of the schemas.
pub(super) static FIELDS: LazyLock<Vec<Field>> = LazyLock::new(|| {
    let chinese: HashMap<&str, &str> =
        CHINESE.lines().filter_map(|line| line.split_once('\t')).collect();
    let mut all = Vec::new();
    for (file, schema) in SCHEMAS {
        // A test reads all schemas.
        let schema: Value = serde_json::from_str(schema).unwrap_or_default();
        let found = fields_of_schema(&schema);
        all.extend(found.into_iter().map(|(path, name, english)| Field {
            name,
            place: format!("{file}: {path}"),
            texts: [
                english.to_owned(),
                chinese.get(english).copied().unwrap_or(english).to_owned(),
            ],
        }));
    }
    all
});

/// An object of a schema that is to be looked at.
struct Open<'s> {
    schema: &'s Value,
    path: String,
    /// What describes its fields that have no text of their own.
    around: &'s str,
}

/// The fields with their paths and descriptions. An object that several fields have is described once, at the shortest path.
fn fields_of_schema(root: &Value) -> Vec<(String, String, &str)> {
    let mut all = Vec::new();
    let mut seen: HashSet<&str> = HashSet::new();
    let mut open = VecDeque::from([Open { schema: root, path: String::new(), around: "" }]);
    while let Some(Open { schema, path, around }) = open.pop_front() {
        if let Some(name) = schema.get("$ref").and_then(Value::as_str) {
            let definition = name.strip_prefix("#").and_then(|place| root.pointer(place));
            if let Some(schema) = definition.filter(|_| seen.insert(name)) {
                open.push_back(Open {
                    schema,
                    path,
                    around: description(schema).unwrap_or(around),
                });
            }
            continue;
        }
        let properties = schema.get("properties").and_then(Value::as_object);
        for (name, field) in properties.into_iter().flatten() {
            let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
            let referred = field.get("$ref").and_then(Value::as_str);
            let referred = referred.and_then(|name| root.pointer(name.strip_prefix("#")?));
            let text = description(field).or_else(|| description(referred?)).unwrap_or(around);
            all.push((path.clone(), name.clone(), text));
            open.push_back(Open { schema: field, path, around: "" });
        }
        for (key, mark) in [("items", "[]"), ("additionalProperties", ".*")] {
            if let Some(schema) = schema.get(key).filter(|value| value.is_object()) {
                open.push_back(Open { schema, path: format!("{path}{mark}"), around });
            }
        }
        for key in ["anyOf", "oneOf", "allOf", "prefixItems"] {
            let choices = schema.get(key).and_then(Value::as_array);
            open.extend(choices.into_iter().flatten().map(|schema| Open {
                schema,
                path: path.clone(),
                around,
            }));
        }
    }
    all
}

fn description(schema: &Value) -> Option<&str> {
    schema.get("description").and_then(Value::as_str)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All descriptions of a schema.
    fn described<'s>(schema: &'s Value, all: &mut Vec<&'s str>) {
        match schema {
            Value::Object(map) => {
                all.extend(description(schema));
                map.values().for_each(|value| described(value, all));
            }
            Value::Array(items) => items.iter().for_each(|value| described(value, all)),
            _ => {}
        }
    }

    #[test]
    fn every_field_of_a_schema_is_explained_in_both_languages() {
        let is_chinese = |text: &str| text.chars().any(|c| ('\u{4e00}'..='\u{9fff}').contains(&c));
        assert!(FIELDS.len() > 1000, "{}", FIELDS.len());
        for Field { place, texts: [english, chinese], .. } in &*FIELDS {
            assert!(!english.is_empty(), "{place}: has no description");
            let line =
                CHINESE.lines().find_map(|line| line.strip_prefix(&**english)?.strip_prefix('\t'));
            assert_eq!(line, Some(&**chinese), "{place}: docs/fields.zh-CN.tsv lacks {english}");
            // A name, such as `Cmd Id` or GB/s, is the same in both languages.
            assert!(is_chinese(chinese) || english.len() < 12, "{place}: {chinese}");
        }
    }

    #[test]
    fn the_chinese_descriptions_are_of_fields() {
        let mut all = Vec::new();
        let schemas: Vec<Value> =
            SCHEMAS.iter().map(|(_, schema)| serde_json::from_str(schema).unwrap()).collect();
        schemas.iter().for_each(|schema| described(schema, &mut all));
        for line in CHINESE.lines() {
            let (english, chinese) = line.split_once('\t').unwrap();
            assert!(all.contains(&english), "no schema has: {english}");
            assert!(!chinese.is_empty() && !chinese.contains('\t'), "{english}");
        }
    }
}
