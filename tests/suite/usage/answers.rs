//! The commands that short answers of `explain` show run as they stand, with a dump for `DUMP`.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::support::run::say;

/// Commands that need what no test has: a device, a browser, a pipe, or a file of the reader.
const NOT_RUN: [&str; 11] = [
    " record ",
    " open ",
    " explain ",
    "batch -",
    "model.onnx",
    "config.json",
    "model.bmodel",
    "run.tar.gz",
    "trace.json",
    "--trace_file",
    "--hw FILE",
];

/// Names in place of those of the reader, each a dump of this seed.
const DUMPS: [(&str, &str); 11] = [
    ("DUMP", "1"),
    ("BEFORE", "1"),
    ("AFTER", "2"),
    ("BASE", "1"),
    ("NEW", "2"),
    ("RUN", "3"),
    ("BATCH1", "1"),
    ("BATCH4", "2"),
    ("DUMP1", "1"),
    ("DUMP2", "2"),
    ("dumps/one", "1"),
];

/// What is between backquotes and calls the program.
fn commands(text: &str) -> impl Iterator<Item = &str> {
    let code = text.split('`').skip(1).step_by(2);
    code.filter(|code| code.starts_with("bigtpuprofile "))
        .filter(|code| !NOT_RUN.iter().any(|mark| code.contains(mark)))
}

/// How many commands of a file run.
fn run(file: &str) -> usize {
    let keep = tempfile::tempdir().unwrap();
    let work = keep.path();
    for (dump, seed) in DUMPS {
        let at = work.join(dump).display().to_string();
        assert_eq!(say(&["synth", &at, "--launches", "4", "--seed", seed, "-q"]).code, Some(0));
    }
    let ranks = work.join("ranks").display().to_string();
    assert_eq!(say(&["synth", "--cluster", "2", &ranks, "-q"]).code, Some(0));
    let text = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/explain").join(file);
    let text = fs::read_to_string(text).unwrap();
    let mut count = 0;
    for command in commands(&text) {
        let line = command.replace("DIR_OF_ALL_DUMPS", "ranks").replace("batch DIR", "batch dumps");
        let line = line.replace("cluster DIR", "cluster ranks");
        // What reads its output may not be installed.
        let line = line.split(" | ").next().unwrap();
        let line =
            line.replace("bigtpuprofile ", &format!("{} ", env!("CARGO_BIN_EXE_bigtpuprofile")));
        let mut bash = Command::new("bash");
        let said = bash.args(["-c", &line]).current_dir(work).env("LC_ALL", "C").output().unwrap();
        let errors = String::from_utf8_lossy(&said.stderr);
        // A limit may fail.
        assert!(matches!(said.status.code(), Some(0 | 4)), "{file}: {command}: {errors}");
        count += 1;
    }
    count
}

#[test]
fn the_commands_of_short_answers_run() {
    assert!(run("answers.md") >= 25);
    assert!(run("answers.zh-CN.md") >= 25);
}
