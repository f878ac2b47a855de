//! What the full bits of a port's command say: its peer, its shape, whether it combines.
//!
//! Dynamic captures have them in mode 2, streams of descriptors always. Sends and receives name no peer; commands
//! without a partner on the other side do.

use bigtpu_chip::{Chip, Command, Precision, chip_ids};

/// What the full bits of a port's command say.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PortBits {
    /// Chip number of the device at the other end.
    pub peer: Option<u8>,
    /// Whether the command combines what arrives with what is there.
    pub reduces: Option<bool>,
    /// Elements that it moves.
    pub elements: Option<u64>,
    /// Bytes that it moves: its elements times their type. A receive names no type.
    pub bytes: Option<u64>,
}

/// Types of commands (section 1 of the format): one-sided, and those of TCP.
const READ: u8 = 1;
const WRITE: u8 = 2;
const GENERAL: u8 = 3;
const TCP: [u8; 2] = [8, 9];

impl PortBits {
    /// Reads the bits of a command that decodes.
    pub(crate) fn read(chip: &Chip, command: &Command<'_>) -> Self {
        let field = |name: &str| Some(command.register.field(name)?.value(command.bits));
        let reduces = [field("psum_op"), field("reduce_op")];
        let size = |side: &str| {
            let axes = ["nsize", "csize", "hsize", "wsize"];
            let axes = axes.map(|axis| field(&format!("{side}_{axis}")));
            axes.into_iter().try_fold(1u64, |all, axis| all.checked_mul(axis?))
        };
        let elements = match command.op.task() {
            GENERAL => field("cmd_length"),
            _ => size("src").or_else(|| size("dst")),
        };
        let data_type = field("src_data_format").map(|n| Precision(n as u8));
        let bytes = elements.zip(data_type).and_then(|(n, data_type)| {
            n.checked_mul(u64::from(data_type.whole_bytes())).filter(|bytes| *bytes > 0)
        });
        Self {
            peer: peer(chip, command),
            reduces: reduces.iter().flatten().copied().reduce(|a, b| a | b).map(|op| op != 0),
            elements: elements.filter(|n| *n > 0),
            bytes,
        }
    }
}

/// The chip at the other end. AKSV has it in the address on the other side, bits 40 to 46; bit 47 is memory of the host.
fn peer(chip: &Chip, command: &Command<'_>) -> Option<u8> {
    let task = command.op.task();
    let reads = task == READ || task == TCP[1];
    if chip.name == "AKSV" {
        if ![READ, WRITE].contains(&task) {
            return None;
        }
        let side = if reads { "src" } else { "dst" };
        let part = |name: &str| {
            let field = command.register.field(&format!("{side}_start_addr_{name}"))?;
            Some(field.value(command.bits))
        };
        // Address bits from 32 on.
        let high = part("h13")? | part("ext_h10")? << 13;
        return (high >> 15 & 1 == 0).then_some((high >> 8 & 0x7f) as u8);
    }
    if chip.name != "AKS" {
        return None;
    }
    let (source, destination) = chip_ids(task, command.bits)?;
    Some(if reads { source } else { destination })
}

#[cfg(test)]
mod tests {
    use bigtpu_chip::{Engine, put_chip_ids};

    use super::*;

    fn said(chip: &str, task: u8, set: &[(&str, u64)], chips: Option<(u8, u8)>) -> PortBits {
        let chip = Chip::find(chip).unwrap();
        let ops = chip.ops(Engine::Cdma);
        let op = ops.ops().iter().find(|op| op.task() == task).unwrap();
        let mut bits = ops.blank(op, 0).unwrap();
        for (name, value) in set {
            op.register.as_ref().unwrap().field(name).unwrap().put(&mut bits, *value);
        }
        if let Some(chips) = chips {
            put_chip_ids(task, &mut bits, chips);
        }
        PortBits::read(chip, &ops.decode(&bits).unwrap())
    }

    #[test]
    fn sends_say_their_bytes_and_receives_whether_they_combine() {
        let sizes = [("nsize", 2), ("csize", 64), ("hsize", 1), ("wsize", 512)];
        let of = |side: &str| sizes.map(|(axis, n)| (format!("{side}_{axis}"), n));
        let fp16 = 1;
        let send = of("src");
        let mut set: Vec<(&str, u64)> = send.iter().map(|(name, n)| (name.as_str(), *n)).collect();
        set.push(("src_data_format", fp16));
        let all = said("AKS", 0, &set, None);
        assert_eq!((all.elements, all.bytes, all.peer), (Some(65_536), Some(131_072), None));
        assert_eq!(all.reduces, Some(false));
        let receive = of("dst");
        let mut set: Vec<(&str, u64)> =
            receive.iter().map(|(name, n)| (name.as_str(), *n)).collect();
        set.push(("reduce_op", 3));
        let all = said("AKSV", 4, &set, None);
        assert_eq!((all.elements, all.bytes, all.reduces), (Some(65_536), None, Some(true)));
    }

    #[test]
    fn one_sided_commands_name_the_chip_at_the_other_end() {
        assert_eq!(said("AKS", WRITE, &[], Some((3, 9))).peer, Some(9));
        assert_eq!(said("AKS", READ, &[], Some((3, 9))).peer, Some(3));
        assert_eq!(said("AKS", GENERAL, &[("cmd_length", 77)], Some((3, 9))).peer, Some(9));
        let chip =
            |n: u64| [("dst_start_addr_h13", (n & 31) << 8), ("dst_start_addr_ext_h10", n >> 5)];
        assert_eq!(said("AKSV", WRITE, &chip(0x45), None).peer, Some(0x45));
        assert_eq!(said("AKSV", WRITE, &chip(0x80), None).peer, None);
    }
}
