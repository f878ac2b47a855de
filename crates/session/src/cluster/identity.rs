//! Host, device and call of each dump, by its path.

use std::path::{Component, Path, PathBuf};

use bigtpu_answers::{RunPlace, host_names, rank_of_directory};
use bigtpu_cluster::Identity;
use bigtpu_output::plain_line;

use crate::dump_name::source_name;

/// Host of dumps whose paths do not name any.
const ONE_HOST: &str = "host0";

/// The identities of dumps of one run. Their hosts are the names of directories that differ between them.
pub(crate) fn identities(paths: &[PathBuf]) -> Vec<Identity> {
    let above: Vec<Vec<String>> = paths.iter().map(|path| directories(path)).collect();
    let above: Vec<Vec<&str>> =
        above.iter().map(|names| names.iter().map(String::as_str).collect()).collect();
    // Of a single dump no name differs from another.
    let hosts = if paths.len() > 1 { host_names(&above) } else { vec![None; paths.len()] };
    let identity = |((path, above), host): ((&PathBuf, &Vec<&str>), Option<String>)| {
        let RunPlace { device, call, .. } =
            RunPlace::from_directories(above, &source_name(path), false);
        Identity {
            host: host.unwrap_or_else(|| ONE_HOST.to_owned()),
            // A name without a device may be that of its rank.
            device: device.or_else(|| rank_of(path)).unwrap_or(0),
            call: call.unwrap_or(0),
            dump: path.display().to_string(),
            ..Identity::default()
        }
    };
    paths.iter().zip(&above).zip(hosts).map(identity).collect()
}

/// The host of a dump without the others: the nearest directory above it that is neither of a repetition nor of a rank.
pub(crate) fn host_alone(path: &Path) -> Option<String> {
    let names = directories(path);
    let mut nearest = names.iter().rev().filter_map(|name| RunPlace::all_names(&[name], ""));
    nearest.next()
}

/// The directories above a dump, the outermost first, as every output shows them: each name of a host is one of them.
fn directories(path: &Path) -> Vec<String> {
    let names = path.parent().into_iter().flat_map(Path::components);
    let names = names.filter(|name| matches!(name, Component::Normal(_)));
    names.map(|name| plain_line(&name.as_os_str().to_string_lossy()).into_owned()).collect()
}

/// The rank that a path names.
pub(crate) fn rank_of(path: &Path) -> Option<u32> {
    path.components().rev().find_map(|c| rank_of_directory(&c.as_os_str().to_string_lossy()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dump_of_a_cluster_has_host_device_and_call() {
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
        let alone = |path: &str| host_alone(Path::new(path)).unwrap();
        assert_eq!(alone("/data/node1/run-1/rank3/cdm_profile_data_dev0-0"), "node1");
        assert_eq!(alone("/data/7/cdm_profile_data_dev0-0"), "data");
    }
}
