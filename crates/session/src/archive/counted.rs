//! A reader that tells how much was read.

use std::cell::Cell;
use std::io::{Read, Result};
use std::rc::Rc;

/// Counts what is read.
#[derive(Debug)]
pub(super) struct Counted<R> {
    reader: R,
    bytes: Rc<Cell<u64>>,
}

impl<R> Counted<R> {
    /// Also what tells how many bytes were read.
    pub(super) fn new(reader: R) -> (Self, Rc<Cell<u64>>) {
        let bytes = Rc::default();
        (Self { reader, bytes: Rc::clone(&bytes) }, bytes)
    }
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buf: &mut [u8]) -> Result<usize> {
        let read = self.reader.read(buf)?;
        self.bytes.set(self.bytes.get() + read as u64);
        Ok(read)
    }
}
