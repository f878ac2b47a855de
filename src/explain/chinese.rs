//! What is said in Chinese has no English sentence.

use bigtpu_messages::{Language, templates};

use super::ENTRIES;
use super::fields::FIELDS;
use super::pages::{Scope, chapters};

/// So many English words in a row are a sentence; names of the field are shorter.
const SENTENCE: usize = 5;

/// The English words in a row that a Chinese text has, without code and names.
fn english_sentence(text: &str) -> Option<String> {
    let prose: String = text.split('`').step_by(2).collect::<Vec<_>>().join(" . ");
    let is_word = |word: &&str| {
        let word = word.trim_end_matches([',', ';', ':']);
        word.len() > 1 && word.chars().all(|c| c.is_ascii_lowercase() || c == '\'')
    };
    let words: Vec<&str> = prose.split_whitespace().collect();
    let sentence = words.windows(SENTENCE).find(|some| some.iter().all(is_word))?;
    Some(sentence.join(" "))
}

#[test]
fn chinese_texts_have_no_english_sentences() {
    let mut all: Vec<(String, String)> = Vec::new();
    for entry in &*ENTRIES {
        // Lines of SQL, whose marks are gone.
        let is_sql =
            |line: &&str| ["from ", "group ", "window "].iter().any(|w| line.starts_with(w));
        let lines =
            entry.text(Language::Chinese).lines().map(str::trim).filter(|line| !is_sql(line));
        all.extend(lines.map(|line| (entry.names.join(", "), line.to_owned())));
    }
    all.extend(FIELDS.iter().map(|f| (f.place.clone(), f.text(Language::Chinese).to_owned())));
    all.extend(templates(Language::Chinese).map(|(id, text)| (id.to_owned(), text)));
    for chapter in chapters(Language::Chinese).filter(|c| c.scope() != Scope::Format) {
        // Examples stay as they are.
        let lines = chapter.lines().into_iter().filter(|line| !line.starts_with("    "));
        all.extend(lines.map(|line| (chapter.place(), line)));
    }
    assert!(all.len() > 5000, "{}", all.len());
    let english: Vec<String> = all
        .iter()
        .filter_map(|(name, text)| Some(format!("{name}: {}", english_sentence(text)?)))
        .collect();
    assert!(english.is_empty(), "{}", english.join("\n"));
    assert!(english_sentence("余量：how much later it could end").is_some());
}
