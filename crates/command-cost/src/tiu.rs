//! Which rule a TIU command has.

use bigtpu_chip::{Command, Op, Slot, TiuFamily};

use crate::cost::CommandCost;
use crate::layout::OperandLayout;
use crate::mark::Mark;
use crate::model::CostModel;
use crate::part::TimePart;
use crate::shape::Shape;
use crate::window::Windows;
use crate::{convolution, elementwise, other, pooling};

/// Cycles of a system command.
const SYSTEM_CYCLES: u128 = 5;

/// What a TIU command takes.
pub(crate) fn cost(model: &CostModel, command: &Command<'_>, windows: &mut Windows) -> CommandCost {
    if CostModel::is_system(command) {
        return CommandCost::new(model.mark(command, 0)).with(TimePart::StartUp, SYSTEM_CYCLES);
    }
    let shape = Shape::new(model, command);
    let known = model.mark(command, shape.data_type());
    let small = |number: u128| u32::try_from(number).unwrap_or(u32::MAX);
    let channels = Some((small(shape.c), small(shape.rounds)));
    let cost = match (command.op.family, command.variant) {
        (TiuFamily::Conv, 0) => convolution::cost(&shape, known, windows),
        // TF32 and the backward pass: as many positions at least.
        (TiuFamily::Conv, _) => convolution::cost(&shape, Mark::NotValidated, windows),
        (TiuFamily::PorD, variant) => pooling::cost(&shape, variant, known, windows),
        (TiuFamily::Ar, variant) => {
            let cost = elementwise::cost(&shape, variant, known);
            CommandCost { layout: Some(OperandLayout::RowsToLanes), ..cost }
        }
        (TiuFamily::CwBc, variant) => other::broadcast(&shape, variant, known),
        (TiuFamily::Mm, 1) => other::product(&shape, known),
        (TiuFamily::RqDq, 1) => other::requantize(&shape, known),
        (TiuFamily::Sg, 14) => other::scatter(&shape, known),
        _ => other::lower_bound(&shape),
    };
    CommandCost { channels, ..cost }
}

/// Bytes of a line of local memory that weights begin with.
const LINE: u64 = 32;

/// What of an operation's addresses [`address_class`] looks at.
pub(crate) fn address_bits(op: &Op) -> Vec<(Slot, u64)> {
    match op.family {
        TiuFamily::Ar | TiuFamily::CwBc => {
            vec![(Slot::Res0Addr, u64::MAX), (Slot::Opd0Addr, u64::MAX)]
        }
        TiuFamily::Conv => vec![(Slot::Opd1Addr, LINE - 1)],
        _ => Vec::new(),
    }
}

/// What a command's addresses change: see [`CostModel::address_class`].
pub(crate) fn address_class(command: &Command<'_>) -> u16 {
    match command.op.family {
        TiuFamily::Ar | TiuFamily::CwBc => {
            u16::from(command.get(Slot::Res0Addr) == command.get(Slot::Opd0Addr))
        }
        TiuFamily::Conv if command.get(Slot::Requantize) != 0 => {
            u16::from(!command.get(Slot::Opd1Addr).is_multiple_of(LINE))
        }
        _ => 0,
    }
}
