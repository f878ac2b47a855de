//! Where a transfer comes from and goes to (section 4.3).

use std::fmt;

use crate::ops::Command;
use crate::register::Slot;
use crate::{Chip, Family};

/// A memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Memory {
    /// Off-chip memory.
    Ddr,
    /// On-chip memory shared by the cores (AKS, AKSV, BM1684X, BM1688).
    L2m,
    /// Local memory of the lanes.
    Lmem,
    /// On-chip shared memory as CV84X6 names it.
    L2,
    /// Code 3 of a condensed word: no memory has it.
    Unknown,
}

impl Memory {
    /// The memory of a condensed word's 2-bit code.
    #[must_use]
    pub fn of_code(code: u16) -> Self {
        match code & 3 {
            0 => Self::Ddr,
            1 => Self::L2m,
            2 => Self::Lmem,
            _ => Self::Unknown,
        }
    }

    /// Name as printed.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Ddr => "DDR",
            Self::L2m => "L2M",
            Self::Lmem => "LMEM",
            Self::L2 => "L2",
            Self::Unknown => "UNKNOWN",
        }
    }
}

/// A transfer's direction, printed `DDR->LMEM`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Direction {
    /// Source.
    pub from: Memory,
    /// Destination.
    pub to: Memory,
}

impl Direction {
    /// What system commands and records without a command show.
    pub const DDR_TO_DDR: Self = Self { from: Memory::Ddr, to: Memory::Ddr };

    /// Direction in the info of a condensed DMA word: `dst << 6 | src << 4 | type`.
    #[must_use]
    pub fn of_info(info: u16) -> Self {
        Self { from: Memory::of_code(info >> 4), to: Memory::of_code(info >> 6) }
    }

    /// Whether one side is DDR.
    #[must_use]
    #[inline]
    pub fn has_ddr(self) -> bool {
        self.from == Memory::Ddr || self.to == Memory::Ddr
    }

    /// Whether one side is on-chip shared memory, under either name.
    #[must_use]
    #[inline]
    pub fn has_l2(self) -> bool {
        let l2 = |m| matches!(m, Memory::L2m | Memory::L2);
        l2(self.from) || l2(self.to)
    }

    /// Direction of a DMA or CDMA command, from its full bits.
    #[must_use]
    #[inline]
    pub fn of_command(chip: &Chip, command: &Command<'_>) -> Self {
        let sides =
            [(Slot::SrcH13, Slot::SrcL32, Slot::SrcH8), (Slot::DstH13, Slot::DstL32, Slot::DstH8)];
        let [from, to] = match chip.family {
            Family::Aks => sides.map(|(high, ..)| aks_memory(command, high)),
            Family::Bm1684x => sides.map(|(_, low, high8)| bm1684x_memory(command, high8, low)),
            Family::Bm1688 => sides.map(|(.., high8)| bm1688_memory(command, high8)),
            Family::Cv184x => sides.map(|(high, ..)| cv184x_memory(command, high)),
            Family::Cv84x6 => sides.map(|(high, low, _)| cv84x6_memory(command, high, low)),
        };
        Self { from, to }
    }

    /// What of a command's addresses [`Direction::of_command`] looks at: bits of fields, by the fields' own numbering.
    #[must_use]
    pub fn address_bits(chip: &Chip) -> Vec<(Slot, u64)> {
        let high = [Slot::SrcH13, Slot::DstH13];
        let high8 = [Slot::SrcH8, Slot::DstH8];
        // The ranges of addresses that are compared begin and end at multiples of this.
        let (high, low) = match chip.family {
            Family::Aks | Family::Cv184x => (high, None),
            Family::Bm1688 => (high8, None),
            Family::Bm1684x => (high8, Some(1u64 << 14)),
            Family::Cv84x6 => (high, Some(1 << 17)),
        };
        let low = low.map(|step| [Slot::SrcL32, Slot::DstL32].map(|slot| (slot, !(step - 1))));
        high.into_iter().map(|slot| (slot, u64::MAX)).chain(low.into_iter().flatten()).collect()
    }

    /// The direction as one of few static texts.
    #[must_use]
    pub fn text(self) -> &'static str {
        macro_rules! table {
            ($($from:ident $to:ident $text:literal),*) => {
                match (self.from, self.to) { $((Memory::$from, Memory::$to) => $text),* }
            };
        }
        table!(
            Ddr Ddr "DDR->DDR", Ddr L2m "DDR->L2M", Ddr Lmem "DDR->LMEM", Ddr L2 "DDR->L2",
            Ddr Unknown "DDR->UNKNOWN", L2m Ddr "L2M->DDR", L2m L2m "L2M->L2M",
            L2m Lmem "L2M->LMEM", L2m L2 "L2M->L2", L2m Unknown "L2M->UNKNOWN",
            Lmem Ddr "LMEM->DDR", Lmem L2m "LMEM->L2M", Lmem Lmem "LMEM->LMEM", Lmem L2 "LMEM->L2",
            Lmem Unknown "LMEM->UNKNOWN", L2 Ddr "L2->DDR", L2 L2m "L2->L2M", L2 Lmem "L2->LMEM",
            L2 L2 "L2->L2", L2 Unknown "L2->UNKNOWN", Unknown Ddr "UNKNOWN->DDR",
            Unknown L2m "UNKNOWN->L2M", Unknown Lmem "UNKNOWN->LMEM", Unknown L2 "UNKNOWN->L2",
            Unknown Unknown "UNKNOWN->UNKNOWN"
        )
    }
}

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

/// AKS, AKSV: bits 8-12 of the high address part are a tag: 30 L2M, 31 LMEM.
#[inline]
fn aks_memory(command: &Command<'_>, high: Slot) -> Memory {
    match command.get(high) >> 8 {
        30 => Memory::L2m,
        31 => Memory::Lmem,
        _ => Memory::Ddr,
    }
}

/// BM1688: bit 7 of the high address part set means DDR. A side without the field is local memory.
fn bm1688_memory(command: &Command<'_>, high8: Slot) -> Memory {
    if command.get(high8) & 0x80 != 0 { Memory::Ddr } else { Memory::Lmem }
}

/// BM1684X: by ranges of the 40-bit address. A side without the field is a constant, or the place
/// of a system command.
fn bm1684x_memory(command: &Command<'_>, high8: Slot, low: Slot) -> Memory {
    if !command.register.has(high8) && !command.register.has(low) {
        return Memory::Ddr;
    }
    match command.get(high8) << 32 | command.get(low) {
        // 16 MiB of local memory, and the 16 KiB that all lanes share behind it.
        0x0800_0000..0x0900_4000 => Memory::Lmem,
        0x1000_0000..0x1020_0000 => Memory::L2m,
        _ => Memory::Ddr,
    }
}

/// CV184X: bits 40-44 of the address are a tag; 31 is local memory. The address of a fill's constant is 0.
fn cv184x_memory(command: &Command<'_>, high: Slot) -> Memory {
    if command.get(high) >> 8 == 31 { Memory::Lmem } else { Memory::Ddr }
}

/// CV84X6: bits 40-44 of the address are a tag; 1 and 2 are DDR, 30 and a window of the low 40
/// bits are L2.
fn cv84x6_memory(command: &Command<'_>, high: Slot, low: Slot) -> Memory {
    const L2_WINDOW: std::ops::Range<u64> = 0x26D2_0000..0x26D2_0000 + 0x10_0000;
    if !command.register.has(high) && !command.register.has(low) {
        return Memory::Lmem;
    }
    let address = command.get(high) << 32 | command.get(low);
    match address >> 40 & 31 {
        1 | 2 => Memory::Ddr,
        30 => Memory::L2,
        _ if L2_WINDOW.contains(&(address & ((1 << 40) - 1))) => Memory::L2,
        _ => Memory::Lmem,
    }
}
