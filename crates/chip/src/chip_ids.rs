//! Chip numbers in the commands of ports of AKS, in bits that the tables of its registers call reserved.

use crate::register::{extract, insert};

/// Width of a chip number in bits.
const WIDTH: u8 = 4;

/// First bits of the chip numbers of source and destination, by the type of the command: one-sided commands, and those
/// of TCP. Sends and receives name none.
fn places(task: u8) -> Option<(u16, u16)> {
    match task {
        1..=3 => Some((45, 49)),
        8 | 9 => Some((48, 52)),
        _ => None,
    }
}

/// Chip numbers of source and destination of a command of type `task`; `None`: its kind names none.
#[must_use]
pub fn chip_ids(task: u8, bits: &[u8]) -> Option<(u8, u8)> {
    let (source, destination) = places(task)?;
    let number = |place| extract(bits, place, WIDTH) as u8;
    Some((number(source), number(destination)))
}

/// Sets the chip numbers of source and destination; commands that name none stay as they are.
pub fn put_chip_ids(task: u8, bits: &mut [u8], (source, destination): (u8, u8)) {
    if let Some((from, to)) = places(task) {
        insert(bits, from, WIDTH, source.into());
        insert(bits, to, WIDTH, destination.into());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back() {
        let mut bits = [0u8; 32];
        put_chip_ids(2, &mut bits, (3, 9));
        assert_eq!(chip_ids(2, &bits), Some((3, 9)));
        assert_eq!(u64::from_le_bytes(*bits.first_chunk().unwrap()), 3 << 45 | 9 << 49);
        put_chip_ids(4, &mut bits, (1, 1));
        assert_eq!((chip_ids(2, &bits), chip_ids(4, &bits)), (Some((3, 9)), None));
    }
}
