//! Which bits of a command decide its kind.

use std::sync::OnceLock;

use bigtpu_chip::{Chip, Command, Direction, Engine, Mask, Op, OpCode, Register, Slot, TiuCost};
use bigtpu_command_cost::CostModel;

/// The first word of a command's key: all that its masked bits do not show. Keys of commands that are known by
/// their words have bit 63 clear.
pub(crate) fn head(model: &CostModel, engine: Engine, command: &Command<'_>) -> u64 {
    let (differs, class) = if engine == Engine::Tiu {
        let conflicts = TiuCost::bank_conflicts(model.chip, command);
        (conflicts.into(), model.address_class(engine, command))
    } else {
        let direction = Direction::of_command(model.chip, command);
        let Direction { from, to } = direction;
        ((from as u64) << 8 | to as u64, model.transfer_class(command, direction))
    };
    let code = u64::from(command.code.op) << 8 | u64::from(command.code.variant);
    1 << 63 | u64::from(class) << 48 | differs << 32 | (engine as u64) << 16 | code
}

/// What of an operation's commands decides their kind: the bits under the mask, and those of the addresses that make the key's head.
#[derive(Debug)]
pub(crate) struct Pattern {
    pub(crate) mask: Mask,
    pub(crate) register: &'static Register,
    /// Little-endian words. Commands that are equal under them have the same key, if they have the same head where it is asked for.
    words: Vec<u64>,
    /// The head depends on how two addresses compare, which may be the same for many addresses.
    pub(crate) asks_head: bool,
    /// First byte, first bit in it, and mask of `cmd_id_dep`.
    dependence: Option<(usize, u8, u32)>,
}

impl Pattern {
    fn find(model: &CostModel, engine: Engine, op: &'static Op) -> Option<Self> {
        let register = op.register.as_ref()?;
        let chip = model.chip;
        let mask = Mask::for_operation(chip, engine, op);
        let mut addresses = model.address_bits(engine, op);
        let mut asks_head = false;
        if engine == Engine::Tiu {
            addresses.extend(TiuCost::address_bits(chip, op));
            let all = addresses.len();
            addresses.retain(|(_, bits)| *bits != u64::MAX);
            asks_head = addresses.len() < all;
        } else {
            addresses.extend(Direction::address_bits(chip));
        }
        let words = mask.with_bits(register, &addresses);
        let dependence = register.field(Slot::IdDep.name()).filter(|field| field.width <= 32);
        let dependence = dependence.map(|field| {
            let mask = u32::MAX.checked_shr(32 - u32::from(field.width)).unwrap_or(0);
            (usize::from(field.bit / 8), (field.bit % 8) as u8, mask)
        });
        Some(Self { mask, register, words, asks_head, dependence })
    }

    /// `cmd_id_dep` of a command of the operation; `None` where it has none.
    #[inline]
    pub(crate) fn dependence(&self, bits: &[u8]) -> Option<u32> {
        let (first, shift, mask) = self.dependence?;
        match bits.get(first..)?.first_chunk::<8>() {
            Some(near) => Some((u64::from_le_bytes(*near) >> shift) as u32 & mask),
            None => Some(self.register.get(Slot::IdDep, bits) as u32),
        }
    }

    /// Whether two commands of the operation have the same key, as far as these bits show: if they do, it is the same.
    #[inline]
    pub(crate) fn is_same(&self, a: &[u8], b: &[u8]) -> bool {
        if a.len() != b.len() {
            return false;
        }
        // Four words at a time, which are compared at once.
        let ((a, a_rest), (b, b_rest)) = (a.as_chunks::<32>(), b.as_chunks::<32>());
        let (masks, masks_rest) = self.words.as_chunks::<4>();
        let mut differ = [0; 4];
        for ((a, b), masks) in a.iter().zip(b).zip(masks) {
            for (differ, ((a, b), mask)) in differ.iter_mut().zip(words(a).zip(words(b)).zip(masks))
            {
                *differ |= (a ^ b) & mask;
            }
        }
        let rest = words(a_rest).zip(words(b_rest)).zip(masks_rest);
        let differs = rest
            .fold(differ.into_iter().fold(0, |all, own| all | own), |all, ((a, b), mask)| {
                all | (a ^ b) & mask
            });
        let (a_end, b_end) = (a_rest.as_chunks::<8>().1, b_rest.as_chunks::<8>().1);
        // Most commands are whole words: nothing is compared then.
        differs == 0 && (a_end.is_empty() || a_end == b_end)
    }

    /// A number below 2^`bits` that commands of one key share, and few others.
    #[inline]
    pub(crate) fn hash(&self, command: &[u8], bits: u32) -> usize {
        let hash = words(command).zip(&self.words).fold(0u64, |hash, (word, mask)| {
            (hash.rotate_left(5) ^ word & mask).wrapping_mul(0x9e37_79b9_7f4a_7c15)
        });
        // The highest bits of a product depend on all of its factors' bits.
        (hash >> (u64::BITS - bits)) as usize
    }
}

/// The little-endian words of bits, without an incomplete one at the end.
#[inline]
fn words(bits: &[u8]) -> impl Iterator<Item = u64> {
    bits.as_chunks::<8>().0.iter().map(|word| u64::from_le_bytes(*word))
}

/// The patterns of one engine's operations, each made when it is first asked for.
#[derive(Debug)]
pub(crate) struct Patterns {
    engine: Engine,
    patterns: Vec<OnceLock<Option<Pattern>>>,
}

impl Patterns {
    /// Starts without any pattern of the engine.
    pub(crate) fn new(chip: &Chip, engine: Engine) -> Self {
        let patterns = chip.ops(engine).ops().iter().map(|_| OnceLock::new()).collect();
        Self { engine, patterns }
    }

    /// The pattern of an operation; `None` where it has no register.
    #[inline]
    pub(crate) fn get(&self, model: &CostModel, code: OpCode) -> Option<&Pattern> {
        let place = usize::from(code.op);
        let pattern = self.patterns.get(place)?;
        if let Some(pattern) = pattern.get() {
            return pattern.as_ref();
        }
        let op = model.chip.ops(self.engine).ops().get(place)?;
        pattern.get_or_init(|| Pattern::find(model, self.engine, op)).as_ref()
    }
}

#[cfg(test)]
mod tests {
    use bigtpu_chip::{chips, push_masked};
    use proptest::prelude::*;

    use super::*;

    /// Addresses at the edges of memories, and any other.
    fn address() -> impl Strategy<Value = u64> {
        let edges = [0x0800_0000, 0x0900_4000, 0x1000_0000, 0x1020_0000, 0x26D2_0000, 0x26E2_0000];
        let near = (prop::sample::select(edges.to_vec()), -40i64..40);
        let tag = prop::sample::select(vec![0u64, 1, 2, 30, 31]).prop_map(|tag| tag << 40);
        prop_oneof![
            (near, tag.clone()).prop_map(|((edge, off), tag)| (edge as i64 + off) as u64 | tag),
            (any::<u32>(), tag).prop_map(|(low, tag)| u64::from(low) | tag),
            any::<u64>(),
        ]
    }

    /// Checks that commands which are equal under the pattern have one key, whatever their other bits are.
    fn check(
        model: &CostModel,
        (engine, code): (Engine, OpCode),
        [from, to]: [u64; 2],
        noise: &[u8],
    ) -> Result<(), TestCaseError> {
        let ops = model.chip.ops(engine);
        let patterns = Patterns::new(model.chip, engine);
        let Some(pattern) = patterns.get(model, code) else { return Ok(()) };
        let register = pattern.register;
        let n = register.bytes();
        let mut noise = noise.iter().copied().cycle();
        let mut a: Vec<u8> = noise.by_ref().take(n).collect();
        for (slot, value) in [
            (Slot::SrcL32, from),
            (Slot::SrcH8, from >> 32),
            (Slot::SrcH13, from >> 32),
            (Slot::DstL32, to),
            (Slot::DstH8, to >> 32),
            (Slot::DstH13, to >> 32),
            (Slot::Res0Addr, to),
            (Slot::Opd0Addr, to.wrapping_mul(2)),
        ] {
            register.put(slot, &mut a, value);
        }
        let mask: Vec<u8> = pattern.words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let other: Vec<u8> = noise.skip(7).take(n).collect();
        let b: Vec<u8> =
            a.iter().zip(&other).zip(&mask).map(|((a, b), mask)| a & mask | b & !mask).collect();
        prop_assert!(n % 8 != 0 || pattern.is_same(&a, &b));
        prop_assert_eq!(pattern.hash(&a, 10), pattern.hash(&b, 10));
        let asked = |bits: &[u8]| {
            let command = ops.command(code, bits).filter(|_| pattern.asks_head)?;
            Some(head(model, engine, &command))
        };
        if asked(&a) != asked(&b) {
            return Ok(());
        }
        let key = |bits: &[u8]| {
            let command = ops.command(code, bits)?;
            let mut key = vec![head(model, engine, &command)];
            push_masked(&mut key, &pattern.mask.words, command.bits);
            Some(key)
        };
        prop_assert_eq!(key(&a), key(&b));
        let dependence = register.has(Slot::IdDep).then(|| register.get(Slot::IdDep, &a) as u32);
        prop_assert_eq!(pattern.dependence(&a), dependence);
        Ok(())
    }

    proptest! {
        #[test]
        fn the_pattern_decides_the_key(
            noise in prop::collection::vec(any::<u8>(), 301..600),
            from in address(),
            to in address(),
        ) {
            for chip in chips() {
                let model = CostModel::compiled_in(chip);
                for engine in Engine::ALL {
                    for (op, known) in chip.ops(engine).ops().iter().enumerate() {
                        for (variant, _) in known.variants.iter().take(2) {
                            let code = OpCode { op: op as u8, variant: *variant };
                            check(&model, (engine, code), [from, to], &noise)?;
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn commands_differ_in_the_bits_of_the_pattern_only() {
        for chip in chips() {
            let model = CostModel::compiled_in(chip);
            let patterns = Patterns::new(chip, Engine::Gdma);
            let codes = (0..chip.ops(Engine::Gdma).ops().len())
                .map(|op| OpCode { op: op as u8, variant: 0 });
            for pattern in codes.filter_map(|code| patterns.get(&model, code)) {
                let bits = vec![0u8; pattern.register.bytes() / 8 * 8];
                for bit in 0..bits.len() * 8 {
                    let mut other = bits.clone();
                    other[bit / 8] |= 1 << (bit % 8);
                    let counts = pattern.words[bit / 64] >> (bit % 64) & 1 == 1;
                    assert_eq!(pattern.is_same(&bits, &other), !counts, "{} bit {bit}", chip.name);
                }
            }
        }
    }
}
