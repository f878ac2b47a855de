//! `whatif`: the measured run again, predictions against the same run on that hardware.

mod errors;
mod faults;
mod layers;
mod measured;
mod path;
mod predicted;
mod ranges;

use std::path::Path;

use serde_json::Value;

use crate::support::run::{finish, tool};

/// The answer for a dump.
fn whatif(dump: &Path, args: &[&str]) -> Value {
    let said = finish(tool().arg("whatif").arg(dump).arg("--json").args(args));
    assert_eq!(said.code, Some(0), "{} {args:?}: {}", dump.display(), said.stderr);
    serde_json::from_str(&said.stdout).unwrap()
}

/// A number of the answer in ns.
fn ns(answer: &Value, key: &str) -> i64 {
    answer[key].as_i64().unwrap()
}

/// A synthetic dump.
fn synth(dir: &Path, args: &[&str]) {
    let said = finish(tool().arg("synth").arg(dir).arg("--quiet").args(args));
    assert_eq!(said.code, Some(0), "{args:?}: {}", said.stderr);
}
