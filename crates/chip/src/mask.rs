//! What of a command's bits makes its kind: all fields but addresses, ids and messages.

use std::sync::OnceLock;

use crate::chip::{Chip, Engine};
use crate::ops::{Op, OpCode};
use crate::register::{Register, Slot};

/// Which bits of an operation's commands count, as little-endian words. Bits of no field count nothing.
#[derive(Debug)]
pub struct Mask {
    /// The bits that count.
    pub words: Vec<u64>,
    /// Whether the register has `cmd_id_dep`.
    pub has_dependence: bool,
    /// Whether these are system commands: only they can have a message.
    pub is_system: bool,
}

/// The masks of one engine's operations, each made when it is first asked for.
#[derive(Debug)]
pub struct Masks {
    masks: Vec<OnceLock<Mask>>,
}

impl Masks {
    /// Creates the empty table of an engine's masks; [`get`](Self::get) builds each mask at its first use.
    #[must_use]
    pub fn new(chip: &Chip, engine: Engine) -> Self {
        Self { masks: chip.ops(engine).ops().iter().map(|_| OnceLock::new()).collect() }
    }

    /// The mask of an operation; `None` where it has no register.
    #[must_use]
    #[inline]
    pub fn get(&self, chip: &Chip, engine: Engine, code: OpCode) -> Option<&Mask> {
        let place = usize::from(code.op);
        let mask = self.masks.get(place)?;
        if let Some(mask) = mask.get() {
            return Some(mask);
        }
        let op = chip.ops(engine).ops().get(place)?;
        op.register.as_ref()?;
        Some(mask.get_or_init(|| Mask::for_operation(chip, engine, op)))
    }
}

/// Fields that hold a message in system commands, and a constant in others.
const MESSAGES: [&str; 5] =
    ["imm", "imm1", "constant_value", "constant_value_l32", "constant_value_h32"];
/// Fields that number a command or a message.
const IDS: [&str; 3] = ["cmd_id_dep", "cmd_id", "message_id"];

impl Mask {
    /// Builds the mask of an operation; without a register no bits count.
    #[must_use]
    pub fn for_operation(chip: &Chip, engine: Engine, op: &Op) -> Self {
        let Some(register) = &op.register else {
            return Self { words: Vec::new(), has_dependence: false, is_system: false };
        };
        let is_system = chip.is_system(engine, op.task());
        let differs = |name: &str| {
            name.contains("addr") || IDS.contains(&name) || is_system && MESSAGES.contains(&name)
        };
        let mut words = vec![0u64; register.bytes().div_ceil(8)];
        for field in register.fields.iter().filter(|field| !differs(field.name())) {
            for bit in field.bit..field.bit + u16::from(field.width) {
                if let Some(word) = words.get_mut(usize::from(bit / 64)) {
                    *word |= 1 << (bit % 64);
                }
            }
        }
        Self { words, has_dependence: register.has(Slot::IdDep), is_system }
    }
}

/// The bits that an operation's commands leave 0: those of no field and of reserved ones.
#[derive(Debug, Clone)]
pub struct UnusedBits(Vec<u8>);

impl UnusedBits {
    /// Returns the unused bits of an operation's register; none where the operation has no register.
    #[must_use]
    pub fn in_op(op: &Op) -> Self {
        let Some(register) = &op.register else { return Self(Vec::new()) };
        let is_reserved = |name: &str| {
            let name = name.to_ascii_lowercase();
            ["rsvd", "reserve", "resered", "reversed"].iter().any(|word| name.contains(word))
        };
        let mut unused = vec![u8::MAX; register.bytes()];
        for field in register.fields.iter().filter(|field| !is_reserved(field.name())) {
            for bit in field.bit..field.bit + u16::from(field.width) {
                if let Some(byte) = unused.get_mut(usize::from(bit / 8)) {
                    *byte &= !(1 << (bit % 8));
                }
            }
        }
        Self(unused)
    }

    /// Whether a command has any of them: most of what is read from a wrong place has.
    #[must_use]
    pub fn has_any(&self, bits: &[u8]) -> bool {
        self.0.iter().zip(bits).any(|(unused, bits)| unused & bits != 0)
    }
}

impl Mask {
    /// The words of the mask with more bits of some fields, which are numbered within the field.
    #[must_use]
    pub fn with_bits(&self, register: &Register, more: &[(Slot, u64)]) -> Vec<u64> {
        let mut bytes: Vec<u8> = self.words.iter().flat_map(|word| word.to_le_bytes()).collect();
        for (slot, bits) in more {
            let known = register.get(*slot, &bytes);
            register.put(*slot, &mut bytes, known | bits);
        }
        bytes.as_chunks().0.iter().map(|word| u64::from_le_bytes(*word)).collect()
    }
}

/// Appends the words of a command's bits under a mask to a key.
pub fn push_masked(key: &mut Vec<u64>, mask: &[u64], bits: &[u8]) {
    let (whole, rest) = bits.as_chunks::<8>();
    key.extend(whole.iter().zip(mask).map(|(bits, mask)| u64::from_le_bytes(*bits) & mask));
    if let Some(mask) = mask.get(whole.len()) {
        let mut last = [0u8; 8];
        last.iter_mut().zip(rest).for_each(|(to, from)| *to = *from);
        key.push(u64::from_le_bytes(last) & mask);
    }
}
