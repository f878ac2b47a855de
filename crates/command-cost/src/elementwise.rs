//! Element-wise commands: `m = N * rounds of channels * up(H * W, elements a lane handles in a cycle)`.

use bigtpu_chip::Slot;

use crate::cost::CommandCost;
use crate::mark::Mark;
use crate::part::TimePart;
use crate::shape::{Shape, up};

/// Sub-types of element-wise commands.
mod variant {
    pub(super) const ADD: u8 = 2;
    pub(super) const SUB: u8 = 3;
    pub(super) const MAX: u8 = 4;
    pub(super) const MIN: u8 = 5;
    pub(super) const DIV: u8 = 12;
    pub(super) const CAST: u8 = 14;
    pub(super) const ADD_SATU: u8 = 15;
    pub(super) const SUB_SATU: u8 = 16;
    pub(super) const MAC: u8 = 18;
    pub(super) const COPY: u8 = 19;
    pub(super) const MUL_SATU: u8 = 20;
}

/// Lines of results: the cycles of a command that does nothing else.
pub(crate) fn lines(shape: &Shape<'_>) -> u128 {
    shape.n * shape.rounds * up(shape.positions, shape.vector())
}

impl CommandCost {
    /// Adds the cycles of the lines of a command's results.
    pub(crate) fn with_lines(self, shape: &Shape<'_>) -> Self {
        let (vector, lanes) = (shape.vector(), shape.lanes());
        let work = up(shape.n * shape.c * shape.positions, lanes * vector);
        let with_positions = up(shape.n * shape.c * up(shape.positions, vector), lanes);
        self.with_split(work, with_positions, lines(shape))
    }
}

/// What an element-wise command takes.
pub(crate) fn cost(shape: &Shape<'_>, variant: u8, known: Mark) -> CommandCost {
    let m = lines(shape);
    let cost = CommandCost::new(known).with_lines(shape);
    let has_two = shape.get(Slot::Opd1Const) == 0 && shape.get(Slot::Operands) != 1;
    let is_in_place = shape.is_in_place();
    match variant {
        variant::CAST => {
            let is_float = matches!(shape.opd0.0, 1 | 2 | 5);
            let start = if is_float { shape.model.tiu.float_cast_start.value } else { 10 };
            cost.with(TimePart::StartUp, start.into())
        }
        variant::COPY => copy(shape, cost, m, is_in_place),
        variant::ADD | variant::SUB | variant::MAX | variant::MIN => {
            if shape.get(Slot::Opd1Const) == 0 {
                two_tensors(cost, m)
            } else {
                let cost = cost.with(TimePart::StartUp, 10);
                if !is_in_place {
                    // The same rule, but no command with its result elsewhere was seen.
                    return cost.at_most(Mark::Estimated);
                }
                let hidden = 2 * shape.rounds.min(4);
                cost.with_signed(TimePart::InPlace, signed(m) - signed(hidden))
            }
        }
        variant::MUL_SATU => cost.with(TimePart::StartUp, 12),
        variant::ADD_SATU | variant::SUB_SATU => {
            let cost = cost.with(TimePart::StartUp, 11);
            if shape.opd0.whole_bytes() == 2 {
                // 13 cycles for 7 lines.
                cost.with(TimePart::SecondOperand, ((m * 13 + 3) / 7).saturating_sub(m))
            } else {
                cost.with(TimePart::SecondOperand, m)
            }
        }
        variant::DIV | variant::MAC => {
            let cost =
                if has_two { two_tensors(cost, m) } else { cost.with(TimePart::StartUp, 10) };
            cost.at_most(Mark::NotValidated)
        }
        _ if has_two => two_tensors(cost, m),
        _ => cost.with(TimePart::StartUp, 10),
    }
}

fn signed(cycles: u128) -> i128 {
    i128::try_from(cycles).unwrap_or(i128::MAX)
}

fn two_tensors(cost: CommandCost, m: u128) -> CommandCost {
    cost.with(TimePart::SecondOperand, m).with(TimePart::StartUp, 11)
}

/// A copy: strides spread a vector over several lines.
fn copy(shape: &Shape<'_>, cost: CommandCost, m: u128, is_in_place: bool) -> CommandCost {
    let bytes = u128::from(shape.res0.whole_bytes());
    let vector = shape.vector();
    let read: u128 = shape.model.tiu.pool_read_bytes.value.into();
    let sides = [
        (Slot::Opd0ShortLayout, Slot::Opd0Layout, Slot::Opd0WStride, read),
        (Slot::Res0ShortLayout, Slot::Res0Layout, Slot::Res0WStride, shape.line()),
    ];
    let spread = sides.into_iter().map(|(short, long, stride, line)| {
        let layout = if shape.command.register.has(short) { short } else { long };
        let stride = shape.get(stride);
        let has_strides = shape.get(layout) == 3 && shape.get(Slot::Res0W) > 2 && stride > 1;
        if has_strides { vector.min(up(stride * vector * bytes, line)) } else { 1 }
    });
    let spread = spread.fold(1, u128::max);
    let all = m * spread;
    let cost = cost.with(TimePart::StartUp, 10).with(TimePart::LineCrossing, all - m);
    if is_in_place && all > 1 { cost.with(TimePart::InPlace, all - 2) } else { cost }
}
