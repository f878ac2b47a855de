//! Nodes of DYN_DATA that are left out, and why.

use bigtpu_format::NodeCut;
use bigtpu_messages::{Arg, Message, message};

/// Nodes that are left out for one reason.
pub(crate) struct Lost {
    pub(crate) what: LostNode,
    /// Offset of the first in the file.
    pub(crate) at: u64,
    pub(crate) count: u64,
    /// Bytes of all of them.
    pub(crate) bytes: u64,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum LostNode {
    UnknownWord,
    /// A name with another length than its text has: it is shown as its text.
    NameLength,
    Cut(NodeCut),
    /// A command for a CDMA port.
    Command(usize),
    /// A stream for a CDMA port.
    Stream(usize),
}

impl Lost {
    pub(crate) fn message(&self) -> Message {
        let port = |port: usize| Arg::Number(port as i64);
        match self.what {
            LostNode::UnknownWord => message!("note-unknown-words", words = self.count),
            LostNode::NameLength => message!("note-name-length", names = self.count),
            LostNode::Cut(cut) => message!("note-dyn-data-cut", why = Message::new(cut.id())),
            LostNode::Command(number) => {
                message!("note-commands-of-no-port", commands = self.count, port = port(number))
            }
            LostNode::Stream(number) => {
                message!("note-streams-of-no-port", streams = self.count, port = port(number))
            }
        }
    }
}
