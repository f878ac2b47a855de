//! Notes that are said while the work goes on.

use bigtpu_messages::{Message, message};

/// Takes a note as soon as it is known: the command line shows it.
pub type Say<'a> = &'a dyn Fn(Message);

/// A message as a note of a run.
#[must_use]
pub fn remark(note: Message) -> Message {
    message!("note-line", severity = Message::new("note-remark"), note = note)
}
