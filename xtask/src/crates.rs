//! Generation of the diagram and the table in `docs/architecture.md`: the crates of the workspace, the job of each, and
//! its imports, from their manifests.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use crate::generated::{Generated, Result, repository};

/// Prefix of the packages' names.
const PREFIX: &str = "bigtpu-";

/// The root package.
const ROOT_PACKAGE: &str = "bigtpuprofile";

/// What the root package is called in the diagram.
const ROOT: &str = "src";

/// The lines between which the document is generated; what is before and after them is written by hand.
const START: &str =
    "<!-- generated from the crates' manifests by: cargo run -p xtask -- crates -->\n";
const END: &str = "<!-- end of the generated part -->\n";

/// What a manifest says of its crate.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct Crate {
    description: String,
    imports: BTreeSet<String>,
}

/// The document with the diagram and the table that the manifests make.
pub(crate) fn generate() -> Result<Vec<Generated>> {
    let path = repository().join("docs").join("architecture.md");
    let document = fs::read_to_string(&path)?.replace("\r\n", "\n");
    let parts = document.split_once(START).and_then(|(before, rest)| {
        let (_, after) = rest.split_once(END)?;
        Some((before, after))
    });
    let (before, after) =
        parts.ok_or("docs/architecture.md: the lines around the generated part are missing")?;
    let text = format!("{before}{START}{}{END}{after}", diagram_and_table(&workspace()?));
    Ok(vec![Generated { path, text }])
}

fn diagram_and_table(crates: &BTreeMap<String, Crate>) -> String {
    let mut text = String::from("\n```mermaid\nflowchart LR\n");
    for (name, of) in crates {
        for import in of.imports.iter().filter(|import| is_direct(crates, of, import)) {
            text.push_str(&format!("  {import} --> {name}\n"));
        }
    }
    text.push_str("```\n\n## The crates\n\n| crate | its job | imports |\n|---|---|---|\n");
    for (name, of) in crates {
        let imports: Vec<&str> = of.imports.iter().map(String::as_str).collect();
        let imports = if imports.is_empty() { "-".to_owned() } else { imports.join(", ") };
        text.push_str(&format!("| `{name}` | {} | {imports} |\n", of.description));
    }
    text.push('\n');
    text
}

/// The crates by name, without the prefix that all share.
fn workspace() -> Result<BTreeMap<String, Crate>> {
    let mut crates = BTreeMap::new();
    crates.insert(ROOT.to_owned(), read(&repository().join("Cargo.toml"))?);
    for entry in fs::read_dir(repository().join("crates"))? {
        let directory = entry?.path();
        let manifest = directory.join("Cargo.toml");
        if let Some(name) = directory.file_name().filter(|_| manifest.is_file()) {
            crates.insert(name.to_string_lossy().into_owned(), read(&manifest)?);
        }
    }
    Ok(crates)
}

fn read(manifest: &Path) -> Result<Crate> {
    let text =
        fs::read_to_string(manifest).map_err(|error| format!("{}: {error}", manifest.display()))?;
    Ok(parse(&text))
}

/// Description and imports of a manifest; crates that only its tests use are no imports.
fn parse(manifest: &str) -> Crate {
    let mut of = Crate::default();
    let mut section = "";
    for line in manifest.lines().map(str::trim) {
        if line.starts_with('[') {
            section = line;
        } else if section == "[package]" {
            let value = line.strip_prefix("description = ").map(|text| text.trim_matches('"'));
            of.description = value.map_or(of.description, |text| text.trim_end_matches('.').into());
        } else if section == "[dependencies]" {
            let name = line.split(['.', ' ', '=']).next().unwrap_or(line);
            let name = if name == ROOT_PACKAGE { Some(ROOT) } else { name.strip_prefix(PREFIX) };
            of.imports.extend(name.map(str::to_owned));
        }
    }
    of
}

/// Whether no other import of the crate imports this one.
fn is_direct(crates: &BTreeMap<String, Crate>, of: &Crate, import: &str) -> bool {
    let others = of.imports.iter().filter(|other| *other != import);
    !others.into_iter().any(|other| reaches(crates, other, import))
}

/// Whether a crate imports another, itself or through others.
fn reaches(crates: &BTreeMap<String, Crate>, from: &str, to: &str) -> bool {
    crates.get(from).is_some_and(|of| {
        of.imports.iter().any(|import| import == to || reaches(crates, import, to))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_document_is_that_of_the_manifests() -> Result<()> {
        crate::generated::check(generate()?, "crates")
    }

    #[test]
    fn imports_are_those_of_the_crate_itself() {
        let manifest = "[package]\nname = \"bigtpu-a\"\ndescription = \"Does a.\"\n\n[dependencies]\n\
                        bigtpu-b.workspace = true\nbigtpu-c = { path = \"c\" }\nrayon = \"1\"\n\n\
                        [dev-dependencies]\nbigtpu-d.workspace = true\n";
        let a = parse(manifest);
        assert_eq!(a.description, "Does a");
        assert_eq!(a.imports.iter().collect::<Vec<_>>(), ["b", "c"]);
        let crates = BTreeMap::from([
            ("a".to_owned(), a.clone()),
            ("b".to_owned(), parse("[dependencies]\nbigtpu-c.workspace = true\n")),
            ("c".to_owned(), Crate::default()),
        ]);
        assert!(is_direct(&crates, &a, "b"));
        assert!(!is_direct(&crates, &a, "c"));
    }

    /// Without it, the test of one crate compiles what the workspace's tests have compiled with other features.
    #[test]
    fn each_crate_has_the_features_of_the_workspace() -> Result<()> {
        let mut manifests =
            vec![repository().join("Cargo.toml"), repository().join("xtask/Cargo.toml")];
        for entry in fs::read_dir(repository().join("crates"))? {
            manifests.push(entry?.path().join("Cargo.toml"));
        }
        for manifest in manifests.iter().filter(|manifest| manifest.is_file()) {
            let text = fs::read_to_string(manifest)?;
            assert!(
                text.contains("bigtpu-unified"),
                "{}: add bigtpu-unified to its dev-dependencies",
                manifest.display()
            );
        }
        Ok(())
    }

    /// Emitters know nothing of each other, and nothing knows the command line but Python's module, which has it as a function.
    #[test]
    fn imports_go_one_way() -> Result<()> {
        let crates = workspace()?;
        for (name, of) in &crates {
            assert!(!reaches(&crates, name, name), "{name} imports itself");
            assert!(!of.imports.contains(ROOT) || name == "python", "{name}");
            let emitters = of.imports.iter().filter(|import| import.starts_with("emit-"));
            if name.starts_with("emit-") {
                assert_eq!(emitters.count(), 0, "{name} imports another emitter");
            }
        }
        Ok(())
    }
}
