//! The answers: on the console, as JSON, compared, as events; planted faults are found with the right numbers.

mod agreement;
mod brief;
mod causes;
mod chinese;
mod compare;
mod console;
mod diff_verdict;
mod events;
mod experts;
mod gains;
mod gaps;
mod gate;
mod info;
mod layers;
mod losses;
mod planted;
mod planted_first;
mod ranges;
mod rewritten;
mod steps;
mod units;
mod variants;
mod wording;
mod workloads;

use std::path::{Path, PathBuf};

use serde_json::Value;
use tempfile::TempDir;

use crate::support::run::{Finished, analyzed, say};

/// A synthetic dump of its own.
pub(crate) struct Synth {
    dir: TempDir,
}

impl Synth {
    pub(crate) fn new(args: &[&str]) -> Self {
        let synth = Self { dir: tempfile::tempdir().unwrap() };
        let path = synth.path();
        let said = say(&[&["synth", path.to_str().unwrap(), "-q"], args].concat());
        assert_eq!(said.code, Some(0), "{said:?}");
        synth
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.dir.path().join("cdm_profile_data_dev0-0")
    }

    fn report(&self) -> Value {
        report(&analyze(&self.path()))
    }
}

/// Analyzes a dump without the large views.
fn analyze(dump: &Path) -> Finished {
    analyzed(dump, &["--disable_doc", "--disable_web"])
}

fn report(run: &Finished) -> Value {
    serde_json::from_str(&run.text("report.json")).unwrap()
}

/// The member of an array whose `key` is `value`.
#[track_caller]
fn with<'a>(array: &'a Value, key: &str, value: impl Into<Value>) -> &'a Value {
    let value = value.into();
    let found = array.as_array().unwrap().iter().find(|item| item[key] == value);
    found.unwrap_or_else(|| panic!("no {key} of {value} in {array:#}"))
}
