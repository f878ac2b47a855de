//! Which sections of the documents answer a question, in either language.
//!
//! Sections are ranked by BM25 (Robertson and Zaragoza: The Probabilistic Relevance Framework, 2009): a word counts the more the
//! fewer sections have it. Words of a heading count more than those of the text, and most where the heading says little else.
//! Chinese has no blanks: each character and each two in a row are a word, a single one counting less.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use bigtpu_messages::Language;

use super::asking::{is_about_symptom, language_of};
use super::pages::{Chapter, Scope, chapters};
use super::words::{
    Alternatives, is_number, is_single, normal, stem, synonyms, words_asked, words_of,
};

/// A word that a section repeats counts up to this much more.
const REPEATED: f64 = 1.2;
/// How far the length of a section counts.
const BY_LENGTH: f64 = 0.6;
/// A word of the heading.
const IN_HEADING: f64 = 4.0;
/// A word of a phrase of the index.
const IN_INDEX: f64 = 4.0;
/// A word of the headings above it, or of the document's name.
const ABOVE: f64 = 1.0;
/// A single Chinese character beside a pair.
const SINGLE: f64 = 0.3;
/// A section that does not have this share of the question is no answer.
const LEAST_SHARE: f64 = 0.25;
/// A word that means the same as one of the question counts so much of it.
const SYNONYM: f64 = 0.8;
/// Documents for engineers of the format, which are in English.
const FOR_OTHERS: [f64; 2] = [0.3, 0.1];
/// Queries in SQL, where the question is not about these.
const QUERY: f64 = 0.7;
/// Symptoms, where the question is about one.
const SYMPTOM: f64 = 1.6;
/// Short answers: what is like their question was asked before.
const ANSWER: f64 = 1.3;

/// A section with its words.
struct Section {
    chapter: Chapter,
    /// What the index of the documents has of it: the words of each phrase.
    indexed: Vec<HashSet<String>>,
    counts: HashMap<String, f64>,
    heading: HashSet<String>,
    above: HashSet<String>,
    length: f64,
}

/// The sections of both languages.
static SECTIONS: [LazyLock<Vec<Section>>; 2] =
    [LazyLock::new(|| sections(Language::English)), LazyLock::new(|| sections(Language::Chinese))];

fn sections(language: Language) -> Vec<Section> {
    chapters(language).map(|chapter| Section::new(chapter, language)).collect()
}

/// The phrases of the index by places, in the order of [`Language::ALL`].
static INDEX: LazyLock<HashMap<&str, [&str; 2]>> = LazyLock::new(|| {
    let lines = include_str!("index.txt").lines().filter(|line| !line.starts_with('#'));
    let places = lines.filter_map(|line| {
        let mut parts = line.split('|').map(str::trim);
        Some((parts.next()?, [parts.next()?, parts.next()?]))
    });
    places.collect()
});

/// What a question asks about: a word of it, or the words that mean the same.
struct Concept {
    /// In words each; the flag: whether the question itself has it.
    alternatives: Alternatives,
    /// How much it counts: the more the fewer sections have it.
    weight: f64,
}

impl Concept {
    fn new(alternatives: Alternatives, sections: &[Section]) -> Self {
        let mut concept = Self { alternatives, weight: 0.0 };
        let all = sections.len() as f64;
        let having = sections.iter().filter(|section| concept.is_in(section)).count() as f64;
        // What no section has tells nothing: most pairs of Chinese characters are no words.
        if having > 0.0 {
            let rarity = (1.0 + (all - having + 0.5) / (having + 0.5)).ln();
            let only = concept.alternatives.first().and_then(|(words, _)| words.first());
            let is_single = concept.alternatives.len() == 1 && only.is_some_and(|w| is_single(w));
            concept.weight = if is_single { SINGLE * rarity } else { rarity };
        }
        concept
    }

    fn is_in(&self, section: &Section) -> bool {
        self.alternatives.iter().any(|(words, _)| words.iter().all(|word| section.has(word)))
    }

    fn has(&self, word: &String) -> bool {
        self.alternatives.iter().any(|(words, _)| words.contains(word))
    }
}

/// The sections that answer a question, the best one first; the flag: whether its heading is all that was asked for.
pub(super) fn answers(question: &str, shown: Language) -> (Vec<Chapter>, bool) {
    let language = language_of(question, shown);
    let [english, chinese] = &SECTIONS;
    let sections = language.choose(english, chinese);
    let (synonyms, rest) = synonyms(question);
    let asked = words_asked(&rest);
    let mean = sections.iter().map(|section| section.length).sum::<f64>()
        / (sections.len() as f64).max(1.0);
    let words = asked.iter().map(|word| vec![(vec![word.clone()], true)]);
    let concepts: Vec<Concept> =
        synonyms.into_iter().chain(words).map(|all| Concept::new(all, sections)).collect();
    let whole: f64 = concepts.iter().map(|concept| concept.weight).sum();
    let [for_english, for_chinese] = FOR_OTHERS;
    let is_symptom = is_about_symptom(question);
    let asks_for = |words: &[&str]| {
        let is_asked = |word: &&str| concepts.iter().any(|c| c.has(&stem(word).to_owned()));
        words.iter().any(is_asked)
    };
    let asks_for_sql = asks_for(&["sql", "perfetto", "trace"]);
    let mut found: Vec<(f64, &Section)> = sections
        .iter()
        .filter_map(|section| {
            let having = concepts.iter().filter(|concept| concept.is_in(section));
            let share =
                having.map(|concept| concept.weight).sum::<f64>() / whole.max(f64::MIN_POSITIVE);
            let scope = match section.chapter.scope() {
                Scope::Symptoms if is_symptom => SYMPTOM,
                Scope::Answers => ANSWER,
                Scope::Queries if !asks_for_sql => QUERY,
                Scope::Format => language.choose(for_english, for_chinese),
                _ => 1.0,
            };
            (share >= LEAST_SHARE)
                .then(|| (section.score(&concepts, mean) * share * scope, section))
        })
        .collect();
    found.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    let given = words_asked(&normal(question));
    let words: HashSet<&String> = given.iter().filter(|word| !is_number(word)).collect();
    let is_named = found
        .first()
        .is_some_and(|(_, best)| !words.is_empty() && words == best.heading.iter().collect());
    let found = found.into_iter().map(|(_, section)| section.chapter);
    (found.map(|chapter| chapter.shown_in(language, shown)).collect(), is_named)
}

/// The questions of the short answers that have all words of a name.
pub(super) fn questions_with(name: &str, language: Language) -> Vec<Chapter> {
    let asked = words_asked(&normal(name));
    let has = |chapter: &Chapter| {
        let is_answer = chapter.scope() == Scope::Answers && !chapter.is_document();
        if !is_answer || asked.is_empty() {
            return false;
        }
        let heading: HashSet<String> = words_of(chapter.heading).into_iter().collect();
        asked.iter().all(|word| heading.contains(word))
    };
    chapters(language).filter(has).collect()
}

impl Section {
    fn new(chapter: Chapter, language: Language) -> Self {
        let phrases = INDEX.get(&*chapter.place()).map(|[english, chinese]| {
            let phrases = language.choose(english, chinese).split(',');
            phrases.map(|phrase| words_asked(&normal(phrase)).into_iter().collect()).collect()
        });
        let mut counts = HashMap::new();
        let words = words_of(chapter.own);
        let length = words.len() as f64;
        for word in words {
            *counts.entry(word).or_insert(0.0) += 1.0;
        }
        let set = |text: &str| words_of(text).into_iter().collect();
        // The name of a document stands for all that is in it.
        let heading = if chapter.is_document() { HashSet::new() } else { set(chapter.heading) };
        let above = set(&format!("{} {}", chapter.path_of_headings(), chapter.heading));
        Self { chapter, indexed: phrases.unwrap_or_default(), counts, heading, above, length }
    }

    fn has(&self, word: &String) -> bool {
        self.counts.contains_key(word)
            || self.above.contains(word)
            || self.indexed.iter().any(|phrase| phrase.contains(word))
    }

    fn score(&self, concepts: &[Concept], mean: f64) -> f64 {
        let is_common = |word: &&String| concepts.iter().any(|concept| concept.has(word));
        let covered = |words: &HashSet<String>| {
            let common = words.iter().filter(is_common).count() as f64;
            0.2 + 0.8 * common / (words.len().max(1) as f64)
        };
        let of_heading = covered(&self.heading);
        let indexed: Vec<_> = self.indexed.iter().map(|words| (words, covered(words))).collect();
        let long = 1.0 - BY_LENGTH + BY_LENGTH * self.length / mean;
        let of_word = |word: &String| {
            let count = self.counts.get(word).copied().unwrap_or(0.0);
            let in_text = count * (REPEATED + 1.0) / (count + REPEATED * long);
            let in_heading =
                if self.heading.contains(word) { IN_HEADING * of_heading } else { 0.0 };
            let above = if self.above.contains(word) { ABOVE } else { 0.0 };
            let having = indexed.iter().filter(|(words, _)| words.contains(word));
            let in_index = having.map(|(_, covered)| IN_INDEX * covered).fold(0.0, f64::max);
            in_text + in_heading.max(in_index) + above
        };
        // Words that have to be there together are there as much as the rarest one.
        let of_alternative = |(words, is_own): &(Vec<String>, bool)| {
            let least = words.iter().map(of_word).fold(f64::INFINITY, f64::min);
            if *is_own { least } else { SYNONYM * least }
        };
        let of_concept = |concept: &Concept| {
            let best = concept.alternatives.iter().map(of_alternative).fold(0.0, f64::max);
            concept.weight * best
        };
        concepts.iter().map(of_concept).sum()
    }
}

#[cfg(test)]
mod tests {
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
        assert!(INDEX.len() > 70 && seen.len() > 200, "{} {}", INDEX.len(), seen.len());
    }
}
