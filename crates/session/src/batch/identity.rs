//! Whose run a dump is.

use std::path::Path;

use serde::{Deserialize, Serialize};

use bigtpu_answers::RunPlace;

use crate::dump_name::source_name;

/// Host, run, device and call of a dump, as the names of its directories show them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Identity {
    /// Workload, where names of directories are those of different programs: known when all dumps are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) workload: Option<String>,
    /// Names of the directories between root and dump, without those of repetitions.
    pub(crate) host: Option<String>,
    /// Names of the directories of repetitions.
    pub(crate) run: Option<String>,
    pub(crate) device: Option<u32>,
    pub(crate) call: Option<u32>,
}

impl Identity {
    /// Identity of the dump in the directory `dump`, whose results are at `place` below the output directory.
    pub(crate) fn new(place: &Path, dump: &Path) -> Self {
        Self::named(place, &source_name(dump))
    }

    /// Identity of a dump whose directory can't be read, from the place of its results.
    pub(crate) fn of_place(place: &Path) -> Self {
        let name = place.file_name().map(|name| name.to_string_lossy().into_owned());
        Self::named(place, &name.unwrap_or_default())
    }

    fn named(place: &Path, name: &str) -> Self {
        let above = place.parent().unwrap_or(Path::new(""));
        let names: Vec<String> =
            above.iter().map(|name| name.to_string_lossy().into_owned()).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let RunPlace { run, device, call, .. } = RunPlace::from_directories(&names, name, true);
        Self { workload: None, host: RunPlace::all_names(&names, name), run, device, call }
    }

    /// The place of the dump at `place` below the root: what its names say.
    pub(crate) fn place(place: &Path) -> RunPlace {
        let names: Vec<String> =
            place.iter().map(|name| name.to_string_lossy().into_owned()).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        match names.split_last() {
            Some((dump, above)) => RunPlace::from_directories(above, dump, false),
            None => RunPlace::default(),
        }
    }
}
