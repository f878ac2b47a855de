//! A step as its chip writes it: a DYN_DATA word, a descriptor that wants only an address and a dependence, and a
//! duration.

use bigtpu_chip::{Chip, Engine, Field, Memory, TiuCost};
use bigtpu_format::{Word, WordKind};

use crate::fields::{dma_fields, tiu_fields};
use crate::kernel::Step;
use crate::{ChipSpeeds, Style};

/// A step as its chip writes it.
#[derive(Debug)]
pub(crate) struct Template {
    pub(crate) step: Step,
    /// Whether it is one of the engine's system commands.
    pub(crate) is_system: bool,
    /// The descriptor; empty where the chip has no such command.
    pub(crate) bits: Vec<u8>,
    /// The word of the dispatched command; a CDMA word wants its port.
    pub(crate) word: Word,
    /// Whether the command takes a DYN_EXTRA item.
    pub(crate) takes_extra: bool,
    /// Bytes that a transfer moves.
    pub(crate) bytes: u32,
    /// The least time that it takes, in ps.
    pub(crate) least_ps: u64,
    /// Cycles that it loses to bank conflicts by a planted fault, and their time in ps.
    pub(crate) lost: (u32, u64),
    /// All tiles of a launch use the same address.
    pub(crate) is_shared: bool,
    /// All cores use the same address.
    pub(crate) is_of_all_cores: bool,
    /// Whether only a planted fault adds the step: it takes no random numbers, so that all else is as without the
    /// fault.
    pub(crate) is_planted: bool,
    depends_on: Option<Field>,
    address: Option<Field>,
}

/// Time of a system command that waits for nothing, in cycles of its engine.
pub(crate) const SYSTEM_CYCLES: u64 = 11;
/// Cycles that a TIU command takes before and after the work itself.
const TIU_OVERHEAD_CYCLES: u64 = 30;
/// Time that a transfer over a link takes before its first byte, in ps.
const LINK_LATENCY_PS: u64 = 300_000;
/// Bit of `cmd_id_dep` that makes the hardware wait for the number below it.
const DEPENDENCE_ENABLED: u32 = 1 << 20;

impl Template {
    /// Encodes a step for the even or odd buffers.
    pub(crate) fn encode(
        chip: &'static Chip,
        machine: &ChipSpeeds,
        style: Style,
        step: &Step,
        odd: bool,
    ) -> Self {
        let is_system = chip.is_system(step.engine, step.code.0);
        let ops = chip.ops(step.engine);
        let (task, variant) = step.code;
        let op = ops.find(true, task, variant).or_else(|| ops.find(false, task, variant));
        let blank = op.and_then(|op| Some((op.register.as_ref()?, ops.blank(op, variant)?)));
        let mut depends_on = None;
        let mut address = None;
        let mut bits = Vec::new();
        if let Some((register, blank)) = blank {
            bits = blank;
            let mut set = |name: &str, value: u64| {
                if let Some(field) = register.field(name) {
                    field.put(&mut bits, value);
                }
            };
            match step.engine {
                Engine::Tiu if is_system => {}
                Engine::Tiu => tiu_fields(chip, step, odd, &mut set),
                _ if is_system => {}
                _ => dma_fields(chip, step, odd, &mut set),
            }
            depends_on = register.field("cmd_id_dep").cloned();
            let side = if step.sides.0 == Memory::Lmem { "dst" } else { "src" };
            address = register.field(&format!("{side}_start_addr_l32")).cloned();
        }
        let is_rvt = style == Style::Rvt && step.engine != Engine::Cdma;
        let bytes = if step.engine == Engine::Tiu || is_system {
            0
        } else {
            step.shape.volume() * u64::from(element_bytes(step.data_type))
        };
        let bytes = u32::try_from(bytes).unwrap_or(u32::MAX);
        let least_ps = least_ps(chip, machine, step, is_system, &bits, bytes);
        Self {
            step: *step,
            is_system,
            lost: (0, 0),
            is_shared: false,
            is_of_all_cores: false,
            is_planted: false,
            word: word(chip, step, is_system, is_rvt),
            takes_extra: !is_rvt,
            bytes,
            least_ps,
            bits,
            depends_on,
            address,
        }
    }

    /// Appends the descriptor with an address in off-chip memory and the command that it waits for.
    pub(crate) fn append(&self, address: u32, depends_on: u32, to: &mut Vec<u8>) {
        let start = to.len();
        to.extend_from_slice(&self.bits);
        let Some(bits) = to.get_mut(start..) else { return };
        if let Some(field) = &self.address {
            field.put(bits, address.into());
        }
        if let Some(field) = self.depends_on.as_ref().filter(|_| depends_on > 0) {
            field.put(bits, (DEPENDENCE_ENABLED | depends_on).into());
        }
    }

    /// A TIU command takes the time of its shape after padding, not the ideal one.
    pub(crate) fn take_padded_time(&mut self, chip: &Chip, machine: &ChipSpeeds) {
        let Ok(command) = chip.ops(Engine::Tiu).decode(&self.bits) else { return };
        let cost = TiuCost::compute(chip, &command);
        let padded = cost.alg_cycles * cost.uarch_ops / cost.alg_ops.max(1);
        let more = u64::try_from(padded - cost.alg_cycles).unwrap_or(0);
        self.least_ps += more * 1_000_000 / machine.tiu_mhz(chip);
    }

    /// A TIU command loses cycles to bank conflicts.
    pub(crate) fn lose(&mut self, cycles: u32, chip: &Chip, machine: &ChipSpeeds) {
        self.lost = (cycles, u64::from(cycles) * 1_000_000 / machine.tiu_mhz(chip));
    }

    /// Sets what a send or wait says: its message, and with how many others it pairs.
    pub(crate) fn say(&mut self, chip: &Chip, message: u64, partners: u64) {
        let ops = chip.ops(self.step.engine);
        let name = if self.step.engine == Engine::Tiu { "imm" } else { "constant_value" };
        let field = ops.decode(&self.bits).ok().and_then(|c| c.register.field(name).cloned());
        if let Some(field) = field {
            field.put(&mut self.bits, message | partners << 16);
        }
    }
}

fn element_bytes(data_type: u8) -> u32 {
    bigtpu_chip::Precision(data_type).whole_bytes()
}

/// Code of a memory in the words of transfers.
fn memory_code(memory: Memory) -> u16 {
    match memory {
        Memory::L2m | Memory::L2 => 1,
        Memory::Lmem => 2,
        Memory::Ddr | Memory::Unknown => 0,
    }
}

fn word(chip: &Chip, step: &Step, is_system: bool, is_rvt: bool) -> Word {
    let kind = if is_rvt { WordKind::RvtNodeSet } else { WordKind::NodeSet };
    let kind = kind.number().unwrap_or(0);
    let engine = chip.engine_number(step.engine).unwrap_or(0);
    if is_rvt && chip.names.has_rvt() {
        let (function, variant) = generator(chip, step.generator).unwrap_or((31, 0));
        return Word::new(kind, engine, function, variant as u8 & 31, variant >> 5);
    }
    let info = match step.engine {
        _ if is_system => 0,
        Engine::Tiu => step.data_type.into(),
        _ => {
            let (from, to) = (memory_code(step.sides.0), memory_code(step.sides.1));
            to << 6 | from << 4 | u16::from(step.data_type)
        }
    };
    Word::new(kind, engine, step.code.0, step.code.1, info)
}

/// The generator indices of an RVT command's name.
fn generator(chip: &Chip, name: &str) -> Option<(u8, u16)> {
    let mut all = (0..32u8).flat_map(|function| (0..64u16).map(move |variant| (function, variant)));
    all.find(|&(function, variant)| chip.names.rvt(function, variant.into()).1 == name)
}

fn least_ps(
    chip: &Chip,
    machine: &ChipSpeeds,
    step: &Step,
    is_system: bool,
    bits: &[u8],
    bytes: u32,
) -> u64 {
    let tiu_mhz = machine.tiu_mhz(chip);
    let dma_mhz = chip.arch_number("DMA Frequency(MHz)").map_or(1000, |mhz| mhz as u64);
    match step.engine {
        Engine::Tiu if is_system => SYSTEM_CYCLES * 1_000_000 / tiu_mhz,
        Engine::Tiu => {
            let cost = chip.ops(Engine::Tiu).decode(bits).map(|c| TiuCost::compute(chip, &c));
            let cost = cost.unwrap_or(TiuCost::UNIT);
            let cycles = u64::try_from(cost.alg_cycles).unwrap_or(0)
                + u64::from(cost.initial_cycles)
                + TIU_OVERHEAD_CYCLES;
            cycles * 1_000_000 / tiu_mhz
        }
        _ if is_system => SYSTEM_CYCLES * 1_000_000 / dma_mhz,
        Engine::Cdma => {
            LINK_LATENCY_PS + u64::from(bytes) * 1_000_000 / machine.link_bytes_per_us()
        }
        Engine::Gdma | Engine::Sdma => {
            let bytes_per_us = machine.bytes_per_us(chip, step.sides);
            let is_store = step.sides.0 == Memory::Lmem;
            let before = if is_store { machine.pauses.store_ps } else { machine.pauses.load_ps };
            before + u64::from(bytes) * 1_000_000 / bytes_per_us
        }
    }
}

#[cfg(test)]
mod tests {
    use bigtpu_chip::{Direction, Slot, chips};

    use super::*;
    use crate::kernel::KERNELS;

    #[test]
    fn every_step_is_a_command_of_every_chip() {
        for chip in chips().iter().filter(|chip| chip.has_words()) {
            for step in KERNELS.iter().flat_map(|kernel| kernel.tile) {
                if step.engine == Engine::Cdma && chip.cdma_ports == 0 {
                    continue;
                }
                let template =
                    Template::encode(chip, &ChipSpeeds::default(), Style::Op, step, true);
                let mut bits = Vec::new();
                template.append(0x1234_5600, 77, &mut bits);
                let command = chip.ops(step.engine).decode(&bits).unwrap();
                if step.engine == Engine::Tiu {
                    let cost = TiuCost::compute(chip, &command);
                    assert!(cost.alg_cycles > 0, "{} {}", chip.name, command.op.name);
                    assert!(cost.alg_ops <= cost.uarch_ops, "{} {}", chip.name, command.op.name);
                    assert_eq!(command.get(Slot::IdDep), 1 << 20 | 77);
                } else if step.engine == Engine::Gdma {
                    let direction = Direction::of_command(chip, &command);
                    assert_eq!((direction.from, direction.to), step.sides, "{}", chip.name);
                    let ddr = if step.sides.0 == Memory::Ddr { Slot::SrcL32 } else { Slot::DstL32 };
                    assert_eq!(command.get(ddr), 0x1234_5600);
                }
                assert!(template.least_ps > 0);
            }
        }
    }

    #[test]
    fn generators_are_found_where_the_chip_has_them() {
        let chip = Chip::find("CV84X6").unwrap();
        for step in KERNELS.iter().flat_map(|kernel| kernel.tile) {
            if step.engine != Engine::Cdma {
                let template =
                    Template::encode(chip, &ChipSpeeds::default(), Style::Rvt, step, false);
                assert_ne!(template.word.task(), 31, "{}", step.generator);
                assert!(!template.takes_extra);
            }
        }
    }
}
