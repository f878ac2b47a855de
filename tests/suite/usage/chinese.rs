//! Under a Chinese locale no command says an English sentence: of a result, of what is missing or damaged, of an option that does
//! not exist, and in its help. Headers and cells of tables are the same in all languages, and so are names, options and values.

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::support::run::{Said, finish, tool};

/// All commands, with what they are given besides a dump.
const COMMANDS: [(&str, &[&str]); 15] = [
    ("batch", &["DIR", "OUT"]),
    ("cluster", &["CLUSTER", "OUT"]),
    ("costs", &["DUMP"]),
    ("diff", &["DUMP", "SLOW", "--fail-on", "total>+1%", "--fail-on", "kernel:gone>1us"]),
    ("estimate", &["DUMP", "--on", "aksv"]),
    ("explain", &["slack"]),
    ("info", &["DUMP"]),
    ("open", &["--page-only", "-o", "OUT"]),
    (
        "pipeline",
        &["--schedule", "1f1b", "--stages", "2", "--microbatches", "4", "--fwd", "1", "--bwd", "2"],
    ),
    ("query", &["DUMP", "dur>1us"]),
    ("record", &["-o", "OUT", "--", "true"]),
    ("search", &["COSTS", "--machine", "1x2", "--ignore-memory", "--link-gbps", "10"]),
    ("simulate", &["STATIC"]),
    ("synth", &["OUT"]),
    ("whatif", &["DUMP"]),
];

/// Files that are not what their names say, and what they hold.
const WRONG: [(&str, &str, &[u8]); 12] = [
    ("MODEL", "x.onnx", b"\x00\x01\x02\x03 no model"),
    ("EMPTY", "e.onnx", b""),
    ("GRAPH", "x.ff", b"x; ; a,; INPUT\na; x,; ; CONV2D; 8\n"),
    ("LINE", "y.ff", b"a; b; c\n"),
    ("MACHINE", "x.yaml", b"m:\n  tflops: -1\n  mem_bw_GBs: 3\n"),
    ("CONFIG", "config.json", b"{\"model_type\": \"llama\", \"hidden_size\": \"x\"}"),
    ("LIST", "list.json", b"[1, 2]"),
    ("ZIPPED", "x.zip", b"PK\x03\x04 cut"),
    ("GZIPPED", "x.tar.gz", b"\x1f\x8b\x08\x00 no deflate stream"),
    ("ZSTD", "x.zst", b"\x28\xb5\x2f\xfd more"),
    ("COMPILED", "x.bmodel", b"\x55\xaa\x00\xff cut"),
    ("BINARY", "x.bin", b"\xff\xfe\x00\x80"),
];

/// Names of more than two words.
const NAMES: [&str; 1] = ["torch profiler trace"];

/// Inputs for all commands, in a directory that goes away with them.
struct Inputs {
    keep: TempDir,
}

impl Inputs {
    fn new() -> Self {
        let inputs = Self { keep: tempfile::tempdir().unwrap() };
        let small = ["--chip", "aksv", "--launches", "6", "-q"];
        for (place, more) in [
            ("DUMP", &[][..]),
            ("SLOW", &["--plant", "straggler=2"]),
            ("CLUSTER", &["--chip", "aks", "--cluster", "2"]),
            ("STATIC", &["--style", "bmodel"]),
        ] {
            let own: &[&str] = if place == "CLUSTER" { &small[4..] } else { &small };
            let said = finish(tool().arg("synth").arg(inputs.path(place)).args(own).args(more));
            assert_eq!(said.code, Some(0), "{}", said.stderr);
        }
        let dir = inputs.path("DIR");
        copy(&inputs.path("DUMP"), &dir.join("cdm_profile_data_dev0-0"));
        copy(&inputs.path("SLOW"), &dir.join("cdm_profile_data_dev1-0"));
        copy(&inputs.path("DUMP"), &inputs.path("DAMAGED"));
        for entry in fs::read_dir(inputs.path("DAMAGED")).unwrap() {
            let file = entry.unwrap().path();
            if file.file_name().unwrap().to_string_lossy().starts_with("cdmlib") {
                let bytes = fs::read(&file).unwrap();
                fs::write(&file, &bytes[..bytes.len() * 2 / 3]).unwrap();
            }
        }
        fs::write(inputs.path("JUNK"), "{\"a\": [1, 2").unwrap();
        for (place, _, content) in WRONG {
            fs::write(inputs.path(place), content).unwrap();
        }
        let costs = finish(
            tool().arg("costs").arg(inputs.path("DUMP")).arg("-o").arg(inputs.path("COSTS")),
        );
        assert_eq!(costs.code, Some(0), "{}", costs.stderr);
        inputs
    }

    fn path(&self, place: &str) -> PathBuf {
        let wrong = WRONG.iter().find(|(name, ..)| *name == place).map(|(_, file, _)| *file);
        let costs = Some("costs.json").filter(|_| place == "COSTS");
        self.keep.path().join(wrong.or(costs).unwrap_or(place))
    }

    /// Runs a command under a Chinese locale; words in capital letters are places.
    fn say(&self, args: &[&str]) -> Said {
        let out = self.path("OUT");
        let _ = fs::remove_dir_all(&out).or_else(|_| fs::remove_file(&out));
        let is_place = |arg: &&str| arg.len() > 2 && arg.chars().all(|c| c.is_ascii_uppercase());
        let args = args.iter().map(|arg| match is_place(arg) {
            true => self.path(arg).into_os_string(),
            false => arg.into(),
        });
        // A line of a help text is not broken.
        let mut tool = tool();
        tool.current_dir(self.keep.path()).env("LC_ALL", "zh_CN.UTF-8").env("COLUMNS", "10000");
        finish(tool.args(args))
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
    }
}

/// A line without what is quoted: code, arguments, names.
fn unquoted(line: &str) -> String {
    let mut rest = line.to_owned();
    for (open, close) in [('`', '`'), ('\'', '\''), ('“', '”'), ('"', '"')] {
        while let Some(start) = rest.find(open) {
            let Some(length) = rest[start + open.len_utf8()..].find(close) else { break };
            let end = start + open.len_utf8() + length + close.len_utf8();
            rest.replace_range(start..end, "，");
        }
    }
    NAMES.iter().fold(rest, |rest, name| rest.replace(name, "，"))
}

/// Three English words one after another.
fn english(line: &str) -> Option<String> {
    let is_word = |word: &str| {
        let word = word.trim_end_matches(['.', ',', ':', ';', ')']);
        let mut letters = word.trim_start_matches('(').chars();
        letters.next().is_some_and(|c| c.is_ascii_alphabetic())
            && letters.all(|c| c.is_ascii_lowercase() || c == '\'')
    };
    let apart = |c: char| if c.is_ascii() { c.to_string() } else { " ， ".to_owned() };
    let line: String = unquoted(line).chars().map(apart).collect();
    let words: Vec<&str> = line.split_whitespace().collect();
    // Lists of values have commas.
    let found = words.windows(3).find(|three| {
        three.iter().all(|word| is_word(word)) && !three[..2].iter().any(|word| word.ends_with(','))
    });
    found.map(|three| three.join(" "))
}

/// Rows of tables, and examples of calls.
fn is_no_sentence(line: &str) -> bool {
    line.contains('|')
        || line.trim().contains("  ") && !line.contains('，')
        || ["bigtpuprofile ", "用法："].iter().any(|start| line.trim_start().starts_with(start))
}

#[track_caller]
fn is_chinese(said: &Said, args: &[&str]) {
    let all = format!("{}\n{}", said.stdout, said.stderr);
    let lines = all.lines().filter(|line| !is_no_sentence(line));
    let found: Vec<String> =
        lines.filter_map(|line| Some(format!("{}: {line}", english(line)?))).collect();
    assert!(found.is_empty(), "{args:?} says in English:\n{}", found.join("\n"));
}

#[test]
fn what_is_english_is_found() {
    let of = |line| english(line).is_some();
    assert!(of("nodir: no such directory; give the other one"));
    assert!(of("错误：x：cannot be read（…）"));
    assert!(!of("错误：`no such directory` 与 --emit trace,summary"));
    assert!(!of("[可选值：text, summary, report]"));
}

/// A command that the program gets is looked at here.
#[test]
fn these_are_all_commands_of_the_help() {
    let help = finish(tool().args(["--help"])).stdout;
    let list = help.split("\nArguments:").next().unwrap();
    let names = list.lines().filter_map(|line| line.strip_prefix("  ")?.split("  ").next());
    let mut listed: Vec<&str> = names.filter(|name| *name != "help").collect();
    listed.sort_unstable();
    assert_eq!(listed, COMMANDS.map(|(command, _)| command), "{help}");
}

/// Under an English locale, `--lang zh` says the same, before the command or behind it.
#[test]
fn an_option_says_what_the_locale_says() {
    let inputs = Inputs::new();
    for (command, given) in [("info", "DUMP"), ("explain", "slack"), ("costs", "DUMP")] {
        let [given] = [given].map(|word| match word {
            "DUMP" => inputs.path(word).display().to_string(),
            _ => word.to_owned(),
        });
        let by_locale = finish(tool().env("LC_ALL", "zh_CN.UTF-8").args([command, &given]));
        for args in [["--lang", "zh", command, &given], [command, "--lang", "zh", &given]] {
            let said = finish(tool().env("LC_ALL", "C").args(args));
            assert_eq!(
                (&said.stdout, &said.stderr),
                (&by_locale.stdout, &by_locale.stderr),
                "{args:?}"
            );
        }
    }
    for args in [["--lang", "zh", "help", "synth"], ["--lang", "zh", "synth", "--help"]] {
        let said = finish(tool().env("LC_ALL", "C").args(args));
        assert!(said.stdout.contains("用法："), "{args:?}: {said:?}");
    }
}

#[test]
fn results_have_no_english_sentence() {
    let inputs = Inputs::new();
    for (command, given) in COMMANDS {
        let args: Vec<&str> = std::iter::once(command).chain(given.iter().copied()).collect();
        is_chinese(&inputs.say(&args), &args);
    }
    for args in [
        &["DUMP", "OUT", "--full", "-v"][..],
        &["DIR", "OUT", "--perfetto"],
        &["diff", "DUMP", "SLOW", "--full"],
        &["diff", "DUMP", "SLOW", "--dry-run"],
    ] {
        is_chinese(&inputs.say(args), args);
    }
}

#[test]
fn errors_have_no_english_sentence() {
    let inputs = Inputs::new();
    for (command, given) in COMMANDS {
        for bad in ["MISSING", "DAMAGED", "JUNK"] {
            let args: Vec<&str> = std::iter::once(command)
                .chain(given.iter().map(|arg| if is_input(arg) { bad } else { *arg }))
                .collect();
            let said = inputs.say(&args);
            is_chinese(&said, &args);
            assert!(
                said.code != Some(0) || bad != "MISSING" || args == [&[command], given].concat()
            );
        }
        let args = [command, "--no-such-option"];
        let said = inputs.say(&args);
        assert_eq!(said.code, Some(2), "{said:?}");
        assert!(said.stderr.contains("--no-such-option"), "{said:?}");
        assert!(said.stderr.starts_with("错误："), "{said:?}");
        is_chinese(&said, &args);
    }
    for args in [
        &["MISSING", "OUT"][..],
        &["DAMAGED", "OUT", "--full"],
        &["DAMAGED", "OUT", "--strict", "-q"],
        &["DUMP", "OUT", "--num_core", "x"],
        &["DUMP", "OUT", "--emit", "nothing"],
        &["DUMP", "OUT", "--window", "9s:10s"],
        &["DUMP", "OUT", "--kernel", "nothing"],
        &["DUMP", "OUT", "--trace_file", "JUNK"],
        &["DUMP", "JUNK"],
        &["diff", "DUMP", "SLOW", "--fail-on", "total"],
        &["diff", "DUMP"],
        &["synth", "OUT", "--cores", "99"],
        &["sinth", "OUT"],
        &["whatif", "DUMP", "--scale", "kernel:nothing=2"],
        &["estimate", "DUMP"],
        &["cluster", "join", "JUNK", "OUT"],
    ] {
        let said = inputs.say(args);
        is_chinese(&said, args);
        // What is lost is said, and is no error without --strict.
        assert!(said.code != Some(0) || args[0] == "DAMAGED", "{args:?}: {said:?}");
    }
}

/// Whether a word is an input of a command.
fn is_input(arg: &str) -> bool {
    matches!(arg, "DUMP" | "DIR" | "CLUSTER" | "STATIC" | "COSTS" | "SLOW")
}

#[test]
fn wrong_files_of_every_kind_have_no_english_sentence() {
    let inputs = Inputs::new();
    let more = [
        ("estimate", &["DUMP", "--hf", "DUMP", "--on", "aks"][..]),
        ("whatif", &["DUMP", "--hw", "DUMP"]),
    ];
    let analysis = [("", &["DUMP", "OUT"][..]), ("", &["DUMP", "OUT", "--hw", "DUMP"])];
    for (command, given) in COMMANDS.into_iter().chain(more).chain(analysis) {
        // A page that is found is served until a browser comes.
        for (bad, ..) in WRONG.into_iter().filter(|_| given.iter().any(|arg| is_input(arg))) {
            let last = given.iter().rposition(|arg| is_input(arg));
            let args = given.iter().enumerate().map(|(at, arg)| match Some(at) == last {
                true => bad,
                false => *arg,
            });
            let args: Vec<&str> =
                [command].into_iter().filter(|c| !c.is_empty()).chain(args).collect();
            is_chinese(&inputs.say(&args), &args);
        }
    }
}

#[test]
fn wrong_values_of_every_option_have_no_english_sentence() {
    let inputs = Inputs::new();
    let mut count = 0;
    for (command, given) in COMMANDS.into_iter().chain([("", &["DUMP", "OUT"][..])]) {
        let own: Vec<&str> = [command].into_iter().filter(|c| !c.is_empty()).collect();
        let help = inputs.say(&[&own[..], &["--help"]].concat()).stdout;
        let options = help.lines().filter_map(|line| {
            let (option, _) = line.trim_start().split_once(" <")?;
            option.strip_prefix("-o, ").or(Some(option)).filter(|name| name.starts_with("--"))
        });
        for option in options {
            for value in ["=zzz", "=-1", "=("] {
                let bad = format!("{option}{value}");
                let args = [&own[..], &[&bad], given].concat();
                is_chinese(&inputs.say(&args), &args);
                count += 1;
            }
        }
    }
    assert!(count > 300, "{count}");
}

#[test]
fn help_has_no_english_sentence() {
    let inputs = Inputs::new();
    let commands = COMMANDS.iter().map(|(command, _)| vec![*command]);
    let below = [vec!["cluster", "part"], vec!["cluster", "join"], vec![]];
    for command in commands.chain(below) {
        for option in ["--help", "-h"] {
            let args = [command.as_slice(), &[option]].concat();
            let said = inputs.say(&args);
            assert_eq!(said.code, Some(0), "{said:?}");
            assert!(said.stdout.contains("用法："), "{said:?}");
            is_chinese(&said, &args);
        }
    }
}
