//! The Chinese sentences say what the English ones say: every number and every name, for each planted fault and for pairs of them.

use std::collections::BTreeSet;

use serde_json::Value;

use super::{Synth, analyze};
use crate::support::run::{finish, tool};

/// Faults that a dump of four cores and two ports can have.
const FAULTS: [&str; 12] = [
    "imbalance=2:1.8",
    "imbalance=1:1.3",
    "straggler=2",
    "stages",
    "bubble=1:tiu:80",
    "slow-kernel=rope:3",
    "slow-port=1:3",
    "launch-gap=60",
    "serialized=100",
    "small-transfers=6",
    "unaligned=33",
    "weights=ddr",
];

fn planted(faults: &[&str]) -> Synth {
    let shape = ["--chip", "aksv", "--cores", "4", "--cdma", "2", "--launches", "11"];
    let plants = faults.iter().flat_map(|fault| ["--plant", fault]);
    Synth::new(&shape.into_iter().chain(plants).collect::<Vec<_>>())
}

/// Numbers of a text with their decimals.
fn numbers(text: &str) -> BTreeSet<String> {
    let is_part = |c: char| c.is_ascii_digit() || c == '.';
    text.split(|c: char| !is_part(c))
        .map(|number| number.trim_matches('.').to_owned())
        .filter(|number| !number.is_empty())
        .collect()
}

fn has_chinese(text: &str) -> bool {
    text.chars().any(|c| ('\u{4e00}'..='\u{9fff}').contains(&c))
}

/// Names among the arguments of messages, in depth.
fn names(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(members) => {
            for (key, value) in members {
                match value {
                    Value::String(name) if key == "name" => {
                        found.insert(name.clone());
                    }
                    _ => names(value, found),
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| names(item, found)),
        _ => {}
    }
}

/// Checks all objects that have a text in both languages; returns how many there are.
fn check(value: &Value, what: &str) -> usize {
    let mut checked = 0;
    if let Some(members) = value.as_object() {
        for (key, zh_key) in [("text", "text_zh"), ("what", "what_zh"), ("refusal", "refusal_zh")] {
            let text = |key: &str| members.get(key).and_then(Value::as_str);
            let (Some(english), Some(chinese)) = (text(key), text(zh_key)) else { continue };
            checked += 1;
            assert!(has_chinese(chinese), "{what}: {english} / {chinese}");
            let lost: Vec<String> =
                numbers(english).difference(&numbers(chinese)).cloned().collect();
            assert!(lost.is_empty(), "{what}: {lost:?} of {english} / {chinese}");
            let mut known = BTreeSet::new();
            names(members.get("messages").unwrap_or(&Value::Null), &mut known);
            for name in known.iter().filter(|name| english.contains(name.as_str())) {
                assert!(chinese.contains(name.as_str()), "{what}: {name}: {chinese}");
            }
        }
        checked += members.values().map(|value| check(value, what)).sum::<usize>();
    }
    if let Some(items) = value.as_array() {
        checked += items.iter().map(|item| check(item, what)).sum::<usize>();
    }
    checked
}

#[test]
fn every_number_and_name_of_a_fault_and_of_a_pair_is_in_the_chinese_sentence() {
    let single = FAULTS.iter().map(|fault| vec![*fault]);
    // Each fault with two others: a bounded part of all pairs.
    let pairs = (0..FAULTS.len())
        .flat_map(|at| [1, 4].map(|step| vec![FAULTS[at], FAULTS[(at + step) % FAULTS.len()]]));
    let mut checked = 0;
    for faults in single.chain(pairs) {
        checked += check(&planted(&faults).report(), &faults.join(", "));
    }
    assert!(checked > 300, "{checked}");
}

/// The faults of the report that lost their second cause: two slow cores, a slow core and stragglers.
#[test]
fn combined_causes_keep_both() {
    let texts = |report: &Value| {
        ["text", "text_zh"].map(|key| report["verdict"][key].as_str().unwrap().to_owned())
    };
    let [english, chinese] = texts(&planted(&["imbalance=2:2.5", "imbalance=1:1.3"]).report());
    assert!(english.contains("Cores 1 and 2 take 1.33 to 2.52 times"), "{english}");
    assert!(chinese.contains("核 1、2 执行相同指令的耗时是其他核的 1.33 至 2.52 倍"), "{chinese}");
    let slow = ["imbalance=2:1.8", "straggler=2"].map(|fault| ["--plant", fault]).concat();
    let many = Synth::new(&[&["--launches", "60"][..], &slow].concat());
    let [english, chinese] = texts(&many.report());
    assert!(english.contains("not always the same core"), "{english}");
    assert!(chinese.contains("不总是同一个"), "{chinese}");
    assert!(chinese.contains("个核函数中的"), "{chinese}");
}

/// Sentences of at least four English words.
fn english_sentences(text: &str) -> Vec<&str> {
    let is_word = |word: &&str| {
        let word = word.trim_matches(|c: char| ".,;:()".contains(c));
        word.len() > 1 && word.chars().all(|c| c.is_ascii_lowercase())
    };
    let has_run = |line: &&str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        words.windows(4).any(|words| words.iter().all(is_word))
    };
    text.lines().filter(has_run).collect()
}

#[test]
fn console_and_report_are_chinese_where_that_is_asked_for() {
    let synth = planted(&["imbalance=2:1.8", "straggler=2", "small-transfers=6"]);
    let out = tempfile::tempdir().unwrap();
    let (dump, path) = (synth.path().display().to_string(), out.path().display().to_string());
    let args = [&dump, &path, "--emit", "brief,report,summary"];
    for (locale, more) in [("zh_CN.UTF-8", vec![]), ("C", vec!["--lang", "zh"])] {
        let run = finish(tool().env("LC_ALL", locale).args(args).args(more).arg("--full"));
        let brief = std::fs::read_to_string(out.path().join("report.md")).unwrap();
        let said = format!("{}{}", run.stdout, run.stderr);
        for text in [&said, &brief] {
            assert!(text.contains("结论（core-imbalance）") && text.contains("核 2"), "{text}");
            // Heads of tables are for scripts, too, and stay English; sentences in them are not.
            assert_eq!(english_sentences(text), Vec::<&str>::new());
        }
        assert!(said.contains("芯片信息：所有核同时使用时每核的 DDR Max BW"), "{said}");
        // What scripts read stays.
        assert!(said.contains("CoreId"), "{said}");
        let summary = std::fs::read_to_string(out.path().join("summary.txt")).unwrap();
        assert!(!has_chinese(&summary), "{summary}");
    }
    let english = finish(tool().env("LC_ALL", "zh_CN.UTF-8").args(args).args(["--lang", "en"]));
    assert!(!has_chinese(&english.stdout), "{}", english.stdout);
    assert!(!has_chinese(&analyze(&synth.path()).text("summary.txt")));
}
