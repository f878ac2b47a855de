//! What a file can hold.

use std::borrow::Cow;

use crate::encode::page_json;
use crate::{Sink, Text, plain_json};

mod sealed {
    pub trait Sealed {}
    impl<S> Sealed for crate::Text<S> {}
    impl Sealed for super::ByLibrary<'_> {}
    impl Sealed for super::Json<'_> {}
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

/// What a library made of values, and encoded: Parquet, workbooks, protobuf, compressed data. Never a text that is put
/// together here; a test names all files that use it.
#[derive(Debug, Clone, Copy)]
pub struct ByLibrary<'a>(pub &'a [u8]);

impl Document for ByLibrary<'_> {
    fn bytes(&self) -> &[u8] {
        self.0
    }
}

/// JSON that a library made of values, also as lines. Characters that can't be seen are escapes.
#[derive(Debug, Clone)]
pub struct Json<'a>(Cow<'a, str>);

impl<'a> Json<'a> {
    /// JSON of a file. The escapes are JSON's own: whoever looks at the file sees them, and whoever reads it gets the names that
    /// are in the input.
    #[must_use]
    pub fn in_file(json: &'a str) -> Self {
        Self(plain_json(json))
    }

    /// JSON inside an element of a page, whose script shows the texts: the escapes are those of all shown texts. No text ends the
    /// element.
    #[must_use]
    pub fn in_page(json: &str) -> Self {
        Self(page_json(json).into())
    }
}

impl Document for Json<'_> {
    fn bytes(&self) -> &[u8] {
        self.0.as_bytes()
    }
}
