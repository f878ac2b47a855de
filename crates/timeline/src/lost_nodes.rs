//! Nodes of DYN_DATA that are left out, and why.

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
    Cut(&'static str),
    /// A command for a CDMA port.
    Command(usize),
    /// A stream for a CDMA port.
    Stream(usize),
}

impl Lost {
    pub(crate) fn text(&self) -> String {
        let n = self.count;
        match self.what {
            LostNode::UnknownWord => format!("DYN_DATA holds {n} words of unknown kinds, skipped"),
            LostNode::Cut(what) => format!("DYN_DATA: {what}"),
            LostNode::Command(port) => {
                format!("DYN_DATA: {n} commands for CDMA port {port}, which the chip does not have")
            }
            LostNode::Stream(port) => {
                format!("DYN_DATA: {n} streams for CDMA port {port}, which the chip does not have")
            }
        }
    }
}
