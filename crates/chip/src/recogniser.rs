//! Recognising one command after the other: their heads repeat.

use crate::ops::{OpCode, OpTable};

/// What a head was found to say.
#[derive(Debug, Clone, Copy)]
struct Known {
    head: u64,
    code: OpCode,
    /// Bytes of the command.
    bytes: usize,
}

/// Heads that are kept.
const PLACES: usize = 64;

/// Recognises commands of an engine. What a head says is kept, so that most heads are only compared.
#[derive(Debug)]
pub struct Recogniser<'a> {
    table: &'a OpTable,
    /// Bits of the head.
    mask: u64,
    known: Box<[Known; PLACES]>,
}

impl<'a> Recogniser<'a> {
    /// Creates a recogniser of the operations in an engine's table, without known heads.
    #[must_use]
    pub fn new(table: &'a OpTable) -> Self {
        // No head has all bits.
        let none = Known { head: u64::MAX, code: OpCode::default(), bytes: 0 };
        Self { table, mask: table.head_mask(), known: Box::new([none; PLACES]) }
    }

    /// As [`OpTable::recognise`].
    #[inline]
    pub fn recognise(&mut self, bits: &[u8]) -> Option<OpCode> {
        let Some(first) = bits.first_chunk::<8>() else { return self.table.recognise(bits) };
        let head = u64::from_le_bytes(*first) & self.mask;
        // The highest bits of a product depend on all of its factors' bits.
        let place = head.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (u64::BITS - PLACES.ilog2());
        let known = &mut self.known[place as usize];
        if known.head == head && known.bytes <= bits.len() {
            return Some(known.code);
        }
        let code = self.table.recognise(bits)?;
        let bytes = self.table.command(code, bits)?.bits.len();
        *known = Known { head, code, bytes };
        Some(code)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Engine, chips};

    /// Commands of all operations, whole and cut, one after the other and again.
    #[test]
    fn what_is_kept_is_what_is_recognised() {
        for chip in chips() {
            for engine in Engine::ALL {
                let table = chip.ops(engine);
                let mut recogniser = Recogniser::new(table);
                let blanks = || {
                    let variants = |op: &'static crate::Op| {
                        op.variants.iter().filter_map(move |(variant, _)| table.blank(op, *variant))
                    };
                    table.ops().iter().flat_map(variants)
                };
                for bits in blanks().chain(blanks()) {
                    let mut noisy = bits.clone();
                    noisy.iter_mut().skip(8).for_each(|byte| *byte = 0xa5);
                    let cut = &bits[..bits.len() - 1];
                    for bits in [bits.as_slice(), noisy.as_slice(), cut, &bits[..4], &[0xff; 64]] {
                        assert_eq!(
                            recogniser.recognise(bits),
                            table.recognise(bits),
                            "{}",
                            chip.name
                        );
                    }
                }
            }
        }
    }
}
