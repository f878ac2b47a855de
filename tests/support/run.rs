//! Runs of the binary.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

use super::trace::Trace;

/// The name under which the trace is written.
pub(crate) const TRACE: &str = "perfetto.pftrace";

/// What the tool said, and how it ended.
#[derive(Debug)]
pub(crate) struct Said {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// A finished run and the directory that it wrote into, which goes away with it.
#[derive(Debug)]
pub(crate) struct Finished {
    pub(crate) said: Said,
    out: PathBuf,
    _keep: TempDir,
}

/// For processes under a limit of address space: glibc otherwise reserves 64 MiB of it for each thread that happens to
/// allocate while another does, used or not.
pub(crate) const ONE_ARENA: (&str, &str) = ("MALLOC_ARENA_MAX", "1");

/// The binary, with nothing to read on stdin.
pub(crate) fn tool() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bigtpuprofile"));
    // Explanations follow the language of the environment.
    command.stdin(Stdio::null()).env("LC_ALL", "C");
    command
}

/// Runs a command to its end; whatever it is given, it must not panic.
pub(crate) fn finish(command: &mut Command) -> Said {
    let Output { status, stdout, stderr } = command.output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    let said = Said { code: status.code(), stdout: text(stdout), stderr: text(stderr) };
    assert!(!said.stderr.contains("panicked"), "{command:?} panicked: {}", said.stderr);
    said
}

/// Runs the tool with these arguments and nothing else.
pub(crate) fn say(args: &[&str]) -> Said {
    finish(tool().args(args))
}

/// The arguments end with exit code 1 and one sentence that holds `part`.
#[track_caller]
pub(crate) fn fails(args: &[&str], part: &str) {
    let said = say(args);
    assert_eq!(said.code, Some(1), "{args:?}: {}", said.stdout);
    assert_eq!(said.stderr.trim_end().lines().count(), 1, "{}", said.stderr);
    assert!(said.stderr.contains(part), "{part} is not in: {}", said.stderr);
}

/// Analyzes a dump into a directory of its own, whatever the outcome.
pub(crate) fn analyze<S: AsRef<std::ffi::OsStr>>(dump: &Path, args: &[S]) -> Finished {
    let keep = tempfile::tempdir().unwrap();
    let out = keep.path().join("out");
    let said = finish(tool().arg(dump).arg(&out).args(args));
    Finished { said, out, _keep: keep }
}

/// Analyzes a dump and expects it to work.
pub(crate) fn analyzed<S: AsRef<std::ffi::OsStr>>(dump: &Path, args: &[S]) -> Finished {
    let run = analyze(dump, args);
    assert_eq!(run.said.code, Some(0), "{}: {}", dump.display(), run.said.stderr);
    run
}

impl Finished {
    /// The output directory.
    pub(crate) fn out_dir(&self) -> &Path {
        &self.out
    }

    /// Every file that was written, by name.
    pub(crate) fn files(&self) -> BTreeMap<String, Vec<u8>> {
        files(&self.out)
    }

    /// The names of the files that were written.
    pub(crate) fn names(&self) -> Vec<String> {
        self.files().into_keys().collect()
    }

    /// A text file that was written; empty if there is none.
    pub(crate) fn text(&self, name: &str) -> String {
        fs::read_to_string(self.out.join(name)).unwrap_or_default()
    }

    /// The trace that was written, which must be sound.
    pub(crate) fn trace(&self) -> Trace {
        let trace = Trace::open(&self.out.join(TRACE));
        assert!(trace.problems.is_empty(), "{}: {:#?}", self.out.display(), trace.problems);
        trace
    }
}

/// The files of a directory, by name; none if there is no such directory.
pub(crate) fn files(dir: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(dir).into_iter().flatten().map(|entry| entry.unwrap());
    // The list of the run's files is no result.
    let is_list = |name: &std::ffi::OsStr| name == bigtpu_output::MANIFEST_FILE;
    let files = entries.filter(|entry| entry.path().is_file() && !is_list(&entry.file_name()));
    files
        .map(|file| (file.file_name().into_string().unwrap(), fs::read(file.path()).unwrap()))
        .collect()
}

/// Every file below a directory, hidden ones too, and an entry for each directory.
pub(crate) fn tree(root: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut open = vec![root.to_owned()];
    while let Some(dir) = open.pop() {
        for entry in fs::read_dir(&dir).into_iter().flatten() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(root).unwrap().to_owned();
            if name.file_name().is_some_and(|name| name == bigtpu_output::MANIFEST_FILE) {
                continue;
            }
            if path.is_dir() {
                found.insert(name, Vec::new());
                open.push(path);
            } else {
                found.insert(name, fs::read(path).unwrap());
            }
        }
    }
    found
}
