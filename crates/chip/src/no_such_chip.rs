//! `arch` names a chip that is not supported.

use crate::chip::{Chip, chips};
use bigtpu_messages::error_message;

/// Chips of the same maker whose dumps this version does not read: name and number in libsophon's list.
const NOT_SUPPORTED: [(&str, u64); 3] = [("BM1682", 0), ("BM1684", 1), ("BM1880", 2)];

/// `arch` of a dump is no chip whose records and commands we know.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoSuchChip {
    /// No chip of that name or number is known.
    #[error("{}", error_message!("error-chip-no-such-chip-unknown", given = format_args!("{:?}", given), supported))]
    Unknown {
        /// What was asked for.
        given: String,
        /// The supported chips, their aliases and numbers.
        supported: String,
    },
    /// The chip is known by name only.
    #[error("{}", error_message!("error-chip-no-such-chip-not-supported", name, number, supported))]
    NotSupported {
        /// Name of the chip.
        name: &'static str,
        /// Its number in libsophon's list.
        number: u64,
        /// The supported chips, their aliases and numbers.
        supported: String,
    },
}

impl NoSuchChip {
    pub(crate) fn new(arch: &str) -> Self {
        let supported = chips().iter().map(Chip::identity).collect::<Vec<_>>().join(", ");
        let given_number = arch.parse::<u64>().ok();
        let is_given = |(name, number): &&(&str, u64)| {
            given_number == Some(*number) || name.eq_ignore_ascii_case(arch)
        };
        match NOT_SUPPORTED.iter().find(is_given) {
            Some(&(name, number)) => Self::NotSupported { name, number, supported },
            None => Self::Unknown { given: arch.chars().take(60).collect(), supported },
        }
    }

    /// What the user of a dump that names this chip can do.
    #[must_use]
    pub fn advice(&self) -> &'static str {
        match self {
            Self::Unknown { .. } => "correct the line `arch=...`, or ask for support of this chip",
            Self::NotSupported { .. } => "ask for support of this chip",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chip_is_either_supported_or_not() {
        for (name, number) in NOT_SUPPORTED {
            for arch in [name.to_lowercase(), number.to_string()] {
                let error = Chip::find(&arch).unwrap_err();
                assert!(matches!(error, NoSuchChip::NotSupported { name: n, .. } if n == name));
            }
        }
        assert!(matches!(Chip::find("9000"), Err(NoSuchChip::Unknown { .. })));
    }
}
