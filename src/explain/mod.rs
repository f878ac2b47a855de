//! `bigtpuprofile explain`: what the documents and schemas say of a rule, a term, a column or a field; what a sentence of the
//! program is; and the documents themselves.

mod asking;
mod document;
mod examples;
mod fields;
mod library;
mod markdown;
mod meaning;
mod pages;
mod search;
mod section;
mod sentences;
mod show;
mod wording;
mod words;

use std::sync::LazyLock;

use bigtpu_answers::tables::UNIT_COLUMNS;
use bigtpu_messages::Language;

use document::{Document, Entry};
use fields::{FIELDS, Field};
use pages::Chapter;
use search::Found;
use sentences::Sentence;

pub(crate) use show::run;

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
/// Words that are not used in their place.
const UNUSED_WORDS: &str = include_str!("../../docs/terms.tsv");
/// Their sections, and the rows of their tables.
const OTHERS: [Document; 4] = [
    document!("analysis", "explain-metric"),
    document!("events", "explain-column"),
    document!("query", "explain-field"),
    document!("columns", "explain-table"),
];

/// What quotes sentences of the program, with causes and ways out.
const QUOTING: [Document; 2] =
    [document!("symptoms", "explain-document"), document!("first-run", "explain-document")];

/// All that documents explain: rules first.
static ENTRIES: LazyLock<Vec<Entry>> = LazyLock::new(|| {
    let mut all = ADVICE.sections();
    all.extend(document::terms(TERMS));
    for other in OTHERS {
        all.extend(other.rows());
        all.extend(other.sections());
    }
    // Tables have titles of the columns whose ids the document lists.
    for entry in &mut all {
        let columns =
            UNIT_COLUMNS.iter().filter(|column| entry.names.iter().any(|name| name == column.id));
        let titles = columns.flat_map(|column| [column.title.0, column.title.1, column.short]);
        entry.aliases.extend(titles.map(str::to_owned));
    }
    all
});

/// The names of all that is explained, each once: clap keeps them. Sentences have none.
static NAMES: LazyLock<Vec<&str>> = LazyLock::new(|| {
    let mut names: Vec<&str> = Vec::new();
    let of_entries = ENTRIES.iter().flat_map(|entry| &entry.names);
    for name in of_entries.chain(FIELDS.iter().map(|field| &field.name)) {
        if !names.iter().any(|known| is_same(known, name)) {
            names.push(name);
        }
    }
    names
});

/// The names of all that is explained, each once.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    NAMES.iter().copied()
}

/// A name in small letters, with blanks for `-` and `_`.
pub(crate) fn plain(name: &str) -> String {
    name.to_lowercase().replace(['-', '_'], " ")
}

/// Whether two names are the same, however they are written.
fn is_same(one: &str, other: &str) -> bool {
    plain(one) == plain(other)
}

/// A name without its unit, and without what separates words: `ComputeOnly(us)` of a table is `compute_only_ns` of report.json.
fn without_unit(name: &str) -> String {
    let name = name.to_lowercase();
    let name = name.split_once('(').map_or(&*name, |(name, _)| name);
    let units = ["_ns", "_us", " ns", " us"];
    let name = units.iter().find_map(|unit| name.strip_suffix(unit)).unwrap_or(name);
    name.chars().filter(|c| c.is_alphanumeric()).collect()
}

/// What is said of a name or a sentence.
#[derive(Debug, Clone)]
pub(crate) enum Explained {
    /// A document or a section of it.
    Page(Chapter),
    /// What documents and schemas say of a name.
    Named(Vec<&'static Entry>, Vec<&'static Field>),
    /// Sentences of the program.
    Sentences(Vec<Sentence>),
    /// Chapters in which the words are.
    Chapters(Found),
}

/// A name is at least this similar (Jaro) to a misspelled one.
const MISSPELLED: f64 = 0.9;
/// A name that is less similar is no guess of what was meant.
const SIMILAR: f64 = 0.8;

/// What is said of it; the nearest name where it is none, `None` where there is no similar one either.
pub(crate) fn explained(
    given: &str,
    language: Language,
) -> Result<Explained, Option<&'static str>> {
    if let Some(page) = pages::find(given, language) {
        return Ok(Explained::Page(page));
    }
    let given = &*wording::written(given);
    if let Some(answer) = pages::answer_to(given, asking::language_of(given, language)) {
        let mut found = search::answers(given, language);
        found.put_first(answer);
        return Ok(Explained::Chapters(found));
    }
    let subject = meaning::subject(given);
    if let Some(named) = explained_name(given, subject.as_deref(), language) {
        return Ok(named);
    }
    let asked = given;
    let given = subject.as_deref().unwrap_or(given);
    let is_question = asking::is_question(asked);
    let sentences = if is_question { Vec::new() } else { sentences::find(given, language) };
    let is_id = sentences.iter().any(|sentence| sentence.id == given);
    if is_id || sentences::is_part_of(given, &sentences) {
        return Ok(Explained::Sentences(sentences));
    }
    let found = search::answers(given, language);
    let (nearest, likeness) = nearest_name(given);
    // Who writes more words than the name has asks something about it.
    let words = |name: &str| plain(name).split_whitespace().count();
    let is_as_long = nearest.is_some_and(|name| words(name) == words(given));
    let is_misspelled = is_as_long && likeness >= MISSPELLED;
    let is_asked_so = found.is_asked_so && !is_misspelled;
    // A few words with some of a sentence are no part of it, unless they look like what was printed.
    let is_own = !sentences::is_printed(given) && !found.is_weak() && !is_misspelled;
    if !found.chapters.is_empty() && (is_question || is_asked_so || is_own && !is_name(given)) {
        return Ok(Explained::Chapters(found));
    }
    if is_misspelled {
        return Err(nearest);
    }
    if !sentences.is_empty() {
        return Ok(Explained::Sentences(sentences));
    }
    // Sections that have parts of a name only say nothing of it.
    if !found.chapters.is_empty() && (!is_name(given) || search::knows(given, language)) {
        return Ok(Explained::Chapters(found));
    }
    Err(nearest)
}

/// What has the name that is given or, as its subject, asked for; `None` where more is asked.
fn explained_name(asked: &str, subject: Option<&str>, language: Language) -> Option<Explained> {
    let given = subject.unwrap_or(asked);
    if meaning::asks_for_difference(asked) && asking::is_question(asked) {
        return None;
    }
    if let Some((entries, fields)) = meaning::called(given) {
        let entries = if entries.is_empty() { terms_in(given) } else { entries };
        return Some(Explained::Named(entries, fields));
    }
    let terms = terms_in(given);
    if subject.is_some() && terms.len() == given.split_whitespace().count() {
        return Some(Explained::Named(terms, Vec::new()));
    }
    let named = meaning::names_asked(asked).or_else(|| meaning::identifiers_asked(asked));
    if let Some((entries, fields)) = named {
        return Some(Explained::Named(entries, fields));
    }
    if let Some(page) = pages::named(&given.to_lowercase(), language) {
        return Some(Explained::Page(page));
    }
    let elsewhere = meaning::called_elsewhere(given)?;
    Some(Explained::Named(vec![elsewhere], Vec::new()))
}

/// The name that is most like it, if it is at all, and how much.
fn nearest_name(given: &str) -> (Option<&'static str>, f64) {
    let likeness = |name: &str| strsim::jaro(&plain(given), &plain(name));
    let all = names().map(|name| (name, likeness(name)));
    let nearest = all.max_by(|(_, one), (_, other)| one.total_cmp(other));
    let nearest = nearest.filter(|(_, likeness)| *likeness >= SIMILAR);
    nearest.map_or((None, 0.0), |(name, likeness)| (Some(name), likeness))
}

/// Whether it is one English word: who asks for something else than a name says more.
fn is_name(given: &str) -> bool {
    given.is_ascii() && given.split_whitespace().count() == 1 && !asking::is_question(given)
}

/// The terms among the words of a name.
fn terms_in(name: &str) -> Vec<&'static Entry> {
    let name = plain(name);
    let is_meant = |entry: &&Entry| {
        entry.kind == "explain-term" && name.split(' ').any(|word| entry.is_called(word, is_same))
    };
    ENTRIES.iter().filter(is_meant).collect()
}

#[cfg(test)]
mod chinese;
#[cfg(test)]
mod questions;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_has_a_text_in_both_languages() {
        let all = &*ENTRIES;
        assert!(all.len() > 150, "{}", all.len());
        for entry in all {
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
            "wall_ns",
            "completeness",
            "loss",
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
