//! Names that explain themselves: no function is named by a bare preposition, and no public type has the name of one of
//! another crate. What broke these rules when they came is in a list, which may only become shorter. No doc begins with a
//! riddle, such as `The same of those`: it begins with what the item is.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;

use crate::generated::repository;
use crate::sources::{all_crates, sources};

/// The list: `fn NAME CRATE COUNT` or `type NAME CRATE...`, by tabs.
const LIST: &str = "xtask/names.tsv";

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

/// What breaks the rules.
#[derive(Debug, Default, PartialEq, Eq)]
struct Found {
    /// How many functions a crate has of a name.
    functions: BTreeMap<(String, String), u64>,
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
            if let Some(function) = function(&words)
                && PREPOSITIONS.contains(&function)
            {
                *self.functions.entry((function.to_owned(), name.to_owned())).or_default() += 1;
            }
            if let Some(of_type) = public_type(&words) {
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

    fn keep_repeated_types(&mut self) {
        self.types.retain(|_, crates| crates.len() > 1);
    }

    fn parse(text: &str) -> Result<Self, String> {
        let mut found = Self::default();
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let wrong = || {
                format!(
                    "{LIST}: {line:?} is neither `fn NAME CRATE COUNT` nor `type NAME CRATE...`"
                )
            };
            match line.split('\t').collect::<Vec<_>>()[..] {
                ["fn", name, of, count] => {
                    let count = count.parse().map_err(|_| wrong())?;
                    found.functions.insert((name.to_owned(), of.to_owned()), count);
                }
                ["type", name, ref crates @ ..] => {
                    let crates = crates.iter().map(|&name| name.to_owned()).collect();
                    found.types.insert(name.to_owned(), crates);
                }
                _ => return Err(wrong()),
            }
        }
        Ok(found)
    }

    fn text(&self) -> String {
        let mut text = String::from(
            "# Names that break the rules of xtask/src/names.rs. The list may only become shorter: cargo run -p xtask -- names\n",
        );
        for ((name, of), count) in &self.functions {
            let _ = writeln!(text, "fn\t{name}\t{of}\t{count}");
        }
        for (name, crates) in &self.types {
            let crates: Vec<&str> = crates.iter().map(String::as_str).collect();
            let _ = writeln!(text, "type\t{name}\t{}", crates.join("\t"));
        }
        text
    }

    /// What is here and not in the list, a sentence each.
    fn missing_from(&self, list: &Self) -> Vec<String> {
        let functions = self.functions.iter().filter_map(|((name, of), count)| {
            let known = list.functions.get(&(name.clone(), of.clone())).copied().unwrap_or(0);
            (*count > known).then(|| {
                format!("{of}: {count} functions are named `{name}`, {known} are listed: name what the function gives")
            })
        });
        let types = self.types.iter().filter_map(|(name, crates)| {
            let known = list.types.get(name);
            let is_new = |of: &&String| known.is_none_or(|known| !known.contains(*of));
            let new: Vec<&str> = crates.iter().filter(is_new).map(String::as_str).collect();
            (!new.is_empty()).then(|| {
                let all: Vec<&str> = crates.iter().map(String::as_str).collect();
                format!(
                    "the public type `{name}` is in {}: a name is that of one thing",
                    all.join(", ")
                )
            })
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
    found.keep_repeated_types();
    Ok(found)
}

/// Fails where a name breaks a rule that the list does not have.
pub(crate) fn check() -> Result<(), String> {
    let list =
        fs::read_to_string(repository().join(LIST)).map_err(|error| format!("{LIST}: {error}"))?;
    let beyond = found()?.missing_from(&Found::parse(&list)?);
    if beyond.is_empty() { Ok(()) } else { Err(beyond.join("\n")) }
}

/// Writes the list anew, which may only become shorter; where there is none it begins with what is here.
pub(crate) fn shrink() -> Result<(), String> {
    if repository().join(LIST).exists() {
        check()?;
    }
    fs::write(repository().join(LIST), found()?.text()).map_err(|error| format!("{LIST}: {error}"))
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

    #[test]
    fn declarations_are_found() {
        let mut found = Found::default();
        found.add("a", SOURCE);
        found.add("b", "pub struct Part;\npub type Others = u8;");
        found.keep_repeated_types();
        // The first is not at the start of its line: rustfmt writes none so.
        assert_eq!(
            found.text().lines().skip(1).collect::<Vec<_>>(),
            ["fn\tat\ta\t1", "fn\tof\ta\t1", "type\tPart\ta\tb"]
        );
        assert_eq!(Found::parse(&found.text()).unwrap(), found);
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
        assert_eq!(found.missing_from(&Found::default()).len(), 2);
    }

    #[test]
    fn the_list_may_only_become_shorter() {
        let list = Found::parse("# head\nfn\tof\ta\t2\ntype\tPart\ta\tb\n").unwrap();
        let now = |text: &str| Found::parse(text).unwrap().missing_from(&list);
        assert!(now("fn\tof\ta\t2\ntype\tPart\ta\tb").is_empty());
        assert!(now("fn\tof\ta\t1").is_empty());
        assert_eq!(now("fn\tof\ta\t3").len(), 1);
        assert_eq!(now("fn\tof\tb\t1\nfn\tat\ta\t1").len(), 2);
        assert_eq!(now("type\tPart\ta\tb\tc\ntype\tKind\ta\tb").len(), 2);
        assert!(Found::parse("fn\tof\ta\tmany").is_err());
    }
}
