//! What the host's trace of a rank says: the names of its communications, its steps, and where the device's time lies
//! on the host's clock. Times are ns of the dump's own time line.

/// What the host's trace of a rank says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HostSide {
    /// What to add to the dump's own times to get the host's; `None`: the trace has nothing that says it.
    pub offset_ns: Option<i64>,
    /// Calls of communications by start, without those within another.
    pub calls: Vec<HostSpan>,
    /// Steps by start.
    pub steps: Vec<HostSpan>,
}

/// An event of the host.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HostSpan {
    /// Its name.
    pub name: String,
    /// Start.
    pub start: i64,
    /// End.
    pub end: i64,
}
