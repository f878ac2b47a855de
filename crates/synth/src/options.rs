//! What a dump is to be like.

use bigtpu_chip::Chip;

use crate::Result;

/// What a dump is to be like.
#[derive(Debug, Clone)]
pub struct Options {
    /// The chip that the dump says it is from.
    pub chip: &'static Chip,
}

impl Options {
    /// The defaults of a chip, by its name, alias or number.
    ///
    /// # Errors
    /// When there is no such chip.
    pub fn of_chip(name: &str) -> Result<Self> {
        Ok(Self { chip: Chip::find(name)? })
    }
}
