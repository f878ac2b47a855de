//! Why compiled commands can't be read: one sentence each.

use bigtpu_messages::{Message, error_message};

/// Why compiled commands can't be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// Another file.
    #[error("{}", error_message!("error-simulate-compiled-no-bmodel", found = format_args!("{:#010x}", found)))]
    NoBmodel {
        /// Its first four bytes.
        found: u32,
    },
    /// A model of the older kind.
    #[error("{}", error_message!("error-simulate-compiled-older"))]
    Older,
    /// The file ends too early.
    #[error("{}", error_message!("error-simulate-compiled-truncated", size, part, end))]
    Truncated {
        /// What is cut.
        part: &'static str,
        /// Bytes that there should be.
        end: u64,
        /// Bytes that there are.
        size: u64,
    },
    /// The tables do not decode.
    #[error("{}", error_message!("error-simulate-compiled-tables", offset, what))]
    Tables {
        /// Where, from the start of the file.
        offset: u64,
        /// What is wrong.
        what: Message,
    },
    /// A binary that is not in the file.
    #[error("{}", error_message!("error-simulate-compiled-no-binary", size, start))]
    NoBinary {
        /// First byte.
        start: u64,
        /// Bytes.
        size: u64,
    },
    /// A stream that can't be walked to its end.
    #[error("{}", error_message!("error-simulate-compiled-commands", engine, offset, what))]
    Commands {
        /// Engine.
        engine: &'static str,
        /// Where in the file.
        offset: u64,
        /// What is wrong.
        what: Message,
    },
}
