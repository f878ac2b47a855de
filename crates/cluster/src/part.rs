//! A part: all that the join needs of one dump, much smaller than the dump.

use bigtpu_measure::PortRole;

use crate::alike::Alike;
use crate::commands::{DataCommand, DataCommands};
use crate::host_side::HostSide;
use crate::launches::LaunchList;
use crate::runs::Runs;

/// All that the join needs of one dump. Times are ns of the dump's own time line.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DumpPart {
    /// Whose dump it is.
    pub identity: Identity,
    /// Earliest start and latest end of all records.
    pub window: (i64, i64),
    /// Events of the dump.
    pub events: u64,
    /// Records that are known to be missing.
    pub lost_records: u64,
    /// Data was lost.
    pub has_loss: bool,
    /// Commands were captured, not only records.
    pub has_commands: bool,
    /// Kernel names.
    pub kernels: Vec<String>,
    /// The threads of the ports that moved data: ports in order, transmitting before receiving.
    pub threads: Vec<ThreadCommands>,
    /// Commands of ports that have no partner, by port and peer.
    pub one_sided: Vec<OneSided>,
    /// What the cores did, one stretch after the other from the window's start to its end.
    pub runs: Runs,
    /// Commands of the cores that are alike, by what they are.
    pub alike: Vec<Alike>,
    /// Kernel launches on the cores, by start.
    pub launches: LaunchList,
    /// Repetitions of the kernels: start and end of each. Whoever makes the part finds them.
    pub steps: Vec<(i64, i64)>,
    /// ns of the host from the PMU's pause to the end of `disable_profile`, where the dump says it.
    pub tail_offset_ns: Option<i64>,
    /// Own time of the PMU's pause.
    pub latest_end: i64,
    /// What the host's trace says.
    pub host: Option<HostSide>,
}

/// Whose dump a part is of.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Identity {
    /// Host.
    pub host: String,
    /// Device number on the host.
    pub device: u32,
    /// Number of the call.
    pub call: u32,
    /// The dump's directory.
    pub dump: String,
    /// Name of the chip.
    pub chip: String,
    /// Version of the program that made the part.
    pub version: String,
}

/// The data commands of one thread of a port.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ThreadCommands {
    /// Port.
    pub port: u32,
    /// Whether the thread receives; otherwise it sends.
    pub receives: bool,
    /// The port is on the device's clock.
    pub is_anchored: bool,
    /// When data moved is known of all commands.
    pub has_moments: bool,
    /// Commands by start.
    pub commands: DataCommands,
    /// The bytes are those of the commands' shapes and types (capture mode 2): they are right where a record says
    /// something else.
    pub has_shapes: bool,
    /// The port's commands are known, and each has its record: none is lost.
    pub is_whole: bool,
    /// Commands whose record names other bytes than their shape.
    pub other_bytes: u64,
    /// Commands whose direction is unknown: left out.
    pub left_out: u64,
}

/// Reads, writes and general copies of a port: the other side has no record of them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct OneSided {
    /// Port.
    pub port: u32,
    /// Chip number of the device at the other end, where the commands' bits name it.
    pub peer: Option<u8>,
    /// Commands.
    pub commands: u64,
    /// Their bytes.
    pub bytes: u64,
    /// ns; their time.
    pub ns: u64,
}

impl ThreadCommands {
    /// Its role, as the records say.
    #[must_use]
    pub fn role(&self) -> PortRole {
        if self.receives { PortRole::Receive } else { PortRole::Send }
    }
}

impl DumpPart {
    /// Data commands of all threads.
    #[must_use]
    pub fn command_count(&self) -> usize {
        self.threads.iter().map(|thread| thread.commands.len()).sum()
    }

    /// Name of a command's kernel.
    #[must_use]
    pub fn kernel_of(&self, command: &DataCommand) -> Option<&str> {
        let index = command.kernel.checked_sub(1)?;
        self.kernels.get(index as usize).map(String::as_str)
    }
}
