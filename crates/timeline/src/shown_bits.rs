//! Which of a command's full bits views show: its sizes, data types and direction.

use std::cell::OnceCell;

use bigtpu_chip::{Chip, Direction, Engine, Mask, Op, OpCode, Slot};

/// What views show of a TIU command's full bits.
pub(crate) const SHOWN_TIU: [Slot; 10] = [
    Slot::Res0N,
    Slot::Res0C,
    Slot::Res0H,
    Slot::Res0W,
    Slot::Opd0C,
    Slot::Opd1C,
    Slot::Opd1H,
    Slot::Opd1W,
    Slot::Opd0Prec,
    Slot::Res0Prec,
];
/// Fields of a transfer that are shown; its direction is that of the addresses.
pub(crate) const SHOWN_DMA: [Slot; 5] =
    [Slot::SrcN, Slot::SrcC, Slot::SrcH, Slot::SrcW, Slot::DataFormat];

/// The shown bits of an engine's operations, each found when it is first asked for.
pub(crate) struct ShownBits {
    chip: &'static Chip,
    engine: Engine,
    ops: &'static [Op],
    masks: Vec<OnceCell<Vec<u64>>>,
}

impl ShownBits {
    pub(crate) fn of_engine(chip: &'static Chip, engine: Engine) -> Self {
        let ops = chip.ops(engine).ops();
        Self { chip, engine, ops, masks: vec![OnceCell::new(); ops.len()] }
    }

    /// Whether these bits are the same of two commands of an operation, each with the bytes behind it: then views show the same of them.
    pub(crate) fn are_same(&self, code: OpCode, own: &[u8], other: &[u8]) -> bool {
        let place = usize::from(code.op);
        let Some((op, mask)) = self.ops.get(place).zip(self.masks.get(place)) else { return false };
        let mask = mask.get_or_init(|| self.mask(op));
        let Some(register) = op.register.as_ref().filter(|_| !mask.is_empty()) else {
            return false;
        };
        let bytes = register.bytes();
        let Some((own, other)) = own.get(..bytes).zip(other.get(..bytes)) else { return false };
        let ((own, own_rest), (other, other_rest)) = (own.as_chunks::<8>(), other.as_chunks::<8>());
        let word = |bytes: &[u8; 8]| u64::from_le_bytes(*bytes);
        let differ = own
            .iter()
            .zip(other)
            .zip(mask)
            .fold(0, |differ, ((own, other), mask)| differ | (word(own) ^ word(other)) & mask);
        differ == 0 && own_rest == other_rest
    }

    fn mask(&self, op: &Op) -> Vec<u64> {
        let Some(register) = &op.register else { return Vec::new() };
        let shown: &[Slot] = if self.engine == Engine::Tiu { &SHOWN_TIU } else { &SHOWN_DMA };
        let mut bits: Vec<(Slot, u64)> = shown.iter().map(|slot| (*slot, u64::MAX)).collect();
        if self.engine != Engine::Tiu {
            bits.extend(Direction::address_bits(self.chip));
        }
        let words = vec![0; register.bytes().div_ceil(8)];
        Mask { words, has_dependence: false, is_system: false }.with_bits(register, &bits)
    }
}
