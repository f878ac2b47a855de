//! Kinds of TIU commands.

use std::borrow::Cow;

use bigtpu_chip::{Chip, Command, Engine, Slot, TiuCost};
use bigtpu_format::Word;
use bigtpu_timeline::Binding;

use super::shape::shape;
use super::{CommandKind, rvt_variant, shown_word};
use crate::activity::Activity;

/// Send and wait among the TIU's system commands.
pub(crate) const SEND: u8 = 8;
pub(crate) const WAIT: u8 = 9;

pub(super) fn of_command(chip: &'static Chip, command: &Command<'_>) -> CommandKind {
    // The operation by its code: names of the chip outlive the command's bits.
    let op = chip.ops(Engine::Tiu).ops().get(usize::from(command.code.op));
    let (function_type, function_name) = op.map_or(("unknown", "unknown"), |op| {
        (op.name, op.variant_name(command.variant).unwrap_or("unknown"))
    });
    let (task, function) = (command.get(Slot::Task) as u8, command.get(Slot::SubTask) as u8);
    let activity =
        Activity::from_function(Engine::Tiu, chip.is_system(Engine::Tiu, task), function);
    let is_work = activity.is_work();
    let sizes = [Slot::Res0N, Slot::Res0C, Slot::Res0H, Slot::Res0W];
    CommandKind {
        engine: Engine::Tiu,
        binding: Binding::Bits,
        code: Some(command.code),
        word: Word(0),
        activity,
        function_type,
        function_name: Cow::Borrowed(function_name),
        task,
        function,
        data_type: if is_work { data_types(chip, command) } else { String::new() },
        shape: if is_work { shape(command, sizes, command.op.family) } else { String::new() },
        cost: TiuCost::compute(chip, command),
        transfer: None,
        has_dependence: command.register.has(Slot::IdDep),
        expected: None,
    }
}

pub(super) fn of_word(chip: &'static Chip, binding: Binding, word: Word) -> CommandKind {
    let word = shown_word(binding, word, chip.system.tiu, SEND, WAIT);
    let is_rvt = binding == Binding::Rvt;
    let generator_indices = is_rvt && chip.names.has_rvt();
    let (function_type, function_name) = if generator_indices {
        chip.names.rvt(word.task(), rvt_variant(word))
    } else {
        chip.names.tiu(word.task(), word.sub())
    };
    let activity = if generator_indices {
        Activity::of_generator(function_type, function_name)
    } else {
        Activity::from_function(Engine::Tiu, chip.is_system(Engine::Tiu, word.task()), word.sub())
    };
    // A generator index has no data type.
    let has_type = activity.is_work() && (binding == Binding::Word || is_rvt && !generator_indices);
    let data_type = chip.data_type(u64::from(word.info() & 0x7f)).filter(|_| has_type);
    CommandKind {
        engine: Engine::Tiu,
        binding,
        code: None,
        word,
        activity,
        function_type,
        function_name: Cow::Borrowed(function_name),
        task: word.task(),
        function: word.sub(),
        data_type: data_type.unwrap_or_default().to_owned(),
        shape: String::new(),
        cost: TiuCost::UNIT,
        transfer: None,
        has_dependence: false,
        expected: None,
    }
}

/// Data type of the first operand, and that of the result where it differs.
fn data_types(chip: &'static Chip, command: &Command<'_>) -> String {
    let name = |slot| {
        let code = command.register.has(slot).then(|| command.get(slot));
        code.and_then(|code| chip.data_type(code)).unwrap_or("")
    };
    match (name(Slot::Opd0Prec), name(Slot::Res0Prec)) {
        ("", result) => result.to_owned(),
        (operand, result) if result.is_empty() || operand == result => operand.to_owned(),
        (operand, result) => format!("{operand} -> {result}"),
    }
}
