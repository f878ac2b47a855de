//! The peak of a core's matrix unit (section 4.2).

use crate::precision::Precision;
use crate::{Chip, Family};

/// Output positions that the cube makes a cycle.
pub(crate) const CUBE_POSITIONS: i128 = 4;

/// Operations that the cube of one core does in a cycle, a multiply-add counting as two.
///
/// The cube takes `cube_base` bytes of input channels per lane and cycle; half precision of BM1688 and CV184X runs at a
/// quarter of the speed of INT8. 32-bit types use the vector unit's width.
#[must_use]
pub fn cube_ops_per_cycle(chip: &Chip, precision: Precision) -> f64 {
    let array = chip.array;
    let lanes = f64::from(array.lanes);
    if precision.is_32_bit() {
        return 2.0 * lanes * f64::from(precision.elements(array.vector_base));
    }
    let channels = f64::from(precision.elements(array.cube_base));
    let is_half_slow = matches!(chip.family, Family::Bm1688 | Family::Cv184x);
    let slow = is_half_slow && precision.whole_bytes() == 2;
    2.0 * lanes * CUBE_POSITIONS as f64 * if slow { channels / 2.0 } else { channels }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn peaks_of_a_core() {
        let ops = |chip: &str| {
            let chip = Chip::find(chip).unwrap();
            [0, 1, 2].map(|code| cube_ops_per_cycle(chip, Precision(code)))
        };
        assert_eq!(ops("AKS"), [32768.0, 16384.0, 2048.0]);
        assert_eq!(ops("BM1688"), [8192.0, 2048.0, 256.0]);
        assert_eq!(ops("BM1684X"), [32768.0, 16384.0, 2048.0]);
        assert_eq!(ops("CV184X"), [1024.0, 256.0, 64.0]);
        assert_eq!(ops("CV84X6"), [4096.0, 2048.0, 256.0]);
    }
}
