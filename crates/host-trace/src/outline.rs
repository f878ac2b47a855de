//! The outline of a trace, around its events.
//!
//! ```text
//! [ event, event, … ]       or       { "key": value, …, "traceEvents": [ event, event, … ], … }
//! ```

use std::io::{self, Read};

use bigtpu_messages::Message;

use crate::error::{EventError, TraceError};
use crate::scan::skip_to_event;
use crate::splitter::{Piece, Splitter};

/// Where in the text the splitter is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// Before the first bracket.
    Start,
    /// Between the keys of the outer object.
    Members,
    /// Between events; `nested` in an outer object.
    Events { nested: bool },
    /// After the last bracket; `nested` if it is that of an outer object.
    After { nested: bool },
    /// At the end.
    Done,
}

impl<R: Read> Splitter<R> {
    /// Goes on to the next event, or to something that should be one.
    pub(crate) fn step(&mut self) -> io::Result<Result<Piece, TraceError>> {
        loop {
            let piece = match self.place {
                Place::Start => {
                    if !self.start()? {
                        let (feed, path) = (&self.feed, self.path.clone());
                        let (text, damage) = (feed.text(), feed.damage());
                        return Ok(Err(TraceError::not_a_trace(path, feed.offset(), text, damage)));
                    }
                    None
                }
                Place::Members => self.member()?,
                Place::Events { nested } => self.item(nested)?,
                Place::After { nested } => self.after_bracket(nested)?,
                Place::Done => Some(Piece::End),
            };
            if let Some(piece) = piece {
                return Ok(Ok(piece));
            }
        }
    }

    /// Passes the first bracket; false if the text starts otherwise.
    fn start(&mut self) -> io::Result<bool> {
        self.feed.consume_prefix(b"\xef\xbb\xbf")?;
        self.place = match self.feed.peek_token(false)? {
            Some(b'[') => Place::Events { nested: false },
            Some(b'{') => Place::Members,
            _ => return Ok(false),
        };
        self.members.has_events = self.place != Place::Members;
        self.feed.consume(1);
        Ok(true)
    }

    /// Passes a key and its value, or the outer object's end.
    fn member(&mut self) -> io::Result<Option<Piece>> {
        match self.feed.peek_token(true)? {
            Some(b'}') => {
                self.feed.consume(1);
                self.place = Place::After { nested: true };
            }
            Some(b'{') if self.members.has_events => self.go_on(true),
            Some(_) => {
                if self.members.read_one(&mut self.feed)? {
                    self.place = Place::Events { nested: true };
                }
            }
            None => self.cut_short(Message::new("note-before-brace")),
        }
        Ok(None)
    }

    /// Passes an item of the list of events, or its end.
    fn item(&mut self, nested: bool) -> io::Result<Option<Piece>> {
        let first = self.feed.peek_token(true)?;
        let offset = self.feed.offset();
        match first {
            Some(b']') => {
                self.feed.consume(1);
                self.place = if nested { Place::Members } else { Place::After { nested } };
            }
            Some(b'{') => return self.scan_event(),
            Some(_) => {
                skip_to_event(&mut self.feed)?;
                return Ok(Some(Piece::Bad(offset, EventError::NotAnObject)));
            }
            None => self.cut_short(Message::new("note-before-bracket")),
        }
        Ok(None)
    }

    /// Looks at what follows the last bracket.
    fn after_bracket(&mut self, nested: bool) -> io::Result<Option<Piece>> {
        match self.feed.peek_token(false)? {
            Some(b',' | b'{') if !nested => self.go_on(false),
            Some(_) => {
                let offset = self.feed.offset();
                self.members.warn(offset, Message::new("note-text-after-end"));
                self.place = Place::Done;
            }
            None if self.feed.damage().is_some() => {
                self.cut_short(Message::new("note-after-bracket"))
            }
            None => self.place = Place::Done,
        }
        Ok(None)
    }

    /// Goes on with events where a stray `]` has ended them early.
    fn go_on(&mut self, nested: bool) {
        let offset = self.feed.offset();
        self.members.warn(offset, Message::new("note-events-continue"));
        self.place = Place::Events { nested };
    }
}
