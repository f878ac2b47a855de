//! What the tool says of itself.

use std::fs;

use super::commands::COMMANDS;
use super::contains_all;
use crate::support::run::{finish, say, tool};

const OPTIONS: [&str; 13] = [
    "emit",
    "perfetto",
    "disable_summary",
    "disable_web",
    "disable_doc",
    "enable_doc",
    "trace_file",
    "host_align",
    "tiu_freq",
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
    for flag in ["--help", "-h"] {
        let help = printed(&[flag]);
        OPTIONS.iter().for_each(|option| contains_all(&help, &[&format!("--{option}")]));
        contains_all(&help, &["Usage: bigtpuprofile", "[default: profile_out]"]);
        let (_, examples) = help.split_once("Examples:").unwrap();
        contains_all(examples, &["bigtpuprofile cdm_profile_data_dev0-0 out --perfetto"]);
        contains_all(
            examples,
            &["Exit codes: 0 ok, 1 error, 2 invalid command line, 3 finished but"],
        );
    }
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
    let shells = [
        ("complete-bash", "complete -F _bigtpuprofile"),
        ("complete-zsh", "#compdef bigtpuprofile"),
        ("complete-fish", "complete -c bigtpuprofile"),
        ("complete-powershell", "Register-ArgumentCompleter"),
    ];
    for (what, mark) in shells {
        let script = printed(&["--generate", what]);
        contains_all(&script, &[mark]);
        OPTIONS.iter().for_each(|option| contains_all(&script, &[option]));
    }
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
    let said = say(&["explain", "nope"]);
    assert_eq!((said.code, said.stdout.as_str()), (Some(2), ""));
    assert!(said.stderr.contains("unaligned-shapes"), "{}", said.stderr);
}
