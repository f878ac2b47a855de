//! The documents name tests for what they say, and link each other; tests and sections exist.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::support::run::say;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn doc(name: &str) -> String {
    fs::read_to_string(root().join("docs").join(name)).unwrap()
}

/// The names of all tests of the repository: functions behind the attribute, and Python's.
fn tests() -> BTreeSet<String> {
    let mut open: Vec<PathBuf> =
        ["crates", "src", "tests", "xtask"].map(|dir| root().join(dir)).to_vec();
    let mut names = BTreeSet::new();
    while let Some(path) = open.pop() {
        if path.is_dir() {
            open.extend(fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()));
        } else if path.extension().is_some_and(|ext| ext == "rs") {
            let text = fs::read_to_string(path).unwrap();
            let behind = text.split("#[test]").skip(1);
            let function = |part: &str| {
                let name = part.split_once("fn ")?.1.split_once('(')?.0;
                Some(name.to_owned())
            };
            names.extend(behind.filter_map(function));
        }
    }
    for file in fs::read_dir(root().join("python/tests")).unwrap().map(|file| file.unwrap().path())
    {
        if file.extension().is_some_and(|ext| ext == "py") {
            let text = fs::read_to_string(file).unwrap();
            let functions = text.split("\ndef ").filter(|part| part.starts_with("test_"));
            names.extend(functions.filter_map(|part| Some(part.split_once('(')?.0.to_owned())));
        }
    }
    names
}

/// What is between backquotes.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// Expects tests to be named, and each of them to exist.
#[track_caller]
fn named(what: &str, text: &str, tests: &BTreeSet<String>) {
    let mut names = quoted(text).peekable();
    assert!(names.peek().is_some(), "{what}: no test is named");
    for name in names {
        assert!(tests.contains(name), "{what}: there is no test {name}");
    }
}

/// The cells of a table's rows, without its head.
fn rows(text: &str) -> impl Iterator<Item = Vec<&str>> {
    let lines = text.lines().skip_while(|line| !line.starts_with("|---")).skip(1);
    lines.take_while(|line| line.starts_with('|')).map(|line| {
        let inner = line.trim_start_matches("| ").trim_end_matches(" |");
        inner.split(" | ").collect()
    })
}

#[test]
fn every_section_of_the_format_names_its_tests() {
    let tests = tests();
    let format = doc("format.md");
    for line in format.lines().filter_map(|line| line.strip_prefix("Tests: ")) {
        named("format.md", line, &tests);
    }
    // From section 1 to the differences, which have a table of their own.
    let (_, sections) = format.split_once("\n## 1 ").unwrap();
    let (sections, _) = sections.split_once("\n## 9 ").unwrap();
    let mut count = 0;
    for section in sections.split("\n##") {
        let (title, text) = section.split_once('\n').unwrap();
        if !text.trim().is_empty() {
            assert!(text.contains("\nTests: ") || title.ends_with("Clean-up"), "{title}: no tests");
            count += 1;
        }
    }
    assert!(count >= 20, "{count} sections");
}

#[test]
fn every_difference_names_its_test() {
    let tests = tests();
    let format = doc("format.md");
    let (_, differences) = format.split_once("\n## 9 ").unwrap();
    let rows: Vec<_> = rows(differences).collect();
    assert!(rows.len() >= 25, "{}", rows.len());
    for row in rows {
        named(row[0], row.last().unwrap(), &tests);
    }
}

#[test]
fn every_fault_names_its_test() {
    let tests = tests();
    let reliability = doc("reliability.md");
    let (tables, _) = reliability.split_once("\n## Fuzzing").unwrap();
    let mut count = 0;
    for table in tables.split("\n## ").skip(1) {
        for row in rows(table) {
            named(row[0], row.last().unwrap(), &tests);
            count += 1;
        }
    }
    assert!(count >= 70, "{count} faults");
}

#[test]
fn the_tests_of_user_pages_exist() {
    let tests = tests();
    let text = doc("proof/tests.md");
    let rows: Vec<_> = rows(&text).collect();
    assert!(rows.len() >= 25, "{}", rows.len());
    for row in rows {
        for name in quoted(row[2]) {
            assert!(tests.contains(name), "{}: there is no test {name}", row[0]);
        }
    }
}

/// The documents of a language, without those about this program.
fn documents(is_meant: impl Fn(&str) -> bool, folders: &[&str]) -> String {
    let mut all = String::new();
    for folder in folders {
        for file in fs::read_dir(root().join(folder)).unwrap() {
            let path = file.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if name.ends_with(".md") && is_meant(&name) {
                all += &fs::read_to_string(path).unwrap();
            }
        }
    }
    all
}

/// Options of a help text as they are written.
fn options(help: &str) -> Vec<String> {
    let lines = help.lines().map(|line| line.trim_start().trim_start_matches("-o, ").to_owned());
    let words = lines.filter(|line| line.starts_with("--"));
    let name = |line: String| {
        let end = line[2..].find(|c: char| !(c.is_ascii_lowercase() || "-_".contains(c)));
        line[..end.map_or(line.len(), |end| end + 2)].to_owned()
    };
    words.map(name).filter(|name| !["--help", "--version"].contains(&name.as_str())).collect()
}

#[test]
fn every_option_is_in_a_document() {
    let english =
        documents(|name| !name.contains(".zh-CN."), &["docs", "docs/prediction", "docs/proof"]);
    let chinese = documents(|name| name.contains(".zh-CN."), &["docs", "docs/prediction"]);
    let mut count = 0;
    let help = say(&["--help"]).stdout;
    let list = help.split("\nArguments:").next().unwrap();
    let commands = list.lines().filter_map(|line| line.strip_prefix("  ")?.split("  ").next());
    for command in commands.filter(|name| !["", "help"].contains(name)).chain([""]) {
        let args = [command, "--help"];
        for option in options(&say(&args[usize::from(command.is_empty())..]).stdout) {
            let hyphens = format!("--{}", option[2..].replace('_', "-"));
            let has = |text: &str| text.contains(&option) || text.contains(&hyphens);
            assert!(has(&english), "{command} {option} is in no document");
            // Those of synthetic dumps are listed with the proofs, which are in English.
            assert!(command == "synth" || has(&chinese), "{command} {option}: no Chinese document");
            count += 1;
        }
    }
    assert!(count > 250, "{count}");
}

/// Pages for engineers of the formats and of this program.
const NOT_FOR_USERS: [&str; 4] =
    ["format.md", "reliability.md", "architecture.md", "dependencies.md"];
/// English words of README and of the pages for users, all together.
const MOST_WORDS: usize = 40_000;

/// What stands in the pages for users is read; what proves it is in `docs/proof`.
#[test]
fn pages_for_users_are_short() {
    let mut pages = vec![root().join("README.md")];
    for folder in ["docs", "docs/prediction"] {
        let files = fs::read_dir(root().join(folder)).unwrap().map(|file| file.unwrap());
        let is_page = |name: &str| {
            name.ends_with(".md") && !name.ends_with(".zh-CN.md") && !NOT_FOR_USERS.contains(&name)
        };
        pages.extend(files.filter(|f| is_page(&f.file_name().to_string_lossy())).map(|f| f.path()));
    }
    // Marks of Markdown and Chinese words are none.
    let is_word = |word: &&str| word.chars().any(|c| c.is_ascii_alphanumeric());
    let words = |page: &PathBuf| {
        fs::read_to_string(page).unwrap().split_whitespace().filter(is_word).count()
    };
    let all: usize = pages.iter().map(words).sum();
    assert!(pages.len() > 25, "{}", pages.len());
    assert!((10_000..=MOST_WORDS).contains(&all), "{all} words: move proofs to docs/proof");
}

#[test]
fn proofs_are_in_english_only() {
    for file in fs::read_dir(root().join("docs/proof")).unwrap() {
        let name = file.unwrap().file_name().into_string().unwrap();
        assert!(!name.ends_with(".zh-CN.md"), "docs/proof/{name}");
    }
}

/// What both languages of a document have in common: levels of headings, and what stands in blocks of code, but for what commands print.
fn skeleton(text: &str) -> (Vec<usize>, Vec<String>) {
    let (mut levels, mut blocks) = (Vec::new(), Vec::new());
    for (at, part) in text.split("```").enumerate() {
        if at % 2 == 1 {
            let is_console = part.starts_with("console\n");
            let part: String = match is_console {
                true => part.split_inclusive('\n').filter(|line| line.starts_with("$ ")).collect(),
                false => part.to_owned(),
            };
            // Comments may be translated.
            let code =
                |line: &str| line.split('#').next().unwrap_or_default().trim_end().to_owned();
            blocks.extend(part.lines().map(code).filter(|line| !line.is_empty()));
            continue;
        }
        let headings = part.lines().filter(|line| line.starts_with('#'));
        levels.extend(headings.map(|line| line.bytes().take_while(|byte| *byte == b'#').count()));
    }
    (levels, blocks)
}

#[test]
fn chinese_documents_have_the_sections_and_commands_of_the_english_ones() {
    let mut count = 0;
    for folder in ["", "prediction/"] {
        for entry in fs::read_dir(root().join("docs").join(folder)).unwrap() {
            let file = entry.unwrap().file_name().into_string().unwrap();
            let Some(stem) = file.strip_suffix(".zh-CN.md") else { continue };
            let name = format!("{folder}{file}");
            let english = doc(&format!("{folder}{stem}.md"));
            assert_eq!(skeleton(&doc(&name)), skeleton(&english), "{name}");
            assert!(english.contains(&format!("({file})")), "{stem}.md names no Chinese version");
            count += 1;
        }
    }
    assert!(count >= 20, "{count}");
}

/// Relative links of a document, without what stands in blocks of code: file and section.
fn links(text: &str) -> Vec<(String, String)> {
    let prose: String = text.split("```").step_by(2).collect();
    let targets = prose.split("](").skip(1).filter_map(|rest| rest.split_once(')'));
    targets
        .map(|(target, _)| target)
        .filter(|target| !target.contains("://") && !target.contains(' '))
        .map(|target| {
            let (file, section) = target.split_once('#').unwrap_or((target, ""));
            (file.to_owned(), section.to_owned())
        })
        .collect()
}

/// The sections of a document, as links name them.
fn anchors(text: &str) -> BTreeSet<String> {
    let prose = text.split("```").step_by(2).flat_map(str::lines);
    let headings = prose.filter(|line| line.starts_with('#'));
    let anchor = |line: &str| -> String {
        let title = line.trim_start_matches('#').trim().to_lowercase();
        let kept = title.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
        kept.map(|c| if c == ' ' { '-' } else { c }).collect()
    };
    headings.map(anchor).collect()
}

#[test]
fn links_of_documents_lead_to_files_and_sections() {
    let folders = ["", "docs", "docs/prediction", "docs/proof"];
    let files = folders.iter().flat_map(|folder| fs::read_dir(root().join(folder)).unwrap());
    let files = files.map(|entry| entry.unwrap().path());
    let mut count = 0;
    for path in files.filter(|path| path.extension().is_some_and(|ext| ext == "md")) {
        let text = fs::read_to_string(&path).unwrap();
        for (file, section) in links(&text) {
            let target =
                if file.is_empty() { path.clone() } else { path.parent().unwrap().join(&file) };
            let place = format!("{}: {file}#{section}", path.display());
            assert!(target.exists(), "{place}: there is no such file");
            if !section.is_empty() && target.extension().is_some_and(|ext| ext == "md") {
                let own = anchors(&fs::read_to_string(&target).unwrap());
                assert!(own.contains(&section), "{place}: there is no such section");
            }
            count += 1;
        }
    }
    assert!(count >= 300, "{count} links");
}

/// Expects panels with numbers on a page without scripts to have a mark, and its sentences to be in the section of the docs that it names,
/// in both languages.
#[track_caller]
pub(crate) fn page_explains_its_numbers(page: &str, marks: usize) {
    let texts: Vec<&str> = page.split("class=\"explain-text\">").skip(1).collect();
    assert_eq!(texts.len(), marks, "{page}");
    for text in texts {
        let between = |start: &str, end: &str| {
            let found = text.split_once(start).and_then(|(_, rest)| rest.split_once(end));
            found.unwrap_or_else(|| panic!("{start} is not in {text}")).0.replace("&#39;", "'")
        };
        let [english, chinese] =
            ["en", "zh"].map(|name| between(&format!("lang=\"{name}\">"), "</span>"));
        let source = between("docs/", "</span>");
        let (file, section) = source.split_once('#').unwrap();
        let anchors = doc(file)
            .lines()
            .filter(|line| line.starts_with('#'))
            .map(|line| line.trim_start_matches(['#', ' ']).to_lowercase().replace(' ', "-"))
            .collect::<Vec<_>>();
        assert!(anchors.iter().any(|anchor| anchor == section), "{source}: {anchors:?}");
        assert!(doc(file).contains(&english), "{source}: {english}");
        let translated = file.replace(".md", ".zh-CN.md");
        assert!(doc(&translated).contains(&chinese), "{translated}: {chinese}");
    }
}
