//! A command that is run with the capture of its runtime switched on, and the dumps that it wrote.

mod error;
mod process;
mod runtime;
mod stamp;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus};
use std::time::Duration;

use bigtpu_format::{Files, find_dumps_in};
use bigtpu_measure::NamePattern;
use bigtpu_messages::{Arg, Message, message};
use bigtpu_timeline::is_summary_only;

use process::Seen;
use stamp::{Before, Whose};

pub use error::RecordError;
pub use runtime::{CaptureSetting, Runtime};

/// How often a running command is looked at. A directory in which it works for a shorter time is not seen.
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// What is run, and how.
#[derive(Debug, Clone)]
pub struct RecordRequest<'a> {
    /// The program and its arguments.
    pub command: &'a [OsString],
    /// How the run is captured.
    pub setting: CaptureSetting,
    /// Names of files that are host traces, if the run wrote them.
    pub host_trace: Option<&'a NamePattern>,
}

/// What a command wrote.
#[derive(Debug)]
pub struct Capture {
    /// The dumps of this run: of all devices and calls.
    pub dumps: Vec<PathBuf>,
    /// Host traces of this run.
    pub host_traces: Vec<PathBuf>,
    /// How the command ended.
    pub ended: ExitStatus,
    /// Dumps of earlier runs in the directories where it worked.
    pub earlier: Vec<PathBuf>,
    /// The runtime that it used, as far as it was seen.
    pub runtime: Option<Runtime>,
}

/// Runs a command to its end, in this process's directory, with its standard streams. `started` is told the process, so that signals
/// can reach it.
///
/// # Errors
/// [`RecordError`] when the command can't be started, or a dump holds files of an earlier run beside those of this one.
pub fn record(
    request: &RecordRequest<'_>,
    started: &dyn Fn(&Child),
) -> Result<Capture, RecordError> {
    let [program, arguments @ ..] = request.command else { return Err(RecordError::NoCommand) };
    let here = std::env::current_dir().map_err(RecordError::NoDirectory)?;
    let before = Before::look(&here);
    let mut command = Command::new(program);
    let is_set = |name: &str| std::env::var_os(name).is_some();
    command.args(arguments).envs(request.setting.variables(is_set));
    let mut child = command
        .spawn()
        .map_err(|source| RecordError::NotStarted { program: PathBuf::from(program), source })?;
    started(&child);
    let mut seen = Seen::default();
    let ended = loop {
        seen.look(child.id());
        match child.try_wait() {
            Ok(None) => std::thread::sleep(LOOK_EVERY),
            Ok(Some(ended)) => break ended,
            Err(source) => return Err(RecordError::NotWaited(source)),
        }
    };
    let name = Path::new(program).file_name().and_then(|name| name.to_str());
    let runtime = seen.runtime.or_else(|| Runtime::of_files(name.into_iter()));
    let elsewhere = seen.directories.into_iter().filter(|place| *place != here);
    let places: Vec<PathBuf> = std::iter::once(here.clone()).chain(elsewhere).collect();
    let mut capture = Capture {
        dumps: Vec::new(),
        host_traces: host_traces(request.host_trace, &before, &places),
        ended,
        earlier: Vec::new(),
        runtime,
    };
    for dump in places.iter().flat_map(|place| find_dumps_in(place, &Files::default())) {
        match before.whose(&dump) {
            Whose::OfThisRun => capture.dumps.push(dump),
            Whose::Earlier => capture.earlier.push(dump),
            Whose::Mixed(file) => return Err(RecordError::Mixed { dump, file }),
        }
    }
    // Beside a dump of CV84X6 libsophon leaves a summary without records.
    if !capture.dumps.iter().all(|dump| is_summary_only(dump, &Files::default())) {
        capture.dumps.retain(|dump| !is_summary_only(dump, &Files::default()));
    }
    Ok(capture)
}

/// The new files with such a name in the directories where a command worked.
fn host_traces(pattern: Option<&NamePattern>, before: &Before, places: &[PathBuf]) -> Vec<PathBuf> {
    let Some(pattern) = pattern else { return Vec::new() };
    let files = places.iter().flat_map(|place| before.new_files(place));
    let is_named = |path: &PathBuf| {
        path.file_name().and_then(|name| name.to_str()).is_some_and(|name| pattern.matches(name))
    };
    files.filter(is_named).collect()
}

impl Capture {
    /// Why there is no dump: what is known of it, and what to do.
    #[must_use]
    pub fn without_dump(&self) -> Message {
        if let Some(code) = self.ended.code().filter(|code| *code != 0) {
            return message!("record-no-dump-failed", code = Arg::Number(code.into()));
        }
        if !self.ended.success() {
            return Message::new("record-no-dump-killed");
        }
        let pitfall = match self.runtime {
            Some(runtime) => runtime.pitfall(),
            None => Message::new("record-pitfall-unknown"),
        };
        match self.earlier.as_slice() {
            [] => message!("record-no-dump", pitfall = pitfall),
            [first, ..] => message!(
                "record-no-dump-earlier",
                dump = first.display().to_string(),
                pitfall = pitfall
            ),
        }
    }

    /// What to do where a run with larger rings had rings of the old size: the program gives their size itself.
    #[must_use]
    pub fn own_records(&self, enough: u64) -> Message {
        match self.runtime.is_some_and(Runtime::sets_records) {
            true => message!("record-own-records-tpudnn", enough = enough),
            false => message!("record-own-records", enough = enough),
        }
    }
}
