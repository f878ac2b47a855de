//! A command as it is bound to a record.

use bigtpu_chip::OpCode;
use bigtpu_format::Word;

use crate::binding::Binding;
use crate::streams::Descriptor;

/// A command as it is bound to a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Bound {
    pub(crate) binding: Binding,
    /// Its DYN_DATA word; 0 where it has none.
    pub(crate) word: Word,
    /// Offset of its full bits in the core's file, in bytes; 0 where they are not known.
    pub(crate) bits: u64,
    /// Operation and variant of the full bits; of no meaning where these do not decode.
    pub(crate) code: OpCode,
}

impl Bound {
    /// No command: what the record was before it was paired.
    pub(crate) fn none(binding: Binding) -> Self {
        Self::of_word(binding, Word(0))
    }

    /// A command of which the word is all that is known.
    pub(crate) fn of_word(binding: Binding, word: Word) -> Self {
        Self { binding, word, bits: 0, code: OpCode::default() }
    }

    pub(crate) fn of_descriptor(descriptor: Descriptor) -> Self {
        let Descriptor { offset: bits, code, .. } = descriptor;
        let binding = if code.is_some() { Binding::Bits } else { Binding::BadBits };
        Self { binding, word: Word(0), bits, code: code.unwrap_or_default() }
    }
}
