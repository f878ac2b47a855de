//! Which core submitted what a port does.

/// The core that a CDMA event's command or tag comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CdmaOwner {
    /// Core number.
    pub core: u32,
    /// The core submitted the command; else the event only carries a tag of it, because a stream
    /// that the core dispatched is too short or missing.
    pub submitted: bool,
}
