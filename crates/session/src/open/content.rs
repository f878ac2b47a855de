//! What is shown: a page or a trace, read or made.

use std::path::Path;

use bigtpu_emit::Quiet;
use bigtpu_emit_perfetto::TRACE_FILE;
use bigtpu_emit_web::PAGE_FILE;
use bigtpu_format::{GLOBAL_PROFILE, MOST_MODEL, read_found};
use bigtpu_output::{OutDir, Scratch};

use super::ShowRequest;
use super::error::ShowError;
use crate::archive::{Packed, Unpacked, holds, holds_files};
use crate::dumps::open_only;
use crate::settings::Session;
use crate::views;

/// Which view.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shown {
    /// The page.
    Page,
    /// The trace.
    Trace,
}

impl Shown {
    fn file(self) -> &'static str {
        match self {
            Self::Page => PAGE_FILE,
            Self::Trace => TRACE_FILE,
        }
    }

    fn view(self) -> &'static str {
        match self {
            Self::Page => views::PAGE,
            Self::Trace => views::TRACE,
        }
    }
}

/// The list of events of a trace in Chrome's JSON, which is an object.
const EVENTS: &[u8] = b"\"traceEvents\"";

/// A file that is served.
#[derive(Debug)]
pub(super) struct Content {
    pub(super) shown: Shown,
    /// Last part of its address.
    pub(super) name: String,
    pub(super) bytes: Vec<u8>,
}

impl Content {
    /// Reads the file that is asked for; analyzes a dump.
    pub(super) fn prepare(request: &ShowRequest) -> Result<Self, ShowError> {
        let ShowRequest { what, page, trace, offline, .. } = request;
        let wants_trace = *trace || offline.is_some();
        if what.is_file() {
            let is_page = what.extension().is_some_and(|end| end == "html");
            let content = Self::read(what, if is_page { Shown::Page } else { Shown::Trace })?;
            if holds_dump(&content.bytes) {
                return Self::of_directory(Unpacked::unpack(what)?.root(), wants_trace);
            }
            if (is_page && wants_trace) || (!is_page && *page) {
                return Err(ShowError::OtherView { path: what.clone(), is_page });
            }
            if !content.is_what_it_seems() {
                return Err(ShowError::NotShown { path: what.clone() });
            }
            return Ok(content);
        }
        Self::of_directory(what, wants_trace)
    }

    /// The view of results, or of a dump.
    fn of_directory(what: &Path, wants_trace: bool) -> Result<Self, ShowError> {
        let shown = if wants_trace { Shown::Trace } else { Shown::Page };
        let results = what.join(shown.file());
        if results.is_file() {
            return Self::read(&results, shown);
        }
        let other = if shown == Shown::Page { Shown::Trace } else { Shown::Page };
        if what.join(other.file()).is_file() {
            let (file, view) = (shown.file(), shown.view());
            return Err(ShowError::NoView { path: what.to_owned(), file, view });
        }
        Self::of_dump(what, shown)
    }

    fn read(file: &Path, shown: Shown) -> Result<Self, ShowError> {
        let bytes = read_found(file, MOST_MODEL)
            .map_err(|source| ShowError::Unreadable { path: file.to_owned(), source })?;
        let name = file.file_name().map(|name| name.to_string_lossy().into_owned());
        // Names in addresses need no escapes.
        let is_plain = |name: &String| {
            name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-' | b'_'))
        };
        let name = name.filter(is_plain).unwrap_or_else(|| match shown {
            Shown::Page => "result.html".to_owned(),
            Shown::Trace => TRACE_FILE.to_owned(),
        });
        Ok(Self { shown, name, bytes })
    }

    /// Whether a file begins as a page or a trace does: one of Perfetto is a sequence of packets in field 1, which may be packed
    /// with gzip or zip, one of Chrome is JSON.
    fn is_what_it_seems(&self) -> bool {
        let text = self.bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&self.bytes);
        let start = text.trim_ascii_start();
        match self.shown {
            Shown::Page => start.starts_with(b"<"),
            Shown::Trace => {
                let is_binary =
                    [&b"\x0a"[..], b"\x1f\x8b"].iter().any(|magic| self.bytes.starts_with(magic))
                        || holds_files(&self.bytes);
                let has_events = || self.bytes.windows(EVENTS.len()).any(|word| word == EVENTS);
                is_binary
                    || (start.starts_with(b"[") && has_objects(start))
                    || (start.starts_with(b"{") && has_events())
            }
        }
    }

    /// The view of a dump. It is written to a directory of its own, which is removed when it has been read.
    fn of_dump(dump: &Path, shown: Shown) -> Result<Self, ShowError> {
        let session = Session::default();
        let opened = open_only(dump, &session, &|_| {})?;
        let run = session.analyze(&opened);
        let scratch = Scratch::create().map_err(ShowError::NoScratch)?;
        // Its own lock is taken as long as it lives, and outputs lock the directory that they are in.
        let directory = scratch.path().join("results");
        let out = OutDir::create(&directory)?;
        run.write(&[shown.view()], None, &out, &Quiet)?;
        out.publish()?;
        Self::read(&directory.join(shown.file()), shown)
    }
}

/// Whether it is a packed directory with a dump. A viewer of traces unpacks traces itself.
fn holds_dump(bytes: &[u8]) -> bool {
    Packed::detect(bytes) == Packed::Archive && holds(bytes, GLOBAL_PROFILE)
}

/// Whether the list of a trace has events, which are objects, or none.
fn has_objects(list: &[u8]) -> bool {
    let inside = list.get(1..).unwrap_or(&[]).trim_ascii_start();
    inside.is_empty() || inside.starts_with(b"{") || inside.starts_with(b"]")
}
