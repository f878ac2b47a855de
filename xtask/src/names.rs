//! Names that explain themselves: no function is named by a bare preposition, and no public type has the name of one of
//! another crate, but for `Error` and `Result`. No doc begins with a riddle, such as `The same of those`: it begins with
//! what the item is.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use crate::generated::repository;
use crate::sources::{all_crates, sources};

/// Prepositions, but for the idioms of Rust (`new`, `from`, `with`, `as`, `to`, `into`, `for`).
const PREPOSITIONS: [&str; 34] = [
    "of", "at", "on", "by", "about", "above", "across", "after", "against", "along", "among",
    "around", "before", "behind", "below", "beneath", "beside", "between", "beyond", "during",
    "inside", "near", "off", "out", "outside", "over", "past", "per", "since", "through", "under",
    "until", "within", "without",
];

/// Beginnings of docs that say what an item belongs to before what it is.
const RIDDLES: [&str; 6] = ["The same", "Of", "By", "That of", "Those of", "Those that"];

/// Folders whose docs are the help of options, where `By default` begins a sentence like any other.
const HELP: [&str; 2] = ["src/args", "src/incumbent"];

/// Types that each crate may have for itself, as the standard library's modules have.
const IDIOMS: [&str; 2] = ["Error", "Result"];

/// The names of all crates, and the beginnings of docs, as far as a rule is about them.
#[derive(Debug, Default)]
struct Found {
    /// Functions named by a preposition, with their crates.
    functions: Vec<(String, String)>,
    /// Crates that a public type's name is in.
    types: BTreeMap<String, BTreeSet<String>>,
    /// First lines of docs that are riddles, with their crates.
    riddles: BTreeSet<(String, String)>,
}

impl Found {
    /// Adds the functions and public types in a source of a crate.
    fn add(&mut self, name: &str, source: &str) {
        for line in source.lines() {
            let words: Vec<&str> = line.split_whitespace().collect();
            if let Some(function) = function(&words).filter(|name| PREPOSITIONS.contains(name)) {
                self.functions.push((function.to_owned(), name.to_owned()));
            }
            if let Some(of_type) = public_type(&words).filter(|name| !IDIOMS.contains(name)) {
                self.types.entry(of_type.to_owned()).or_default().insert(name.to_owned());
            }
        }
    }

    /// Adds the riddles among the docs of a source.
    fn add_riddles(&mut self, name: &str, source: &str) {
        let mut is_inside = false;
        for line in source.lines().map(str::trim_start) {
            let doc = line.strip_prefix("/// ").or_else(|| line.strip_prefix("//! "));
            if let Some(doc) = doc.filter(|doc| !is_inside && is_riddle(doc)) {
                self.riddles.insert((name.to_owned(), doc.to_owned()));
            }
            is_inside = doc.is_some();
        }
    }

    /// What breaks a rule, a sentence each.
    fn broken(&self) -> Vec<String> {
        let functions = self.functions.iter().map(|(function, name)| {
            format!("{name}: a function is named `{function}`: name what the function gives")
        });
        let types = self.types.iter().filter(|(_, crates)| crates.len() > 1).map(|(of, crates)| {
            let crates: Vec<&str> = crates.iter().map(String::as_str).collect();
            format!(
                "the public type `{of}` is in {}: a name is that of one thing",
                crates.join(", ")
            )
        });
        let riddles = self.riddles.iter().map(|(name, doc)| {
            format!("{name}: the doc {doc:?} does not begin with what the item is")
        });
        functions.chain(types).chain(riddles).collect()
    }
}

fn is_riddle(doc: &str) -> bool {
    let begins = |riddle: &&str| {
        doc.strip_prefix(riddle).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
    };
    RIDDLES.iter().any(begins)
}

/// The name of the function that a line declares.
fn function<'a>(words: &[&'a str]) -> Option<&'a str> {
    let at = words.iter().position(|word| *word == "fn")?;
    let is_head = |word: &&str| {
        matches!(*word, "const" | "async" | "unsafe" | "extern" | "in")
            || word.starts_with("pub")
            || word.ends_with(')')
    };
    let is_declared = words.get(..at)?.iter().all(is_head);
    let name = words.get(at + 1)?.split(['(', '<']).next()?;
    is_declared.then_some(name)
}

/// The name of the public type that a line declares.
fn public_type<'a>(words: &[&'a str]) -> Option<&'a str> {
    match words {
        ["pub", "struct" | "enum" | "union" | "trait" | "type", name, ..] => {
            name.split(|c: char| !c.is_alphanumeric() && c != '_').next()
        }
        _ => None,
    }
}

fn found() -> Result<Found, String> {
    let mut found = Found::default();
    for (name, folder) in all_crates()? {
        let mut files = Vec::new();
        sources(&folder, &mut files)?;
        for file in files {
            let source =
                fs::read_to_string(&file).map_err(|e| format!("{}: {e}", file.display()))?;
            found.add(&name, &source);
            if !HELP.iter().any(|help| file.starts_with(repository().join(help))) {
                found.add_riddles(&name, &source);
            }
        }
    }
    Ok(found)
}

/// Fails where a name or a doc breaks a rule.
pub(crate) fn check() -> Result<(), String> {
    let broken = found()?.broken();
    if broken.is_empty() { Ok(()) } else { Err(broken.join("\n")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = "
        impl A { pub(crate) fn of(x: u8) -> Self { todo!() } }
        pub const fn of<T>() {}
        fn offset() {}
            pub(in crate::a) unsafe fn at(&self) {}
        // fn of()
        let f: fn of = 1;
        pub struct Part<'a>(u8);
        pub(crate) struct Kind;
        pub enum Kind {}
        pub trait Other: Sized {}
    ";

    /// The check itself: for a run of this program most crates would be built once more, as their features differ from those of the tests.
    #[test]
    fn names_and_docs_of_this_repository_keep_the_rules() {
        assert_eq!(check(), Ok(()));
    }

    #[test]
    fn declarations_are_found() {
        let mut found = Found::default();
        found.add("a", SOURCE);
        found.add("b", "pub struct Part;\npub type Others = u8;\npub enum Error {}");
        found.add("c", "pub struct Error;");
        // The first `of` is not at the start of its line: rustfmt writes none so.
        assert_eq!(
            found.broken(),
            [
                "a: a function is named `of`: name what the function gives",
                "a: a function is named `at`: name what the function gives",
                "the public type `Part` is in a, b: a name is that of one thing",
            ]
        );
    }

    #[test]
    fn a_doc_begins_with_what_the_item_is() {
        let mut found = Found::default();
        found.add_riddles(
            "a",
            "/// Of a core.\nfn a() {}\n    /// Bytes of a core, and those\n    /// Of others.\n/// Offsets.\n\n//! The same.",
        );
        let docs: Vec<&str> = found.riddles.iter().map(|(_, doc)| doc.as_str()).collect();
        assert_eq!(docs, ["Of a core.", "The same."]);
        assert_eq!(found.broken().len(), 2);
    }
}
