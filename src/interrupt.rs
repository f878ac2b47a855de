//! Ctrl-C and other signals that end the process: no incomplete files remain. While a command runs, they are the command's.

use bigtpu_messages::message;
use std::process::Child;
use std::sync::atomic::{AtomicI32, Ordering};

/// The process of the command that runs; 0 without one.
static COMMAND: AtomicI32 = AtomicI32::new(0);
/// The last signal that came while the command ran; 0 without one.
static OF_COMMAND: AtomicI32 = AtomicI32::new(0);

/// From now on, signals are passed to a command, and do not end this process.
pub(crate) fn pass_to(command: &Child) {
    COMMAND.store(command.id().try_into().unwrap_or(0), Ordering::SeqCst);
}

/// The command has ended: signals end this process again. One that came meanwhile ends it now, unless the command ended well: a
/// server is stopped like that.
pub(crate) fn command_ended(is_well: bool) {
    COMMAND.store(0, Ordering::SeqCst);
    let signal = OF_COMMAND.swap(0, Ordering::SeqCst);
    if signal != 0 && !is_well {
        end(signal);
    }
}

/// From now on, unfinished files are removed before a signal ends the process. Signals that the parent process
/// ignored (`nohup`) stay ignored.
#[cfg(unix)]
pub(crate) fn watch() {
    use signal_hook::iterator::Signals;

    // Where signals can't be watched, they end the process as ever.
    let Ok(mut signals) = Signals::new(watched_signals()) else { return };
    let (started, has_started) = std::sync::mpsc::channel();
    let wait = move || {
        drop(started);
        for signal in signals.forever() {
            match COMMAND.load(Ordering::SeqCst) {
                0 => end(signal),
                command => {
                    OF_COMMAND.store(signal, Ordering::SeqCst);
                    pass(signal, command);
                }
            }
        }
    };
    let _ = std::thread::Builder::new().name("signals".to_owned()).spawn(wait);
    // A thread needs memory to start. Under a limit of memory it takes its part before the work does, and never beside it.
    let _: Result<(), _> = has_started.recv();
}

/// Ends the process by the signal itself, as shells expect; they show 128 and its number.
#[cfg(unix)]
fn end(signal: i32) {
    use signal_hook::low_level::{emulate_default_handler, signal_name};

    bigtpu_output::abandon();
    let name = signal_name(signal).unwrap_or("a signal");
    crate::console::note(message!("error-stopped", signal = name));
    let _ = emulate_default_handler(signal);
}

#[cfg(not(unix))]
fn end(_: i32) {}

/// Passes a signal to the command. The terminal sends Ctrl-C to both already, and some programs take the second one as an order to
/// end at once.
#[cfg(unix)]
fn pass(signal: i32, command: i32) {
    use rustix::process::{Pid, Signal, getpgrp, kill_process};
    use rustix::termios::tcgetpgrp;

    let is_of_terminal = signal == signal_hook::consts::SIGINT
        && std::fs::File::open("/dev/tty")
            .is_ok_and(|terminal| tcgetpgrp(&terminal).is_ok_and(|group| group == getpgrp()));
    if let (false, Some(process), Some(signal)) =
        (is_of_terminal, Pid::from_raw(command), Signal::from_named_raw(signal))
    {
        // The command may have ended just now.
        let _ = kill_process(process, signal);
    }
}

#[cfg(not(unix))]
pub(crate) fn watch() {}

/// The signals that end the process, without those that the parent process ignored.
#[cfg(unix)]
pub(crate) fn watched_signals() -> Vec<i32> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

    let ignored = ignored_signals();
    [SIGHUP, SIGINT, SIGTERM].into_iter().filter(|n| ignored >> (n - 1) & 1 == 0).collect()
}

/// Signals that the process ignores, as bits from signal 1 on; none where the system doesn't show.
#[cfg(unix)]
fn ignored_signals() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}
