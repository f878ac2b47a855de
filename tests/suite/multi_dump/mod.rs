//! Several dumps in one run: each as alone, and all of them side by side.

mod exit_codes;
mod host;
mod outputs;
mod trace;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use bigtpu_synth::{Options, write};
use serde_json::Value;
use tempfile::TempDir;

use crate::support::case::case;
use crate::support::run::{Said, TRACE, finish, tool, tree};
use crate::support::trace::Trace;

/// A directory of dumps, and one for results.
struct Fleet {
    keep: TempDir,
}

/// Two devices with two calls each, of unlike lengths; the second device has CDMA ports.
const FOUR: [(&str, &str); 4] = [
    ("aks-mode2-sync", "cdm_profile_data_dev0-0"),
    ("aks-mode1-batch", "cdm_profile_data_dev0-1"),
    ("aksv-mode2-cdma", "cdm_profile_data_dev1-0"),
    ("aksv-mode1", "cdm_profile_data_dev1-1"),
];

impl Fleet {
    /// Copies of fixtures under other names.
    fn copy(dumps: &[(&str, &str)]) -> Self {
        let fleet = Self { keep: tempfile::tempdir().unwrap() };
        for (from, name) in dumps {
            fs::create_dir_all(fleet.dump(name)).unwrap();
            for file in fs::read_dir(case(from).dump()).unwrap().map(Result::unwrap) {
                fs::copy(file.path(), fleet.dump(name).join(file.file_name())).unwrap();
            }
        }
        fleet
    }

    /// Synthetic dumps.
    fn synth(dumps: &[(&str, Options)]) -> Self {
        let fleet = Self { keep: tempfile::tempdir().unwrap() };
        for (name, options) in dumps {
            write(options, &fleet.dump(name)).unwrap();
        }
        fleet
    }

    fn root(&self) -> PathBuf {
        self.keep.path().join("run")
    }

    fn dump(&self, name: &str) -> PathBuf {
        self.root().join(name)
    }

    fn out_dir(&self) -> PathBuf {
        self.keep.path().join("out")
    }

    /// Analyzes the directory as a whole.
    fn run(&self, args: &[&str]) -> Said {
        finish(tool().arg(self.root()).arg(self.out_dir()).args(args))
    }

    /// Analyzes the directory as a whole, which must work; returns what was printed.
    #[track_caller]
    fn done(&self, args: &[&str]) -> String {
        let said = self.run(args);
        assert_eq!(said.code, Some(0), "{}", said.stderr);
        said.stdout
    }

    fn index(&self) -> Value {
        serde_json::from_slice(&fs::read(self.out_dir().join("report.json")).unwrap()).unwrap()
    }

    /// A field of each dump of the index.
    fn fields(&self, name: &str) -> Vec<Value> {
        let index = self.index();
        index["dumps"].as_array().unwrap().iter().map(|dump| dump[name].clone()).collect()
    }

    /// How the dumps lie on one time line.
    fn alignment(&self) -> (String, String) {
        let text = |key| self.index()["time_line"][key].as_str().unwrap().to_owned();
        (text("alignment"), text("note"))
    }

    /// The trace of all, which must be sound.
    fn trace(&self) -> Trace {
        sound(&self.out_dir().join(TRACE))
    }
}

fn sound(path: &Path) -> Trace {
    let trace = Trace::open(path);
    assert!(trace.problems.is_empty(), "{}: {:#?}", path.display(), trace.problems);
    trace
}

/// All that a run wrote, by name.
fn whole(said: &Said, out: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    tree(out)
}

fn os(path: &Path) -> OsString {
    path.as_os_str().to_owned()
}
