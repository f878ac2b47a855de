//! Finds where a JSON string, container or scalar ends, over chunk borders.

use std::io::{self, Read};

use memchr::{memchr2, memchr3};

use crate::feed::Feed;

/// Where a long value is first looked at.
const FIRST_BORDER: usize = 16 << 10;

/// How a scan for the end of a value came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scan {
    /// The value is the next so many bytes in memory; nothing is consumed.
    Whole(usize),
    /// The value is longer than the limit; it, or what there is of it, is consumed.
    TooLong,
    /// The text ends inside the value, all of which that there is is in memory.
    Cut,
    /// `watch` stopped the scan; nothing is consumed.
    Stopped,
}

/// Where a scan is: how deep, and whether in a string.
struct Cursor {
    open: u8,
    close: u8,
    depth: usize,
    in_string: bool,
    /// From the feed's position; may lie one past the text in memory, after a backslash.
    at: usize,
}

impl Cursor {
    /// Goes on over `text`, which is what is in memory up to some border; true at the end of the value.
    fn advance(&mut self, text: &[u8]) -> bool {
        while let Some(rest) = text.get(self.at..).filter(|rest| !rest.is_empty()) {
            let found = if self.in_string {
                memchr2(b'"', b'\\', rest)
            } else {
                memchr3(b'"', self.open, self.close, rest)
            };
            let Some((index, &byte)) = found.and_then(|i| Some((i, rest.get(i)?))) else {
                self.at = text.len();
                return false;
            };
            self.at += index + 1;
            match byte {
                b'\\' => self.at += 1,
                b'"' => self.in_string = !self.in_string,
                byte if byte == self.open => self.depth += 1,
                _ => self.depth = self.depth.saturating_sub(1),
            }
            if self.depth == 0 && !self.in_string {
                return true;
            }
        }
        false
    }
}

/// Scans the string, object or list the text continues with.
///
/// Braces count in objects and brackets in lists, which is enough for sound text. `watch` sees the
/// first 16 KiB, 32 KiB, … of a long value, whatever the size of the chunks, and may stop the scan.
pub(crate) fn scan<R: Read>(
    feed: &mut Feed<R>,
    limit: usize,
    mut watch: impl FnMut(&[u8]) -> bool,
) -> io::Result<Scan> {
    let (open, close) = match feed.peek()? {
        Some(b'[') => (b'[', b']'),
        Some(b'"') => (b'"', b'"'),
        _ => (b'{', b'}'),
    };
    let mut cursor = Cursor { open, close, depth: 0, in_string: false, at: 0 };
    let mut border = next_border(FIRST_BORDER, limit);
    let mut dropped = 0usize;
    loop {
        let text = feed.text();
        let window = text.get(..border).unwrap_or(text);
        if cursor.advance(window) {
            let len = cursor.at;
            if dropped.saturating_add(len) > limit {
                feed.consume(len);
                return Ok(Scan::TooLong);
            }
            return Ok(Scan::Whole(len));
        }
        if window.len() == border {
            if watch(window) {
                return Ok(Scan::Stopped);
            }
            border = next_border(border * 2, limit);
            continue;
        }
        if dropped > 0 || text.len() > limit {
            // Too long: drop what has been looked at, and count it.
            let seen = cursor.at.min(text.len());
            cursor.at -= seen;
            dropped = dropped.saturating_add(seen);
            border = usize::MAX;
            feed.consume(seen);
        }
        if !feed.more()? {
            return Ok(if dropped > 0 { Scan::TooLong } else { Scan::Cut });
        }
    }
}

/// Where to stop for a look next: `border`, or never if that is past the limit.
fn next_border(border: usize, limit: usize) -> usize {
    if border > limit { usize::MAX } else { border }
}

/// Passes one value of any kind without keeping it; the text may end inside it.
pub(crate) fn skip_value<R: Read>(feed: &mut Feed<R>) -> io::Result<()> {
    if let Some(b'{' | b'[' | b'"') = feed.peek()? {
        return scan(feed, 0, |_| false).map(|_| ());
    }
    // A scalar, or a stray byte: at least one byte, then up to the next that cannot belong to it.
    feed.consume(1);
    loop {
        let text = feed.text();
        let ends = |b: &u8| {
            matches!(b, b',' | b']' | b'}' | b'{' | b'[' | b'"' | b':') || b.is_ascii_whitespace()
        };
        if let Some(len) = text.iter().position(ends) {
            feed.consume(len);
            return Ok(());
        }
        let all = text.len();
        feed.consume(all);
        if !feed.more()? {
            return Ok(());
        }
    }
}

/// Passes what is no event: up to the next `{`, or a `]` that nothing here has opened.
pub(crate) fn skip_to_event<R: Read>(feed: &mut Feed<R>) -> io::Result<()> {
    let mut open = 0usize;
    while feed.peek()?.is_some() {
        let text = feed.text();
        let found = memchr3(b'{', b'[', b']', text);
        let byte = found.and_then(|i| text.get(i)).copied();
        feed.consume(found.unwrap_or(usize::MAX));
        match byte {
            Some(b'[') => open += 1,
            Some(b']') if open > 0 => open -= 1,
            Some(_) => return Ok(()),
            None => continue,
        }
        feed.consume(1);
    }
    Ok(())
}

#[cfg(test)]
#[path = "scan_tests.rs"]
mod tests;
