//! Words of questions and documents: without endings, with the words that mean the same. Chinese has no blanks: each character and
//! each two in a row are a word.

use std::sync::LazyLock;

use foldhash::HashSet;

use super::document::unused_words;
use super::{TERMS, UNUSED_WORDS};

fn lines_of_words() -> impl Iterator<Item = &'static str> {
    include_str!("words.txt").lines().filter(|line| !line.starts_with('#'))
}

/// Chinese characters that tell nothing alone.
const TELLS_NOTHING: &str =
    "有在用看没还要会能到里上下个怎么哪也都就很太地得办和与对给让从比后前时候只";

/// Lines of words that mean the same, as [`normal`] has them.
pub(super) static SAME: LazyLock<Vec<Vec<String>>> = LazyLock::new(|| {
    let lines = lines_of_words().map(|line| line.trim_start_matches("= "));
    lines.map(|line| line.split('|').map(normal).collect()).collect()
});

/// Whether a normal word stands in such a line, or is one of those that questions have.
pub(super) fn is_synonym(word: &str) -> bool {
    static ALL: LazyLock<HashSet<&str>> =
        LazyLock::new(|| SAME.iter().flatten().flat_map(|words| words.split(' ')).collect());
    ALL.contains(word) || ASKING_WORDS.contains(word)
}

/// Names of one thing: the first one is explained.
pub(super) static OTHER_NAMES: LazyLock<Vec<Vec<&str>>> = LazyLock::new(|| {
    let lines = lines_of_words().filter_map(|line| line.strip_prefix("= "));
    lines.map(|line| line.split('|').map(str::trim).collect()).collect()
});

/// Words of a concept that have to be there together, each with whether the question has them.
pub(super) type Alternatives = Vec<(Vec<String>, bool)>;

/// What a question asks about by words that have synonyms, and the rest of it.
/// The question is as [`normal`] has it.
pub(super) fn synonyms(question: String) -> (Vec<Alternatives>, String) {
    let mut rest = question;
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
            // A Chinese character alone is also a part of other words.
            if !is_single(sought) {
                rest = rest.replace(sought, "  ");
            }
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
static UNUSED: LazyLock<Vec<(String, String)>> =
    LazyLock::new(|| unused_words(TERMS, UNUSED_WORDS));

/// The words of a text in small letters as they stand: what is English, numbers without their units, and what is not.
fn runs(text: &str) -> Vec<&str> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut all = Vec::new();
    for part in text.split(|c: char| !c.is_alphanumeric() && c != '_') {
        let mut rest = part;
        while let Some(first) = rest.chars().next() {
            let is_word = is_part(first);
            let end = rest.find(|c| is_part(c) != is_word).unwrap_or(rest.len());
            let (run, behind) = rest.split_at(end);
            let (number, unit) = run.split_at(run.len() - without_number(run).len());
            match UNITS.contains(&unit) && !number.is_empty() {
                true => all.extend([number, unit]),
                false => all.push(run),
            }
            rest = behind;
        }
    }
    all
}

/// Units that stand right behind a number.
pub(super) const UNITS: [&str; 13] =
    ["ns", "us", "ms", "s", "ghz", "mhz", "hz", "kb", "mb", "gb", "kib", "mib", "gib"];

fn without_number(word: &str) -> &str {
    word.trim_start_matches(|c: char| c.is_ascii_digit())
}

/// Small letters; the Python package has the name of this program but for these.
fn in_small_letters(text: &str) -> String {
    text.replace("bigTpuProfile", "python_package").to_lowercase()
}

/// A text in small letters with words without endings, a blank around each; Chinese as it is. Words that the documents do not use
/// are those that they do.
pub(super) fn normal(text: &str) -> String {
    let mut text = in_small_letters(text).replace('%', " percent ");
    for (unused, term) in &*UNUSED {
        text = text.replace(unused, term);
    }
    let mut out = String::from(" ");
    for run in runs(&text) {
        out.push_str(stem(run));
        out.push(' ');
    }
    out
}

/// The words of a text; single Chinese characters only where they are all of it.
fn pairs(text: &str) -> Vec<String> {
    let words = words_of(text);
    let has_pairs = words.iter().any(|word| !is_single(word));
    words.into_iter().filter(|word| !has_pairs || !is_single(word)).collect()
}

/// Words that questions have and answers do not.
fn without_content() -> impl Iterator<Item = &'static str> {
    let lines = include_str!("no_content.txt").lines().filter(|line| !line.starts_with('#'));
    lines.flat_map(str::split_whitespace)
}

static ASKING_WORDS: LazyLock<HashSet<&str>> =
    LazyLock::new(|| without_content().filter(|word| word.is_ascii()).map(stem).collect());

/// Spoken words of Chinese questions, the longest ones first.
static CHINESE_ASKING_WORDS: LazyLock<Vec<&str>> = LazyLock::new(|| {
    let mut all: Vec<&str> = without_content().filter(|word| !word.is_ascii()).collect();
    all.sort_by_key(|word| std::cmp::Reverse(word.chars().count()));
    all
});

/// The words of a normal question that an answer may have, each once.
pub(super) fn words_asked(question: &str) -> Vec<String> {
    let question =
        CHINESE_ASKING_WORDS.iter().fold(question.to_owned(), |text, word| text.replace(word, " "));
    let mut words: Vec<String> = Vec::new();
    for part in question.split(' ').filter(|part| !ASKING_WORDS.contains(part)) {
        words.extend(words_of(part));
    }
    let mut seen = HashSet::default();
    words.retain(|word| !TELLS_NOTHING.contains(word.as_str()) && seen.insert(word.clone()));
    words
}

/// Whether it is one Chinese character.
pub(super) fn is_single(word: &str) -> bool {
    !word.is_ascii() && word.chars().count() == 1
}

/// Words in small letters, without their endings; of Chinese each character, and each two.
pub(super) fn words_of(text: &str) -> Vec<String> {
    let text = in_small_letters(text);
    let mut words = Vec::new();
    for run in runs(&text) {
        if run.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_') {
            words.push(stem(run).to_owned());
            if run.contains('_') {
                words.extend(run.split('_').filter(|w| !w.is_empty()).map(|w| stem(w).to_owned()));
            }
        } else {
            let characters: Vec<char> = run.chars().collect();
            words.extend(characters.iter().map(char::to_string));
            words.extend(characters.windows(2).map(|two| two.iter().collect::<String>()));
        }
    }
    words
}

/// A word without its endings: `compared` and `compares` are one, and what has none stays as it is.
pub(super) fn stem(word: &str) -> &str {
    let short = without_ending(word);
    if short.len() == word.len() { word } else { stem(short) }
}

fn without_ending(word: &str) -> &str {
    let nouns = ["ation", "ement", "ment", "ion"];
    let endings: &[&str] = match word.len() {
        0..4 => return word,
        // The system.
        _ if word.contains('_') || word == "windows" => return word,
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
}
