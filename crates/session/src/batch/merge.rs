//! Results of other dumps in the same output directory: refused, or kept beside the new ones, never overwritten.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use bigtpu_format::{MOST_MODEL, read_found};
use serde::Deserialize;

use super::Request;
use super::entry::{Done, Entry};
use super::error::BatchError;
use super::find::Member;
use super::fingerprint::Content;
use super::index::INDEX_FILE;
use super::root::Root;

/// What an earlier batch left that the new index has to name too.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct Earlier {
    /// Its roots, absolute and without links.
    #[serde(default)]
    pub(crate) roots: BTreeSet<String>,
    /// Its dumps.
    pub(crate) dumps: Vec<Entry>,
}

/// What stays of an earlier batch in the output directory: with `--merge` its dumps that are not below the root.
///
/// # Errors
///
/// Results of other dumps would be overwritten, or left out of the index.
pub(crate) fn earlier(
    request: &Request,
    root: &Root,
    members: &[Member],
) -> Result<Earlier, BatchError> {
    for member in members {
        refuse_another(request, root, member)?;
    }
    let Some(mut earlier) = read(&request.out) else { return Ok(Earlier::default()) };
    let root = root.source();
    if earlier.roots.is_empty() || (earlier.roots.len() == 1 && earlier.roots.contains(&root)) {
        // The same dumps as before: one that is gone leaves the index.
        return Ok(Earlier::default());
    }
    let places: BTreeSet<&Path> = members.iter().map(|member| member.place.as_path()).collect();
    let below = |entry: &Entry, root: &str| Path::new(root).join(&entry.dump);
    earlier.dumps.retain(|entry| {
        let is_gone = earlier.roots.contains(&root) && {
            let note = Done::note(&request.out.join(&entry.dump));
            note.is_some_and(|note| is_result_of(&below(entry, &root), &note.source))
        };
        !is_gone && !places.contains(Path::new(&entry.dump))
    });
    match earlier.dumps.first() {
        Some(other) if !request.merge => Err(BatchError::OtherDumps {
            out: request.out.clone(),
            dump: other.dump.clone(),
            root: earlier
                .roots
                .iter()
                .find(|of| **of != root)
                .cloned()
                .unwrap_or_else(|| "another root".to_owned()),
        }),
        _ => Ok(earlier),
    }
}

/// Whether results at a place of the root are those of a dump: they have its path, an iteration its number behind it.
fn is_result_of(place: &Path, source: &str) -> bool {
    let place = place.to_string_lossy();
    place.strip_prefix(source).is_some_and(|rest| {
        let number = rest.strip_prefix("_iter");
        rest.is_empty() || number.is_some_and(|number| number.parse::<u32>().is_ok())
    })
}

/// Results at the place of a dump must be of this dump, wherever it lay then.
fn refuse_another(request: &Request, root: &Root, member: &Member) -> Result<(), BatchError> {
    let own: PathBuf = request.out.join(&member.place);
    let input = root.path.join(&member.dump);
    let Some(note) = Done::note(&own) else { return Ok(()) };
    if note.source == root.source_of(&member.dump) {
        return Ok(());
    }
    let known = &note.fingerprint.content;
    if !Content::read(&input, Some(known)).is_ok_and(|now| now == *known) {
        return Err(BatchError::OtherDump { own, source_of_it: note.source });
    }
    Ok(())
}

fn read(out: &Path) -> Option<Earlier> {
    serde_json::from_slice(&read_found(&out.join(INDEX_FILE), MOST_MODEL).ok()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_iteration_is_a_result_of_its_container() {
        let is = |place: &str| is_result_of(Path::new(place), "/root/bmprofile_data-1");
        assert!(is("/root/bmprofile_data-1") && is("/root/bmprofile_data-1_iter12"));
        assert!(!is("/root/bmprofile_data-10") && !is("/root/bmprofile_data-1_iter"));
        assert!(!is("/root/bmprofile_data-1/below") && !is("/other/bmprofile_data-1"));
    }
}
