//! Where a transfer reads and writes.

use bigtpu_chip::{Command, Family, Slot};

/// The addresses of a DMA or CDMA command's full bits, in bytes, tags of memories included.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Addresses {
    /// Where it reads from.
    pub source: u64,
    /// Where it writes to.
    pub destination: u64,
}

impl Addresses {
    /// Of a command; a part that the register lacks counts as 0.
    #[must_use]
    pub fn of(family: Family, command: &Command<'_>) -> Self {
        let slots = [Slot::DstH8, Slot::DstH13, Slot::DstL32];
        Self { source: Self::source(family, command), destination: address(family, command, slots) }
    }

    /// Where a command reads from, alone.
    #[inline]
    pub(crate) fn source(family: Family, command: &Command<'_>) -> u64 {
        address(family, command, [Slot::SrcH8, Slot::SrcH13, Slot::SrcL32])
    }
}

#[inline]
fn address(family: Family, command: &Command<'_>, [high8, high13, low]: [Slot; 3]) -> u64 {
    let is_bm1688 = matches!(family, Family::Bm1684x | Family::Bm1688);
    let high = if is_bm1688 { high8 } else { high13 };
    command.get(high) << 32 | command.get(low)
}
