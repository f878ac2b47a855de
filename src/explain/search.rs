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
/// Who asks so has a problem.
const OF_SYMPTOMS: [&str; 9] =
    ["why ", " too ", "怎么办", "为什么", "为何", "打不开", "对不上", "太", "空白"];
/// What is wrong, where no question asks for it.
const WRONG: [&str; 27] = [
    " idle",
    " slow",
    "missing",
    " lost",
    "empty",
    "blank",
    "wrong",
    "fail",
    " not ",
    "n't ",
    "cannot",
    "never",
    "crash",
    "error",
    "不了",
    "不上",
    "不出",
    "没有",
    "利用率低",
    "太慢",
    "变慢",
    "丢",
    "缺",
    "失败",
    "错",
    "溢出",
    "异常",
];
/// How questions begin or end.
const ASKING: [&str; 24] = [
    "how ", "what ", "when ", "where ", "which ", "who ", "why ", "can ", "do ", "does ", "is ",
    "are ", "should ", "will ", "怎么", "怎样", "如何", "什么", "为何", "多少", "哪", "吗", "能否",
    "是否",
];

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

/// Whether a text asks something, and is no sentence of the program.
pub(super) fn is_question(given: &str) -> bool {
    let given = given.to_lowercase();
    given.ends_with(['?', '？'])
        || OF_SYMPTOMS.iter().chain(&ASKING).any(|word| match word.is_ascii() {
            true => given.starts_with(word),
            false => given.contains(word),
        })
}

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
    let lower = question.to_lowercase();
    let is_symptom = OF_SYMPTOMS.iter().chain(&WRONG).any(|mark| lower.contains(mark));
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

/// The language of a question: who asks in Chinese reads it; who asks in English is shown the language of the environment.
fn language_of(question: &str, shown: Language) -> Language {
    let is_chinese = question.chars().any(|c| !c.is_ascii() && c.is_alphabetic());
    match (is_chinese, is_question(question)) {
        (true, _) => Language::Chinese,
        (false, true) => Language::English,
        (false, false) => shown,
    }
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

/// Lines of words that mean the same, as [`normal`] has them.
static SAME: LazyLock<Vec<Vec<String>>> = LazyLock::new(|| {
    let lines = include_str!("words.txt").lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| line.split('|').map(normal).collect()).collect()
});

/// Words of a concept that have to be there together, each with whether the question has them.
type Alternatives = Vec<(Vec<String>, bool)>;

/// What a question asks about by words that have synonyms, and the rest of it.
fn synonyms(question: &str) -> (Vec<Alternatives>, String) {
    let mut rest = normal(question);
    let of_line = |line| move |word| (line, word);
    let mut all: Vec<(&Vec<String>, &String)> =
        SAME.iter().flat_map(|line| line.iter().map(of_line(line))).collect();
    // A word can be a part of a longer one.
    all.sort_by_key(|(_, word)| std::cmp::Reverse(word.chars().count()));
    let mut found: Vec<(&Vec<String>, Vec<&String>)> = Vec::new();
    for (line, word) in all {
        // Blanks around an English word; Chinese has none.
        let sought = if word.is_ascii() { word } else { word.trim() };
        if rest.contains(sought) {
            rest = rest.replace(sought, "  ");
            match found.iter_mut().find(|(known, _)| std::ptr::eq(*known, line)) {
                Some((_, own)) => own.push(word),
                None => found.push((line, vec![word])),
            }
        }
    }
    let concepts = found
        .into_iter()
        .map(|(line, own)| line.iter().map(|word| (pairs(word), own.contains(&word))).collect());
    (concepts.collect(), rest)
}

/// Words that the documents do not use, and those that they do.
static UNUSED: LazyLock<Vec<(String, String)>> = LazyLock::new(|| unused_words(TERMS));

/// A text in small letters with words without endings, a blank around each; Chinese as it is. Words that the documents do not use
/// are those that they do.
pub(super) fn normal(text: &str) -> String {
    let mut text = text.to_lowercase();
    for (unused, term) in &*UNUSED {
        text = text.replace(unused, term);
    }
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut out = String::from(" ");
    for part in text.split(|c: char| !c.is_alphanumeric() && c != '_') {
        let mut rest = part;
        while let Some(first) = rest.chars().next() {
            let is_word = is_part(first);
            let end = rest.find(|c| is_part(c) != is_word).unwrap_or(rest.len());
            let (run, behind) = rest.split_at(end);
            out.push_str(if is_word { stem(run) } else { run });
            out.push(' ');
            rest = behind;
        }
    }
    out
}

/// The words of a text; single Chinese characters only where they are all of it.
fn pairs(text: &str) -> Vec<String> {
    let words = words_of(text);
    let has_pairs = words.iter().any(|word| !is_single(word));
    words.into_iter().filter(|word| !has_pairs || !is_single(word)).collect()
}

static ASKING_WORDS: LazyLock<HashSet<&str>> =
    LazyLock::new(|| OF_QUESTIONS.iter().map(|word| stem(word)).collect());

/// The words of a normal question that an answer may have, each once.
fn words_asked(question: &str) -> Vec<String> {
    let question =
        OF_CHINESE_QUESTIONS.iter().fold(question.to_owned(), |text, word| text.replace(word, " "));
    let mut words: Vec<String> = Vec::new();
    for part in question.split(' ').filter(|part| !ASKING_WORDS.contains(part)) {
        words.extend(words_of(part));
    }
    let mut seen = HashSet::new();
    words.retain(|word| seen.insert(word.clone()));
    words
}

/// Whether it is one Chinese character.
fn is_single(word: &str) -> bool {
    !word.is_ascii() && word.chars().count() == 1
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
    let nouns = ["ation", "ement", "ment", "ion"];
    let endings: &[&str] = match word.len() {
        0..4 => return word,
        _ if word.contains('_') => return word,
        4 => &["s", "e"],
        _ => &["ings", "ing", "ies", "est", "ed", "er", "es", "s", "e", "y"],
    };
    // `alignment` is what is aligned; `region` and `element` are words of their own.
    let single = word.strip_suffix('s').unwrap_or(word);
    let noun = nouns.iter().find_map(|end| single.strip_suffix(end).filter(|w| w.len() > 3));
    let ended = || endings.iter().find_map(|end| word.strip_suffix(end)).filter(|w| w.len() > 2);
    let short = noun.or_else(ended);
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
        assert_eq!(["names", "name", "queries", "query"].map(stem), ["nam", "nam", "quer", "quer"]);
        assert_eq!(
            ["slower", "slowest", "late", "later"].map(stem),
            ["slow", "slow", "lat", "lat"]
        );
        assert_eq!(["running", "runs", "run", "ring"].map(stem), ["run", "run", "run", "ring"]);
        assert_eq!(["aligned", "alignment", "alignments"].map(stem), ["align"; 3]);
        assert_eq!(
            ["computed", "computation", "measurement"].map(stem),
            ["comput", "comput", "measur"]
        );
        assert_eq!(["region", "regions", "element"].map(stem), ["region", "region", "element"]);
        assert_eq!(words_of("DDR带宽 p95_ns"), ["ddr", "带", "宽", "带宽", "p95_ns", "p95", "ns"]);
    }

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

    #[test]
    fn questions_are_no_sentences_of_the_program() {
        assert!(is_question("How do I compare two runs") && is_question("怎么比较两次运行"));
        assert!(!is_question("no global.profile here") && !is_question("转储没有核函数名称"));
    }
}
