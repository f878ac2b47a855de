//! Which dumps a run is about, and what they are called in its results.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use bigtpu_answers::{DumpName, device_and_call};
use bigtpu_format::{Files, GLOBAL_PROFILE, find_dumps_in};
use bigtpu_messages::{Message, error_message, message};
use bigtpu_output::{OutputError, plain_line};
use bigtpu_timeline::{Dump, OpenError, is_summary_only, iterations};

use crate::dump_name::{short_name, source_name};
use crate::note::{Say, remark};
use crate::settings::Session;

/// A dump that a run is about.
#[derive(Debug)]
pub struct Named {
    /// Where it is.
    pub root: PathBuf,
    /// Where it is, as results say it: of an archive the place in it.
    pub shown: String,
    /// Which iteration of libsophon's container.
    pub iteration: Option<u32>,
    /// What it is called.
    pub name: DumpName,
}

/// Why dumps can't be analyzed.
#[derive(Debug, thiserror::Error)]
pub enum DumpsError {
    /// There are several where one is needed.
    #[error("{}", error_message!("error-dumps-find-several", input = input.display(), count = names.len(), names = names.join(", ")))]
    Several {
        /// The directory.
        input: PathBuf,
        /// The dumps in it.
        names: Vec<String>,
    },
    /// One can't be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// A file can't be written.
    #[error(transparent)]
    Output(#[from] OutputError),
}

/// What a run is about.
#[derive(Debug)]
pub struct Found {
    /// The dumps, by device, call and iteration, those without as they were given.
    pub dumps: Vec<Named>,
    /// What was left aside, and why.
    pub notes: Vec<Message>,
}

impl Found {
    /// The notes as a person reads them.
    #[must_use]
    pub fn remarks(&self) -> Vec<Message> {
        self.notes.iter().cloned().map(remark).collect()
    }
}

/// Opens the dump that a command for one dump is given: the directory itself, or the only dump in it.
///
/// # Errors
/// [`DumpsError`] when there are several dumps, or the dump can't be opened.
pub fn open_only(input: &Path, session: &Session, say: Say<'_>) -> Result<Dump, DumpsError> {
    let found = find(&session.settings().files, &[input], None);
    let [dump] = found.dumps.as_slice() else {
        let names = found.dumps.iter().map(|dump| dump.name.directory.clone()).collect();
        return Err(DumpsError::Several { input: input.to_owned(), names });
    };
    for remark in found.remarks() {
        say(remark);
    }
    Ok(session.open(&dump.root, dump.iteration)?)
}

/// The dumps in the given directories: a directory that is no dump represents those in it, and libsophon's container
/// for its iterations, unless one is chosen.
#[must_use]
pub fn find(files: &Files, inputs: &[&Path], iteration: Option<u32>) -> Found {
    let mut notes = Vec::new();
    let mut roots = Vec::new();
    for input in inputs {
        let (summaries, within): (Vec<_>, Vec<_>) =
            nested_dumps(input, files).into_iter().partition(|root| is_summary_only(root, files));
        if within.is_empty() {
            // Opening shows what is wrong with it.
            roots.push(summaries.into_iter().next().unwrap_or_else(|| input.to_path_buf()));
            continue;
        }
        for summary in summaries {
            let (name, input) = (source_name(&summary), input.display().to_string());
            notes.push(message!("found-summary-only", input = input, name = name));
        }
        if let [dump] = within.as_slice() {
            let (input, name) = (input.display().to_string(), source_name(dump));
            notes.push(message!("found-within", input = input, name = name));
        }
        roots.extend(within);
    }
    let mut parts = Vec::new();
    for root in roots {
        match (iteration, iterations(&root, files)) {
            (None, several) if several.len() > 1 => {
                parts.extend(several.into_iter().map(|n| (root.clone(), Some(n))));
            }
            (chosen, _) => parts.push((root, chosen)),
        }
    }
    Found { dumps: named(parts), notes }
}

/// The dumps in a directory that is not a dump itself.
fn nested_dumps(input: &Path, files: &Files) -> Vec<PathBuf> {
    match files.has_name(&input.join(GLOBAL_PROFILE)) {
        true => Vec::new(),
        false => find_dumps_in(input, files),
    }
}

fn named(parts: Vec<(PathBuf, Option<u32>)>) -> Vec<Named> {
    let mut dumps: Vec<(PathBuf, Option<u32>, String)> = parts
        .into_iter()
        .map(|(root, iteration)| {
            let name = source_name(&root);
            (root, iteration, name)
        })
        .collect();
    dumps.sort_by_key(|(_, _, name)| {
        let (device, call) = device_and_call(name);
        (device.unwrap_or(u32::MAX), call.unwrap_or(u32::MAX))
    });
    let is_only = dumps.len() == 1;
    let mut taken = BTreeSet::new();
    let named = dumps.into_iter().map(|(root, iteration, own)| {
        let (device, call) = device_and_call(&own);
        let own = match iteration.filter(|_| !is_only) {
            Some(iteration) => format!("{own}_iter{iteration}"),
            None => own,
        };
        let directory = free(&own, &mut taken);
        // The directory is a path; the name is shown.
        let name = plain_line(short_name(&directory)).into_owned();
        let name = DumpName { name, directory, device, call };
        Named { shown: root.display().to_string(), root, iteration, name }
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
        let dumps = named(roots.map(|root| (PathBuf::from(root), None)).to_vec());
        let names: Vec<&str> = dumps.iter().map(|dump| dump.name.name.as_str()).collect();
        assert_eq!(names, ["dev2-0", "dev2-0_2", "dev2-1", "dev10-0", "b", "a"]);
        assert_eq!(dumps[1].name.directory, "cdm_profile_data_dev2-0_2");
        assert_eq!((dumps[1].name.device, dumps[1].name.call), (Some(2), Some(0)));
        assert_eq!(dumps[1].root, Path::new("y/cdm_profile_data_dev2-0"));
    }
}
