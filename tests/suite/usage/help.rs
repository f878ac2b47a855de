//! What the tool says of itself.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::commands::COMMANDS;
use super::contains_all;
use crate::support::run::{finish, say};

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
        (&["estimate", "x", "--on", "h100"], "h100-sxm"),
        (&["estimate", "x", "--on", "aks,bm"], "aks,bm1688"),
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
