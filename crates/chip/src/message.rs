//! Sync messages: what a send says and what a wait asks for.

use crate::chip::{Chip, Engine, Family};
use crate::ops::Command;
use crate::register::Slot;
use crate::system::SystemRole;

/// The message of a send or wait whose full bits are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Message {
    /// It waits; else it sends.
    pub is_wait: bool,
    /// Number of the message.
    pub id: u16,
    /// Of a send: the waits that take it. Of a wait: the sends that it needs.
    pub partners: u8,
}

impl Message {
    /// Of a send's or wait's full bits; `None` for any other command. Fields: the immediate of the TIU, the constant of
    /// the DMA engines: number in the low bits, partners from bit 16 on.
    #[must_use]
    #[inline]
    pub fn decode(chip: &Chip, engine: Engine, command: &Command<'_>) -> Option<Self> {
        if !chip.is_system(engine, command.op.task()) {
            return None;
        }
        let function = if engine == Engine::Tiu { Slot::SubTask } else { Slot::DmaFunction };
        let is_wait = match SystemRole::from_function(engine, command.get(function) as u8) {
            SystemRole::Send => false,
            SystemRole::Wait => true,
            SystemRole::Control => return None,
        };
        let slot = match engine {
            Engine::Tiu => Slot::Imm,
            Engine::Gdma | Engine::Sdma => Slot::ConstantValue,
            Engine::Cdma => Slot::ConstantLow,
        };
        let (ids, partners) = if chip.family == Family::Aks { (0x1ff, 0x7f) } else { (0x7f, 7) };
        let text = command.get(slot);
        Some(Self { is_wait, id: (text & ids) as u16, partners: (text >> 16 & partners) as u8 })
    }
}
