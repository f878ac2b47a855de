//! All sections of a language as the search sees them: how rare each word is, and which words are known.

use std::sync::LazyLock;

use bigtpu_messages::Language;
use foldhash::HashMap;

use super::pages::chapters;
use super::section::Section;
use super::wording;
use super::words::{UNITS, is_single, is_synonym, stem};

/// A word that one section alone has counts no more than this: it may be there by chance.
const MOST_RARE: f64 = 3.0;
/// A number, a letter, or a single Chinese character beside a pair.
const WEAK: f64 = 0.3;

/// All sections of a language, with how rare each word is.
pub(super) struct Library {
    pub(super) sections: Vec<Section>,
    /// How rare each word is: the more, the fewer sections have it.
    rarity: HashMap<String, f64>,
    /// Words of a section.
    pub(super) mean: f64,
}

/// The sections of both languages.
static LIBRARIES: [LazyLock<Library>; 2] = [
    LazyLock::new(|| Library::new(Language::English)),
    LazyLock::new(|| Library::new(Language::Chinese)),
];

/// How rare a word is that so many of all sections have.
pub(super) fn rarity(all: f64, having: f64) -> f64 {
    (1.0 + (all - having + 0.5) / (having + 0.5)).ln().min(MOST_RARE)
}

impl Library {
    /// The library of a language.
    pub(super) fn in_language(language: Language) -> &'static Self {
        let [english, chinese] = &LIBRARIES;
        language.choose(english, chinese)
    }

    /// Whether a word is in any section.
    pub(super) fn knows(&self, word: &str) -> bool {
        self.rarity.contains_key(word)
    }

    fn new(language: Language) -> Self {
        // What stands before the sections of a document introduces it and answers nothing.
        let chapters = chapters(language).filter(|chapter| !chapter.is_document());
        let sections: Vec<Section> =
            chapters.map(|chapter| Section::new(chapter, language)).collect();
        let mut having: HashMap<String, f64> = HashMap::default();
        for section in &sections {
            for word in &section.all {
                *having.entry(word.clone()).or_insert(0.0) += 1.0;
            }
        }
        let all = sections.len() as f64;
        let rarity = having.into_iter().map(|(word, having)| (word, rarity(all, having))).collect();
        let lengths: f64 = sections.iter().map(|section| section.length).sum();
        Self { rarity, mean: lengths / all.max(1.0), sections }
    }

    /// A normal question with known words in place of misspelled ones.
    pub(super) fn spelled(&self, question: &str) -> String {
        let known = || self.rarity.iter().map(|(word, rarity)| (word.as_str(), *rarity));
        let rarity = |word: &str| self.rarity.get(word).copied().unwrap_or(f64::INFINITY);
        let spelled = |word: &str| match wording::numbered(word) {
            // The word alone is a commoner one.
            Some((name, number)) if rarity(stem(name)) < rarity(word) => {
                format!("{} {number}", stem(name))
            }
            _ if self.knows(word) || is_synonym(word) => word.to_owned(),
            _ => wording::nearest(word, known()).unwrap_or(word).to_owned(),
        };
        question.split(' ').map(spelled).collect::<Vec<_>>().join(" ")
    }

    /// The weight of what a question asks with words that no section has. A pair of Chinese characters may be of two words: a character
    /// counts where it is in no known pair.
    pub(super) fn unknown(&self, words: &[String], rest: &str) -> f64 {
        let is_word = |word: &&String| word.is_ascii() && word.len() > 1 && !self.knows(word);
        let english = words.iter().filter(is_word).count() as f64 * MOST_RARE;
        let chars: Vec<char> = rest.chars().collect();
        let is_in_pair = |at: usize| {
            let pair = |start: usize| chars.get(start..start + 2).map(String::from_iter);
            [Some(at), at.checked_sub(1)]
                .into_iter()
                .flatten()
                .filter_map(pair)
                .any(|pair| self.knows(&pair))
        };
        let singles = words.iter().filter(|word| is_single(word));
        let alone = singles.filter(|word| {
            let at = chars.iter().position(|c| word.starts_with(*c));
            at.is_some_and(|at| !is_in_pair(at))
        });
        english + alone.count() as f64
    }

    /// How much a word tells: nothing where no section has it, as most pairs of Chinese characters are no words.
    pub(super) fn weight(&self, word: &String) -> f64 {
        let rarity = self.rarity.get(word).copied().unwrap_or(0.0);
        let is_weak = is_single(word)
            || word.len() == 1
            || UNITS.contains(&word.as_str())
            || word.starts_with(|c: char| c.is_ascii_digit());
        if is_weak { WEAK * rarity } else { rarity }
    }
}
