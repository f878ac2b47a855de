//! Cuts the text of a trace into the texts of its events.

use std::io::{self, Read};
use std::path::PathBuf;

use bigtpu_messages::{Message, message};

use crate::error::{EventError, TraceError};
use crate::feed::Feed;
use crate::members::Members;
use crate::outline::Place;
use crate::resync::Resync;
use crate::scan::{Scan, scan};

/// What comes next in the list of events.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Piece {
    /// An event that starts at this offset; [`Splitter::event`] has its text.
    Event(u64),
    /// Something at this offset that cannot be an event.
    Bad(u64, EventError),
    /// Nothing more.
    End,
}

/// Reads a trace and hands out its events one at a time.
pub(crate) struct Splitter<R> {
    pub(crate) feed: Feed<R>,
    /// The other keys of the outer object, and what is wrong with the text.
    pub(crate) members: Members,
    pub(crate) place: Place,
    /// Bytes of the current event.
    event_len: usize,
    max_event: usize,
    resync: Resync,
    pub(crate) path: PathBuf,
}

impl<R: Read> Splitter<R> {
    /// Splits what `reader` gives, `chunk` bytes at a time; `path` names it in errors.
    pub(crate) fn new(reader: R, path: PathBuf, chunk: usize, max_event: usize) -> Self {
        Self {
            feed: Feed::new(reader, chunk),
            members: Members::default(),
            place: Place::Start,
            event_len: 0,
            max_event,
            resync: Resync::default(),
            path,
        }
    }

    /// The text of the event [`next`](Self::next) gave last.
    pub(crate) fn event(&self) -> &[u8] {
        self.feed.text().get(..self.event_len).unwrap_or(&[])
    }

    /// Says that the last event's text is no JSON: the next event may start inside it.
    pub(crate) fn reject_event(&mut self) {
        let read = self.feed.offset() + self.event_len as u64;
        let text = self.feed.text().get(..self.event_len).unwrap_or(&[]);
        if let Some(next) = self.resync.next_event(text, read) {
            self.event_len = next;
        }
    }

    /// Goes on to the next event.
    ///
    /// # Errors
    /// [`TraceError::Read`], [`TraceError::Zip`] and [`TraceError::NotATrace`].
    pub(crate) fn next(&mut self) -> Result<Piece, TraceError> {
        self.feed.consume(self.event_len);
        self.event_len = 0;
        self.step().map_err(|source| {
            TraceError::reading(self.path.clone(), self.feed.end_offset(), source)
        })?
    }

    /// The event that starts here; `None` if the text ends inside it.
    pub(crate) fn scan_event(&mut self) -> io::Result<Option<Piece>> {
        let offset = self.feed.offset();
        let mut next = None;
        let resync = &mut self.resync;
        let found = scan(&mut self.feed, self.max_event, |text| {
            next = resync.next_event(text, offset + text.len() as u64);
            next.is_some()
        })?;
        if found == Scan::Cut {
            next = self.resync.next_event(self.feed.text(), self.feed.end_offset());
        }
        Ok(match (found, next) {
            (_, Some(next)) => {
                self.event_len = next;
                Some(Piece::Bad(
                    offset,
                    EventError::Syntax("a quote or brace is missing".to_owned()),
                ))
            }
            (Scan::Whole(len), None) => {
                self.event_len = len;
                Some(Piece::Event(offset))
            }
            (Scan::TooLong, None) => Some(Piece::Bad(offset, EventError::TooLong(self.max_event))),
            (Scan::Cut | Scan::Stopped, None) => {
                self.cut_short(Message::new("note-inside-event"));
                None
            }
        })
    }

    /// Ends the trace here, with a warning.
    pub(crate) fn cut_short(&mut self, place: Message) {
        let message = match self.feed.damage() {
            Some(why) => message!("note-gzip-cut", why = why.to_string(), place = place),
            None => message!("note-text-cut", place = place),
        };
        self.members.warn(self.feed.end_offset(), message);
        self.place = Place::Done;
    }
}

#[cfg(test)]
#[path = "splitter_tests.rs"]
mod tests;
