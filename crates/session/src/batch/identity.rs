//! Whose run a dump is.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::dump_name::{device_and_call, source_name};
use crate::dump_place::{host, repetition};

/// Host, run, device and call of a dump, as the names of its directories show them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Identity {
    /// Names of the directories between root and dump, without those of repetitions.
    pub(crate) host: Option<String>,
    /// Names of the directories of repetitions.
    pub(crate) run: Option<String>,
    pub(crate) device: Option<u32>,
    pub(crate) call: Option<u32>,
}

impl Identity {
    /// That of the dump in the directory `dump`, whose results are at `place` below the output directory.
    pub(crate) fn of(place: &Path, dump: &Path) -> Self {
        Self::named(place, &source_name(dump))
    }

    /// The same where the directory can't be read.
    pub(crate) fn of_place(place: &Path) -> Self {
        let name = place.file_name().map(|name| name.to_string_lossy().into_owned());
        Self::named(place, &name.unwrap_or_default())
    }

    fn named(place: &Path, name: &str) -> Self {
        let above = place.parent().unwrap_or(Path::new(""));
        let names: Vec<String> =
            above.iter().map(|name| name.to_string_lossy().into_owned()).collect();
        let names = || names.iter().map(String::as_str);
        let (device, call) = device_and_call(name);
        Self { host: host(names()), run: repetition(names()), device, call }
    }
}
