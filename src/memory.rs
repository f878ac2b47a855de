//! A limit of memory ends a run with a sentence.
//!
//! Where memory can't be had, the process is aborted and says nothing more. Under a limit (`ulimit -v`) the program therefore
//! runs itself once more and waits for that process: it passes signals on, ends as it ends, and says what to do if it was
//! aborted.

use bigtpu_messages::{Language, Message, message, source_of};
use bigtpu_output::text;

use crate::args::lang;
use crate::exit;
use crate::exit::MEMORY;

#[cfg(unix)]
pub use system::guard;

/// Ends the run, which has no memory left for what a library needs: nothing incomplete stays.
pub(crate) fn end() -> ! {
    bigtpu_output::abandon();
    say(limit());
    std::process::exit(MEMORY.into())
}

/// Says what to do. `limit`: bytes that the process may have, if there is a limit.
fn say(limit: Option<u64>) {
    let what = match limit {
        Some(limit) => message!("error-memory-limit", mib = limit >> 20),
        None => Message::new("error-memory"),
    };
    let sentence = message!("error-memory-way-out", what = what);
    exit::said(text!("{}", sentence.text(lang::of_process())));
}

/// The sentence of [`say`] in English, where there is no memory for the catalogue: what the catalogue has in its file.
#[cfg(unix)]
fn say_without_memory(limit: u64) {
    let text = |id| source_of(Language::English, id).unwrap_or_default();
    let label = text("error-label").split('"').nth(1).unwrap_or_default();
    let what = text("error-memory-limit").split_once("{ $mib }").unwrap_or_default();
    let way_out = text("error-memory-way-out").trim_start_matches("{ $what }");
    let mib = limit >> 20;
    bigtpu_emit_text::console::standard::note_without_memory(format_args!(
        "{label}{}{mib}{}{way_out}",
        what.0, what.1
    ));
}

/// Bytes that the process may have, if there is a limit.
#[cfg(unix)]
fn limit() -> Option<u64> {
    use rustix::process::{Resource, getrlimit};

    [Resource::As, Resource::Data].into_iter().filter_map(|kind| getrlimit(kind).current).min()
}

#[cfg(not(unix))]
fn limit() -> Option<u64> {
    None
}

/// Runs the program under a limit of memory; `None` where there is none, or the run is the guarded one.
#[cfg(not(unix))]
#[must_use]
pub fn guard() -> Option<u8> {
    None
}

#[cfg(unix)]
mod system {
    use std::env;
    use std::os::unix::process::{CommandExt, ExitStatusExt};
    use std::process::{Child, Command, ExitStatus};

    use rustix::process::{Pid, Signal, kill_process};
    use signal_hook::consts::{SIGABRT, SIGCHLD, SIGSEGV};
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::emulate_default_handler;

    use super::limit;
    use crate::exit::MEMORY;
    use crate::interrupt::watched_signals;

    /// What the guard needs itself: to pass signals on, and to say a sentence of the catalogue.
    const SIGNAL_BYTES: usize = 256 << 10;
    const SENTENCE_BYTES: usize = 2 << 20;

    /// Memory of that size, if it can be had.
    fn reserved(bytes: usize) -> Option<Vec<u8>> {
        let mut room = Vec::new();
        room.try_reserve_exact(bytes).ok()?;
        Some(room)
    }

    /// Tells the guarded process that it is one.
    const MARK: &str = "BIGTPUPROFILE_GUARDED";

    /// Runs the program under a limit of memory; its exit code. `None` where there is no limit, or the run is the guarded one.
    #[must_use]
    pub fn guard() -> Option<u8> {
        let limit = limit()?;
        if env::var_os(MARK).is_some() {
            return None;
        }
        // The run needs more than its guard, which would be aborted itself.
        let (Some(room), Some(_)) = (reserved(SENTENCE_BYTES), reserved(SIGNAL_BYTES)) else {
            super::say_without_memory(limit);
            return Some(MEMORY);
        };
        let mut arguments = env::args_os();
        let name = arguments.next()?;
        let mut command = Command::new(env::current_exe().ok()?);
        command.arg0(name).args(arguments).env(MARK, "1");
        // What the system says of its end is enough: where it wanted memory helps nobody.
        command.env("RUST_BACKTRACE", "0");
        // Before the run starts, so that its end is not missed. Where signals can't be watched, they end this process alone.
        let watched = watched_signals().into_iter().chain([SIGCHLD]);
        let signals = Signals::new(watched).ok();
        // Where it can't be started, the run goes on without a guard.
        let child = command.spawn().ok()?;
        Some(wait(child, signals, limit, room))
    }

    /// Waits for the end of `child`, and passes signals on to it. The guard has no second thread: under its own limit of memory, the
    /// start of one could fail.
    fn end_of(child: &mut Child, signals: Option<Signals>) -> std::io::Result<ExitStatus> {
        let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
        let (Some(mut signals), Some(pid)) = (signals, pid) else { return child.wait() };
        loop {
            if let Some(status) = child.try_wait()? {
                return Ok(status);
            }
            for signal in signals.wait().filter(|signal| *signal != SIGCHLD) {
                let named = Signal::from_named_raw(signal);
                let _ = named.map(|signal| kill_process(pid, signal));
            }
        }
    }

    /// `room`: memory that is kept for the sentence.
    fn wait(mut child: Child, signals: Option<Signals>, limit: u64, room: Vec<u8>) -> u8 {
        let Ok(status) = end_of(&mut child, signals) else { return crate::exit::ERROR };
        match (status.code(), status.signal()) {
            (Some(code), _) => u8::try_from(code).unwrap_or(crate::exit::ERROR),
            (None, Some(SIGABRT | SIGSEGV)) => {
                drop(room);
                super::say(Some(limit));
                MEMORY
            }
            (None, signal) => {
                // As the run ended, so does this process.
                let _ = emulate_default_handler(signal.unwrap_or(SIGABRT));
                crate::exit::ERROR
            }
        }
    }
}
