//! The data set of the events of all dumps, see `docs/fleet.md`.

use std::path::{Path, PathBuf};

use bigtpu_emit_events::Partition;

use super::error::BatchError;
use super::find::Member;
use super::identity::Identity;
use crate::dump_name::source_name;

/// Name of the data set, below the output directory.
const NAME: &str = "events";

/// The data set's folder.
pub(crate) fn dir(out: &Path) -> PathBuf {
    out.join(NAME)
}

/// Place of the events of the dump whose results are at `place` below the output directory.
pub(crate) fn partition(out: &Path, identity: &Identity, place: &Path, dump: &Path) -> Partition {
    let Identity { host, run, device, call, .. } = identity.clone();
    // The root itself may be the dump.
    let dump =
        if place.as_os_str().is_empty() { source_name(dump).into() } else { place.to_owned() };
    Partition { data_set: dir(out), host, run, device, call, dump }
}

/// Results of a dump are at its own place below the output directory: none may be among the partitions.
pub(crate) fn check(root: &Path, dumps: &[Member]) -> Result<(), BatchError> {
    if let Some(Member { place, .. }) = dumps.iter().find(|dump| dump.place.starts_with(NAME)) {
        return Err(BatchError::InDataSet {
            place: root.join(place),
            data_set: NAME,
            root: root.to_owned(),
        });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_root_may_be_the_dump() {
        let dump = Path::new("none/cdm_profile_data_dev2-7");
        let identity = Identity::new(Path::new(""), dump);
        let found = partition(Path::new("out"), &identity, Path::new(""), dump);
        assert_eq!(found.data_set, Path::new("out/events"));
        let name = "cdm_profile_data_dev2-7.parquet";
        let null = "__HIVE_DEFAULT_PARTITION__";
        assert_eq!(found.file(), format!("host={null}/run={null}/device=2/call=7/{name}"));
    }
}
