//! What is run, with results of an earlier run in its place.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use crate::support::case::case;
use crate::support::run::{finish, tool};

/// Files by their names below a directory.
type Files = BTreeMap<PathBuf, Vec<u8>>;

/// A command, and the results that it replaces.
pub(super) struct Scenario {
    pub(super) name: &'static str,
    /// Before the output directory, and behind it.
    args: [Vec<OsString>; 2],
    old: Files,
    new: Files,
    /// Whether each directory in the output directory is one of its own: a dump of a batch.
    has_units: bool,
    _keep: tempfile::TempDir,
}

/// What the results are.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum State {
    Old,
    New,
    /// Every file is another one than the old one: of a dump that could not be read whole.
    Other,
    Mixed(String),
}

impl Scenario {
    fn new(
        name: &'static str,
        [old_args, args]: [[Vec<OsString>; 2]; 2],
        has_units: bool,
        keep: tempfile::TempDir,
    ) -> Self {
        let out = keep.path().join("scenario out");
        let run = |[before, behind]: &[Vec<OsString>; 2]| {
            let said = finish(tool().args(before).arg(&out).args(behind));
            assert_eq!(said.code, Some(0), "{name}: {}", said.stderr);
            files(&out)
        };
        let old = run(&old_args);
        let new = run(&args);
        assert!(old.keys().any(|file| old.get(file) != new.get(file)), "{name}: both are the same");
        Self { name, args, old, new, has_units, _keep: keep }
    }

    /// Whether each directory in the output directory has results of its own.
    pub(super) fn has_units(&self) -> bool {
        self.has_units
    }

    /// A directory with the old results in `out`.
    pub(super) fn with_old(&self) -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        for (name, bytes) in &self.old {
            let path = dir.path().join("out").join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, bytes).unwrap();
        }
        dir
    }

    /// The arguments of the run.
    pub(super) fn command(&self, dir: &Path) -> Vec<OsString> {
        let [before, behind] = &self.args;
        let out = dir.join("out").into_os_string();
        before.iter().cloned().chain([out]).chain(behind.iter().cloned()).collect()
    }

    /// The state of each unit of the results.
    pub(super) fn states(&self, dir: &Path) -> BTreeMap<String, State> {
        let found = files(&dir.join("out"));
        let unit = |name: &Path| -> String {
            let first = name.parent().and_then(|parent| parent.components().next());
            let first = first.filter(|_| self.has_units);
            first.map_or_else(String::new, |part| part.as_os_str().to_string_lossy().into_owned())
        };
        // The list of the files is a result; its first line, what they are results of, is not.
        let content = |name: &Path, bytes: &[u8]| match name.ends_with(bigtpu_output::MANIFEST_FILE)
        {
            true => bytes.splitn(2, |byte| *byte == b'\n').nth(1).unwrap_or_default().to_vec(),
            false => bytes.to_vec(),
        };
        let of_unit = |all: &Files, wanted: &str| -> Files {
            let own = all.iter().filter(|(name, _)| unit(name) == wanted);
            own.map(|(name, bytes)| (name.clone(), content(name, bytes))).collect()
        };
        let units: Vec<String> =
            self.old.keys().chain(self.new.keys()).map(|name| unit(name)).collect();
        let state = |wanted: &String| {
            let [found, old, new] = [&found, &self.old, &self.new].map(|all| of_unit(all, wanted));
            let state = match () {
                () if found == new => State::New,
                () if found == old => State::Old,
                () if old.iter().all(|(name, bytes)| {
                    new.get(name) == Some(bytes) || found.get(name) != Some(bytes)
                }) && found.keys().all(|name| new.contains_key(name)) =>
                {
                    State::Other
                }
                () => {
                    let names = found.keys().chain(old.keys());
                    let odd = names.filter(|name| found.get(*name) != new.get(*name));
                    State::Mixed(format!("{:?} are not new", odd.collect::<Vec<_>>()))
                }
            };
            (wanted.clone(), state)
        };
        units.iter().map(state).collect()
    }
}

/// The files below a directory that are no temporary ones.
fn files(dir: &Path) -> Files {
    let found = WalkDir::new(dir).into_iter().flatten().filter(|entry| entry.file_type().is_file());
    let named = found.filter(|entry| !is_temporary(&entry.file_name().to_string_lossy()));
    named
        .map(|entry| {
            let name = entry.path().strip_prefix(dir).unwrap().to_owned();
            (name, fs::read(entry.path()).unwrap())
        })
        .collect()
}

fn is_temporary(name: &str) -> bool {
    name.starts_with(".bigtpuprofile-") && name.ends_with(".part")
}

/// Names of temporary files below a directory.
pub(super) fn temporary(dir: &Path) -> Vec<String> {
    let names = WalkDir::new(dir)
        .into_iter()
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned());
    names.filter(|name| is_temporary(name)).collect()
}

fn words<const N: usize>(words: [&dyn AsRef<std::ffi::OsStr>; N]) -> Vec<OsString> {
    words.iter().map(|word| word.as_ref().to_owned()).collect()
}

/// The commands. All are told to use one thread, so that their calls have one order.
pub(super) fn scenarios() -> Vec<Scenario> {
    let keep = || tempfile::tempdir().unwrap();
    let dump = case("aksv-mode1").dump();
    let other = case("aks-mode2-sync").dump();
    let analysis = |dump: &Path| {
        [
            words([&dump]),
            words([&"--emit", &"trace,summary,report,workbook", &"-j1", &"-q", &"--strict"]),
        ]
    };
    let mut all =
        vec![Scenario::new("analysis", [analysis(&other), analysis(&dump)], false, keep())];

    let kept = keep();
    let root = kept.path().join("dumps");
    for (name, from) in [("one", &dump), ("two", &other)] {
        fs::create_dir_all(root.join(name)).unwrap();
        for entry in fs::read_dir(from).unwrap().flatten() {
            fs::copy(entry.path(), root.join(name).join(entry.file_name())).unwrap();
        }
    }
    let batch = |clock: &str| {
        let behind = words([
            &"--emit",
            &"summary,report,text",
            &"-j1",
            &"-q",
            &"--strict",
            &"--tiu_freq",
            &clock,
        ]);
        [words([&"batch", &root]), behind]
    };
    all.push(Scenario::new("batch", [batch("900"), batch("1000")], true, kept));

    let kept = keep();
    let ranks = |operations: &str| {
        let ranks = kept.path().join(operations);
        let synth = ["synth", "--cluster", "2", "--operations", operations, "-q"];
        assert_eq!(finish(tool().args(synth).arg(&ranks)).code, Some(0));
        [words([&"cluster", &ranks]), words([&"-j1", &"-q", &"--strict"])]
    };
    let (old, new) = (ranks("6"), ranks("4"));
    all.push(Scenario::new("cluster", [old, new], false, kept));

    let kept = keep();
    let report = |dump: &Path, name: &str| {
        let out = kept.path().join(name);
        let said = finish(tool().arg(dump).arg(&out).args(["--emit", "report", "-q"]));
        assert_eq!(said.code, Some(0), "{}", said.stderr);
        out.join("report.json")
    };
    let (one, two) = (report(&dump, "one"), report(&other, "two"));
    let diff = |a: &Path, b: &Path| [words([&"diff", &a, &b, &"--out"]), words([])];
    all.push(Scenario::new("diff", [diff(&two, &one), diff(&one, &two)], false, kept));
    all
}
