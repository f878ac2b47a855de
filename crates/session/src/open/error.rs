//! Why nothing can be shown in the browser.

use bigtpu_messages::error_message;
use std::io::Error;
use std::path::PathBuf;

use bigtpu_output::OutputError;

use crate::archive::ArchiveError;
use crate::dumps::DumpsError;

/// Why nothing can be shown in the browser.
#[derive(Debug, thiserror::Error)]
pub enum ShowError {
    /// Another view of a file is asked for than it is.
    #[error("{}", if *is_page { error_message!("error-open-is-page", path = path.display()) } else { error_message!("error-open-is-no-page", path = path.display()) })]
    OtherView {
        /// The file.
        path: PathBuf,
        /// Whether it is a page.
        is_page: bool,
    },
    /// Results without the view.
    #[error("{}", error_message!("error-open-no-view", path = path.display(), file, view))]
    NoView {
        /// The directory.
        path: PathBuf,
        /// The view's file.
        file: &'static str,
        /// The view.
        view: &'static str,
    },
    /// A file is neither a page nor a trace.
    #[error("{}", error_message!("error-open-not-shown", path = path.display()))]
    NotShown {
        /// The file.
        path: PathBuf,
    },
    /// A file can't be read.
    #[error("{}", error_message!("error-open-unreadable", path = path.display()))]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: Error,
    },
    /// No directory for a view can be made.
    #[error("{}", error_message!("error-open-no-scratch"))]
    NoScratch(#[source] Error),
    /// The copy of the viewer can't be opened.
    #[error("{}", error_message!("error-open-viewer", path = path.display()))]
    Viewer {
        /// Its directory.
        path: PathBuf,
        /// What the system says.
        source: Error,
    },
    /// A directory is no copy of the viewer.
    #[error("{}", error_message!("error-open-no-viewer", path = .0.display()))]
    NoViewer(PathBuf),
    /// Another program has the port.
    #[error("{}", error_message!("error-open-port", port))]
    Port {
        /// The port.
        port: u16,
        /// What the system says.
        source: Error,
    },
    /// An archive can't be unpacked.
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    /// A dump can't be opened.
    #[error(transparent)]
    Dump(#[from] DumpsError),
    /// A view can't be written.
    #[error(transparent)]
    Output(#[from] OutputError),
}
