//! A TIU command's fields, as the rules read them.

use bigtpu_chip::{Command, Precision, Slot};

use crate::model::CostModel;

/// `a / b` rounded up; `b` counts as 1 at least.
pub(crate) fn up(a: u128, b: u128) -> u128 {
    a.div_ceil(b.max(1))
}

/// A TIU command's fields.
pub(crate) struct Shape<'a> {
    pub(crate) model: &'a CostModel,
    pub(crate) command: &'a Command<'a>,
    /// Batch, at least 1.
    pub(crate) n: u128,
    /// Channels of the result.
    pub(crate) c: u128,
    /// Positions of the result: height * width.
    pub(crate) positions: u128,
    /// Rounds of channels.
    pub(crate) rounds: u128,
    pub(crate) opd0: Precision,
    pub(crate) res0: Precision,
}

impl<'a> Shape<'a> {
    pub(crate) fn new(model: &'a CostModel, command: &'a Command<'a>) -> Self {
        let get = |slot| u128::from(command.get(slot));
        let precision = |slot| Precision(command.get(slot) as u8);
        let c = get(Slot::Res0C);
        Self {
            model,
            command,
            n: get(Slot::Res0N).max(1),
            c,
            positions: get(Slot::Res0H) * get(Slot::Res0W),
            rounds: up(c, model.tiu.lanes.value.into()),
            opd0: precision(Slot::Opd0Prec),
            res0: precision(Slot::Res0Prec),
        }
    }

    pub(crate) fn get(&self, slot: Slot) -> u128 {
        self.command.get(slot).into()
    }

    /// Bytes that a lane handles in a cycle.
    pub(crate) fn line(&self) -> u128 {
        self.model.tiu.line_bytes.value.into()
    }

    pub(crate) fn lanes(&self) -> u128 {
        self.model.tiu.lanes.value.into()
    }

    /// Elements of a type that a lane handles in a cycle.
    pub(crate) fn elements(&self, precision: Precision) -> u128 {
        (self.line() / u128::from(precision.whole_bytes())).max(1)
    }

    /// Elements of the wider one of operand and result that a lane handles in a cycle.
    pub(crate) fn vector(&self) -> u128 {
        self.elements(self.opd0).min(self.elements(self.res0))
    }

    /// Whether the result takes the place of the first operand.
    pub(crate) fn is_in_place(&self) -> bool {
        self.get(Slot::Res0Addr) == self.get(Slot::Opd0Addr) && self.get(Slot::Opd0Const) == 0
    }

    /// Code of the data type that a rule was checked for: of the first operand, or of the result.
    pub(crate) fn data_type(&self) -> u8 {
        data_type(self.command)
    }
}

/// Code of the data type that a TIU command's rule is checked for: of the first operand, or of the result where no field
/// has it.
#[must_use]
pub fn data_type(command: &Command<'_>) -> u8 {
    let register = command.register;
    let slot = if register.has(Slot::Opd0Prec) { Slot::Opd0Prec } else { Slot::Res0Prec };
    command.get(slot) as u8
}
