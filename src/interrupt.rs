//! Ctrl-C and other signals that end the process: no incomplete files remain.

/// From now on, unfinished files are removed before a signal ends the process. Signals that the parent process
/// ignored (`nohup`) stay ignored.
#[cfg(unix)]
pub(crate) fn watch() {
    use bigtpu_emit_text::console::standard;
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::{emulate_default_handler, signal_name};

    // Where signals can't be watched, they end the process as ever.
    let Ok(mut signals) = Signals::new(watched_signals()) else { return };
    let wait = move || {
        let Some(signal) = signals.forever().next() else { return };
        bigtpu_output::abandon();
        let name = signal_name(signal).unwrap_or("a signal");
        standard::note(&bigtpu_output::text!("stopped by {}; no incomplete files are left", name));
        // Ended by the signal itself, as shells expect; they show 128 and its number.
        let _ = emulate_default_handler(signal);
    };
    let _ = std::thread::Builder::new().name("signals".to_owned()).spawn(wait);
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
