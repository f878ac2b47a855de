//! Sync messages: what a send says and what a wait asks for.

use bigtpu_chip::{Command, Engine, Family, Slot};

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
    /// Of a send's or wait's full bits. Fields: the immediate of the TIU, the constant of the DMA engines: number in
    /// the low bits, partners from bit 16 on.
    pub(crate) fn of(family: Family, engine: Engine, is_wait: bool, command: &Command<'_>) -> Self {
        let slot = match engine {
            Engine::Tiu => Slot::Imm,
            Engine::Gdma | Engine::Sdma => Slot::ConstantValue,
            Engine::Cdma => Slot::ConstantLow,
        };
        let (ids, partners) = if family == Family::Aks { (0x1ff, 0x7f) } else { (0x7f, 7) };
        let text = command.get(slot);
        Self { is_wait, id: (text & ids) as u16, partners: (text >> 16 & partners) as u8 }
    }
}
