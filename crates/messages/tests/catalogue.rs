//! The catalogue is whole: both languages have the same messages with the same arguments, the program uses each of them, and it uses no
//! other ones.
#![allow(clippy::unwrap_used, reason = "tests")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use bigtpu_messages::{Arg, Language, Message, PARTS};
use fluent_bundle::FluentResource;

/// Names of arguments by message.
type Arguments = BTreeMap<String, BTreeSet<String>>;

/// Names behind `$` in a text.
fn arguments(text: &str) -> BTreeSet<String> {
    let behind = text.split('$').skip(1);
    let name = |rest: &str| {
        let name = rest.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_');
        let name: String = name.collect();
        let list = name.strip_suffix("_count").or(name.strip_suffix("_and"));
        list.unwrap_or(&name).to_owned()
    };
    behind.map(name).collect()
}

/// The messages of a language: a message begins at the start of a line.
fn messages(language: usize) -> Arguments {
    let mut all = Arguments::new();
    // Help texts have their English where options are declared.
    for part in PARTS.iter().filter(|part| part.prefixes != ["help"]) {
        let mut id = String::new();
        for line in part.sources[language].lines() {
            if line.starts_with(|c: char| c.is_ascii_lowercase()) {
                id = line.split(" =").next().unwrap().to_owned();
                let prefix = id.split('-').next().unwrap();
                assert!(part.prefixes.contains(&prefix), "{id} is in the wrong file");
                assert!(all.insert(id.clone(), BTreeSet::new()).is_none(), "{id} is there twice");
            }
            if !line.starts_with('#') && !id.is_empty() {
                all.get_mut(&id).unwrap().extend(arguments(line));
            }
        }
    }
    all
}

#[test]
fn the_files_are_fluent() {
    for source in PARTS.iter().flat_map(|part| part.sources) {
        let read = FluentResource::try_new(source.to_owned());
        let errors = read.err().map(|(_, errors)| errors);
        assert_eq!(errors, None, "{}", source.lines().next().unwrap_or_default());
    }
}

#[test]
fn both_languages_have_the_same_messages_and_arguments() {
    let [english, chinese] = [messages(0), messages(1)];
    assert!(english.len() > 100, "{}", english.len());
    let ids = |all: &Arguments| all.keys().cloned().collect::<BTreeSet<_>>();
    let missing: Vec<_> = ids(&english).symmetric_difference(&ids(&chinese)).cloned().collect();
    assert!(missing.is_empty(), "in one language only: {missing:?}");
    for (id, arguments) in &english {
        assert_eq!(arguments, &chinese[id], "{id}");
    }
}

/// Rust files of the program.
fn sources(below: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(below).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// The text of the call of a macro, to the bracket that closes it.
fn call(rest: &str) -> &str {
    let mut depth = 0;
    let mut in_text = false;
    for (at, c) in rest.char_indices() {
        match c {
            '"' => in_text = !in_text,
            '(' if !in_text => depth += 1,
            ')' if !in_text => {
                depth -= 1;
                if depth == 0 {
                    return &rest[..at];
                }
            }
            _ => {}
        }
    }
    rest
}

/// `name =` of the call's arguments, or `name` alone, those of nested calls left out.
fn names(call: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let (mut depth, mut start) = (0, 0);
    let mut parts = Vec::new();
    for (at, c) in call.char_indices() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            ',' if depth == 1 => {
                parts.push(&call[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&call[start..]);
    for part in parts.into_iter().skip(1) {
        let name = part.split_once(" = ").map_or(part, |(name, _)| name).trim();
        if !name.is_empty() {
            names.insert(name.to_owned());
        }
    }
    names
}

#[test]
fn the_program_uses_the_messages_with_their_arguments() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files = Vec::new();
    sources(&root.join("crates"), &mut files);
    sources(&root.join("src"), &mut files);
    let all = messages(0);
    let mut used = BTreeSet::new();
    for file in files.iter().filter(|file| !file.ends_with("messages/tests/catalogue.rs")) {
        let text = std::fs::read_to_string(file).unwrap();
        let text = text.split("#[cfg(test)]").next().unwrap();
        for (at, _) in text.match_indices("message!(") {
            let call = call(&text[at + "message!".len()..]);
            let Some(id) = call.split('"').nth(1).filter(|_| !call.contains("$id")) else {
                continue;
            };
            let known = all.get(id).unwrap_or_else(|| panic!("{}: no {id}", file.display()));
            assert_eq!(&names(call), known, "{}: {id}", file.display());
        }
        // Ids also stand alone: in tables, and where there are no arguments.
        let words = text.split('"').skip(1);
        used.extend(words.filter(|word| all.contains_key(*word)).map(str::to_owned));
    }
    let presets = root.join("crates/machine/presets/public.yaml");
    let presets = std::fs::read_to_string(presets).unwrap();
    let words = presets.split_whitespace().filter(|word| all.contains_key(*word));
    used.extend(words.map(str::to_owned));
    let unused: Vec<_> = all.keys().filter(|id| !used.contains(*id)).collect();
    assert!(unused.is_empty(), "nothing uses {unused:?}");
}

#[test]
fn arguments_are_formatted_by_their_kind() {
    let wall = bigtpu_messages::message!(
        "verdict-without",
        without = Arg::TimeNs(8_200),
        wall = Arg::TimeNs(16_550),
        shorter = Arg::Percent(50.45),
    );
    assert_eq!(
        wall.text(Language::English),
        "Without this the run would take 8.2 instead of 16.6 us (50.5 % shorter)."
    );
    assert_eq!(
        wall.text(Language::Chinese),
        "若无此问题，该运行需 8.2 us，而不是 16.6 us（缩短 50.5 %）。"
    );
    let slow = |cores: Vec<i64>, kernels: u64| {
        let times = bigtpu_messages::message!(
            "advice-times-range",
            least = Arg::Factor(1.3),
            most = Arg::Factor(2.5),
        );
        bigtpu_messages::message!(
            "advice-slow-cores",
            cores = Arg::Numbers(cores),
            times = times,
            slow_kernels = 1_u64,
            kernels = kernels,
        )
    };
    assert_eq!(
        slow(vec![2, 5], 11).text(Language::English),
        "Cores 2 and 5 take 1.30 to 2.50 times as long for the same commands in 1 of 11 kernels: check the clock and the memory channel there."
    );
    assert_eq!(
        slow(vec![2], 0).text(Language::English),
        "Core 2 takes 1.30 to 2.50 times as long for the same commands: check the clock and the memory channel there."
    );
    assert_eq!(
        slow(vec![2, 5], 11).text(Language::Chinese),
        "核 2、5 执行相同指令的耗时是其他核的 1.30 至 2.50 倍（11 个核函数中的 1 个）：请检查其时钟与内存通道。"
    );
}

#[test]
fn json_keeps_a_message() {
    let message = bigtpu_messages::message!("place-core", core = Arg::Number(2));
    let json = serde_json::to_string(&message).unwrap();
    assert_eq!(json, r#"{"id":"place-core","args":{"core":{"number":2}}}"#);
    assert_eq!(serde_json::from_str::<Message>(&json).unwrap(), message);
    assert_eq!(Message::new("no-such-id").text(Language::English), "no-such-id");
}
