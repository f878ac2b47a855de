//! The whole way from a dump to its files, in this process.

use std::path::Path;

use bigtpu_emit::Quiet;
use bigtpu_host_trace::HostAlign;
use bigtpu_output::{OutDir, Written};
use bigtpu_session::{Host, Session, Settings, views};
use bigtpu_timeline::Profile;

use crate::files::HOST_TRACE;

/// Which views are written.
#[derive(Debug, Clone, Copy, Default)]
pub struct Views {
    /// The workbook, which takes more time than the others together.
    pub workbook: bool,
    /// The page, which takes much time where nothing is optimized.
    pub page: bool,
    /// Deflated packets in the trace.
    pub compress: bool,
}

/// Analyzes a dump and writes its views. A host trace next to the dump's files is merged. Returns what was written,
/// or in one sentence why the dump can't be analyzed.
///
/// # Errors
/// The sentence.
///
/// # Panics
/// When anything is found that must not be, whatever the bytes.
pub fn analyze(input: &Path, output: &Path, chosen: Views) -> Result<Vec<Written>, String> {
    let host_path = input.join(HOST_TRACE);
    let host = host_path.is_file().then(|| Host::open(&host_path, HostAlign::Anchors));
    let host = host.transpose().map_err(|error| error.to_string())?;
    let session =
        Session::from(Settings { host, compress_trace: chosen.compress, ..Settings::default() });
    let dump = session.open(input, None).map_err(|error| error.to_string())?;
    let out = OutDir::create(output).map_err(|error| error.to_string())?;
    let run = session.analyze(&dump);
    sound(&run.profile);
    let mut names = vec![views::TEXT, views::SUMMARY, views::REPORT, views::TRACE];
    names.extend(chosen.page.then_some(views::PAGE));
    names.extend(chosen.workbook.then_some(views::WORKBOOK));
    let written = run.write(&names, None, &out, &Quiet).map_err(|error| error.to_string())?;
    out.publish().map_err(|error| error.to_string())?;
    for file in &written {
        let size = std::fs::metadata(&file.path).expect("a written file is there").len();
        assert_eq!(size, file.bytes, "{}", file.path.display());
        assert!(file.path.starts_with(output), "{}", file.path.display());
    }
    Ok(written)
}

/// What holds for every profile.
pub(crate) fn sound(profile: &Profile<'_>) {
    let mut counted = 0;
    for line in &profile.ledger.lines {
        let c = line.counts;
        assert_eq!(c.shown, c.matched + c.unmatched, "{}", line.engine_id);
        assert!(c.shown <= c.read, "{}: more events than records", line.engine_id);
        assert_eq!(c.unaccounted(), 0, "{}: records vanished: {c:?}", line.engine_id);
        counted += c.shown;
    }
    let even = profile.tracks().all(|track| {
        let e = &track.events;
        e.start.len() == e.len() && e.end.len() == e.len() && e.binding.len() == e.len()
    });
    assert!(even, "the columns of a track differ in length");
    assert_eq!(counted, profile.event_count() as u64, "the ledger counts all events");
}
