//! The page or the trace for a browser, served from this machine to this machine.

mod content;
mod error;
mod redirect;
mod request;
mod response;
mod server;
mod token;
mod viewer;

use std::path::PathBuf;

use content::{Content, Shown};
use server::Site;

pub use error::ShowError;
pub use redirect::Redirect;
pub use server::Server;

/// Port from which the viewer at ui.perfetto.dev takes traces.
const VIEWER_PORT: u16 = 9001;

/// What is shown.
#[derive(Debug, Clone, Default)]
pub struct ShowRequest {
    /// A dump, a directory of results, a trace or a page.
    pub what: PathBuf,
    /// Only a page.
    pub page: bool,
    /// The trace.
    pub trace: bool,
    /// Directory of a copy of the viewer.
    pub offline: Option<PathBuf>,
    /// Port of 127.0.0.1.
    pub port: Option<u16>,
}

/// Reads or makes what is asked for, and listens.
///
/// # Errors
/// [`ShowError`] when there is nothing to show, or the port is taken.
pub fn serve(request: &ShowRequest) -> Result<Server, ShowError> {
    let content = Content::prepare(request)?;
    let offline = request.offline.as_deref().map(viewer::directory).transpose()?;
    let port = request.port.unwrap_or(match content.shown {
        Shown::Trace => VIEWER_PORT,
        Shown::Page => 0,
    });
    let site = Site { token: token::new(), content, offline };
    Server::bind(port, site).map_err(|source| ShowError::Port { port, source })
}
