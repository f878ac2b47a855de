//! Operations: which command a run of bits is (section 4).

use std::fmt;

use bigtpu_messages::{Arg, Language, Message, message};

use crate::register::{Register, Slot, insert};
use crate::tiu_cost::TiuFamily;

/// Where the parts of a command's head are, as (first bit, width).
#[derive(Debug, Clone, Copy)]
pub(crate) struct Head {
    pub(crate) short: Option<u16>,
    pub(crate) task: (u16, u8),
    pub(crate) sub: (u16, u8),
    /// A type whose sub-type is narrower and which has no short bit, with that sub-type's width.
    pub(crate) narrow: Option<(u8, u8)>,
}

impl Head {
    pub(crate) const TIU: Self =
        Self { short: Some(0), task: (41, 4), sub: (45, 5), narrow: Some((12, 3)) };
    pub(crate) const DMA: Self = Self { short: Some(3), task: (32, 5), sub: (37, 3), narrow: None };
    pub(crate) const DMA_BM1688: Self =
        Self { short: Some(3), task: (32, 4), sub: (36, 3), narrow: None };
    pub(crate) const CDMA: Self = Self { short: None, task: (4, 4), sub: (8, 3), narrow: None };

    /// Bits that must be there to read the head.
    #[inline]
    fn bits(&self) -> usize {
        usize::from(self.sub.0) + usize::from(self.sub.1)
    }
}

/// One operation of a chip's engine.
#[derive(Debug)]
pub struct Op {
    /// Name, such as `sMM2` or `DMA_tensor`.
    pub name: &'static str,
    /// Sub-types that the chip has, with their names.
    pub variants: &'static [(u8, &'static str)],
    /// Its register; an operation without one can't be decoded.
    pub register: Option<Register>,
    /// Which formulas count its work (TIU only; `TiuFamily::Uncounted` elsewhere).
    pub family: TiuFamily,
    /// Length in bits, known even where the register is not.
    pub(crate) bits: Option<u32>,
    pub(crate) task: u8,
    pub(crate) short: Option<bool>,
}

/// Which operation of its engine's table a command is: all that is needed to look it up again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct OpCode {
    /// Index into [`OpTable::ops`].
    pub op: u8,
    /// Sub-type.
    pub variant: u8,
}

impl Op {
    /// Type: what the head's `tsk_typ` or `cmd_type` says.
    #[must_use]
    pub fn task(&self) -> u8 {
        self.task
    }

    /// The name of a sub-type; `None` where the chip has none.
    #[must_use]
    pub fn variant_name(&self, variant: u8) -> Option<&'static str> {
        self.variants.iter().find(|(code, _)| *code == variant).map(|(_, name)| *name)
    }
}

/// A command whose operation is known, with its bits.
#[derive(Debug, Clone, Copy)]
pub struct Command<'a> {
    /// Place of the operation in its table, and the sub-type.
    pub code: OpCode,
    /// The operation.
    pub op: &'static Op,
    /// The operation's register.
    pub register: &'static Register,
    /// Sub-type.
    pub variant: u8,
    /// The command's bytes, at least as many as the register has.
    pub bits: &'a [u8],
}

impl Command<'_> {
    /// Value of a field, 0 when the register lacks it.
    #[must_use]
    #[inline]
    pub fn get(&self, slot: Slot) -> u64 {
        self.register.get(slot, self.bits)
    }

    /// The sub-type's name.
    #[must_use]
    pub fn variant_name(&self) -> &'static str {
        self.op.variant_name(self.variant).unwrap_or("unknown")
    }
}

/// Why bits are no command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Undecodable {
    /// No operation has this head.
    UnknownHead {
        /// Type.
        task: u8,
        /// Sub-type.
        sub: u8,
        /// Length in bits if every operation of the type has the same.
        bits: Option<u32>,
    },
    /// The operation is known, its layout is not.
    NoRegister {
        /// The operation.
        name: &'static str,
        /// Length in bits, if known.
        bits: Option<u32>,
    },
    /// The bits end before the register does.
    Short {
        /// The operation, or `command head`.
        name: &'static str,
        /// Bytes there are.
        have: usize,
        /// Bytes there should be.
        need: usize,
    },
}

impl Undecodable {
    /// Length of the command in bits, where it is known all the same.
    #[must_use]
    pub fn bits(&self) -> Option<u32> {
        match self {
            Self::UnknownHead { bits, .. } | Self::NoRegister { bits, .. } => *bits,
            Self::Short { .. } => None,
        }
    }
}

impl Undecodable {
    /// What the ledger says of it.
    #[must_use]
    pub fn message(&self) -> Message {
        match self {
            Self::UnknownHead { task, sub, .. } => {
                let [task, sub] = [*task, *sub].map(|number| Arg::Number(number.into()));
                message!("note-no-operation", task = task, sub = sub)
            }
            Self::NoRegister { name, .. } => message!("note-no-layout", name = *name),
            Self::Short { name, have, need } => {
                let [need, have] = [*need, *have].map(|bytes| Arg::Bytes(bytes as u64));
                message!("note-too-short", name = *name, need = need, have = have)
            }
        }
    }
}

impl fmt::Display for Undecodable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message().text(Language::English))
    }
}

/// The operations of one engine of one chip, found by the header bits of a command.
#[derive(Debug)]
pub struct OpTable {
    ops: &'static [Op],
    head: Head,
    index: &'static OpIndex,
}

/// Index + 1 into a table's operations by `short << 10 | task << 5 | sub`; 0 where no operation has that head.
pub(crate) type OpIndex = [u8; 1 << 11];

/// The index of operations.
pub(crate) const fn op_index(ops: &[Op]) -> OpIndex {
    // An entry is a byte.
    assert!(ops.len() < 255);
    let mut index = [0; 1 << 11];
    let mut number = 0;
    while number < ops.len() {
        let op = &ops[number];
        let mut next = 0;
        while next < op.variants.len() {
            let sub = op.variants[next].0 as usize;
            // An operation without a short bit is found with either value.
            let (from, to) = match op.short {
                Some(is_short) => (is_short as usize, is_short as usize),
                None => (0, 1),
            };
            let mut short = from;
            while short <= to {
                index[short << 10 | (op.task as usize) << 5 | sub] = (number + 1) as u8;
                short += 1;
            }
            next += 1;
        }
        number += 1;
    }
    index
}

impl OpTable {
    pub(crate) const fn new(head: Head, ops: &'static [Op], index: &'static OpIndex) -> Self {
        Self { ops, head, index }
    }

    /// All operations.
    #[must_use]
    pub fn ops(&self) -> &'static [Op] {
        self.ops
    }

    /// The operation that a head says.
    #[must_use]
    pub fn find(&self, short: bool, task: u8, variant: u8) -> Option<&'static Op> {
        self.numbered(short, task, variant).map(|(_, op)| op)
    }

    /// Finds an operation as [`OpTable::find`] does, and returns it with its index in the table.
    #[inline]
    fn numbered(&self, short: bool, task: u8, variant: u8) -> Option<(u8, &'static Op)> {
        let place = usize::from(short) << 10 | usize::from(task) << 5 | usize::from(variant);
        let number = self.index.get(place)?.checked_sub(1)?;
        self.ops.get(usize::from(number)).map(|op| (number, op))
    }

    /// The command that [`OpTable::decode`] recognised as `code` at the start of `bits`; `None` where the table has no
    /// such operation, or the bits are too short for it.
    #[must_use]
    #[inline]
    pub fn command<'a>(&self, code: OpCode, bits: &'a [u8]) -> Option<Command<'a>> {
        let op = self.ops.get(usize::from(code.op))?;
        let register = op.register.as_ref()?;
        let bits = bits.get(..register.bytes())?;
        Some(Command { code, op, register, variant: code.variant, bits })
    }

    /// The register of an operation; `None` where the table has no such operation, or its layout is not known.
    #[must_use]
    pub fn register(&self, code: OpCode) -> Option<&'static Register> {
        self.ops.get(usize::from(code.op))?.register.as_ref()
    }

    /// Zero bits with a head that says `op` and `variant`: what [`OpTable::decode`] reads back. `None` for an
    /// operation without a register.
    #[must_use]
    pub fn blank(&self, op: &Op, variant: u8) -> Option<Vec<u8>> {
        let mut bits = vec![0u8; op.register.as_ref()?.bytes()];
        insert(&mut bits, self.head.task.0, self.head.task.1, op.task.into());
        let width = match self.head.narrow {
            Some((narrow, width)) if narrow == op.task => width,
            _ => self.head.sub.1,
        };
        insert(&mut bits, self.head.sub.0, width, variant.into());
        if let Some(bit) = self.head.short {
            insert(&mut bits, bit, 1, op.short.unwrap_or(false).into());
        }
        Some(bits)
    }

    /// Which operation the command that starts at `bits` is: what [`OpTable::decode`] says, without its reasons. `None` where it
    /// can't be decoded.
    #[must_use]
    #[inline]
    pub fn recognise(&self, bits: &[u8]) -> Option<OpCode> {
        let (short, task, variant) = self.head_of(bits)?;
        let (op, found) = self.numbered(short, task, variant)?;
        let bytes = found.register.as_ref()?.bytes();
        (bytes <= bits.len()).then_some(OpCode { op, variant })
    }

    /// The bits of a command's first 8 bytes that say which operation it is.
    pub(crate) fn head_mask(&self) -> u64 {
        let Head { short, task, sub, .. } = self.head;
        let parts = short.map(|bit| (bit, 1)).into_iter().chain([task, sub]);
        parts.fold(0, |mask, (bit, width)| mask | ((1 << width) - 1) << bit)
    }

    /// The short bit, the type and the sub-type that a command's head says; `None` where the bits are too short for it.
    #[inline]
    fn head_of(&self, bits: &[u8]) -> Option<(bool, u8, u8)> {
        // The heads are within the first 8 bytes; the last command of a stream may be shorter.
        let head = match bits.first_chunk::<8>() {
            Some(first) => *first,
            None if bits.len() * 8 < self.head.bits() => return None,
            None => std::array::from_fn(|at| bits.get(at).copied().unwrap_or(0)),
        };
        let head = u64::from_le_bytes(head);
        let part = |(bit, width): (u16, u8)| (head >> bit & ((1 << width) - 1)) as u8;
        let short = self.head.short.is_some_and(|bit| part((bit, 1)) == 1);
        let task = part(self.head.task);
        let mut sub = part(self.head.sub);
        if let Some((narrow, width)) = self.head.narrow
            && narrow == task
        {
            sub &= (1 << width) - 1;
        }
        Some((short, task, sub))
    }

    /// Recognises the command that starts at `bits`.
    ///
    /// # Errors
    /// [`Undecodable`] says what is not known.
    pub fn decode<'a>(&self, bits: &'a [u8]) -> Result<Command<'a>, Undecodable> {
        let Some((short, task, sub)) = self.head_of(bits) else {
            return Err(Undecodable::Short {
                name: "a command's head",
                have: bits.len(),
                need: self.head.bits().div_ceil(8),
            });
        };
        let Some((number, op)) = self.numbered(short, task, sub) else {
            return Err(Undecodable::UnknownHead { task, sub, bits: self.length_of(short, task) });
        };
        let Some(register) = &op.register else {
            return Err(Undecodable::NoRegister { name: op.name, bits: op.bits });
        };
        match bits.get(..register.bytes()) {
            Some(bits) => {
                let code = OpCode { op: number, variant: sub };
                Ok(Command { code, op, register, variant: sub, bits })
            }
            None => {
                Err(Undecodable::Short { name: op.name, have: bits.len(), need: register.bytes() })
            }
        }
    }

    /// The length that all operations of a type share, if they do.
    fn length_of(&self, short: bool, task: u8) -> Option<u32> {
        let same = |op: &&Op| op.task == task && op.short.is_none_or(|s| s == short);
        shared(self.ops.iter().filter(same).map(|op| op.bits))
    }
}

/// The one value that all items have, if there are any and all are known and equal.
fn shared(mut lengths: impl Iterator<Item = Option<u32>>) -> Option<u32> {
    let first = lengths.next()??;
    lengths.all(|l| l == Some(first)).then_some(first)
}
