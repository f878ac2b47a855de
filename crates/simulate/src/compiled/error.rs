//! Why compiled commands can't be read: one sentence each.

/// Why compiled commands can't be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// Another file.
    #[error(
        "begins with {found:#010x}, a .bmodel with 0xff55aaee: give a .bmodel, a dump or command files"
    )]
    NoBmodel {
        /// Its first four bytes.
        found: u32,
    },
    /// A model of the older kind.
    #[error(
        "is a model of an older kind (it begins with 0xff55aaff): compile it again with a current tpu-mlir"
    )]
    Older,
    /// It ends too early.
    #[error(
        "ends at byte {size}, but its {part} goes to byte {end}: the file is truncated; copy it again"
    )]
    Truncated {
        /// What is cut.
        part: &'static str,
        /// Bytes that there should be.
        end: u64,
        /// Bytes that there are.
        size: u64,
    },
    /// The tables do not decode.
    #[error(
        "its tables do not decode at byte {offset} ({what}): the model is encrypted or damaged"
    )]
    Tables {
        /// Where, from the start of the file.
        offset: u64,
        /// What is wrong.
        what: String,
    },
    /// A binary that is not in the file.
    #[error(
        "commands of {size} bytes at byte {start} of its binary part are beyond its end: the file is damaged"
    )]
    NoBinary {
        /// First byte.
        start: u64,
        /// Bytes.
        size: u64,
    },
    /// A stream that can't be walked to its end.
    #[error("{engine} commands at byte {offset}: {what}; these bytes are no commands of this chip")]
    Commands {
        /// Engine.
        engine: &'static str,
        /// Where in the file.
        offset: u64,
        /// What is wrong.
        what: String,
    },
}
