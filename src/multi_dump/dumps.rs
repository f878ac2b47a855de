//! Which dumps a run is about, and what they are called in its results.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use bigtpu_analysis::DumpName;
use bigtpu_format::{GLOBAL_PROFILE, find_dumps_in};

use crate::dump_name::{device_and_call, short_name, source_name};

/// A dump among several.
#[derive(Debug)]
pub(crate) struct Named {
    /// Where it is.
    pub(crate) root: PathBuf,
    /// What it is called.
    pub(crate) name: DumpName,
}

/// The dumps, by device and call, those without either as they were given; `None` where there is one directory that
/// is a dump, or that holds none.
pub(crate) fn find(inputs: &[&Path]) -> Option<Vec<Named>> {
    let within: Vec<Vec<PathBuf>> = inputs.iter().map(|input| within(input)).collect();
    if inputs.len() < 2 && within.iter().all(Vec::is_empty) {
        return None;
    }
    let roots = inputs.iter().zip(within).flat_map(|(input, within)| match within.is_empty() {
        true => vec![input.to_path_buf()],
        false => within,
    });
    Some(named(roots.collect()))
}

/// The dumps that a directory holds which is none itself.
fn within(input: &Path) -> Vec<PathBuf> {
    match std::fs::symlink_metadata(input.join(GLOBAL_PROFILE)) {
        Ok(_) => Vec::new(),
        Err(_) => find_dumps_in(input),
    }
}

fn named(roots: Vec<PathBuf>) -> Vec<Named> {
    let mut dumps: Vec<(PathBuf, String)> = roots
        .into_iter()
        .map(|root| {
            let name = source_name(&root);
            (root, name)
        })
        .collect();
    dumps.sort_by_key(|(_, name)| {
        let (device, call) = device_and_call(name);
        (device.unwrap_or(u32::MAX), call.unwrap_or(u32::MAX))
    });
    let mut taken = BTreeSet::new();
    let named = dumps.into_iter().map(|(root, own)| {
        let (device, call) = device_and_call(&own);
        let directory = free(&own, &mut taken);
        Named {
            root,
            name: DumpName { name: short_name(&directory).into(), directory, device, call },
        }
    });
    named.collect()
}

/// The name, with a number where an earlier dump has it already.
fn free(name: &str, taken: &mut BTreeSet<String>) -> String {
    let mut free = name.to_owned();
    let mut number = 2;
    while !taken.insert(free.clone()) {
        free = format!("{name}_{number}");
        number += 1;
    }
    free
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dumps_are_ordered_by_device_and_call_and_named_apart() {
        let roots = [
            "b",
            "x/cdm_profile_data_dev10-0",
            "x/cdm_profile_data_dev2-1",
            "x/cdm_profile_data_dev2-0",
            "y/cdm_profile_data_dev2-0",
            "a",
        ];
        let dumps = named(roots.map(PathBuf::from).to_vec());
        let names: Vec<&str> = dumps.iter().map(|dump| dump.name.name.as_str()).collect();
        assert_eq!(names, ["dev2-0", "dev2-0_2", "dev2-1", "dev10-0", "b", "a"]);
        assert_eq!(dumps[1].name.directory, "cdm_profile_data_dev2-0_2");
        assert_eq!((dumps[1].name.device, dumps[1].name.call), (Some(2), Some(0)));
        assert_eq!(dumps[1].root, Path::new("y/cdm_profile_data_dev2-0"));
    }
}
