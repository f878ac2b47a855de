//! As much of JSON Schema as `docs/report.schema.json` uses; anything else in a schema is an error.

use serde_json::Value;

/// What is wrong with a value, each with its place.
pub(crate) fn violations(schema: &Value, value: &Value) -> Vec<String> {
    let mut found = Vec::new();
    check(schema, schema, value, "", &mut found);
    found
}

fn check(root: &Value, schema: &Value, value: &Value, at: &str, found: &mut Vec<String>) {
    let mut no = |is_fine: bool, what: String| {
        if !is_fine {
            found.push(format!("{at}: {what}"));
        }
    };
    for (keyword, rule) in schema.as_object().unwrap() {
        match keyword.as_str() {
            "$schema"
            | "title"
            | "description"
            | "$defs"
            | "properties"
            | "additionalProperties"
            | "items"
            | "prefixItems"
            | "$ref"
            | "anyOf" => {}
            "type" => no(has_type(rule, value), format!("is not of type {rule}")),
            "const" => no(rule == value, format!("is not {rule}")),
            "enum" => no(rule.as_array().unwrap().contains(value), format!("is none of {rule}")),
            "minimum" => {
                let fits = value.as_f64().is_none_or(|n| n >= rule.as_f64().unwrap());
                no(fits, format!("is less than {rule}"));
            }
            "maximum" => {
                let fits = value.as_f64().is_none_or(|n| n <= rule.as_f64().unwrap());
                no(fits, format!("is more than {rule}"));
            }
            "minItems" => {
                let fits = length(value).is_none_or(|n| n >= rule.as_u64().unwrap());
                no(fits, format!("has less than {rule} items"));
            }
            "maxItems" => {
                let fits = length(value).is_none_or(|n| n <= rule.as_u64().unwrap());
                no(fits, format!("has more than {rule} items"));
            }
            "required" => {
                for key in rule.as_array().unwrap() {
                    let is_there = value.get(key.as_str().unwrap()).is_some();
                    no(is_there || !value.is_object(), format!("{key} is missing"));
                }
            }
            other => panic!("{other} is not checked"),
        }
    }
    if let Some(place) = schema.get("$ref") {
        let place = place.as_str().unwrap().trim_start_matches('#');
        check(root, root.pointer(place).unwrap(), value, at, found);
    }
    if let Some(any) = schema.get("anyOf") {
        let fits = |s: &&Value| {
            let mut inner = Vec::new();
            check(root, s, value, at, &mut inner);
            inner.is_empty()
        };
        if any.as_array().unwrap().iter().find(fits).is_none() {
            found.push(format!("{at}: fits none of {any}"));
        }
    }
    for (key, child) in value.as_object().into_iter().flatten() {
        let at = format!("{at}/{key}");
        let rule = schema.get("properties").and_then(|p| p.get(key));
        match (rule, schema.get("additionalProperties")) {
            (Some(rule), _) => check(root, rule, child, &at, found),
            (None, Some(Value::Bool(false))) => found.push(format!("{at}: not in the schema")),
            (None, Some(rule)) => check(root, rule, child, &at, found),
            (None, None) => {}
        }
    }
    for (i, child) in value.as_array().into_iter().flatten().enumerate() {
        let of_place = schema.get("prefixItems").and_then(|p| p.get(i));
        if let Some(rule) = of_place.or(schema.get("items")) {
            check(root, rule, child, &format!("{at}/{i}"), found);
        }
    }
}

fn length(value: &Value) -> Option<u64> {
    value.as_array().map(|items| items.len() as u64)
}

fn has_type(rule: &Value, value: &Value) -> bool {
    let is = |name: &Value| match name.as_str().unwrap() {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        "number" => value.is_number(),
        "integer" => value.is_i64() || value.is_u64(),
        other => panic!("{other} is not checked"),
    };
    rule.as_array().map_or_else(|| is(rule), |names| names.iter().any(is))
}
