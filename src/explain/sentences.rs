//! Sentences of the program: what of the catalogue a sentence is, or a part of one, that somebody read on the console.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use bigtpu_messages::{Language, templates};

/// A sentence of the catalogue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Sentence {
    /// Its id, as `messages` of report.json has it.
    pub(super) id: &'static str,
    /// With names in braces for what it says of a run.
    pub(super) text: String,
    /// What kind of sentence it is: an id of the catalogue.
    pub(super) kind: &'static str,
    /// The document, or its section, for whoever wants to know more.
    pub(super) place: &'static str,
}

/// Where more is said of the messages whose ids begin so: the longest beginning counts.
const PLACES: &[(&str, &str)] = &[
    ("advice", "docs/advice.md"),
    ("batch", "docs/command-line.md#many-dumps-batch"),
    ("bound", "docs/analysis.md#verdict"),
    ("cause", "docs/ci.md#verdict"),
    ("cluster", "docs/cluster.md"),
    ("cores", "docs/advice.md"),
    ("costs", "docs/prediction/costs.md"),
    ("diff", "docs/ci.md"),
    ("doubt", "docs/advice.md"),
    ("dumps", "docs/command-line.md#several-dumps-side-by-side"),
    ("error", "docs/symptoms.md"),
    ("error-batch", "docs/command-line.md#many-dumps-batch"),
    ("error-cluster", "docs/cluster.md"),
    ("error-estimate", "docs/prediction/estimate.md"),
    ("error-format", "docs/symptoms.md#a-file-is-missing"),
    ("error-history", "docs/ci.md#history"),
    ("error-host-trace", "docs/command-line.md#host-traces"),
    ("error-limit", "docs/ci.md#limits"),
    ("error-machine", "docs/prediction/estimate.md"),
    ("error-model", "docs/prediction/estimate.md"),
    ("error-model-costs", "docs/prediction/costs.md"),
    ("error-model-llm", "docs/prediction/llm.md"),
    ("error-no-plant", "docs/command-line.md#synthetic-dumps-synth"),
    ("error-open", "docs/command-line.md#in-the-browser-open"),
    ("error-pipeline", "docs/prediction/pipeline.md"),
    ("error-predict-pipeline", "docs/prediction/pipeline.md"),
    ("error-predict-search", "docs/prediction/search.md"),
    ("error-query", "docs/query.md"),
    ("error-record", "docs/capture.md#one-command-record"),
    ("error-replay", "docs/prediction/replay.md"),
    ("error-search", "docs/prediction/search.md"),
    ("error-simulate", "docs/prediction/simulate.md"),
    ("error-synth", "docs/command-line.md#synthetic-dumps-synth"),
    ("error-whatif", "docs/prediction/replay.md"),
    ("evidence", "docs/advice.md"),
    ("explain", "docs/glossary.md"),
    ("fleet", "docs/fleet.md#the-overview"),
    ("found", "docs/command-line.md#many-dumps-batch"),
    ("graph", "docs/prediction/estimate.md"),
    ("headline", "docs/advice.md"),
    ("history", "docs/ci.md#history"),
    ("info", "docs/first-run.md#1-capture"),
    ("llm", "docs/prediction/llm.md"),
    ("model", "docs/prediction/estimate.md"),
    ("note", "docs/symptoms.md"),
    ("note-complete", "docs/first-run.md#1-capture"),
    ("note-empty-among-full", "docs/symptoms.md#a-file-is-missing"),
    ("note-engines", "docs/symptoms.md#times-do-not-match-the-clock"),
    ("note-file", "docs/symptoms.md#a-file-is-missing"),
    ("note-full-ring", "docs/symptoms.md#a-ring-is-full"),
    ("note-incomplete", "docs/first-run.md#1-capture"),
    ("note-lapped", "docs/symptoms.md#a-ring-is-full"),
    ("note-layer", "docs/analysis.md#layers"),
    ("note-layers", "docs/analysis.md#layers"),
    ("note-no-command-block", "docs/symptoms.md#no-names"),
    ("note-no-file", "docs/symptoms.md#a-file-is-missing"),
    ("note-older", "docs/symptoms.md#a-ring-is-full"),
    ("note-unverified", "docs/first-run.md#1-capture"),
    ("open", "docs/command-line.md#in-the-browser-open"),
    ("pipeline", "docs/prediction/pipeline.md"),
    ("place", "docs/advice.md"),
    ("predict", "docs/prediction/estimate.md"),
    ("problem", "docs/symptoms.md"),
    ("problem-cluster", "docs/cluster.md"),
    ("problem-kernels", "docs/symptoms.md#no-names"),
    ("problem-limit", "docs/ci.md#limits"),
    ("problem-scale", "docs/cluster.md#gains"),
    ("problem-synth", "docs/command-line.md#synthetic-dumps-synth"),
    ("problem-topology", "docs/command-line.md#synthetic-dumps-synth"),
    ("problem-writer", "docs/command-line.md#synthetic-dumps-synth"),
    ("query", "docs/query.md"),
    ("record", "docs/capture.md#one-command-record"),
    ("report", "docs/analysis.md"),
    ("search", "docs/prediction/search.md"),
    ("simulate", "docs/prediction/simulate.md"),
    ("source", "docs/analysis.md#roofline"),
    ("roof", "docs/analysis.md#roofline"),
    ("synth", "docs/command-line.md#synthetic-dumps-synth"),
    ("verdict", "docs/analysis.md#verdict"),
    ("whatif", "docs/prediction/replay.md"),
    ("written", "docs/command-line.md#what-each-call-writes"),
];

impl Sentence {
    fn new(id: &'static str, text: String) -> Self {
        let place = PLACES.iter().filter(|(start, _)| {
            id.strip_prefix(start).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
        });
        let place = place.max_by_key(|(start, _)| start.len()).map_or("", |(_, place)| place);
        let kind = match id.split('-').next() {
            Some("note") => "explain-note",
            Some("error" | "problem" | "graph") => "explain-error",
            Some("verdict" | "bound" | "advice" | "doubt" | "evidence" | "place") => {
                "explain-answer"
            }
            _ => "explain-sentence",
        };
        Self { id, text, kind, place }
    }
}

/// The sentences of both languages: ids, and numbers of their words without their arguments.
#[derive(Default)]
struct Known {
    sentences: Vec<(&'static str, Vec<usize>)>,
    numbers: HashMap<String, usize>,
}

static KNOWN: LazyLock<Known> = LazyLock::new(|| {
    let mut known = Known::default();
    for (id, text) in Language::ALL.into_iter().flat_map(templates) {
        let mut words = Vec::new();
        for word in literal_words(&text) {
            let next = known.numbers.len();
            words.push(*known.numbers.entry(word).or_insert(next));
        }
        known.sentences.push((id, words));
    }
    known
});

/// The texts of the sentences by their ids, in the order of [`Language::ALL`].
static TEXTS: [LazyLock<HashMap<&str, String>>; 2] = [
    LazyLock::new(|| templates(Language::English).collect()),
    LazyLock::new(|| templates(Language::Chinese).collect()),
];

/// A common word counts so much; a word of the sentence that was left out, and one that was put in, such as the value of an argument,
/// cost so much.
const COMMON: i32 = 10;
const LEFT_OUT: i32 = 5;
const PUT_IN: i32 = 1;
/// So much in common is no accident, however long both are.
const NO_ACCIDENT: i32 = 5 * COMMON;
/// So many sentences are shown: one sentence can hold another one.
const MOST: usize = 3;

/// The sentences that the given one is, or is a part of, in either language; the one with most words of it first.
pub(super) fn find(given: &str, language: Language) -> Vec<Sentence> {
    // No sentence has the other words.
    let number = |word: String| KNOWN.numbers.get(&word).copied().unwrap_or(usize::MAX);
    let words: Vec<usize> = words_of(given).into_iter().map(number).collect();
    let given_words: HashSet<usize> = words.iter().copied().collect();
    // Words alone may be a question, which has some of a sentence; what was printed has values.
    let is_value = |word: &str| {
        word.starts_with(|c: char| c.is_ascii_digit()) || word.contains([':', '.', '`', '_'])
    };
    let is_plain = !given.split_whitespace().any(is_value);
    let all = i32::try_from(words.len()).unwrap_or(i32::MAX).saturating_mul(COMMON);
    let least = if is_plain { all / 5 * 4 } else { 0 };
    let mut found: Vec<(i32, usize, &str)> = Vec::new();
    for (id, known) in &KNOWN.sentences {
        // Most sentences have next to nothing in common with it.
        let shared = known.iter().filter(|word| given_words.contains(word)).count();
        let likeness = if shared > 2 { likeness(&words, known) } else { 0 };
        let shorter = i32::try_from(words.len().min(known.len())).unwrap_or(i32::MAX);
        let is_whole = !known.is_empty() && words == *known;
        // One or two words are in many sentences.
        let is_like = likeness > 2 * COMMON
            && (likeness >= NO_ACCIDENT || likeness >= shorter.saturating_mul(COMMON * 3 / 4))
            && likeness >= least;
        if *id == given {
            found.push((i32::MAX, 0, id));
        } else if is_whole || is_like {
            found.push((likeness, known.len(), id));
        }
    }
    // Of two with as much of it the shorter one is more of it.
    found.sort_by_key(|(likeness, length, _)| (std::cmp::Reverse(*likeness), *length));
    let best = found.first().map_or(0, |(likeness, ..)| *likeness);
    let mut ids: Vec<&str> = Vec::new();
    for (likeness, _, id) in found {
        if likeness >= best / 4 * 3 && !ids.contains(&id) && ids.len() < MOST {
            ids.push(id);
        }
    }
    let texts = language.choose(&TEXTS[0], &TEXTS[1]);
    let shown = ids.iter().filter_map(|id| texts.get_key_value(id));
    shown.map(|(id, text)| Sentence::new(id, text.clone())).collect()
}

/// Whether a sentence of these has all that was given in one piece, and it is so long that this is no accident.
pub(super) fn is_part_of(given: &str, sentences: &[Sentence]) -> bool {
    let least = if given.is_ascii() { 4 } else { 6 };
    let numbers: Option<Vec<usize>> =
        words_of(given).iter().map(|word| KNOWN.numbers.get(word).copied()).collect();
    // No sentence has the other words.
    let Some(given) = numbers.filter(|words| words.len() >= least) else { return false };
    KNOWN.sentences.iter().any(|(id, known)| {
        sentences.iter().any(|sentence| sentence.id == *id)
            && known.windows(given.len()).any(|part| part == given)
    })
}

/// So many words, or twice as many Chinese characters, without the marks and names of printed sentences may be anybody's.
const ANYBODY: usize = 8;

/// Whether a text looks like what the program printed: it is long, or has marks.
pub(super) fn is_printed(given: &str) -> bool {
    let most = if given.is_ascii() { ANYBODY } else { 2 * ANYBODY };
    given.contains([':', '：', '`', '_', '/', '.', '\'']) || words_of(given).len() > most
}

/// Whether the sentence has what a document quotes of it: two words or more, numbers left out.
pub(super) fn has(template: &str, quoted: &str) -> bool {
    let is_number = |word: &String| word.chars().all(|c| c.is_ascii_digit());
    let words: Vec<String> = words_of(quoted).into_iter().filter(|word| !is_number(word)).collect();
    let all = i32::try_from(words.len()).unwrap_or(i32::MAX).saturating_mul(COMMON);
    words.len() >= 2 && likeness(&words, &literal_words(template)) >= all / 10 * 9
}

/// Its words in small letters; of Chinese, each character is one.
fn words_of(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut is_open = false;
    for c in text.chars() {
        let is_wide = !c.is_ascii() && c.is_alphanumeric();
        let is_part = c.is_ascii_alphanumeric() || matches!(c, '\'' | '_');
        match words.last_mut().filter(|_| is_open && is_part) {
            Some(word) => word.extend(c.to_lowercase()),
            None if is_part || is_wide => words.push(c.to_lowercase().collect()),
            None => {}
        }
        is_open = is_part;
    }
    // A letter between two values, as in 2x4, is a part of a word there.
    words.retain(|word| word.len() > 1);
    words
}

/// The words of a sentence without its arguments.
fn literal_words(template: &str) -> Vec<String> {
    let mut literal = String::new();
    let mut rest = template;
    while let Some((before, behind)) = rest.split_once('{') {
        literal.push_str(before);
        literal.push(' ');
        rest = behind.split_once('}').map_or("", |(_, after)| after);
    }
    words_of(&(literal + rest))
}

/// How much a stretch of the one and a stretch of the other have in common: the best local alignment (Smith and Waterman).
fn likeness<W: PartialEq>(given: &[W], known: &[W]) -> i32 {
    let mut row = vec![0; known.len() + 1];
    let mut best = 0;
    for word in given {
        let mut diagonal = 0;
        for (at, other) in known.iter().enumerate() {
            let (above, left) = (row[at + 1], row[at]);
            let same = if word == other { diagonal + COMMON } else { 0 };
            row[at + 1] = same.max(above - PUT_IN).max(left - LEFT_OUT).max(0);
            best = best.max(row[at + 1]);
            diagonal = above;
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::super::pages;
    use super::*;

    /// A sentence as it is shown: a value for each argument.
    fn filled(template: &str) -> String {
        let mut out = String::new();
        let mut rest = template;
        while let Some((before, behind)) = rest.split_once('{') {
            out.push_str(before);
            out.push_str("cdmlib0_0.profile");
            rest = behind.split_once('}').map_or("", |(_, after)| after);
        }
        out + rest
    }

    #[test]
    fn every_sentence_has_a_place_that_exists() {
        for (id, text) in templates(Language::English) {
            let place = Sentence::new(id, text).place;
            assert!(pages::find(place, Language::English).is_some(), "{id}: {place}");
        }
    }

    #[test]
    fn every_note_and_error_is_found_by_what_the_console_shows() {
        let mut count = 0;
        for language in Language::ALL {
            let is_meant =
                |id: &str| ["note-", "error-", "problem-"].iter().any(|p| id.starts_with(p));
            for (id, text) in templates(language).filter(|(id, _)| is_meant(id)) {
                if literal_words(&text).len() < 4 {
                    continue;
                }
                let all = find(&filled(&text), language);
                // Sentences of the same words are one.
                let words = literal_words(&text);
                let is_found =
                    all.iter().any(|found| found.id == id || literal_words(&found.text) == words);
                assert!(is_found, "{id}: {text}: {all:?}");
                count += 1;
            }
        }
        assert!(count > 1200, "{count}");
    }

    #[test]
    fn a_part_of_a_sentence_finds_it() {
        for (part, id) in [
            ("no global.profile here", "error-format-no-global"),
            (
                "lost: cdmlib0_0.profile at byte 8: the file is missing, but those of cores 2 and 4 are there",
                "note-file-missing",
            ),
            ("only the last 407 records are left", "note-lapped"),
            ("why is TIU idle", ""),
            ("error-format-no-global", "error-format-no-global"),
        ] {
            let found = find(part, Language::Chinese).first().map_or("", |sentence| sentence.id);
            assert_eq!(found, id, "{part}");
        }
    }
}
