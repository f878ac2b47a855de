//! Host, device and call of each dump, by its path.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use bigtpu_answers::device_and_call;
use bigtpu_cluster::Identity;

use crate::dump_name::source_name;

/// Host of dumps whose paths do not name any.
const ONE_HOST: &str = "host0";

/// The identities of dumps. The host is the component of the path directly above the dump that differs between dumps;
/// components that name a rank are left out.
pub(crate) fn identities(paths: &[PathBuf]) -> Vec<Identity> {
    let above: Vec<Vec<String>> = paths.iter().map(|path| components(path)).collect();
    let depth = above.iter().map(Vec::len).min().unwrap_or(0);
    let differs = |level: &usize| {
        let names: BTreeSet<Option<&String>> = above.iter().map(|c| c.get(*level)).collect();
        let is_rank = names.iter().flatten().all(|name| rank_of_component(name).is_some());
        names.len() > 1 && !is_rank
    };
    let level = (0..depth).find(differs);
    let identity = |(path, above): (&PathBuf, &Vec<String>)| {
        let (device, call) = device_and_call(&source_name(path));
        let host = level.and_then(|level| above.get(level)).cloned();
        Identity {
            host: host.unwrap_or_else(|| ONE_HOST.to_owned()),
            // A name without a device may still be in a directory of its rank.
            device: device.or_else(|| rank_of(path)).unwrap_or(0),
            call: call.unwrap_or(0),
            dump: path.display().to_string(),
            ..Identity::default()
        }
    };
    paths.iter().zip(&above).map(identity).collect()
}

/// The components above a dump, the nearest first.
fn components(path: &Path) -> Vec<String> {
    let names = path.parent().into_iter().flat_map(Path::components);
    let mut names: Vec<String> =
        names.map(|c| c.as_os_str().to_string_lossy().into_owned()).collect();
    names.reverse();
    names
}

/// The number of a component `rank{R}`.
fn rank_of_component(name: &str) -> Option<u32> {
    let rest = name.strip_prefix("rank")?;
    rest.trim_start_matches(['_', '-']).parse().ok()
}

/// The rank that a path names.
pub(crate) fn rank_of(path: &Path) -> Option<u32> {
    path.components().rev().find_map(|c| rank_of_component(&c.as_os_str().to_string_lossy()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_what_differs_above_the_dumps() {
        let of = |paths: &[&str]| {
            let paths: Vec<PathBuf> = paths.iter().map(PathBuf::from).collect();
            let all = identities(&paths);
            all.into_iter().map(|i| (i.host, i.device, i.call)).collect::<Vec<_>>()
        };
        let host = |name: &str, device, call| (name.to_owned(), device, call);
        assert_eq!(
            of(&["run/a/cdm_profile_data_dev0-3", "run/b/cdm_profile_data_dev1-3"]),
            [host("a", 0, 3), host("b", 1, 3)]
        );
        assert_eq!(
            of(&["run/cdm_profile_data_dev0-0", "run/cdm_profile_data_dev7-0"]),
            [host("host0", 0, 0), host("host0", 7, 0)]
        );
        assert_eq!(
            of(&["x/h1/rank0/cdm_profile_data_dev0-0", "x/h2/rank1/cdm_profile_data_dev0-0"]),
            [host("h1", 0, 0), host("h2", 0, 0)]
        );
        assert_eq!(rank_of(Path::new("x/rank_12/dump")), Some(12));
    }
}
