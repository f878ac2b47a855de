//! Which local memory a command reads and writes, as far as its full bits show (section 4.4).
//!
//! Every lane has local memory of its own; a tensor's channels are spread over the lanes, and what a lane
//! holds of it lies at the same address in each. Sizes are those of the elements: strides and padding are left
//! out, so an access may really reach further. Of a TIU command the result, the first and the second operand
//! are known; of a transfer the side that is local memory.

use crate::{Addresses, TrackCommand};
use bigtpu_chip::{Chip, Command, Engine, Memory, Precision, Slot, TiuFamily};

/// Local memory of a core.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LocalMemory {
    /// Lanes.
    pub lanes: u32,
    /// Bytes of a lane.
    pub lane_bytes: u64,
    /// Bytes of a bank of a lane.
    pub bank_bytes: u64,
}

/// One access of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Access {
    /// Whether it writes.
    pub writes: bool,
    /// Which operand: `res0`, `opd0`, `opd1`, or a transfer's `src`, `dst`.
    pub operand: &'static str,
    /// First byte in the lane.
    pub address: u64,
    /// Bytes in each lane.
    pub bytes: u64,
    /// First lane.
    pub lane: u32,
    /// Lanes.
    pub lanes: u32,
}

impl LocalMemory {
    /// The chip's local memory; `None` where its facts do not show.
    #[must_use]
    pub fn for_chip(chip: &Chip) -> Option<Self> {
        let bits = |key: &str| chip.arch_number(key).filter(|&n| n > 0.0).map(|n| n as u32);
        Some(Self {
            lanes: bits("NPU Num")?,
            lane_bytes: 1u64.checked_shl(bits("Tpu Lmem Addr Width(bits)")?)?,
            bank_bytes: 1u64.checked_shl(bits("Tpu Bank Addr Width(bits)")?)?,
        })
    }

    /// What a command of a core accesses; nothing where its full bits are not known.
    #[must_use]
    pub fn accesses(&self, command: &TrackCommand<'_, '_>) -> Vec<Access> {
        self.of_ways(&ways(command), command).collect()
    }

    /// What a command accesses in the ways of its kind.
    fn of_ways(self, ways: &[Way], command: &TrackCommand<'_, '_>) -> impl Iterator<Item = Access> {
        // Commands of the TIU have no such addresses.
        let bits = if ways.is_empty() { None } else { command.bits() };
        let addresses = bits.filter(|_| command.kind.engine != Engine::Tiu);
        let addresses =
            addresses.map(|bits| Addresses::read(command.all.profile.chip.family, &bits));
        let bytes = command.bytes();
        ways.iter().filter_map(move |way| {
            let address = match (way.address, addresses) {
                (AddressOf::Slot(slot), _) => bits?.get(slot),
                (AddressOf::Source, addresses) => addresses?.source,
                (AddressOf::Destination, addresses) => addresses?.destination,
            };
            let (lane, address) = self.split(address);
            let free = self.lanes - lane;
            let (lanes, bytes) = match way.size {
                Size::Tensor { sizes: [n, c, h, w], element } => {
                    let lanes = c.clamp(1, free.into()) as u32;
                    let in_lane = [c.div_ceil(lanes.into()), h, w, element];
                    (lanes, in_lane.into_iter().fold(n, u64::saturating_mul))
                }
                Size::Transfer { channels } => {
                    let lanes = match channels {
                        0 => free,
                        _ => channels.clamp(1, free.into()) as u32,
                    };
                    (lanes, bytes.div_ceil(lanes.max(1).into()))
                }
            };
            let Way { writes, operand, .. } = *way;
            self.access(Access { writes, operand, address, bytes, lane, lanes })
        })
    }

    /// First lane, and address in the lane.
    fn split(&self, address: u64) -> (u32, u64) {
        let lane = address / self.lane_bytes % u64::from(self.lanes);
        (lane as u32, address % self.lane_bytes)
    }

    /// An access that stays within the lane; `None` for one of nothing.
    fn access(&self, access: Access) -> Option<Access> {
        let bytes = access.bytes.min(self.lane_bytes - access.address);
        (bytes > 0).then_some(Access { bytes, ..access })
    }
}

/// How commands of a kind access local memory: all but where, and how many bytes transfers have.
#[derive(Debug)]
struct Way {
    writes: bool,
    operand: &'static str,
    address: AddressOf,
    size: Size,
}

/// Where the address of an access is read.
#[derive(Debug, Clone, Copy)]
enum AddressOf {
    Slot(Slot),
    /// The source of a transfer.
    Source,
    Destination,
}

/// How much is accessed.
#[derive(Debug, Clone, Copy)]
enum Size {
    /// Sizes n, c, h, w, and bytes of an element.
    Tensor { sizes: [u64; 4], element: u64 },
    /// The bytes of the transfer, in lanes of so many channels; 0 if that is not known.
    Transfer { channels: u64 },
}

/// What commands access, one after another: what those of a kind have in common is found once.
#[derive(Debug)]
pub struct Accesses {
    memory: LocalMemory,
    /// How the commands of each kind access local memory, by number of the kind.
    kinds: Vec<Option<Box<[Way]>>>,
}

impl Accesses {
    /// Starts without any kind. All commands that follow must be of one table.
    #[must_use]
    pub fn new(memory: LocalMemory) -> Self {
        Self { memory, kinds: Vec::new() }
    }

    /// See [`LocalMemory::accesses`].
    pub fn of_command(&mut self, command: &TrackCommand<'_, '_>) -> impl Iterator<Item = Access> {
        let number = command.kind_number().map_or(usize::MAX, |number| number as usize);
        if number < usize::MAX && self.kinds.len() <= number {
            self.kinds.resize_with(number + 1, || None);
        }
        let known = self.kinds.get_mut(number);
        let ways = known.map(|known| &**known.get_or_insert_with(|| ways(command).into()));
        self.memory.of_ways(ways.unwrap_or_default(), command)
    }
}

/// How commands of a kind access local memory.
fn ways(command: &TrackCommand<'_, '_>) -> Vec<Way> {
    let Some(bits) = command.bits() else { return Vec::new() };
    match command.kind.engine {
        Engine::Tiu => tiu_ways(&bits),
        Engine::Gdma | Engine::Sdma | Engine::Cdma => transfer_ways(command, &bits),
    }
}

fn tiu_ways(command: &Command<'_>) -> Vec<Way> {
    if matches!(command.op.family, TiuFamily::Sys) {
        return Vec::new();
    }
    let shapes = Shapes::read(command);
    let has = |slot| command.register.has(slot);
    let is_variable = |constant| command.get(constant) == 0;
    let operands = if has(Slot::Operands) { command.get(Slot::Operands) } else { 2 };
    let second = operands > 1 && is_variable(Slot::Opd1Const);
    let first = is_variable(Slot::Opd0Const);
    [
        ("res0", Slot::Res0Addr, shapes.result, Slot::Res0Prec, true, true),
        ("opd0", Slot::Opd0Addr, shapes.first, Slot::Opd0Prec, first, false),
        ("opd1", Slot::Opd1Addr, shapes.second, Slot::Opd1Prec, second, false),
    ]
    .into_iter()
    .filter(|&(_, address, _, _, is_used, _)| is_used && has(address))
    .map(|(operand, address, sizes, precision, _, writes)| {
        let element = Precision(command.get(precision) as u8).whole_bytes().into();
        let size = Size::Tensor { sizes, element };
        Way { writes, operand, address: AddressOf::Slot(address), size }
    })
    .collect()
}

fn transfer_ways(command: &TrackCommand<'_, '_>, bits: &Command<'_>) -> Vec<Way> {
    let Some(direction) = command.kind.direction() else { return Vec::new() };
    let sides = [
        ("src", direction.from, AddressOf::Source, Slot::SrcC, false),
        ("dst", direction.to, AddressOf::Destination, Slot::DstC, true),
    ];
    let local = sides.into_iter().filter(|&(_, memory, ..)| memory == Memory::Lmem);
    local
        .map(|(operand, _, address, channels, writes)| {
            let size = Size::Transfer { channels: bits.get(channels) };
            Way { writes, operand, address, size }
        })
        .collect()
}

/// Sizes n, c, h, w of a command's operands.
struct Shapes {
    result: [u64; 4],
    first: [u64; 4],
    second: [u64; 4],
}

impl Shapes {
    fn read(command: &Command<'_>) -> Self {
        // Of what a register lacks, or leaves at 0, the other is taken.
        let size = |slot, other: u64| match command.get(slot) {
            0 => other,
            n => n,
        };
        let result = [
            size(Slot::Res0N, 1),
            size(Slot::Res0C, 1),
            size(Slot::Res0H, 1),
            size(Slot::Res0W, 1),
        ];
        let [n, c, h, w] = result;
        let first_slots = [Slot::Opd0N, Slot::Opd0C, Slot::Opd0H, Slot::Opd0W];
        let second_slots = [Slot::Opd1N, Slot::Opd1C, Slot::Opd1H, Slot::Opd1W];
        let own = |slots: [Slot; 4]| slots.map(|slot| size(slot, 1));
        let has_own = |slots: [Slot; 4]| slots.iter().any(|&slot| command.get(slot) > 0);
        match command.op.family {
            TiuFamily::Mm2 => Self {
                result: [1, c, 1, w],
                first: [
                    1,
                    size(Slot::Opd0C, c),
                    1,
                    size(Slot::Opd0W, command.get(Slot::Opd1C).max(1)),
                ],
                second: [1, size(Slot::Opd1C, 1), 1, size(Slot::Opd1W, 1)],
            },
            TiuFamily::Conv => Self {
                result,
                first: [
                    size(Slot::Opd0N, n),
                    size(Slot::Opd0C, 1),
                    size(Slot::Opd0H, h),
                    size(Slot::Opd0W, w),
                ],
                // A kernel for each pair of channels; the result's are in the lanes.
                second: [size(Slot::Opd0C, 1), c, size(Slot::Opd1H, 1), size(Slot::Opd1W, 1)],
            },
            _ => Self {
                result,
                first: if has_own(first_slots) {
                    let [_, _, h1, w1] = own(first_slots);
                    [size(Slot::Opd0N, n), size(Slot::Opd0C, c), h1, w1]
                } else {
                    result
                },
                second: if has_own(second_slots) {
                    let [n1, _, h1, w1] = own(second_slots);
                    [n1, size(Slot::Opd1C, c), h1, w1]
                } else {
                    result
                },
            },
        }
    }
}
