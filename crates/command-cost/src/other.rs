//! Commands of which few shapes were seen, and those without a rule.

use bigtpu_chip::{Slot, TiuFamily, cube_ops_per_cycle};

use crate::cost::CommandCost;
use crate::elementwise::lines;
use crate::mark::Mark;
use crate::part::TimePart;
use crate::shape::{Shape, up};

/// Cycles of a command without a rule before its first result.
const START: u128 = 10;

/// Lines of a result whose channels are worked on one after another.
fn own_lines(shape: &Shape<'_>) -> u128 {
    up(shape.positions, shape.elements(shape.res0))
}

/// Copies between lanes, broadcasts to all lanes, transposes.
pub(crate) fn broadcast(shape: &Shape<'_>, variant: u8, known: Mark) -> CommandCost {
    /// Channels of the only shape for which the constants of a rule are known.
    const SEEN_CHANNELS: u128 = 5;
    let timing = &shape.model.tiu;
    let start: u128 = timing.broadcast_start.value.into();
    let m = own_lines(shape);
    let is_seen = shape.get(Slot::Res0C) == SEEN_CHANNELS && m == 1;
    let of_shape = if is_seen { known } else { known.max(Mark::Estimated) };
    match variant {
        // Copy between lanes.
        2 => CommandCost::new(of_shape)
            .with(TimePart::Work, m.max(SEEN_CHANNELS))
            .with(TimePart::StartUp, start),
        // Broadcast to all lanes.
        3 if shape.is_in_place() => {
            let (slope, more) = timing.broadcast_in_place.value;
            let all = m as i128 * i128::from(slope) + i128::from(more);
            let in_place = (all - m as i128).max(0);
            CommandCost::new(known).with(TimePart::Work, m).with_signed(TimePart::InPlace, in_place)
        }
        3 => CommandCost::new(known).with(TimePart::Work, m).with(TimePart::StartUp, start),
        // Distribution of a few values.
        5 => {
            let cycles: u128 = timing.distribute.value.into();
            CommandCost::new(of_shape).with(TimePart::StartUp, cycles.max(m))
        }
        _ => lower_bound(shape),
    }
}

/// A product of a few left rows: each element of the right matrix's columns is a line.
pub(crate) fn product(shape: &Shape<'_>, known: Mark) -> CommandCost {
    const START: u128 = 74;
    let k = shape.get(Slot::Opd0C) * shape.get(Slot::Opd0W);
    let columns = shape.get(Slot::Res0W);
    let is_seen = k == 64 && columns == 256;
    CommandCost::new(if is_seen { known } else { known.max(Mark::Estimated) })
        .with(TimePart::Work, k.saturating_mul(up(columns, shape.line())))
        .with(TimePart::StartUp, START)
}

/// Requantization by a scale of each channel or of all.
pub(crate) fn requantize(shape: &Shape<'_>, known: Mark) -> CommandCost {
    const START: u128 = 4;
    let m = shape.n * shape.rounds * up(shape.positions, shape.line() / 4);
    let is_seen = shape.positions == 256 && shape.opd0.0 == 4;
    CommandCost::new(if is_seen { known } else { known.max(Mark::Estimated) })
        .with(TimePart::Work, m)
        .with(TimePart::InPlace, m)
        .with(TimePart::StartUp, START)
}

/// A scatter of single values.
pub(crate) fn scatter(shape: &Shape<'_>, known: Mark) -> CommandCost {
    let m = lines(shape);
    let is_seen = shape.get(Slot::Res0C) <= 8 && m <= 1;
    if !is_seen {
        return lower_bound(shape);
    }
    CommandCost::new(known).with(TimePart::StartUp, START)
}

/// A command without a rule: its results' lines, or its products at the matrix unit's peak.
pub(crate) fn lower_bound(shape: &Shape<'_>) -> CommandCost {
    let is_product = matches!(shape.command.op.family, TiuFamily::Mm | TiuFamily::Mm2);
    let mut cycles = lines(shape);
    if is_product {
        let ops = bigtpu_chip::TiuCost::compute(shape.model.chip, shape.command).uarch_ops.max(0);
        let peak = cube_ops_per_cycle(shape.model.chip, shape.opd0).max(1.0) as u128;
        cycles = cycles.max(up(ops.unsigned_abs(), peak));
    }
    CommandCost::new(Mark::NotValidated).with(TimePart::Work, cycles).with(TimePart::StartUp, START)
}
