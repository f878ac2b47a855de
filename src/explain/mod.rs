//! `bigtpuprofile explain`: what the documents say of a rule, a term, a column or a field; and the documents themselves.

mod document;
mod pages;

use std::sync::LazyLock;

use anyhow::Result;
use bigtpu_emit_text::console::{Screen, standard};
use bigtpu_messages::{Language, Message, message};
use bigtpu_output::{Lines, Text, text};

use crate::args::explain::Args;
use crate::console::ignore_broken_pipe;
use document::{Document, Entry};

/// A document in English and in Chinese.
macro_rules! document {
    ($name:literal, $kind:literal) => {
        Document {
            texts: [
                include_str!(concat!("../../docs/", $name, ".md")),
                include_str!(concat!("../../docs/", $name, ".zh-CN.md")),
            ],
            kind: $kind,
        }
    };
}

/// Its sections are the rules.
const ADVICE: Document = document!("advice", "explain-rule");
/// Its table has the terms in both languages.
const TERMS: &str = include_str!("../../docs/glossary.md");
/// Their sections, and the rows of their tables.
const OTHERS: [Document; 3] = [
    document!("analysis", "explain-metric"),
    document!("events", "explain-column"),
    document!("query", "explain-field"),
];

/// All that can be explained: rules first.
fn entries() -> Vec<Entry> {
    let mut all = ADVICE.sections();
    all.extend(document::terms(TERMS));
    for other in OTHERS {
        all.extend(other.rows());
        all.extend(other.sections());
    }
    all
}

/// The names of all that can be explained, each once: clap keeps them.
static NAMES: LazyLock<Vec<String>> = LazyLock::new(|| {
    let mut names: Vec<String> = Vec::new();
    for name in entries().into_iter().flat_map(|entry| entry.names) {
        if !names.iter().any(|known| is_same(known, &name)) {
            names.push(name);
        }
    }
    names
});

/// The names of all that can be explained, each once.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    NAMES.iter().map(String::as_str)
}

/// Whether it is the place of a document, or of a section of one.
pub(crate) fn is_page(name: &str) -> bool {
    pages::find(name, Language::English).is_some()
}

/// A name in small letters, with blanks for `-` and `_`.
pub(crate) fn plain(name: &str) -> String {
    name.to_lowercase().replace(['-', '_'], " ")
}

/// Whether two names are the same, however they are written.
pub(crate) fn is_same(one: &str, other: &str) -> bool {
    plain(one) == plain(other)
}

/// Prints what is said of the name; without one the names of all.
pub(crate) fn run(args: &Args) -> Result<()> {
    let language = args.lang.language();
    let text = match &args.name {
        None => list(language),
        Some(name) if is_page(name) => {
            let lines = pages::find(name, language).unwrap_or_default().lines();
            Text::<Lines>::joined(lines.map(|line| text!("{}\n", line)), "")
        }
        Some(name) => {
            let entries = entries().into_iter().filter(|entry| entry.is_called(name));
            Text::<Lines>::joined(entries.map(|entry| shown(&entry, language)), "")
        }
    };
    ignore_broken_pipe(standard::lines(&text).map_err(Into::into))
}

/// The names, those of a kind below their heading.
fn list(language: Language) -> Text<Lines> {
    let mut lines: Vec<Text<Lines>> = Vec::new();
    let mut kind = "";
    for entry in entries() {
        if entry.kind != kind {
            kind = entry.kind;
            let heading = Message::new(kind).text(language);
            if !lines.is_empty() {
                lines.push(text!("\n"));
            }
            lines.push(text!("{}:\n", heading));
        }
        lines.push(text!("  {}\n", entry.names.join(", ")));
    }
    lines.push(text!("\n{}:\n", Message::new("explain-document").text(language)));
    lines.extend(pages::places().map(|place| text!("  {}\n", place)));
    lines.push(text!("\n{}\n", message!("explain-how").text(language)));
    Text::<Lines>::joined(lines, "")
}

/// Its name, what kind of thing it is, and its text with lines joined, so that they fit the terminal; items of a list, and
/// what the replay does, begin lines.
fn shown(entry: &Entry, language: Language) -> Text<Lines> {
    let screen = Screen::stdout();
    let text = entry.text(language);
    let mut lines: Vec<String> = Vec::new();
    for line in text.trim().lines().map(str::trim) {
        let begins = line.is_empty()
            || line.starts_with("- ")
            || line.starts_with('|')
            || line.starts_with("Replay:");
        match lines.last_mut().filter(|last| !begins && !last.is_empty() && !last.starts_with('|'))
        {
            // A line of the Chinese document is a paragraph: without blanks between words it can't be joined.
            Some(last) if language == Language::English => *last = format!("{last} {line}"),
            _ => lines.push(line.to_owned()),
        }
    }
    let shown = lines.iter().map(|line| -> Text<Lines> {
        match language {
            Language::English if !line.starts_with('|') => text!("{}\n", screen.text(line)),
            // A terminal breaks it between any two characters.
            _ => text!("{}\n", line),
        }
    });
    let kind = Message::new(entry.kind).text(language);
    let name = entry.names.join(", ");
    text!("{} ({})\n\n{}\n", name, kind, Text::<Lines>::joined(shown, ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_has_a_text_in_both_languages() {
        let all = entries();
        assert!(all.len() > 150, "{}", all.len());
        for entry in &all {
            for language in Language::ALL {
                assert!(!entry.text(language).trim().is_empty(), "{:?} {language:?}", entry.names);
            }
        }
        for name in [
            "slack",
            "serialized",
            "uArch rate",
            "on_critical_path",
            "p95_ns",
            "overlap ratio",
            "Roofline",
            "dur",
        ] {
            assert!(names().any(|known| known == name), "{name}");
        }
    }

    #[test]
    fn documents_in_two_languages_have_the_same_tables() {
        for document in OTHERS {
            let [english, chinese] = document.texts.map(document::tables);
            let sizes = |tables: &[document::TableOfDocument]| {
                tables.iter().map(|table| table.rows.len()).collect::<Vec<_>>()
            };
            assert_eq!(sizes(&english), sizes(&chinese), "{}", document.kind);
        }
    }
}
