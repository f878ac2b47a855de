//! Condensed names (section 4.3) as source text.

use std::fmt::Write as _;

use serde_json::{Map, Value};

use super::code::{list, quoted};
use super::data::RvtData;
use crate::generated::Result;

type Names = Map<String, Value>;

fn key(key: &str) -> Result<(u8, u8)> {
    let (task, sub) = key.split_once(',').ok_or_else(|| format!("{key:?} is no type,sub-type"))?;
    Ok((task.parse()?, sub.parse()?))
}

/// Function type and name.
fn pair(value: &Value) -> Result<String> {
    let part = |at: usize| {
        let text = value.get(at).and_then(Value::as_str);
        text.map(quoted).ok_or_else(|| format!("{value} is no pair of names"))
    };
    Ok(format!("({}, {})", part(0)?, part(1)?))
}

/// `const NAME: &NameTable<NamePair>`, of names by type and sub-type.
pub(super) fn pairs(out: &mut String, constant: &str, names: &Names) -> Result<()> {
    let mut entries = Vec::new();
    for (at, value) in names {
        let (task, sub) = key(at)?;
        entries.push(((task, sub), pair(value)?));
    }
    table(out, constant, "NamePair", entries);
    Ok(())
}

/// Constant `DMA_NAMES`, of DMA commands' names: types 0 and 1 with function 0 have a name for each direction.
pub(super) fn dma(out: &mut String, names: &Names) -> Result<()> {
    let mut entries = Vec::new();
    for (at, value) in names {
        let (task, sub) = key(at)?;
        let name = match value.as_object() {
            None => format!("DmaName::Fixed({})", pair(value)?),
            Some(directions) => {
                let mut arms = Vec::new();
                for (direction, value) in directions {
                    arms.push(format!("({}, {})", direction_code(direction)?, pair(value)?));
                }
                format!("DmaName::ByDirection(&[{}])", arms.join(", "))
            }
        };
        entries.push(((task, sub), name));
    }
    table(out, "DMA_NAMES", "DmaName", entries);
    Ok(())
}

/// Entries by type and sub-type, in ascending order.
fn table(out: &mut String, constant: &str, item: &str, mut entries: Vec<((u8, u8), String)>) {
    entries.sort_unstable_by_key(|(key, _)| *key);
    let entries = entries.into_iter().map(|((task, sub), name)| format!("({task}, {sub}, {name})"));
    let entries = list(&entries.collect::<Vec<_>>(), "    ");
    let _ = writeln!(
        out,
        "\npub(super) const {constant}: &NameTable<{item}> = &NameTable::new(&[\n{entries}]);"
    );
}

fn direction_code(text: &str) -> Result<String> {
    let memory = |name| match name {
        "DDR" => Ok("Ddr"),
        "L2M" => Ok("L2m"),
        "LMEM" => Ok("Lmem"),
        _ => Err(format!("{text:?} is no direction")),
    };
    let (from, to) = text.split_once("->").unwrap_or_default();
    Ok(format!("Direction {{ from: Memory::{}, to: Memory::{} }}", memory(from)?, memory(to)?))
}

/// `const RVT: Option<Rvt>`.
pub(super) fn rvt(out: &mut String, data: Option<RvtData>) -> Result<()> {
    let Some(data) = data else {
        out.push_str("\nconst RVT: Option<Rvt> = None;\n");
        return Ok(());
    };
    let mut functions = Vec::new();
    for (number, name) in by_number(&data.functions)? {
        let name = name.as_str().ok_or("an RVT function without a name")?;
        let name = name.strip_prefix("gen_").unwrap_or(name);
        let name = name.strip_suffix("_desc").unwrap_or(name);
        let empty = Map::new();
        let variants = data.variants.get(&number.to_string()).and_then(Value::as_object);
        let mut names = Vec::new();
        for (variant, name) in by_number(variants.unwrap_or(&empty))? {
            let name = name.as_str().ok_or("an RVT variant without a name")?;
            names.push(format!("({variant}, {})", quoted(name)));
        }
        functions.push(format!("({number}, {}, &[{}])", quoted(name), names.join(", ")));
    }
    let functions = list(&functions, "    ");
    let _ =
        writeln!(out, "\nconst RVT: Option<Rvt> = Some(Rvt {{ functions: &[\n{functions}] }});");
    Ok(())
}

fn by_number(map: &Names) -> Result<Vec<(u32, &Value)>> {
    let mut entries = Vec::new();
    for (number, value) in map {
        entries.push((number.parse()?, value));
    }
    entries.sort_by_key(|entry| entry.0);
    Ok(entries)
}
