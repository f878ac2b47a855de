//! What results are of: those of the same dump, version and options stay when others are added.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use bigtpu_messages::{Message, message};
use bigtpu_output::{OutDir, OutputError, Untrusted};
use twox_hash::XxHash3_128;

use crate::batch::Content;
use crate::cut::CutRequest;
use crate::dumps::Named;
use crate::host::Host;
use crate::outputs::is_output;
use crate::settings::Session;

/// Names of removed files that are shown.
const MOST_NAMES: usize = 8;

/// What results are of.
#[derive(Debug, Clone)]
pub struct ResultsOf(String);

impl ResultsOf {
    /// Identity of the results of dumps with the options of a session. Reads all files of the dumps, which can be done
    /// while results are written.
    #[must_use]
    pub fn new(session: &Session, cut: &CutRequest, dumps: &[Named]) -> Self {
        Self(key(session, cut, dumps))
    }

    /// Publishes these results in place of those of other dumps, versions and options, and says what of them was removed.
    ///
    /// # Errors
    /// As [`OutDir::publish_instead`].
    pub fn publish(&self, out: &OutDir) -> Result<Option<Message>, OutputError> {
        Ok(removed_note(&out.publish_instead(&self.0, is_output)?))
    }
}

/// Dumps, version and options that results depend on, in one line; empty where a dump can't be read any more.
fn key(session: &Session, cut: &CutRequest, dumps: &[Named]) -> String {
    let settings = session.settings();
    let stamps = |host: &Host| host.files().map(stamp).collect::<Vec<_>>();
    let host = settings.host.as_ref().map(|host| (stamps(host), host.align));
    let mut text = format!(
        "{:?} {:?} {:?} {:?} {:?} {host:?} {:?} {cut:?}",
        settings.chip.map(|chip| chip.name),
        settings.reading,
        settings.hardware,
        settings.compress_trace,
        settings.trace_detail,
        settings.step.as_ref().map(|step| step.as_str()),
    );
    for dump in dumps {
        let Ok(content) = Content::read(&dump.root, None) else { return String::new() };
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

/// What was removed; `None` where nothing was.
fn removed_note(removed: &[PathBuf]) -> Option<Message> {
    let name = |path: &PathBuf| Untrusted::from(path.as_path()).line().to_string();
    let names: Vec<String> = removed.iter().take(MOST_NAMES).map(name).collect();
    let (files, more) = (names.join(", "), removed.len().saturating_sub(MOST_NAMES));
    (!removed.is_empty()).then(|| message!("report-removed", files = files, more = more))
}
