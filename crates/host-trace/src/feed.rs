//! A window that slides over a stream: the one buffer the text passes through.

use std::io::{self, Read};

/// The part of a stream that is in memory, and where in the stream it is.
pub(crate) struct Feed<R> {
    reader: R,
    /// Text; what is before `pos` is done with.
    buf: Vec<u8>,
    pos: usize,
    /// Offset of `buf[0]` in the stream.
    base: u64,
    /// How much is read at a time.
    chunk: usize,
    ended: bool,
    damage: Option<io::Error>,
}

impl<R: Read> Feed<R> {
    pub(crate) fn new(reader: R, chunk: usize) -> Self {
        Self {
            reader,
            buf: Vec::new(),
            pos: 0,
            base: 0,
            chunk: chunk.max(1),
            ended: false,
            damage: None,
        }
    }

    /// The text in memory, from the current position on.
    pub(crate) fn text(&self) -> &[u8] {
        self.buf.get(self.pos..).unwrap_or(&[])
    }

    /// Offset of the current position in the stream.
    pub(crate) fn offset(&self) -> u64 {
        self.base + self.pos as u64
    }

    /// Offset of the end of the text in memory.
    pub(crate) fn end_offset(&self) -> u64 {
        self.base + self.buf.len() as u64
    }

    /// Moves the current position on, within the text in memory.
    pub(crate) fn consume(&mut self, len: usize) {
        self.pos = self.pos.saturating_add(len).min(self.buf.len());
    }

    /// Why the stream ended early, if compressed data were damaged or cut.
    pub(crate) fn damage(&self) -> Option<&io::Error> {
        self.damage.as_ref()
    }

    /// Reads one chunk more; false at the end. Damaged compressed data end the stream.
    pub(crate) fn more(&mut self) -> io::Result<bool> {
        if self.ended {
            return Ok(false);
        }
        self.buf.drain(..self.pos);
        self.base += self.pos as u64;
        self.pos = 0;
        if self.buf.is_empty() && self.buf.capacity() > 8 * self.chunk {
            self.buf.shrink_to(2 * self.chunk);
        }
        let before = self.buf.len();
        if let Err(error) = self.reader.by_ref().take(self.chunk as u64).read_to_end(&mut self.buf)
        {
            use io::ErrorKind::{InvalidData, InvalidInput, UnexpectedEof};
            if !matches!(error.kind(), InvalidData | InvalidInput | UnexpectedEof) {
                return Err(error);
            }
            self.damage = Some(error);
        }
        self.ended = self.damage.is_some() || self.buf.len() == before;
        Ok(self.buf.len() > before)
    }

    /// The byte at the current position; `None` at the end.
    pub(crate) fn peek(&mut self) -> io::Result<Option<u8>> {
        loop {
            if let Some(&byte) = self.text().first() {
                return Ok(Some(byte));
            }
            if !self.more()? {
                return Ok(None);
            }
        }
    }

    /// Passes white space (and commas too, if asked), then as [`peek`](Self::peek).
    pub(crate) fn peek_token(&mut self, commas: bool) -> io::Result<Option<u8>> {
        let blank = |b: &u8| matches!(b, b' ' | b'\n' | b'\r' | b'\t') || (commas && *b == b',');
        loop {
            let text = self.text();
            match text.iter().position(|b| !blank(b)) {
                Some(skip) => {
                    self.consume(skip);
                    return self.peek();
                }
                None => {
                    let all = text.len();
                    self.consume(all);
                    if !self.more()? {
                        return Ok(None);
                    }
                }
            }
        }
    }

    /// Passes `prefix` if the text continues with it.
    pub(crate) fn consume_prefix(&mut self, prefix: &[u8]) -> io::Result<bool> {
        while self.text().len() < prefix.len() && self.more()? {}
        let found = self.text().starts_with(prefix);
        if found {
            self.consume(prefix.len());
        }
        Ok(found)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn slides_in_chunks_and_knows_its_place() {
        let mut feed = Feed::new(&b"  ,abcdef"[..], 2);
        assert_eq!(feed.peek_token(true).unwrap(), Some(b'a'));
        assert_eq!(feed.offset(), 3);
        assert!(feed.consume_prefix(b"abc").unwrap());
        assert!(!feed.consume_prefix(b"defg").unwrap());
        assert_eq!((feed.offset(), feed.text()), (6, &b"def"[..]));
        assert!(!feed.more().unwrap());
        assert_eq!(feed.end_offset(), 9);
    }

    #[test]
    fn damage_ends_the_stream_and_other_errors_do_not_hide() {
        struct Fails(io::ErrorKind);
        impl Read for Fails {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Err(self.0.into())
            }
        }
        let mut feed = Feed::new((&b"ab"[..]).chain(Fails(io::ErrorKind::InvalidData)), 64);
        assert!(feed.more().unwrap());
        assert_eq!(feed.text(), b"ab");
        assert!(!feed.more().unwrap());
        assert!(feed.damage().is_some());
        assert!(Feed::new(Fails(io::ErrorKind::PermissionDenied), 64).more().is_err());
    }
}
