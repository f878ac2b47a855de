//! A server for one browser on this machine: one file under a secret address, and the files of a viewer's copy.

use std::borrow::Cow;
use std::io::{BufReader, Read, Result, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::Builder;
use std::time::Duration;

use super::content::{Content, Shown};
use super::redirect::Redirect;
use super::request::Request;
use super::response::{Response, media_type};
use super::viewer;

/// A browser that asks for nothing for so long has all that it needs.
const QUIET: Duration = Duration::from_secs(3);

/// A connection that sends nothing for so long is given up.
const PATIENCE: Duration = Duration::from_secs(10);

/// A tab with the viewer's copy has this request open as long as it is: the viewer asks for files, such as fonts, when it needs
/// them, and has no other server. It tells nothing and has no secret in it.
const HELD: &str = "/held-open";

/// What makes the viewer's page hold the request open.
const HOLD: &str = "<script>fetch('/held-open').catch(() => {})</script>\n";

/// What is served.
#[derive(Debug)]
pub(super) struct Site {
    /// First part of the file's path.
    pub(super) token: String,
    pub(super) content: Content,
    /// Directory of a copy of the viewer.
    pub(super) offline: Option<PathBuf>,
}

/// What a connection was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Served {
    /// The whole file went out.
    File,
    /// A tab with the viewer's copy is there.
    Opened,
    /// It is closed.
    Closed,
    /// Anything else.
    Other,
}

/// A server that listens.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    port: u16,
    site: Arc<Site>,
}

impl Server {
    /// Listens on the loopback address; port 0 is any free one.
    pub(super) fn bind(port: u16, site: Site) -> Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
        let port = listener.local_addr()?.port();
        Ok(Self { listener, port, site: Arc::new(site) })
    }

    /// What the browser is to open: short enough to be copied. That of a trace leads to the viewer, with all that it is to do.
    #[must_use]
    pub fn address(&self) -> String {
        let Site { token, content, .. } = &*self.site;
        let own = format!("http://127.0.0.1:{}/{token}", self.port);
        match content.shown {
            Shown::Page => format!("{own}/{}", content.name),
            Shown::Trace => own,
        }
    }

    /// A page that leads the browser there, readable for this user only.
    ///
    /// # Errors
    /// When it can't be written.
    pub fn redirect(&self) -> Result<Redirect> {
        Redirect::to(&self.address())
    }

    /// Whether it is a trace that it has.
    #[must_use]
    pub fn has_trace(&self) -> bool {
        self.site.content.shown == Shown::Trace
    }

    /// Serves until the browser has the file and asks for nothing more.
    ///
    /// # Errors
    /// When no thread can be started for it.
    pub fn serve(self) -> Result<()> {
        let (to, from) = channel();
        let Self { listener, port, site } = self;
        Builder::new().spawn(move || accept(&listener, port, &site, &to))?;
        until_taken(&from);
        Ok(())
    }
}

fn accept(listener: &TcpListener, port: u16, site: &Arc<Site>, served: &Sender<Served>) {
    // A connection that breaks down costs that connection only.
    for stream in listener.incoming().flatten() {
        let (site, served) = (Arc::clone(site), served.clone());
        // Where no thread can be started, the browser asks again.
        let _ = Builder::new().spawn(move || {
            let what = answer(&stream, port, &site, &served).unwrap_or(Served::Other);
            // Nobody waits any more when the process ends.
            let _ = served.send(what);
        });
    }
}

fn until_taken(served: &Receiver<Served>) {
    let (mut is_taken, mut tabs) = (false, 0_usize);
    loop {
        let next = if is_taken && tabs == 0 {
            served.recv_timeout(QUIET)
        } else {
            served.recv().map_err(RecvTimeoutError::from)
        };
        match next {
            Ok(Served::File) => is_taken = true,
            Ok(Served::Opened) => tabs += 1,
            Ok(Served::Closed) => tabs = tabs.saturating_sub(1),
            Ok(Served::Other) => {}
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => return,
        }
    }
}

fn answer(stream: &TcpStream, port: u16, site: &Site, served: &Sender<Served>) -> Result<Served> {
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let mut to = stream;
    let Some(request) = Request::read(&mut BufReader::new(stream)) else {
        Response::status("400 Bad Request").write(&mut to, true)?;
        return Ok(Served::Other);
    };
    if site.offline.is_some() && request.path == HELD && is_own(&request, port) {
        return hold(stream, served);
    }
    let has_body = request.method != "HEAD";
    let (response, served) = site.response(&request, port);
    response.write(&mut to, has_body)?;
    Ok(if has_body { served } else { Served::Other })
}

/// An answer that does not end before the browser gives it up.
fn hold(mut stream: &TcpStream, served: &Sender<Served>) -> Result<Served> {
    stream.write_all(b"HTTP/1.1 200 OK\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n")?;
    stream.set_read_timeout(None)?;
    // Nobody waits any more when the process ends.
    let _ = served.send(Served::Opened);
    let mut byte = [0];
    while stream.read(&mut byte).is_ok_and(|count| count > 0) {}
    Ok(Served::Closed)
}

/// Whether it is for this server. A page of another name that leads to this address must not read anything.
fn is_own(request: &Request, port: u16) -> bool {
    [format!("127.0.0.1:{port}"), format!("localhost:{port}")].contains(&request.host)
}

impl Site {
    fn response(&self, request: &Request, port: u16) -> (Response<'_>, Served) {
        let other = |status| (Response::status(status), Served::Other);
        if !is_own(request, port) {
            return other("403 Forbidden");
        }
        if request.path == format!("/{}", self.token)
            && ["GET", "HEAD"].contains(&request.method.as_str())
        {
            let (mut response, served) = other("302 Found");
            response.headers.push(("Location", self.shown_at(port)));
            return (response, served);
        }
        let is_file = request.path == format!("/{}/{}", self.token, self.content.name);
        match request.method.as_str() {
            "OPTIONS" if is_file => {
                let (mut response, _) = other("204 No Content");
                response.body = Cow::Borrowed(&[]);
                allow_viewer(request, &mut response);
                (response, Served::Other)
            }
            "GET" | "HEAD" if is_file => {
                let media_type = match self.content.shown {
                    Shown::Page => "text/html; charset=utf-8",
                    Shown::Trace => "application/octet-stream",
                };
                let mut response = Response::file(media_type, self.content.bytes.as_slice());
                allow_viewer(request, &mut response);
                (response, Served::File)
            }
            "GET" | "HEAD" => match self.viewer_file(&request.path) {
                Some(response) => (response, Served::Other),
                None => other("404 Not Found"),
            },
            _ => other("405 Method Not Allowed"),
        }
    }

    /// Where the browser sees the file.
    fn shown_at(&self, port: u16) -> String {
        let own = format!("http://127.0.0.1:{port}");
        let file = format!("{own}/{}/{}", self.token, self.content.name);
        match (self.content.shown, &self.offline) {
            (Shown::Page, _) => file,
            (Shown::Trace, Some(_)) => viewer::address(&own, &file),
            (Shown::Trace, None) => viewer::address(viewer::SITE, &file),
        }
    }

    /// A file of the viewer's copy.
    fn viewer_file(&self, path: &str) -> Option<Response<'_>> {
        let root = self.offline.as_ref()?;
        let relative = if path == "/" { "index.html" } else { path.strip_prefix('/')? };
        // Names of the viewer's files need no escapes; links out of the directory are not followed.
        let file = root.join(relative).canonicalize().ok()?;
        if !file.starts_with(root) || !file.is_file() {
            return None;
        }
        let mut bytes = std::fs::read(&file).ok()?;
        if relative == "index.html" {
            bytes.extend(HOLD.bytes());
        }
        Some(Response::file(media_type(&file), bytes))
    }
}

/// The viewer's site may read the file; no other one.
fn allow_viewer(request: &Request, response: &mut Response<'_>) {
    response.headers.push(("Vary", "Origin".to_owned()));
    if request.origin.as_deref() != Some(viewer::SITE) {
        return;
    }
    response.headers.extend([
        ("Access-Control-Allow-Origin", viewer::SITE.to_owned()),
        ("Access-Control-Allow-Methods", "GET".to_owned()),
        ("Access-Control-Allow-Private-Network", "true".to_owned()),
    ]);
}
