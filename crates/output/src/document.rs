//! What a file can hold.

use crate::{Sink, Text};

mod sealed {
    pub trait Sealed {}
    impl<S> Sealed for crate::Text<S> {}
    impl Sealed for super::ByLibrary<'_> {}
}

/// What can be written to a file: a [`Text`], in which all that comes from outside is encoded, or what a library made.
pub trait Document: sealed::Sealed {
    /// What is in the file.
    #[doc(hidden)]
    fn bytes(&self) -> &[u8];
}

impl<S: Sink> Document for Text<S> {
    fn bytes(&self) -> &[u8] {
        self.as_str().as_bytes()
    }
}

/// What a library made of values, and encoded: JSON, Parquet, workbooks, protobuf, compressed data. Never a text that is put
/// together here; a test names all files that use it.
#[derive(Debug, Clone, Copy)]
pub struct ByLibrary<'a>(pub &'a [u8]);

impl Document for ByLibrary<'_> {
    fn bytes(&self) -> &[u8] {
        self.0
    }
}
