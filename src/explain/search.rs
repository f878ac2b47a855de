//! Which sections of the documents answer a question, in either language.
//!
//! A question is compared as a whole with each heading, and with each phrase that asks the same: how much of the one is in the other,
//! both ways, a word counting the more the fewer sections have it. The text counts less, by BM25 (Robertson and Zaragoza: The Probabilistic
//! Relevance Framework, 2009): the right section may be asked for in words that its heading does not have, and long texts have many words.
//! Chinese has no blanks: each character and each two in a row are a word, a single one counting less.

use bigtpu_messages::Language;
use foldhash::HashSet;

use super::asking::{is_about_symptom, language_of};
use super::library::{Library, rarity};
use super::pages::{Chapter, Scope, short_answers};
use super::section::{Section, Title};
use super::wording;
use super::words::{Alternatives, normal, stem, synonyms, words_asked, words_of};

/// A word that a section repeats counts up to this much more.
const REPEATED: f64 = 1.2;
/// How far the length of a section counts.
const BY_LENGTH: f64 = 0.6;
/// How much the heading or phrase that is most like the question counts, the text, and the headings above it with the document's name.
const OF_TITLE: f64 = 1.0;
const OF_TEXT: f64 = 0.2;
const OF_ABOVE: f64 = 0.1;
/// How much more a heading or phrase counts that has the words of the question and no others.
const OWN: f64 = 0.5;
/// A word without synonyms: what the field speaks of has some.
const ALONE: f64 = 0.7;
/// So much of a heading and of a question are in both where the heading asks the same.
const ASKED_SO: f64 = 0.75;
/// An English answer and a Chinese one that are less certain may be none. Of 37 questions that nothing answers (unanswerable.txt) 22 are below;
/// of those that were held out and got their answer first one in eight, as many in both languages: whoever asks in new words has as many
/// that no heading has.
const WEAK_ANSWER: [f64; 2] = [0.4, 0.35];
/// A section that does not have this share of the question is no answer.
const LEAST_SHARE: f64 = 0.25;
/// A word that means the same as one of the question counts so much of it.
const SYNONYM: f64 = 0.8;
/// Documents for engineers of the format, which are in English.
const FOR_OTHERS: [f64; 2] = [0.3, 0.1];
/// Queries in SQL, where the question is not about these.
const QUERY: f64 = 0.7;
/// Symptoms, where the question is about one.
const SYMPTOM: f64 = 1.2;
/// Short answers: what is like their question was asked before.
const ANSWER: f64 = 1.2;

/// What a question asks about: a word of it, or the words that mean the same.
struct Concept {
    /// In words each; the flag: whether the question itself has it.
    alternatives: Alternatives,
    /// How much it counts: the more the fewer sections have it.
    weight: f64,
}

impl Concept {
    fn new(alternatives: Alternatives, library: &Library) -> Self {
        let mut concept = Self { alternatives, weight: 0.0 };
        if let [(words, _)] = concept.alternatives.as_slice()
            && let [word] = words.as_slice()
        {
            concept.weight = ALONE * library.weight(word);
            return concept;
        }
        let sections = &library.sections;
        let all = sections.len() as f64;
        let having = sections.iter().filter(|section| concept.is_in(section)).count() as f64;
        if having > 0.0 {
            concept.weight = rarity(all, having);
        }
        concept
    }

    fn is_in(&self, section: &Section) -> bool {
        self.alternatives.iter().any(|(words, _)| words.iter().all(|word| section.has(word)))
    }

    fn has(&self, word: &String) -> bool {
        self.alternatives.iter().any(|(words, _)| words.contains(word))
    }

    /// The best of its alternatives, of which `of_word` says how much a word is there. Words that have to be there together are there
    /// as much as the rarest one.
    fn best(&self, of_word: impl Fn(&String) -> f64) -> f64 {
        let of_alternative = |(words, is_own): &(Vec<String>, bool)| {
            let least = words.iter().map(&of_word).fold(f64::INFINITY, f64::min);
            if *is_own { least } else { SYNONYM * least }
        };
        self.alternatives.iter().map(of_alternative).fold(0.0, f64::max)
    }
}

/// What a question asks about, all together.
struct Asked {
    concepts: Vec<Concept>,
    /// The weight of all.
    whole: f64,
    /// The weight of words that no section has.
    unknown: f64,
}

impl Asked {
    fn new(question: &str, library: &Library) -> Self {
        let question = library.spelled(&normal(&wording::numbers_said(question)));
        let (synonyms, rest) = synonyms(question);
        let words = words_asked(&rest);
        let unknown = library.unknown(&words, &rest);
        let words = words.into_iter().map(|word| vec![(vec![word], true)]);
        let all = synonyms.into_iter().chain(words);
        let concepts: Vec<Concept> = all.map(|all| Concept::new(all, library)).collect();
        let whole = concepts.iter().map(|concept| concept.weight).sum::<f64>();
        Self { concepts, whole: whole.max(f64::MIN_POSITIVE), unknown }
    }

    /// The part of the question, by weight, of which `of_word` says how much a word is there.
    fn share(&self, of_word: impl Fn(&String) -> f64) -> f64 {
        let found = self.concepts.iter().map(|concept| concept.weight * concept.best(&of_word));
        found.sum::<f64>() / self.whole
    }

    fn has(&self, word: &String) -> bool {
        self.concepts.iter().any(|concept| concept.has(word))
    }

    /// How much its heading, or the phrase most like it, is like the question: the harmonic mean of the shares that are in both.
    fn title(&self, section: &Section, library: &Library) -> f64 {
        let of_title = |title: &Title| {
            let asked = self.share(|word| f64::from(u8::from(title.all.contains(word))));
            let all: f64 = title.telling.iter().map(|word| library.weight(word)).sum();
            let common = title.telling.iter().filter(|word| self.has(word));
            let common: f64 = common.map(|word| library.weight(word)).sum();
            let told = common / all.max(f64::MIN_POSITIVE);
            2.0 * asked * told / (asked + told).max(f64::MIN_POSITIVE)
        };
        section.titles.iter().map(of_title).fold(0.0, f64::max)
    }

    /// How certain it is that a section answers it, from 0 to 1: how much its heading or a phrase is like the question with all its words,
    /// those too that no section has.
    fn certainty(&self, section: &Section, library: &Library) -> f64 {
        self.title(section, library) * self.whole / (self.whole + self.unknown)
    }

    /// How much a section answers it.
    fn score(&self, section: &Section, library: &Library) -> f64 {
        let title = self.title(section, library);
        let long = 1.0 - BY_LENGTH + BY_LENGTH * section.length / library.mean;
        let text = self.share(|word| {
            let count = section.counts.get(word).copied().unwrap_or(0.0);
            count * (REPEATED + 1.0) / (count + REPEATED * long)
        });
        let above = self.share(|word| f64::from(u8::from(section.above.contains(word))));
        // Whose phrase it is, however much is said of its words elsewhere.
        let title = if title > 0.999 { title + OWN } else { title };
        OF_TITLE * title + OF_TEXT * text + OF_ABOVE * above
    }
}

/// What answers a question.
#[derive(Debug, Clone)]
pub(crate) struct Found {
    /// The best one first.
    pub(super) chapters: Vec<Chapter>,
    /// Whether its heading, or a phrase that asks for it, is much like the question.
    pub(super) is_asked_so: bool,
    /// How certain it is that the first one answers it, from 0 to 1.
    pub(super) certainty: f64,
    /// A first one that is less certain may be no answer.
    pub(super) least_certain: f64,
}

impl Found {
    /// Whether nothing answers the question, as far as is known: the first one is what is nearest.
    pub(super) fn is_weak(&self) -> bool {
        self.certainty < self.least_certain
    }

    /// Puts a chapter first whose very question was asked.
    pub(super) fn put_first(&mut self, chapter: Chapter) {
        self.chapters.retain(|other| other.place() != chapter.place());
        self.chapters.insert(0, chapter);
        self.certainty = 1.0;
    }
}

/// Whether a word is in any section.
pub(super) fn knows(word: &str, shown: Language) -> bool {
    words_of(word).iter().all(|word| Library::in_language(shown).knows(word))
}

/// The sections that answer a question.
pub(super) fn answers(question: &str, shown: Language) -> Found {
    let language = language_of(question, shown);
    let library = Library::in_language(language);
    let asked = Asked::new(question, library);
    let [for_english, for_chinese] = FOR_OTHERS;
    let is_symptom = is_about_symptom(question);
    let asks_for_sql = ["sql", "perfetto", "trace"].iter().any(|w| asked.has(&stem(w).to_owned()));
    let of_scope = |chapter: &Chapter| match chapter.scope() {
        Scope::Symptoms if is_symptom => SYMPTOM,
        Scope::Answers => ANSWER,
        Scope::Queries if !asks_for_sql => QUERY,
        Scope::Format => language.choose(for_english, for_chinese),
        _ => 1.0,
    };
    let mut found: Vec<(f64, &Section)> = library
        .sections
        .iter()
        .filter_map(|section| {
            let share = asked.share(|word| f64::from(u8::from(section.has(word))));
            let score = || share * of_scope(&section.chapter) * asked.score(section, library);
            (share >= LEAST_SHARE).then(|| (score(), section))
        })
        .collect();
    found.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    let best = found.first().map_or(0.0, |(_, best)| asked.title(best, library));
    let certainty = found.first().map_or(0.0, |(_, best)| asked.certainty(best, library));
    let chapters = found.into_iter().map(|(_, section)| section.chapter.shown_in(language, shown));
    let [of_english, of_chinese] = WEAK_ANSWER;
    let least_certain = language.choose(of_english, of_chinese);
    Found { chapters: chapters.collect(), is_asked_so: best >= ASKED_SO, certainty, least_certain }
}

/// The questions of the short answers that have all words of a name.
pub(super) fn questions_with(name: &str, language: Language) -> Vec<Chapter> {
    let asked = words_asked(&normal(name));
    let has = |chapter: &Chapter| {
        let heading: HashSet<String> = words_of(chapter.heading).into_iter().collect();
        !asked.is_empty() && asked.iter().all(|word| heading.contains(word))
    };
    short_answers(language).filter(has).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::super::pages::chapters;
    use super::super::section::INDEX;
    use super::super::words::SAME;
    use super::*;

    #[test]
    fn the_index_names_sections_and_a_synonym_has_one_line() {
        let places: HashSet<String> = chapters(Language::English).map(|c| c.place()).collect();
        for place in INDEX.keys() {
            assert!(places.contains(*place), "{place}");
        }
        let mut seen = HashMap::new();
        for (line, words) in SAME.iter().enumerate() {
            for word in words.iter().filter(|word| !word.trim().is_empty()) {
                let other = *seen.entry(word).or_insert(line);
                assert_eq!(other, line, "{word} stands in two lines");
            }
        }
        assert!(INDEX.len() > 60 && seen.len() > 200, "{} {}", INDEX.len(), seen.len());
    }
}
