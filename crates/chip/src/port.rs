//! Which way a chip-to-chip command moves data through its CDMA port (section 4.3).

/// Which way a command moves data, or which way the data go that its message is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PortDirection {
    /// Out of this chip.
    Transmit,
    /// Into this chip.
    Receive,
    /// Neither: commands that move data within the chip, and system commands without a message.
    Neither,
}

/// Types of CDMA commands (`cmd_type`).
///
/// | type | 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 |
/// |---|---|---|---|---|---|---|---|---|---|---|
/// | name | send | read | write | general | receive | lossy_compress | lossy_decompress | sys | tcp_send | tcp_receive |
mod task {
    pub(super) const SEND: u8 = 0;
    pub(super) const READ: u8 = 1;
    pub(super) const WRITE: u8 = 2;
    pub(super) const RECEIVE: u8 = 4;
    pub(super) const SYSTEM: u8 = 7;
    pub(super) const TCP_SEND: u8 = 8;
    pub(super) const TCP_RECEIVE: u8 = 9;
}

/// Functions of CDMA system commands that carry a message: send and wait of either way.
mod function {
    pub(super) const TX_SEND: u8 = 3;
    pub(super) const TX_WAIT: u8 = 4;
    pub(super) const RX_SEND: u8 = 5;
    pub(super) const RX_WAIT: u8 = 6;
}

impl PortDirection {
    /// Direction of a command with this type and function.
    #[must_use]
    pub fn from_command(task: u8, function: u8) -> Self {
        match (task, function) {
            (task::SEND | task::WRITE | task::TCP_SEND, _) => Self::Transmit,
            (task::RECEIVE | task::READ | task::TCP_RECEIVE, _) => Self::Receive,
            (task::SYSTEM, function::TX_SEND | function::TX_WAIT) => Self::Transmit,
            (task::SYSTEM, function::RX_SEND | function::RX_WAIT) => Self::Receive,
            _ => Self::Neither,
        }
    }

    /// The side of the port that a trace shows the command on, as bigTpuProfile does: a write, and a transfer with a
    /// special function, are on the port's own track.
    #[must_use]
    pub fn shown_side(task: u8, function: u8) -> Self {
        match (task, function) {
            (task::SYSTEM, _) => Self::from_command(task, function),
            (task::WRITE, _) | (_, 1..) => Self::Neither,
            (_, 0) => Self::from_command(task, function),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Chip, Engine};

    /// The names are those of the condensed tables, which every chip with ports shares.
    #[test]
    fn directions_agree_with_the_names() {
        for chip in ["AKS", "AKSV"].map(|name| Chip::find(name).unwrap()) {
            assert_eq!(chip.system.engine_code(Engine::Cdma), task::SYSTEM);
            for (task, function) in (0..16).flat_map(|task| (0..8).map(move |f| (task, f))) {
                let (kind, name) = chip.names.cdma(task, function);
                let expected = match kind {
                    "send" | "tcp_send" | "write" => PortDirection::Transmit,
                    "receive" | "read" | "tcp_receive" => PortDirection::Receive,
                    "sys" if name.is_some_and(|n| n.starts_with("sys_msg_tx_")) => {
                        PortDirection::Transmit
                    }
                    "sys" if name.is_some_and(|n| n.starts_with("sys_msg_rx_")) => {
                        PortDirection::Receive
                    }
                    _ => PortDirection::Neither,
                };
                assert_eq!(PortDirection::from_command(task, function), expected, "{name:?}");
                let side = match name {
                    Some("send" | "sys_msg_tx_send" | "sys_msg_tx_wait" | "tcp_send") => {
                        PortDirection::Transmit
                    }
                    Some(
                        "receive" | "read" | "sys_msg_rx_send" | "sys_msg_rx_wait" | "tcp_receive",
                    ) => PortDirection::Receive,
                    _ => PortDirection::Neither,
                };
                assert_eq!(PortDirection::shown_side(task, function), side, "{name:?}");
            }
        }
    }
}
