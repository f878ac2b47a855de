//! How long commands take, as source text.

use std::fmt::Write as _;

use serde_json::{Map, Value};

use super::data::{ChipData, OpData};
use crate::generated::Result;

/// A value and where it is from.
fn constant(pair: &Value, write: impl Fn(&Value) -> Option<String>) -> Result<String> {
    let text = pair.get(0).and_then(write);
    let source = match pair.get(1).and_then(Value::as_str) {
        Some("measured") => "measured",
        Some("chip file") => "chip_file",
        Some("other chip") => "other_chip",
        _ => return Err(format!("{pair}: a constant without a known source").into()),
    };
    text.map(|text| format!("{source}({text})"))
        .ok_or_else(|| format!("{pair}: not a constant of the kind that is needed here").into())
}

/// A whole number, a truth value or a pair of numbers, as they are.
fn plain(value: &Value) -> Option<String> {
    match value {
        Value::Array(parts) => {
            let parts: Option<Vec<_>> = parts.iter().map(plain).collect();
            Some(format!("({})", parts?.join(", ")))
        }
        Value::Bool(_) | Value::Number(_) => Some(value.to_string()),
        _ => None,
    }
}

/// A decimal number in thousandths.
fn milli(value: &Value) -> Option<String> {
    Some(format!("{}", (value.as_f64()? * 1000.0).round() as i64))
}

fn fields(constants: &Map<String, Value>, indent: &str) -> Result<String> {
    let mut out = String::new();
    for (name, pair) in constants {
        let _ = writeln!(out, "{indent}{name}: {},", constant(pair, plain)?);
    }
    Ok(out)
}

/// `Timing { ... }`.
pub(super) fn timing(data: &ChipData) -> Result<String> {
    let timing = &data.timing;
    let dma = &timing.dma;
    let mut out = String::from("Timing {\n        tiu: TiuTiming {\n");
    out.push_str(&fields(&timing.tiu, "            ")?);
    out.push_str("        },\n        dma: DmaTiming {\n");
    for (name, pair, is_milli) in [
        ("bus_bytes", &dma.bus_bytes, false),
        ("system_cycles", &dma.system_cycles, false),
        ("first_from_ddr_milli", &dma.first_from_ddr, true),
        ("sharing_milli", &dma.sharing, true),
    ] {
        let text = constant(pair, if is_milli { milli } else { plain })?;
        let _ = writeln!(out, "            {name}: {text},");
    }
    out.push_str("            transfers: &[\n");
    for (direction, constants) in &dma.transfers {
        let _ = writeln!(out, "                {},", transfer(direction, constants)?);
    }
    out.push_str("            ],\n        },\n        pauses: Pauses {\n");
    for (name, pair) in &timing.pauses_ns {
        let _ = writeln!(out, "            {name}: {},", constant(pair, milli)?);
    }
    out.push_str("        },\n        checked: &[\n");
    for (grade, operations) in &timing.checked {
        let operations = operations.as_object().ok_or("checked operations by grade")?;
        for (operation, types) in operations {
            for text in checked(grade, operation, types, data)? {
                let _ = writeln!(out, "            {text},");
            }
        }
    }
    out.push_str("        ],\n    }");
    Ok(out)
}

/// The constants of one direction.
fn transfer(direction: &str, constants: &Value) -> Result<String> {
    let memory = |name| match name {
        "DDR" => Ok("Memory::Ddr"),
        "L2M" => Ok("Memory::L2m"),
        "LMEM" => Ok("Memory::Lmem"),
        _ => Err(format!("{direction:?} is no direction")),
    };
    let (from, to) = direction.split_once("->").unwrap_or_default();
    let from = match from {
        "fill" => "None".to_owned(),
        from => format!("Some({})", memory(from)?),
    };
    let of = |name: &str, write: fn(&Value) -> Option<String>| {
        constants
            .get(name)
            .ok_or_else(|| format!("{direction}: no {name}").into())
            .and_then(|pair| constant(pair, write))
    };
    Ok(format!(
        "TransferTiming {{ from: {from}, to: {}, start: {}, rate_milli: {}, run_milli: {}, least_run_milli: {} }}",
        memory(to)?,
        of("start", plain)?,
        of("bytes_a_cycle", milli)?,
        of("cycles_a_run", milli)?,
        of("least_cycles_of_a_run", milli)?,
    ))
}

/// A checked operation, for each of its data types.
fn checked(grade: &str, operation: &str, types: &Value, data: &ChipData) -> Result<Vec<String>> {
    let grade = match grade {
        "exact" => "Exact",
        "fitted" => "Fitted",
        _ => return Err(format!("{grade:?} is no grade").into()),
    };
    let variant = |op: &OpData| {
        let found = op.variants.iter().find(|(_, name)| name.as_str() == Some(operation));
        found.map(|(code, _)| (op.opcode, code.clone()))
    };
    let (task, variant) = data
        .tiu_ops
        .iter()
        .find_map(variant)
        .ok_or_else(|| format!("{}: no operation {operation}", data.chip))?;
    let types = types.as_array().ok_or_else(|| format!("{operation}: no data types"))?;
    let mut all = Vec::new();
    for name in types.iter().filter_map(Value::as_str) {
        let code = match name {
            "*" => "None".to_owned(),
            name => {
                let code = data.data_types.get(name);
                format!("Some({})", code.ok_or_else(|| format!("{operation}: no type {name}"))?)
            }
        };
        all.push(format!(
            "Checked {{ task: {task}, variant: {variant}, data_type: {code}, grade: Grade::{grade} }}"
        ));
    }
    Ok(all)
}
