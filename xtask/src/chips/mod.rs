//! Generation of `crates/chip/src/generated` from `crates/chip/data`.
//!
//! A new chip is a new file of facts there, its stem in [`CHIPS`], and, where it is of a new family, a line in
//! `Layout::read`.

mod code;
mod data;
mod names;
mod resolve;
mod timing;

use std::fs;
use std::path::PathBuf;

use crate::generated::{Generated, Result, repository};

/// Stems of the chips' files, in the order in which chips are listed.
const CHIPS: [&str; 6] = ["aks", "aksv", "bm1684x", "bm1688", "cv184x", "cv84x6"];

/// Stem of the names of type-only TIU commands, which all chips share.
const TIU_NAMES: &str = "tiu_names";

/// Stem of the names of registers' fields.
const FIELD_NAMES: &str = "field_names";

/// The sources that the facts make.
pub(crate) fn generate() -> Result<Vec<Generated>> {
    let mut files = vec![source("mod", "*", index())];
    let names = serde_json::from_str(&read(TIU_NAMES)?)?;
    let mut text = String::from("\nuse crate::names::{NamePair, NameTable};\n");
    names::pairs(&mut text, "TIU_NAMES", &names)?;
    files.push(source(TIU_NAMES, TIU_NAMES, text));
    let mut field_names = code::FieldNames::default();
    for chip in CHIPS {
        let facts = serde_json::from_str(&read(chip)?).map_err(|e| format!("{chip}.json: {e}"))?;
        files.push(source(chip, chip, code::chip(facts, &mut field_names)?));
    }
    let field_names: Vec<String> =
        field_names.names.iter().map(|name| code::quoted(name)).collect();
    let text = format!(
        "\n/// Names of all fields, each once.\npub(crate) const FIELD_NAMES: &[&str] = &[\n{}];\n",
        code::list(&field_names, "    ")
    );
    files.push(source(FIELD_NAMES, "*", text));
    Ok(files)
}

fn crate_dir() -> PathBuf {
    repository().join("crates").join("chip")
}

fn read(stem: &str) -> Result<String> {
    let path = crate_dir().join("data").join(format!("{stem}.json"));
    Ok(fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?)
}

fn source(stem: &str, data: &str, text: String) -> Generated {
    let path = crate_dir().join("src").join("generated").join(format!("{stem}.rs"));
    let text = format!(
        "\
// @generated from data/{data}.json. Do not edit; regenerate with
//     cargo run -p xtask -- chips
{text}"
    );
    Generated { path, text }
}

/// The module that holds the others.
fn index() -> String {
    let mut text = String::from("//! Chip facts as constants.\n\n");
    let mut stems: Vec<&str> = CHIPS.into_iter().chain([FIELD_NAMES, TIU_NAMES]).collect();
    stems.sort_unstable();
    for stem in stems {
        text.push_str(&format!("#[rustfmt::skip]\nmod {stem};\n"));
    }
    let chips: Vec<String> = CHIPS.iter().map(|chip| format!("{chip}::CHIP")).collect();
    let (number, chips) = (CHIPS.len(), chips.join(", "));
    text.push_str(&format!(
        "\nuse crate::chip::Chip;\npub(crate) use field_names::FIELD_NAMES;\n\n/// All chips.\npub(crate) static CHIPS: [Chip; {number}] =\n    [{chips}];\n"
    ));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn committed_sources_are_fresh() -> Result<()> {
        crate::generated::check(generate()?, "chips")
    }
}
