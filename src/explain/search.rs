//! Which sections of the documents answer a question, in either language.
//!
//! Sections are ranked by BM25 (Robertson and Zaragoza: The Probabilistic Relevance Framework, 2009): a word counts the more the
//! fewer sections have it. Words of a heading count more than those of the text, and most where the heading says little else.
//! Chinese has no blanks: each character and each two in a row are a word, a single one counting less.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use bigtpu_messages::Language;

use super::TERMS;
use super::document::unused_words;
use super::pages::{Chapter, Scope, chapters};

/// A word that a section repeats counts up to this much more.
const REPEATED: f64 = 1.2;
/// How far the length of a section counts.
const BY_LENGTH: f64 = 0.6;
/// A word of the heading.
const IN_HEADING: f64 = 4.0;
/// A word of the headings above it, or of the document's name.
const ABOVE: f64 = 1.0;
/// A single Chinese character beside a pair.
const SINGLE: f64 = 0.3;
/// A section that does not have this share of the question is no answer.
const LEAST_SHARE: f64 = 0.25;
/// Documents for engineers of the format, which are in English.
const FOR_OTHERS: [f64; 2] = [0.5, 0.1];
/// Queries in SQL, where the question is not about these.
const QUERY: f64 = 0.7;
/// Symptoms, where the question is about one.
const SYMPTOM: f64 = 1.6;

/// Words that questions have and answers do not.
const OF_QUESTIONS: [&str; 91] = [
    "a", "an", "and", "are", "be", "been", "but", "by", "can", "could", "do", "does", "did",
    "find", "for", "from", "get", "go", "had", "has", "have", "how", "i", "if", "in", "into", "is",
    "it", "its", "many", "me", "mean", "much", "must", "my", "not", "of", "on", "or", "our", "out",
    "see", "should", "show", "so", "some", "tell", "than", "that", "the", "their", "them", "there",
    "these", "they", "this", "to", "too", "up", "use", "was", "way", "we", "were", "what", "when",
    "where", "which", "who", "why", "will", "with", "would", "you", "your", "am", "as", "at",
    "give", "let", "make", "need", "now", "one", "only", "say", "take", "then", "us", "want",
    "yet",
];
/// Words that Chinese questions have and answers do not, the longest ones first.
const OF_CHINESE_QUESTIONS: [&str; 36] = [
    "怎么办",
    "怎么样",
    "为什么",
    "能不能",
    "怎么",
    "怎样",
    "如何",
    "为何",
    "什么",
    "多少",
    "哪个",
    "哪些",
    "哪里",
    "可以",
    "请问",
    "所有",
    "一起",
    "是否",
    "吗",
    "呢",
    "了",
    "的",
    "地",
    "得",
    "里",
    "在",
    "把",
    "被",
    "是",
    "用",
    "看",
    "我",
    "办",
    "和",
    "与",
    "？",
];
/// What asks for a meaning, before and behind the name.
const OF_MEANINGS: [(&str, &str); 12] = [
    ("what is an ", ""),
    ("what is a ", ""),
    ("what is the ", ""),
    ("what is ", ""),
    ("what are the ", ""),
    ("what are ", ""),
    ("what does ", " mean"),
    ("什么是", ""),
    ("什么叫", ""),
    ("", "是什么意思"),
    ("", "是什么"),
    ("", "什么意思"),
];
/// Who asks so has a problem.
const OF_SYMPTOMS: [&str; 5] = ["why ", "怎么办", "为什么", "为何", "打不开"];
/// How questions begin or end.
const ASKING: [&str; 24] = [
    "how ", "what ", "when ", "where ", "which ", "who ", "why ", "can ", "do ", "does ", "is ",
    "are ", "should ", "will ", "怎么", "怎样", "如何", "什么", "为何", "多少", "哪", "吗", "能否",
    "是否",
];

/// A section with its words.
struct Section {
    chapter: Chapter,
    counts: HashMap<String, f64>,
    heading: HashSet<String>,
    above: HashSet<String>,
    length: f64,
}

/// The sections of both languages.
static SECTIONS: [LazyLock<Vec<Section>>; 2] = [
    LazyLock::new(|| chapters(Language::English).map(Section::new).collect()),
    LazyLock::new(|| chapters(Language::Chinese).map(Section::new).collect()),
];

/// Whether a text asks something, and is no sentence of the program.
pub(super) fn is_question(given: &str) -> bool {
    let given = given.to_lowercase();
    given.ends_with(['?', '？'])
        || ASKING.iter().any(|word| match word.is_ascii() {
            true => given.starts_with(word),
            false => given.contains(word),
        })
}

/// The name whose meaning is asked for.
pub(super) fn subject(given: &str) -> Option<String> {
    let given = given.trim().trim_end_matches(['?', '？']).to_lowercase();
    let name = OF_MEANINGS
        .iter()
        .find_map(|(before, behind)| given.strip_prefix(before)?.strip_suffix(behind))?;
    Some(name.trim().to_owned())
}

/// The sections that answer a question, the best one first; the flag: whether its heading is all that was asked for.
pub(super) fn answers(question: &str, language: Language) -> (Vec<Chapter>, bool) {
    let [english, chinese] = &SECTIONS;
    let sections = language.choose(english, chinese);
    let asked = asked(question);
    let all = sections.len() as f64;
    let mean = sections.iter().map(|section| section.length).sum::<f64>() / all.max(1.0);
    let weights: Vec<(&String, f64)> = asked
        .iter()
        .map(|word| {
            let having = sections.iter().filter(|section| section.has(word)).count() as f64;
            let is_single = !word.is_ascii() && word.chars().count() == 1;
            let part = if is_single { SINGLE } else { 1.0 };
            let rarity = (1.0 + (all - having + 0.5) / (having + 0.5)).ln();
            // What no section has tells nothing: most pairs of Chinese characters are no words.
            (word, if having > 0.0 { part * rarity } else { 0.0 })
        })
        .collect();
    let whole: f64 = weights.iter().map(|(_, weight)| weight).sum();
    let [for_english, for_chinese] = FOR_OTHERS;
    let is_symptom = OF_SYMPTOMS.iter().any(|mark| question.to_lowercase().contains(mark));
    let asks_for_sql =
        ["sql", "perfetto", "trace"].iter().any(|word| asked.contains(&stem(word).to_owned()));
    let mut found: Vec<(f64, &Section)> = sections
        .iter()
        .filter_map(|section| {
            let share = section.share(&weights) / whole.max(f64::MIN_POSITIVE);
            let scope = match section.chapter.scope() {
                Scope::Symptoms if is_symptom => SYMPTOM,
                Scope::Queries if !asks_for_sql => QUERY,
                Scope::Format => language.choose(for_english, for_chinese),
                _ => 1.0,
            };
            (share >= LEAST_SHARE)
                .then(|| (section.score(&weights, &asked, mean) * share * scope, section))
        })
        .collect();
    found.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    let words: HashSet<&String> = asked.iter().filter(|word| !is_number(word)).collect();
    let is_named = found
        .first()
        .is_some_and(|(_, best)| !words.is_empty() && words == best.heading.iter().collect());
    (found.into_iter().map(|(_, section)| section.chapter).collect(), is_named)
}

impl Section {
    fn new(chapter: Chapter) -> Self {
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
        Self { chapter, counts, heading, above, length }
    }

    fn has(&self, word: &String) -> bool {
        self.counts.contains_key(word) || self.above.contains(word)
    }

    /// The weights of the words that it has.
    fn share(&self, weights: &[(&String, f64)]) -> f64 {
        weights.iter().filter(|(word, _)| self.has(word)).map(|(_, weight)| weight).sum()
    }

    fn score(&self, weights: &[(&String, f64)], asked: &[String], mean: f64) -> f64 {
        let common = asked.iter().filter(|word| self.heading.contains(*word)).count() as f64;
        let of_heading = 0.2 + 0.8 * common / (self.heading.len().max(1) as f64);
        let long = 1.0 - BY_LENGTH + BY_LENGTH * self.length / mean;
        let score = |(word, weight): &(&String, f64)| {
            let count = self.counts.get(*word).copied().unwrap_or(0.0);
            let in_text = count * (REPEATED + 1.0) / (count + REPEATED * long);
            let in_heading =
                if self.heading.contains(*word) { IN_HEADING * of_heading } else { 0.0 };
            let above = if self.above.contains(*word) { ABOVE } else { 0.0 };
            weight * (in_text + in_heading + above)
        };
        weights.iter().map(score).sum()
    }
}

/// The words of a question that an answer may have, each once; words that the documents do not use are those that they do.
fn asked(question: &str) -> Vec<String> {
    let mut question = question.to_lowercase();
    for (unused, term) in unused_words(TERMS) {
        question = question.replace(&unused, &term);
    }
    let question = OF_CHINESE_QUESTIONS.iter().fold(question, |text, word| text.replace(word, " "));
    let mut words: Vec<String> = Vec::new();
    for part in question.split(|c: char| !c.is_alphanumeric() && c != '_') {
        if !OF_QUESTIONS.contains(&part) {
            words.extend(words_of(part));
        }
    }
    let mut seen = HashSet::new();
    words.retain(|word| seen.insert(word.clone()));
    words
}

fn is_number(word: &str) -> bool {
    word.chars().all(|c| c.is_ascii_digit())
}

/// Words in small letters, without their endings; of Chinese each character, and each two.
fn words_of(text: &str) -> Vec<String> {
    let text = text.to_lowercase();
    let mut words = Vec::new();
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    for part in text.split(|c: char| !c.is_alphanumeric() && c != '_') {
        for word in part.split(|c| !is_part(c)).filter(|word| !word.is_empty()) {
            words.push(stem(word).to_owned());
            if word.contains('_') {
                words.extend(word.split('_').filter(|w| !w.is_empty()).map(|w| stem(w).to_owned()));
            }
        }
        for run in part.split(is_part).filter(|run| !run.is_empty()) {
            let characters: Vec<char> = run.chars().collect();
            words.extend(characters.iter().map(char::to_string));
            words.extend(characters.windows(2).map(|two| two.iter().collect::<String>()));
        }
    }
    words
}

/// A word without its ending: `compared` and `compares` are one.
fn stem(word: &str) -> &str {
    let endings: &[&str] = match word.len() {
        0..4 => return word,
        _ if word.contains('_') => return word,
        4 => &["s"],
        _ => &["ing", "ies", "ed", "es", "s", "e"],
    };
    let short = endings.iter().find_map(|end| word.strip_suffix(end)).filter(|w| w.len() > 2);
    let Some(short) = short else { return word };
    match short.as_bytes() {
        // `running`: the letter is there for the ending.
        [.., one, two] if one == two && short.len() > 3 => &short[..short.len() - 1],
        _ => short,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endings_make_no_other_word() {
        assert_eq!(["compared", "compares", "comparing", "compare"].map(stem), ["compar"; 4]);
        assert_eq!(["running", "runs", "run", "ring"].map(stem), ["run", "run", "run", "ring"]);
        assert_eq!(words_of("DDR带宽 p95_ns"), ["ddr", "带", "宽", "带宽", "p95_ns", "p95", "ns"]);
    }

    #[test]
    fn questions_are_no_sentences_of_the_program() {
        assert!(is_question("How do I compare two runs") && is_question("怎么比较两次运行"));
        assert_eq!(subject("What is an exposed transfer?").as_deref(), Some("exposed transfer"));
        assert_eq!(subject("余量是什么意思").as_deref(), Some("余量"));
        assert_eq!(subject("how do I compare two runs"), None);
        assert!(!is_question("no global.profile here") && !is_question("转储没有核函数名称"));
    }
}
