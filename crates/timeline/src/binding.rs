//! What an event is.

/// What an event is, and how this is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Binding {
    /// No command explains the record.
    None,
    /// A system record without a command: by its place and length a send.
    Send,
    /// A system record without a command: by its place and length a wait.
    Wait,
    /// A dispatched command, known by its word.
    Word,
    /// A command of the RVT front end, known by its word.
    Rvt,
    /// The implicit system command with which an RVT front end restarts ids.
    Wrap,
    /// A dispatched command with its full bits; its word is known too.
    WordAndBits,
    /// A command of a descriptor stream: full bits, no word.
    Bits,
    /// A dispatched command whose full bits are no command that we know.
    BadBitsOfWord,
    /// An unknown command in a descriptor stream.
    BadBits,
}

impl Binding {
    /// Whether a command is bound to the record.
    #[must_use]
    #[inline]
    pub fn is_bound(self) -> bool {
        !matches!(self, Self::None | Self::Send | Self::Wait)
    }

    /// Whether nothing says which command it is: none is known, or its bits are no command and it has no word.
    pub(crate) fn is_nameless(self) -> bool {
        matches!(self, Self::None | Self::BadBits)
    }

    /// Whether the command is in a descriptor stream.
    pub(crate) fn comes_from_stream(self) -> bool {
        matches!(self, Self::Bits | Self::BadBits)
    }

    /// Whether a processor dispatched the command at run time: it is not in a descriptor stream.
    #[must_use]
    #[inline]
    pub fn is_dispatched(self) -> bool {
        matches!(
            self,
            Self::Word | Self::Rvt | Self::Wrap | Self::WordAndBits | Self::BadBitsOfWord
        )
    }

    /// Whether a word is all that is known of the command.
    #[must_use]
    #[inline]
    pub fn is_word(self) -> bool {
        matches!(self, Self::Word | Self::Rvt | Self::Wrap)
    }

    /// Whether its full bits are no command that we know.
    pub(crate) fn is_undecodable(self) -> bool {
        matches!(self, Self::BadBitsOfWord | Self::BadBits)
    }

    /// Whether the command's full bits are known and decode.
    #[must_use]
    #[inline]
    pub fn has_bits(self) -> bool {
        matches!(self, Self::WordAndBits | Self::Bits)
    }
}

/// How many events are of each binding.
pub(crate) struct BindingCounts([u64; BindingCounts::ALL.len()]);

impl BindingCounts {
    const ALL: [Binding; 10] = [
        Binding::None,
        Binding::Send,
        Binding::Wait,
        Binding::Word,
        Binding::Rvt,
        Binding::Wrap,
        Binding::WordAndBits,
        Binding::Bits,
        Binding::BadBitsOfWord,
        Binding::BadBits,
    ];

    pub(crate) fn from_bindings(bindings: &[Binding]) -> Self {
        let mut counts = [0; Self::ALL.len()];
        for binding in bindings {
            counts[*binding as usize] += 1;
        }
        Self(counts)
    }

    /// Events with such a binding.
    pub(crate) fn count(&self, is: impl Fn(Binding) -> bool) -> u64 {
        Self::ALL
            .iter()
            .filter(|binding| is(**binding))
            .map(|binding| self.0[*binding as usize])
            .sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_binding_counts_for_itself() {
        for (at, binding) in BindingCounts::ALL.into_iter().enumerate() {
            assert_eq!(at, binding as usize);
            let counts = BindingCounts::from_bindings(&[binding, Binding::Word, binding]);
            let own = if binding == Binding::Word { 3 } else { 2 };
            assert_eq!(counts.count(|b| b == binding), own);
        }
    }
}
