//! The commands of README and docs run, and print what the documents show.
//!
//! Every block ```` ```sh ```` and ```` ```console ```` is run by bash, the blocks of a document one after another in a directory of its
//! own, with an empty home and the fixtures in `fixtures`. A block of a console shows commands behind `$ ` and what they
//! print: a line that ends with ` ...` is compared up to there, and a line `...` represents any lines. Comments in front of
//! a block: `<!-- not run: REASON -->`, and `<!-- setup: COMMANDS -->`, which are run first. `BLESS=1` writes outputs anew that
//! are shown whole.
#![cfg(unix)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::run::finish;

/// A block of commands.
struct Block {
    line: usize,
    setup: Option<String>,
    kind: Kind,
}

enum Kind {
    /// The reason why it is not run.
    NotRun(String),
    Script(String),
    /// Commands and the lines that each prints.
    Console(Vec<(String, Vec<String>)>),
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn comment<'a>(line: &'a str, key: &str) -> Option<&'a str> {
    line.strip_prefix("<!-- ")?.strip_suffix(" -->")?.strip_prefix(key)?.strip_prefix(": ")
}

fn blocks(text: &str) -> Vec<Block> {
    let mut found = Vec::new();
    let (mut setup, mut reason) = (None, None);
    let mut lines = text.lines().enumerate();
    while let Some((line, start)) = lines.next() {
        if let Some(commands) = comment(start, "setup") {
            setup = Some(commands.to_owned());
        } else if let Some(why) = comment(start, "not run") {
            reason = Some(why.to_owned());
        } else if let Some(language) = start.strip_prefix("```") {
            let body: Vec<&str> =
                lines.by_ref().map(|(_, line)| line).take_while(|line| *line != "```").collect();
            // A synopsis has names in angle brackets for what the reader gives.
            let is_command =
                |line: &&&str| line.starts_with("bigtpuprofile ") && !line.contains('<');
            let is_run = ["sh", "console"].contains(&language);
            let hidden = body.iter().find(is_command).filter(|_| !is_run);
            assert_eq!(hidden, None, "line {}: a command in a block that is not run", line + 1);
            let is_shown = body.iter().any(|line| line.starts_with("$ "));
            assert!(!is_shown || language == "console", "line {}: not marked as console", line + 1);
            let kind = match (language, reason.take()) {
                ("sh" | "console", Some(why)) => Kind::NotRun(why),
                ("sh", None) => Kind::Script(body.join("\n")),
                ("console", None) => Kind::Console(console(&body)),
                _ => continue,
            };
            found.push(Block { line: line + 1, setup: setup.take(), kind });
        }
    }
    found
}

fn console(body: &[&str]) -> Vec<(String, Vec<String>)> {
    let mut commands: Vec<(String, Vec<String>)> = Vec::new();
    for line in body {
        match (line.strip_prefix("$ "), commands.last_mut()) {
            (Some(command), _) => commands.push((command.to_owned(), Vec::new())),
            (None, Some((_, output))) => output.push((*line).to_owned()),
            (None, None) => panic!("a console starts with a command, not {line:?}"),
        }
    }
    commands
}

/// Whether the output is as shown.
fn fits(shown: &[String], printed: &[&str]) -> bool {
    let Some((first, rest)) = shown.split_first() else { return printed.is_empty() };
    if first == "..." {
        return (0..=printed.len()).any(|skipped| fits(rest, &printed[skipped..]));
    }
    let Some((line, after)) = printed.split_first() else { return false };
    let is_same = match first.strip_suffix(" ...") {
        Some(start) => line.starts_with(start),
        None => first == line.trim_end(),
    };
    is_same && fits(rest, after)
}

/// What a document's commands run in.
struct Sandbox {
    directory: tempfile::TempDir,
    /// `LANG`.
    language: &'static str,
}

impl Sandbox {
    fn new(language: &'static str) -> Self {
        let directory = tempfile::tempdir().unwrap();
        fs::create_dir(directory.path().join("home")).unwrap();
        fs::create_dir(directory.path().join("work")).unwrap();
        std::os::unix::fs::symlink(root().join("fixtures"), directory.path().join("work/fixtures"))
            .unwrap();
        Self { directory, language }
    }

    /// Runs commands by bash; whatever they print, and the exit code.
    fn run(&self, commands: &str) -> (Option<i32>, String) {
        let program = Path::new(env!("CARGO_BIN_EXE_bigtpuprofile")).parent().unwrap();
        let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap());
        let mut bash = Command::new("bash");
        bash.args(["-euc", &format!("exec 2>&1\n{commands}")]);
        bash.current_dir(self.directory.path().join("work"));
        bash.env("PATH", path).env("HOME", self.directory.path().join("home"));
        bash.env("REPOSITORY", root()).env("LC_ALL", "").env("LC_MESSAGES", "");
        bash.env("LANG", self.language);
        let said = finish(&mut bash);
        (said.code, said.stdout)
    }
}

/// What is shown in parts is written by hand.
fn is_blessed(shown: &[String]) -> bool {
    std::env::var_os("BLESS").is_some() && !shown.iter().any(|line| line.ends_with("..."))
}

/// Writes what a command prints in place of what was shown.
fn bless(document: &Path, command: &str, shown: &[String], printed: &[&str]) {
    let block = |lines: Vec<&str>| [&[&*format!("$ {command}")], &lines[..]].concat().join("\n");
    let printed = printed.iter().map(|line| line.trim_end()).collect();
    let (old, new) = (block(shown.iter().map(String::as_str).collect()), block(printed));
    let text = fs::read_to_string(document).unwrap();
    assert!(text.contains(&old), "{}: {old}", document.display());
    fs::write(document, text.replacen(&old, &new, 1)).unwrap();
}

fn check(document: &Path) -> usize {
    let text = fs::read_to_string(document).unwrap();
    let sandbox = Sandbox::new(if is_chinese(document) { "zh_CN.UTF-8" } else { "C" });
    let mut count = 0;
    for block in blocks(&text) {
        let place = format!("{}:{}", document.display(), block.line);
        let setup = block.setup.unwrap_or_default();
        match block.kind {
            Kind::NotRun(why) => assert!(why.len() > 5, "{place}: not run for what reason?"),
            Kind::Script(script) => {
                let (code, printed) = sandbox.run(&format!("{setup}\n{script}"));
                assert_eq!(code, Some(0), "{place}: {printed}");
                count += 1;
            }
            Kind::Console(commands) => {
                let (code, printed) = sandbox.run(&setup);
                assert_eq!(code, Some(0), "{place}: {printed}");
                for (command, shown) in commands {
                    let (_, printed) = sandbox.run(&command);
                    let lines: Vec<&str> = printed.lines().collect();
                    if !fits(&shown, &lines) && is_blessed(&shown) {
                        bless(document, &command, &shown, &lines);
                        continue;
                    }
                    assert!(
                        fits(&shown, &lines),
                        "{place}: {command} prints\n{printed}\nand not\n{}",
                        shown.join("\n")
                    );
                    count += 1;
                }
            }
        }
    }
    count
}

fn is_chinese(document: &Path) -> bool {
    document.to_string_lossy().ends_with(".zh-CN.md")
}

/// All English Markdown files of a directory and those below it, without README.
fn documents(directory: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()) {
        if entry.is_dir() {
            found.extend(documents(&entry));
        } else if entry.extension().is_some_and(|extension| extension == "md")
            && !is_chinese(&entry)
        {
            found.push(entry);
        }
    }
    found.sort();
    found
}

#[test]
fn the_commands_of_the_readme_print_what_it_shows() {
    assert!(check(&root().join("README.md")) >= 7);
}

/// The English documents that have a Chinese one, with it.
fn translated() -> Vec<(PathBuf, PathBuf)> {
    let mut all = documents(&root().join("docs"));
    all.push(root().join("README.md"));
    let both = all.into_iter().map(|english| (english.clone(), english.with_extension("zh-CN.md")));
    both.filter(|(_, chinese)| chinese.exists()).collect()
}

#[test]
fn documents_of_both_languages_show_the_same_commands() {
    let shown = |document: &Path| {
        let text = fs::read_to_string(document).unwrap();
        let of_block = |block: Block| match block.kind {
            Kind::NotRun(_) => Vec::new(),
            Kind::Script(script) => vec![script],
            Kind::Console(commands) => commands.into_iter().map(|(command, _)| command).collect(),
        };
        blocks(&text).into_iter().map(of_block).collect::<Vec<_>>()
    };
    let all = translated();
    assert!(all.len() >= 29, "{}", all.len());
    for (english, chinese) in all {
        assert_eq!(shown(&english).len(), shown(&chinese).len(), "{}", english.display());
        for (one, other) in shown(&english).into_iter().zip(shown(&chinese)) {
            // Comments of scripts are translated.
            let code = |lines: Vec<String>| {
                let lines = lines.join("\n");
                let code = lines
                    .lines()
                    .map(|line| line.split(" #").next().unwrap().trim_end().to_owned());
                code.collect::<Vec<_>>()
            };
            assert_eq!(code(one), code(other), "{}", english.display());
        }
    }
}

/// Those without a console have only scripts, which need not run twice.
#[test]
fn the_consoles_of_chinese_documents_are_in_chinese() {
    let mut count = 0;
    for (_, chinese) in translated() {
        if fs::read_to_string(&chinese).unwrap().contains("\n```console\n") {
            count += check(&chinese);
        }
    }
    assert!(count >= 20, "{count} commands");
}

#[test]
fn the_commands_of_the_docs_print_what_they_show() {
    let mut count = check(&root().join("CONTRIBUTING.md"));
    for document in documents(&root().join("docs")) {
        count += check(&document);
    }
    assert!(count >= 8, "{count} commands");
}
