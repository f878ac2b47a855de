//! Sync messages: what a send says and what a wait asks for.

use crate::chip::{Chip, Engine, Family};
use crate::ops::Command;
use crate::register::Slot;
use crate::system::SystemRole;

/// The message of a send or wait whose full bits are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct SyncMessage {
    /// Whether the command waits for the message; otherwise it sends the message.
    pub is_wait: bool,
    /// Number of the message.
    pub id: u16,
    /// Number of waits that take the message of a send, or of sends that a wait needs.
    pub partners: u8,
}

impl SyncMessage {
    /// Reads the message from the full bits of a send or wait; `None` for any other command. The TIU has it in its
    /// immediate, a DMA engine in its constant: the number in the low bits, the partners from bit 16 on.
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
