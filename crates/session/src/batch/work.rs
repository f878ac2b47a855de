//! The work on each dump: side by side, as far as memory allows, and past those that are broken.

use bigtpu_messages::{Language, Message, message};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread::Builder;

use bigtpu_emit::{Progress, Quiet};
use bigtpu_output::{Json, OutDir};

use super::Request;
use super::budget::Budget;
use super::data_set;
use super::entry::{DONE, Dirs, Done, Entry, OutputFile};
use super::error::BatchError;
use super::find::Member;
use super::fingerprint::{Content, Fingerprint};
use super::identity::Identity;
use super::root::Root;
use crate::note::remark;
use crate::outputs::{is_output, is_table};
use crate::settings::Session;

/// What became of a dump.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) entry: Entry,
    /// Why it failed.
    pub(crate) error: Option<Message>,
    /// Whether its results were there already.
    pub(crate) is_old: bool,
    /// Whether its events of an earlier call were removed, because they are not those of the dump any more.
    pub(crate) lost_events: bool,
}

/// Works on all dumps; the answers are in the dumps' order.
///
/// Each dump has a thread that leads it, and shares the others. As many are in work at a time as there are
/// threads, and as fit the budget.
pub(crate) fn all(
    request: &Request,
    root: &Root,
    out: &OutDir,
    session: &Session,
    dumps: &[Member],
    progress: &dyn Progress,
) -> Vec<Outcome> {
    let work = Work { request, root, out, session, budget: Budget::default() };
    let next = AtomicUsize::new(0);
    let outcomes = Mutex::new(Vec::new());
    let task = progress.task("dumps", dumps.len() as u64);
    let take_all = || {
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(dump) = dumps.get(at) else { return };
            let outcome = work.outcome_of(dump);
            task.advance(1);
            outcomes.lock().unwrap_or_else(PoisonError::into_inner).push((at, outcome));
        }
    };
    let threads = rayon::current_num_threads().min(dumps.len());
    std::thread::scope(|scope| {
        // One thread is this one. Where the system lets no more be started, those that there are do all.
        let started = (1..=threads).filter(|_| threads > 1);
        let started =
            started.map_while(|_| Builder::new().spawn_scoped(scope, take_all).ok()).count();
        if started == 0 {
            take_all();
        }
    });
    let mut outcomes = outcomes.into_inner().unwrap_or_else(PoisonError::into_inner);
    outcomes.sort_by_key(|(at, _)| *at);
    outcomes.into_iter().map(|(_, outcome)| outcome).collect()
}

/// What all dumps have in common.
struct Work<'a> {
    request: &'a Request,
    root: &'a Root,
    out: &'a OutDir,
    session: &'a Session,
    budget: Budget,
}

impl Work<'_> {
    /// A dump, whatever happens.
    fn outcome_of(&self, dump: &Member) -> Outcome {
        match catch_unwind(AssertUnwindSafe(|| self.analyzed(dump))) {
            Ok(Ok(outcome)) => outcome,
            Ok(Err(error)) => {
                let rename = |text: &str| self.root.named(text.to_owned());
                failed(&dump.place, Message::displayed(&error).renamed(&rename))
            }
            Err(_) => failed(
                &dump.place,
                message!("error-aborted", dump = dump.place.display().to_string()),
            ),
        }
    }

    fn analyzed(&self, member: &Member) -> Result<Outcome, BatchError> {
        let Self { request, root, out: all, session, budget } = self;
        let place = member.place.as_path();
        let (input, output) = (root.path.join(&member.dump), request.out.join(place));
        let dirs = Dirs { all: &request.out, own: &output };
        // What a killed batch has begun is completed before anyone looks at it.
        let there = output.is_dir().then(|| all.run_below(place)).transpose()?;
        there.iter().for_each(|out| out.recover(is_output));
        let old = Done::read(&dirs);
        let content = Content::read(&input, old.as_ref().map(|done| &done.fingerprint.content))?;
        let fingerprint =
            Fingerprint::new(content, member.iteration, &request.choice, session.settings());
        if let Some(done) = &old
            && done.fingerprint == fingerprint
            && !request.force
        {
            return Ok(Outcome {
                entry: done.entry.clone(),
                error: None,
                is_old: true,
                lost_events: false,
            });
        }
        let _taken = budget.take(fingerprint.content.bytes());
        let dump = session.open(&input, member.iteration)?;
        let out = match there {
            Some(out) => out,
            None => all.run_below(place)?,
        };
        let run = session.analyze(&dump).answered();
        let identity = Identity::new(place, &dump.root);
        let partition = data_set::partition(&request.out, &identity, place, &dump.root);
        let events = run.profile.event_count();
        let selection = request.choice.of_events(events);
        let written = run.write(&selection.views, Some(partition), &out, &Quiet)?;
        let mut entry = Entry::new(place, &run, &written, &dirs);
        entry.notes.extend(selection.note().map(|note| remark(note).text(Language::English)));
        let entry = Entry { identity, content: Some(fingerprint.content.hash()), ..entry };
        // Events are a data set of their own: a call for other views leaves them there, as long as they are those of the dump.
        let kept = old.as_ref().filter(|old| old.fingerprint.is_of_same_run(&fingerprint));
        let kept = kept.and_then(|old| old.entry.table.clone());
        let entry = Entry { table: entry.table.clone().or(kept), ..entry };
        let has_unread = run.profile.ledger.has_unread;
        let fingerprint = if has_unread { fingerprint.of_no_dump() } else { fingerprint };
        let done = Done { source: root.source_of(&member.dump), fingerprint, entry };
        out.write(DONE, &Json::in_file(&serde_json::to_string_pretty(&done)?))?;
        out.publish()?;
        let mut lost_events = false;
        if let Some(old) = old {
            lost_events = old.entry.table.is_some() && done.entry.table.is_none();
            remove_old([all, &out], &old.entry, &done.entry);
        }
        Ok(Outcome { entry: done.entry, error: None, is_old: false, lost_events })
    }
}

fn failed(dump: &Path, error: Message) -> Outcome {
    let entry = Entry::failed(dump, error.text(Language::English));
    Outcome { entry, error: Some(error), is_old: false, lost_events: false }
}

/// Removes results of an earlier run that are not written any more. The list of them is a file that anyone may have
/// written: only names of outputs count.
fn remove_old([all, own]: [&OutDir; 2], old: &Entry, new: &Entry) {
    let is_old = |file: &&OutputFile| new.files.iter().all(|n| n.name != file.name);
    own.remove(old.files.iter().filter(is_old).map(|file| Path::new(&file.name)), is_output);
    let table =
        old.table.iter().filter(|old| new.table.as_ref().is_none_or(|new| new.name != old.name));
    all.remove(table.map(|file| Path::new(&file.name)), is_table);
}
