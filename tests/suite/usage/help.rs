//! What the tool says of itself.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use super::commands::COMMANDS;
use super::contains_all;
use crate::support::case::case;
use crate::support::run::{analyzed, finish, say, tool};

const OPTIONS: [&str; 14] = [
    "emit",
    "perfetto",
    "disable_summary",
    "disable_web",
    "disable_doc",
    "enable_doc",
    "trace_file",
    "host_align",
    "tiu_freq",
    "cores",
    "num_core",
    "jobs",
    "strict",
    "verbose",
];

#[track_caller]
fn printed(args: &[&str]) -> String {
    let said = say(args);
    assert_eq!((said.code, said.stderr.as_str()), (Some(0), ""), "{args:?}");
    said.stdout
}

#[test]
fn help_lists_all_options_and_shows_examples() {
    let help = printed(&["--help"]);
    OPTIONS.iter().for_each(|option| contains_all(&help, &[&format!("--{option}")]));
    contains_all(&help, &["Usage: bigtpuprofile", "[default: profile_out]"]);
    let (_, examples) = help.split_once("Examples:").unwrap();
    contains_all(examples, &["bigtpuprofile cdm_profile_data_dev0-0 out --perfetto"]);
    contains_all(examples, &["Exit codes: 0 ok, 1 error, 2 invalid command line, 3 finished but"]);
}

#[test]
fn the_short_help_leads_to_the_first_two_commands() {
    let help = printed(&["-h"]);
    let groups = ["Look:", "Compare:", "Many dumps:", "Plan:", "Tools:"];
    let places: Vec<usize> = groups.iter().map(|group| help.find(group).unwrap()).collect();
    assert!(places.is_sorted(), "{help}");
    for command in COMMANDS {
        assert_eq!(help.matches(&format!("\n  {command} ")).count(), 1, "{command}: {help}");
    }
    contains_all(&help, &["bigtpuprofile synth demo && bigtpuprofile demo out", "--perfetto"]);
    assert!(!help.contains("--compress_trace") && help.lines().count() < 70, "{help}");
    // Without any argument, the same is said.
    let said = say(&[]);
    assert_eq!((said.code, said.stdout.as_str()), (Some(2), ""));
    assert_eq!(said.stderr.trim(), help.trim());
}

/// `-h` has what one begins with, `--help` everything.
#[test]
fn the_short_help_of_a_command_leaves_out_what_few_need() {
    for (command, shown, left_out) in [
        ("synth", "--plant", "--drift-ppm"),
        ("estimate", "--hf", "--acceptance"),
        ("batch", "--perfetto", "--compress_trace"),
        ("record", "--open", "--compress_trace"),
    ] {
        let [short, long] = ["-h", "--help"].map(|option| printed(&[command, option]));
        assert!(short.contains(shown) && !short.contains(left_out), "{command}: {short}");
        contains_all(&long, &[shown, left_out]);
        assert!(short.lines().count() < 75, "{command}: {}", short.lines().count());
    }
    assert!(printed(&["synth", "-h"]).lines().count() < 60);
}

#[test]
fn the_version_is_the_packages() {
    let expected = format!("bigtpuprofile {}\n", env!("CARGO_PKG_VERSION"));
    assert_eq!([printed(&["--version"]), printed(&["-V"])], [expected.clone(), expected]);
}

#[test]
fn a_man_page_is_printed() {
    let page = printed(&["--generate", "man"]);
    contains_all(&page, &[".TH bigtpuprofile 1", ".SH SYNOPSIS", ".SH OPTIONS", "Exit codes"]);
    OPTIONS.iter().for_each(|option| contains_all(&page, &[option]));
}

#[test]
fn every_command_has_a_man_page() {
    let index = printed(&["--generate", "man"]);
    let script = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/packaging/generate.sh"));
    let script = script.unwrap();
    for command in COMMANDS {
        let page = printed(&["--generate", &format!("man-{command}")]);
        let name = format!(".TH bigtpuprofile-{command} 1");
        contains_all(&page, &[&name, ".SH OPTIONS", &format!("bigtpuprofile {command}")]);
        contains_all(&index, &[&format!("bigtpuprofile\\-{command}(1)")]);
        contains_all(&script, &[&format!(" {command}")]);
    }
}

#[test]
fn completions_are_printed_for_every_shell() {
    for (what, mark) in [
        ("complete-bash", "complete -o nospace"),
        ("complete-zsh", "#compdef bigtpuprofile"),
        ("complete-fish", "--command bigtpuprofile"),
        ("complete-powershell", "Register-ArgumentCompleter"),
    ] {
        let script = printed(&["--generate", what]);
        contains_all(&script, &[mark, "BIGTPUPROFILE_COMPLETE"]);
    }
}

/// What bash offers for the last of the words.
fn completed(words: &[&str]) -> Vec<String> {
    let program = Path::new(env!("CARGO_BIN_EXE_bigtpuprofile"));
    let path = std::env::var("PATH").unwrap();
    let path = format!("{}:{path}", program.parent().unwrap().display());
    let script = r#"
        source <(bigtpuprofile --generate complete-bash)
        COMP_WORDS=(bigtpuprofile "$@") COMP_CWORD=$# COMP_TYPE=9
        _clap_complete_bigtpuprofile bigtpuprofile "${@: -1}" "${@: -2:1}"
        printf '%s\n' "${COMPREPLY[@]}"
    "#;
    let mut bash = Command::new("bash");
    bash.args(["--norc", "-c", script, "bash"]).args(words).env("PATH", path).env("LC_ALL", "C");
    finish(&mut bash).stdout.lines().map(str::to_owned).collect()
}

#[test]
fn bash_completes_commands_options_and_names() {
    let commands = completed(&[""]);
    COMMANDS.iter().for_each(|command| assert!(commands.iter().any(|own| own == command)));
    let options = completed(&["--"]);
    OPTIONS.iter().for_each(|option| {
        let option = format!("--{option}");
        assert!(options.contains(&option), "{option}: {options:?}");
    });
    for (words, one) in [
        (&["whati"][..], "whatif"),
        (&["estimate", "x", "--on", "H100"], "H100-SXM"),
        (&["explain", "seri"], "serialized"),
        (&["query", "x", "TIU", "--by", "crit"], "critical"),
        (&["query", "x", "TIU", "--by", "dty"], "dtype"),
        (&["x", "y", "--emit", "tra"], "trace"),
    ] {
        let found = completed(words);
        assert!(found.iter().any(|word| word == one), "{words:?}: {found:?}");
        assert!(found.iter().all(|word| word.starts_with(words[words.len() - 1])), "{found:?}");
    }
}

#[test]
fn bash_completes_kernels_of_the_dump_in_the_line() {
    let keep = tempfile::tempdir().unwrap();
    let dump = keep.path().join("dump");
    let dump = dump.to_str().unwrap();
    printed(&["synth", dump, "--chip", "aksv", "--launches", "3", "--kernel", "rope"]);
    assert_eq!(completed(&[dump, "out", "--kernel", ""]), ["rope"]);
    assert_eq!(completed(&["whatif", dump, "--scale", "kern"]), ["kernel:rope="]);
    assert_eq!(completed(&["whatif", dump, "--scale", "dd"]), ["ddr="]);
    // No dump, no names; and no error in the line that one types.
    assert_eq!(completed(&["nodump", "out", "--kernel", ""]), [""]);
}

#[test]
fn explain_prints_the_section_of_every_rule() {
    // Titles are bold in the document.
    let document = include_str!("../../../docs/advice.md").replace("**", "");
    let rules: Vec<&str> = document.lines().filter_map(|line| line.strip_prefix("## ")).collect();
    assert_eq!(rules.len(), 19);
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
    let said = say(&["explain", "unaligned-shape"]);
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
        assert!(
            said.stdout.starts_with('#') && said.stdout.len() > 100,
            "{place}: {}",
            said.stdout
        );
    }
    let chinese = say(&["explain", "docs/capture.md", "--lang", "zh"]).stdout;
    assert_eq!(chinese, fs::read_to_string(root.join("docs/capture.zh-CN.md")).unwrap());
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
            let kinds = ["metric)", "column", "field", "term)", "rule"];
            said.code != Some(0) || !kinds.iter().any(|kind| head.contains(kind))
        })
        .collect();
    assert!(not_explained.is_empty(), "{not_explained:?}");
}

/// Whoever pastes what the console printed, or a part of it, gets the sentence with causes and ways out, in the own language.
#[test]
fn explain_knows_sentences() {
    let printed = say(&["nowhere", "out"]).stderr;
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
    // Questions get the chapter that has most of their words, whole, and places of others.
    for (question, heading) in [
        ("why is the TIU idle?", "## The TIU is idle"),
        ("TIU 空闲", "## TIU 空闲"),
        ("what does exit code 3 mean", "## Exit codes"),
        ("环形缓冲满了怎么办", "## 环形缓冲已满"),
        ("max_record_num", "## How large max_record_num must be"),
    ] {
        let said =
            say(&["explain", question, "--lang", if heading.is_ascii() { "en" } else { "zh" }]);
        assert!(said.stdout.starts_with(heading), "{question}: {said:?}");
        assert!(said.stdout.contains("\n  bigtpuprofile explain docs/"), "{question}: {said:?}");
    }
}

/// Questions that the ranking was not made with, and documents that answer them.
#[test]
fn questions_get_the_section_that_answers_them() {
    let asked = [
        ("en", "my run lost records, what now", "symptoms.md capture.md reliability.md"),
        ("en", "where do the results go", "command-line.md#where-results-go"),
        ("en", "what is the roofline", "=Roofline"),
        ("en", "how can I use it in github actions", "ci.md#github-actions"),
        ("en", "does it work in the browser without installing", "browser.md"),
        ("en", "how do I write synthetic dumps", "command-line.md#synthetic-dumps-synth"),
        ("en", "simulate pipeline bubble of 1f1b", "prediction/pipeline.md"),
        ("en", "energy of a model on another machine", "prediction/estimate.md"),
        ("en", "why does the page show nothing", "symptoms.md#the-page-is-empty"),
        ("en", "how fast is the program on large dumps", "performance.md"),
        ("zh", "结果写到哪里", "command-line.md"),
        ("zh", "roofline 怎么看", "analysis.md#roofline page.md"),
        ("zh", "GitHub Actions 里如何使用", "ci.md#github-actions"),
        ("zh", "不安装能在浏览器里用吗", "browser.md"),
        ("zh", "怎么生成合成转储", "command-line.md#synthetic-dumps-synth"),
        ("zh", "流水线并行的空泡怎么模拟", "prediction/pipeline.md"),
        ("zh", "换一台机器能耗是多少", "prediction/estimate.md"),
        ("zh", "网页打开是空的", "symptoms.md#the-page-is-empty"),
        ("zh", "两次结果有噪声怎么办", "ci.md#noise"),
        ("zh", "主机启动太晚怎么看", "analysis.md#host-and-device first-run.md#4-look"),
    ];
    let mut wrong = Vec::new();
    for (language, question, answers) in asked {
        let said = say(&["explain", question, "--lang", language]);
        let place = said.stdout.split("\n  bigtpuprofile explain docs/").nth(1).unwrap_or_default();
        let is_answer = |answer: &str| match answer.strip_prefix('=') {
            Some(name) => said.stdout.starts_with(name),
            None => place.starts_with(answer),
        };
        if !answers.split(' ').any(is_answer) {
            wrong.push((question, place.lines().next().unwrap_or_default().to_owned()));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
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
