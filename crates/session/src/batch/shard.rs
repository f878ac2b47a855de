//! A part of a batch's dumps, for one of several machines; and the index of all that they left.

use bigtpu_messages::error_message;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use walkdir::WalkDir;

use super::entry::{DONE, Dirs, Done, Entry};
use super::error::BatchError;
use super::find::Found;
use super::merge::Earlier;

/// Every N-th dump, from the I-th on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard {
    number: usize,
    of: usize,
}

/// A text that names no part.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{}", error_message!("error-no-shard", value = .0))]
pub struct NoShard(String);

impl FromStr for Shard {
    type Err = NoShard;

    fn from_str(text: &str) -> Result<Self, NoShard> {
        let parse = || {
            let (number, of) = text.split_once('/')?;
            let shard = Self { number: number.parse().ok()?, of: of.parse().ok()? };
            (shard.number < shard.of).then_some(shard)
        };
        parse().ok_or_else(|| NoShard(text.to_owned()))
    }
}

impl Shard {
    /// Keeps the shard's dumps. All shards see the dumps in the same order.
    pub(crate) fn keep(self, found: &mut Found) {
        let mut at = 0;
        found.dumps.retain(|_| {
            at += 1;
            (at - 1) % self.of == self.number
        });
        if self.number > 0 {
            found.skipped.clear();
        }
    }
}

/// The dumps whose results are below a directory, by the notes beside them; and the roots that they are of.
///
/// # Errors
/// When there are none, or a directory can't be listed.
pub(crate) fn gathered(out: &Path) -> Result<Earlier, BatchError> {
    let mut earlier = Earlier::default();
    for file in WalkDir::new(out).sort_by_file_name() {
        let file = file.map_err(|error| BatchError::Unlisted {
            path: error.path().unwrap_or(out).to_owned(),
            source: error.into(),
        })?;
        if file.file_name() != DONE || !file.file_type().is_file() {
            continue;
        }
        let own = file.path().parent().unwrap_or(out);
        let place = own.strip_prefix(out).unwrap_or(own);
        // The output directory of the batch that wrote it.
        let Some(all) =
            Done::note(own).and_then(|note| strip_end(place, Path::new(&note.entry.dump)))
        else {
            continue;
        };
        let Some(done) = Done::read(&Dirs { all: &out.join(&all), own }) else { continue };
        let dump = Path::new(&done.entry.dump);
        earlier.roots.extend(strip_end(Path::new(&done.source), dump).map(text));
        let own_place = Some(done.entry.dump.clone());
        let mut entry = Entry { dump: text(place.to_owned()), place: own_place, ..done.entry };
        if let Some(table) = &mut entry.table {
            table.name = text(all.join(&table.name));
        }
        earlier.dumps.push(entry);
    }
    if earlier.dumps.is_empty() {
        return Err(BatchError::NoResults(out.to_owned()));
    }
    Ok(earlier)
}

fn text(path: PathBuf) -> String {
    path.to_string_lossy().into_owned()
}

/// What is above a relative path at the end of another; `None` where it does not end so.
fn strip_end(path: &Path, end: &Path) -> Option<PathBuf> {
    let count = end.components().count();
    path.ends_with(end).then(|| {
        let all: Vec<_> = path.components().collect();
        all.get(..all.len().saturating_sub(count)).unwrap_or_default().iter().collect()
    })
}

/// The roots of gathered dumps, and the one that is given.
pub(crate) fn roots(earlier: &Earlier, root: String) -> BTreeSet<String> {
    if earlier.roots.is_empty() { [root].into() } else { earlier.roots.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::batch::find::Member;

    #[test]
    fn shards_have_all_dumps_once() {
        let member = |n: usize| Member {
            dump: n.to_string().into(),
            iteration: None,
            place: n.to_string().into(),
        };
        let mut all = Vec::new();
        for shard in ["0/3", "1/3", "2/3"] {
            let mut found = Found { dumps: (0..8).map(member).collect(), ..Found::default() };
            shard.parse::<Shard>().unwrap().keep(&mut found);
            assert!((2..=3).contains(&found.dumps.len()));
            all.extend(found.dumps.into_iter().map(|member| member.dump));
        }
        all.sort();
        assert_eq!(all, (0..8).map(|n| member(n).dump).collect::<Vec<_>>());
        for text in ["3/3", "1", "a/b", "-1/2", "0/0"] {
            assert!(text.parse::<Shard>().unwrap_err().to_string().contains("I/N"), "{text}");
        }
    }

    #[test]
    fn what_is_above_a_dump_is_found() {
        let of = |path: &str, end: &str| strip_end(Path::new(path), Path::new(end));
        assert_eq!(of("s1/host/dev0", "host/dev0"), Some("s1".into()));
        assert_eq!(of("host/dev0", "host/dev0"), Some("".into()));
        assert_eq!(of("host/dev1", "dev0"), None);
        assert_eq!(of("x", ""), Some("x".into()));
    }
}
