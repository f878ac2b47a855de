//! All dumps below a directory: each as by a run of its own, those that did not change once only, and an index of all.

mod budget;
mod data_set;
mod entry;
mod error;
mod find;
mod fingerprint;
mod identity;
mod index;
mod merge;
mod root;
mod shard;
mod work;

use std::path::{Path, PathBuf};

use bigtpu_emit::Progress;
use bigtpu_emit_events::is_partition;
use bigtpu_messages::{Language, Message, message};
use bigtpu_output::{OutDir, Written};

use crate::choice::Choice;
use crate::outputs::{is_output, output_directory};
use crate::settings::Session;
use crate::views;
use entry::{Entry, Status};
use find::{Found, Member, Skipped};
use merge::Earlier;

pub use error::BatchError;
pub use root::Root;
pub use shard::{NoShard, Shard};

pub(crate) use entry::DONE;
pub(crate) use find::dumps;
pub(crate) use fingerprint::Content;
pub(crate) use index::{INDEX_FILE, INDEX_TABLE};

/// What a batch is asked for.
#[derive(Debug, Clone, Default)]
pub struct Request {
    /// Directory for the results.
    pub out: PathBuf,
    /// What is written of each dump.
    pub choice: Choice,
    /// The only iteration of libsophon's containers that is wanted.
    pub iteration: Option<u32>,
    /// Only these dumps, by their paths below the root, and no index.
    pub only: Vec<PathBuf>,
    /// Only a part of the dumps, and no index.
    pub shard: Option<Shard>,
    /// Also dumps that did not change.
    pub force: bool,
    /// The results of other dumps may be in the output directory.
    pub merge: bool,
}

/// A batch whose dumps are known.
#[derive(Debug)]
pub struct Batch<'a> {
    request: &'a Request,
    root: &'a Root,
    dumps: Vec<Member>,
    skipped: Vec<Skipped>,
    earlier: Earlier,
    out: OutDir,
}

/// What became of a batch.
#[derive(Debug)]
pub struct Finished {
    /// Dumps.
    pub dumps: usize,
    /// Dumps that did not change.
    pub unchanged: usize,
    /// Dumps that could not be analyzed.
    pub failed: usize,
    /// Dumps with lost data.
    pub lost: usize,
    /// Directories that were left out and may be dumps.
    pub unread: usize,
    /// Directories that were left out and results that were removed, and why.
    pub skipped: Vec<Message>,
    /// Why dumps could not be analyzed.
    pub errors: Vec<Message>,
    /// The index, where it was written.
    pub written: Vec<Written>,
}

impl<'a> Batch<'a> {
    /// Finds the dumps below the root, and what an earlier batch left in the output directory.
    ///
    /// # Errors
    /// [`BatchError`] when there are none, or results of others would be overwritten.
    pub fn find(request: &'a Request, root: &'a Root) -> Result<Self, BatchError> {
        let mut found: Found = dumps(&root.path, &request.out, request.iteration)?;
        if !request.only.is_empty() {
            found.keep(&request.only, &root.path)?;
        }
        if request.choice.writes(views::EVENTS) {
            data_set::check(&root.path, &found.dumps)?;
        }
        let earlier = merge::earlier(request, root, &found.dumps)?;
        if let Some(shard) = request.shard {
            shard.keep(&mut found);
        }
        let out = output_directory(&request.out)?;
        recover(&out);
        let Found { dumps, skipped } = found;
        Ok(Self { request, root, dumps, skipped, earlier, out })
    }

    /// Analyzes the dumps that are not done yet, and writes the index of all.
    ///
    /// # Errors
    /// [`BatchError`] when the index can't be written; what is wrong with single dumps is in the result.
    pub fn run(self, session: &Session, progress: &dyn Progress) -> Result<Finished, BatchError> {
        let Self { request, root, dumps, skipped, earlier, out } = self;
        let outcomes = work::all(request, root, &out, session, &dumps, progress);
        let lost_events = outcomes.iter().filter(|outcome| outcome.lost_events).count();
        let unchanged = outcomes.iter().filter(|outcome| outcome.is_old).count();
        let errors = outcomes.iter().filter_map(|outcome| outcome.error.clone()).collect();
        let mut entries: Vec<Entry> = outcomes.into_iter().map(|outcome| outcome.entry).collect();
        let count = |status| entries.iter().filter(|entry| entry.status == status).count();
        let (all, lost, failed) = (entries.len(), count(Status::Lost), count(Status::Failed));
        entries.extend(earlier.dumps);
        entries.sort_by_key(|entry| entry.status.rank());
        let mut roots = earlier.roots;
        roots.insert(root.source());
        let unread = skipped.iter().filter(|skipped| skipped.may_be_dump).count();
        let rename = |name: &str| root.named(name.to_owned());
        let mut skipped: Vec<Message> =
            skipped.into_iter().map(|skipped| skipped.text.renamed(&rename)).collect();
        let said: Vec<String> =
            skipped.iter().map(|skipped| skipped.text(Language::English)).collect();
        let has_index = request.only.is_empty() && request.shard.is_none();
        let written = match has_index {
            true => index::write(&root.shown, &roots, &entries, &said, &out)?.into(),
            false => Vec::new(),
        };
        if lost_events > 0 {
            skipped.push(message!("batch-events-removed", dumps = lost_events));
        }
        Ok(Finished { dumps: all, unchanged, failed, lost, unread, skipped, errors, written })
    }
}

/// Removes what a killed batch left in the directory of the index and in the data set of events: where no dump has changed,
/// nothing is written there.
fn recover(out: &OutDir) {
    out.recover(is_output);
    let events = data_set::dir(out.path());
    if events.is_dir()
        && let Ok(events) = out.with_root(&events)
    {
        events.recover(is_partition);
    }
}

/// An index of results that are there.
#[derive(Debug)]
pub struct Indexed {
    /// Dumps in it.
    pub dumps: usize,
    /// Whether data of any was lost.
    pub has_loss: bool,
    /// Its files.
    pub written: Vec<Written>,
}

/// Writes the index of all results below a directory. `root`: what the dumps are below, if no result says it.
///
/// # Errors
/// [`BatchError`] when there are no results, or the index can't be written.
pub fn index_of(root: &Path, out: &Path) -> Result<Indexed, BatchError> {
    let mut earlier = shard::gathered(out)?;
    earlier.dumps.sort_by(|a, b| (a.status.rank(), &a.dump).cmp(&(b.status.rank(), &b.dump)));
    let target = output_directory(out)?;
    let roots = shard::roots(&earlier, root.display().to_string());
    let written = index::write(root, &roots, &earlier.dumps, &[], &target)?;
    let has_loss = earlier.dumps.iter().any(|entry| entry.status == Status::Lost);
    Ok(Indexed { dumps: earlier.dumps.len(), has_loss, written: written.into() })
}
