//! Questions for the meaning of names: which names they have.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::asking::is_question;
use super::document::Entry;
use super::fields::{FIELDS, Field};
use super::words::{OTHER_NAMES, normal};
use super::{ENTRIES, is_same, plain, without_unit};

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
/// What asks how several things differ: their meanings one after the other are no answer.
const DIFFERENCES: [&str; 6] = ["differ", " vs", "versus", "区别", "不同", "差别"];

/// Whether a question asks how things differ.
pub(super) fn asks_for_difference(question: &str) -> bool {
    let question = question.to_lowercase();
    DIFFERENCES.iter().any(|mark| question.contains(mark))
}

/// What asks for a meaning, wherever it stands.
const MARKS: [&str; 22] = [
    "what is",
    "what are",
    "what does",
    "what do",
    "meaning",
    "definition",
    "defined",
    "difference",
    "formula",
    "how is",
    "how are",
    "什么是",
    "什么叫",
    "是什么",
    "什么意思",
    "含义",
    "定义",
    "怎么算",
    "怎么计算",
    "如何计算",
    "区别",
    "公式",
];
/// What asks for the way to a number: the meaning of a word alone is no answer.
const HOW: [&str; 6] = ["computed", "calculated", "formula", "怎么算", "怎么计算", "如何计算"];
/// What asks for a way to do something.
const HOW_TO: [&str; 7] = ["how do ", "how can ", "how to ", "怎么", "如何", "怎样", "where "];
/// What may stand beside the names in such a question.
const BESIDE: [&str; 40] = [
    "what",
    "is",
    "are",
    "does",
    "do",
    "mean",
    "meaning",
    "definition",
    "defined",
    "difference",
    "formula",
    "how",
    "a",
    "an",
    "the",
    "of",
    "in",
    "and",
    "or",
    "between",
    "it",
    "its",
    "computed",
    "calculated",
    "measured",
    "count",
    "stand",
    "for",
    "column",
    "field",
    "metric",
    "value",
    "term",
    "word",
    "exactly",
    "from",
    "to",
    "by",
    "me",
    "explain",
];
/// Words of Chinese questions, the longest first.
const BESIDE_IN_CHINESE: [&str; 25] = [
    "什么意思",
    "什么是",
    "什么叫",
    "是什么",
    "有什么",
    "怎么计算",
    "如何计算",
    "怎么算",
    "区别",
    "含义",
    "定义",
    "公式",
    "字段",
    "指标",
    "术语",
    "之间",
    "解释",
    "列",
    "的",
    "和",
    "与",
    "是",
    "有",
    "指",
    "呢",
];

/// The name whose meaning is asked for.
pub(super) fn subject(given: &str) -> Option<String> {
    let given = given.trim().trim_end_matches(['?', '？']).to_lowercase();
    let name = OF_MEANINGS
        .iter()
        .find_map(|(before, behind)| given.strip_prefix(before)?.strip_suffix(behind))?;
    Some(name.trim().to_owned())
}

/// What a name stands for.
type Named = (Vec<&'static Entry>, Vec<&'static Field>);

/// What has each name, by the name as it is compared, in the order in which names occur first. Marks alone are no name.
fn by_name(compared: fn(&str) -> String) -> Vec<(String, Named)> {
    let mut all: Vec<(String, Named)> = Vec::new();
    let mut at = HashMap::new();
    let mut place = |name: &str, all: &mut Vec<(String, Named)>| {
        let name = compared(name);
        *at.entry(name.clone()).or_insert_with(|| {
            all.push((name, Named::default()));
            all.len() - 1
        })
    };
    for entry in &*ENTRIES {
        for name in entry.names.iter().chain(&entry.aliases) {
            let index = place(name, &mut all);
            let (entries, _) = &mut all[index].1;
            if !entries.iter().any(|known| std::ptr::eq(*known, entry)) {
                entries.push(entry);
            }
        }
    }
    for field in &*FIELDS {
        let index = place(&field.name, &mut all);
        all[index].1.1.push(field);
    }
    all.retain(|(name, _)| !name.trim().is_empty());
    all
}

/// The names of all that is explained, as [`normal`] has them, the longest first.
static NAMES: LazyLock<Vec<(String, Named)>> = LazyLock::new(|| {
    let mut all = by_name(|name| normal(&plain(name)));
    // What documents say of a name is more than what a schema does.
    let both = all.iter_mut().map(|(_, named)| named).filter(|(entries, _)| !entries.is_empty());
    both.for_each(|(_, fields)| fields.clear());
    all.sort_by_key(|(name, _)| std::cmp::Reverse(name.chars().count()));
    all
});

/// The names whose meaning a question asks for, in its order; `None` where it asks for more than these.
pub(super) fn names_asked(question: &str) -> Option<Named> {
    let question = question.to_lowercase();
    if !MARKS.iter().any(|mark| question.contains(mark)) {
        return None;
    }
    // "in the summary" says where the name was seen.
    let short = question.split([',', '，']).next()?.split(" in ").next()?;
    let (entries, fields) = names_in(&question).or_else(|| names_in(short))?;
    let is_word = entries.iter().all(|entry| entry.kind == "explain-term") && fields.is_empty();
    let asks_how = HOW.iter().any(|mark| question.contains(mark));
    (!asks_how || !is_word).then_some((entries, fields))
}

/// What is written like no word of a language, such as `GdmaDdrAvgBW` or `wall_ns`: whoever writes it means it.
fn is_identifier(word: &str) -> bool {
    let chars = || word.chars().zip(word.chars().skip(1));
    word.contains('_')
        || chars().any(|(one, next)| one.is_ascii_lowercase() && next.is_ascii_uppercase())
}

/// What has each name, in small letters, then without its unit.
static CALLED: [LazyLock<HashMap<String, Named>>; 2] = [
    LazyLock::new(|| by_name(plain).into_iter().collect()),
    LazyLock::new(|| by_name(without_unit).into_iter().collect()),
];

/// What has a name, else what has it but for its unit, else but for the endings of its words, or with a word that the documents do not
/// use; `None` where nothing has.
pub(super) fn called(name: &str) -> Option<Named> {
    let [whole, rest] = &CALLED;
    let same = whole.get(&plain(name)).or_else(|| rest.get(&without_unit(name))).cloned();
    same.or_else(|| {
        let name = normal(&plain(name));
        NAMES.iter().find(|(known, _)| *known == name).map(|(_, named)| named.clone())
    })
}

/// What has another name elsewhere, such as in older SDKs.
pub(super) fn called_elsewhere(name: &str) -> Option<&'static Entry> {
    let name = normal(&plain(name));
    let words =
        OTHER_NAMES.iter().find(|words| words.iter().any(|word| normal(&plain(word)) == name))?;
    let own = words.first()?;
    ENTRIES.iter().find(|entry| entry.is_called(own, is_same))
}

/// The identifiers in a question that are explained, but where it asks how something is done.
pub(super) fn identifiers_asked(question: &str) -> Option<Named> {
    let lower = question.to_lowercase();
    if !is_question(question) || HOW_TO.iter().any(|mark| lower.contains(mark)) {
        return None;
    }
    let words = question.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    let mut found = Named::default();
    for (entries, fields) in words.filter(|word| is_identifier(word)).filter_map(called) {
        found.0.extend(entries);
        found.1.extend(fields);
    }
    (!found.0.is_empty() || !found.1.is_empty()).then_some(found)
}

/// The English words, as [`normal`] has them.
static BESIDE_IN_ENGLISH: LazyLock<Vec<String>> =
    LazyLock::new(|| BESIDE.iter().map(|word| normal(word)).collect());

fn names_in(question: &str) -> Option<Named> {
    let mut rest = normal(&plain(question));
    let mut found: Vec<(usize, &Named)> = Vec::new();
    let beside: &Vec<String> = &BESIDE_IN_ENGLISH;
    // A Chinese character alone is a part of another word.
    let is_sought = |name: &String| name.trim().chars().count() > 1 && !beside.contains(name);
    for (name, named) in NAMES.iter().filter(|(name, _)| is_sought(name)) {
        // Chinese has no blanks around words.
        let sought = if name.is_ascii() { name } else { name.trim() };
        if let Some(at) = rest.find(sought) {
            // Places of what follows stay.
            let blanks = " ".repeat(sought.len());
            rest.replace_range(at..at + sought.len(), &blanks);
            found.push((at, named));
        }
    }
    let is_beside = |word: &str| beside.iter().any(|known| known.trim() == word);
    let more = BESIDE_IN_CHINESE.iter().fold(rest, |rest, word| rest.replace(word, " "));
    if found.is_empty() || !more.split_whitespace().all(is_beside) {
        return None;
    }
    found.sort_by_key(|(at, _)| *at);
    let mut entries: Vec<&Entry> = Vec::new();
    for entry in found.iter().flat_map(|(_, (entries, _))| entries) {
        if !entries.iter().any(|known| std::ptr::eq(*known, *entry)) {
            entries.push(entry);
        }
    }
    let fields = found.iter().flat_map(|(_, (_, fields))| fields.iter().copied()).collect();
    Some((entries, fields))
}

#[cfg(test)]
mod tests {
    use super::super::document::unused_words;
    use super::super::{TERMS, UNUSED_WORDS, document};
    use super::*;

    #[test]
    fn marks_alone_are_no_name() {
        for marks in ["", "?", ".....", "<1"] {
            assert_eq!(called(marks).map(|(entries, fields)| (entries.len(), fields.len())), None);
        }
    }

    /// What the documents call something, and what others do.
    #[test]
    fn each_term_is_found_in_both_languages_and_by_its_other_names() {
        let terms = document::terms(TERMS);
        assert!(terms.len() > 60, "{}", terms.len());
        let own = terms.iter().flat_map(|term| term.names.iter().chain(&term.aliases)).cloned();
        let others = unused_words(TERMS, UNUSED_WORDS).into_iter().map(|(unused, _)| unused);
        for name in own.chain(others) {
            assert!(called(&name).is_some_and(|(entries, _)| !entries.is_empty()), "{name}");
        }
        for words in OTHER_NAMES.iter() {
            for word in words {
                let is_found = called(word).is_some() || called_elsewhere(word).is_some();
                assert!(is_found, "{word} of {words:?}");
            }
        }
    }

    #[test]
    fn questions_for_meanings_name_what_they_ask_for() {
        assert_eq!(subject("What is an exposed transfer?").as_deref(), Some("exposed transfer"));
        assert_eq!(subject("余量是什么意思").as_deref(), Some("余量"));
        assert_eq!(subject("how do I compare two runs"), None);
        let first = |question: &str| {
            let (entries, fields) = names_asked(question)?;
            let entries = entries.iter().filter_map(|entry| entry.names.first());
            let mut all: Vec<&str> = entries.map(String::as_str).collect();
            all.extend(fields.iter().map(|field| field.name.as_str()));
            all.dedup();
            Some(all.join(", "))
        };
        for (question, names) in [
            ("how is the overlap ratio computed", Some("overlap ratio")),
            ("how is the gain computed", None),
            ("definition of slack", Some("slack")),
            ("余量和关键路径的区别", Some("slack, critical path, Critical path")),
            ("what is the best way to compare two runs", None),
            ("slack", None),
        ] {
            assert_eq!(first(question).as_deref(), names, "{question}");
        }
    }

    #[test]
    fn identifiers_in_a_question_are_what_it_is_about() {
        let first = |question: &str| {
            let (entries, fields) = identifiers_asked(question)?;
            let names = entries.first().and_then(|entry| entry.names.first());
            names.or(fields.first().map(|field| &field.name)).cloned()
        };
        for (question, name) in [
            ("why is GdmaDdrAvgBW different from the bandwidth", Some("GdmaDdrAvgBW(GB/s)")),
            ("为什么 GdmaDdrAvgBW 和 DDR 带宽不一样", Some("GdmaDdrAvgBW(GB/s)")),
            ("is wall_ns the time of the host", Some("wall_ns")),
            ("how do I read wall_ns in Python", None),
            ("why is the TIU idle", None),
        ] {
            assert_eq!(first(question).as_deref(), name, "{question}");
        }
    }
}
