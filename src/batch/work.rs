//! The work on each dump: side by side, as far as memory allows, and past those that are broken.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use anyhow::Result;
use bigtpu_emit::{OutDir, Quiet};
use bigtpu_emit_events::Partition;
use bigtpu_session::Session;

use super::budget::Budget;
use super::data_set;
use super::entry::{DONE, Dirs, Done, Entry};
use super::find::Member;
use super::fingerprint::Fingerprint;
use crate::args::batch::Args;
use crate::{analyze, progress};

/// What became of a dump.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) entry: Entry,
    /// Whether its results were there already.
    pub(crate) is_old: bool,
}

/// Works on all dumps; the answers are in the dumps' order.
///
/// Each dump has a thread that leads it, and shares the others. As many are in work at a time as there are
/// threads, and as fit the budget.
pub(crate) fn all(args: &Args, session: &Session, dumps: &[Member]) -> Vec<Outcome> {
    let budget = Budget::default();
    let next = AtomicUsize::new(0);
    let outcomes = Mutex::new(Vec::new());
    let progress = progress::progress(args.quiet);
    let task = progress.task("dumps", dumps.len() as u64);
    std::thread::scope(|scope| {
        for _ in 0..rayon::current_num_threads().min(dumps.len()) {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(dump) = dumps.get(at) else { return };
                    let outcome = outcome_of(args, session, dump, &budget);
                    task.advance(1);
                    outcomes.lock().unwrap_or_else(PoisonError::into_inner).push((at, outcome));
                }
            });
        }
    });
    let mut outcomes = outcomes.into_inner().unwrap_or_else(PoisonError::into_inner);
    outcomes.sort_by_key(|(at, _)| *at);
    outcomes.into_iter().map(|(_, outcome)| outcome).collect()
}

/// A dump, whatever happens.
fn outcome_of(args: &Args, session: &Session, dump: &Member, budget: &Budget) -> Outcome {
    match catch_unwind(AssertUnwindSafe(|| analyzed(args, session, dump, budget))) {
        Ok(Ok(outcome)) => outcome,
        Ok(Err(error)) => failed(&dump.place, error.to_string()),
        Err(_) => failed(
            &dump.place,
            format!("{}: the analysis was aborted by an internal error", dump.place.display()),
        ),
    }
}

fn failed(dump: &Path, error: String) -> Outcome {
    Outcome { entry: Entry::failed(dump, error), is_old: false }
}

fn analyzed(args: &Args, session: &Session, member: &Member, budget: &Budget) -> Result<Outcome> {
    let place = member.place.as_path();
    let (input, output) = (args.root.join(&member.dump), args.out.join(place));
    let fingerprint = Fingerprint::of(&input, &args.views, &session.settings().hardware)?;
    let dirs = Dirs { all: &args.out, own: &output };
    let old = Done::read(&dirs);
    if let Some(done) = &old
        && done.fingerprint == fingerprint
        && !args.force
    {
        return Ok(Outcome { entry: done.entry.clone(), is_old: true });
    }
    let _taken = budget.take(fingerprint.bytes());
    let dump = session.open(&input, member.iteration)?;
    let out = OutDir::create(&output)?;
    let run = session.analyze(&dump);
    let partition = data_set::partition(&args.out, place, &dump.root);
    let events = run.profile.event_count();
    let selection = args.views.selection(events);
    let written = run.write(&selection.views, Some(partition.clone()), &out, &Quiet)?;
    let Partition { device, call, .. } = partition;
    let mut entry = Entry::of(place, &run, &written, &dirs);
    entry.notes.extend(analyze::reduced_note(&selection, events));
    let entry = Entry { device, call, ..entry };
    let mut file = out.file(DONE)?;
    let done = Done { fingerprint, entry };
    file.append(&serde_json::to_vec_pretty(&done)?)?;
    file.commit()?;
    out.publish()?;
    if let Some(old) = old {
        remove_old(&dirs, &old.entry, &done.entry);
    }
    Ok(Outcome { entry: done.entry, is_old: false })
}

/// Removes results of an earlier run that are not written any more.
fn remove_old(dirs: &Dirs<'_>, old: &Entry, new: &Entry) {
    let new: Vec<PathBuf> = dirs.files(new).map(|(path, _)| path).collect();
    for (path, _) in dirs.files(old).filter(|(path, _)| !new.contains(path)) {
        let _ = std::fs::remove_file(path);
    }
}
