//! What a query found as JSON.

use bigtpu_emit_events::EventCell;
use bigtpu_query::NamedField;
use serde_json::{Value as JsonValue, json};

use super::answer::{Answer, value};
use super::item::Item;
use super::order::Value;
use super::scripts::{Column, PIECE, gap_value};

/// Hands on an object with the sums, and a line for each row.
pub(super) fn put<E>(
    answer: &Answer<'_>,
    most: Option<usize>,
    put: &mut dyn FnMut(&str) -> Result<(), E>,
) -> Result<(), E> {
    let totals = answer.totals;
    let head = json!({
        "count": totals.count,
        "duration_ns": totals.ns,
        "bytes": totals.bytes,
    });
    let head = head.to_string();
    let what = if answer.has_groups() { "groups" } else { "rows" };
    let mut text = format!("{},\n\"{what}\":[", head.trim_end_matches('}'));
    let mut is_first = true;
    let mut add = |row: JsonValue, text: &mut String| {
        text.push_str(if is_first { "\n" } else { ",\n" });
        is_first = false;
        text.push_str(&row.to_string());
    };
    if answer.has_groups() {
        for group in answer.groups().into_iter().take(most.unwrap_or(usize::MAX)) {
            let share = answer.share(&group);
            let row = json!({
                "value": of_value(&group.value),
                "count": group.totals.count,
                "duration_ns": group.totals.ns,
                "bytes": group.totals.bytes,
                "share": share,
            });
            add(row, &mut text);
        }
    } else {
        let columns = answer.columns();
        let names: Vec<String> = columns.iter().map(|column| answer.name_of(*column)).collect();
        answer.each_item(most, |item| {
            let cells = columns.iter().map(|column| cell(item, *column));
            let fields = names.iter().cloned().zip(cells);
            add(JsonValue::Object(fields.collect()), &mut text);
            if text.len() >= PIECE {
                put(&text)?;
                text.clear();
            }
            Ok(())
        })?;
    }
    text.push_str("\n]}\n");
    put(&text)
}

/// A value of a row.
fn cell(item: &Item<'_, '_>, column: Column) -> JsonValue {
    match (column, item) {
        (Column::Event(column), Item::Command(command)) => match command.row.value(column) {
            EventCell::Null => JsonValue::Null,
            EventCell::Int(n) => n.into(),
            EventCell::Float(x) => x.into(),
            EventCell::Text(text) => text.into(),
            EventCell::Bool(yes) => yes.into(),
        },
        (Column::Event(_), Item::Gap(_)) => JsonValue::Null,
        (Column::Gap(_, field), item) => of_value(&gap_value(item, field)),
        (Column::Register(place), item) => of_value(&value(item, NamedField::Register(place))),
    }
}

/// Whole numbers without decimals.
fn of_value(value: &Value) -> JsonValue {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    match value {
        Value::Number(n) if n.fract() == 0.0 && n.abs() < EXACT => (*n as i64).into(),
        Value::Number(n) => (*n).into(),
        Value::Text(text) => text.as_str().into(),
        Value::None => JsonValue::Null,
    }
}
