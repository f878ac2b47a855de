//! Catalogue, pages and documents keep to the terms of `docs/glossary.md`; `docs/terms.tsv` has the words that are not used.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use bigtpu_messages::PARTS;
use regex_lite::Regex;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A row of the list: term, Chinese word, words that are not used. Meaning and place in the code are
/// for readers.
struct Term {
    english: Regex,
    chinese: String,
    wrong: Vec<String>,
}

fn terms() -> Vec<Term> {
    let read = |name: &str| fs::read_to_string(root().join("docs").join(name)).unwrap();
    let others = read("terms.tsv");
    let others = others.lines().filter(|line| !line.starts_with('#'));
    let mut wrong_words: BTreeMap<&str, &str> = others
        .map(|line| {
            let [term, wrong, _] = line.split('\t').collect::<Vec<_>>()[..] else {
                panic!("{line}")
            };
            (term, wrong)
        })
        .collect();
    let text = read("glossary.md");
    let rows = text.lines().filter(|line| line.starts_with("| ")).skip(1);
    let terms: Vec<Term> = rows
        .map(|row| {
            let cells: Vec<&str> = row.split('|').map(str::trim).collect();
            let [_, term, _, chinese, _, _] = cells[..] else { panic!("{row}") };
            let wrong = wrong_words.remove(term).unwrap_or_else(|| panic!("no {term}"));
            Term {
                english: Regex::new(&format!(r"(?i)\b{term}(s|es)?\b")).unwrap(),
                chinese: chinese.to_owned(),
                wrong: wrong.split_whitespace().map(str::to_owned).collect(),
            }
        })
        .collect();
    assert!(terms.len() > 15 && wrong_words.is_empty(), "{wrong_words:?}");
    terms
}

/// Sentences of a language by id, without what stands in braces and without options.
fn sentences(language: usize) -> BTreeMap<String, String> {
    // Options, values of options (`kernel:matmul*`, `ddr=2`), files and what is quoted as code are names, in all languages.
    let names = r"`[^`{]*`|--[a-z_-]+|[A-Z]+-[A-Z.-]+|[A-Za-z0-9*-]+[=*_>][A-Za-z0-9_.*%:=<>+/|-]*|[A-Za-z0-9]+:[A-Za-z0-9][A-Za-z0-9_.*%:=<>+/|-]*|[A-Za-z_-]*…";
    let braces = Regex::new(&format!(r"\{{[^{{}}]*\}}|{names}")).unwrap();
    let mut all = BTreeMap::new();
    for part in PARTS {
        let mut id = String::new();
        for line in part.sources[language].lines().filter(|line| !line.starts_with('#')) {
            if let Some((name, _)) = line.split_once(" = ").filter(|_| !line.starts_with(' ')) {
                id = name.to_owned();
            }
            let text: &mut String = all.entry(id.clone()).or_default();
            text.push_str(line.strip_prefix(&format!("{id} = ")).unwrap_or(line));
        }
    }
    all.values_mut().for_each(|text| *text = braces.replace_all(text, "").into_owned());
    all
}

/// Where an English word is not the term: a name of a rule or of an option's value, a program to run, an estimate of a model, a file that leads to another one.
const NO_TERMS: [&str; 20] = [
    "advice-sync-waits-too",
    "error-cluster-no-topology",
    "error-limit",
    "error-model-llm-missing",
    "error-no-cluster-plant",
    "error-no-plant",
    "error-output-link",
    "error-pipeline-sweep",
    "error-record-not-waited",
    "error-replay-change-resource",
    "evidence-too-large",
    "explain-sections",
    "problem-analyze-command",
    "problem-broken-link",
    "problem-cluster-chunks",
    "problem-draft-split",
    "problem-member-link",
    "problem-no-command",
    "problem-synth-shares",
    "problem-unknown-command",
];

#[test]
fn the_chinese_sentences_have_the_words_of_the_english_terms() {
    let (english, chinese) = (sentences(0), sentences(1));
    let (mut checked, mut wrong) = (0, Vec::new());
    for term in terms() {
        for (id, _) in english
            .iter()
            .filter(|(id, text)| !NO_TERMS.contains(&id.as_str()) && term.english.is_match(text))
        {
            checked += 1;
            if !chinese[id].contains(&term.chinese) {
                wrong.push(format!("{id}: no {}: {}", term.chinese, chinese[id]));
            }
        }
    }
    assert!(checked > 200 && wrong.is_empty(), "{checked}\n{}", wrong.join("\n"));
}

/// Documents and pages in Chinese.
fn chinese_files() -> Vec<PathBuf> {
    let others =
        ["README.zh-CN.md", "crates/emit-cluster/page/words.js", "src/explain/answers.zh-CN.md"];
    let mut files: Vec<PathBuf> = others.map(|file| root().join(file)).to_vec();
    for folder in ["docs", "docs/prediction", "crates/messages/locales/zh"] {
        let entries = fs::read_dir(root().join(folder)).unwrap().map(|entry| entry.unwrap().path());
        let is_chinese = |path: &PathBuf| {
            let name = path.file_name().unwrap().to_string_lossy();
            name.ends_with(".zh-CN.md") || name.ends_with(".ftl")
        };
        files.extend(entries.filter(is_chinese));
    }
    assert!(files.len() > 10);
    files
}

#[test]
fn no_chinese_text_has_another_word_for_a_term() {
    let terms = terms();
    for file in chinese_files() {
        let text = fs::read_to_string(&file).unwrap();
        for wrong in terms.iter().flat_map(|term| &term.wrong) {
            // Questions are found by other words, too.
            let is_shown = |line: &&str| !line.starts_with("<!-- asked: ");
            let mut lines = text.lines().filter(is_shown);
            let line = lines.find(|line| line.contains(wrong.as_str()));
            assert_eq!(line, None, "{}: {wrong}", file.display());
        }
    }
}
