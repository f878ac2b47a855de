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
    pub fn is_bound(self) -> bool {
        !matches!(self, Self::None | Self::Send | Self::Wait)
    }

    /// Whether the command is in a descriptor stream.
    pub(crate) fn comes_from_stream(self) -> bool {
        matches!(self, Self::Bits | Self::BadBits)
    }

    /// Whether a processor dispatched the command at run time: it is not in a descriptor stream.
    #[must_use]
    pub fn is_dispatched(self) -> bool {
        matches!(
            self,
            Self::Word | Self::Rvt | Self::Wrap | Self::WordAndBits | Self::BadBitsOfWord
        )
    }

    /// Whether a word is all that is known of the command.
    #[must_use]
    pub fn is_word(self) -> bool {
        matches!(self, Self::Word | Self::Rvt | Self::Wrap)
    }

    /// Whether the command's full bits are known and decode.
    #[must_use]
    pub fn has_bits(self) -> bool {
        matches!(self, Self::WordAndBits | Self::Bits)
    }
}
