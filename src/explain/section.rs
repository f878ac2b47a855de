//! A section of the documents as the search sees it: what it is asked with, and its words.

use std::sync::LazyLock;

use bigtpu_messages::Language;
use foldhash::{HashMap, HashSet};

use super::pages::Chapter;
use super::wording::numbers_said;
use super::words::{is_single, normal, words_asked, words_of};

/// The phrases of the index by places, in the order of [`Language::ALL`].
pub(super) static INDEX: LazyLock<HashMap<&str, [&str; 2]>> = LazyLock::new(|| {
    let lines = include_str!("index.txt").lines().filter(|line| !line.starts_with('#'));
    let places = lines.filter_map(|line| {
        let mut parts = line.split('|').map(str::trim);
        Some((parts.next()?, [parts.next()?, parts.next()?]))
    });
    places.collect()
});

/// The words of a heading, or of a phrase that asks the same.
pub(super) struct Title {
    pub(super) all: HashSet<String>,
    /// Without those of questions.
    pub(super) telling: Vec<String>,
}

impl Title {
    fn new(text: &str) -> Self {
        let text = normal(&numbers_said(text));
        Self { all: words_of(&text).into_iter().collect(), telling: words_asked(&text) }
    }
}

/// The parts of a heading that asks several things.
fn parts_of(heading: &str) -> impl Iterator<Item = Title> {
    let marks = [',', ':', '?', '，', '：', '？', '、'];
    heading.split(marks).filter(|part| part.len() < heading.len() - 1).map(Title::new)
}

/// A section with its words.
pub(super) struct Section {
    pub(super) chapter: Chapter,
    /// The words of its heading, and of each phrase of the index or of its own that asks for it.
    pub(super) titles: Vec<Title>,
    pub(super) counts: HashMap<String, f64>,
    pub(super) above: HashSet<String>,
    pub(super) length: f64,
    /// All its words.
    pub(super) all: HashSet<String>,
}

impl Section {
    pub(super) fn new(chapter: Chapter, language: Language) -> Self {
        let indexed = INDEX
            .get(&*chapter.place())
            .map_or("", |[english, chinese]| language.choose(english, chinese));
        let phrases = indexed.split(',').chain(chapter.asked()).filter(|phrase| !phrase.is_empty());
        let is_more =
            |title: &Title| title.telling.iter().filter(|word| !is_single(word)).count() > 1;
        let parts = parts_of(chapter.heading).filter(is_more);
        let whole = [chapter.heading].into_iter().chain(phrases).map(Title::new);
        let titles: Vec<Title> = whole.chain(parts).collect();
        let mut counts = HashMap::default();
        let words = words_of(&chapter.told());
        let length = words.len() as f64;
        for word in words {
            *counts.entry(word).or_insert(0.0) += 1.0;
        }
        let above = words_of(&format!("{} {}", chapter.path_of_headings(), chapter.heading));
        let above: HashSet<String> = above.into_iter().collect();
        let of_titles = titles.iter().flat_map(|title| &title.all);
        let all = counts.keys().chain(&above).chain(of_titles).cloned().collect();
        Self { chapter, titles, counts, above, length, all }
    }

    pub(super) fn has(&self, word: &String) -> bool {
        self.all.contains(word)
    }
}
