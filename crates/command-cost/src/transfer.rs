//! Transfers: `start + max(bytes / rate, least * pieces) + more * pieces`.

use bigtpu_chip::{
    Chip, Command, Constant, ConstantSource, Direction, Engine, Memory, Op, Precision, Slot,
    TransferTiming,
};

use crate::cost::CommandCost;
use crate::mark::Mark;
use crate::model::CostModel;
use crate::part::TimePart;
use crate::pieces::{Side, touched_lines};
use crate::shape::up;
use crate::{LONGEST, MilliCycles};

/// Between which memories.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct MemoryRoute {
    /// Source; `None` is a constant (a fill).
    pub from: Option<Memory>,
    /// Destination.
    pub to: Memory,
}

impl MemoryRoute {
    /// Whether one side is DDR.
    #[must_use]
    pub fn has_ddr(self) -> bool {
        self.from == Some(Memory::Ddr) || self.to == Memory::Ddr
    }

    /// Whether it is a read from DDR.
    #[must_use]
    pub fn reads_ddr(self) -> bool {
        self.from == Some(Memory::Ddr)
    }

    /// Name as printed.
    #[must_use]
    pub fn name(self) -> String {
        format!("{}->{}", self.from.map_or("fill", Memory::name), self.to.name())
    }
}

/// What a transfer moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TransferShape {
    /// Between which memories.
    pub kind: MemoryRoute,
    /// Bytes of the tensor.
    pub bytes: u64,
    /// Bytes that the bus carries: whole lines, where local memory is written out.
    pub bus_bytes: u64,
    /// Contiguous pieces on the side that has more of them.
    pub pieces: u64,
}

/// Sub-types of DMA commands that move data as it is.
const PLAIN: u8 = 0;
const TENSOR: u8 = 0;
const MATRIX: u8 = 1;
const GENERAL: u8 = 3;

/// What a DMA command takes.
pub(crate) fn cost(model: &CostModel, command: &Command<'_>) -> CommandCost {
    let chip = model.chip;
    if chip.is_system(Engine::Gdma, command.op.task()) {
        let system = &model.dma.system_cycles;
        let is_measured = system.source == ConstantSource::Measured;
        let mark = if is_measured { Mark::Fitted } else { Mark::Estimated };
        return CommandCost::new(mark).with(TimePart::StartUp, system.value.into());
    }
    let bus = model.dma.bus_bytes.value;
    let (transfer, plain_lines) = match command.op.task() {
        TENSOR => tensor(chip, command, bus),
        MATRIX => matrix(chip, command, bus),
        GENERAL => general(chip, command, bus),
        _ => tensor(chip, command, bus),
    };
    let (timing, known) = constants(model, transfer.kind);
    let is_seen = command.variant == PLAIN && matches!(command.op.task(), TENSOR | MATRIX);
    let mut cost = CommandCost::new(if is_seen { known } else { Mark::NotValidated });
    cost.transfer = Some(transfer);
    let on_bus =
        |bytes: u64| cut(up(u128::from(bytes) * 1_000_000, timing.rate_milli.value.into()));
    let pieces = u128::from(transfer.pieces);
    let moved = on_bus(transfer.bus_bytes);
    let plain = on_bus(plain_lines).min(moved);
    let least = cut(pieces * u128::from(timing.least_run_milli.value));
    let more = cut(pieces * u128::from(timing.run_milli.value));
    let parts = &mut cost.parts;
    parts.add(TimePart::Latency, cut(u128::from(timing.start.value) * 1000));
    parts.add(TimePart::Bus, plain);
    parts.add(TimePart::PartLines, moved - plain);
    parts.add(TimePart::Runs, (least - moved).max(0).saturating_add(more));
    cost
}

/// What of an operation's addresses [`address_class`] looks at besides the direction.
pub(crate) fn address_bits(model: &CostModel, op: &Op) -> Vec<(Slot, u64)> {
    if matches!(op.task(), MATRIX | GENERAL) {
        return Vec::new();
    }
    let bus = model.dma.bus_bytes.value.max(1);
    vec![(Slot::DstL32, if bus.is_power_of_two() { bus - 1 } else { u64::MAX })]
}

/// What a command's addresses change: see [`CostModel::address_class`].
pub(crate) fn address_class(model: &CostModel, command: &Command<'_>, direction: Direction) -> u16 {
    let Direction { from, to } = direction;
    if from != Memory::Lmem || to == Memory::Lmem || matches!(command.op.task(), MATRIX | GENERAL) {
        return 0;
    }
    // Where lines of the bus begin; no bus is so wide that this has more bits.
    (command.get(Slot::DstL32) % model.dma.bus_bytes.value.max(1)) as u16 & 0x7fff
}

fn cut(milli: u128) -> MilliCycles {
    milli.min(LONGEST * 1000) as MilliCycles
}

/// Constants of a kind of transfer. A kind that was not measured takes those of the nearest: inside one memory reads and
/// writes pass the same bus, a fill is a write, all others are reads from DDR.
fn constants(model: &CostModel, kind: MemoryRoute) -> (TransferTiming, Mark) {
    let l2m = |memory| if memory == Memory::L2 { Memory::L2m } else { memory };
    let kind = MemoryRoute { from: kind.from.map(l2m), to: l2m(kind.to) };
    if let Some(known) = model.transfers.get(kind) {
        let mark = if CostModel::is_measured(known) { Mark::Fitted } else { Mark::Estimated };
        return (*known, mark);
    }
    let load = MemoryRoute { from: Some(Memory::Ddr), to: Memory::Lmem };
    let estimate = |value| Constant { value, source: ConstantSource::OtherChip };
    let nearest = |kind| model.transfers.get(kind).or_else(|| model.transfers.get(load)).copied();
    let bus = TransferTiming {
        from: kind.from,
        to: kind.to,
        start: estimate(0),
        rate_milli: estimate(model.dma.bus_bytes.value.max(1) * 1000),
        run_milli: estimate(0),
        least_run_milli: estimate(0),
    };
    let found = if kind.from == Some(kind.to) {
        nearest(load).map(|load| TransferTiming {
            rate_milli: estimate((load.rate_milli.value * 55 / 100).max(1)),
            run_milli: estimate(0),
            least_run_milli: estimate(0),
            ..load
        })
    } else if kind.from.is_none() {
        nearest(MemoryRoute { from: Some(Memory::Lmem), to: kind.to })
    } else {
        nearest(load)
    };
    (found.unwrap_or(bus), Mark::Estimated)
}

fn kind(chip: &Chip, command: &Command<'_>, is_fill: bool) -> MemoryRoute {
    let Direction { from, to } = Direction::of_command(chip, command);
    MemoryRoute { from: (!is_fill).then_some(from), to }
}

fn small(number: u128) -> u64 {
    u64::try_from(number).unwrap_or(u64::MAX)
}

fn element(command: &Command<'_>) -> u128 {
    Precision(command.get(Slot::DataFormat) as u8).whole_bytes().into()
}

/// A tensor; also the bytes that the bus would carry, were all runs joined.
fn tensor(chip: &Chip, command: &Command<'_>, bus: u64) -> (TransferShape, u64) {
    let (mut source, mut destination) = (Side::source(command), Side::destination(command));
    let [.., width] = source.size;
    let is_fill = width == 0;
    if is_fill {
        source.size = destination.size;
    }
    if destination.size.iter().all(|size| *size == 0) {
        destination.size = source.size;
    }
    let kind = kind(chip, command, is_fill);
    let element = element(command);
    let bytes = source.size.iter().fold(element, |all, size| all * u128::from(*size));
    let of_source = if is_fill { 1 } else { source.pieces(kind.from == Some(Memory::Lmem)) };
    let pieces = of_source.max(destination.pieces(kind.to == Memory::Lmem));
    let bus_bytes = match kind.from {
        // Writes of separate runs touch whole lines; reads of neighbouring runs are joined.
        Some(Memory::Lmem) => {
            let [n, c, h, w] = source.size.map(|size| size.max(1));
            let step = |count: u64, stride: u64| (count, small(u128::from(stride) * element));
            let [n_stride, c_stride, h_stride, _] = destination.stride;
            let channels = u128::from(n) * u128::from(c);
            let split = pieces / channels.max(1);
            // The lower half of the address decides where lines of the bus begin.
            let address = command.get(Slot::DstL32);
            let lines = if split <= 1 {
                let steps = [step(n, n_stride), step(c, c_stride)];
                touched_lines(address, &steps, u128::from(h) * u128::from(w) * element, bus)
            } else if split <= u128::from(h) {
                let steps = [step(n, n_stride), step(c, c_stride), step(h, h_stride)];
                touched_lines(address, &steps, u128::from(w) * element, bus)
            } else {
                pieces
            };
            lines.saturating_mul(bus.into())
        }
        _ => bytes,
    };
    let bytes = small(bytes);
    let transfer =
        TransferShape { kind, bytes, bus_bytes: small(bus_bytes), pieces: small(pieces) };
    (transfer, bytes)
}

/// Rows of a matrix outside local memory, spread over lanes inside.
fn matrix(chip: &Chip, command: &Command<'_>, bus: u64) -> (TransferShape, u64) {
    let kind = kind(chip, command, false);
    let (source, destination) = (Side::source(command), Side::destination(command));
    let is_store = kind.from == Some(Memory::Lmem);
    let (local, outside) = if is_store { (source, destination) } else { (destination, source) };
    let [n, c, ..] = local.size.map(u128::from);
    let [.., h, w] = outside.size.map(u128::from);
    let [.., h_stride, _] = outside.stride.map(u128::from);
    let bytes = h.max(1) * w * element(command);
    let rows = if h_stride == w { 1 } else { h };
    let pieces = (n.max(1) * c).max(rows);
    let bus_bytes = up(bytes, bus.into()) * u128::from(bus);
    let bytes = small(bytes);
    (TransferShape { kind, bytes, bus_bytes: small(bus_bytes), pieces: small(pieces) }, bytes)
}

/// A run of bytes.
fn general(chip: &Chip, command: &Command<'_>, bus: u64) -> (TransferShape, u64) {
    let slots = [Slot::CommandLength, Slot::MoveLength, Slot::SrcCStride];
    let length = slots.into_iter().find(|slot| command.register.has(*slot));
    let length = length.map_or(0, |slot| u128::from(command.get(slot)));
    let bytes = length * element(command);
    let is_fill = command.get(Slot::FillConstant) != 0;
    let bus_bytes = small(up(bytes, bus.into()) * u128::from(bus));
    let kind = kind(chip, command, is_fill);
    (TransferShape { kind, bytes: small(bytes), bus_bytes, pieces: 1 }, small(bytes))
}
