//! What `explain` says of names, sentences, documents and questions.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::Value;

use super::commands::COMMANDS;
use crate::support::case::case;
use crate::support::run::{analyzed, finish, say, tool};

#[test]
fn explain_prints_the_section_of_every_rule() {
    // Titles are bold in the document.
    let document = include_str!("../../../docs/advice.md").replace("**", "");
    let rules: Vec<&str> = document.lines().filter_map(|line| line.strip_prefix("## ")).collect();
    assert_eq!(rules.len(), 20);
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    for rule in rules {
        let said = say(&["explain", rule]);
        assert_eq!((said.code, said.stderr.as_str()), (Some(0), ""), "{rule}");
        let (_, section) = document.split_once(&format!("\n## {rule}\n")).unwrap();
        let section = section.split("\n## ").next().unwrap();
        // Links are shown as their words.
        let first = section.trim().split(['.', '(']).next().unwrap();
        let (said, first) = (words(&said.stdout).join(" "), words(first).join(" "));
        assert!(said.starts_with(rule) && said.contains(&first), "{rule}: {said}");
    }
    let mut chinese = tool();
    let said =
        finish(chinese.args(["explain", "stall"]).env("LC_ALL", "").env("LANG", "zh_CN.UTF-8"));
    assert!(said.stdout.contains("\n重放："), "{}", said.stdout);
    // What is like no name is not guessed.
    let said = say(&["explain", "nosuchthing"]);
    assert_eq!((said.code, said.stdout.as_str()), (Some(2), ""));
    assert!(said.stderr.contains("'nosuchthing' is not explained. "), "{}", said.stderr);
    // The ending of a word is no other name, a letter that is wrong is.
    let said = say(&["explain", "unaligned-shape"]);
    assert!(said.stdout.starts_with("unaligned-shapes ("), "{}", said.stdout);
    let said = say(&["explain", "unalignd-shapes"]);
    assert_eq!((said.code, said.stdout.as_str()), (Some(2), ""));
    assert!(said.stderr.contains("unaligned-shapes"), "{}", said.stderr);
}

/// Who has the program without its repository reads what messages, help and results name.
#[test]
fn explain_prints_each_document_that_the_program_names() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let run = analyzed(&case("aks-mode2-sync").dump(), &["--emit", "report"]);
    let mut texts = vec![run.text("report.json")];
    for command in COMMANDS {
        texts.push(say(&[command, "--help"]).stdout);
    }
    for folder in ["en", "zh"] {
        let folder = root.join("crates/messages/locales").join(folder);
        for file in fs::read_dir(folder).unwrap() {
            texts.push(fs::read_to_string(file.unwrap().path()).unwrap());
        }
    }
    let is_name = |c: char| c.is_ascii_alphanumeric() || "/.#-_".contains(c);
    let mut places: Vec<&str> = Vec::new();
    for text in &texts {
        for (at, _) in text.match_indices("docs/") {
            let place = text[at..].split(|c| !is_name(c)).next().unwrap().trim_end_matches('.');
            if place.contains(".md") && !places.contains(&place) {
                places.push(place);
            }
        }
    }
    assert!(places.len() > 20, "{places:?}");
    for place in places {
        let said = say(&["explain", place]);
        assert_eq!((said.code, said.stderr.as_str()), (Some(0), ""), "{place}");
        let (title, text) = said.stdout.split_once('\n').unwrap();
        assert!(!title.is_empty() && text.trim().len() > 100, "{place}: {}", said.stdout);
    }
    // A section has the title of its document; comments are for tests, and links and pictures for browsers.
    let section = say(&["explain", "docs/analysis.md#roofline"]).stdout;
    assert!(section.starts_with("Analysis: Roofline\n\n"), "{section}");
    let chinese = say(&["explain", "docs/capture.md", "--lang", "zh"]).stdout;
    let document = fs::read_to_string(root.join("docs/capture.zh-CN.md")).unwrap();
    assert_eq!(chinese.lines().next(), document.lines().next());
    assert!(chinese.lines().count() > 80, "{chinese}");
    for mark in ["<!--", "](", "![", "```"] {
        assert!(!chinese.contains(mark), "{mark}: {chinese}");
    }
    let none = say(&["explain", "nonexistent_name_bandwidth"]);
    assert_eq!((none.code, none.stdout.as_str()), (Some(2), ""));
    assert!(none.stderr.contains("is not explained"), "{}", none.stderr);
}

#[test]
fn explain_knows_every_column_that_the_console_shows_and_every_key_of_the_report() {
    let keep = tempfile::tempdir().unwrap();
    let path = |name: &str| keep.path().join(name).display().to_string();
    let (dump, slow) = (path("demo"), path("slow"));
    for args in [vec![], vec!["--plant", "straggler=2"]] {
        let at = if args.is_empty() { &dump } else { &slow };
        let said = say(&[vec!["synth", at, "--launches", "4", "-q"], args].concat());
        assert_eq!(said.code, Some(0), "{}", said.stderr);
    }
    let layers = case("aks-layers").dump().display().to_string();
    let mut names = BTreeSet::new();
    for args in [
        vec![&*dump, &path("out"), "--full", "-v"],
        vec![&*layers, &path("out_layers"), "--full"],
        vec!["diff", &dump, &slow, "--full"],
        vec!["whatif", &dump, "--scale", "ddr=2"],
        vec!["costs", &dump],
        vec!["info", &dump],
        vec!["query", &dump, "dur>1us"],
        vec![
            "pipeline",
            "--schedule",
            "1f1b",
            "--stages",
            "2",
            "--microbatches",
            "4",
            "--fwd",
            "1",
            "--bwd",
            "2",
        ],
    ] {
        let said = say(&args);
        assert_eq!(said.code, Some(0), "{args:?}: {}", said.stderr);
        heads(&said.stdout, &mut names);
    }
    let report = fs::read_to_string(Path::new(&path("out")).join("report.json")).unwrap();
    keys(&serde_json::from_str(&report).unwrap(), &mut names);
    assert!(names.len() > 250, "{}", names.len());
    let not_explained: Vec<&String> = names
        .iter()
        .filter(|name| {
            // A sentence, or a list of sections, begins with something else.
            let said = say(&["explain", name]);
            let head = said.stdout.lines().next().unwrap_or_default();
            let kinds = ["metric", "column", "field", "term", "rule"];
            said.code != Some(0) || !kinds.iter().any(|kind| head.contains(kind))
        })
        .collect();
    assert!(not_explained.is_empty(), "{not_explained:?}");
}

/// Whoever pastes what the console printed, or a part of it, gets the sentence with causes and ways out, in the own language.
#[test]
fn explain_knows_sentences() {
    let printed = say(&["no_where", "out"]).stderr;
    for (given, id, cause) in [
        (printed.trim(), "error-format-no-directory", ""),
        ("no global.profile here", "error-format-no-global", "a directory above a dump"),
        (
            "lost: cdmlib0_0.profile at byte 8: TIU PMU ring overflowed: only the last 407 records are left",
            "note-lapped",
            "",
        ),
        ("这里没有 global.profile", "error-format-no-global", "a directory above a dump"),
    ] {
        let said = say(&["explain", given]);
        assert_eq!((said.code, said.stderr.as_str()), (Some(0), ""), "{given}");
        assert!(
            said.stdout.starts_with(id) && said.stdout.contains(cause),
            "{given}: {}",
            said.stdout
        );
        assert!(said.stdout.contains("bigtpuprofile explain docs/"), "{}", said.stdout);
        let chinese = say(&["--lang", "zh", "explain", given]).stdout;
        assert!(chinese.starts_with(id) && chinese.contains("详见"), "{given}: {chinese}");
    }
    // Words need no quotation marks.
    let said = say(&["explain", "why", "is", "the", "TIU", "idle", "--lang", "en"]);
    assert!(said.stdout.starts_with("Why is the TIU idle"), "{said:?}");
    // Questions get the section that answers them, on one screen, and places of others.
    for (question, heading) in [
        ("why is the TIU idle?", "Why is the TIU idle"),
        ("TIU 空闲", "TIU 为什么空闲"),
        ("what does exit code 3 mean", "Which exit codes does it have?"),
        ("环形缓冲满了怎么办", "环形缓冲满了"),
        ("max_record_num", "How large must the ring (max_record_num) be?"),
        ("the gate fails at night", "Symptoms: The gate fails at night"),
        ("page shows nothing", "Symptoms: The page is empty"),
        ("flags, arguments", "Command line: Options"),
    ] {
        let said =
            say(&["explain", question, "--lang", if heading.is_ascii() { "en" } else { "zh" }]);
        assert!(said.stdout.starts_with(heading), "{question}: {said:?}");
        assert!(said.stdout.contains("\n  bigtpuprofile explain "), "{question}: {said:?}");
        assert!(said.stdout.lines().count() <= 40, "{question}: {said:?}");
    }
}

#[test]
fn explain_knows_terms_metrics_columns_and_fields() {
    let all = say(&["explain"]).stdout;
    for name in ["serialized", "hand-over", "overlap ratio", "p95_ns", "on_critical_path", "dur"] {
        assert!(all.contains(name), "{name}");
    }
    for (name, words) in [
        ("slack", "how much later an event could end"),
        ("Overlap-Ratio", "overlapped / min(compute, transfer)"),
        ("p95_ns", "95 % of the launches took at most this time"),
        ("expected_mark", "exact, fitted, estimated, not validated"),
        ("duration_ns", "ns on the common time line"),
    ] {
        let said = say(&["explain", name]);
        assert_eq!((said.code, said.stderr.as_str()), (Some(0), ""), "{name}");
        assert!(said.stdout.contains(words), "{name}: {}", said.stdout);
        assert!(!said.stdout.contains("](") && !said.stdout.contains("**"), "{}", said.stdout);
    }
    let chinese = say(&["explain", "slack", "--lang", "zh"]).stdout;
    assert!(chinese.contains("余量：一个事件可以晚多少结束而运行不变长"), "{chinese}");
}

/// The heads of the tables on a console: rows with a line `+==` below.
fn heads(text: &str, all: &mut BTreeSet<String>) {
    for (row, below) in text.lines().zip(text.lines().skip(1)) {
        if below.starts_with("+==") {
            all.extend(row.split('|').map(|cell| cell.trim().to_owned()).filter(|c| !c.is_empty()));
        }
    }
}

/// The keys of objects. Those of sentences are data, and so are names of engines and data types.
fn keys(value: &Value, all: &mut BTreeSet<String>) {
    match value {
        Value::Object(map) => {
            for (key, value) in map.iter().filter(|(key, _)| *key != "messages") {
                if !key.starts_with(|c: char| c.is_ascii_uppercase()) {
                    all.insert(key.clone());
                }
                if !key.ends_with("message") {
                    keys(value, all);
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| keys(item, all)),
        _ => {}
    }
}

/// What nothing answers is told as such, and one name of several things names these.
#[test]
fn explain_says_what_it_does_not_know_and_tells_things_of_one_name_apart() {
    for (question, said) in [
        ("temperature of the chip", "This may not be what you asked. "),
        ("一张卡多少钱", "以下内容不一定是你要问的，"),
    ] {
        let found = say(&["explain", question]).stdout;
        assert!(found.starts_with(said) && found.lines().count() > 5, "{question}: {found}");
    }
    let known = say(&["explain", "why is the utilization low?"]).stdout;
    assert!(known.starts_with("Why is the TIU idle"), "{known}");
    let stall = say(&["explain", "stall"]).stdout;
    let several =
        "stall is the name of 3 things: rule of the advice; term; field or part of a query";
    assert!(stall.starts_with(several) && stall.lines().count() < 34, "{stall}");
    let both = say(&["explain", "difference between slack and critical path", "--lang", "en"]);
    assert!(!both.stdout.contains("is the name of"), "{}", both.stdout);
}

/// The document of terms, which has both languages, is shown in one.
#[test]
fn explain_shows_terms_in_one_language() {
    let is_chinese = |text: &str| text.chars().any(|c| ('\u{4e00}'..='\u{9fff}').contains(&c));
    let place = "docs/glossary.md";
    let english = say(&["explain", place, "--lang", "en"]).stdout;
    assert!(!is_chinese(&english) && english.contains("- slack — how much later"), "{english}");
    let chinese = say(&["explain", place, "--lang", "zh"]).stdout;
    assert!(chinese.contains("- 余量（slack） — "), "{chinese}");
    let lines = chinese.lines().filter(|line| !line.is_empty());
    assert!(lines.clone().count() > 60 && lines.clone().all(is_chinese), "{chinese}");
    assert!(!chinese.contains("how much later"), "{chinese}");
}
