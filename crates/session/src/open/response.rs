//! What a request gets.

use std::borrow::Cow;
use std::io::{Result, Write};
use std::path::Path;

/// An answer.
#[derive(Debug)]
pub(super) struct Response<'a> {
    pub(super) status: &'static str,
    pub(super) media_type: &'static str,
    pub(super) headers: Vec<(&'static str, String)>,
    pub(super) body: Cow<'a, [u8]>,
}

impl<'a> Response<'a> {
    /// A file.
    pub(super) fn file(media_type: &'static str, body: impl Into<Cow<'a, [u8]>>) -> Self {
        Self { status: "200 OK", media_type, headers: Vec::new(), body: body.into() }
    }

    /// No more than a status.
    pub(super) fn status(status: &'static str) -> Self {
        Self { status, ..Self::file("text/plain; charset=utf-8", status.as_bytes()) }
    }

    /// Writes it, without its body to `HEAD`.
    pub(super) fn write(&self, to: &mut impl Write, has_body: bool) -> Result<()> {
        let Self { status, media_type, headers, body } = self;
        let length = body.len();
        let mut head = format!(
            "HTTP/1.1 {status}\r\nContent-Type: {media_type}\r\nContent-Length: {length}\r\n\
             Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nConnection: close\r\n"
        );
        for (name, value) in headers {
            head += &format!("{name}: {value}\r\n");
        }
        to.write_all(head.as_bytes())?;
        to.write_all(b"\r\n")?;
        if has_body {
            to.write_all(body)?;
        }
        to.flush()
    }
}

/// The media type of a file of the viewer, by its name.
pub(super) fn media_type(file: &Path) -> &'static str {
    match file.extension().and_then(|end| end.to_str()) {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("json" | "map") => "application/json",
        Some("wasm") => "application/wasm",
        Some("png") => "image/png",
        Some("svg") => "image/svg+xml",
        Some("woff2") => "font/woff2",
        _ => "application/octet-stream",
    }
}
