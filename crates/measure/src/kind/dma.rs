//! Kinds of GDMA, SDMA and CDMA commands.

use std::borrow::Cow;

use bigtpu_chip::{Chip, Command, Direction, Engine, Family, Memory, Slot, TiuCost, TiuFamily};
use bigtpu_format::Word;
use bigtpu_timeline::Binding;

use super::shape::shape;
use super::{CommandKind, TransferKind, rvt_variant, shown_word};
use crate::activity::Activity;

/// Send and wait among the DMA's system commands.
pub(crate) const SEND: u8 = 3;
pub(crate) const WAIT: u8 = 4;

/// A type that CDMA texts treat as a system command although it is not one.
const CDMA_LOSSY_DECOMPRESS: u8 = 6;

pub(super) fn of_command(
    chip: &'static Chip,
    engine: Engine,
    command: &Command<'_>,
) -> CommandKind {
    let direction = Direction::of_command(chip, command);
    let (task, function) = (command.get(Slot::DmaType) as u8, command.get(Slot::DmaFunction) as u8);
    let (function_type, function_name) = names(chip, engine, task, function, direction);
    let data_format =
        command.register.has(Slot::DataFormat).then(|| command.get(Slot::DataFormat) as u8);
    let data_type = match (data_format, chip.family) {
        (None, Family::Aks) => "",
        (format, _) => data_type(chip, format.unwrap_or(0), true),
    };
    let activity = Activity::from_function(engine, chip.is_system(engine, task), function);
    let is_work = activity.is_work();
    let sizes = [Slot::SrcN, Slot::SrcC, Slot::SrcH, Slot::SrcW];
    CommandKind {
        engine,
        binding: Binding::Bits,
        code: Some(command.code),
        word: Word(0),
        activity,
        function_type,
        function_name,
        task,
        function,
        data_type: if is_work { data_type.to_owned() } else { String::new() },
        shape: if is_work { shape(command, sizes, TiuFamily::Uncounted) } else { String::new() },
        cost: TiuCost::default(),
        transfer: Some(TransferKind {
            direction,
            sides: direction,
            data_format,
            data_type,
            counts: TransferKind::counts(chip, true, direction),
        }),
        has_dependence: command.register.has(Slot::IdDep),
        expected: None,
    }
}

pub(super) fn of_word(
    chip: &'static Chip,
    engine: Engine,
    binding: Binding,
    word: Word,
) -> CommandKind {
    let system = chip.system.engine_code(engine);
    let word = shown_word(binding, word, system, SEND, WAIT);
    let (task, function) = (word.task(), word.sub());
    let is_cdma = engine == Engine::Cdma;
    let says_nothing = task == system || is_cdma && task == CDMA_LOSSY_DECOMPRESS;
    let info = if says_nothing { 0 } else { word.info() };
    let mut sides = Direction::of_info(info);
    let is_rvt = binding == Binding::Rvt;
    let generator_names = is_rvt && chip.names.has_rvt();
    let (function_type, function_name) = if generator_names {
        let (function_type, name) = chip.names.rvt(task, rvt_variant(word));
        sides = rvt_direction(name).unwrap_or(sides);
        (function_type, Cow::Borrowed(name))
    } else {
        names(chip, engine, task, function, sides)
    };
    let data_format = (info & 15) as u8;
    let data_type = data_type(chip, data_format, false);
    let direction = if is_cdma { Direction::DDR_TO_DDR } else { sides };
    let activity = if generator_names {
        Activity::of_generator(function_type, &function_name)
    } else {
        Activity::from_function(engine, task == system, function)
    };
    CommandKind {
        engine,
        binding,
        code: None,
        word,
        activity,
        function_type,
        function_name,
        task,
        function,
        data_type: if activity.is_work() { data_type.to_owned() } else { String::new() },
        shape: String::new(),
        cost: TiuCost::default(),
        transfer: Some(TransferKind {
            direction,
            sides,
            data_format: (!generator_names).then_some(data_format),
            data_type,
            counts: TransferKind::counts(chip, false, direction),
        }),
        has_dependence: false,
        expected: None,
    }
}

/// The direction that the name of an RVT command contains.
fn rvt_direction(name: &str) -> Option<Direction> {
    let ends = |suffixes: &[&str]| suffixes.iter().any(|s| name.ends_with(s));
    if ends(&["_ld", "_ldt", "_ldbc", "_mld"]) {
        Some(Direction { from: Memory::Ddr, to: Memory::Lmem })
    } else if ends(&["_st", "_stt", "_mst"]) {
        Some(Direction { from: Memory::Lmem, to: Memory::Ddr })
    } else {
        None
    }
}

fn names(
    chip: &'static Chip,
    engine: Engine,
    task: u8,
    function: u8,
    direction: Direction,
) -> (&'static str, Cow<'static, str>) {
    if engine == Engine::Cdma {
        let (function_type, name) = chip.names.cdma(task, function);
        let name =
            name.map_or_else(|| Cow::Owned(format!("{function_type}_{function}")), Cow::Borrowed);
        return (function_type, name);
    }
    let (function_type, name) = chip.names.dma(task, function, direction);
    (function_type, Cow::Borrowed(name))
}

/// Name of a data type. Codes beyond the table are INT8 to BM1688 (full bits) and CV84X6.
fn data_type(chip: &'static Chip, code: u8, full: bool) -> &'static str {
    let fallback = match (chip.family, full) {
        (Family::Cv84x6, _) | (Family::Bm1684x | Family::Bm1688 | Family::Cv184x, true) => "INT8",
        _ => "UNKNOWN",
    };
    chip.data_type(code.into()).unwrap_or(fallback)
}
