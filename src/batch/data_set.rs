//! The data set of the events of all dumps, see `docs/fleet.md`.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use bigtpu_emit_events::Partition;
use bigtpu_session::{device_and_call, source_name};

use super::find::Member;

/// Name of the data set, below the output directory.
const NAME: &str = "events";

/// The data set's folder.
pub(crate) fn dir(out: &Path) -> PathBuf {
    out.join(NAME)
}

/// Place of the events of `relative`, a dump whose files lie in `dump`.
pub(crate) fn partition(out: &Path, relative: &Path, dump: &Path) -> Partition {
    let own = source_name(dump);
    let (device, call) = device_and_call(&own);
    // The root itself may be the dump.
    let dump = if relative.as_os_str().is_empty() { own.into() } else { relative.to_owned() };
    Partition { data_set: dir(out), device, call, dump }
}

/// Results of a dump are at its own place below the output directory: none may be among the partitions.
pub(crate) fn check(root: &Path, dumps: &[Member]) -> Result<()> {
    if let Some(Member { place, .. }) = dumps.iter().find(|dump| dump.place.starts_with(NAME)) {
        bail!(
            "{}: its results would be mixed with the data set of --events; rename the directory {NAME}, or give one above {}",
            root.join(place).display(),
            root.display()
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_root_may_be_the_dump() {
        let dump = Path::new("none/cdm_profile_data_dev2-7");
        let found = partition(Path::new("out"), Path::new(""), dump);
        assert_eq!(found.data_set, Path::new("out/events"));
        let name = "cdm_profile_data_dev2-7.parquet";
        assert_eq!(found.file(), format!("device=2/call=7/{name}"));
    }
}
