//! The head of an HTTP request: all that is needed of one without a body.

use std::io::{BufRead, Read};

/// Bytes of a head; more is no browser's.
const MOST_BYTES: u64 = 16 << 10;

/// What is asked for.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Request {
    pub(super) method: String,
    /// Path without query.
    pub(super) path: String,
    pub(super) host: String,
    pub(super) origin: Option<String>,
}

impl Request {
    /// Reads a head; `None` if it is none, or too long.
    pub(super) fn read(from: &mut impl BufRead) -> Option<Self> {
        let mut from = from.take(MOST_BYTES);
        let mut line = String::new();
        from.read_line(&mut line).ok()?;
        let mut words = line.split_whitespace();
        let (method, target) = (words.next()?.to_owned(), words.next()?.to_owned());
        if !words.next()?.starts_with("HTTP/1.") {
            return None;
        }
        let path = target.split(['?', '#']).next()?.to_owned();
        let mut request = Self { method, path, host: String::new(), origin: None };
        loop {
            line.clear();
            from.read_line(&mut line).ok().filter(|read| *read > 0)?;
            let header = line.trim_end();
            if header.is_empty() {
                return Some(request);
            }
            let (name, value) = header.split_once(':')?;
            match name.to_ascii_lowercase().as_str() {
                "host" => value.trim().clone_into(&mut request.host),
                "origin" => request.origin = Some(value.trim().to_owned()),
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<Request> {
        Request::read(&mut text.as_bytes())
    }

    #[test]
    fn a_head_is_read_up_to_its_empty_line() {
        let request =
            read("GET /a/b?c HTTP/1.1\r\nHost: x:1\r\norigin: https://o\r\n\r\nrest").unwrap();
        assert_eq!((request.method.as_str(), request.path.as_str()), ("GET", "/a/b"));
        assert_eq!((request.host.as_str(), request.origin.as_deref()), ("x:1", Some("https://o")));
    }

    #[test]
    fn what_is_no_head_is_refused() {
        for text in ["", "GET", "GET /", "GET / FTP\r\n\r\n", "GET / HTTP/1.1\r\nno colon\r\n\r\n"]
        {
            assert_eq!(read(text), None, "{text:?}");
        }
        assert_eq!(read("GET / HTTP/1.1\r\nHost: x\r\n"), None, "no empty line");
        let long = format!("GET / HTTP/1.1\r\nx: {}\r\n\r\n", "y".repeat(MOST_BYTES as usize));
        assert_eq!(read(&long), None);
    }
}
