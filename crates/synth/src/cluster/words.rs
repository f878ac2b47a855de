//! The words of a rank's dump, and in mode 2 the full bits of their commands.

use bigtpu_chip::{Chip, Engine, put_chip_ids};
use bigtpu_format::{Word, WordKind, extra_head};

use super::commands::PortCommand;
use super::options::ClusterOptions;
use crate::fields::tiu_fields;
use crate::kernel::PRODUCT;

/// DYN_DATA and DYN_EXTRA in the making.
pub(super) struct Words {
    pub(super) bytes: Vec<u8>,
    /// Full bits of all commands; empty below mode 2.
    pub(super) extras: Vec<u8>,
    chip: &'static Chip,
    has_bits: bool,
    items: u32,
    is_named: bool,
    has_resets: bool,
}

/// Type and sub-type of a product of two matrices.
const TIU_PRODUCT: (u8, u8) = (2, 1);
/// Type and sub-type of a load.
pub(super) const LOAD: (u8, u8) = (0, 0);
/// Types of commands of ports.
pub(super) const SEND: u8 = 0;
pub(super) const WRITE: u8 = 2;
pub(super) const RECEIVE: u8 = 4;
/// Type of commands that move no data, and what they do.
pub(super) const SYSTEM: u8 = 7;
pub(super) const NOP: u8 = 1;
pub(super) const TX_WAIT: u8 = 4;
pub(super) const RX_WAIT: u8 = 6;
/// Data type of all transfers in mode 2, and the bytes of an element.
const FP16: u16 = 1;
const FP16_BYTES: u32 = 2;
/// How a receive combines what arrives with what is there: it adds.
const ADD: u64 = 1;

impl Words {
    pub(super) fn new(options: &ClusterOptions, ports: &[u8]) -> Self {
        let mut words = Self {
            bytes: Vec::new(),
            extras: Vec::new(),
            chip: options.chip,
            has_bits: options.mode == 2,
            items: 0,
            is_named: options.is_named,
            has_resets: options.has_resets,
        };
        for _ in 0..options.chip.preamble {
            words.command(Engine::Tiu, (15, 9), 0);
            words.command(Engine::Gdma, (6, 3), 0);
            words.command(Engine::Sdma, (6, 3), 0);
        }
        for _ in ports {
            words.command(Engine::Sdma, (6, 3), 0);
        }
        for engine in [Engine::Tiu, Engine::Gdma, Engine::Sdma] {
            words.reset(engine, 0);
        }
        for &port in ports {
            let info = u16::from(port) << 8;
            words.command(Engine::Cdma, (SYSTEM, TX_WAIT), info);
            words.command(Engine::Cdma, (SYSTEM, NOP), info);
            words.reset(Engine::Cdma, port);
        }
        words
    }

    fn push(&mut self, word: Word) {
        self.bytes.extend_from_slice(&word.0.to_le_bytes());
    }

    fn command(&mut self, engine: Engine, code: (u8, u8), info: u16) {
        self.command_with(engine, code, info, |_, _| ());
    }

    /// A command; in mode 2 `fill` sets its bits.
    fn command_with(
        &mut self,
        engine: Engine,
        (task, sub): (u8, u8),
        info: u16,
        fill: impl FnOnce(&mut dyn FnMut(&str, u64), &mut Vec<u8>),
    ) {
        let kind = WordKind::NodeSet.number().unwrap_or(0);
        let number = self.chip.engine_number(engine).unwrap_or(0);
        self.push(Word::new(kind, number, task, sub, info));
        if !self.has_bits {
            return;
        }
        let ops = self.chip.ops(engine);
        let op = ops.find(true, task, sub).or_else(|| ops.find(false, task, sub));
        let mut bits = op.and_then(|op| ops.blank(op, sub)).unwrap_or_default();
        let mut set: Vec<(String, u64)> = Vec::new();
        fill(&mut |name, value| set.push((name.to_owned(), value)), &mut bits);
        for (name, value) in set {
            let field = op.and_then(|op| op.register.as_ref()?.field(&name));
            if let Some(field) = field {
                field.put(&mut bits, value);
            }
        }
        self.extras.extend_from_slice(&extra_head(self.items, bits.len() as u32));
        self.extras.extend_from_slice(&bits);
        self.items = self.items.wrapping_add(1);
    }

    fn reset(&mut self, engine: Engine, port: u8) {
        let kind = WordKind::IdReset.number().unwrap_or(0);
        let number = self.chip.engine_number(engine).unwrap_or(0);
        self.push(Word::new(kind, number, 0, 0, u16::from(port) << 8));
    }

    /// A kernel of one product, with the load of its operands before it.
    pub(super) fn kernel(&mut self, name: &str, has_load: bool) {
        self.func(name);
        self.reset(Engine::Tiu, 0);
        if has_load {
            self.reset(Engine::Gdma, 0);
            // To local memory.
            self.command(Engine::Gdma, LOAD, 2 << 6 | FP16);
        }
        let chip = self.chip;
        let fill = |set: &mut dyn FnMut(&str, u64), _: &mut Vec<u8>| {
            tiu_fields(chip, &PRODUCT, false, &mut |name, value| set(name, value));
        };
        self.command_with(Engine::Tiu, TIU_PRODUCT, 1, fill);
        self.end();
    }

    fn func(&mut self, name: &str) {
        let number = WordKind::Func.number().unwrap_or(0);
        self.push(Word::with_payload(number, name.len() as u32));
        for part in name.as_bytes().chunks(4) {
            let mut padded = [0; 4];
            padded[..part.len()].copy_from_slice(part);
            self.push(Word(u32::from_le_bytes(padded)));
        }
    }

    fn end(&mut self) {
        self.push(Word::with_payload(WordKind::FuncEnd.number().unwrap_or(0), 0));
    }

    pub(super) fn open(&mut self, name: Option<&str>) {
        if let Some(name) = name {
            self.func(name);
        }
    }

    pub(super) fn close(&mut self, operation: Option<u32>) {
        if operation.is_some() && self.is_named {
            self.end();
        }
    }

    pub(super) fn reset_ports(&mut self, commands: &[PortCommand<'_>], operation: u32) {
        if !self.has_resets {
            return;
        }
        let mut ports: Vec<u8> =
            commands.iter().filter(|c| c.operation == operation).map(|c| c.port).collect();
        ports.sort_unstable();
        ports.dedup();
        ports.into_iter().for_each(|port| self.reset(Engine::Cdma, port));
    }

    pub(super) fn port_command(&mut self, command: &PortCommand<'_>) {
        let (task, _) = command.code;
        let data_type = if self.has_bits && task != SYSTEM { FP16 } else { 0 };
        let info = u16::from(command.port) << 8 | data_type;
        let reduces = command.data.is_some_and(|(pair, _)| pair.reduces);
        let (bytes, chips) = (command.bytes, command.chips);
        let fill = |set: &mut dyn FnMut(&str, u64), bits: &mut Vec<u8>| {
            if task == SYSTEM {
                return;
            }
            let elements = bytes / FP16_BYTES;
            for side in ["src", "dst"] {
                for (axis, size) in [("n", 1), ("c", 1), ("h", 1), ("w", elements)] {
                    set(&format!("{side}_{axis}size"), size.into());
                }
            }
            set("src_data_format", FP16.into());
            if task == RECEIVE && reduces {
                set("reduce_op", ADD);
            }
            if let Some((from, to)) = chips {
                put_chip_ids(task, bits, (from, to));
                // AKSV: the chip is in the address.
                set("dst_start_addr_h13", u64::from(to & 31) << 8);
                set("dst_start_addr_ext_h10", u64::from(to >> 5));
            }
        };
        self.command_with(Engine::Cdma, command.code, info, fill);
    }
}
