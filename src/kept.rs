//! What results are of: those of the same dump, version and options stay when others are added.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use bigtpu_output::Untrusted;
use bigtpu_session::Session;
use twox_hash::XxHash3_128;

use crate::args::analyze::Args;
use crate::batch::Content;
use crate::multi_dump::Named;

/// Names of removed files that are shown.
const MOST_NAMES: usize = 8;

/// Dumps, version and options that results depend on, in one line; empty where a dump can't be read any more.
pub(crate) fn of(args: &Args, session: &Session, dumps: &[Named]) -> String {
    let settings = session.settings();
    let host = args.trace_file.as_deref().map(stamp);
    let mut text = format!(
        "{:?} {:?} {:?} {:?} {host:?} {:?} {:?} {:?}",
        args.views.arch,
        settings.reading,
        settings.hardware,
        settings.compress_trace,
        args.host_align,
        settings.step.as_ref().map(|step| step.as_str()),
        args.cut,
    );
    for dump in dumps {
        let Ok(content) = Content::of(&dump.root, None) else { return String::new() };
        // Writing to a text never fails.
        let _ = write!(text, "\n{} {:?} {}", content.hash(), dump.iteration, dump.name.directory);
    }
    format!("{} {:032x}", env!("CARGO_PKG_VERSION"), XxHash3_128::oneshot(text.as_bytes()))
}

/// A file as it is now: changed content has another time.
fn stamp(file: &Path) -> String {
    let known = file.metadata().ok().map(|m| (m.len(), m.modified().ok()));
    format!("{} {known:?}", file.display())
}

/// What was removed, in words; `None` where nothing was.
pub(crate) fn removed_note(removed: &[PathBuf]) -> Option<String> {
    let name = |path: &PathBuf| Untrusted::from(path.as_path()).line().to_string();
    let names: Vec<String> = removed.iter().take(MOST_NAMES).map(name).collect();
    let more = removed.len().saturating_sub(MOST_NAMES);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    (!removed.is_empty()).then(|| {
        format!(
            "note: removed results of another dump, version or options: {}{more}",
            names.join(", ")
        )
    })
}
