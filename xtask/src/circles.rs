//! Modules that import one way: within a crate, no two modules import each other, also not by way of others. What broke this rule when
//! it came is in a list by crate, which may only become shorter. A module may import from the folder that it is in: what a folder's
//! parts share stands in its `mod.rs`.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use crate::generated::repository;
use crate::sources::{all_crates, sources};

/// The list: crate and how many of its modules are in circles, by a tab.
const LIST: &str = "xtask/circles.tsv";

/// A module: the names on its way from the crate's root.
type Module = Vec<String>;

/// The modules that each module imports.
type Imports = BTreeMap<Module, BTreeSet<Module>>;

/// The module that a source file is; `None` of a binary's or a library's root, which only declares modules.
fn module_of(folder: &Path, file: &Path) -> Option<Module> {
    let inside = file.strip_prefix(folder).ok()?.with_extension("");
    let mut names: Module = inside.iter().map(|name| name.to_string_lossy().into_owned()).collect();
    if names.last().is_some_and(|last| matches!(last.as_str(), "mod" | "lib" | "main")) {
        names.pop();
    }
    (!names.is_empty()).then_some(names)
}

/// A source without its tests and comments.
fn code(source: &str) -> String {
    let lines = source.lines().take_while(|line| line.trim() != "#[cfg(test)]");
    lines.map(|line| line.split("//").next().unwrap_or_default()).fold(
        String::new(),
        |mut all, line| {
            all.push_str(line);
            all.push('\n');
            all
        },
    )
}

/// Adds the paths that a text begins with, such as `a::{b, c::d}`, each behind `before`. Returns what follows them.
fn paths<'t>(text: &'t str, before: &[String], found: &mut Vec<Module>) -> &'t str {
    let text = text.trim_start();
    if let Some(mut rest) = text.strip_prefix('{') {
        loop {
            rest = paths(rest, before, found).trim_start();
            match rest.strip_prefix(',') {
                Some(more) => rest = more,
                None => return rest.strip_prefix('}').unwrap_or(rest),
            }
            if let Some(more) = rest.trim_start().strip_prefix('}') {
                return more;
            }
        }
    }
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
    let (name, rest) = text.split_at(end);
    if name.is_empty() {
        return rest;
    }
    let mut path = before.to_vec();
    match name {
        "super" => _ = path.pop(),
        "self" => {}
        _ => path.push(name.to_owned()),
    }
    match rest.strip_prefix("::") {
        Some(rest) => paths(rest, &path, found),
        None => {
            found.push(path);
            rest.trim_start().strip_prefix("as ").map_or(rest, |alias| {
                alias.trim_start_matches(|c: char| c.is_alphanumeric() || c == '_')
            })
        }
    }
}

/// The paths within the crate that a module's code names.
fn paths_in(code: &str, own: &[String]) -> Vec<Module> {
    let mut found = Vec::new();
    for (start, before) in
        [("crate::", &[][..]), ("super::", own.split_last().map_or(&[][..], |(_, folder)| folder))]
    {
        for (at, _) in code.match_indices(start) {
            let is_part =
                code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':');
            if !is_part {
                paths(&code[at + start.len()..], before, &mut found);
            }
        }
    }
    found
}

/// The imports of a crate's modules from each other. Imports from a folder that the module is in are left out.
fn imports(files: &[(Module, String)]) -> Imports {
    let modules: BTreeSet<&Module> = files.iter().map(|(module, _)| module).collect();
    let module_at = |path: &Module| {
        (1..=path.len()).rev().map(|n| path[..n].to_vec()).find(|module| modules.contains(module))
    };
    let imported = |(module, code): &(Module, String)| {
        let targets = paths_in(code, module).iter().filter_map(module_at).collect::<BTreeSet<_>>();
        (module.clone(), targets.into_iter().filter(|to| !module.starts_with(to)).collect())
    };
    files.iter().map(imported).collect()
}

/// What a module reaches by imports, itself only by a circle.
fn reached<'i>(imports: &'i Imports, from: &Module) -> BTreeSet<&'i Module> {
    let mut found = BTreeSet::new();
    let mut left: Vec<&Module> = imports.get(from).into_iter().flatten().collect();
    while let Some(module) = left.pop() {
        if found.insert(module) {
            left.extend(imports.get(module).into_iter().flatten());
        }
    }
    found
}

/// The modules that are in circles.
fn in_circles(imports: &Imports) -> BTreeSet<Module> {
    imports.keys().filter(|module| reached(imports, module).contains(module)).cloned().collect()
}

/// The modules of each crate that are in circles.
fn found() -> Result<BTreeMap<String, BTreeSet<Module>>, String> {
    let mut all = BTreeMap::new();
    for (name, folder) in all_crates()? {
        let mut files = Vec::new();
        sources(&folder, &mut files)?;
        let mut read = Vec::new();
        for file in files {
            let Some(module) = module_of(&folder, &file) else { continue };
            let source =
                fs::read_to_string(&file).map_err(|e| format!("{}: {e}", file.display()))?;
            read.push((module, code(&source)));
        }
        let circles = in_circles(&imports(&read));
        if !circles.is_empty() {
            all.insert(name, circles);
        }
    }
    Ok(all)
}

fn listed() -> Result<BTreeMap<String, usize>, String> {
    let list = fs::read_to_string(repository().join(LIST)).map_err(|e| format!("{LIST}: {e}"))?;
    let lines = list.lines().filter(|line| !line.starts_with('#'));
    lines
        .map(|line| {
            let (name, count) = line.split_once('\t').unwrap_or((line, ""));
            let count =
                count.parse().map_err(|_| format!("{LIST}: {line:?} is no `CRATE COUNT`"))?;
            Ok((name.to_owned(), count))
        })
        .collect()
}

/// Fails where a crate has more modules in circles than the list has.
pub(crate) fn check() -> Result<(), String> {
    let listed = listed()?;
    let beyond: Vec<String> = found()?
        .into_iter()
        .filter(|(name, modules)| modules.len() > listed.get(name).copied().unwrap_or(0))
        .map(|(name, modules)| {
            let names: Vec<String> = modules.iter().map(|module| module.join("::")).collect();
            format!(
                "{name}: {} modules import each other in circles, {} are listed: move what they share into a module of its own ({})",
                names.len(),
                listed.get(&name).copied().unwrap_or(0),
                names.join(", ")
            )
        })
        .collect();
    if beyond.is_empty() { Ok(()) } else { Err(beyond.join("\n")) }
}

/// Writes the list anew, which may only become shorter; where there is none it begins with what is here.
pub(crate) fn shrink() -> Result<(), String> {
    if repository().join(LIST).exists() {
        check()?;
    }
    let mut text = String::from(
        "# Modules that import each other in circles, by crate: see xtask/src/circles.rs. The numbers may only fall: cargo run -p xtask -- circles\n",
    );
    for (name, modules) in found()? {
        let _ = writeln!(text, "{name}\t{}", modules.len());
    }
    fs::write(repository().join(LIST), text).map_err(|e| format!("{LIST}: {e}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn circles(files: &[(&str, &str)]) -> Vec<String> {
        let files: Vec<(Module, String)> = files
            .iter()
            .map(|(module, source)| (module.split("::").map(str::to_owned).collect(), code(source)))
            .collect();
        in_circles(&imports(&files)).iter().map(|module| module.join("::")).collect()
    }

    #[test]
    fn modules_of_this_repository_are_in_no_more_circles_than_are_listed() {
        assert_eq!(check(), Ok(()));
    }

    #[test]
    fn circles_are_found_over_any_number_of_modules() {
        let files = [
            ("a", "use crate::{b::{self, B}, d};"),
            ("b", "fn f() -> crate::c::C { todo!() }"),
            ("c", "use crate::a::A as Other;"),
            ("d", "// use crate::a;\n#[cfg(test)]\nmod tests { use crate::a; }"),
        ];
        assert_eq!(circles(&files), ["a", "b", "c"]);
    }

    #[test]
    fn a_folder_is_no_circle_and_its_modules_may_make_one() {
        let files = [
            ("a", "mod x; mod y; use crate::a::x::X;"),
            ("a::x", "use super::{Shared, y::Y};"),
            ("a::y", "use super::x::X;"),
        ];
        assert_eq!(circles(&files), ["a::x", "a::y"]);
        assert_eq!(circles(&files[..2]), Vec::<String>::new());
    }
}
